"""Replay: a place among the events, moved by steps, by turns, or by time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store.events import LONGEST_WAIT, SHORTEST_WAIT, Event, pause_before
from turnwise.conversations.store.mending.session_rows import SessionRow
from turnwise.conversations.store.rows import ScoreRow, TurnRow
from turnwise.engine.replay import SPEEDS, Replay


def session() -> Event:
    return Event("session", 0.0, SessionRow(1, "n", "", 2, (), "s", 0.0))


def turn(number: int | None, at: float | None = None, content: str = "hello") -> Event:
    role = "tool" if number is None else "user" if number % 2 else "assistant"
    return Event("turn", at, TurnRow(number or 0, number, role, content, at=at))


def score(passed: bool | None) -> Event:
    value = None if passed is None else float(passed)
    outcome = "skipped" if passed is None else "score"
    return Event("score", None, ScoreRow(1, 1, "m", outcome, value, 0.5, passed, "r", None, 0.0, "j", 1, 1))


EVENTS = [session(), turn(1), turn(None), turn(2), score(True), turn(3), score(None), score(False)]


def at(shown: int) -> Replay:
    return Replay(EVENTS, shown=shown)


def test_steps_stay_between_start_and_end():
    replay = at(0)
    replay.step()
    assert replay.shown == 1
    replay.step(-5)
    assert replay.shown == 0
    replay.step(99)
    assert replay.at_end
    assert (replay.turns_shown, replay.turn_number) == (4, 3)


@pytest.mark.parametrize(
    ("shown", "forward", "back"),
    [(0, 2, 0), (1, 2, 0), (2, 4, 0), (3, 4, 2), (4, 6, 2), (6, 8, 4), (8, 8, 6)],
)
def test_a_step_by_turns_goes_to_the_next_that_somebody_said(shown, forward, back):
    replay = at(shown)
    replay.step_turn()
    assert replay.shown == forward
    replay = at(shown)
    replay.step_turn(-1)
    assert replay.shown == back


def test_seeking_by_number():
    replay = at(0)
    assert replay.seek_turn(2)
    assert (replay.shown, replay.turn_number) == (4, 2)
    assert not replay.seek_turn(9)
    assert replay.shown == 4


def test_speeds_go_up_and_down_and_stop_at_the_ends():
    replay = at(0)
    replay.faster()
    assert replay.speed == 2.0
    replay.faster(-2)
    assert replay.speed == 0.5
    replay.faster(-99)
    assert replay.speed == SPEEDS[0]
    replay.faster(99)
    assert replay.speed == SPEEDS[-1]


class TestPauses:
    def test_recorded_times_are_kept_within_what_a_watcher_bears(self):
        events = [turn(1, 0.0), turn(2, 2.0), turn(3, 500.0), turn(4, 500.1)]
        assert [pause_before(events, place) for place in range(4)] == [0.0, 2.0, LONGEST_WAIT, SHORTEST_WAIT]

    def test_without_times_a_turn_takes_as_long_as_reading_it(self):
        events = [session(), turn(1, content="x" * 90), turn(2, content=""), turn(3, content="x" * 9999)]
        assert [pause_before(events, place) for place in range(1, 4)] == [2.0, SHORTEST_WAIT, LONGEST_WAIT]

    def test_nothing_waits_for_scores_and_tools(self):
        assert [pause_before(EVENTS, place) for place in (0, 2, 4, 7)] == [0.0] * 4

    def test_the_speed_divides_the_wait(self):
        replay = Replay([session(), turn(1, content="x" * 90)], shown=1, speed=4.0)
        assert replay.wait() == 0.5
        replay.step()
        assert replay.wait() == 0.0


@given(st.lists(st.sampled_from(["step", "back", "turn", "turn back", "seek"]), max_size=30))
def test_it_never_leaves_the_events(moves):
    replay = at(0)
    for move in moves:
        match move:
            case "step":
                replay.step()
            case "back":
                replay.step(-1)
            case "turn":
                replay.step_turn()
            case "turn back":
                replay.step_turn(-1)
            case "seek":
                replay.seek_turn(2)
        assert 0 <= replay.shown <= len(EVENTS)
        shown = EVENTS[: replay.shown]
        assert replay.turns_shown == sum(event.kind == "turn" for event in shown)


def test_no_events_are_no_trouble():
    replay = Replay([])
    replay.step()
    replay.step_turn()
    assert replay.at_end
    assert replay.wait() == 0.0
