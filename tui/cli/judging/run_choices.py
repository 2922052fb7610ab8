"""What `turnwise run` is asked to run: the options that choose cases, and what they leave of a suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite
from turnwise.tui.cli.options import gathered

if TYPE_CHECKING:
    from turnwise.engine.suites.selecting import Filters

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChoice:
    """The options that choose cases, as they were typed; see `Filters` for what they mean.

    repeat: how often every case runs; None leaves it to the file.
    """

    metadata: tuple[str, ...] = ()
    failing: bool = False
    errors_only: bool = False
    pattern: str | None = None
    between: str | None = None
    first: int | None = None
    sample: int | None = None
    seed: int | None = None
    repeat: int | None = None

    def filters(self) -> Filters:
        """Return the filters that need no suite. Raises SettingError for one that means nothing."""
        from turnwise.engine.suites.selecting import Filters, pattern_of, range_of

        return Filters(
            metadata=[_key_and_text(text) for text in self.metadata],
            pattern=pattern_of(self.pattern) if self.pattern is not None else None,
            between=range_of(self.between) if self.between is not None else None,
            first=self.first,
            sample=self.sample,
            seed=self.seed,
        )

    def words(self) -> str:
        """Return the filters as they were typed, for a person who is told that they select nothing."""
        told = [f"--filter-metadata {text}" for text in self.metadata]
        told += ["--filter-failing"] * self.failing + ["--filter-errors-only"] * self.errors_only
        told += [f"--filter-pattern {self.pattern}"] * (self.pattern is not None)
        told += [f"--filter-range {self.between}"] * (self.between is not None)
        told += [f"--first {self.first}"] * (self.first is not None)
        told += [f"--filter-sample {self.sample}"] * (self.sample is not None)
        return " ".join(told)


def choice_options(function: _F) -> _F:
    """Add the options that choose cases; the command takes them together, as `choice`."""
    least = click.IntRange(min=1)
    return gathered(
        function,
        "choice",
        CaseChoice,
        click.option(
            "--filter-metadata",
            "metadata",
            multiple=True,
            metavar="KEY=TEXT",
            help="Only cases with this text in this entry of their metadata. May be given several times.",
        ),
        click.option("--filter-failing", "failing", is_flag=True, help="Only what did not pass last time."),
        click.option(
            "--filter-errors-only",
            "errors_only",
            is_flag=True,
            help="Only what could not be run or checked last time.",
        ),
        click.option(
            "--filter-pattern", "pattern", metavar="REGEX", help="Only cases whose description matches."
        ),
        click.option(
            "--filter-range",
            "between",
            metavar="START:END",
            help="Only the cases from START, counted from 0, to before END.",
        ),
        click.option(
            "-n",
            "--first",
            "--filter-first-n",
            "first",
            type=least,
            metavar="N",
            help="Only the first N.",
        ),
        click.option("--filter-sample", "sample", type=least, metavar="N", help="N cases at random."),
        click.option(
            "--seed",
            "--filter-sample-seed",
            "seed",
            type=int,
            metavar="N",
            help="Draw the same sample again.",
        ),
        click.option("--repeat", type=least, metavar="N", help="Run every case N times."),
    )


def chosen_cases(
    suite: Suite, choice: CaseChoice, store: Store, target: str | None, *, compat: bool
) -> Suite:
    """Return what is left of a suite. Raises InputError where that is nothing, unless compat."""
    from turnwise.engine.suites.grouping import pace_of
    from turnwise.engine.suites.selecting import for_target, repeated, selected, target_named

    filters = choice.filters()
    if choice.failing or choice.errors_only:
        from turnwise.engine.suites.earlier import last_outcomes

        last = last_outcomes(suite, store)
        filters = replace(filters, chosen=last.was_failure if choice.errors_only else last.was_failing)
    chosen = selected(suite, filters)
    if not chosen.cases and not compat:
        raise _nothing_left(suite, choice)
    if target is not None:
        chosen = for_target(chosen, target_named(suite, target))
    return repeated(chosen, choice.repeat or pace_of(suite).repeat)


def _key_and_text(text: str) -> tuple[str, str]:
    key, mark, value = text.partition("=")
    if not mark or not key or not value:
        raise SettingError(
            "A filter on metadata is KEY=TEXT",
            detail=f"given {text!r}",
            next_step="Write it as in --filter-metadata category=billing.",
        )
    return key, value


def _nothing_left(suite: Suite, choice: CaseChoice) -> SettingError:
    name = suite.source.name
    if not suite.cases:
        return SettingError(f"{name} holds no case", next_step="Give it tests.")
    return SettingError(
        f"The filter selects no case of {name}",
        detail=f"{choice.words()}; {len(suite.cases):,} without it",
        next_step="Correct the filter: capitals count, and the text must stand in the value."
        if choice.metadata
        else "Correct the filter, or leave it out.",
    )
