"""Whether an import is to be taken back although something was done with some of its sessions since."""

from __future__ import annotations

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import BroughtIn, ImportTakenBack
from turnwise.tui.importing.taken_back_words import roles_words, source_words, stays_words
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.question_dialog import QuestionDialog
from turnwise.tui.session_lists.stakes_words import stakes_words
from turnwise.tui.shell.kept_dialogs import KeptDialogs


def take_back_question(kept: KeptDialogs, would: ImportTakenBack, brought: BroughtIn) -> QuestionDialog:
    """Return what asks whether what nobody did anything with is to go; "take" is the answer that takes it."""
    it = "it" if would.stakes.sessions == 1 else "them"
    roles = f", and {roles_words(would)}" if would.roles else ""
    words = f"{stakes_words(would.stakes)} would go{roles}. {stays_words(would, brought)}"
    answers = [Choice("keep", f"Keep {it}"), Choice("take", f"Take {it} back")]
    title = f"Take the import of {make_safe_line(source_words(brought))} back?"
    return kept.of(QuestionDialog, title, answers, words=words)
