"""Easy questions: three with known answers, to see that a judge answers, and in what form."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Outcome, Score
from turnwise.engine.judge.judge import Judge
from turnwise.engine.metrics.conversation.role_adherence import RoleAdherenceMetric
from turnwise.engine.metrics.geval import ConversationalGEval
from turnwise.engine.metrics.last_turn.answer_relevancy import AnswerRelevancyMetric
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.models.choose import choose_model
from turnwise.engine.models.settings import ModelSettings

if TYPE_CHECKING:
    from turnwise.engine.models.embedded.server import SharedServers

_CASE = ConversationalTestCase(
    chatbot_role="The receptionist of a small hotel by the sea",
    turns=[
        {"role": "user", "content": "Until when can I have breakfast tomorrow?"},
        {
            "role": "assistant",
            "content": "Breakfast is served until half past ten, on the terrace if it is dry.",
        },
    ],
)


@dataclass(frozen=True, slots=True)
class EasyAnswers:
    """How a judge answered easy questions.

    right: how many of the known answers it gave. weighted: whether scores are weighted by token probability.
    """

    judge: str
    address: str
    questions: int
    right: int
    seconds: float
    weighted: bool
    failures: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """Return what came of it as JSON-ready values."""
        return {**asdict(self), "failures": list(self.failures)}

    def lines(self) -> list[str]:
        """Return what came of it as a few lines for a person."""
        chances = "gives token probabilities" if self.weighted else "gives no token probabilities"
        told = [
            f"{self.judge} at {self.address}",
            f"{self.right} of {self.questions} easy questions right, {self.seconds:.1f} s; {chances}.",
        ]
        return told + [f"! {failure}" for failure in self.failures]


OnProgress = Callable[[int, int], None]
"""Hears which question is asked now, from 1, and of how many; 0 is the loading of an embedded model."""


async def ask_easy_questions(
    spec: str | None,
    *,
    on_progress: OnProgress = lambda question, questions: None,
    limited: Callable[[ModelSettings], ModelSettings] = lambda settings: settings,
) -> EasyAnswers:
    """Put three questions to a judge. limited: sets how long it is waited for.

    Raises SettingError without a judge, JudgeError where it is away.
    """
    metrics: list[Metric] = [
        RoleAdherenceMetric(),
        AnswerRelevancyMetric(),
        ConversationalGEval(
            name="Answer", evaluation_steps=["Check whether the user's question is answered."]
        ),
    ]
    settings = await choose_model(spec)
    if settings is None:
        raise SettingError(
            "There is no judge to try",
            next_step="Name one, or fetch one: `turnwise judge pull qwen2.5-coder-1.5b`.",
        )
    settings = limited(settings)
    async with AsyncExitStack() as stack:
        servers = None
        if settings.model_file is not None and not settings.is_offline:
            on_progress(0, len(metrics))
            servers = await _loaded(settings, stack)
        judge = await stack.enter_async_context(Judge(settings, servers=servers))
        began = time.perf_counter()
        outcomes: list[Outcome] = []
        for question, metric in enumerate(metrics, start=1):
            on_progress(question, len(metrics))
            subject = metric.subjects(Subject.of(_CASE))[0]
            outcomes.append(await metric.judge(subject, judge, secret=judge.secret))
        weighted = isinstance(outcomes[-1], Score) and "weighted" in outcomes[-1].details
        return EasyAnswers(
            judge=judge.settings.model,
            address=judge.settings.address,
            questions=len(metrics),
            right=sum(isinstance(outcome, Score) and outcome.score > 0.5 for outcome in outcomes),
            seconds=round(time.perf_counter() - began, 2),
            weighted=weighted,
            failures=tuple(outcome.reason for outcome in outcomes if not isinstance(outcome, Score)),
        )


async def _loaded(settings: ModelSettings, stack: AsyncExitStack) -> SharedServers:
    """Load an embedded model before the first question, as the judge would, for as long as the stack is."""
    from turnwise.engine.models.embedded.server import DEFAULT_CONTEXT, SharedServers

    assert settings.model_file is not None  # noqa: S101
    servers = SharedServers()
    await stack.enter_async_context(
        servers.use(
            settings.model_file,
            context=settings.context_tokens or DEFAULT_CONTEXT,
            parallel=settings.concurrency,
        )
    )
    return servers
