"""Checks on the calls of tools: whether they are valid, and whether those expected were made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_json, item_text, same, strict_json
from turnwise.conversations.texts import trimmed
from turnwise.engine.checks.answer import Answer, ToolUse
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, nothing_told, scored, unmeasured, yes_or_no
from turnwise.engine.checks.json_checks import json_on_lines, read_schema

_ARGUMENTS = ("arguments", "args", "input")
_NAMED_KINDS = ("tool_use", "function_call")


def tool_call_f1(check: Check, answer: Answer, asker: Asker) -> Finding:
    """F1 of the tool names called against the names expected. Threshold 1; a negated score stays as it is."""
    value = check.value.split(",") if isinstance(check.value, str) else check.value
    if not isinstance(value, (list, tuple)):
        raise SettingError("tool-call-f1 needs the names of tools", next_step="Give it a list of names.")
    expected = {trimmed(item_text(name)) for name in value} - {""}
    if not expected:
        raise SettingError(
            "tool-call-f1 needs at least one name of a tool", next_step="Give it a list of names."
        )
    called = set(tool_names(answer.output))
    shared, total = len(expected & called), len(expected) + len(called)
    score = 2 * shared / total
    threshold = 1.0 if check.threshold is None else check.threshold
    reason = (
        f"F1 {score:.3f}, threshold {threshold:g}; expected {', '.join(sorted(expected))};"
        f" called {', '.join(sorted(called)) or 'none'}"
    )
    return Finding(passed=(score >= threshold) != check.negate, score=score, reason=reason)


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a tool. arguments: as data where they are JSON; None where there are none."""

    name: str
    arguments: Any = None


def tool_names(output: Any) -> Iterator[str]:
    """Yield the names of the tools that an output calls, in the forms of OpenAI, Anthropic and Google."""
    yield from (call.name for call in calls_of(output))
    calls = output.get("tool_calls") if isinstance(output, Mapping) else None
    # A call that has a name beside its function's counts as two.
    for call in calls if isinstance(calls, (list, tuple)) else ():
        if isinstance(call, Mapping) and isinstance(call.get("name"), str):
            yield call["name"]


def calls_of(output: Any) -> Iterator[Called]:
    """Yield the calls of tools that an output holds, in the forms of OpenAI, Anthropic and Google."""
    if isinstance(output, str):
        try:
            yield from calls_of(_data(strict_json(output)))
        except ValueError:
            for found in json_on_lines(output):
                yield from calls_of(found)
    elif isinstance(output, (list, tuple)):
        for item in output:
            yield from _call(item)
    elif isinstance(output, Mapping):
        if isinstance(output.get("tool_calls"), (list, tuple)):
            for item in output["tool_calls"]:
                yield from _call(item)
        elif isinstance(output.get("toolCall"), Mapping):
            for item in output["toolCall"].get("functionCalls") or ():
                yield from _call(item)
        elif output.get("type") in _NAMED_KINDS or "functionCall" in output:
            yield from _call(output)


def read_arguments(given: Any) -> Any:
    """Return the arguments of a call as data where they are written as JSON, else as they are."""
    if not isinstance(given, str):
        return given
    try:
        return strict_json(given)
    except ValueError:
        return given


def _data(value: Any) -> Any:
    # A JSON text in quotation marks is a text, and holds no calls.
    return None if isinstance(value, str) else value


def _call(call: Any) -> Iterator[Called]:
    if isinstance(call, Mapping):
        for holder in (call.get("functionCall"), call.get("function"), call):
            if isinstance(holder, Mapping) and isinstance(holder.get("name"), str):
                given = (holder[name] for name in _ARGUMENTS if holder.get(name) is not None)
                yield Called(holder["name"], read_arguments(next(given, None)))
                return


def is_valid_tools_call(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether each tool call of the output names a tool that was given, with fitting arguments."""
    output = answer.output
    calls = output.get("tool_calls") if isinstance(output, Mapping) else output
    functions = (
        [call.get("function") if isinstance(call, Mapping) else None for call in calls or ()]
        if (isinstance(calls, (list, tuple)))
        else []
    )
    return _all_fit(check, answer, functions)


def is_valid_function_call(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is a call of a function that was given, with arguments that fit its schema."""
    output = answer.output
    if isinstance(output, Mapping) and isinstance(output.get("function_call"), Mapping):
        output = output["function_call"]
    return _all_fit(check, answer, [output])


def _all_fit(check: Check, answer: Answer, calls: list[Any]) -> Finding:
    if answer.tools is None:
        # Without tools there is nothing a call could fit, nor a call that could be wrong.
        return Finding(passed=False, score=0.0, reason="The target was given no tools that a call could fit")
    faults = [_fault(call, answer.tools) for call in calls] or ["there is no tool call in the output"]
    fault = next((fault for fault in faults if fault), "")
    return yes_or_no(check, not fault, expected=f"be a valid call{': ' + fault if fault else ''}")


def _fault(call: Any, tools: tuple[Mapping[str, Any], ...]) -> str:
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
        return "it does not look like a call"
    known = [tool["function"] if isinstance(tool.get("function"), Mapping) else tool for tool in tools]
    tool = next((tool for tool in known if tool.get("name") == call["name"]), None)
    if tool is None:
        return f"there is no tool {call['name']}"
    arguments = call.get("arguments")
    try:
        given = strict_json(arguments) if isinstance(arguments, str) else arguments or {}
    except ValueError:
        return f"the arguments of {call['name']} are no JSON"
    schema = tool.get("parameters")
    if not schema:
        return f"{call['name']} takes no arguments, and got {as_json(given)[:100]}" if given else ""
    return read_schema(schema).fault(given)


_SEED_NAME = "tool_trajectory"
_ABSENT = object()
_UNKNOWN = "The target does not tell which tools it called"


def tool_trajectory(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the expected calls that were made as expected.

    config.mode: any_order (at least `minimums` calls of each tool), in_order (`expected`, others between
    them allowed), exact (`expected`, place by place), superset (`expected` in any order), subset (nothing but
    `expected`). An extra call in mode exact is told as a miss and costs nothing, as in AgentV.
    """
    counts = answer.calls_by_tool
    if counts is None:
        raise unmeasured(_UNKNOWN)
    return _trajectory(check, answer, counts)


def tool_trajectory_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of the expected calls; a target that tells of no tools has called none as expected."""
    if answer.effort is None and not answer.tools_used:
        return nothing_told(_UNKNOWN)
    return _trajectory(check, answer, answer.calls_by_tool or {})


def _trajectory(check: Check, answer: Answer, counts: Mapping[str, int]) -> Finding:
    mode: Any = check.config.get("mode")
    if mode == "any_order":
        return _any_order(check.config.get("minimums") or {}, counts)
    if mode not in _MODES:
        raise SettingError(
            f"{check.type} has no mode {mode}", next_step=f"Write one of {', '.join(('any_order', *_MODES))}."
        )
    expected = [_expected(item, check) for item in check.config.get("expected") or ()]
    return _MODES[mode](expected, answer.tools_used or ())


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


def _any_order(minimums: Mapping[str, float], counts: Mapping[str, int]) -> Finding:
    if not minimums:
        return scored(1.0, hits=("No tool is asked for",))
    hits: list[str] = []
    misses: list[str] = []
    for tool, least in minimums.items():
        called = counts.get(tool, 0)
        told = f"{tool} called {called} times, at least {least:g} wanted"
        (hits if called >= least else misses).append(told)
    return scored(len(hits) / len(minimums), hits, misses)


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

    def finding(self) -> Finding:
        return scored(self.met / self.wanted if self.wanted else 1.0, self.hits, self.misses)


def _in_order(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Finding:
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
    return tally.finding()


def _exact(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Finding:
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
    return tally.finding()


def _superset(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Finding:
    tally = _Tally(len(expected))
    left = list(uses)
    for wanted in expected:
        use = next((use for use in left if wanted.fits(use)), None)
        if use is None:
            tally.misses.append(f"{wanted.tool} was not called")
        else:
            left = [other for other in left if other is not use]
            tally.hit(f"{wanted.tool} called")
    return tally.finding()


def _subset(expected: Sequence[_Expected], uses: Sequence[ToolUse]) -> Finding:
    tally = _Tally(len(uses))
    for number, use in enumerate(uses, start=1):
        if any(wanted.fits(use) for wanted in expected):
            tally.hit(f"call {number}, {use.name}, is allowed")
        else:
            tally.misses.append(f"call {number}, {use.name}, is not allowed")
    return tally.finding()


_MODES: Mapping[str, Callable[[Sequence[_Expected], Sequence[ToolUse]], Finding]] = {
    "in_order": _in_order,
    "exact": _exact,
    "superset": _superset,
    "subset": _subset,
}
