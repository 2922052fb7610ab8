"""A trial of a judge: three easy questions with known answers, to see that it answers and in what form."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Outcome, Score
from turnwise.engine.judge.choose import open_judge
from turnwise.engine.metrics.conversation.role_adherence import RoleAdherenceMetric
from turnwise.engine.metrics.geval import ConversationalGEval
from turnwise.engine.metrics.last_turn.answer_relevancy import AnswerRelevancyMetric
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject

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
class Trial:
    """How a judge did.

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
        """Return the trial as JSON-ready values."""
        return {**asdict(self), "failures": list(self.failures)}

    def lines(self) -> list[str]:
        """Return the trial as a few lines for a person."""
        chances = "gives token probabilities" if self.weighted else "gives no token probabilities"
        told = [
            f"{self.judge} at {self.address}",
            f"{self.right} of {self.questions} easy questions right, {self.seconds:.1f} s; {chances}.",
        ]
        return told + [f"! {failure}" for failure in self.failures]


async def try_judge(spec: str | None) -> Trial:
    """Put three questions to a judge. Raises SettingError without one, JudgeError where it is away."""
    metrics: list[Metric] = [
        RoleAdherenceMetric(),
        AnswerRelevancyMetric(),
        ConversationalGEval(
            name="Answer", evaluation_steps=["Check whether the user's question is answered."]
        ),
    ]
    async with open_judge(spec) as judge:
        if judge is None:
            raise SettingError(
                "There is no judge to try",
                next_step="Name one, or fetch one: `turnwise judge pull qwen2.5-coder-1.5b`.",
            )
        began = time.perf_counter()
        outcomes: list[Outcome] = []
        for metric in metrics:
            subject = metric.subjects(Subject.of(_CASE))[0]
            outcomes.append(await metric.judge(subject, judge, secret=judge.secret))
        weighted = isinstance(outcomes[-1], Score) and "weighted" in outcomes[-1].details
        return Trial(
            judge=judge.settings.model,
            address=judge.settings.address,
            questions=len(metrics),
            right=sum(isinstance(outcome, Score) and outcome.score > 0.5 for outcome in outcomes),
            seconds=round(time.perf_counter() - began, 2),
            weighted=weighted,
            failures=tuple(outcome.reason for outcome in outcomes if not isinstance(outcome, Score)),
        )
