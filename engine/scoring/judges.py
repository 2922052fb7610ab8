"""Judges: who judges in a run, one for all metrics and others for single ones, within one budget.

async with open_judges(usual, {"faithfulness": small}, book=book) as judges:
    async for scored in score_sessions(store, sessions, metrics, judges):
        ...
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.metric_names import near_name, same_name

if TYPE_CHECKING:
    from turnwise.engine.judge.calls import CallBook
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class Judges:
    """Who judges. usual: all that no other does; None is nobody. by_metric: others, by names of metrics."""

    usual: Judge | None = None
    by_metric: Mapping[str, Judge] = field(default_factory=dict)

    @classmethod
    def of_all(cls, judge: Judge | Judges | None) -> Judges:
        """Return judges as they are, and one judge as the one of all metrics."""
        return judge if isinstance(judge, Judges) else cls(judge)

    def of(self, metric: Metric) -> Judge | None:
        """Return who judges by a metric. One that asks nobody counts to the usual judge."""
        return self.by_metric.get(metric.name, self.usual) if metric.uses_judge else self.usual

    @property
    def all(self) -> Sequence[Judge]:
        """Each judge once, the usual one first."""
        named = (self.usual, *self.by_metric.values())
        return list({id(judge): judge for judge in named if judge is not None}.values())

    @property
    def title(self) -> str:
        """The models by their names, as runs are listed."""
        return ", ".join(dict.fromkeys(judge.settings.model for judge in self.all)) or "none"

    def metrics_of(self, judge: Judge) -> list[str]:
        """Return the metrics that a judge other than the usual one was named for."""
        return [name for name, one in self.by_metric.items() if one is judge and one is not self.usual]

    def settings(self) -> dict[str, Any]:
        """Return what is worth remembering of the judges, without their keys."""
        told = judge_settings(self.usual)
        others = {name: judge_settings(judge) for name, judge in self.by_metric.items()}
        return {**told, "judges_for": others} if others else told


def judge_settings(judge: Judge | None) -> dict[str, Any]:
    """Return what is worth remembering of a judge, without its key."""
    if judge is None:
        return {}
    settings = judge.settings
    return {
        "model": settings.model,
        "address": settings.address,
        "temperature": settings.temperature,
        "fingerprint": judge.fingerprint,
        **({"context_tokens": settings.context_tokens} if settings.context_tokens else {}),
    }


@asynccontextmanager
async def open_judges(
    usual: ModelSettings | None, by_metric: Mapping[str, ModelSettings], *, book: CallBook
) -> AsyncIterator[Judges]:
    """Open judges, and close them afterwards; those of equal settings are one.

    A budget in their settings is one for all of them: what one spends the others do not have.
    """
    from turnwise.engine.judge.budget import Purse
    from turnwise.engine.judge.judge import Judge

    purse = Purse()
    opened: list[tuple[ModelSettings, Judge]] = []
    async with AsyncExitStack() as stack:

        async def open_one(settings: ModelSettings) -> Judge:
            for known, judge in opened:
                if known == settings:
                    return judge
            judge = await stack.enter_async_context(Judge(settings, book, purse=purse))
            opened.append((settings, judge))
            return judge

        first = None if usual is None else await open_one(usual)
        others = {name: await open_one(settings) for name, settings in by_metric.items()}
        yield Judges(first, others)


@dataclass(frozen=True, slots=True)
class JudgeFor:
    """That a metric has a judge of its own. metric: as it was typed. judge: as `--judge` takes it."""

    metric: str
    judge: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Read METRIC=JUDGE. Raises SettingError."""
        metric, sign, judge = (part.strip() for part in text.partition("="))
        if not (metric and sign and judge):
            raise SettingError(
                "A judge for a metric is written METRIC=JUDGE",
                detail=f"Given: {text}",
                next_step="For example: --judge-for faithfulness=http://127.0.0.1:11434/v1#qwen3",
            )
        return cls(metric, judge)


def named_for(wanted: Iterable[JudgeFor], metrics: Sequence[Metric]) -> dict[str, str]:
    """Return the judges of single metrics, as they were named, by the names of those metrics.

    Raises SettingError for a metric that is none of those that judge, for one that asks no judge, and where
    two judges are named for one.
    """
    known = {metric.name: metric for metric in metrics}
    found: dict[str, str] = {}
    for one in wanted:
        name = same_name(one.metric, known)
        if name is None:
            near = near_name(one.metric, known)
            raise SettingError(
                f"A judge is named for {one.metric}, which is not among the metrics of this run",
                detail=f"They are {', '.join(known)}.",
                next_step=f"Did you mean {near}?" if near else "Name it with --metric too, or leave it out.",
            )
        if not known[name].uses_judge:
            raise SettingError(
                f"A judge is named for {name}, which asks none", next_step="Leave that judge out."
            )
        if found.get(name, one.judge) != one.judge:
            raise SettingError(f"Two judges are named for {name}", detail=f"{found[name]} and {one.judge}")
        found[name] = one.judge
    return found
