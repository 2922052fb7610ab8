"""Retrieval: what the metrics share that judge what was looked up, and not what was made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.metric import Metric, Scope
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class RetrievalMetric(Metric):
    """A metric that judges the passages of an exchange, also of one that waits for its reply."""

    scope: ClassVar[Scope] = "exchange"

    def subjects(self, whole: Subject, *, each_turn: bool = False) -> list[Subject]:
        """Return the exchanges with a reply that are asked for; the last where there is no reply at all."""
        answered = super().subjects(whole, each_turn=each_turn)
        return answered or [whole.at(exchange) for exchange in whole.case.numbered_exchanges[-1:]]
