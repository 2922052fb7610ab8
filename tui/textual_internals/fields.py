"""Fields answer the keys that edit them in the order in which they come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.widget import Widget
from textual.widgets import Input, TextArea

Hear = Callable[[Any, events.Key], Awaitable[None]]


def make_fields_answer_in_turn() -> None:
    """Let a field do what its own keys do where it hears of them, as it types letters.

    Textual lets the app do so. A backspace is on its way there while letters that came with it are typed, and
    takes away one of these. No issue was found.
    """
    for kind in (Input, TextArea):
        usual: Hear = kind.__dict__["_on_key"]
        if usual.__module__ != __name__:
            kind._on_key = _in_turn(usual)  # type: ignore[assignment, method-assign]


def _in_turn(usual: Hear) -> Hear:
    async def _on_key(field: Widget, event: events.Key) -> None:
        if event.is_printable or not await _does(field, event.key):
            await usual(field, event)
            return
        event.stop()
        event.prevent_default()

    return _on_key


async def _does(field: Widget, key: str) -> bool:
    """Do what a key is bound to in a field itself; return whether it is, and means something there now."""
    for binding in field._bindings.key_to_bindings.get(key, ()):
        if not binding.priority and await field.app.run_action(binding.action, field):
            return True
    return False
