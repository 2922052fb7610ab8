"""trajectory:tool-args-match: whether a tool was called with the arguments that it should get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.trajectory import told_of, tools_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.traces import matching
from turnwise.engine.suites.values import as_json, same

_MODES = ("partial", "exact")
_SHOWN = 200


def tool_args_match(check: Check, answer: Answer) -> CheckResult:
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
    if not isinstance(name, str) or wanted is None or mode not in _MODES:
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
