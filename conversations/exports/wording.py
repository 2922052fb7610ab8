"""How outcomes, verdicts and times are worded in exports that people read."""

from __future__ import annotations

from datetime import UTC, datetime

from turnwise.conversations.store import ScoreRow

WORDS = {True: "pass", False: "fail", None: "unsure"}


def score_word(score: ScoreRow) -> str:
    """Return the outcome as a word: pass, fail, skipped or failure."""
    return WORDS[score.passed] if score.outcome == "score" else score.outcome


def score_value(score: ScoreRow) -> str:
    """Return the score with two digits, or the word for why there is none."""
    words = {"skipped": "skipped", "failure": "failed to run"}
    return words[score.outcome] if score.score is None else f"{score.score:.2f}"


def elapsed(seconds: float | None) -> str:
    """Return a time since the start of a conversation, to a tenth of a second; empty where unknown."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds, 1), 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours}:{minutes:02d}:{rest:04.1f}"
    return f"{minutes}:{rest:04.1f}" if minutes else f"{rest:.1f} s"


def day(seconds: float) -> str:
    """Return the day of a time, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
