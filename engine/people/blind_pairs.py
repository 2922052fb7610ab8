"""Blind pairs: what is read of the two sessions of a pair, without anything that tells their groups."""

from __future__ import annotations

from dataclasses import replace

from turnwise.conversations.store import Store, TurnRow

_READ = ("user", "assistant", "tool")
"""A system message often differs between the versions of a chatbot, so none is read."""


def blind_turns(store: Store, session_id: int) -> list[TurnRow]:
    """Return what was said in a session and the tools that were used, as whoever compares reads it.

    Names, the model with tokens and costs, reasoning and times are left out: each could tell who answered.
    """
    return [
        replace(turn, name=None, told="", reasoning=(), at=None)
        for turn in store.turns.of(session_id)
        if turn.role in _READ
    ]
