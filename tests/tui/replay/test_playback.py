"""A replay goes on as time passes; a turn types itself at the end of the pause before it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from set_clock import Clock

from turnwise.conversations.store.events import Event
from turnwise.conversations.store.rows import TurnRow
from turnwise.engine.replay import Replay
from turnwise.tui.replay.playback import Playback, typed_characters

LENGTHS = st.integers(0, 50_000)
PAUSES = st.floats(0.4, 6)
SHARES = st.floats(0, 1)


@given(LENGTHS, PAUSES, SHARES, SHARES)
def test_more_is_never_followed_by_less(length: int, pause: float, one: float, other: float) -> None:
    first, then = sorted((one, other))
    assert typed_characters(length, pause, first) <= typed_characters(length, pause, then) <= length


@given(LENGTHS, PAUSES)
def test_it_begins_empty_and_ends_whole(length: int, pause: float) -> None:
    assert typed_characters(length, pause, 0) == 0
    assert typed_characters(length, pause, 1) == length


def test_a_short_turn_after_a_long_pause_waits_for_its_time() -> None:
    assert typed_characters(45, 6, 0.9) == 0
    assert 0 < typed_characters(45, 6, 0.97) < 45


def played(*seconds: float) -> tuple[Playback, Clock]:
    """Return a playback of turns that were said so many seconds after each other."""
    at, events = 0.0, []
    for index, pause in enumerate(seconds):
        at += pause
        role = "assistant" if index % 2 else "user"
        events.append(Event("turn", at, TurnRow(index, index + 1, role, "x" * 90, at=at)))
    clock = Clock()
    playback = Playback(clock, playing=True)
    playback.begin(Replay(events))
    return playback, clock


def test_time_that_passes_shows_turn_after_turn_and_ends_the_play() -> None:
    playback, clock = played(0, 2, 2)
    assert not playback.tick()
    clock.now = 1.5
    assert not playback.tick()
    assert 0 < (playback.said or 0) < 90
    clock.now = 2.1
    assert playback.tick()
    assert playback.replay.shown == 2
    clock.now = 9
    assert playback.tick()
    assert playback.replay.at_end
    assert not playback.replay.playing
    assert playback.said is None


def test_time_stands_still_while_something_is_asked() -> None:
    playback, clock = played(0, 2)
    clock.now = 9
    assert not playback.tick(held=True)
    assert not playback.tick()
    assert playback.replay.shown == 1


def test_to_go_elsewhere_begins_the_wait_anew_and_pauses_where_asked() -> None:
    playback, clock = played(0, 2, 2)
    clock.now = 1.9
    playback.tick()
    playback.go(playback.replay.step, pause=False)
    assert playback.replay.playing
    assert playback.said == 0
    playback.go(playback.rewind, pause=True)
    assert not playback.replay.playing
    playback.play()
    assert (playback.replay.shown, playback.replay.playing) == (1, True)
