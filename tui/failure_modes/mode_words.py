"""Words about failure modes: shares with their intervals, bars, and the queries that lead to the sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.store import written_key, written_term
from turnwise.conversations.words import counted
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.tui.drawing.bars import bar_with_interval, share_with_interval

if TYPE_CHECKING:
    from turnwise.conversations.store import ModeRate

UNDEFINED = "no definition yet"
"""Stands for the definition of a mode that nobody defined yet."""
ONE_GROUP = "All sessions are of one group: there is none to count failure modes by."
OF_OTHERS = "○"
"""Stands at a mode that somebody else gave: it is not what the one who reviews says."""


def interval(rate: ModeRate) -> tuple[float, float] | None:
    """Return the exact 95 % interval of a rate's share; None where nothing was reviewed."""
    return share_interval(rate.sessions, rate.reviewed) if rate.reviewed else None


def share_words(rate: ModeRate) -> str:
    """Say a share with its interval in percent: "30 % (17 to 48 %)"."""
    ends = interval(rate)
    if ends is None:
        return "–"
    return share_with_interval(rate.share, ends)


def rate_bar(rate: ModeRate, width: int) -> str:
    """Draw a rate with its interval in so many cells, which stand for 0 to 100 %."""
    ends = interval(rate)
    return bar_with_interval(rate.share, ends, width) if ends is not None else " " * width


def count_words(rate: ModeRate) -> str:
    """Say how many of how many: "12 of 40"."""
    return f"{rate.sessions:,} of {rate.reviewed:,}"


def alone_words(group: str | None) -> str:
    """Say of rates by group that all are of one, or that no session is in any."""
    return "all of one" if group else "none has any"


MERGE_ASKS = "↓ chooses the mode to merge into, or type its name; enter merges."


def merge_words(sessions: int, undo: str) -> str:
    """Say what comes of merging a mode that so many sessions have into another. undo: the key for it."""
    who = "No session has it" if not sessions else f"Its {counted(sessions, 'session')} will bear that name"
    return f"{who}; {undo} takes it back."


def had_words(had: int, chosen: int) -> str:
    """Say how many of the chosen sessions have a mode: "2 of 5 have it"; empty for none."""
    if not had:
        return ""
    verb = "has it" if had == 1 else "have it"
    return f"{had:,} of {chosen:,} {verb}" if chosen > 1 else verb


def mode_query(name: str, by: str | None = None, group: str | None = None) -> str:
    """Return the query that finds the sessions of a mode, within a group such as a role or tag."""
    terms = [written_term("mode", name)]
    head, _, key = (by or "").partition(".")
    field = written_key(head, key) if key else head
    if field and group:
        terms.append(written_term(field, group))
    elif field and group is not None and field not in ("role", "tag"):
        terms.append(f"-{field}:*" if key else f'-{field}:""')
    return " ".join(terms)


def metric_query(metric: str, outcome: str) -> str:
    """Return the query that finds the sessions in which a metric came out so; its name may have spaces."""
    return f'"{metric}":{outcome}' if set(metric) & set(" \t:<>=") else f"{metric}:{outcome}"
