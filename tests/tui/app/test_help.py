"""Help: the keys of what has the focus first, then the screen's, moving, and everywhere."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from scored_sessions import add_outcomes, add_talk, retention
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS, FOCUS
from turnwise.tui.actions.legends import LEGENDS, Explained
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.help import HelpScreen, grouped
from turnwise.tui.app.help_list import HelpList, HelpSection
from turnwise.tui.drawing.lines import line_text
from turnwise.tui.judging.judge_dialog import JudgeDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.keymap import read_keymap


@pytest.mark.parametrize("place", ACTIONS)
@pytest.mark.parametrize("focus", ["", *FOCUS])
def test_every_action_is_told_once(place: str, focus: str) -> None:
    told = [action.name for _, actions in grouped(place, focus) for action in actions]  # type: ignore[arg-type]
    assert sorted(set(told)) == sorted(
        {action.name for there in (place, "everywhere") for action in ACTIONS[there]}  # type: ignore[index]
    )
    assert len(told) == len(set(told)) or place == "record"


def test_what_no_screen_has_is_told_of_nothing() -> None:
    names = {action.name for actions in ACTIONS.values() for action in actions}
    assert all(set(words) <= names for _, words in FOCUS.values())


def test_what_a_screen_does_has_a_heading_also_where_nothing_has_the_focus() -> None:
    assert [heading for heading, _ in grouped("runs")] == ["On this screen", "Moving", "Everywhere"]


def test_two_keys_that_the_line_of_keys_shows_as_one_stand_below_each_other() -> None:
    acts = [action.name for action in dict(grouped("heat_map"))["On this screen"]]
    place = acts.index("column_right")
    assert acts[place : place + 3] == ["column_right", "column_left", "sort"]


def test_of_keys_that_are_typed_the_other_one_is_told() -> None:
    own = read_keymap({"criteria": {"save": ["s", "f4"], "try": "f6"}}).table
    told = {one.name: one.help for one in grouped("criteria", "TextField", own)[0][1]}
    assert told["save"] == "f4, because s is typed."
    assert "typed" not in told["draft"]
    assert "typed" not in told["try"]


async def test_it_follows_the_focus(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 50)) as pilot:
        app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "said 1" in shown(app))
        await pilot.press("question_mark")
        await until(pilot, lambda: "Here, in the turns" in shown(app))
        assert "Copy the turn's text." in shown(app)
        await pilot.press("escape")
        app.screen.query_one("ScoreList").focus()
        await pilot.pause(0.05)
        await pilot.press("question_mark")
        await until(pilot, lambda: "Here, in the scores" in shown(app))
        assert "Copy the reason." in shown(app)


async def test_while_one_types_f1_opens_it(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 50)) as pilot:
        await pilot.press("slash", "question_mark")
        assert not isinstance(app.screen, HelpScreen)
        await pilot.press("f1")
        await until(pilot, lambda: "Here, while you type" in shown(app))


async def test_a_dialog_has_help_too(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 50)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen) and "Help · judge" in shown(app))


async def test_help_that_is_long_goes_on_in_its_own_column(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 140)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: "Help · library" in shown(app))
        lines = shown(app).splitlines()
        place = next(place for place, line in enumerate(lines) if "Compare two runs" in line)
        column = lines[place].index("Compare two")
        # A long key moves its title, not its help.
        assert column == next(line for line in lines if "Press twice" in line).index("Press twice")
        assert lines[place + 1].strip(" ▌")
        assert not lines[place + 1][4:column].strip()


@pytest.mark.parametrize("lines", [24, 31, 40, 47, 57, 60, 70])
async def test_its_line_of_keys_is_there_at_every_height(store: Store, lines: int) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(200, lines)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: "Help · library" in shown(app))
        await until(pilot, lambda: "esc close" in shown(app))


async def help_of(app: TurnwiseApp, pilot: Pilot[int], *keys: str) -> HelpList:
    """Open the help of the library, and press keys in it."""
    await until(pilot, lambda: "Refund" in shown(app))
    await pilot.press("question_mark")
    await until(pilot, lambda: "Help · library" in shown(app))
    await pilot.press(*keys)
    return app.screen.query_one(HelpList)


async def test_a_line_that_is_chosen_is_done_and_help_is_gone(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        lines = await help_of(app, pilot, "slash", *"sort", "space", *"by")
        await until(pilot, lambda: lines.current is not None and lines.current.action.name == "sort")
        await pilot.press("enter")
        await until(pilot, lambda: "Sort by" in shown(app))
        assert app.place == "sort"
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: "Help · library" in shown(app))
        line = next(y for y, text in enumerate(shown(app).splitlines()) if "Search, or filter by" in text)
        await pilot.click(offset=(20, line))
        await until(pilot, lambda: app.place == "library" and isinstance(app.focused, Input))


async def test_it_is_moved_about_in_as_lists_are(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        lines = await help_of(app, pilot)
        assert "Here, in the list" in shown(app)
        first = lines.current
        await pilot.press("j")
        assert lines.current != first
        await pilot.press("G")
        await until(pilot, lambda: "terms together" in shown(app))
        last = lines.current
        await pilot.press("ctrl+u", "pageup", "pageup", "pageup")
        assert lines.current not in (first, last)
        await pilot.press("ctrl+d", "pagedown", "pagedown", "pagedown", "pagedown", "pagedown")
        assert lines.current == last
        await pilot.press("g")
        await until(pilot, lambda: "Here, in the list" in shown(app))
        assert lines.current == first


@pytest.mark.parametrize("keys", [(), ("enter",), ("2",)])
async def test_a_small_window_begins_with_keys_and_the_cursor_on_one_of_them(
    filled: Store, keys: tuple[str, ...]
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.press(*keys, "question_mark")
        await until(pilot, lambda: "marks and words below" in shown(app))
        lines = app.screen.query_one(HelpList)
        assert lines.current is not None
        assert any(line.startswith("▌") and lines.current.keys in line for line in lines_of(lines))
        assert all("Marks and words" not in line for line in lines_of(lines))


async def test_marks_are_a_key_away_and_read_to_their_end_line_by_line(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        lines = await help_of(app, pilot, "m")
        await until(pilot, lambda: "Marks and words" in lines_of(lines)[0])
        at = lines.scroll_offset.y
        await pilot.press("j", "down")
        assert lines.scroll_offset.y == at + 2
        # What enter would do is shown first: the cursor is out of sight.
        await pilot.press("enter")
        assert isinstance(app.screen, HelpScreen)
        assert any(line.startswith("▌") for line in lines_of(lines))
        await pilot.press("m", "k", "pagedown", "pageup")
        assert lines.scroll_offset.y in (at - 1, at)
        await pilot.press("k")
        assert lines.scroll_offset.y < at


async def test_marks_alone_are_scrolled_where_only_they_were_found(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        lines = await help_of(app, pilot, "slash", *"the")
        await until(pilot, lambda: len(lines._spans) > 3)
        lines.show([HelpSection("Marks", [Explained("✓", "word " * 12)] * 30)])
        await until(pilot, lambda: lines.max_scroll_y > 5)
        lines.action_cursor_down()
        assert lines.scroll_offset.y == 1
        lines.action_cursor_up()
        assert lines.scroll_offset.y == 0


def lines_of(lines: HelpList) -> list[str]:
    """What is seen of the lines."""
    return [lines.render_line(y).text for y in range(lines.size.height)]


async def test_escape_shows_all_again_before_it_closes(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await help_of(app, pilot, "slash", *"zeppelin")
        await until(pilot, lambda: "Nothing here is like this" in shown(app))
        await pilot.press("enter", "escape")
        await until(pilot, lambda: "Here, in the list" in shown(app))
        await pilot.press("escape")
        assert app.place == "library"


async def test_what_cannot_be_done_now_says_so_and_stays(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        lines = await help_of(app, pilot, "slash", *"stop", "space", *"the")
        await until(pilot, lambda: "(not now)" in shown(app))
        assert lines.current is not None
        assert lines.current.barred == "not now"
        await pilot.press("enter")
        assert isinstance(app.screen, HelpScreen)


async def test_what_has_nothing_to_act_on_in_a_review_says_so_too(store: Store) -> None:
    app = TurnwiseApp(store)
    session = add_talk(store)
    async with app.run_test(size=(120, 60)) as pilot:
        await app.push_screen(ReviewScreen(session))
        for undone in (False, True):
            await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and app.screen.labels.is_read)
            if undone:
                await pilot.press("p", "u")
                await until(pilot, lambda: app.screen.labels.can_redo)
            app.action_help()
            await until(pilot, lambda: isinstance(app.screen, HelpScreen) and "redo" in shown(app))
            barred = {
                one.action.name for section in app.screen._sections() for one in section.keys if one.barred
            }
            assert "stop" in barred
            assert ("redo" in barred) != undone
            await pilot.press("escape")


def test_every_place_has_its_marks_explained() -> None:
    assert set(LEGENDS) == set(ACTIONS)
    signs = [[one.sign for one in told] for told in LEGENDS.values()]
    assert all(len(set(told)) == len(told) for told in signs)


async def test_no_words_touch_the_scroll_bar_and_none_are_cut(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        lines = app.screen.query_one(HelpList)
        assert lines.show_vertical_scrollbar
        room = lines.scrollable_content_region.width
        texts = [line_text(line).rstrip() for line in lines._lines]
        assert [text for text in texts if cell_len(text) >= room] == []
        told = " ".join(" ".join(texts).split())
        assert '"quoted words" are a phrase' in told
        assert "tab completes" in told
