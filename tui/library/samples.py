"""The sample conversations in a database, and what a judge is offered to judge them by."""

from __future__ import annotations

import time

from turnwise.conversations.store import Store

SOURCE = "samples"
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
