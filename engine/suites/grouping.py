"""Grouping: which cases of a suite wait for one another, which are kept as one conversation, and the pace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.engine.suites.comparing import COMPARISONS
from turnwise.engine.suites.rules import STRICT, SuiteRules

HISTORY = "_conversation"
"""The variable in which a prompt finds what was said before."""


@dataclass(frozen=True, slots=True)
class Group:
    """Cases that are done together, by their positions in the suite.

    is_talk: they are the turns of one conversation, one after the other; otherwise they are the answers to
    one test, and are compared where there are several.
    """

    positions: tuple[int, ...]
    is_talk: bool = False


Chain = tuple[Group, ...]
"""Groups of which each waits for the one before it."""


@dataclass(frozen=True, slots=True)
class Order:
    """In which order a suite runs: the first chain alone, then the others side by side."""

    alone: Chain
    rest: tuple[Chain, ...]

    @property
    def groups(self) -> Iterator[Group]:
        """All groups, chain by chain."""
        for chain in (self.alone, *self.rest):
            yield from chain

    @property
    def widest(self) -> int:
        """How many chains may run at once."""
        return max(1, len(self.rest))


def ordered(suite: Suite, rules: SuiteRules = STRICT) -> Order:
    """Return the order in which the cases of a suite run.

    Cases that see what was said before (`_conversation`) wait for those of the same conversation, prompt,
    target and repetition; where an output is stored for later cases (`storeOutputAs`), each waits for those
    before it of the same prompt and target; those with `runSerially` come first, one at a time.
    As promptfoo does it, a conversation goes on through repetitions, and stored outputs are shared by all
    prompts and targets.
    """
    groups = list(_groups(suite, rules))
    first = [suite.cases[group.positions[0]] for group in groups]
    serial = tuple(
        group for group, case in zip(groups, first, strict=True) if case.options.get("runSerially") is True
    )
    rest = [
        (group, case)
        for group, case in zip(groups, first, strict=True)
        if case.options.get("runSerially") is not True
    ]
    if not any(case.options.get("storeOutputAs") for case in suite.cases):
        return Order(serial, tuple((group,) for group, _ in rest))
    shared = rules.as_the_tool or any(len(group.positions) > 1 and not group.is_talk for group in groups)
    chains: dict[tuple[int, str, int], list[Group]] = {}
    for group, case in rest:
        chains.setdefault((0, "", 0) if shared else column_of(case), []).append(group)
    return Order(serial, tuple(map(tuple, chains.values())))


def column_of(case: SuiteCase) -> tuple[int, str, int]:
    """Return what tells the answers to one test apart: the prompt, the target, and which repetition it is."""
    return (case.prompt_index, case.target.name if case.target else "", case.repeat)


def sees_history(suite: Suite, case: SuiteCase) -> bool:
    """Whether a case is a turn of a conversation, and is shown what was said before it."""
    return HISTORY in raw_prompt(suite, case) and case.options.get("disableConversationVar") is not True


def raw_prompt(suite: Suite, case: SuiteCase) -> str:
    """Return the prompt of a case before its variables were put in; empty where it is not known."""
    prompts = suite.settings.get("prompts") or ()
    raw = prompts[case.prompt_index]["raw"] if case.prompt_index < len(prompts) else ""
    return f"{case.options.get('prefix') or ''}{raw}{case.options.get('suffix') or ''}"


def is_made_by_code(suite: Suite, case: SuiteCase) -> bool:
    """Whether the prompt of a case came from a script, so that there is no text to put variables into."""
    prompts = suite.settings.get("prompts") or ()
    return case.prompt_index < len(prompts) and bool(prompts[case.prompt_index].get("made_by_code"))


def _groups(suite: Suite, rules: SuiteRules) -> Iterator[Group]:
    """Yield the groups in the order of their first cases."""
    members: dict[object, list[int]] = {}
    for position, case in enumerate(suite.cases):
        key: object = position
        if HISTORY in raw_prompt(suite, case):
            _, target, repeat = column_of(case)
            talk = str(case.metadata.get("conversationId"))
            key = ("talk", case.prompt_index, target, talk, 0 if rules.as_the_tool else repeat)
        elif any(check.type in COMPARISONS for check in case.checks):
            key = ("compared", case.index)
        members.setdefault(key, []).append(position)
    for key, positions in members.items():
        yield Group(tuple(positions), is_talk=isinstance(key, tuple) and key[0] == "talk")


_SECTIONS = ("evaluateOptions", "commandLineOptions")
_MOST_REPEATS = 1000


@dataclass(frozen=True, slots=True)
class Pace:
    """How a suite is gone through.

    repeat: how often every case is asked. at_once: the most at a time; None is as many as the target takes.
    delay: seconds between two cases, which are then asked one at a time.
    """

    repeat: int = 1
    at_once: int | None = None
    delay: float = 0.0


def pace_of(suite: Suite) -> Pace:
    """Return the pace that a file asks for; what is no number, or makes no sense, counts as not said."""
    repeat, at_once = _number(suite, "repeat"), _number(suite, "maxConcurrency")
    delay = _number(suite, "delay")
    return Pace(
        repeat=min(int(repeat), _MOST_REPEATS) if repeat is not None and repeat >= 1 else 1,
        at_once=int(at_once) if at_once is not None and at_once >= 1 else None,
        # Files give it in milliseconds.
        delay=delay / 1000 if delay is not None and delay > 0 else 0.0,
    )


def _number(suite: Suite, name: str) -> float | None:
    found: float | None = None
    for section in _SECTIONS:
        options = suite.settings.get(section)
        given = options.get(name) if isinstance(options, dict) else None
        if isinstance(given, int | float) and not isinstance(given, bool):
            found = given
    return found
