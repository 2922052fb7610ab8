"""Selecting: which cases of a suite are meant, how often, and one target for all of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.patterns import SECONDS, PatternTimeError, WrittenPattern
from turnwise.conversations.suites import Suite, SuiteCase, TargetSpec
from turnwise.conversations.templates import string_of
from turnwise.conversations.words import nearest

_ALMOST = 0.75
"""How much two names of targets share at least, from 0 to 1, to be taken for a slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which cases of a suite are meant; by default all of them.

    metadata: keys, each with a text that must stand in the value, or in one item where that is a list;
    capitals count. chosen: says whether a case is meant, as by how it came out before. pattern: what its
    description must hold. between: the first place and the one after the last, among what is left then;
    None is from the start, or to the end. first: how many from the start. sample: how many at random, by
    `seed`, in the file's order.
    Places count tests, each with all its prompts, targets and repetitions.
    """

    metadata: Sequence[tuple[str, str]] = ()
    chosen: Callable[[SuiteCase], bool] | None = None
    pattern: WrittenPattern | None = None
    between: tuple[int | None, int | None] | None = None
    first: int | None = None
    sample: int | None = None
    seed: int | None = None


def selected(suite: Suite, filters: Filters) -> Suite:
    """Return the suite with only the cases that are meant: filters apply in the order of their fields."""
    cases: Iterable[SuiteCase] = suite.cases
    if filters.metadata:
        cases = [case for case in cases if all(_matches(case, *wanted) for wanted in filters.metadata)]
    if filters.chosen is not None:
        cases = filter(filters.chosen, cases)
    if filters.pattern is not None:
        pattern = filters.pattern
        try:
            cases = [case for case in cases if pattern.search(case.description)]
        except PatternTimeError as error:
            raise SettingError(
                f"The pattern takes longer than {SECONDS:g} seconds",
                detail=pattern.pattern,
                next_step="Simplify --filter-pattern: avoid a repeat inside a repeat, as in (a+)+.",
            ) from error
    cases = tuple(cases)
    places = list(dict.fromkeys(case.index for case in cases))
    if filters.between is not None:
        places = places[slice(*filters.between)]
    if filters.first is not None:
        places = places[: filters.first]
    if filters.sample is not None:
        # Chance picks tests, and guards no secret.
        chance = random.Random(filters.seed)
        places = sorted(chance.sample(places, min(filters.sample, len(places))))
    kept = set(places)
    return replace(suite, cases=tuple(case for case in cases if case.index in kept))


def range_of(text: str) -> tuple[int | None, int | None]:
    """Return the places that `a:b` means: from a, counted from 0, up to b, which is left out.

    Raises SettingError for anything else.
    """
    match = re.fullmatch(r"(\d*):(\d*)", text.strip())
    start, end = (int(part) if part else None for part in match.groups()) if match else (None, None)
    if match is None or (start is not None and end is not None and start > end):
        raise SettingError(
            "A range of tests is START:END",
            detail=f"given {text!r}",
            next_step="Write it as in --filter-range 10:20; the first is 0, and the last is left out.",
        )
    return start, end


def pattern_of(text: str) -> WrittenPattern:
    """Return the expression that descriptions are searched by. Raises SettingError where it is none."""
    try:
        return WrittenPattern(text)
    except re.error as error:
        raise SettingError(
            "That is no regular expression", detail=f"{text}: {error}", next_step="Correct --filter-pattern."
        ) from None


def repeated(suite: Suite, times: int) -> Suite:
    """Return the suite with every case so many times, one after the other, each under a number of its own.

    `SuiteCase.repeat` numbers the repetitions of a case from 0.
    """
    if times <= 1:
        return suite
    by_test: dict[int, list[SuiteCase]] = {}
    for case in suite.cases:
        by_test.setdefault(case.index, []).append(case)
    cases = tuple(
        replace(case, index=case.index * times + again, repeat=again)
        for test in by_test.values()
        for again in range(times)
        for case in test
    )
    return replace(suite, cases=cases)


def target_named(suite: Suite, name: str) -> TargetSpec:
    """Return the target of a name: as the file of targets beside the suite defines it, else by itself.

    Raises SettingError where the name is almost one that the file defines, and no address or PROVIDER:MODEL.
    """
    known = suite.known_targets
    if name in known or not known or re.search(r"[:/.]", name):
        return known.get(name) or TargetSpec(id=name)
    if (likely := nearest(name, known, alike=_ALMOST)) is not None:
        raise SettingError(
            f"{known[likely].defined_in} defines no target {name}",
            next_step=f"Did you mean {likely}? Write openai:{name} for a model of that name.",
        )
    return TargetSpec(id=name)


def for_target(suite: Suite, target: TargetSpec) -> Suite:
    """Return the suite with one target in place of its own; a test is then run once for each prompt.

    A target of the file's own that has its name keeps its settings.
    """
    prompts = suite.settings.get("prompts") or ()
    used = next((own for own in suite.targets if own.id == target.id), target)
    cases: dict[tuple[int, int], SuiteCase] = {}
    for case in suite.cases:
        known = case.prompt_index < len(prompts)
        number = prompts[case.prompt_index]["number"] if known else case.prompt_index
        cases.setdefault((case.index, number), replace(case, target=used))
    return replace(suite, targets=(used,), cases=tuple(cases.values()))


def _matches(case: SuiteCase, key: str, text: str) -> bool:
    if key not in case.metadata:
        return False
    value: Any = case.metadata[key]
    return any(text in string_of(item) for item in (value if isinstance(value, list) else [value]))
