"""tool_trajectory: whether the chatbot called the tools that it should, how often and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import Grade, graded, unmeasured
from turnwise.engine.suites.agentv.submission import Submission, ToolUse
from turnwise.engine.suites.values import same

_SEED_NAME = "tool_trajectory"
_ABSENT = object()
_UNKNOWN = "The target does not tell which tools it called"


def tool_trajectory(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """The share of the expected calls that were made as expected.

    config.mode: any_order (at least `minimums` calls of each tool), in_order (`expected`, others between
    them allowed), exact (`expected`, place by place), superset (`expected` in any order), subset (nothing but
    `expected`). An extra call in mode exact is told as a miss and costs nothing, as in AgentV.
    """
    counts = submission.calls_by_tool
    if counts is None:
        if not compat or submission.trace is None:
            return unmeasured(_UNKNOWN, compat=compat)
        counts = {}
    elif compat and not submission.tools and submission.trace is None:
        return unmeasured(_UNKNOWN, compat=True)
    mode: Any = check.config.get("mode")
    if mode == "any_order":
        return _any_order(check.config.get("minimums") or {}, counts)
    if mode not in _MODES:
        raise SettingError(
            f"{check.type} has no mode {mode}", next_step=f"Write one of {', '.join(('any_order', *_MODES))}."
        )
    expected = [_expected(item, check) for item in check.config.get("expected") or ()]
    return _MODES[mode](expected, submission.tools or ())


@dataclass(frozen=True, slots=True)
class _Expected:
    """One expected call. arguments: None where any will do. longest: milliseconds it may take."""

    tool: str
    arguments: Mapping[str, Any] | None
    match: str | Sequence[str]
    longest: float | None

    def fits(self, use: ToolUse) -> bool:
        return use.name == self.tool and self.arguments_fit(use.arguments)

    def arguments_fit(self, given: Mapping[str, Any] | None) -> bool:
        wanted = self.arguments
        if wanted is None or self.match == "ignore":
            return True
        if given is None:
            return False
        if not isinstance(self.match, str):
            held = [field for field in self.match if _nested(wanted, field) is not _ABSENT]
            return all(same(_nested(wanted, field), _nested(given, field)) for field in held)
        if self.match == "superset":
            return all(key in given and same(value, given[key]) for key, value in wanted.items())
        if self.match == "subset":
            return all(key in wanted and same(value, wanted[key]) for key, value in given.items())
        return same(wanted, given)


def _expected(item: Any, check: Check) -> _Expected:
    if not isinstance(item, Mapping) or not isinstance(item.get("tool"), str):
        raise SettingError(
            f"{check.type} expects calls of tools by name", next_step="Write each as {tool: name}."
        )
    given = item.get("args")
    if given is not None and given != "any" and not isinstance(given, Mapping):
        raise SettingError(f"{check.type}: args are a mapping, or any", next_step="Leave them out for any.")
    # The older form, whose name has an underscore, compares only the arguments that are named.
    usual = "superset" if check.type == _SEED_NAME else "exact"
    match = (
        _either(item, "args_match", "argsMatch") or _either(check.config, "args_match", "argsMatch") or usual
    )
    longest = _either(item, "max_duration_ms", "maxDurationMs")
    return _Expected(item["tool"], None if given == "any" else given, match, longest)


def _either(holder: Mapping[str, Any], *names: str) -> Any:
    return next((holder[name] for name in names if holder.get(name) is not None), None)


def _nested(holder: Any, path: str) -> Any:
    for part in path.split("."):
        if not isinstance(holder, Mapping) or part not in holder:
            return _ABSENT
        holder = holder[part]
    return holder


def _any_order(minimums: Mapping[str, float], counts: Mapping[str, int]) -> Grade:
    if not minimums:
        return graded(1.0, hits=("No tool is asked for",))
    hits: list[str] = []
    misses: list[str] = []
    for tool, least in minimums.items():
        called = counts.get(tool, 0)
        told = f"{tool} called {called} times, at least {least:g} wanted"
        (hits if called >= least else misses).append(told)
    return graded(len(hits) / len(minimums), hits, misses)


@dataclass(slots=True)
class _Tally:
    """What was met so far, and of how much."""

    wanted: int
    met: int = 0
    hits: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def hit(self, told: str) -> None:
        self.met += 1
        self.hits.append(told)

    def time(self, expected: _Expected, use: ToolUse | None) -> None:
        """Count how long a call took, where that is limited; a time that nobody measured counts nothing."""
        if expected.longest is None or (use is not None and use.milliseconds is None):
            return
        self.wanted += 1
        if use is None or use.milliseconds is None:
            return
        told = f"{use.name} took {use.milliseconds:g} ms, at most {expected.longest:g} wanted"
        if use.milliseconds <= expected.longest:
            self.hit(told)
        else:
            self.misses.append(told)

    def grade(self) -> Grade:
        return graded(self.met / self.wanted if self.wanted else 1.0, self.hits, self.misses)


def _in_order(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Grade:
    tally = _Tally(len(expected))
    place = 0
    for wanted in expected:
        while place < len(uses) and uses[place].name != wanted.tool:
            place += 1
        use = uses[place] if place < len(uses) else None
        # A call with other arguments is used up, and what is expected next is looked for after it.
        place += 1
        fits = use is not None and wanted.arguments_fit(use.arguments)
        if use is None:
            tally.misses.append(f"{wanted.tool} was not called in its turn")
        elif fits:
            tally.hit(f"{wanted.tool} called in its turn")
        else:
            tally.misses.append(f"{wanted.tool} was called with other arguments")
        tally.time(wanted, use if fits else None)
    return tally.grade()


def _exact(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Grade:
    tally = _Tally(len(expected))
    if expected and len(uses) != len(expected):
        tally.misses.append(f"{len(uses)} calls, {len(expected)} wanted")
    for number, wanted in enumerate(expected, start=1):
        use = uses[number - 1] if number <= len(uses) else None
        fits = use is not None and wanted.fits(use)
        if fits:
            tally.hit(f"call {number} is {wanted.tool}")
        elif use is None:
            tally.misses.append(f"call {number} is missing: {wanted.tool}")
        else:
            other = "has other arguments" if use.name == wanted.tool else f"is {use.name}, not {wanted.tool}"
            tally.misses.append(f"call {number} {other}")
        tally.time(wanted, use if fits else None)
    return tally.grade()


def _superset(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Grade:
    tally = _Tally(len(expected))
    left = list(uses)
    for wanted in expected:
        use = next((use for use in left if wanted.fits(use)), None)
        if use is None:
            tally.misses.append(f"{wanted.tool} was not called")
        else:
            left = [other for other in left if other is not use]
            tally.hit(f"{wanted.tool} called")
    return tally.grade()


def _subset(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Grade:
    tally = _Tally(len(uses))
    for number, use in enumerate(uses, start=1):
        if any(wanted.fits(use) for wanted in expected):
            tally.hit(f"call {number}, {use.name}, is allowed")
        else:
            tally.misses.append(f"call {number}, {use.name}, is not allowed")
    return tally.grade()


_MODES: Mapping[str, Callable[[Sequence[_Expected], Sequence[ToolUse]], Grade]] = {
    "in_order": _in_order,
    "exact": _exact,
    "superset": _superset,
    "subset": _subset,
}
