"""What is asked where nobody wrote for long within a conversation: whether it is one, or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwise.conversations.words import counted
from turnwise.tui.importing.import_notes import place_words
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.question_dialog import QuestionDialog
from turnwise.tui.shell.kept_dialogs import KeptDialogs

if TYPE_CHECKING:
    from turnwise.conversations.formats import SilencesFound

_SPANS = (("6h", "6 hours"), ("1d", "a day"), ("1w", "a week"))
_AS_IT_IS = "whole"


class Part(NamedTuple):
    """What was answered. after: the seconds of silence that part a conversation; None to part none."""

    after: float | None


def silence_question(kept: KeptDialogs, file: str, silences: SilencesFound, sessions: int) -> QuestionDialog:
    """Return the question. sessions: how many the file makes as it stands."""
    from turnwise.conversations.formats import read_silence

    answers: list[Choice] = []
    made = {0}
    for span, words in _SPANS:
        cuts = silences.of_at_least(read_silence(span))
        # A longer span that parts at the same places is no other answer.
        if cuts not in made:
            made.add(cuts)
            answers.append(
                Choice(span, f"part after {words} of silence", counted(sessions + cuts, "conversation"))
            )
    answers.append(Choice(_AS_IT_IS, "keep as it stands", counted(sessions, "conversation")))
    title = f"Is {file} one conversation?" if sessions == 1 else f"Does {file} hold more conversations?"
    words = f"Nobody wrote for long: {place_words(silences)}."
    return kept.of(QuestionDialog, title, answers, words=words)


def part_of(answer: str) -> Part:
    """Return what an answer means, by its id."""
    from turnwise.conversations.formats import read_silence

    return Part(None if answer == _AS_IT_IS else read_silence(answer))
