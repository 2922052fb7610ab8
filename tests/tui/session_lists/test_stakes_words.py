"""What goes with sessions, in words."""

from __future__ import annotations

import pytest

from turnwise.conversations.store import Stakes
from turnwise.tui.session_lists.stakes_words import stakes_words


@pytest.mark.parametrize(
    ("stakes", "words"),
    [
        (Stakes(1), "1 session with no score and no label"),
        (Stakes(2, scores=1), "2 sessions with 1 score"),
        (
            Stakes(200, 3, 2, 1, 1),
            "200 sessions with 2 labels, 1 given failure mode, 1 preference and 3 scores of all runs",
        ),
    ],
)
def test_labels_stand_first_as_people_gave_them(stakes: Stakes, words: str) -> None:
    assert stakes_words(stakes) == words
