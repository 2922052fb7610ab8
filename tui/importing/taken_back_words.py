"""What an import leaves when it is taken back, in words: what goes, what stays and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.words import counted, listed
from turnwise.tui.session_lists.stakes_words import found_words

if TYPE_CHECKING:
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.store import BroughtIn, ImportTakenBack


def way_back_words(report: ImportReport, way: str) -> str:
    """Say what takes an import back: "u undoes it."; empty where nothing of it is new.

    way: the key, or the command, that takes it back.
    """
    return f"{way} undoes it." if report.imported else ""


def source_words(brought: BroughtIn) -> str:
    """Name what an import came from: "chats.jsonl", "chats.jsonl and 3 more files"."""
    more = f" and {counted(brought.files - 1, 'more file')}" if brought.files > 1 else ""
    return f"{brought.came_from}{more}"


def taken_back_words(taken: ImportTakenBack, brought: BroughtIn) -> str:
    """Say what went with an import, and what stays."""
    went = taken.stakes
    if not went.sessions:
        head = f"Nothing of {source_words(brought)} was left to take back."
    else:
        found = found_words(went)
        came = f" with {found}" if found else ""
        head = f"Taken back: {counted(went.sessions, 'session')}{came} of {source_words(brought)}."
    return " ".join(part for part in (head, stays_words(taken, brought)) if part)


def stays_words(taken: ImportTakenBack, brought: BroughtIn) -> str:
    """Say what stays and why: "3 stay: 1 labelled since, 2 there before."; empty where nothing does."""
    stay = [(count, f"{what} since") for what, count in taken.kept.items()]
    stay += [(brought.there_before, "there before")] if brought.there_before else []
    if not stay:
        return ""
    total = sum(count for count, _ in stay)
    return f"{total:,} {'stays' if total == 1 else 'stay'}: {listed([f'{n:,} {why}' for n, why in stay])}."
