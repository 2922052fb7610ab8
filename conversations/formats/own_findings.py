"""What a line of turnwise's own JSON Lines says beside its case: where it came from, scores and labels."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from turnwise.conversations.errors import SettingError
from turnwise.conversations.findings import FoundMode, Label, LabelWord, Origin, PastRun, PastScore
from turnwise.conversations.formats.numbers import LATEST
from turnwise.conversations.models import CaseModel, shorten
from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
from turnwise.conversations.store.mode_names import checked_name

Count = Annotated[int, Field(ge=0, lt=2**31)]
Time = Annotated[float, Field(ge=0, lt=LATEST)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Saved(CaseModel):
    # What a later form adds beside is no reason to leave the rest out.
    model_config = ConfigDict(extra="ignore")


class SavedLabel(_Saved):
    """A label, as a line holds it."""

    label: LabelWord | None
    author: str
    metric: str = ""
    value: Share | None = None
    turn: Count | None = None
    note: str = ""
    blind: bool = False
    created_at: Time | None = None

    def given(self) -> Label:
        """Return the label."""
        return Label(
            word=self.label,
            author=self.author,
            metric=self.metric,
            value=self.value,
            turn=self.turn,
            note=self.note,
            blind=self.blind,
            at=self.created_at,
        )


class SavedMode(_Saved):
    """A failure mode of the session, as a line holds it."""

    name: str
    definition: str = ""
    author: str
    turn: Count | None = None
    created_at: Time | None = None

    def found(self) -> FoundMode:
        """Return the failure mode. Raises ValueError where it cannot be called so."""
        try:
            name = checked_name(self.name)
        except SettingError as error:
            raise ValueError(f"modes: {error.title}; got {shorten(self.name)}") from None
        return FoundMode(
            name=name, definition=self.definition, author=self.author, turn=self.turn, at=self.created_at
        )


class SavedRun(_Saved):
    """A run that scores of a line came from."""

    judge: str
    judge_settings: dict[str, Any] = Field(default_factory=dict)
    metrics: list[str] = Field(default_factory=list)
    name: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    created_at: Time | None = None
    finished_at: Time | None = None

    def past(self) -> PastRun:
        """Return the run."""
        return PastRun(
            judge=self.judge,
            metrics=tuple(self.metrics),
            settings=self.judge_settings,
            name=self.name,
            parameters=self.parameters,
            began=self.created_at,
            ended=self.finished_at,
        )


class SavedVerdict(_Saved):
    """A verdict of a score."""

    turn: Count | None = None
    passed: bool | None = None
    word: str = ""
    reason: str = ""
    about: str = ""


class SavedScore(_Saved):
    """An outcome of a metric. runs: places in the line's list of runs, the one it came from first."""

    metric: str
    outcome: Literal["score", "failure", "skipped"]
    score: Share | None = None
    threshold: Number | None = None
    reason: str = ""
    exchange: Count | None = None
    created_at: Time | None = None
    judge: str = ""
    version: Count = 0
    metric_fingerprint: str = ""
    case_fingerprint: str = ""
    judge_fingerprint: str = ""
    calls: list[str] = Field(default_factory=list)
    seconds: Number = 0.0
    cost: Number | None = None
    verdicts: list[SavedVerdict] = Field(default_factory=list)
    details: dict[str, Any] = Field(default_factory=dict)
    kind: str = ""
    next_step: str = ""
    runs: list[Count] = Field(default_factory=list)

    def past(self, runs: list[PastRun], place: str) -> PastScore:
        """Return the score. Raises ValueError where it lacks its number, or names a run that is not there."""
        if any(number >= len(runs) for number in self.runs):
            raise ValueError(
                f"{place}.runs: expected places in the list of {len(runs)} runs; got {shorten(self.runs)}"
            )
        alone = PastRun(judge=self.judge, metrics=(self.metric,))
        return PastScore(
            outcome=self._outcome(place),
            runs=tuple(runs[number] for number in self.runs) or (alone,),
            judge=self.judge,
            version=self.version,
            metric_fingerprint=self.metric_fingerprint,
            case_fingerprint=self.case_fingerprint,
            judge_fingerprint=self.judge_fingerprint,
            at=self.created_at,
        )

    def _outcome(self, place: str) -> Outcome:
        shared: dict[str, Any] = {
            "metric": self.metric,
            "reason": self.reason,
            "exchange": self.exchange,
            "calls": tuple(self.calls),
            "seconds": self.seconds,
            "cost": self.cost,
        }
        if self.outcome == "failure":
            return Failure(**shared, kind=self.kind, next_step=self.next_step)
        if self.outcome == "skipped":
            return Skipped(**shared)
        if self.score is None or self.threshold is None:
            missing = "score" if self.score is None else "threshold"
            raise ValueError(f"{place}.{missing}: expected a number; got null")
        verdicts = tuple(Verdict(**verdict.model_dump()) for verdict in self.verdicts)
        return Score(
            **shared,
            score=self.score,
            threshold=self.threshold,
            verdicts=verdicts,
            details=self.details,
        )


class Beside(_Saved):
    """What a line says beside its case. content: the fingerprint of the case that was written."""

    source: str = ""
    format: str = ""
    name: str = ""
    created_at: Time | None = None
    fingerprint: str = ""
    content: str = ""
    turn_times: list[Number | None] = Field(default_factory=list)
    runs: list[SavedRun] = Field(default_factory=list)
    scores: list[SavedScore] = Field(default_factory=list)
    labels: list[SavedLabel] = Field(default_factory=list)
    modes: list[SavedMode] = Field(default_factory=list)

    def origin(self, content: str) -> Origin:
        """Return where the session came from. content: the fingerprint of the case that was read."""
        return Origin(
            source=self.source,
            format=self.format,
            name=self.name,
            created_at=self.created_at,
            # A case that was edited in the file is another one now.
            fingerprint=self.fingerprint if content == self.content else "",
            turn_times=tuple(self.turn_times),
        )

    def past_scores(self) -> tuple[PastScore, ...]:
        """Return the scores with their runs. Raises ValueError that names the place."""
        runs = [run.past() for run in self.runs]
        return tuple(score.past(runs, f"scores[{place}]") for place, score in enumerate(self.scores))
