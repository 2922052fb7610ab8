"""Replay shows what was known at each moment, at the pace of then, and goes anywhere at a key."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from scored_sessions import NASTY, BareApp, add_outcomes, add_talk, retention, skipped
from set_clock import Clock
from stored import keep, land, score
from textual.pilot import Pilot
from textual.widget import Widget
from tui_driver import shown, until

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.prompt_line import PromptLine
from turnwise.tui.parts.question_dialog import QuestionDialog
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.score_list import ScoreList
from turnwise.tui.reading.strip_key import StripKey
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.replay.timeline import Stop, Timeline

WIDE, NARROW = (140, 40), (80, 24)


@asynccontextmanager
async def replaying(
    store: Store, session_id: int, size: tuple[int, int] = NARROW, *, playing: bool = False
) -> AsyncIterator[tuple[ReplayScreen, Pilot[int], Clock]]:
    app, clock = BareApp(store), Clock()
    async with app.run_test(size=size) as pilot:
        screen = ReplayScreen(session_id, playing=playing, clock=clock)
        app.push_screen(screen)
        await settled(pilot)
        yield screen, pilot, clock


async def settled(pilot: Pilot[Any]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[Any], *keys: str) -> None:
    await pilot.press(*keys)
    await settled(pilot)


async def passes(pilot: Pilot[Any], clock: Clock, seconds: float) -> None:
    """Let the screen see that time has passed."""
    clock.now += seconds
    await pilot.pause(0.15)


def drawn(widget: Widget) -> str:
    return "\n".join(widget.render_line(y).text.rstrip() for y in range(widget.size.height))


def moment(screen: ReplayScreen) -> str:
    return drawn(screen.query_one("#moment", DrawnLines))


def timed_talk(store: Store, *seconds: float) -> int:
    """Store a talk whose turns took so many seconds each."""
    said = [
        {"role": "assistant" if index % 2 else "user", "content": f"said {index + 1} " + "x" * 60}
        | {"latency_ms": taken * 1000}
        for index, taken in enumerate(seconds)
    ]
    case = ConversationalTestCase.model_validate({"name": "Timed", "turns": said})
    return store.sessions.add(case, source="test", format="test").session_id


async def test_turns_come_at_their_recorded_pace_and_type_themselves(store: Store) -> None:
    session = timed_talk(store, 1, 4, 1)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await passes(pilot, clock, 1.01)
        assert "said 1" in drawn(screen.transcript)
        await passes(pilot, clock, 0.5)
        assert "2   assistant" in drawn(screen.transcript)
        assert "said 2" not in drawn(screen.transcript)
        await passes(pilot, clock, 2.2)
        assert "said 2" in drawn(screen.transcript)
        assert "x" * 60 not in drawn(screen.transcript).split("said 2")[1]
        assert screen.replay.turn_number == 1
        await passes(pilot, clock, 0.4)
        assert screen.replay.turn_number == 2
        await passes(pilot, clock, 60)
        assert screen.replay.at_end
        assert not screen.replay.playing


async def test_it_opens_on_the_first_turn_and_the_line_of_keys_says_what_space_does(store: Store) -> None:
    session = timed_talk(store, 5, 4)
    async with replaying(store, session, playing=True) as (screen, pilot, _):
        await pilot.pause(0.1)
        assert "said 1" in drawn(screen.transcript)
        assert "space pause" in drawn(screen.query_one(KeyLine))
        await press(pilot, "space")
        assert "space play" in drawn(screen.query_one(KeyLine))


async def test_a_narrow_window_has_the_legend_on_a_line_of_its_own(store: Store) -> None:
    session = timed_talk(store, *[1] * 51)
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "right")
        line, legend = drawn(screen.query_one(Timeline)).splitlines()
        assert "●─" in line.replace("◆", "●")
        assert "○○" not in line
        assert legend.strip() == "● turn  ⊗ fails  ◆ now  ✓ ✗ score  ✎ label, mode    to come: ○ turn ◦ score"


async def test_scores_to_come_have_another_mark_than_turns_as_the_title_counts_turns_alone(
    store: Store,
) -> None:
    session = timed_talk(store, 1, 4)
    async with replaying(store, session) as (screen, _, _):
        timeline = screen.query_one(Timeline)
        stops = (Stop(1, "●", turn=1), Stop(2, "●", turn=2), Stop(3, "✗"), Stop(4, "·"))
        timeline.set_events(stops, ["0"] * 6)
        timeline.show(2, "■")
        line = drawn(timeline).splitlines()[0]
        assert [sign for sign in line if sign in "●◆○◦✗"] == ["◆", "○", "◦", "◦"]


async def test_speed_shortens_the_wait(store: Store) -> None:
    session = timed_talk(store, 1, 4)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await press(pilot, "right_square_bracket", "right_square_bracket")
        assert screen.replay.speed == 4
        await passes(pilot, clock, 0.26)
        await passes(pilot, clock, 1.01)
        assert screen.replay.turn_number == 2
        await press(pilot, "left_square_bracket")
        assert screen.replay.speed == 2


async def test_space_pauses_where_it_is_and_goes_on_from_there(store: Store) -> None:
    session = timed_talk(store, 1, 4)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await passes(pilot, clock, 1.01)
        await passes(pilot, clock, 2.6)
        half = drawn(screen.transcript)
        # The turn that is being said is in sight, and counts as that.
        assert "turn 2 of 2" in drawn(screen.query_one(TitleBar))
        await press(pilot, "space")
        await passes(pilot, clock, 100)
        assert drawn(screen.transcript) == half
        assert "paused" in drawn(screen.query_one(Timeline))
        await press(pilot, "space")
        await passes(pilot, clock, 0.5)
        assert screen.replay.turn_number == 2


async def test_a_step_shows_the_whole_turn_at_once_and_pauses(store: Store) -> None:
    session = timed_talk(store, 1, 4, 4, 4)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await passes(pilot, clock, 1.01)
        await passes(pilot, clock, 0.5)
        await press(pilot, "right")
        assert screen.replay.turn_number == 2
        assert "x" * 60 in drawn(screen.transcript).split("said 2")[1]
        await passes(pilot, clock, 100)
        assert screen.replay.turn_number == 2
        assert "paused" in drawn(screen.query_one(TitleBar))
        await press(pilot, "left")
        assert screen.replay.turn_number == 1
        assert "said 2" not in drawn(screen.transcript)
        assert not screen.replay.playing


async def test_what_is_said_next_begins_in_the_first_frame(store: Store) -> None:
    session = timed_talk(store, 1, 4, 4)
    async with replaying(store, session, playing=True) as (screen, _, _):
        assert "turn 2 of 3" in drawn(screen.query_one(TitleBar))
        assert "said 1" in drawn(screen.transcript)
        assert "said 2" not in drawn(screen.transcript)


async def test_what_opens_over_it_pauses_it_and_it_plays_on_from_there(store: Store) -> None:
    session = timed_talk(store, 1, 4, 4)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await passes(pilot, clock, 2.6)
        half = screen.playback.said
        pilot.app.push_screen(pilot.app.kept_dialogs.of(QuestionDialog, "Really?", [Choice("yes", "Yes")]))
        await settled(pilot)
        await passes(pilot, clock, 100)
        assert screen.replay.turn_number == 1
        assert not screen.replay.playing
        pilot.app.pop_screen()
        await settled(pilot)
        # What went by meanwhile does not count.
        assert screen.replay.playing
        assert screen.playback.said == half
        assert "paused" not in drawn(screen.query_one(TitleBar))
        await passes(pilot, clock, 100)
        assert screen.replay.turn_number > 1


async def test_what_was_paused_stays_so_when_what_opened_over_it_closes(store: Store) -> None:
    session = timed_talk(store, 1, 4, 4)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await passes(pilot, clock, 2.6)
        await press(pilot, "space")
        pilot.app.push_screen(pilot.app.kept_dialogs.of(QuestionDialog, "Really?", [Choice("yes", "Yes")]))
        await settled(pilot)
        await passes(pilot, clock, 1)
        pilot.app.pop_screen()
        await settled(pilot)
        await passes(pilot, clock, 100)
        assert screen.replay.turn_number == 1
        assert "paused" in drawn(screen.query_one(TitleBar))


async def test_scores_stand_as_they_stood_then(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4), skipped())
    for size in (NARROW, WIDE):
        async with replaying(store, session, size) as (screen, pilot, _):
            await press(pilot, "right", "right", "right", "right")
            assert "turn 4 of 6" in drawn(screen.query_one(TitleBar))
            assert "as of turn 4" in moment(screen)
            assert "came later" in moment(screen)
            # Once: beside the transcript, or in the line where that has no room.
            assert ("no scores yet" in moment(screen)) == (size == NARROW)
            assert ("No scores at this point yet." in drawn(screen.query_one(ScoreList))) == (size == WIDE)
            assert " turn 4, judged later: ✗ knowledge retention  forgot at 4" in moment(screen)
            assert "✗" not in drawn(screen.transcript)
            await press(pilot, "right", "right", "full_stop")
            assert "✗ knowledge retention 0.67" in moment(screen)
            assert " 4 ✗" in drawn(screen.transcript)
            await press(pilot, "comma")
            assert "✗" not in drawn(screen.transcript)


async def test_what_is_found_of_a_turn_later_is_counted_by_how_it_came_out(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4), *(retention(2, metric=name) for name in ("tone", "wit")))
    async with replaying(store, session, WIDE) as (screen, pilot, _):
        await press(pilot, "right", "right", "right", "right")
        assert "judged later: ✗ knowledge retention · 2 pass  forgot at 4" in moment(screen)
        await press(pilot, "left", "left")
        assert "judged later: ✗ tone and 1 more · 1 pass  forgot at 2" in moment(screen)
        await press(pilot, "right", "right", "right", "right")
        assert "judged later: ✓ knowledge retention and 2 more" in moment(screen)


async def test_n_goes_on_to_what_failed(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(2, 6))
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "n")
        assert screen.replay.turn_number == 2
        await press(pilot, "n")
        assert screen.replay.turn_number == 6
        await press(pilot, "n")
        assert screen.replay.at_end
        await press(pilot, "N", "N")
        assert screen.replay.turn_number == 2


async def test_how_a_turn_or_a_score_comes_out_is_on_the_line_only_once_it_has_come(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(2, 6))
    store.labels.add(session, "fail", author="ada", blind=True)
    async with replaying(store, session) as (screen, pilot, _):
        line = screen.query_one(Timeline)

        def signs() -> str:
            return "".join(sign for sign in drawn(line).splitlines()[0] if sign in "●⊗◆○✗✓✎")

        assert signs().endswith("○✎")
        assert not {"⊗", "✗"} & set(signs())
        await press(pilot, "g", *"2", "enter", "right")
        # The turn is said, and what was found about it is still to come.
        assert signs().startswith("●●◆○")
        assert not {"⊗", "✗"} & set(signs())
        await press(pilot, "G")
        assert signs().count("⊗") == 2
        assert signs().endswith("✗◆")


async def test_n_goes_through_events_of_another_kind_once_one_was_chosen(store: Store) -> None:
    turns = [
        {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": "", "tools_called": [{"name": "find", "output": "Oslo"}]},
        {"role": "user", "content": "And?"},
        {"role": "assistant", "content": "In Oslo."},
    ]
    case = ConversationalTestCase.model_validate({"turns": turns})
    session = store.sessions.add(case, source="test", format="test").session_id
    add_outcomes(store, session, retention(4))
    store.labels.add(session, "fail", author="ada", blind=True)
    async with replaying(store, session) as (screen, pilot, _):
        told = []
        for keys in (("n",), ("l", "n"), ("home", "l", "n", "n"), ("l", "n"), ("l", "n"), ("N",)):
            await press(pilot, *keys)
            event = screen.replay.events[screen.replay.shown - 1]
            told.append((event.kind, screen.replay.turn_number))
        # What fails, the tool call (none after it), the second turn of the user, the score, the label.
        assert told == [("turn", 4), ("turn", 4), ("turn", 3), ("score", 4), ("label", 4), ("label", 4)]
        # What is told of it stands in the line of keys for a moment.
        pilot.app.clear_notifications()
        assert "next label" in str(screen.query_one(KeyLine).render_line(0).text)


async def test_the_line_of_keys_says_what_the_next_choice_of_events_finds(store: Store) -> None:
    app, session_id = BareApp(store), add_talk(store)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        screen = ReplayScreen(session_id, playing=False)
        app.push_screen(screen)
        await settled(pilot)
        offered = re.search(r"l find (.+?)s?  ", shown(app))
        assert offered is not None
        await press(pilot, "l")
        await until(pilot, lambda: f"n next {offered[1]}" in shown(app))
        assert f"l find {offered[1]}" not in shown(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_is_told_in_passing_covers_neither_the_line_of_events_nor_words(
    store: Store, size: tuple[int, int]
) -> None:
    app, session_id = BareApp(store), add_talk(store)
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = ReplayScreen(session_id, playing=False)
        app.push_screen(screen)
        await settled(pilot)
        await press(pilot, "l")
        await until(pilot, lambda: "n and N go through" in shown(app))
        [toast] = screen.query("Toast")
        parts = (screen.query_one(kind) for kind in (TitleBar, StripKey, TranscriptView, Timeline))
        assert not any(toast.region.overlaps(part.region) for part in (*parts, screen.query_one("#moment")))
        assert screen.query_one(KeyLine).region.contains_region(toast.region)


async def test_one_goes_to_a_turn_to_the_start_and_to_the_end(store: Store) -> None:
    session = add_talk(store, turns=30)
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "g", "1", "7", "enter")
        assert screen.replay.turn_number == 17
        assert not screen.query_one(PromptLine).asking
        await press(pilot, "g")
        assert drawn(screen.query_one(KeyLine)).strip() == "enter go there   esc close   f1 help"
        await pilot.click(KeyLine, offset=(20, 0))
        await settled(pilot)
        assert pilot.app.screen is screen
        await press(pilot, "g", "escape", "end")
        assert screen.replay.at_end
        await press(pilot, "home")
        assert screen.replay.turn_number == 0
        await press(pilot, "end", "g", "g")
        assert screen.replay.turn_number == 0
        assert screen.transcript.has_focus
        await press(pilot, "g", "x", "enter")
        assert [toast.message for toast in pilot.app._notifications] == ["There is no turn x."]


async def test_a_click_on_the_line_goes_there(store: Store) -> None:
    session = add_talk(store, turns=20)
    async with replaying(store, session) as (screen, pilot, _):
        line = screen.query_one(Timeline)
        text = drawn(line).splitlines()[0]
        await pilot.click(Timeline, offset=(text.rindex("○"), 0))
        await settled(pilot)
        assert screen.replay.turn_number == 20
        await pilot.click(Timeline, offset=(text.index("○"), 0))
        await settled(pilot)
        assert screen.replay.turn_number == 1


async def test_who_looks_back_is_left_there_while_it_plays(store: Store) -> None:
    session = timed_talk(store, *[1.0] * 40)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await press(pilot, "g", "3", "0", "enter", "space")
        await press(pilot, "pageup", "pageup")
        before = drawn(screen.transcript)
        await passes(pilot, clock, 1.01)
        await passes(pilot, clock, 1.01)
        assert screen.replay.turn_number > 30
        assert drawn(screen.transcript) == before


async def test_at_the_end_it_plays_again_from_the_start(store: Store) -> None:
    session = timed_talk(store, 1, 1)
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "end", "space")
        assert screen.replay.playing
        assert screen.replay.turn_number == 1


async def test_text_of_others_is_shown_and_never_obeyed(store: Store) -> None:
    session = add_talk(store, name=NASTY, words=NASTY)
    add_outcomes(store, session, retention(4, metric=f"m {NASTY}"), judge=NASTY)
    store.labels.add(session, "fail", author=NASTY, blind=True, turn=4, note=NASTY)
    for size in (NARROW, WIDE):
        async with replaying(store, session, size) as (screen, pilot, _):
            for _ in range(9):
                await press(pilot, "full_stop")
                for widget in screen.walk_children(Widget):
                    text = drawn(widget) if widget.size else ""
                    assert not {"\x1b", "\x07", "\u202e"} & set(text)
            assert "[red]x[/]" in drawn(screen.transcript)


async def test_a_session_without_turns_has_nothing_to_play(store: Store) -> None:
    session = store.sessions.begin(name="Empty", role="", source="test", data={}, created_at=1.0)
    async with replaying(store, session, playing=True) as (screen, pilot, clock):
        await passes(pilot, clock, 1)
        await press(pilot, "right", "left", "space", "space", "n", "end", "home", "j", "enter")
        assert "turn 0 of 0" in drawn(screen.query_one(TitleBar))


async def test_a_session_that_is_gone_says_so_and_leads_back(store: Store) -> None:
    async with replaying(store, 77) as (screen, pilot, _):
        assert pilot.app.screen is not screen


async def test_a_criterion_that_was_located_has_a_curve_that_grows_with_the_turns(store: Store) -> None:
    session = keep(store, *"abcd")
    land(store, session, score(0.2, "polite", details={"as_of": [[2, 1.0], [4, 0.2]]}))
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "home", "right", "right")
        lines = screen.query_one("#moment", DrawnLines)
        assert lines.size.height == 3
        assert "polite  ▇·  1.00 as of turn 2, judged later" in moment(screen)
        await press(pilot, "end")
        assert "polite  ▇▂  0.20 as of turn 4" in moment(screen)
        assert "later" not in moment(screen)


async def test_in_a_window_with_room_it_has_the_frames_of_a_review(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with replaying(store, session, WIDE) as (screen, _, _):
        frames = {str(pane.border_title) for pane in screen.query(".framed").results(Widget)}
        assert frames == {"Transcript", "Scores so far"}


async def test_a_label_of_a_metric_names_it_as_people_say_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    store.labels.add(session, "pass", author="mia", blind=False, metric="knowledge_retention")
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "end")
        assert "knowledge retention: pass by mia" in drawn(screen.query_one("#moment", DrawnLines))


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_failure_modes_are_told_as_they_were_given_and_as_long_as_they_stand(
    store: Store, size: tuple[int, int]
) -> None:
    session = add_talk(store)
    mode = store.modes.add("Asks again", "It asks again.", "mia")
    store.labels.add(session, "fail", author="mia", blind=True)
    store.modes.assign([session], mode, "mia", turn=4)
    store.modes.unassign([session], mode, "ben")
    async with replaying(store, session, size) as (screen, pilot, _):
        await press(pilot, "g", "6", "enter", "full_stop")
        assert "failure mode  Asks" not in moment(screen)
        await press(pilot, "full_stop")
        assert "✎ failure mode: Asks again at turn 4 by mia" in moment(screen)
        assert " failure mode  Asks again at turn 4" in moment(screen)
        line = drawn(screen.query_one(Timeline)).splitlines()[0]
        await press(pilot, "full_stop")
        assert "✎ failure mode taken away: Asks again by ben" in moment(screen)
        assert "failure mode  Asks" not in moment(screen)
        assert line.count("✎") == 2


async def test_at_the_end_the_line_of_time_does_not_begin_as_it_ends(store: Store) -> None:
    session = timed_talk(store, 1, 4)
    async with replaying(store, session) as (screen, pilot, _):
        await press(pilot, "right")
        assert drawn(screen.query_one(Timeline)).splitlines()[0].count("+0:0") == 2
        await press(pilot, "G")
        assert drawn(screen.query_one(Timeline)).splitlines()[0].count("+0:0") == 1


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_one_that_was_made_ahead_plays_as_one_that_was_not(store: Store, size: tuple[int, int]) -> None:
    add_outcomes(store, add_talk(store), retention(0.5))
    first, second = [await at_the_end(store, size, ahead=ahead) for ahead in (False, True)]
    assert first == second
    assert "at end" in first


async def at_the_end(store: Store, size: tuple[int, int], *, ahead: bool) -> str:
    """Play the only session from the library; return how it looks at its end."""
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "1 session" in shown(app))
        for _ in steps_ahead(app, app.screen) if ahead else ():
            await pilot.pause()
        made = app.kept_dialogs.ahead(ReplayScreen)
        assert (made is not None) is ahead
        await pilot.press("R")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and bool(app.screen.replay.events))
        assert made in (None, app.screen)
        await press(pilot, "G")
        await pilot.pause(0.2)
        return shown(app)


async def expecting(app: TurnwiseApp, pilot: Pilot[Any], session: int) -> ReplayScreen:
    """Make a replay ahead that expects a session, and let it read that."""
    await until(pilot, lambda: "sessions" in shown(app))
    for _ in steps_ahead(app, app.screen):
        await pilot.pause()
    made = app.kept_dialogs.ahead(ReplayScreen)
    assert made is not None
    made.expect(session)
    await until(pilot, lambda: len(made.transcript.rows) > 0)
    return made


async def test_what_is_read_ahead_counts_as_seen_only_once_it_is_played(store: Store) -> None:
    talk, _ = add_talk(store), keep(store, "Another")
    add_outcomes(store, talk, retention(0.5))
    app = TurnwiseApp(store)
    async with app.run_test(size=WIDE) as pilot:
        made = await expecting(app, pilot, talk)
        assert not made.expect(talk)
        assert made.replay.events == ()
        app.open_replay(talk)
        await until(pilot, lambda: app.screen is made and len(made.replay.events) > 0)
        assert talk in app.sights


async def test_another_session_than_was_expected_is_played_as_it_is(store: Store) -> None:
    talk, other = add_talk(store), keep(store, "What about Oslo?", "It rains.")
    app = TurnwiseApp(store)
    async with app.run_test(size=WIDE) as pilot:
        made = await expecting(app, pilot, talk)
        app.open_replay(other)
        await until(pilot, lambda: app.screen is made and len(made.replay.events) > 0)
        await press(pilot, "G")
        await until(pilot, lambda: "It rains." in shown(app))


async def test_what_was_said_since_it_was_read_ahead_is_played_too(store: Store) -> None:
    talk, _ = add_talk(store), keep(store, "Another")
    app = TurnwiseApp(store)
    async with app.run_test(size=WIDE) as pilot:
        made = await expecting(app, pilot, talk)
        store.labels.add(talk, "fail", author="ben", blind=False, note="Much too late")
        app.open_replay(talk)
        await until(pilot, lambda: any(event.kind == "label" for event in made.replay.events))


async def test_of_one_that_is_gone_nothing_is_said_before_it_is_to_be_played(store: Store) -> None:
    talk, _ = add_talk(store), keep(store, "Another")
    app = TurnwiseApp(store)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        made = await expecting(app, pilot, talk)
        assert made.expect(99)
        assert not made.expect(99)
        await pilot.pause(0.3)
        assert app.screen is app.library
        assert not app.screen.query("Toast")
        app.open_replay(99)
        await until(pilot, lambda: any("no session 99" in note.title for note in app._notifications))
        await until(pilot, lambda: app.screen is app.library)
