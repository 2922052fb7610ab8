"""A metric of one's own as deepeval has them: a class with `measure` or `a_measure` that leaves a score.

BaseMetric judges one exchange, BaseConversationalMetric a whole conversation. An evaluation measures every
case by a copy of the object, so that cases at the same time do not write over one another's score.
"""

from __future__ import annotations

import asyncio
import copy
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError, SettingError
from turnwise.conversations.models import shorten
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.definitions import is_number, place_of
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject

_FOUND = frozenset(
    {
        "score",
        "reason",
        "success",
        "error",
        "score_breakdown",
        "evaluation_cost",
        "evaluation_model",
        "verbose_logs",
        "skipped",
        "threshold",
        "async_mode",
        "verbose_mode",
        "include_reason",
        "name",
    }
)
"""What such an object holds beside that on which its score depends."""
_READ = (
    "expected_output",
    "context",
    "retrieval_context",
    "tools_called",
    "expected_tools",
    "token_cost",
    "completion_time",
    "name",
    "tags",
    "comments",
    "metadata",
    "chatbot_role",
    "scenario",
    "expected_outcome",
    "user_description",
)


class _Base:
    """What both bases share; a subclass need not call this __init__."""

    threshold: float | None = None
    score: float | None = None
    score_breakdown: Mapping[str, Any] | None = None
    reason: str | None = None
    success: bool | None = None
    evaluation_model: str | None = None
    strict_mode: bool = False
    async_mode: bool = True
    verbose_mode: bool = False
    include_reason: bool = False
    error: str | None = None
    evaluation_cost: float | None = None
    verbose_logs: str | None = None
    skipped: bool = False
    model: Any = None

    def is_successful(self) -> bool | None:
        """Say whether the score passes: what `measure` left as success, else by the threshold."""
        if self.error is not None:
            return False
        if self.success is None and self.threshold is not None and self.score is not None:
            self.success = self.score >= self.threshold
        return self.success

    @property
    def __name__(self) -> Any:
        """What the metric is called in results."""
        return type(self).__name__


class BaseMetric(_Base):
    """A metric of one's own on one exchange: `measure` (or `a_measure`) sets and returns `self.score`."""

    def measure(self, test_case: LLMTestCase, *given: Any, **named: Any) -> float:
        """Judge a case, and leave score, reason and success."""
        raise NotImplementedError(f"{type(self).__name__} has no measure")

    async def a_measure(self, test_case: LLMTestCase, *given: Any, **named: Any) -> float:
        """Judge a case without holding up others; without it `measure` is called in a thread."""
        raise NotImplementedError(f"{type(self).__name__} has no a_measure")


class BaseConversationalMetric(_Base):
    """A metric of one's own on a whole conversation; see BaseMetric."""

    def measure(self, test_case: ConversationalTestCase, *given: Any, **named: Any) -> float:
        """Judge a conversation, and leave score, reason and success."""
        raise NotImplementedError(f"{type(self).__name__} has no measure")

    async def a_measure(self, test_case: ConversationalTestCase, *given: Any, **named: Any) -> float:
        """Judge a conversation without holding up others; without it `measure` is called in a thread."""
        raise NotImplementedError(f"{type(self).__name__} has no a_measure")


AnyMetric = Metric | BaseMetric | BaseConversationalMetric


def as_metric(given: Any) -> Metric:
    """Return a metric as evaluations ask it. Raises SettingError for what is none, or not made yet."""
    if isinstance(given, Metric):
        return given
    if isinstance(given, BaseMetric | BaseConversationalMetric):
        kind = type(given)
        if not any(_writes(kind, method) for method in ("measure", "a_measure")):
            raise SettingError(
                f"{kind.__name__} has no measure",
                detail=place_of(kind),
                next_step="Write `def measure(self, test_case)`, which sets and returns self.score.",
            )
        return (
            OwnMetric(given=given) if isinstance(given, BaseMetric) else OwnConversationalMetric(given=given)
        )
    if isinstance(given, type):
        raise SettingError(
            "A metric is given as an object of its class",
            detail=f"Given: {given.__name__}",
            next_step=f"Write {given.__name__}().",
        )
    kind = type(given)
    like_one = any(callable(getattr(given, method, None)) for method in ("measure", "a_measure", "assess"))
    raise SettingError(
        f"{kind.__name__} is no metric of turnwise's",
        detail=f"It is of {kind.__module__}" if like_one else f"Given: {shorten(given)}",
        next_step="Derive it from turnwise's BaseMetric or BaseConversationalMetric."
        if like_one
        else "For example: AnswerRelevancyMetric()",
    )


def _writes(kind: type, method: str) -> bool:
    """Whether a class has a method of its own, beside those of the bases here."""
    return getattr(kind, method) not in (
        getattr(BaseMetric, method),
        getattr(BaseConversationalMetric, method),
    )


@dataclass(kw_only=True, eq=False)
class OwnMetric(Metric):
    """A BaseMetric as evaluations ask it."""

    key: ClassVar[str] = "own"
    scope: ClassVar[Scope] = "exchange"
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(formula="what its class says", calls="none")

    given: Any = None

    def __post_init__(self) -> None:
        name = getattr(self.given, "__name__", None)
        self.name = name if isinstance(name, str) and name.strip() else type(self.given).__name__
        self.async_mode = bool(getattr(self.given, "async_mode", True))
        self.verbose_mode = bool(getattr(self.given, "verbose_mode", False))
        super().__post_init__()

    @property
    def bar(self) -> float | None:
        """The threshold, where it is one of scores; such a metric may count something else by it."""
        own = getattr(self.given, "threshold", None)
        return float(own) if isinstance(own, int | float) and is_number(own) and 0 <= own <= 1 else None

    @property
    def reads(self) -> tuple[str, ...]:
        """All that a case can say: nobody knows what a class of somebody else reads."""
        return _READ

    def settings(self) -> dict[str, Any]:
        """Return the class and what the object holds, as far as it is plain values."""
        kind = type(self.given)
        held = {name: _plain(item) for name, item in vars(self.given).items() if name not in _FOUND}
        return {"class": f"{kind.__module__}.{kind.__qualname__}", "held": held}

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Measure the case by a copy of the object, and read what it left."""
        case = subject.exchange.case if subject.exchange else subject.case
        measuring = copy.copy(self.given)
        returned = await self._measured(measuring, case)
        if measuring.error is not None:
            raise CaseError(f"{type(self.given).__name__} left an error", detail=str(measuring.error))
        score = returned if measuring.score is None else measuring.score
        if not isinstance(score, numbers.Real) or not 0 <= float(score) <= 1:
            told = "nothing" if score is None else f"{shorten(score)} (a {type(score).__name__})"
            raise CaseError(
                f"{type(self.given).__name__} left no score: {told}",
                detail=f"expected a number from 0 to 1; {self._place()}",
            )
        success = measuring.is_successful()
        reason = measuring.reason
        return Finding(
            score=float(score),
            passed=bool(success) if success is not None else None,
            reason=reason if isinstance(reason, str) else "" if reason is None else shorten(reason, 200),
            details=_details(measuring.score_breakdown),
        )

    async def _measured(self, measuring: Any, case: LLMTestCase | ConversationalTestCase) -> Any:
        kind = type(self.given)
        if _writes(kind, "a_measure") and (self.async_mode or not _writes(kind, "measure")):
            try:
                return await measuring.a_measure(case)
            except NotImplementedError:
                if not _writes(kind, "measure"):
                    raise
        # It may take its time, or ask a model: the others go on meanwhile.
        return await asyncio.to_thread(measuring.measure, case)

    def _place(self) -> str:
        kind = type(self.given)
        return place_of(kind, "measure" if _writes(kind, "measure") else "a_measure")

    @property
    def written(self) -> type:
        """The class that somebody wrote."""
        return type(self.given)


@dataclass(kw_only=True, eq=False)
class OwnConversationalMetric(OwnMetric):
    """A BaseConversationalMetric as evaluations ask it."""

    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; of what JSON has not, the name of its class."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return type(value).__qualname__


def _details(breakdown: Any) -> dict[str, Any]:
    return {"breakdown": _plain(breakdown)} if isinstance(breakdown, Mapping) else {}
