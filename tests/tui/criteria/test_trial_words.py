"""What a trial of a criterion comes to, and what moved since the one before, in words."""

from __future__ import annotations

import pytest

from turnwise.engine.people.agreement import Figure
from turnwise.tui.criteria.trial_words import difference_words


@pytest.mark.parametrize(
    ("figure", "labels", "said"),
    [
        (Figure(0.25, -0.1, 0.58), 12, "+0.25 (−0.10 to +0.58)"),
        (Figure(0.25, -0.1, 0.58), 3, "+0.25, too few labels"),
        # One label has no interval at all, and a kappa never has one.
        (Figure(1.0), 1, "+1.00, too few labels"),
        (Figure(-0.2), 12, "−0.20"),
        (Figure(None), 0, ""),
    ],
)
def test_a_difference_of_too_few_labels_says_so(figure: Figure, labels: int, said: str) -> None:
    assert difference_words(figure, labels) == said
