"""Letters over a screen: each leads to a place, by its key or a click."""

from __future__ import annotations

import pytest
from scored_sessions import add_outcomes, add_talk, retention
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static
from tui_driver import burst, current_name, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.jump import LETTERS, JumpScreen, letter_spans, lines_of, targets_of
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.reading.score_pane import ScoreList
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.review.review_screen import ReviewScreen


async def open_letters(pilot, app: TurnwiseApp) -> dict[str, tuple[int, int]]:  # type: ignore[no-untyped-def]
    """Show the letters and return where each is."""
    await pilot.press("apostrophe")
    await until(pilot, lambda: isinstance(app.screen, JumpScreen))
    await pilot.pause(0.05)
    assert isinstance(app.screen, JumpScreen)
    return {letter: region.offset for letter, region in app.screen.regions.items()}


async def test_a_letter_goes_to_its_row(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))
        letters = await open_letters(pilot, app)
        line = next(y for y, text in enumerate(shown(app).splitlines()) if "Upgrade" in text)
        letter = next(name for name, (_, y) in letters.items() if y == line)
        await pilot.press(letter)
        await until(pilot, lambda: current_name(app).startswith("Upgrade"))


@pytest.mark.parametrize("no_color", ["", "1"])
async def test_the_screen_stays_under_the_letters_without_colours_of_its_own(
    filled: Store, monkeypatch: pytest.MonkeyPatch, no_color: str
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    app = TurnwiseApp(filled, theme="turnwise-ansi")
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))
        await open_letters(pilot, app)
        drawn = "\n".join(lines_of(app.screen))
        assert "Baggage for two" in drawn
        assert "Library" in drawn


async def test_a_click_does_the_same(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))
        await open_letters(pilot, app)
        line = next(y for y, text in enumerate(shown(app).splitlines()) if "Baggage" in text)
        await pilot.click(offset=(1, line))
        await until(pilot, lambda: current_name(app).startswith("Baggage"))


async def test_escape_and_any_other_key_leave_all_as_it_was(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))
        before = current_name(app)
        for key in ("escape", "Z"):
            await open_letters(pilot, app)
            await pilot.press(key)
            await until(pilot, lambda: not isinstance(app.screen, JumpScreen))
            assert current_name(app) == before


async def test_a_verdict_in_the_scores_has_one_letter_though_it_names_its_turn(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "said 6" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: "forgot at 4" in shown(app))
        line = next(y for y, text in enumerate(shown(app).splitlines()) if "turn 4" in text)
        left = app.screen.query_one(ScoreList).region.x
        letters = await open_letters(pilot, app)
        [letter] = [name for name, (x, y) in letters.items() if y == line and x >= left - 2]
        await pilot.press(letter)
        await until(pilot, lambda: app.screen.transcript.current.number == 4)  # type: ignore[attr-defined]


async def test_in_review_it_leads_to_turns_and_follows_scores(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "said 6" in shown(app))
        # Blind until labelled.
        await pilot.press("s")
        await until(pilot, lambda: "knowledge retention" in shown(app))
        view, scores = app.screen.query_one(TranscriptView), app.screen.query_one(ScoreList)
        edge = scores.region.x
        letters = await open_letters(pilot, app)
        turns = sorted((at for at in letters.items() if at[1][0] < edge), key=lambda at: at[1][1])
        await pilot.press(turns[2][0])
        await until(pilot, lambda: view.cursor == 2)
        letters = await open_letters(pilot, app)
        of_scores = sorted((at for at in letters.items() if at[1][0] >= edge), key=lambda at: at[1][1])
        await pilot.press(of_scores[1][0])
        await until(pilot, lambda: view.current is not None and view.current.number == 4)


async def test_in_a_dialog_it_leads_to_choices(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and "role adherence" in shown(app))
        letters = await open_letters(pilot, app)
        third = sorted(letters, key=lambda name: letters[name][1])[2]
        await pilot.press(third)
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        await until(pilot, lambda: app.screen.query_one(ChoiceList).highlighted == 2)


async def test_more_places_than_letters_get_none_twice(store: Store) -> None:
    for number in range(90):
        add_talk(store, 2, name=f"Talk {number}")
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 80)) as pilot:
        await until(pilot, lambda: "Talk" in shown(app))
        letters = await open_letters(pilot, app)
        assert len(letters) == len(LETTERS) == len(set(LETTERS))


async def test_the_line_of_keys_says_what_letters_do_and_none_covers_the_filter(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))
        letters = await open_letters(pilot, app)
        lines = shown(app).splitlines()
        assert lines[-1].strip() == "letter go there   esc cancel"
        # Its letter stands at its sign, at the left, and leads into it.
        filter_line = next(y for y, text in enumerate(lines) if "/ search" in text)
        assert [x for x, y in letters.values() if y == filter_line] == [0]
        assert any(
            "/ search what was said, or filter: such as label:none or user:refund" in one for one in lines
        )
        await pilot.press("escape")
        await until(pilot, lambda: "enter review" in shown(app))


async def test_the_line_of_keys_of_a_dialog_says_so_too(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and "role adherence" in shown(app))
        await open_letters(pilot, app)
        assert "│  letter go there   esc cancel" in shown(app)


@pytest.mark.parametrize(
    ("line", "places", "spans"),
    [
        ("        64  Lisbon", [0], [(0, 3)]),
        ("▌   64  Lisbon", [0], [(0, 3)]),
        ("  help desk", [0, 2], [(0, 2), (6, 1)]),
        (" Metrics", [1], [(0, 1)]),
        ("   p pass   f fail", [3, 12], [(0, 3), (9, 3)]),
        ("see turn 4 and 6", [4, 15], [(3, 1), (14, 1)]),
        ("(turn 4)", [1], [(5, 1)]),
        ("end (turn", [5], [(8, 1)]),
    ],
)
def test_a_letter_covers_nothing_that_is_read_where_there_is_room(
    line: str, places: list[int], spans: list[tuple[int, int]]
) -> None:
    assert letter_spans([JumpPlace(x, 0, print) for x in places], [line]) == spans


def test_letters_of_one_column_are_of_one_width() -> None:
    lines = ["    64  Lisbon", " ●  63  Porto", "    62  Faro"]
    places = [JumpPlace(0, y, print) for y in range(3)]
    assert letter_spans(places, lines) == [(0, 1)] * 3
    # What stands elsewhere in its line is no letter of that column.
    assert letter_spans(places, ["    64", "Porto ", "    62"]) == [(0, 3), (5, 1), (0, 3)]


async def test_a_letter_stands_in_the_blanks_of_a_line_that_is_full_at_its_ends() -> None:
    class Full(Screen[None]):
        def compose(self) -> ComposeResult:
            line = Static("tour 1 of 9  Press 2       f8 ends the tour")
            line.can_focus = True
            yield line

    class Around(App[None]):
        pass

    async with Around().run_test(size=(43, 3)) as pilot:
        pilot.app.push_screen(screen := Full())
        await until(pilot, lambda: bool(screen.query("Static")) and screen.query_one(Static).size.width > 0)
        assert [place.x for place in targets_of(screen)] == [21]


async def test_words_below_step_back_while_letters_stand_over_them(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))

        def looks() -> set[str]:
            strips = app.screen._compositor.render_strips()
            pieces = [one for strip in strips for one in strip if "Baggage" in one.text]
            return {str(one.style.color) for one in pieces if one.style}

        before = looks()
        await open_letters(pilot, app)
        assert before
        assert looks().isdisjoint(before)


async def test_letters_that_come_too_fast_leave_the_screen_below(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await open_letters(pilot, app)
        burst(app, "a", "a", "space", "space")
        await until(pilot, lambda: not isinstance(app.screen, JumpScreen))
        await pilot.pause(0.05)
        assert app.is_running
        assert app.return_code is None


def test_a_place_of_a_screen_that_is_not_drawn_yet_has_a_letter_too() -> None:
    assert letter_spans([JumpPlace(4, 3, print), JumpPlace(9, 0, print)], ["short"]) == [(4, 3), (9, 3)]


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_where_letters_lead_can_be_read(store: Store, size: tuple[int, int]) -> None:
    session = add_talk(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "said 4" in shown(app) and "f fail" in shown(app))
        await open_letters(pilot, app)
        text = shown(app)
        for words in ("p pass", "f fail", " 1 ", "user"):
            assert words in text


async def test_keys_of_the_label_have_no_second_letter(store: Store) -> None:
    session = add_talk(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "said 4" in shown(app) and "f fail" in shown(app))
        letters = await open_letters(pilot, app)
        keys = next(y for y, text in enumerate(shown(app).splitlines()) if "f fail" in text)
        assert letters
        assert not [name for name, (_, y) in letters.items() if y == keys]


async def test_what_a_form_has_scrolled_away_has_no_letter(store: Store) -> None:
    app = TurnwiseApp(store)

    class Form(Screen[None]):
        def compose(self) -> ComposeResult:
            with VerticalScroll(can_focus=False) as form:
                form.styles.height = 3
                for number in range(6):
                    yield Input(f"field {number}", compact=True)
            yield Static("below the form")

    async with app.run_test(size=(80, 24)) as pilot:
        form = Form()
        app.push_screen(form)
        await until(pilot, lambda: "below the form" in shown(app))
        assert [place.y for place in targets_of(form)] == [0, 1, 2]


async def test_letters_that_come_again_stand_at_the_places_of_now(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "Baggage" in shown(app))
        before = await open_letters(pilot, app)
        first = app.screen
        await pilot.press("escape", "o")
        await until(pilot, lambda: app.screen is not first and "Sort" in shown(app))
        after = await open_letters(pilot, app)
        assert app.screen is first
        assert after != before
        drawn = shown(app).splitlines()
        assert all(letter in drawn[at.y] for letter, at in after.items())
