"""What checks find: the Finding of one check, the outcome it becomes, and the outcome of a whole case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from turnwise.conversations.errors import NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
from turnwise.conversations.suites import Check

CaseWord = Literal["pass", "fail", "failure", "skipped"]
"""How a case or a check came out, in the word that the command line prints."""
WHOLE = "test"
"""The metric under which the outcome of a whole case is kept, beside those of its checks."""
"""The metric under which the outcome of a whole case goes, beside those of its checks."""
_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found in an answer, or a metric in a conversation or an exchange.

    score: mostly 0 to 1, higher is better; a script may go beyond. passed: what the check itself says; None
    leaves it to the score. reason: why, as the check, a script or a judge words it. expected: what a
    condition that does not hold expected of the output. hits and misses: what was met and what was not, as
    short texts. unmet: a criterion that the file calls required is not met.
    named_scores: scores that a script or a set gives by name; named_weights: their weights, 1 where absent.
    members: what a script says of parts of its own, or the members of a composite; they are listed behind
    it. counts: whether it counts; a reply of a judge that cannot be read counts for nothing with AgentV.
    verdicts and details: what a metric found turn by turn, and what else it tells beside its score.
    """

    score: float
    passed: bool | None = None
    reason: str = ""
    expected: str = ""
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    unmet: bool = False
    named_scores: Mapping[str, float] = field(default_factory=dict)
    named_weights: Mapping[str, float] = field(default_factory=dict)
    members: tuple[CheckOutcome, ...] = ()
    counts: bool = True
    verdicts: Sequence[Verdict] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """What became of one check: what was asked, and a Score, a Failure or a Skipped.

    finding: what it found; None where the outcome is no Score. next_step: what to do about it where it is
    none. is_left_out: it says nothing and counts for nothing, unlike another Skipped, which may leave its
    case undecided. members: the outcomes of its parts, which are listed behind it.
    """

    check: Check
    outcome: Outcome
    finding: Finding | None = None
    next_step: str = ""
    is_left_out: bool = False
    members: tuple[CheckOutcome, ...] = ()

    @property
    def type(self) -> str:
        """The type of the check, with not- where it is negated."""
        return f"not-{self.check.type}" if self.check.negate else self.check.type

    @property
    def metric(self) -> str | None:
        """The name under which its score is added up."""
        return self.check.metric

    @property
    def weight(self) -> float:
        """Its share of the case's score."""
        return self.check.weight

    @property
    def name(self) -> str:
        """Its own name, else its type."""
        return self.metric or self.type

    @property
    def score(self) -> float:
        """The score; 0 where there is none."""
        return self.outcome.score if isinstance(self.outcome, Score) else 0.0

    @property
    def named_scores(self) -> Mapping[str, float]:
        """The scores that a script or a set gives by name."""
        return self.finding.named_scores if self.finding else {}

    @property
    def named_weights(self) -> Mapping[str, float]:
        """The weights of those scores; 1 where absent."""
        return self.finding.named_weights if self.finding else {}

    @property
    def threshold(self) -> float | None:
        """The number that the check is held against, where it has one."""
        return self.outcome.threshold if isinstance(self.outcome, Score) else None

    @property
    def passed(self) -> bool:
        """Whether it passes; what is no Score does not."""
        return isinstance(self.outcome, Score) and self.outcome.passed

    @property
    def reason(self) -> str:
        """Why it came out as it did."""
        return self.outcome.reason

    @property
    def calls(self) -> tuple[str, ...]:
        """The keys of the judge calls it rests on, in order."""
        return self.outcome.calls

    @property
    def word(self) -> CaseWord:
        """How it came out, in a word."""
        return word_of(self.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """What all the checks of a case came to together.

    outcome: a Failure where a check could not be carried out; Skipped where one was left out and the others
    do not decide. score: of what was decided, also where the outcome is Skipped. named_scores: the weighted
    mean of each metric; named_weights: the sums of weights behind them. checks: in order; the members of a
    set follow it. verdict: AgentV's word for the score (pass, borderline, fail); empty with promptfoo.
    unmet: something that the file calls required has failed.
    """

    outcome: Outcome
    score: float
    named_scores: Mapping[str, float] = field(default_factory=dict)
    named_weights: Mapping[str, float] = field(default_factory=dict)
    checks: tuple[CheckOutcome, ...] = ()
    verdict: str = ""
    unmet: bool = False

    @classmethod
    def of(
        cls,
        word: CaseWord,
        score: float,
        reason: str,
        *,
        threshold: float | None = None,
        checks: Iterable[CheckOutcome] = (),
    ) -> Self:
        """Return the outcome of a case. threshold: what its score was held against."""
        return cls(
            outcome=_whole(word, score, reason, threshold),
            score=0.0 if word == "failure" else score,
            checks=tuple(checks),
        )

    def turned(self, word: CaseWord, score: float, reason: str) -> Self:
        """Return the same case, come out in another way."""
        threshold = self.outcome.threshold if isinstance(self.outcome, Score) else None
        return replace(self, outcome=_whole(word, score, reason, threshold), score=score)

    @property
    def reason(self) -> str:
        """Why: the last check that failed, or how the score stands to the threshold."""
        return self.outcome.reason

    @property
    def passed(self) -> bool:
        """Whether the case passes; a failure and a skipped case do not."""
        return self.word == "pass"

    @property
    def word(self) -> CaseWord:
        """How it came out, in a word."""
        return word_of(self.outcome)


def word_of(outcome: Outcome) -> CaseWord:
    """Return how a check or a case came out, in the word that the command line prints."""
    match outcome:
        case Failure():
            return "failure"
        case Skipped():
            return "skipped"
        case Score():
            return "pass" if outcome.passed else "fail"


def undecided(check: Check, error: TurnwiseError, calls: Iterable[str] = ()) -> CheckOutcome:
    """Return the outcome of a check that an error stopped: Skipped where something lacks, else a Failure."""
    reason = f"{error.title}: {error.detail}" if error.detail else error.title
    name = check.metric or check.type
    outcome: Outcome
    if isinstance(error, NotFoundError):
        outcome = Skipped(metric=name, reason=reason, calls=tuple(calls))
    else:
        outcome = Failure(metric=name, reason=reason, calls=tuple(calls), next_step=error.next_step)
    return CheckOutcome(check=check, outcome=outcome, next_step=error.next_step)


def yes_or_no(
    check: Check,
    holds: bool,
    *,
    expected: str,
    score: float | None = None,
    found: tuple[str, str] | None = None,
) -> Finding:
    """Return the finding of a condition; a negated check passes where it does not hold.

    expected: what the output should do, as in `contain "Paris"`. score: where it is not just 1 or 0.
    found: what to tell where it holds and where it does not, as in `The answer contains "Paris"`.
    """
    passed = holds != check.negate
    hit, miss = found or ("", "")
    return Finding(
        score=float(passed) if score is None else score,
        passed=passed,
        expected="" if passed else f"Expected the output {'not ' if check.negate else ''}to {expected}",
        hits=(hit,) if holds and hit else (),
        misses=(miss,) if miss and not holds else (),
    )


def measured(check: Check, score: float, *, threshold: float, name: str) -> Finding:
    """Return the finding of a measure from 0 to 1 that must reach a threshold; negated, stay below it."""
    relation = "reaches" if score >= threshold else "is below"
    return Finding(
        score=1 - score if check.negate else score,
        passed=(score >= threshold) != check.negate,
        reason=f"{name} {score:.4f} {relation} the threshold {threshold:g}",
    )


def scored(
    score: float,
    hits: Iterable[str] = (),
    misses: Iterable[str] = (),
    reason: str = "",
    *,
    unmet: bool = False,
) -> Finding:
    """Return the finding of a score from 0 to 1; a required criterion that is not met makes it a fail."""
    return Finding(
        score=score,
        passed=False if unmet else None,
        reason=reason,
        hits=tuple(hits),
        misses=tuple(misses),
        unmet=unmet,
    )


def met_or_missed(holds: bool, hit: str, miss: str) -> Finding:
    """Return the finding of a condition: 1 with the hit, or 0 with the miss."""
    return scored(float(holds), hits=(hit,) if holds else (), misses=() if holds else (miss,))


def unmeasured(what: str) -> NotFoundError:
    """Return the error of a check on something that the target does not tell."""
    return NotFoundError(what, next_step="Ask a target that tells it, or leave the check out.")


def nothing_told(what: str) -> Finding:
    """Return what AgentV finds where the target does not tell what is checked: a score of 0."""
    return scored(0.0, misses=(what,))


def clamped(score: float) -> float:
    """Return a score between 0 and 1; what is no number is 0."""
    return min(1.0, max(0.0, score)) if is_finite(score) else 0.0


def lacks_text(check: Check) -> SettingError:
    """Return the error of a check that has no text to go by."""
    return SettingError(f"{check.type} needs a text to go by", next_step="Give it a value.")


def failed(reason: str) -> Finding:
    """Return the finding of a check that does not pass, with a score of 0."""
    return Finding(score=0.0, passed=False, reason=reason)


def quoted(text: str) -> str:
    """Return a text in quotation marks, cut where it is long."""
    return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}…"'


def _whole(word: CaseWord, score: float, reason: str, threshold: float | None) -> Outcome:
    if word == "failure":
        return Failure(metric=WHOLE, reason=reason)
    if word == "skipped":
        return Skipped(metric=WHOLE, reason=reason)
    return Score(metric=WHOLE, reason=reason, score=score, threshold=threshold, stated=word == "pass")
