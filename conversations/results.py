"""What is found about a conversation: verdicts, and an outcome that is a Score, a Failure or a Skipped.

A failure is never a score: a garbled reply, an outage or a time-out is a Failure, and a case that lacks
what a metric needs is Skipped. Neither passes, neither lowers a mean; all three are counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The words of a turn that a verdict rests on, exactly as they stand there.

    turn: the turn's number. start, end: where they begin and end in what it says, in characters.
    """

    turn: int
    start: int
    end: int
    text: str

    def place_in(self, content: str) -> tuple[int, int] | None:
        """Return where the words stand in what the turn says now; None where it says them no more.

        Where they stood counts before any other place that holds them.
        """
        if content[self.start : self.end] == self.text:
            return self.start, self.end
        start = content.find(self.text)
        return None if start < 0 else (start, start + len(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a metric found about one turn, or about one statement in it.

    turn: the number of the turn it is about; None where it is about the whole conversation.
    passed: whether it counts for the chatbot; None where it is left out of the score.
    word: the verdict as the judge gave it, for example yes, no or borderline.
    about: the statement, claim or intention in question; empty where it is the whole turn.
    quote: the sentence that decides it where it fails; None where no single one does.
    """

    turn: int | None
    passed: bool | None
    word: str
    reason: str = ""
    about: str = ""
    quote: Quote | None = None


NO_JUDGE = "no judge"
"""Why a metric that needs a judge was skipped where there is none; it says nothing of the case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What every outcome says.

    exchange: the number of the exchange judged, for a last-turn metric; None for the whole conversation.
    calls: the keys of the judge calls it rests on, in order. seconds: the time it took. cost: in US dollars.
    """

    metric: str
    reason: str
    exchange: int | None = None
    calls: tuple[str, ...] = ()
    seconds: float = 0.0
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(_Outcome):
    """A metric's finding: 0 to 1, higher is better.

    threshold: the score from which it passes; None for a check that has no such number. stated: what the
    check itself says about passing, where that does not follow from score and threshold; None where it does.
    One of the two is always given; ValueError without them.
    """

    score: float
    threshold: float | None = None
    stated: bool | None = None
    verdicts: tuple[Verdict, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.threshold is None and self.stated is None:
            raise ValueError("a score has a threshold, or states whether it passes")

    @property
    def passed(self) -> bool:
        """Whether it passes: as the check states, else whether the score reaches the threshold."""
        if self.stated is not None:
            return self.stated
        return self.threshold is not None and self.score >= self.threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure(_Outcome):
    """The metric could not be had: the judge was away, or answered something that is no answer.

    kind: a word for the cause (unavailable, unusable, refused, malformed, budget, error).
    next_step: what to do.
    """

    kind: str = "error"
    next_step: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped(_Outcome):
    """The metric does not apply: the case lacks what it needs, or there is no judge."""


Outcome = Score | Failure | Skipped
OutcomeWord = Literal["score", "failure", "skipped"]


def outcome_word(outcome: Outcome) -> OutcomeWord:
    """Return the word by which an outcome is stored and printed."""
    match outcome:
        case Score():
            return "score"
        case Failure():
            return "failure"
        case Skipped():
            return "skipped"


def outcome_passed(outcome: Outcome) -> bool | None:
    """Return whether an outcome passes; None where there is nothing to pass."""
    return outcome.passed if isinstance(outcome, Score) else None
