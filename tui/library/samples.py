"""The sample conversations in a database, and what they are judged by."""

from __future__ import annotations

import time
from contextlib import aclosing

from turnwise.conversations.store import Store

SOURCE = "samples"
CHECKS = ("tool_correctness", "exact_match")
"""What needs no judge and no setting."""
JUDGED_METRICS = (
    "role_adherence",
    "knowledge_retention",
    "turn_relevancy",
    "conversation_completeness",
    "answer_relevancy",
    "faithfulness",
)
"""What a judge is offered to judge the samples by."""


def add_samples(store: Store) -> int:
    """Add the samples that are not there yet, and return how many were added."""
    from turnwise.conversations.samples import load_samples

    at = time.time()
    with store.writing():
        added = [
            store.sessions.add(case, source=SOURCE, format="sample", created_at=at) for case in load_samples()
        ]
    return sum(one.what == "new" for one in added)


def is_judged(store: Store) -> bool:
    """Say whether some metric that needs a judge has outcomes here."""
    return not set(store.sessions.metrics()).isdisjoint(JUDGED_METRICS)


async def check_all(store: Store) -> None:
    """Score all sessions by the checks that apply to them; what is scored already is not scored again."""
    from turnwise.engine.metrics.registry import make_metric
    from turnwise.engine.metrics.subject import Subject
    from turnwise.engine.scoring.scoring import score_sessions

    subjects = {
        session_id: Subject.of(store.sessions.case(session_id)) for session_id in store.sessions.ids()
    }
    for key in CHECKS:
        metric = make_metric(key)
        fitting = [
            session_id
            for session_id, whole in subjects.items()
            if any(not metric.lacks(subject) for subject in metric.subjects(whole))
        ]
        if fitting:
            async with aclosing(score_sessions(store, fitting, [metric], None)) as outcomes:
                async for _ in outcomes:
                    pass
