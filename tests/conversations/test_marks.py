"""One table of signs: the app, the commands and the exports write an outcome or a label alike."""

from __future__ import annotations

from typing import Literal

import pytest

from turnwise.conversations.marks import LABEL_SIGNS, WORST_FIRST, outcome_sign, verdict_sign
from turnwise.conversations.store.mending.session_rows import Mark


@pytest.mark.parametrize(
    ("outcome", "passed", "sign"),
    [
        ("score", True, "✓"),
        ("score", False, "✗"),
        ("score", None, "~"),
        ("skipped", None, "–"),
        ("failure", None, "!"),
    ],
)
def test_every_outcome_has_a_sign_of_its_own(
    outcome: Literal["score", "failure", "skipped"], passed: bool | None, sign: str
) -> None:
    mark = Mark(outcome=outcome, score=None, passed=passed)
    assert outcome_sign(mark) == sign
    assert sign in WORST_FIRST


def test_a_verdict_has_the_sign_that_its_score_would_have() -> None:
    assert [verdict_sign(passed) for passed in (True, False, None)] == ["✓", "✗", "~"]


def test_a_deferred_label_is_unsure_and_one_taken_back_says_nothing() -> None:
    assert LABEL_SIGNS == {"pass": "✓", "fail": "✗", "defer": "~", None: "–"}
