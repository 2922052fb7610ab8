"""Held back: the test split is to be looked at once, so commands ask before they show figures of it."""

from __future__ import annotations

import sys

from turnwise.conversations.store import Store
from turnwise.tui.cli.asking import ask_first, go_on_or_end
from turnwise.tui.cli.output import narrate
from turnwise.tui.criteria.criterion_words import uses_words

_ONCE = "The test split is to be looked at once, at the end"
_QUESTION = "Use it now?"


def ask_before_spending(store: Store) -> None:
    """Ask whether the test split may be judged now; without a terminal refuse: SettingError."""
    ask_first(_ONCE, _QUESTION, detail=f"It was {_used(store)}.", next_step="Add --yes if that is now.")


def ask_before_looking(store: Store) -> None:
    """Ask whether the figures of the test split may be shown; without a terminal say that they are."""
    if sys.stdin.isatty():
        go_on_or_end(f"{_ONCE}. It was {_used(store)}. {_QUESTION}")
    else:
        narrate(f"{_ONCE}. It was {_used(store)}; this use is noted.")


def _used(store: Store) -> str:
    return uses_words(store.splits.uses("test"))
