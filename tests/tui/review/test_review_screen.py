"""Review shows what was found about a session, and leads from every score to its turn and its proof."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from reviewing import current, drawn, press, reading, reviewing, settled, told
from scored_sessions import NASTY, BareApp, add_outcomes, add_talk, failure, retention, skipped
from textual.widget import Widget
from tui_driver import until

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import drop_notes
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.score_pane import LEAST_OF_TURN
from turnwise.tui.reading.strip_key import StripKey
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.review.session_reader import SessionFindings
from turnwise.tui.review.why_screen import WhyScreen
from turnwise.tui.session_lists.stored_sessions import FoundSessions

WIDE, NARROW = (120, 30), (80, 24)


async def test_a_session_stands_with_its_turns_its_place_and_what_was_found(store: Store) -> None:
    add_talk(store, name="Other")
    session = add_talk(store)
    add_outcomes(store, session, retention(4), skipped(), failure())
    async with reading(store, session) as (screen, _):
        title = drawn(screen.query_one(TitleBar))
        assert "Refund" in title
        assert "an agent · 6 turns" in title
        assert "1 of 2   ✗ 1  ! 1  – 1" in title
        assert " 4 ✗" in drawn(screen.transcript)
        scores = drawn(screen.pane.score_list)
        assert "judged by judge-1" in scores
        assert "✗ k knowledge retention" in scores
        assert "1 of 3 replies forget what the user said." in " ".join(scores.split())
        assert "turn 4  forgot at 4" in scores
        assert "skipped" in scores
        assert "The judge timed out. Try again." in scores
        assert "particulars" not in scores


async def test_without_scores_it_says_how_to_get_them(store: Store) -> None:
    session = add_talk(store)
    for size in (WIDE, NARROW):
        async with reading(store, session, size) as (screen, pilot):
            parts = screen.pane.query("DrawnLines, ScoreList").results(Widget)
            text = "\n".join(drawn(widget) for widget in parts)
            assert "No scores yet. r judges this session." in text
            await press(pilot, "w", "n", "tab")
            assert pilot.app.screen is screen
            # In other words than those that stand there.
            assert {toast.message for toast in pilot.app._notifications} == {"There are no scores to go to."}


async def test_failing_turns_are_one_key_away_both_ways(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(2, 6))
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "n")
        assert current(screen) == 2
        await press(pilot, "n")
        assert current(screen) == 6
        await press(pilot, "N")
        assert current(screen) == 2


async def test_past_the_last_failing_turn_it_goes_round_and_says_so(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(2, 6))
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "n", "n", "n")
        assert current(screen) == 2
        assert "Round from the last one on" in told(pilot)[-1]
        await press(pilot, "N")
        assert current(screen) == 6
        assert "this is the last of 2 turns" in told(pilot)[-1]


async def test_the_only_failing_turn_is_told_as_such(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "n", "n")
        assert current(screen) == 4
        assert told(pilot) == ["This is the only turn of which a verdict failed."]


async def test_the_verdicts_about_the_turn_that_is_read_stand_beside_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4), retention(metric="role_adherence"))
    for size in (WIDE, NARROW):
        async with reading(store, session, size) as (screen, pilot):
            beside = screen.query_one("#turn-verdicts", DrawnLines)
            await press(pilot, "j", "j", "j")
            text = drawn(beside)
            assert text.index("forgot at 4") < text.index("fine at 4")
            await press(pilot, "k", "k")
            assert "at 4" not in drawn(beside)


async def test_scores_that_do_not_fit_take_the_room_that_verdicts_of_a_turn_might_need(store: Store) -> None:
    session = add_talk(store)
    metrics = [f"metric_{number}" for number in range(12)]
    add_outcomes(store, session, *(retention(4, metric=metric) for metric in metrics))
    async with reading(store, session, WIDE) as (screen, pilot):
        await press(pilot, "j")
        beside = screen.query_one("#turn-verdicts", DrawnLines)
        scores = screen.pane.score_list
        assert scores.max_scroll_y > 0, "there are more scores than lines"
        assert beside.size.height == LEAST_OF_TURN


async def test_what_is_said_of_the_next_turn_stands_beside_one_of_which_nothing_is(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reading(store, session, (140, 40)) as (screen, pilot):
        said = {}
        for _ in range(6):
            said[current(screen)] = drawn(screen.query_one("#turn-verdicts")).strip().partition("\n")[0]
            await press(pilot, "j")
        assert said == {
            1: "Next verdicts, at turn 2",
            2: "Turn 2",
            3: "Next verdicts, at turn 4",
            4: "Turn 4",
            5: "Next verdicts, at turn 6",
            6: "Turn 6",
        }


async def test_enter_on_a_failing_turn_in_the_scores_reads_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4, 6))
    for size in (WIDE, NARROW):
        async with reading(store, session, size) as (screen, pilot):
            await press(pilot, "tab", "j", "j", "enter")
            assert current(screen) == 6
            assert screen.transcript.has_focus
            await press(pilot, "tab", "home", "enter")
            assert isinstance(pilot.app.screen, WhyScreen)


async def test_a_click_on_a_failing_turn_reads_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(6))
    async with reading(store, session) as (screen, pilot):
        lines = drawn(screen.pane.score_list).split("\n")
        row = next(number for number, line in enumerate(lines) if "turn 6" in line)
        await pilot.click("ScoreList", offset=(6, row))
        await until(pilot, lambda: current(screen) == 6)


async def test_exchanges_of_a_last_turn_metric_stand_as_one_group(store: Store) -> None:
    session = add_talk(store)
    good = [retention(metric="answer_relevancy", exchange=number) for number in (1, 3)]
    add_outcomes(store, session, *good, retention(4, metric="answer_relevancy", exchange=2))
    async with reading(store, session) as (screen, _):
        scores = drawn(screen.pane.score_list)
        assert scores.count("answer relevancy") == 1
        assert "Of 3 exchanges 1 fails." in scores


async def test_only_the_newest_outcome_of_a_metric_counts(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    add_outcomes(store, session, retention())
    async with reading(store, session) as (screen, _):
        assert "✗" not in drawn(screen.transcript)


async def test_scores_that_come_while_it_is_read_appear_and_the_place_stays(store: Store) -> None:
    session = add_talk(store)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "j", "j")
        add_outcomes(store, session, retention(4))
        screen.app.sessions_changed.publish(None)
        await settled(pilot)
        await settled(pilot)
        assert "knowledge retention" in drawn(screen.pane.score_list)
        assert current(screen) == 3


async def test_the_sessions_of_the_list_are_gone_through_in_its_order(store: Store) -> None:
    first, _, third = (add_talk(store, name=name) for name in ("One", "Two", "Three"))
    async with reading(store, third, sessions=FoundSessions(store, [third, first])) as (screen, pilot):
        await press(pilot, "J")
        assert screen.session_id == first
        assert "One" in drawn(screen.query_one(TitleBar))
        assert "2 of 2" in drawn(screen.query_one(TitleBar))
        await press(pilot, "J")
        assert screen.session_id == first
        await press(pilot, "K")
        assert screen.session_id == third


async def test_g_goes_to_a_turn_or_says_that_there_is_none(store: Store) -> None:
    session = add_talk(store, turns=40)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "g", "3", "7", "enter")
        assert current(screen) == 37
        await press(pilot, "g", "9", "9", "enter")
        assert current(screen) == 37
        assert told(pilot) == ["There is no turn 99."]
        await press(pilot, "g", "g")
        assert current(screen) == 1
        assert screen.transcript.has_focus


async def test_a_turn_that_a_reason_names_is_a_link(store: Store) -> None:
    session = add_talk(store, turns=20)
    reason = "Turn 10 asks for the number that turn 3 had given."
    score = replace(retention(10, turns=20), reason=reason)
    add_outcomes(store, session, score)
    async with reading(store, session) as (screen, pilot):
        lines = drawn(screen.pane.score_list).split("\n")
        y, line = next((y, line) for y, line in enumerate(lines) if "turn\xa03" in line)
        await pilot.click("ScoreList", offset=(line.index("turn\xa03") + 1, y))
        await until(pilot, lambda: current(screen) == 3)
        await press(pilot, "tab", "home", "enter")
        assert current(screen) == 10


async def test_a_click_on_a_mark_in_the_margin_leads_to_what_the_metric_says(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4), retention(2, metric="role_adherence"))
    for size in (WIDE, NARROW):
        async with reading(store, session, size) as (screen, pilot):
            lines = drawn(screen.transcript).split("\n")
            y = next(y for y, line in enumerate(lines) if line.split()[:1] == ["2"])
            letters = drawn(screen.query_one(StripKey))
            await pilot.click(TranscriptView, offset=(letters.index("r"), y))
            await settled(pilot)
            item = screen.pane.score_list.current
            assert item is not None
            assert (item.row.metric, item.turn) == ("role_adherence", 2)
            assert screen.pane.score_list.has_focus
            assert current(screen) == 2


async def test_a_turn_named_in_the_evidence_leads_back_to_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "n", "w")
        lines = drawn(pilot.app.screen.query_one("#evidence")).split("\n")
        y, line = next((y, line) for y, line in enumerate(lines) if "turn 6" in line)
        await pilot.click("#evidence", offset=(line.index("turn 6") + 2, y))
        await settled(pilot)
        assert pilot.app.screen is screen
        assert current(screen) == 6


async def test_what_is_selected_is_what_is_copied(store: Store) -> None:
    session = add_talk(store)
    async with reading(store, session) as (screen, pilot):
        lines = drawn(screen.transcript).split("\n")
        y, line = next((y, line) for y, line in enumerate(lines) if "said 4" in line)
        x = line.index("said 4")
        await pilot.mouse_down(TranscriptView, offset=(x, y))
        await pilot.hover(TranscriptView, offset=(x + 4, y))
        await pilot.mouse_up(TranscriptView, offset=(x + 4, y))
        await press(pilot, "y")
        assert pilot.app.clipboard.startswith("said")
        assert "4" not in pilot.app.clipboard
        assert "Selection copied" in told(pilot)[-1]
        await press(pilot, "y")
        assert "copied: 6 characters" in told(pilot)[-1]


async def test_sessions_are_gone_through_faster_than_they_are_read(store: Store) -> None:
    ids = [add_talk(store, name=str(number)) for number in range(5)]
    async with reading(store, ids[0], sessions=FoundSessions(store, ids)) as (screen, pilot):
        await press(pilot, "J", "J", "J")
        await settled(pilot)
        await settled(pilot)
        assert screen.session_id == ids[3]


async def test_all_that_is_folded_opens_and_folds_by_one_key(store: Store) -> None:
    from turnwise.conversations.cases import ConversationalTestCase

    turns = [
        {"role": "system", "content": "Be kind.\nNever mention otters."},
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": "Hi",
            "tools_called": [{"name": "look_up", "input_parameters": {"id": 7}, "output": "a badger"}],
        },
    ]
    case = ConversationalTestCase.model_validate({"turns": turns})
    session = store.sessions.add(case, source="test", format="test").session_id
    async with reading(store, session) as (screen, pilot):
        assert "otters" not in drawn(screen.transcript)
        await press(pilot, "z")
        assert "otters" in drawn(screen.transcript)
        assert "▾ look_up" in drawn(screen.transcript)
        await press(pilot, "z")
        assert "otters" not in drawn(screen.transcript)
        assert "▸ look_up(7) → a badger" in drawn(screen.transcript)


async def test_y_copies_the_turn_as_it_was_said(store: Store) -> None:
    session = add_talk(store, words=NASTY)
    async with reading(store, session) as (_, pilot):
        await press(pilot, "j", "y")
        assert pilot.app.clipboard == f"said 2 {NASTY}"


def keys(screen: ReviewScreen) -> str:
    return drawn(screen.query_one(KeyLine)).strip()


async def test_the_line_of_keys_at_80_columns_says_what_matters_now(store: Store) -> None:
    unscored, scored = add_talk(store, words="kettle"), add_talk(store)
    add_outcomes(store, scored, retention(4))
    async with reading(store, unscored, NARROW) as (screen, pilot):
        assert keys(screen) == "j k turn   r score   J K session   esc back   / find   g go to turn   ? help"
        await press(pilot, "c")
        assert keys(screen).startswith("enter esc keep the note   ctrl+u take back   ctrl+e in your editor")
        await press(pilot, "escape", "slash")
        assert keys(screen) == "esc close   f1 help"
        await press(pilot, *"kettle", "enter")
        assert "n next match" in keys(screen)
    async with reviewing(store, scored, NARROW) as (screen, pilot):
        assert keys(screen) == "j k turn   s show scores   J K session   esc back   / find   ? help"
        await press(pilot, "s")
        drop_notes(pilot.app)
        await settled(pilot)
        assert keys(screen) == "j k turn   n next ✗   w why   tab scores   J K session   esc back   ? help"
        await press(pilot, "tab")
        assert keys(screen).startswith("j k score   enter open   w why   tab esc turns")
        await press(pilot, "tab")
        await pilot.mouse_down(TranscriptView, offset=(20, 1))
        await pilot.hover(TranscriptView, offset=(24, 1))
        await pilot.mouse_up(TranscriptView, offset=(24, 1))
        await pilot.pause()
        assert keys(screen).startswith("j k turn   y copy selection   n next ✗")


async def test_a_note_that_is_written_is_kept_by_a_click_on_its_key(store: Store) -> None:
    session = add_talk(store)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "c", *"odd")
        await pilot.click(KeyLine, offset=(3, 0))
        await settled(pilot)
        assert pilot.app.screen is screen
        assert [row.note for row in store.labels.of(session)] == ["odd"]


async def test_one_sees_which_side_the_keys_move_in(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    for size in (WIDE, NARROW):
        async with reading(store, session, size) as (screen, pilot):
            assert "▌" in drawn(screen.transcript)
            await press(pilot, "tab")
            assert "▏" in drawn(screen.transcript)
            assert "▌" not in drawn(screen.transcript)
            assert "▌" in drawn(screen.pane.score_list)
            await press(pilot, "tab")
            assert "▌" in drawn(screen.transcript)


async def test_tab_goes_to_what_fails_about_the_turn_that_is_read(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(metric="role_adherence"), retention(4, 6))
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "n", "n", "tab")
        item = screen.pane.score_list.current
        assert item is not None
        assert (item.row.metric, item.turn) == ("knowledge_retention", 6)
        await press(pilot, "up", "tab", "g", "1", "enter", "tab")
        assert screen.pane.score_list.current is not None
        assert screen.pane.score_list.current.turn == 4


async def test_it_can_begin_at_a_turn(store: Store) -> None:
    session, other = add_talk(store), add_talk(store)
    app = BareApp(store)
    async with app.run_test(size=NARROW) as pilot:
        screen = ReviewScreen(session, FoundSessions(store, [session, other]), turn=5)
        app.push_screen(screen)
        await settled(pilot)
        assert current(screen) == 5
        await press(pilot, "J")
        assert current(screen) == 1


async def test_replay_and_score_are_one_key_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    session = add_talk(store)
    asked: list[Any] = []
    monkeypatch.setattr(BareApp, "score", lambda self, ids, **more: asked.append(list(ids)))
    async with reading(store, session) as (_, pilot):
        await press(pilot, "r")
        assert asked == [[session]]
        await press(pilot, "R")
        assert pilot.app.screen.query_one(TitleBar).title == "Replay · Refund"


async def test_a_session_that_is_gone_says_so_and_leads_back(store: Store) -> None:
    async with reading(store, 77) as (screen, pilot):
        assert pilot.app.screen is not screen
        assert "Error: There is no session 77" in [toast.title for toast in pilot.app._notifications]


async def test_text_of_others_is_shown_and_never_obeyed(store: Store) -> None:
    session = add_talk(store, name=NASTY, words=NASTY)
    verdict = retention(4, metric=f"m {NASTY}")
    add_outcomes(store, session, verdict, failure(NASTY), judge=NASTY)
    for size in (WIDE, NARROW):
        async with reading(store, session, size) as (screen, pilot):
            await press(pilot, "n", "tab", "j", "slash", *"x[", "escape", "g", "escape", "f", "h")
            for widget in pilot.app.screen.walk_children(Widget):
                text = drawn(widget) if widget.size else ""
                assert not {"\x1b", "\x07", "\u202e"} & set(text)
            assert "[red]x[/]" in drawn(screen.transcript)


async def test_it_opens_narrow_wide_and_while_it_is_resized(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reading(store, session, NARROW) as (screen, pilot):
        assert "✗ knowledge retention 0.67" in drawn(screen.query_one("#score-chips", DrawnLines))
        await press(pilot, "tab")
        assert "1 of 3 replies forget" in drawn(screen.pane.score_list)
        await pilot.resize_terminal(160, 50)
        await settled(pilot)
        assert "1 of 3 replies forget" in drawn(screen.pane.score_list)
        assert screen.query_one(TranscriptView).region.right <= screen.pane.region.x


async def test_in_a_narrow_window_the_turns_have_the_lines_that_no_verdict_needs(store: Store) -> None:
    with_verdicts, without = add_talk(store, words="kettle"), add_talk(store)
    add_outcomes(store, with_verdicts, retention(4))
    add_outcomes(store, without, Score(metric="tone", reason="kind", score=0.9, threshold=0.5))
    heights = {}
    for session in (with_verdicts, without):
        async with reading(store, session, NARROW) as (screen, pilot):
            heights[session] = screen.transcript.size.height
            # Reading on moves nothing.
            await press(pilot, "j", "j", "j")
            assert screen.transcript.size.height == heights[session]
            await press(pilot, "i", "i")
            assert screen.transcript.size.height == heights[session]
            assert drawn(screen.pane.label_pane).endswith("A fail marks turn 4.")
            # Nor does a label, and one that is taken back.
            for key, said in (("f", "✗ fail"), ("u", "f fail"), ("p", "✓ pass")):
                await press(pilot, key)
                assert said in drawn(screen.pane.label_pane).partition("\n")[0]
                assert screen.transcript.size.height == heights[session]
    # One line has the letters over the verdict marks.
    assert heights[without] >= heights[with_verdicts] + 2


async def test_scores_that_open_under_the_turns_are_there_in_one_frame_and_go_in_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = add_talk(store, words="kettle " * 200)
    add_outcomes(store, session, retention(4))
    async with reading(store, session, NARROW) as (screen, pilot):
        # What the list looks like is found out when it opens for the first time.
        await press(pilot, "tab", "tab")
        await pilot.pause(0.3)
        frames: list[object] = []
        usual = screen.app._display
        monkeypatch.setattr(screen.app, "_display", lambda on, one: (frames.append(one), usual(on, one)))
        for high in (False, True):
            before = screen.transcript.size.height
            await press(pilot, "tab")
            await until(pilot, lambda: any(frames))
            await pilot.pause(0.3)
            assert (screen.transcript.size.height > before) is high
            assert len([one for one in frames if one is not None]) == 1
            frames.clear()


async def test_names_of_metrics_that_take_two_lines_are_there_in_one_frame_with_the_turns(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("knowledge_retention", "conversation_completeness", "role_adherence", "turn_relevancy")
    ids = [add_talk(store, name=f"Talk {count}") for count in range(3)]
    for session, count in zip(ids, (2, 4, 2), strict=True):
        add_outcomes(store, session, *(retention(4, metric=name) for name in names[:count]))
    async with reading(store, ids[0], NARROW, FoundSessions(store, ids)) as (screen, pilot):
        frames: list[object] = []
        usual = screen.app._display
        monkeypatch.setattr(screen.app, "_display", lambda on, one: (frames.append(one), usual(on, one)))
        for session, height in ((ids[1], 2), (ids[2], 1)):
            frames.clear()
            await press(pilot, "J")
            await until(pilot, lambda session=session: screen.session_id == session and any(frames))
            await pilot.pause(0.3)
            assert screen.query_one(StripKey).size.height == height
            assert len([one for one in frames if one is not None]) == 1
        assert "role adherence" not in drawn(screen.query_one(StripKey))


def test_browsing_loads_no_client_of_a_judge() -> None:
    code = (
        "import sys, turnwise.tui.review.review_screen, turnwise.tui.replay.replay_screen\n"
        "import turnwise.tui.review.why_screen\n"
        "print([name for name in ('openai', 'pydantic', 'xllamacpp', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_ratings_of_people_are_counted_by_metric_and_labels_of_the_whole_stand_alone(
    store: Store,
) -> None:
    session_id = add_talk(store)
    for author, word in (("ann", "pass"), ("bo", "fail"), ("cy", "pass")):
        store.labels.add(session_id, word, author=author, blind=True, metric="faithfulness")  # type: ignore[arg-type]
    store.labels.add(session_id, "pass", author="bo", blind=True, metric="faithfulness")
    store.labels.add(session_id, "defer", author="dee", blind=True)
    store.labels.add(session_id, "fail", author="ann", blind=True, metric="appropriateness")
    async with reading(store, session_id) as (screen, _):
        assert "~ dee defer, just now" in drawn(screen.pane.label_pane)
        text = drawn(screen.pane.score_list)
        assert "✎ faithfulness" in text
        assert "What people say of each metric" in text
        assert "3 ✓ pass" in text
        # Who is alone with it is named.
        assert "ann ✗ fail" in text


@pytest.mark.parametrize(("size", "stays"), [((160, 50), True), ((140, 40), False)])
async def test_where_there_is_room_nothing_moves_when_the_keys_go_to_the_scores(
    store: Store, size: tuple[int, int], stays: bool
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reading(store, session, size) as (screen, pilot):
        await press(pilot, "n")
        before = screen.pane.score_list.region, screen.pane.label_pane.region
        await press(pilot, "tab")
        assert screen.panes.in_scores
        assert ((screen.pane.score_list.region, screen.pane.label_pane.region) == before) is stays


async def test_what_a_key_asks_for_while_the_session_is_read_is_done_once_it_is_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    go_on, real = Event(), SessionFindings.read

    def read(store: Store, session_id: int) -> SessionFindings:
        assert go_on.wait(20)
        return real(store, session_id)

    monkeypatch.setattr(SessionFindings, "read", read)
    app = BareApp(store)
    async with app.run_test(size=WIDE) as pilot:
        screen = ReviewScreen(session)
        app.push_screen(screen)
        await until(pilot, lambda: screen.is_mounted and app.screen is screen)
        await pilot.press("s", "n")
        go_on.set()
        await until(pilot, lambda: screen.labels.is_read and current(screen) == 4)
        assert not screen.labels.hides_scores
