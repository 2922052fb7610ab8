"""Criteria: what good means for a chatbot, in plain words, kept as YAML files beside the user's work.

    name: Politeness
    criteria: The assistant stays polite, also when the user is rude.
    threshold: 0.7

A file holds one criterion, or a list of them. Instead of criteria, or beside them, it may give steps: where
it does, the steps are what is judged by, and the criteria say to people what they are for. Beside these it
has parameters (fields the judge reads), rubric (what numbers mean), threshold, strict, scope
(conversation, the default, or exchange), and guidelines and examples, which say how certain cases are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import AliasChoices, Field

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import CaseError, FormatError, SettingError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.models import CaseModel
from turnwise.conversations.store import Store
from turnwise.conversations.words import nearest
from turnwise.engine.metrics.geval import ConversationalGEval, CriterionMetric, GEval, Rubric
from turnwise.engine.metrics.guidance import JudgedExample
from turnwise.engine.metrics.registry import metric_keys

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings


class Criterion(CaseModel):
    """A criterion as a file says it."""

    name: str = Field(min_length=1)
    criteria: str | None = None
    steps: list[str] | None = Field(
        default=None, validation_alias=AliasChoices("steps", "evaluation_steps", "evaluationSteps")
    )
    parameters: list[LLMTestCaseParams] = Field(
        default_factory=list,
        validation_alias=AliasChoices("parameters", "evaluation_params", "evaluationParams"),
    )
    rubric: list[Rubric] | None = None
    threshold: float = 0.5
    strict: bool = Field(default=False, validation_alias=AliasChoices("strict", "strict_mode", "strictMode"))
    scope: Literal["conversation", "exchange"] = "conversation"
    guidelines: list[str] = Field(default_factory=list)
    examples: list[JudgedExample] = Field(default_factory=list)

    def metric(self) -> CriterionMetric:
        """Return the metric that judges by this criterion. Raises SettingError where it means nothing."""
        kind = ConversationalGEval if self.scope == "conversation" else GEval
        return kind(
            name=self.name,
            # Steps were drafted from the criteria, or are to be judged by instead of them.
            criteria=None if self.steps else self.criteria,
            evaluation_steps=self.steps or None,
            evaluation_params=self.parameters,
            rubric=self.rubric,
            threshold=self.threshold,
            strict_mode=self.strict,
            guidelines=self.guidelines,
            examples=self.examples,
        )

    def passes(self, score: float) -> bool:
        """Whether a score from 0 to 1 passes: it reaches the threshold, or 1 for a strict criterion."""
        return score >= (1.0 if self.strict else self.threshold)

    def judges_as(self, other: Criterion) -> bool:
        """Whether a judge is asked the same, and the same scores pass: what else differs is for people alone.

        Where there are steps, that are the words which say what they are for.
        """
        return (
            self.metric().fingerprint == other.metric().fingerprint
            and self.threshold == other.threshold
            and self.strict == other.strict
        )

    def content(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, in the order in which a person reads them."""
        given = self.data()
        return {name: given[name] for name in type(self).model_fields if name in given}

    @property
    def fingerprint(self) -> str:
        """A hash of all fields, the threshold included: criteria with another one are different versions."""
        return fingerprint(self.content())


def load_criteria(path: Path) -> list[Criterion]:
    """Read the criteria of a YAML file. Raises FormatError with file, place and field."""
    return parse_criteria(read_criteria_text(path), path)


def read_criteria_text(path: Path) -> str:
    """Return the text of a file, its line ends made plain. Raises FormatError where it is none."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FormatError(
            f"{path.name} cannot be read",
            detail=f"The system says: {error.strerror or error}.",
            next_step=_near_file(path)
            or "Name a YAML file that says at least name and criteria, by its path.",
        ) from None
    except UnicodeDecodeError:
        raise FormatError(f"{path.name} is not text in UTF-8") from None


def _near_file(path: Path) -> str:
    """Say which YAML file there, or in the folder `criteria` there, may be meant; empty where none is."""
    known: dict[str, Path] = {}
    for folder in (path.parent / "criteria", path.parent):
        try:
            known |= {one.name: one for one in sorted(folder.iterdir()) if one.suffix in (".yaml", ".yml")}
        except OSError:
            continue
    near = nearest(path.name, known)
    return f"Did you mean {known[near]}?" if near is not None else ""


def parse_criteria(text: str, path: Path) -> list[Criterion]:
    """Return the criteria in a text; path is what errors name. Raises FormatError."""
    from turnwise.conversations.files import load_yaml

    try:
        value: Any = load_yaml(text)
    except ValueError as error:
        raise FormatError(f"{path.name} is not YAML", detail=str(error)) from None
    given = value if isinstance(value, list) else [value]
    if not given or given == [None]:
        raise FormatError(f"{path.name} holds no criterion", next_step="It needs at least name and criteria.")
    return [_criterion(path, count, item, alone=len(given) == 1) for count, item in enumerate(given, start=1)]


def _criterion(path: Path, count: int, value: Any, *, alone: bool) -> Criterion:
    place = path.name if alone else f"{path.name}, criterion {count}"
    try:
        return check_criterion(value)
    except CaseError as error:
        raise FormatError(f"{place} is not a criterion", detail=error.detail) from None
    except SettingError as error:
        raise FormatError(f"{place}: {error.title}", detail=error.detail, next_step=error.next_step) from None
    except ValueError as error:
        raise FormatError(f"{place} is not a criterion", detail=str(error)) from None


def check_criterion(value: Any) -> Criterion:
    """Return the criterion that plain values are. Raises CaseError and SettingError where they are none."""
    criterion = Criterion.model_validate(value)
    criterion.metric()
    if criterion.name.strip().lower().replace(" ", "_") in _names_taken():
        raise SettingError(
            f"{criterion.name} is the name of a metric that comes with turnwise",
            next_step="Give the criterion another name.",
        )
    return criterion


@cache
def _names_taken() -> frozenset[str]:
    # Kept, because asking installed packages for their metrics takes longer than a key may.
    return frozenset(metric_keys())


@dataclass(frozen=True, slots=True)
class Draft:
    """Steps that a judge drafted. cost: in US dollars, None where the price is not known."""

    steps: tuple[str, ...]
    cost: float | None


async def draft_steps(store: Store, criterion: Criterion, judge: ModelSettings) -> Draft:
    """Let a judge draft steps from the plain words of a criterion; the call is kept in the database.

    The same words and judge give the same steps again, those by which it would score without steps of its
    own. Raises SettingError where there are no plain words, JudgeError where no answer can be had.
    """
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge
    from turnwise.engine.metrics.asking import Asking

    if not (criterion.criteria or "").strip():
        raise SettingError(
            f"{criterion.name} says nothing in plain words to draft steps from",
            next_step="Write in a sentence or two what good means.",
        )
    metric = criterion.model_copy(update={"steps": None}).metric()
    book = StoredCallBook(store)
    try:
        async with open_judge(judge, book=book) as opened:
            asking = Asking(opened, secret=store.secret)
            steps = await metric.steps(asking)
    finally:
        book.write()
    return Draft(tuple(step.strip() for step in steps if step.strip()), asking.cost)
