"""A learned metric among others: what it reads, and when it is asked again."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

from stored import keep, land, score

from turnwise.conversations import LLMTestCase
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.engine.learning.features import SCORE_OF
from turnwise.engine.learning.learned_metric import LearnedMetric
from turnwise.engine.learning.learned_signal import LearnedSignal, Measured, Weight
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.scoring.scoring import score_sessions

MEASURED = Measured(
    sessions=40, passed=20, groups=40, folds=5, repeats=5, auc=0.8, low=0.7, high=0.9, brier=0.2,
    brier_of_rate=0.25, reliability=(),
)  # fmt: skip


def signal(*weights: Weight) -> LearnedSignal:
    """Return a signal that rests on some weights, and on nothing else."""
    return LearnedSignal(
        name="sound",
        learned_from="40 labels",
        grouped_by="scenario",
        families=("shape", "scores"),
        weights=weights,
        intercept=0.0,
        slope=1.0,
        shift=0.0,
        penalty=1.0,
        measured=MEASURED,
    )


POLITE = Weight(feature=SCORE_OF + "politeness", mean=0.5, scale=0.1, weight=1.0)
THANKS = Weight(feature="took_leave", mean=0.5, scale=0.5, weight=2.0)


async def test_what_is_not_known_counts_as_average() -> None:
    metric = LearnedMetric(signal=signal(POLITE, THANKS))
    subject = Subject.of(LLMTestCase(input="Where is it?", actual_output="In Oslo."))
    outcome = await metric.judge(subject, None, secret="")
    assert isinstance(outcome, Score)
    assert 0.1 < outcome.score < 0.13  # the sigmoid of -2
    assert outcome.details["against"] == ["the user takes leave at the end"]
    assert "12 % of sessions like this pass, by 40 labels" in outcome.reason


async def test_a_new_score_of_what_it_looks_at_asks_it_again(tmp_path: Path) -> None:
    metric = LearnedMetric(signal=signal(POLITE))

    async def scored(store: Store, session: int) -> tuple[float, bool]:
        async with aclosing(score_sessions(store, [session], [metric], None)) as outcomes:
            [found] = [one async for one in outcomes]
        assert isinstance(found.outcome, Score)
        return round(found.outcome.score, 3), found.kept

    with Store.open(tmp_path / "turnwise.db") as store:
        session = keep(store)
        land(store, session, score(0.5))
        assert await scored(store, session) == (0.5, False)
        land(store, session, score(0.3, "another"))
        assert await scored(store, session) == (0.5, True)
        land(store, session, score(0.7))
        assert await scored(store, session) == (0.881, False)


def test_the_threshold_is_no_part_of_what_it_is() -> None:
    loose, strict = signal(POLITE), signal(POLITE).model_copy(update={"threshold": 0.9})
    assert LearnedMetric(signal=loose).fingerprint == LearnedMetric(signal=strict).fingerprint
    assert loose.fingerprint != signal(THANKS).fingerprint
