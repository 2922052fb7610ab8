"""Drift: later labels beside the first ones, measured by what others say of the same sessions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.conversations.store import OpinionRow
from turnwise.engine.people.drifting import FEWEST_IN_HALF, drift_of, measured_drift, others_say


def said(session: int, author: str, word: str, at: float = 0.0) -> OpinionRow:
    return OpinionRow(session, author, "", word, True, "", at=at)  # type: ignore[arg-type]


def of_both(ada: list[str], ben: list[str]) -> dict[int, dict[str, OpinionRow]]:
    """What two people say of the same sessions, ada one session a second."""
    return {
        session: {"ada": said(session, "ada", one, at=session), "ben": said(session, "ben", other)}
        for session, (one, other) in enumerate(zip(ada, ben, strict=True))
    }


def test_who_passes_more_than_at_first_drifts() -> None:
    drift = drift_of("ada", of_both(["fail"] * 20 + ["pass"] * 20, ["fail"] * 40))
    assert (drift.beside, drift.sessions, drift.change) == ("others", 40, 1.0)
    assert drift.is_sure
    assert drift.low is not None
    assert drift.high is not None
    assert 0 < drift.low < 1 < drift.high


def test_an_easier_batch_is_no_drift() -> None:
    words = ["fail"] * 20 + ["pass"] * 20
    drift = drift_of("ada", of_both(words, words))
    assert drift.change == 0
    assert not drift.is_sure


def test_labels_count_in_the_order_they_were_given_in() -> None:
    opinions = of_both(["fail"] * 20 + ["pass"] * 20, ["fail"] * 40)
    backwards = {
        session: by | {"ada": said(session, "ada", str(by["ada"].word), at=-session)}
        for session, by in opinions.items()
    }
    assert drift_of("ada", backwards).change == -1.0


def test_without_others_the_metric_that_scored_most_is_the_yardstick() -> None:
    alone = {one: {"ada": said(one, "ada", "fail" if one < 15 else "pass", at=one)} for one in range(30)}
    scores = {"politeness": dict.fromkeys(range(30), False), "brevity": dict.fromkeys(range(9), True)}
    drift = drift_of("ada", alone, scores)
    assert (drift.beside, drift.sessions) == ("politeness", 30)
    assert drift.is_sure


def test_too_few_are_said_with_how_many_more() -> None:
    drift = drift_of("ada", of_both(["pass"] * 7, ["pass"] * 7))
    assert (drift.change, drift.more, drift.is_sure) == (None, 2 * FEWEST_IN_HALF - 7, False)
    assert drift_of("ada", {1: {"ada": said(1, "ada", "pass")}}).beside == ""


def test_others_who_are_split_evenly_say_one_half() -> None:
    by = {"ada": "pass", "ben": "pass", "cem": "fail", "dia": "fail", "eve": "pass"}
    opinions = {1: {author: said(1, author, word) for author, word in by.items()}}
    assert others_say("ada", opinions) == {1: 0.5}
    assert others_say("dia", opinions) == {1: 1.0}
    assert others_say("ada", {1: {"ada": said(1, "ada", "pass")}}) == {}


@settings(max_examples=8, deadline=None)
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2 * FEWEST_IN_HALF, max_size=30))
def test_the_interval_holds_the_change_and_turns_with_it(apart: list[float]) -> None:
    drift = measured_drift("ada", "others", apart)
    mirrored = measured_drift("ada", "others", [-one for one in apart])
    assert drift.change is not None
    assert drift.low is not None
    assert drift.high is not None
    assert -2 <= drift.low <= drift.change <= drift.high <= 2
    assert mirrored.change == pytest.approx(-drift.change)
