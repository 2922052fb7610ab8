"""The curve says what a criterion found of a conversation as it stood after each turn."""

from __future__ import annotations

import pytest
from rich.style import Style
from stored import keep, land, score

from turnwise.conversations.store import ScoreRow, Store
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.replay.curve_line import curve_line
from turnwise.tui.replay.curve_words import curve_words, newest_curve

TONES = Tones(*[Style.null()] * len(Tones.__slots__))
LOST = {"lost": {"turn": 4, "sure": True, "by": "prefixes"}, "as_of": [[2, 1.0], [4, 0.25], [8, 0.0]]}


@pytest.fixture
def row(store: Store) -> ScoreRow:
    session = keep(store, *"abcdefgh")
    land(store, session, score(0.0, "polite", details=LOST))
    land(store, session, score(0.4, "polite", details={"as_of": "odd"}))
    found = newest_curve(store.scores.of(session))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (1, "no score as of turn 1"),
        (3, "1.00 as of turn 3"),
        (4, "0.25 as of turn 4, fails from turn 4"),
        (9, "0.00 as of turn 9, fails from turn 4"),
    ],
)
def test_it_says_what_was_found_as_of_a_turn(row: ScoreRow, turn: int, words: str) -> None:
    assert curve_words(row, turn) == words


def drawn(row: ScoreRow, turn: int, width: int = 80) -> str:
    return "".join(piece.text for piece in curve_line(row, turn, width, TONES))


def test_each_turn_that_was_judged_has_a_column_and_those_to_come_a_dot(row: ScoreRow) -> None:
    assert drawn(row, 4) == " polite  ▇▂·  0.25 as of turn 4, fails from turn 4"
    assert drawn(row, 8).startswith(" polite  ▇▂▁  0.00")


def test_without_scores_as_of_turns_there_is_none(store: Store) -> None:
    session = keep(store)
    land(store, session, score(0.2))
    assert newest_curve(store.scores.of(session)) is None
