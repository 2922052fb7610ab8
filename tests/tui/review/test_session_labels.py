"""Labelling a session: every key and every click is kept at once, and nothing is ever lost."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest
from reviewing import current, drawn, kept, newest, pane, press, reviewing, settled, told
from scored_sessions import NASTY, add_outcomes, add_talk, retention, skipped
from textual.pilot import Pilot
from textual.widget import Widget

from turnwise.conversations.store import Store
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.labels.label_pane import LabelPane
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.score_pane import ScoreChips
from turnwise.tui.review.label_history import LabelHistoryDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.review.session_reader import SessionFindings
from turnwise.tui.session_lists.stored_sessions import FoundSessions

WIDE, NARROW = (140, 40), (80, 24)


async def click(pilot: Pilot[Any], widget: Widget, words: str, last: bool = False) -> None:
    """Click on words where they are drawn."""
    for y, line in enumerate(drawn(widget).split("\n")):
        if words in line:
            x = line.rindex(words) if last else line.index(words)
            offset = (x + widget.gutter.left, y + widget.gutter.top - padding(widget))
            assert await pilot.click(widget, offset=offset)
            await settled(pilot)
            return
    raise AssertionError(f"{words!r} is not drawn in:\n{drawn(widget)}")


def padding(widget: Widget) -> int:
    return widget.gutter.top if isinstance(widget, LinesView) else 0


def all_text(screen: ReviewScreen) -> str:
    """All that is drawn but the line of keys."""
    shown = [one for one in screen.walk_children(Widget) if one.size and one.display]
    return "\n".join(drawn(one) for one in shown if not isinstance(one, KeyLine))


async def test_each_key_is_kept_as_it_is_pressed_with_author_and_turn(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "j", "j", "j", "f")
        label = newest(store, session)
        assert (label.label, label.turn, label.author, label.metric) == ("fail", 4, "mia", "")
        assert "✗ fail" in pane(screen)
        assert "First failure at turn 4" in pane(screen)
        await press(pilot, "p")
        await press(pilot, "d")
        assert kept(store, session) == [("fail", 4, ""), ("pass", None, ""), ("defer", None, "")]
        assert "~ defer" in pane(screen)


async def test_by_mouse_alone(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    for size in (WIDE, NARROW):
        async with reviewing(store, session, size) as (screen, pilot):
            label_pane = screen.query_one(LabelPane)
            await click(pilot, screen.transcript, "said 4")
            await click(pilot, label_pane, "fail")
            assert newest(store, session).label == "fail"
            assert newest(store, session).turn == 4
            await click(pilot, screen.transcript, "said 2")
            await click(pilot, label_pane, "put it here" if size == WIDE else "! here")
            assert newest(store, session).turn == 2
            await click(pilot, label_pane, "undo")
            assert newest(store, session).turn == 4
            await click(pilot, label_pane, "redo")
            assert newest(store, session).turn == 2
            assert "redo" not in drawn(label_pane)
            await click(pilot, label_pane, "undo")
            await click(pilot, screen.transcript, "said 1")
            await click(pilot, label_pane, "turn 4")
            assert current(screen) == 4
            await click(pilot, label_pane, "say why")
            await press(pilot, *"odd")
            await click(pilot, screen.transcript, "said 1")
            assert newest(store, session).note == "odd"
            await click(pilot, label_pane, "history")
            assert isinstance(pilot.app.screen, LabelHistoryDialog)
            await press(pilot, "escape")
            await click(pilot, label_pane, "pass")
            assert newest(store, session).label == "pass"
            for _ in range(9):
                await press(pilot, "u")


async def test_the_first_failure_moves_by_a_key_and_goes_by_the_same(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (_, pilot):
        await press(pilot, "exclamation_mark")
        assert "f says that it fails here" in told(pilot)[0]
        await press(pilot, "f", "j", "j", "j", "exclamation_mark")
        assert newest(store, session).turn == 4
        await press(pilot, "exclamation_mark")
        assert newest(store, session).turn is None
        assert newest(store, session).label == "fail"


async def test_who_failed_is_said_of_a_fail_by_one_key_that_goes_through_all(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "X")
        assert "Who failed goes with a fail: f says that it fails." in told(pilot)[0]
        await press(pilot, "f")
        assert "X who failed" in drawn(screen.query_one(LabelPane))
        said = []
        for _ in range(5):
            await press(pilot, "X")
            said.append(newest(store, session).at_fault)
        assert said == ["chatbot", "user", "tool", "judge", None]
        await press(pilot, "X", "X", "u")
        assert newest(store, session).at_fault == "chatbot"
        assert "Failed  the chatbot   X another" in drawn(screen.query_one(LabelPane))
        # Who failed goes with the fail: a pass says nothing of it.
        await press(pilot, "p")
        assert newest(store, session).at_fault is None


async def test_a_fail_at_a_turn_of_the_user_means_the_reply_that_follows(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "j")
        assert "A fail marks turn 2." in pane(screen)
        await press(pilot, "j")
        assert "A fail marks the reply, turn 4." in pane(screen)
        await press(pilot, "f")
        assert current(screen) == 3
        assert newest(store, session).turn == 4
        assert "First failure at turn 4" in pane(screen)
        await press(pilot, "k", "exclamation_mark")
        assert newest(store, session).turn == 2


async def test_undo_and_redo_add_rows_and_hold_after_a_restart(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "p", "f", "u")
        assert "undone: fail at" in pane(screen)
        await press(pilot, "u")
        assert newest(store, session).label is None
        assert "p pass" in pane(screen)
        await press(pilot, "u")
        assert told(pilot)[-1] == "There is nothing to undo."
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "U")
        assert "✓ pass" in pane(screen)
        assert "done again: pass" in pane(screen)
        await press(pilot, "U", "U")
        assert told(pilot)[-1] == "There is nothing to do again."
        assert newest(store, session).label == "fail"
    assert len(kept(store, session)) == 6


async def test_after_a_restart_undo_takes_failure_modes_back_in_their_order_too(store: Store) -> None:
    session, mode = add_talk(store), store.modes.add("repeats itself", "", "mia")
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "f")
        store.modes.assign([session], mode, "mia", turn=2)
        screen.labels.take_modes(store.modes.of(session))
        await press(pilot, "c", *"odd", "enter")
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "u")
        assert "undone: note" in pane(screen)
        assert [one.name for one in store.modes.of(session)] == ["repeats itself"]
        await press(pilot, "u")
        assert "undone: repeats itself" in " ".join(pane(screen).split())
        assert (store.modes.of(session), newest(store, session).label) == ([], "fail")
        await press(pilot, "u")
        assert newest(store, session).label is None
        await press(pilot, "u")
        assert "There is nothing to undo." in told(pilot)
        await press(pilot, "U", "U", "U")
        assert [(one.name, one.turn) for one in store.modes.of(session)] == [("repeats itself", 2)]
        assert (newest(store, session).label, newest(store, session).note) == ("fail", "odd")
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "u", "u", "u", "u")
        assert (store.modes.of(session), newest(store, session).label) == ([], None)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_scores_marks_and_labels_of_others_are_hidden_until_one_labels(
    store: Store, size: tuple[int, int]
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    store.labels.add(session, "fail", author="zoltan", blind=True, turn=4)
    async with reviewing(store, session, size) as (screen, pilot):
        assert "Scores are hidden until you label" in all_text(screen)
        assert "scores hidden" in drawn(screen.query_one(TitleBar))
        assert not any(words in all_text(screen) for words in ("✗", "forgot", "0.67", "zoltan"))
        for key in ("n", "tab", "plus", "w"):
            pilot.app.clear_notifications()
            await press(pilot, key)
            assert pilot.app.screen is screen
            assert screen.transcript.has_focus
            # Why is not even asked, as it is not offered.
            hidden = [] if key == "w" else ["Not while the scores are hidden: s shows them."]
            assert told(pilot) == hidden
        # Who puts it off has not judged yet.
        await press(pilot, "d")
        assert newest(store, session).blind
        assert "Scores are hidden until you decide" in all_text(screen)
        assert not any(words in all_text(screen) for words in ("✗", "forgot", "0.67", "zoltan"))
        await press(pilot, "p")
        assert newest(store, session).blind
        assert "knowledge retention" in all_text(screen)
        assert "zoltan" in all_text(screen)
        assert " 4 ✗" in drawn(screen.transcript)
        await press(pilot, "f")
        assert not newest(store, session).blind


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_shown_scores_leave_the_keys_their_line_and_the_pane_says_what_that_means(
    store: Store, size: tuple[int, int]
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, size) as (screen, pilot):
        await press(pilot, "s")
        assert told(pilot) == []
        assert re.search("will\\s+not be blind", all_text(screen))
        keys = screen.query_one(KeyLine).render_line(0).text
        assert all(key in keys for key in ("j k turn", "n next", "w why", "esc back", "? help"))


async def test_a_label_after_a_look_is_not_blind_even_when_the_session_is_opened_again(store: Store) -> None:
    session = add_talk(store)
    other = add_talk(store, name="Other")
    add_outcomes(store, session, retention(4))
    add_outcomes(store, other, retention(4))
    async with reviewing(store, session, WIDE, sessions=FoundSessions(store, [session, other])) as (
        screen,
        pilot,
    ):
        await press(pilot, "s")
        assert "knowledge retention" in drawn(screen.pane.score_list)
        await press(pilot, "J", "K")
        assert "knowledge retention" in drawn(screen.pane.score_list)
        await press(pilot, "p")
        assert not newest(store, session).blind
        await press(pilot, "J", "p")
        assert newest(store, other).blind


async def test_a_click_on_the_words_shows_what_is_hidden(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await click(pilot, screen.pane.score_list, "shows them")
        assert "knowledge retention" in drawn(screen.pane.score_list)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, NARROW) as (screen, pilot):
        await click(pilot, screen.query_one(ScoreChips), "shows them")
        assert "knowledge retention" in drawn(screen.query_one(ScoreChips))


async def test_who_takes_back_the_label_that_showed_the_scores_is_told_that_the_next_is_not_blind(
    store: Store,
) -> None:
    session, other = add_talk(store), add_talk(store)
    add_outcomes(store, session, retention(4))
    words = "your label will not be blind"
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "f", "u")
        assert words in " ".join(pane(screen).split())
        await press(pilot, "p")
        assert words not in pane(screen)
        assert not newest(store, session).blind
    async with reviewing(store, other, WIDE) as (screen, pilot):
        # Here nothing was to be seen.
        await press(pilot, "f", "u")
        assert words not in pane(screen)


async def test_a_label_without_scores_is_blind_and_a_setting_shows_all_at_once(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE, blind=False) as (_, pilot):
        await press(pilot, "p")
        assert newest(store, session).blind
    scored = add_talk(store, name="Scored")
    add_outcomes(store, scored, retention(4))
    async with reviewing(store, scored, WIDE, blind=False) as (screen, pilot):
        assert "knowledge retention" in drawn(screen.pane.score_list)
        await press(pilot, "p")
        assert not newest(store, scored).blind


@pytest.mark.parametrize("reveals", [False, True])
async def test_a_replay_hides_what_the_review_hides_until_it_is_asked_for(
    store: Store, reveals: bool
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "R")
        await press(pilot, "G", *(["s"] if reveals else []))
        strips = pilot.app.screen._compositor.render_strips()
        shown = "\n".join("".join(piece.text for piece in strip) for strip in strips)
        assert ("scores hidden" in shown) is not reveals
        assert ("knowledge retention" in shown) is reveals
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        await press(pilot, "p")
        assert newest(store, session).blind is not reveals


async def test_a_label_that_cannot_be_kept_is_told_soon_and_not_shown(
    store: Store, other: sqlite3.Connection
) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        other.execute("BEGIN IMMEDIATE")
        await press(pilot, "p")
        assert any("locked" in one for one in told(pilot))
        assert "✓ pass" not in pane(screen)
        other.close()
        await press(pilot, "p")
        assert kept(store, session) == [("pass", None, "")]


async def test_one_may_agree_or_disagree_with_a_metric(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4), skipped())
    for size in (WIDE, NARROW):
        async with reviewing(store, session, size, blind=False) as (screen, pilot):
            await press(pilot, "tab", "plus")
            label = newest(store, session)
            assert (label.metric, label.label, label.turn) == ("knowledge_retention", "fail", None)
            assert "you say it is right: fail" in drawn(screen.pane.score_list)
            await click(pilot, screen.query_one(LabelPane), "is wrong")
            assert newest(store, session).label == "pass"
            assert "you say it is wrong: pass" in drawn(screen.pane.score_list)
            await press(pilot, "minus")
            assert newest(store, session).label is None
            assert "you say it is" not in drawn(screen.pane.score_list)
            await press(pilot, "u")
            assert "you say it is wrong: pass" in drawn(screen.pane.score_list)
            await press(pilot, "end", "plus")
            assert "nothing is right or wrong there" in told(pilot)[-1]
            await press(pilot, "u", "u")


async def test_a_verdict_on_an_exchange_is_about_its_reply(store: Store) -> None:
    session = add_talk(store)
    good = retention(metric="answer_relevancy", exchange=1, turns=2)
    add_outcomes(store, session, good)
    async with reviewing(store, session, WIDE, blind=False) as (screen, pilot):
        await press(pilot, "j", "minus")
        label = newest(store, session)
        assert (label.metric, label.label, label.turn) == ("answer_relevancy", "fail", 2)
        assert "you say it is wrong at turn 2: fail" in drawn(screen.pane.score_list)


async def test_the_history_tells_who_said_what_and_whether_blind(store: Store) -> None:
    session = add_talk(store)
    store.labels.add(session, "pass", author="bo", blind=True, note=f"fine {NASTY}")
    async with reviewing(store, session, WIDE) as (_, pilot):
        await press(pilot, "h")
        assert told(pilot)[-1] == "What others said is hidden until you label."
        await press(pilot, "f", "end", "exclamation_mark", "u", "h")
        dialog = pilot.app.screen
        assert isinstance(dialog, LabelHistoryDialog)
        lines = drawn(dialog.query_one(LinesView)).split("\n")
        assert "mia" in lines[0]
        assert "first failure at turn 6 undone" in lines[0]
        assert "first failure at turn 6" in lines[1]
        assert "fail at turn 2" in lines[2]
        assert "blind" in lines[2]
        assert "bo" in lines[3]
        assert "✓ pass" in lines[3]
        assert "\x1b" not in "".join(lines)
        await press(pilot, "escape")


async def test_the_same_history_opens_again_with_nothing_of_the_last_time(store: Store) -> None:
    session = add_talk(store)
    store.labels.add(session, "pass", author="bo", blind=True)
    async with reviewing(store, session, WIDE) as (_, pilot):
        make = pilot.app.kept_dialogs.make(LabelHistoryDialog, lambda one: one.begin("", ()))
        for _ in make:
            await pilot.pause()
        await press(pilot, "f", "h")
        dialog = pilot.app.screen
        assert isinstance(dialog, LabelHistoryDialog)
        assert len(dialog.lines.lines) == 2
        for number in range(30):
            store.labels.add(session, "fail", author=f"person {number}", blind=False)
        await press(pilot, "escape", "p", "h")
        assert pilot.app.screen is dialog
        assert "mia" in drawn(dialog.lines).split("\n")[0]
        assert "✓ pass" in drawn(dialog.lines).split("\n")[0]
        await press(pilot, "j", "j")
        few = dialog.lines.size.height
        await press(pilot, "escape", "h")
        assert pilot.app.screen is dialog
        assert (dialog.lines.scroll_y, dialog.lines.size.height) == (0, few)


async def test_the_history_does_not_say_that_nobody_said_anything_while_that_is_hidden(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, NARROW) as (_, pilot):
        await press(pilot, "h")
        assert told(pilot)[-1] == "Nothing was said of this session yet."
    add_outcomes(store, session, retention(4))
    store.labels.add(session, "fail", author="ben", blind=True, turn=2)
    async with reviewing(store, session, NARROW) as (_, pilot):
        await press(pilot, "h")
        assert told(pilot)[-1] == "What others said is hidden until you label."


async def test_the_next_session_opens_after_a_label_where_the_settings_say_so(store: Store) -> None:
    ids = [add_talk(store, name=name) for name in ("One", "Two")]
    async with reviewing(store, ids[0], WIDE, sessions=FoundSessions(store, ids), next_after_label=True) as (
        screen,
        pilot,
    ):
        await press(pilot, "p")
        assert screen.session_id == ids[1]
        assert "last: pass, One" in pane(screen)
        await press(pilot, "f", "enter")
        assert screen.session_id == ids[1]
        assert "last session" in told(pilot)[-1]
    assert [newest(store, one).label for one in ids] == ["pass", "fail"]


async def test_failure_modes_of_the_session_stand_in_the_pane(store: Store) -> None:
    session = add_talk(store)
    mode = store.modes.add("Forgets", "The chatbot asks for what it was told.", "mia")
    store.modes.assign([session], mode, "mia", turn=4)
    other = store.modes.add("Rude", "The chatbot insults the user.", "zoltan")
    store.modes.assign([session], other, "zoltan")
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE) as (screen, pilot):
        assert "Forgets at turn 4" in pane(screen)
        assert "Rude" not in pane(screen)
        await press(pilot, "s")
        assert "Rude" in pane(screen)
        await press(pilot, "m")
        assert pilot.app.screen is not screen


async def test_keys_do_not_label_while_one_types(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "slash", *"pfdu", "escape", "c", *"pfd")
        assert kept(store, session) == []
        assert screen.query_one(MessageEditor).text == "pfd"
        await press(pilot, "enter")
        assert kept(store, session) == [(None, None, "pfd")]


async def test_what_others_said_as_it_was_read_before_a_label_takes_that_label_away_from_nobody(
    store: Store,
) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        before, kept_before = SessionFindings.read(store, session), screen.labels.kept
        await press(pilot, "f")
        # Another reading, which knows of the label, does not make the one before it newer.
        screen._read_changes()
        await settled(pilot)
        screen._take_findings(session, kept_before, before)
        assert screen.labels.session.mine.whole.word == "fail"
        await settled(pilot)
        assert screen.labels.session.mine.whole.word == "fail"


async def test_by_mouse_alone_one_agrees_or_disagrees_and_the_history_tells(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    for size in (WIDE, NARROW):
        async with reviewing(store, session, size, blind=False) as (screen, pilot):
            if size == NARROW:
                await click(pilot, screen.query_one(ScoreChips), "knowledge retention")
            await click(pilot, screen.pane.score_list, "knowledge retention")
            await click(pilot, screen.query_one(LabelPane), "is wrong")
            label = newest(store, session)
            assert (label.metric, label.label) == ("knowledge_retention", "pass")
            await press(pilot, "tab")
            await click(pilot, screen.query_one(LabelPane), "history")
            lines = drawn(pilot.app.screen.query_one(LinesView)).split("\n")
            assert "✓ knowledge retention: pass" in lines[0]
            await press(pilot, "escape", "u")


async def test_fast_keys_are_kept_in_order(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (_, pilot):
        await press(pilot, *"pfdpfdpfdpfd")
        assert [row.label for row in store.labels.of(session)] == ["pass", "fail", "defer"] * 4
