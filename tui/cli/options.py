"""Options that several commands share, and how what was typed becomes sessions, metrics and judges."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import Patience, Store, spilled
from turnwise.tui.cli.interrupts import interrupts
from turnwise.tui.cli.output import narrate
from turnwise.tui.cli.upgrading import UpgradeWords

if TYPE_CHECKING:
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings

_NUMBERS = re.compile(r"(\d+)(?:-(\d+))?")
_F = TypeVar("_F", bound=Callable[..., Any])


class CommandGroup(click.Group):
    """A group of commands, each of which shows those of the group's examples that are its own."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Take a command in."""
        super().add_command(cmd, name)
        own = f"  turnwise {self.name} {name or cmd.name}"
        examples = [line for line in (self.epilog or "").splitlines() if f"{line} ".startswith(f"{own} ")]
        if examples and not cmd.epilog:
            cmd.epilog = "\n".join(["\b", "Examples:", *examples])


def json_option(function: _F) -> _F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")(function)


def judge_options(function: _F) -> _F:
    """Add --judge and --offline; the command takes them as `judge_name` and `offline`."""
    offline: _F = click.option(
        "--offline", is_flag=True, help="Let the judge's kept replies answer, and ask nobody anything new."
    )(function)
    judge_help = "The model that judges, or none."
    return click.option("--judge", "judge_name", metavar="JUDGE", help=judge_help)(offline)


def judge_for_option(function: _F) -> _F:
    """Add --judge-for; the command takes it as `judge_for`."""
    added: _F = click.option(
        "--judge-for",
        multiple=True,
        metavar="METRIC=JUDGE",
        help="The judge of one metric, in place of --judge. May be given several times.",
    )(function)
    return added


def gathered(function: _F, name: str, kind: type, *options: Callable[[Any], Any]) -> _F:
    """Add options that the command takes together: as an object of a dataclass whose fields they fill."""

    # What was added to the function already goes along.
    @wraps(function)
    def command(*given: Any, **typed: Any) -> Any:
        whole = kind(**{field.name: typed.pop(field.name) for field in fields(kind)})
        return function(*given, **{name: whole}, **typed)

    wrapped: Any = command
    for option in reversed(options):
        wrapped = option(wrapped)
    result: _F = wrapped
    return result


def open_store(context: click.Context, *, to_read: bool = False) -> Store:
    """Open the database that was named, and close it when the command ends.

    to_read: a file that was named and is not there is a slip, and is not made. Raises NotFoundError.
    """
    named: Path | None = context.find_root().obj
    if to_read and named is not None and not _is_there(named):
        raise NotFoundError(
            "There is no such database",
            detail=str(named),
            next_step="Check the name; `turnwise import` makes a new one.",
        )
    with UpgradeWords() as tell:
        store = Store.open(named, patience=PATIENCE, tell=tell)
    context.call_on_close(store.close)
    return store


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # What the file system cannot look for, such as a name that is too long, opening it tells.
        return True


def _tell_of_waiting() -> None:
    narrate("Another program is writing to the database: waiting for it. ctrl+c stops.")


PATIENCE = Patience(math.inf, on_wait=_tell_of_waiting, stop=lambda: interrupts.presses > 0)
"""Commands wait for other programs as long as it takes: whoever called them can stop them."""


def tell_of_spilled(store: Store) -> None:
    """Say where what a run found waits, where the database was in use to the end."""
    for path in spilled(store.path):
        narrate(
            f"The database is in use: what could not be kept in it waits in {path.name} beside it, and is "
            "kept as soon as turnwise opens the database again."
        )


def chosen_sessions(store: Store, words: Sequence[str], *, everything: bool = False) -> list[int]:
    """Return the ids of the sessions that are meant: numbers name sessions, other words are a query.

    Raises NotFoundError for a number that is no session, SettingError where nothing was chosen or found.
    """
    if everything and words:
        raise SettingError("--all goes without a query", next_step="Leave out one of the two.")
    if not everything and not words:
        raise SettingError(
            "Say which sessions",
            next_step="Give numbers (`turnwise sessions` lists them), a query, or --all.",
        )
    numbered = [_NUMBERS.fullmatch(word) for word in words]
    if words and all(numbered):
        spans = [(int(found[1]), int(found[2] or found[1])) for found in numbered if found]
        known = set(store.sessions.ids()) if any(first != last for first, last in spans) else set()
        meant: dict[int, None] = {}
        for first, last in spans:
            # A span takes what there is between its ends; a single number must be there.
            between = sorted(number for number in known if first <= number <= last)
            meant |= dict.fromkeys(between if first != last else [store.sessions.get(first).id])
        if meant:
            return list(meant)
    if any(numbered):
        raise SettingError(
            "Numbers of sessions and words of a query do not go together",
            detail=f"Given: {' '.join(words)}",
            next_step='Give only numbers, or only a query; in a query, id:12 is a session and "12" a word.',
        )
    found = store.sessions.ids(" ".join(words))
    if not found:
        empty = store.sessions.count() == 0
        raise SettingError(
            "There are no sessions yet" if empty else f"No session matches {' '.join(words)}",
            next_step="Bring some in: `turnwise import FILE`, or look around with `turnwise demo`."
            if empty
            else "`turnwise sessions` lists all there are.",
        )
    return found


def chosen_metrics(
    names: Sequence[str], criteria: Sequence[Path], store: Store | None = None
) -> list[Metric]:
    """Return the metrics that are meant by names and criteria files.

    store: where what was learned from labels is kept; without one there is no `learned:NAME`.

    Criteria are judged in the scope that their file says; where geval alone is named, on the last exchange.
    Raises NotFoundError, SettingError and FormatError.
    """
    from turnwise.engine.criteria.criteria import load_criteria
    from turnwise.engine.learning.learned_metric import is_learned, learned_version, metric_of
    from turnwise.engine.metrics.registry import make_metric, metric_class, needs_criterion

    loaded = [criterion for path in criteria for criterion in load_criteria(path)]
    metrics: list[Metric] = []
    bare: set[str] = set()
    for name in names:
        key, _, settings = name.partition(":")
        if store is not None and is_learned(name):
            metrics.append(metric_of(learned_version(store, name)))
            continue
        try:
            only_with_criterion = needs_criterion(key)
        except NotFoundError as error:
            from turnwise.tui.cli.own_criteria import pointing_to_own

            raise pointing_to_own(error, name, store) from None
        if not only_with_criterion or settings:
            metrics.append(make_metric(name))
        elif not loaded:
            raise SettingError(
                f"{key} judges by a criterion, and none was given",
                next_step=f"Add --criteria FILE, or write it: --metric '{key}:The assistant stays polite.'",
            )
        else:
            bare.add(metric_class(key).key)
    if bare == {"geval"}:
        loaded = [criterion.model_copy(update={"scope": "exchange"}) for criterion in loaded]
    metrics += [criterion.metric() for criterion in loaded]
    # The same metric named twice is one.
    metrics = list({metric.fingerprint: metric for metric in metrics}.values())
    if not metrics:
        raise SettingError(
            "Say what to judge by",
            next_step="Give --metric NAME (`turnwise metrics` lists them) or --criteria FILE.",
        )
    return metrics


def judge_or_usual(named: str | None, *, offline: bool = False) -> str | None:
    """Return the judge that was named, else the usual one; None for what is found. Raises SettingError.

    offline: its kept replies are meant, and not the judge itself.
    """
    from turnwise.engine.judge.usual_judge import usual_judge
    from turnwise.tui.settings.settings import load_settings

    judge = named if named is not None else usual_judge(load_settings(), os.environ)[0]
    if not offline or (judge or "").strip().lower() == "none" or (judge or "").startswith("offline:"):
        return judge
    return f"offline:{judge or ''}"


def named_judge(settings: ModelSettings) -> str:
    """Name a judge in the line that tells of a run."""
    return f"{settings.model}, by its kept replies alone" if settings.is_offline else settings.model
