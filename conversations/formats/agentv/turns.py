"""Cases in which the chatbot answers turn by turn: mode: conversation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.formats.agentv.contents import text_of
from turnwise.conversations.formats.agentv.evaluators import read_evaluators
from turnwise.conversations.formats.agentv.reading import Reading
from turnwise.conversations.formats.promptfoo.folders import problem
from turnwise.conversations.formats.promptfoo.reading import kind_of

_CHOICES = {"aggregation": ("mean", "min", "max"), "on_turn_failure": ("continue", "stop")}


def conversation_of(fields: Mapping[str, Any], reading: Reading, place: str) -> dict[str, Any]:
    """Return the mode, the turns and how their scores come together; nothing for a case of one answer.

    Each turn has its input as it is sent, its expected_output as written, and its assertions as checks.
    Raises FormatError where a turn cannot be sent.
    """
    mode = fields.get("mode")
    if mode not in (None, "conversation"):
        reading.leave_out(f"{place}, mode", f"expected conversation; got {kind_of(mode)}")
    if mode != "conversation":
        return {}
    turns = fields.get("turns")
    if not isinstance(turns, list) or not turns:
        raise problem(f"{place}, turns", f"expected a list of turns; got {kind_of(turns)}", "")
    found: dict[str, Any] = {
        "mode": mode,
        "turns": tuple(
            _turn(turn, reading, f"{place}, turns[{number}]") for number, turn in enumerate(turns)
        ),
    }
    for name, allowed in _CHOICES.items():
        value = fields.get(name)
        if value is not None and value not in allowed:
            got = kind_of(value)
            reading.leave_out(f"{place}, {name}", f"expected one of {', '.join(allowed)}; got {got}")
        found[name] = value if value in allowed else allowed[0]
    size = fields.get("window_size")
    if isinstance(size, int) and not isinstance(size, bool) and size >= 1:
        found["window_size"] = size
    elif size is not None:
        reading.leave_out(f"{place}, window_size", f"expected a whole number from 1 up; got {kind_of(size)}")
    return found


def _turn(turn: Any, reading: Reading, place: str) -> dict[str, Any]:
    if not isinstance(turn, dict):
        raise problem(place, f"expected an object with an input; got {kind_of(turn)}", "")
    content = turn.get("input")
    if not isinstance(content, str | dict | list) or not content:
        raise problem(f"{place}, input", f"expected text, an object or parts; got {kind_of(content)}", "")
    found: dict[str, Any] = {"input": text_of(content, reading, place)}
    if turn.get("expected_output") is not None:
        found["expected_output"] = turn["expected_output"]
    found["assertions"] = read_evaluators(turn.get("assertions"), reading, f"{place}, assertions")
    return found
