"""What an import leaves when it is taken back, in words: what goes, what stays and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.words import counted, listed
from turnwise.tui.session_lists.stakes_words import found_words

if TYPE_CHECKING:
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.store import BroughtIn, ImportTakenBack


def way_back_words(report: ImportReport, way: str) -> str:
    """Say what takes an import back: "u undoes it."; empty where it brought nothing and gave no role.

    way: the key, or the command, that takes it back.
    """
    return f"{way} undoes it." if report.imported or report.updated else ""


def source_words(brought: BroughtIn) -> str:
    """Name what an import came from: "chats.jsonl", "chats.jsonl and 3 more files"."""
    more = f" and {counted(brought.files - 1, 'more file')}" if brought.files > 1 else ""
    return f"{brought.came_from}{more}"


def taken_back_words(taken: ImportTakenBack, brought: BroughtIn) -> str:
    """Say what went with an import, and what stays."""
    went = taken.stakes
    found = found_words(went)
    came = f" with {found}" if found else ""
    gone = [f"{counted(went.sessions, 'session')}{came}"] if went.sessions else []
    gone += [roles_words(taken)] if taken.roles else []
    head = f"Nothing of {source_words(brought)} was left to take back."
    if gone:
        head = f"Taken back: {listed(gone)} of {source_words(brought)}."
    return " ".join(part for part in (head, stays_words(taken, brought)) if part)


def roles_words(taken: ImportTakenBack) -> str:
    """Say what goes of the roles that an import gave: "the chatbot's role of 3 sessions"."""
    return f"the chatbot's role of {counted(taken.roles, 'session')}"


def stays_words(taken: ImportTakenBack, brought: BroughtIn) -> str:
    """Say what stays and why: "3 stay: 1 labelled since, 2 there before."; empty where nothing does."""
    stay = [(count, f"{what} since") for what, count in taken.kept.items()]
    stay += [(brought.there_before, "there before")] if brought.there_before else []
    total = sum(count for count, _ in stay)
    told = listed([f"{n:,} {why}" for n, why in stay])
    kept = taken.roles_kept
    parts = [
        f"{total:,} {'stays' if total == 1 else 'stay'}: {told}." if stay else "",
        f"{kept:,} {'keeps its role' if kept == 1 else 'keep their role'}: scored since." if kept else "",
    ]
    return " ".join(part for part in parts if part)
