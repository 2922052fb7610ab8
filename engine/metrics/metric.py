"""Metric: the base of everything that scores a conversation or one exchange of it.

A metric is a small class: what it needs, what it asks, and how the verdicts become a score. It implements
`assess`; everything else (skipping, thresholds, strict mode, the face of the library) is here.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError, JudgeError, SettingError, TurnwiseError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.images import MLLMTestCase
from turnwise.conversations.models import shorten
from turnwise.conversations.results import NO_JUDGE, Failure, Outcome, Score, Skipped
from turnwise.engine.checks.findings import Finding as Finding
from turnwise.engine.checks.judged_twice import lower_of, twice_reason
from turnwise.engine.judge.masked_words import left_out_details, left_out_reason
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.definitions import (
    MetricType,
    check_definition,
    checked_finding,
    is_number,
    is_ours,
    what_happened,
)
from turnwise.engine.metrics.explaining import NAME_A_JUDGE, explain, indicator, step_to_field
from turnwise.engine.metrics.masking import masked_subject, quotes_as_written, undoubted_subject
from turnwise.engine.metrics.subject import Subject

if TYPE_CHECKING:
    from turnwise.engine.judge.calls import JudgeCall
    from turnwise.engine.judge.judge import Judge, JudgeNamed


Scope = Literal["conversation", "exchange"]


AnyCase = ConversationalTestCase | LLMTestCase | MLLMTestCase


_NOT_IDENTITY = frozenset({"threshold", "model", "include_reason", "async_mode", "verbose_mode", "direction"})


@dataclass(eq=False)
class Metric(metaclass=MetricType):
    """A way to score a conversation (scope "conversation") or an exchange (scope "exchange").

    threshold: a score passes at or above it. strict_mode: only a perfect score counts, and passes.
    model: the judge for `measure`: a Judge, what `choose_model` takes (a URL, a model's name, "embedded"), or
    a model of your own, as `open_judge` takes it.
    include_reason: whether results tell why. async_mode: whether it may ask several questions at once.
    verbose_mode: print how the score came about.

    After `measure`: score, reason, success and outcome hold what was found; score_breakdown its parts,
    verbose_logs how it came about, evaluation_cost US dollars, evaluation_model who judged, and error why
    there is no score.
    """

    key: ClassVar[str]
    """The name by which the metric is asked for."""
    positional: ClassVar[tuple[str, ...]] = (
        "threshold",
        "model",
        "include_reason",
        "async_mode",
        "strict_mode",
        "verbose_mode",
    )
    """The settings that may be given without their names, in this order."""
    version: ClassVar[int] = 1
    """Rises whenever the same case could get another score."""
    scope: ClassVar[Scope]
    needs: ClassVar[tuple[str, ...]] = ()
    """The fields of the case that must be there."""
    uses_judge: ClassVar[bool] = True
    sees_images: ClassVar[bool] = False
    """Whether it judges an MLLMTestCase, by its images, and no other case."""
    account: ClassVar[Account] = Account()
    """Formula, source, range, the empty case and the number of calls; they end the class's docstring."""
    questions: ClassVar[int] = 1
    """How many questions one subject takes, as a rule, of a judge that is asked many things in one."""
    main_setting: ClassVar[str] = ""
    """The setting that a bare value after the metric's name is for, as in `contains:refund`."""
    main_sample: ClassVar[str] = ""
    """What that setting could be, where a metric cannot be made without it."""

    threshold: float = 0.5
    model: JudgeNamed = None
    include_reason: bool = True
    async_mode: bool = True
    strict_mode: bool = False
    verbose_mode: bool = False
    name: str = field(default="", kw_only=True)

    score: float | None = field(default=None, init=False, repr=False)
    reason: str | None = field(default=None, init=False, repr=False)
    success: bool | None = field(default=None, init=False, repr=False)
    outcome: Outcome | None = field(default=None, init=False, repr=False)
    error: str | None = field(default=None, init=False, repr=False)
    evaluation_model: str | None = field(default=None, init=False, repr=False)
    _lasting: dict[str, JudgeCall] = field(default_factory=dict, init=False, repr=False)

    def __init_subclass__(cls, *, abstract: bool = False, **more: Any) -> None:
        """Check a metric where it is defined. abstract: it is what several metrics share, and none itself."""
        super().__init_subclass__(**more)
        if not abstract:
            check_definition(cls)
        if "key" in cls.__dict__ and cls.account is Metric.account:
            cls.account = Account(calls="" if cls.uses_judge else "none")
        if "account" in cls.__dict__ and cls.__doc__:
            # Stated once, for programs, and told in the docstring, for people.
            told = cls.account.as_text(cls.needs, cls.version)
            cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n\n{told}"

    def __post_init__(self) -> None:
        self.name = self.name or self._own_name()
        if not is_number(self.threshold) or not 0 <= self.threshold <= 1:
            raise SettingError(
                f"{self.name}: a threshold lies between 0 and 1", detail=f"Given: {shorten(self.threshold)}"
            )
        if self.strict_mode:
            self.threshold = 1.0

    def _own_name(self) -> str:
        """Return the key, with the main setting where there is one, so that two settings have two names."""
        main = getattr(self, self.main_setting, None) if self.main_setting else None
        told = str(main) if isinstance(main, str | int | float) and not isinstance(main, bool) else ""
        return f"{self.key}:{shorten_line(told)}" if told.strip() else self.key

    @abstractmethod
    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Judge a subject that has what the metric needs. Raises JudgeError where no answer can be had."""

    def lacks(self, subject: Subject) -> str:
        """Say why the metric does not apply to a subject; empty where it does."""
        if self.scope == "conversation" and subject.single:
            return "this is a single exchange, and the metric judges conversations"
        if self.scope == "exchange" and subject.exchange is None:
            return "the chatbot never answered"
        missing = [name for name in self.needs if subject.value(name) in (None, "")]
        return f"the case has no {' and no '.join(missing)}" if missing else ""

    def settings(self) -> dict[str, Any]:
        """Return what the score depends on beside case and judge, as JSON-ready values."""
        named = (item.name for item in fields(self) if item.init and item.name not in _NOT_IDENTITY)
        return {name: _plain(getattr(self, name)) for name in named}

    @property
    def reads(self) -> tuple[str, ...]:
        """The fields of the case that its outcome depends on, beside what was said."""
        return self.needs

    @property
    def reads_scores(self) -> tuple[str, ...]:
        """The metrics whose kept scores it looks at, as `Subject.kept_scores` holds them."""
        return ()

    @property
    def bar(self) -> float | None:
        """The score from which on an outcome passes; None where the finding itself says."""
        return self.threshold

    @property
    def written(self) -> type:
        """The class that was written for the metric, which is named where it is wrong."""
        return type(self)

    @property
    def questions_once(self) -> int:
        """How many questions it asks once, for all subjects together."""
        return 0

    @property
    def fingerprint(self) -> str:
        """Name the metric, its version and its settings; the threshold is not a part of it."""
        return fingerprint([self.key, self.version, self.settings()])

    def subjects(self, whole: Subject, *, each_turn: bool = False) -> list[Subject]:
        """Return what of a case this metric judges: all of it, its last exchange, or every exchange."""
        if self.scope == "conversation":
            return [whole]
        last = whole.case.last_numbered_exchange
        exchanges = whole.exchanges if each_turn else [last] if last else []
        return [whole.at(exchange) for exchange in exchanges]

    async def judge(self, subject: Subject, judge: Judge | None, *, secret: str) -> Outcome:
        """Judge one subject and return what came of it; a judge's trouble is a Failure, never a score.

        Raises SettingError and BudgetSpentError, which every further subject would end with too.
        """
        exchange = subject.exchange.number if subject.exchange else None
        asking = Asking(judge, secret=secret, at_once=self.async_mode, lasting=self._lasting)
        began = time.perf_counter()
        try:
            if reason := self.lacks(subject):
                return Skipped(metric=self.name, reason=reason, exchange=exchange)
            if self.uses_judge and judge is None:
                return Skipped(metric=self.name, reason=NO_JUDGE, exchange=exchange)
            seen, left_out = masked_subject(subject, self.reads) if self.uses_judge else (subject, ())
            finding = await self._found(subject, seen, asking)
        except Exception as error:
            # A metric that somebody else wrote may raise what it likes: it is a failure of this subject.
            ends_all = isinstance(error, SettingError) and is_ours(self.written)
            if ends_all or (isinstance(error, JudgeError) and error.stops_run):
                raise
            return Failure(
                metric=self.name,
                reason=what_happened(error, self.written),
                exchange=exchange,
                calls=tuple(asking.calls),
                seconds=time.perf_counter() - began,
                cost=asking.cost,
                kind=error.kind if isinstance(error, JudgeError) else "error",
                next_step=error.next_step if isinstance(error, TurnwiseError) else "",
            )
        value = min(1.0, max(0.0, finding.score))
        return Score(
            metric=self.name,
            score=(1.0 if value >= 1 else 0.0) if self.strict_mode else value,
            threshold=self.bar,
            stated=finding.passed,
            reason=f"{finding.reason}{twice_reason(finding.details)}{left_out_reason(left_out)}",
            verdicts=tuple(finding.verdicts),
            details={**finding.details, **left_out_details(left_out)},
            exchange=exchange,
            calls=tuple(asking.calls),
            seconds=time.perf_counter() - began,
            cost=asking.cost,
        )

    async def _found(self, subject: Subject, seen: Subject, asking: Asking) -> Finding:
        """Return what is found of a subject as a judge sees it.

        Where something in it may speak to whoever judges it is judged without that too, and the lower finding
        stands.
        """

        async def one(shown: Subject) -> Finding:
            finding = checked_finding(self.written, await self.assess(shown, asking))
            if shown is subject:
                return finding
            return replace(finding, verdicts=quotes_as_written(finding.verdicts, subject, shown))

        finding = await one(seen)
        undoubted = undoubted_subject(subject, self.reads) if self.uses_judge else None
        if undoubted is None:
            return finding
        without, doubtful = undoubted
        return lower_of(finding, await one(without), doubtful)

    # The face of the library.

    def measure(self, case: AnyCase, _show_indicator: bool = False) -> float:
        """Judge a case and return its score; also works where an event loop runs, as in a notebook.

        _show_indicator: whether to show on standard error that it is under way. Raises CaseError where the
        metric does not fit the case, JudgeError where no answer can be had.
        """
        return float(run_blocking(self.a_measure(case, _show_indicator)))

    async def a_measure(self, case: AnyCase, _show_indicator: bool = False) -> float:
        """Judge a case and return its score; see `measure`."""
        from turnwise.engine.judge.judge import open_judge

        self.score = self.reason = self.success = self.outcome = None
        self.error = self.evaluation_model = None
        subject = subject_for(self, case)
        if reason := self.lacks(subject):
            self.error = f"{self.name} cannot judge this case: {reason}"
            raise CaseError(self.error, next_step=step_to_field(reason))
        with indicator(1, shown=_show_indicator) as advance:
            async with open_judge(self.model, needed=self.uses_judge) as judge:
                self.evaluation_model = judge.settings.model if judge else None
                outcome = await self.judge(subject, judge, secret=judge.secret if judge else "")
            advance()
        return self._take(outcome)

    def _take(self, outcome: Outcome) -> float:
        self.outcome = outcome
        if not isinstance(outcome, Score):
            self.error = self.reason = outcome.reason
            step = outcome.next_step if isinstance(outcome, Failure) else NAME_A_JUDGE
            raise JudgeError(f"{self.name} could not be judged", detail=outcome.reason, next_step=step)
        self.score, self.success = outcome.score, outcome.passed
        self.reason = outcome.reason if self.include_reason else None
        if self.verbose_mode:
            print(self.verbose_logs)
        return outcome.score

    def is_successful(self) -> bool:
        """Say whether the last measured case passes; False before the first."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        """The metric's name."""
        return self.name

    @property
    def evaluation_cost(self) -> float | None:
        """What the judge cost for the last measured case, in US dollars; None where no price is known."""
        return self.outcome.cost if self.outcome else None

    @property
    def score_breakdown(self) -> dict[str, Any] | None:
        """What the last score was made of; None without one."""
        return dict(self.outcome.details) if isinstance(self.outcome, Score) else None

    @property
    def verbose_logs(self) -> str | None:
        """How the last score came about, in lines of text; None without one."""
        return explain(self.outcome) if isinstance(self.outcome, Score) else None


def check_pairing(metric: Metric, case: AnyCase) -> None:
    """Raise CaseError where a metric can never judge such a case."""
    if isinstance(case, MLLMTestCase) != metric.sees_images or not isinstance(case, AnyCase):
        fitting = "an MLLMTestCase" if metric.sees_images else "an LLMTestCase or a ConversationalTestCase"
        raise CaseError(
            f"{metric.name} judges {fitting}",
            detail=f"Given: {shorten(case)}",
        )
    if metric.scope == "conversation" and isinstance(case, LLMTestCase):
        raise CaseError(
            f"{metric.name} judges whole conversations, and this is a single exchange",
            next_step="Put it in a ConversationalTestCase(turns=[...]), or use a last-turn metric.",
        )


def subject_for(metric: Metric, case: AnyCase) -> Subject:
    """Return the subject of a metric in a case. Raises CaseError where the two do not go together."""
    check_pairing(metric, case)
    subjects = metric.subjects(Subject.of(case))
    if not subjects:
        raise CaseError(f"{metric.name} judges a reply, and the chatbot never answered in this case")
    return subjects[0]


def check_names(metrics: Sequence[Metric]) -> None:
    """Raise SettingError where two metrics have one name, because their scores could not be told apart."""
    names = [metric.name for metric in metrics]
    if doubled := next((name for name in names if names.count(name) > 1), None):
        raise SettingError(
            f"Two metrics are called {doubled}", next_step="Give one of them another name, or leave one out."
        )


def given_list(given: Sequence[Any] | str) -> list[Any]:
    """Return the items of a setting that is given as a list, or as a text with commas between them."""
    if isinstance(given, str):
        return [part.strip() for part in given.split(",") if part.strip()]
    return list(given)


def lacking(metric: Metric, what: str) -> SettingError:
    """Return the error of a metric that is made without its main setting. what: what that is."""
    kind = type(metric)
    sample = f"{kind.__name__}({kind.main_setting}={kind.main_sample!r})"
    return SettingError(f"{metric.key} needs {what}", next_step=f"For example: {sample}")


def check_listed(metric: Metric, what: str, items: Sequence[Any]) -> None:
    """Raise SettingError where the list that is a metric's main setting is empty. what: what it is."""
    if not items or not all(item if not isinstance(item, str) else item.strip() for item in items):
        raise lacking(metric, what)


def shorten_line(text: str, limit: int = 40) -> str:
    """Return a text as one line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def run_blocking(coroutine: Any) -> Any:
    """Run a coroutine to its end from code that is not async, whether or not a loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, type):
        return value.model_json_schema() if hasattr(value, "model_json_schema") else value.__qualname__
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return getattr(value, "value", value)
