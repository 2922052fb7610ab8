"""An estimate of what a run will ask and cost, made before it begins from lengths alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.store import Store
from turnwise.engine.judge.questions import (
    CHARACTERS_A_TOKEN,
    TOKENS_A_TURN,
    TOKENS_OF_A_VERDICT,
    TOKENS_OF_RULES,
)
from turnwise.engine.metrics.metric import Metric

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run will ask at most, were nothing of it judged already.

    questions: calls of the judge. tokens: prompt and reply together. cost: in US dollars; None where no
    price is known.
    """

    questions: int
    tokens: int
    cost: float | None

    def words(self) -> str:
        """Return the estimate in words: "at most 400 questions, about 310,000 tokens, about $0.13"."""
        cost = f", about ${self.cost:.2f}" if self.cost is not None else ""
        noun = "question" if self.questions == 1 else "questions"
        return f"at most {self.questions:,} {noun}, about {round(self.tokens, -2):,} tokens{cost}"


def estimate_run(
    store: Store, session_ids: Sequence[int], metrics: Sequence[Metric], settings: ModelSettings
) -> Estimate:
    """Estimate a run over whole conversations or their last exchanges.

    A judge that is asked one thing at a time makes about as many calls as a conversation has replies, over a
    few turns each.
    """
    from turnwise.engine.models.prices import cost_of

    judged = sum(metric.questions for metric in metrics if metric.uses_judge)
    characters, turns = store.turns.lengths(session_ids)
    if settings.is_small:
        questions = judged * max(len(session_ids), turns // 2)
        prompt = questions * TOKENS_OF_RULES + round(2 * judged * characters / CHARACTERS_A_TOKEN)
        reply = questions * TOKENS_OF_A_VERDICT
    else:
        questions = judged * len(session_ids)
        prompt = questions * TOKENS_OF_RULES + judged * turns * TOKENS_A_TURN
        prompt += round(judged * characters / CHARACTERS_A_TOKEN)
        reply = judged * max(turns // 2, len(session_ids)) * TOKENS_OF_A_VERDICT
    once = sum(metric.questions_once for metric in metrics if metric.uses_judge) if session_ids else 0
    questions += once
    prompt += once * TOKENS_OF_RULES
    reply += once * TOKENS_OF_A_VERDICT
    usage = {"prompt_tokens": prompt, "completion_tokens": reply}
    return Estimate(questions, prompt + reply, cost_of(usage, settings, settings.model))
