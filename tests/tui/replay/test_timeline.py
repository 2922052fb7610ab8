"""The line shows every stop where there is room, and loses none that failed where there is not."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store.events import Event
from turnwise.conversations.store.mending.session_rows import SessionRow
from turnwise.conversations.store.modes.rows import SessionModeRow
from turnwise.conversations.store.rows import LabelRow, ScoreRow, TurnRow
from turnwise.tui.replay.timeline import Stop, cells_of, stops_of, times_later, times_of

SESSION = Event("session", 0.0, SessionRow(1, "n", "", 2, (), "s", 0.0))


def turn(number: int | None, at: float | None = None) -> Event:
    return Event("turn", at, TurnRow(number or 0, number, "user" if number else "tool", "x", at=at))


def score(passed: bool | None, outcome: str = "score") -> Event:
    row = ScoreRow(1, 1, "m", outcome, 0.5, 0.5, passed, "", None, 0.0, "", 1, 1)  # type: ignore[arg-type]
    return Event("score", None, row)


LABEL = Event("label", None, LabelRow(1, 1, "fail", None, "", "anna", True, 0.0))

MODE = Event("mode", None, SessionModeRow(1, 1, "Asks again", True, 2, "anna", 0.0))


def test_turns_scores_labels_and_failure_modes_are_stops_and_unspoken_messages_are_none() -> None:
    happened = [
        SESSION,
        turn(1),
        turn(None),
        turn(2),
        score(True),
        score(False),
        score(None, "skipped"),
        LABEL,
        MODE,
    ]
    assert stops_of(happened) == [
        Stop(1, "●", turn=1),
        Stop(3, "●", turn=2),
        Stop(4, "✓"),
        Stop(5, "✗"),
        Stop(6, "·"),
        Stop(7, "✎"),
        Stop(8, "✎"),
    ]


@given(st.integers(0, 300), st.integers(1, 120))
def test_every_stop_falls_in_one_cell_in_order_and_no_two_signs_run_together(count: int, width: int) -> None:
    stops = [Stop(place, "●") for place in range(count)]
    cells = cells_of(stops, width)
    assert len(cells) == width
    assert [stop for cell in cells for stop in cell] == stops
    if count <= (width + 1) // 2:
        assert all(len(cell) <= 1 for cell in cells)
    assert not any(one and other for one, other in pairwise(cells))


def test_a_moment_is_called_by_the_last_turns_time_or_else_by_its_number() -> None:
    assert times_of([SESSION, turn(1, 5.0), LABEL, turn(2, 65.0), LABEL], now=7_200.0) == [
        "+0:00",
        "+0:00",
        "+0:05",
        "+0:05",
        "+1:05",
        # A label that came after the talk.
        "2 h ago",
    ]
    assert times_of([SESSION, turn(1), turn(None), turn(2)], now=0.0) == ["0", "0", "1", "1", "2"]


EVENTS = st.lists(st.sampled_from([turn(1), turn(2, 7.0), turn(None), score(True), LABEL, MODE, SESSION]))


@given(EVENTS, st.floats(1, 1e6), st.floats(1, 1e6))
def test_what_moments_are_called_later_is_what_they_would_be_called_then(
    happened: list[Event], first: float, later: float
) -> None:
    assert times_later(times_of(happened, first), happened, later) == times_of(happened, later)
