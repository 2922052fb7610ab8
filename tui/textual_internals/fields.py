"""Fields answer the keys that edit them in the order in which they come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from textual import events
from textual.widget import Widget

_Hear = Callable[[Any, events.Key], Awaitable[None]]
_Field = TypeVar("_Field", bound=type[Widget])
_HEAR = "_on_key"


def answers_in_turn(kind: _Field) -> _Field:
    """Let fields of a class, Textual's or made of that, do what their own keys do where they hear of them.

    Letters are typed there. Textual lets the app do the rest: a backspace is on its way to it while letters
    that came with it are typed, and takes away one of these. No issue was found.
    """
    base = next(one for one in kind.__mro__ if _HEAR in one.__dict__)
    usual: _Hear = base.__dict__[_HEAR]
    if usual.__module__ != __name__:
        setattr(base, _HEAR, _in_turn(usual))
    return kind


def _in_turn(usual: _Hear) -> _Hear:
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
