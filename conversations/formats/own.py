"""turnwise's own JSON Lines, as `turnwise export --to jsonl` writes it.

A line is a case, fields and turns as they are, and beside them an object under the name of this program:
where the session came from, its scores with their runs, its labels and failure modes. All of it comes back
but the calls of judges, which are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError, SettingError
from turnwise.conversations.findings import FoundMode, Label, Origin, PastRun, PastScore
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.formats.fields import LATEST, check_spelling, field_names
from turnwise.conversations.formats.format import Case, Contents, Format, Options, Record, Shape
from turnwise.conversations.formats.json_records import json_records
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.models import CaseModel, shorten
from turnwise.conversations.results import Failure, Outcome, Quote, Score, Skipped, Verdict
from turnwise.conversations.store import checked_name
from turnwise.conversations.words import one_slip_apart

Count = Annotated[int, Field(ge=0, lt=2**31)]
Time = Annotated[float, Field(ge=0, lt=LATEST)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
OWN_KEY = "turnwise"
"""The name under which a line holds what it says beside the case."""
OWN_FORM = 1
"""The form of the lines that are written now, and the newest that can be read."""
_MARK = frozenset(("form", "kind"))
"""What tells under that name that the line is of this format, and what its case is."""
_KINDS: dict[str, type[Case]] = {"conversation": ConversationalTestCase, "exchange": LLMTestCase}


class _Saved(CaseModel):
    # Fields that a later form adds are passed over, and the rest is read.
    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _spelled(cls, value: Any) -> Any:
        """Refuse a field that is like a known one: what it holds would be gone."""
        if isinstance(value, dict):
            known = field_names(cls)
            check_spelling(value, known, known)
        return value


class SavedLabel(_Saved):
    """A label, as a line holds it."""

    label: LabelWord | None
    author: str
    metric: str = ""
    value: Share | None = None
    turn: Count | None = None
    note: str = ""
    blind: bool = False
    at_fault: AtFault | None = None
    adjudicates: bool = False
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
            at_fault=self.at_fault,
            adjudicates=self.adjudicates,
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


class SavedQuote(_Saved):
    """The words that a verdict rests on."""

    turn: Count
    start: Count
    end: Count
    text: str = Field(min_length=1)

    @model_validator(mode="after")
    def _fits(self) -> SavedQuote:
        """Refuse a place that is not as long as the words that stand there."""
        if self.end - self.start != len(self.text):
            raise ValueError(
                f"expected as many characters from start to end as text has, {len(self.text)}; "
                f"got {self.start} to {self.end}"
            )
        return self


class SavedVerdict(_Saved):
    """A verdict of a score."""

    turn: Count | None = None
    passed: bool | None = None
    word: str = ""
    reason: str = ""
    about: str = ""
    quote: SavedQuote | None = None

    def given(self) -> Verdict:
        """Return the verdict."""
        return Verdict(
            turn=self.turn,
            passed=self.passed,
            word=self.word,
            reason=self.reason,
            about=self.about,
            quote=Quote(**self.quote.model_dump()) if self.quote else None,
        )


class SavedScore(_Saved):
    """An outcome of a metric. runs: places in the line's list of runs, the one it came from first."""

    metric: str
    outcome: Literal["score", "failure", "skipped"]
    score: Share | None = None
    threshold: Number | None = None
    stated: bool | None = None
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
        if self.score is None or (self.threshold is None and self.stated is None):
            missing = "score" if self.score is None else "threshold"
            raise ValueError(f"{place}.{missing}: expected a number; got null")
        verdicts = tuple(verdict.given() for verdict in self.verdicts)
        return Score(
            **shared,
            score=self.score,
            threshold=self.threshold,
            stated=self.stated,
            verdicts=verdicts,
            details=self.details,
        )


class Beside(_Saved):
    """What a line says beside its case."""

    source: str = ""
    format: str = ""
    name: str = ""
    created_at: Time | None = None
    fingerprint: str = ""
    turn_times: list[Number | None] = Field(default_factory=list)
    runs: list[SavedRun] = Field(default_factory=list)
    scores: list[SavedScore] = Field(default_factory=list)
    labels: list[SavedLabel] = Field(default_factory=list)
    modes: list[SavedMode] = Field(default_factory=list)

    def origin(self) -> Origin:
        """Return where the session came from."""
        return Origin(
            source=self.source,
            format=self.format,
            name=self.name,
            created_at=self.created_at,
            fingerprint=self.fingerprint,
            turn_times=tuple(self.turn_times),
        )

    def past_scores(self) -> tuple[PastScore, ...]:
        """Return the scores with their runs. Raises ValueError that names the place."""
        runs = [run.past() for run in self.runs]
        return tuple(score.past(runs, f"scores[{place}]") for place, score in enumerate(self.scores))


_BESIDE = field_names(Beside) | _MARK


def _sniff(source: Source) -> float:
    records = (
        record for value in source.sample for record in (value if isinstance(value, list) else [value])
    )
    return 1.0 if any(_is_own(record) for record in records) else 0.0


def _is_own(record: Any) -> bool:
    return isinstance(record, dict) and (_is_mark(record.get(OWN_KEY)) or _misspelt_mark(record) is not None)


def _is_mark(beside: Any) -> bool:
    return isinstance(beside, dict) and bool(_MARK & beside.keys())


def _misspelt_mark(record: dict[str, Any]) -> str | None:
    """Return the name that was meant to be OWN_KEY, where a record has it in the place of that."""
    names = (name for name, value in record.items() if _is_mark(value) and one_slip_apart(name, OWN_KEY))
    return None if OWN_KEY in record else next(names, None)


def _read(source: Source, options: Options) -> Iterator[Record]:
    yield from json_records(source, contents_of, is_part=lambda value: False, envelopes=frozenset())


def contents_of(record: Any) -> Contents:
    """Return what one line holds. Raises ValueError and CaseError that name the field."""
    if not _is_own(record):
        raise ValueError(f"expected an object with {OWN_KEY}.form, as `turnwise export` writes it")
    if (name := _misspelt_mark(record)) is not None:
        raise ValueError(f"{name}: no such field, so that it would be lost; did you mean {OWN_KEY}?")
    beside = record[OWN_KEY]
    check_spelling(beside, _BESIDE, _BESIDE, f"{OWN_KEY}.")
    form = beside.get("form")
    if not isinstance(form, int) or form < 1:
        raise ValueError(f"{OWN_KEY}.form: expected a whole number from 1; got {shorten(form)}")
    if form > OWN_FORM:
        raise ValueError(
            f"{OWN_KEY}.form: written by a newer turnwise, in form {form}; "
            f"this one reads up to form {OWN_FORM}"
        )
    kind = beside.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"{OWN_KEY}.kind: expected conversation or exchange; got {shorten(kind)}")
    fields = {name: item for name, item in record.items() if name != OWN_KEY}
    case = _KINDS[kind].model_validate(fields)
    try:
        said = Beside.model_validate({name: item for name, item in beside.items() if name not in _MARK})
        scores = said.past_scores()
        modes = tuple(mode.found() for mode in said.modes)
    except (CaseError, ValueError) as error:
        told = error.detail if isinstance(error, CaseError) else str(error)
        raise ValueError("\n".join(f"{OWN_KEY}.{line}" for line in told.split("\n"))) from None
    return Contents(
        case,
        labels=tuple(label.given() for label in said.labels),
        scores=scores,
        origin=said.origin(),
        modes=modes,
    )


def written_fingerprint(case: Case) -> str:
    """Return the fingerprint of a case as it is written, by which others can see that a line was edited."""
    return fingerprint(case.data())


FORMAT = Format(
    name="turnwise",
    title="sessions that turnwise exported (JSONL)",
    sniff=_sniff,
    read=_read,
    shapes=(
        Shape(
            "what `turnwise export` wrote",
            read="all of it: case, times, tags, source, scores with their runs, labels, failure modes",
            rest="nothing else is in it; the calls of judges were not exported",
        ),
    ),
    reads_feedback=True,
    lines_stand_alone=True,
)
