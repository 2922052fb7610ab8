"""What filling one template may cost: values handled, bytes of text made, and seconds.

What templates call spends from the budget of the template that is being filled: before it makes a list or a
text, or looks through one. Where no template is being filled, nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from sys import getsizeof
from time import thread_time
from typing import Any

LONGEST_TEXT = 20_000_000
"""Characters that one template may make; more is a mistake, or made to fill the memory."""
MOST_VALUES = 1_000_000
"""Turns of loops, calls, and items of lists and objects that one template may go through, all together."""
_MOST_BYTES = 250_000_000
"""Bytes of all texts that one template may make on its way."""
_SECONDS = 4.0
"""Seconds of the processor, so that a busy machine does not make a template fail."""
_LONG = 10_000
"""Characters from which on a text is looked through long enough to ask for the time."""


class _Budget:
    """What is left to one template."""

    def __init__(self) -> None:
        self.values = MOST_VALUES
        self.bytes = _MOST_BYTES
        self.ends = thread_time() + _SECONDS


_CURRENT: ContextVar[_Budget | None] = ContextVar("_CURRENT", default=None)


@contextmanager
def budgeted() -> Iterator[None]:
    """Give what is done inside a budget of its own."""
    before = _CURRENT.set(_Budget())
    try:
        yield
    finally:
        _CURRENT.reset(before)


def spend_values(count: int = 1) -> None:
    """Go through so many values. Raises ValueError where they, or the time, are spent."""
    budget = _CURRENT.get()
    if budget is None:
        return
    budget.values -= count
    if budget.values < 0:
        raise ValueError("it takes more than a million turns of loops, calls and values")
    if thread_time() > budget.ends:
        raise ValueError(f"it takes longer than {_SECONDS:g} seconds")


def spend_reading(*values: Any) -> None:
    """Look through values. Raises ValueError where the time is spent."""
    budget = _CURRENT.get()
    if budget is None:
        return
    long = any(isinstance(value, str | list | tuple) and len(value) > _LONG for value in values)
    if long and thread_time() > budget.ends:
        raise ValueError(f"it takes longer than {_SECONDS:g} seconds")


def check_length(length: int) -> None:
    """Raise ValueError where a text of so many characters, which is about to be made, is too long."""
    if length > LONGEST_TEXT and _CURRENT.get() is not None:
        raise ValueError("the template makes more than 20 million characters")


def made(text: str) -> str:
    """Return a text that was made. Raises ValueError where it, or all of them together, are too long."""
    budget = _CURRENT.get()
    if budget is not None:
        check_length(len(text))
        spend_bytes(getsizeof(text))
    return text


def spend_bytes(count: int) -> None:
    """Make so many bytes of text. Raises ValueError where those of all texts are spent."""
    budget = _CURRENT.get()
    if budget is None:
        return
    budget.bytes -= count
    if budget.bytes < 0:
        raise ValueError("the texts that it makes on its way are longer than 250 million bytes")
