"""Checks on what was done for an answer: which tools were used, how, in which order and how many steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_json, as_text, same
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, yes_or_no
from turnwise.engine.checks.traces import KINDS, Step, bounds, in_words, matching, reported, steps_of, within

_MODES = ("in_order", "exact")


def tool_used(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether these tools were used: every one that is named, or one so and so often. Negated: none was."""
    tools = tools_of(answer)
    return _used(check, [step.names for step in tools], noun="tool", told=told_of(tools))


def skill_used(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether these skills were used, as the target reports them in its metadata under skillCalls."""
    calls = reported(answer, "skillCalls")
    if not isinstance(calls, (list, tuple)):
        raise NotFoundError(
            "It needs a target that reports the skills it uses",
            next_step="Put them under skillCalls in the case's metadata.",
        )
    return _skills_among(check, calls)


def skill_used_if_reported(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether these skills were used; a target that reports none used none, as with promptfoo."""
    calls = reported(answer, "skillCalls")
    return _skills_among(check, calls if isinstance(calls, (list, tuple)) else ())


def _skills_among(check: Check, calls: Sequence[Any]) -> Finding:
    done = [call for call in calls if isinstance(call, Mapping) and not call.get("is_error")]
    names = [(as_text(call.get("name")),) for call in done]
    return _used(check, names, noun="skill", told=", ".join(name for (name,) in names) or "none")


def tool_sequence(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether tools were used in this order, others between them or not; with mode exact, none beside."""
    value = check.value
    steps = value.get("steps") if isinstance(value, Mapping) else value
    mode = (value.get("mode") if isinstance(value, Mapping) else None) or "in_order"
    if not isinstance(steps, (list, tuple)) or not steps or mode not in _MODES:
        raise SettingError(
            f"{check.type} needs tools in order",
            next_step="Give it a list of names, or steps and a mode: in_order or exact.",
        )
    patterns = [_pattern(step, check) for step in steps]
    tools = tools_of(answer)
    if mode == "exact":
        pairs = zip(patterns, tools, strict=False)
        holds = len(patterns) == len(tools) and all(matching(one, step.names) for one, step in pairs)
    else:
        rest = iter(tools)
        # `any` goes on where the step before it stopped.
        holds = all(any(matching(one, step.names) for step in rest) for one in patterns)
    kind = "exactly " if mode == "exact" else ""
    wanted = f"come by {kind}{', '.join(patterns)}; used were {told_of(tools)}"
    return yes_or_no(check, holds, expected=wanted)


def skill_trigger(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Raise NotFoundError: whether an agent turned to a skill does not show in what it answers."""
    raise NotFoundError(f"{check.type} looks at how an agent works, which turnwise does not see")


def step_count(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether so many steps were taken: of one type, of one name, or in all."""
    value = check.value
    if not isinstance(value, Mapping) or all(value.get(name) is None for name in ("min", "max")):
        raise SettingError(f"{check.type} needs a min or a max", next_step="Give it a value with either.")
    kind, pattern = value.get("type"), value.get("pattern") or value.get("name") or "*"
    if kind is not None and kind not in KINDS:
        raise SettingError(
            f"There is no type of step {as_text(kind)}", next_step=f"Known: {', '.join(KINDS)}."
        )
    steps = [step for step in steps_of(answer) if kind in (None, step.kind)]
    count = sum(1 for step in steps if matching(as_text(pattern), step.names))
    least, most = bounds(check, value, least=0)
    wanted = (
        f"come by {in_words(least, most)} steps {'' if kind is None else f'of type {kind} '}like {pattern}"
    )
    return yes_or_no(check, within(count, least, most), expected=f"{wanted}; there are {count}")


def tools_of(answer: Answer) -> list[Step]:
    """Return the tools that were used, in order. Raises NotFoundError where nothing tells of them."""
    return [step for step in steps_of(answer) if step.kind == "tool" or step.arguments is not None]


def told_of(tools: Sequence[Step]) -> str:
    """Return the names of tools as words."""
    return ", ".join(step.name for step in tools) or "none"


def _used(check: Check, used: Sequence[Sequence[str]], *, noun: str, told: str) -> Finding:
    value = check.value
    if isinstance(value, Mapping):
        pattern = _pattern(value, check)
        least, most = bounds(check, value, least=1 if value.get("max") is None else 0)
        count = sum(1 for names in used if matching(pattern, names))
        wanted = f"come by {in_words(least, most)} uses of {pattern}; there are {count} ({told})"
        return yes_or_no(check, within(count, least, most), expected=wanted)
    listed = value if isinstance(value, (list, tuple)) else [value]
    if not listed or not all(isinstance(name, str) and name for name in listed):
        raise SettingError(f"{check.type} needs the name of a {noun}", next_step="Give it a value.")
    found = [name for name in listed if any(matching(name, names) for names in used)]
    # Of what is forbidden any one fails, as of what is wanted any one that is missing does.
    holds = bool(found) if check.negate else len(found) == len(listed)
    return yes_or_no(check, holds, expected=f"come by {', '.join(listed)}; used were {told}")


def _pattern(step: Any, check: Check) -> str:
    name = (step.get("name") or step.get("pattern")) if isinstance(step, Mapping) else step
    if not isinstance(name, str) or not name:
        raise SettingError(f"{check.type} needs a name or a pattern", next_step="Give it one.")
    return name


_ARGUMENT_MODES = ("partial", "exact")
_SHOWN = 200


def tool_args_match(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether any call of a tool has these arguments: among others, or with mode exact, no others.

    defaults: arguments that count for nothing while they have these values. ignore: names, or patterns of
    names, of arguments that count for nothing at all.
    """
    value = check.value
    if not isinstance(value, Mapping):
        raise SettingError(f"{check.type} needs a tool and its arguments", next_step="Give it name and args.")
    name = value.get("name") or value.get("pattern")
    wanted = value.get("args", value.get("arguments"))
    mode = value.get("mode") or "partial"
    if not isinstance(name, str) or wanted is None or mode not in _ARGUMENT_MODES:
        raise SettingError(
            f"{check.type} needs the name of a tool and its arguments",
            next_step="Give it name and args, and perhaps a mode: partial or exact.",
        )
    tools = tools_of(answer)
    calls = [step for step in tools if matching(name, step.names)]
    wanted = _counted(wanted, {}, value.get("ignore"))
    compare = same if mode == "exact" else _holds
    holds = any(
        compare(_counted(step.arguments, value.get("defaults"), value.get("ignore")), wanted)
        for step in calls
        if step.arguments is not None
    )
    told = "; ".join(as_json(step.arguments) for step in calls) if calls else f"used were {told_of(tools)}"
    expected = f"come by {name} with {as_json(wanted)}; {told}"
    return yes_or_no(check, holds, expected=expected[:_SHOWN])


def _counted(arguments: Any, defaults: Any, ignore: Any) -> Any:
    """Return the arguments that count."""
    if not isinstance(arguments, Mapping):
        return arguments
    usual = defaults if isinstance(defaults, Mapping) else {}
    listed = ignore if isinstance(ignore, (list, tuple)) else [ignore]
    ignored = [name for name in listed if isinstance(name, str)]
    return {
        name: argument
        for name, argument in arguments.items()
        if not any(_is_ignored(str(name), one) for one in ignored)
        and not (name in usual and same(usual[name], argument))
    }


def _is_ignored(name: str, one: str) -> bool:
    return matching(one, [name]) if "*" in one or "?" in one else name == one


def _holds(found: Any, wanted: Any) -> bool:
    """Whether a value has all that is wanted of it, at any depth; the items of a list in their order."""
    if isinstance(wanted, Mapping):
        return isinstance(found, Mapping) and all(
            name in found and _holds(found[name], inner) for name, inner in wanted.items()
        )
    if isinstance(wanted, (list, tuple)):
        if not isinstance(found, (list, tuple)):
            return False
        rest = iter(found)
        return all(any(_holds(one, inner) for one in rest) for inner in wanted)
    return same(found, wanted)
