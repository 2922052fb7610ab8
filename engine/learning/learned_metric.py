"""Learned metrics: a signal that was learned from labels, as a metric beside the others: `learned:NAME`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import SignalVersion, Store
from turnwise.conversations.words import did_you_mean, percent
from turnwise.engine.learning.features import features_of
from turnwise.engine.learning.learned_signal import LearnedSignal
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject

PREFIX = "learned:"
"""How the name of a learned metric begins."""
_TOLD = 3


@dataclass(kw_only=True, eq=False)
class LearnedMetric(Metric):
    """How probably a session passes, from what labels taught of others like it; nobody is asked.

    signal: what was learned.
    """

    key: ClassVar[str] = "learned"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="logistic regression over what the conversation shows; see `turnwise learn show NAME`",
        source="turnwise; calibrated after Platt 1999",
        empty="what is not known of a conversation counts as average",
        calls="none",
    )

    signal: LearnedSignal

    def __post_init__(self) -> None:
        self.name = self.name or PREFIX + self.signal.name
        super().__post_init__()

    def settings(self) -> dict[str, Any]:
        """Return what the score depends on: what was learned."""
        return {"name": self.name, "strict_mode": self.strict_mode, "signal": self.signal.fingerprint}

    @property
    def reads(self) -> tuple[str, ...]:
        """The turns, the uses of tools and the times of replies, and kept scores where it looks at any."""
        return ("turns", "tools_called", "reply_seconds", *(("kept_scores",) if self.reads_scores else ()))

    @property
    def reads_scores(self) -> tuple[str, ...]:
        """The metrics whose kept scores it looks at."""
        return tuple(self.signal.scores_read)

    def lacks(self, subject: Subject) -> str:
        """Skip only what has no turn: a single exchange is a short conversation."""
        return "" if subject.numbered else "the case has no turns"

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Foretell whether people would pass the session."""
        features = features_of(subject, self.signal.families)
        probability = self.signal.probability(features)
        speaks_for, against = self.signal.speaks(features, _TOLD)
        reason = f"{percent(probability)} of sessions like this pass, by {self.signal.learned_from}."
        if speaks_for:
            reason += f" For it: {'; '.join(speaks_for)}."
        if against:
            reason += f" Against it: {'; '.join(against)}."
        return Finding(score=probability, reason=reason, details={"for": speaks_for, "against": against})


def signal_of(version: SignalVersion) -> LearnedSignal:
    """Return what a version learned. Raises SettingError where this program does not understand it."""
    try:
        return LearnedSignal.model_validate_json(version.content)
    except ValueError as error:
        raise SettingError(
            f"The learned signal {version.name} is of another turnwise",
            detail=str(error),
            next_step=f"Learn it anew: `turnwise learn new {version.name}`.",
        ) from None


def metric_of(version: SignalVersion) -> LearnedMetric:
    """Return the metric of a version. Raises SettingError as `signal_of` does."""
    signal = signal_of(version)
    return LearnedMetric(signal=signal, threshold=signal.threshold)


def learned_version(store: Store, name: str) -> SignalVersion:
    """Return the newest version of a signal by its name, with or without PREFIX. Raises NotFoundError."""
    wanted = name.strip().removeprefix(PREFIX)
    standing = store.learned.standing()
    found = next((one for one in standing if one.name.casefold() == wanted.casefold()), None)
    if found is None:
        names = [one.name for one in standing]
        raise NotFoundError(
            f"Nothing was learned as {wanted}",
            detail=f"Learned: {', '.join(names)}" if names else "Nothing was learned yet in this database.",
            next_step=did_you_mean(wanted, names)
            or f"Learn it from your labels: `turnwise learn new {wanted}`.",
        )
    return found


def is_learned(name: str) -> bool:
    """Whether a metric's name is that of a learned one."""
    return name.strip().casefold().startswith(PREFIX)
