"""The preview draws what the review draws, of what is in sight alone, and scrolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from threading import Event

import pytest
from damage import fill, spoil
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from stored import keep
from textual.events import MouseScrollDown
from textual.pilot import Pilot
from tui_driver import until

from turnwise.conversations.store import AssignedMode, LabelRow, Store
from turnwise.conversations.store.mending.session_rows import SessionRow
from turnwise.conversations.store.rows import ScoreRow, ToolCallRow, TurnRow
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.lines import line_text
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.library.drawn_glance import DrawnGlance
from turnwise.tui.library.glance import TURNS_SHOWN, Glance
from turnwise.tui.library.preview import Preview
from turnwise.tui.session_lists.found_words import SoughtWords

ROW = SessionRow(1, "Refund for a flight", "airline agent", 14, (), "cases.json", 1.0)
PALETTE = replace(
    Palette(**{part.name: Style.null() for part in fields(Palette)}), said=Style(bgcolor="blue")
)


def turn(number: int, content: str, *tools: str) -> TurnRow:
    calls = tuple(ToolCallRow(name, "{}", "done") for name in tools)
    role = "assistant" if calls or number % 2 == 0 else "user"
    return TurnRow(number, number, role, content, tools_called=calls)


def score(metric: str, value: float | None, reason: str = "because") -> ScoreRow:
    outcome = "failure" if value is None else "score"
    passed = None if value is None else value >= 0.5
    return ScoreRow(1, 1, metric, outcome, value, 0.5, passed, reason, None, 1.0, "judge", 1, 1)  # type: ignore[arg-type]


def lines_of(glance: Glance, width: int = 60, height: int = 60) -> list[str]:
    drawn = DrawnGlance(glance, width, height, PALETTE)
    return [line_text(drawn.line(number)[0]) for number in range(min(height, drawn.place.lines))]


def text(glance: Glance, width: int = 60, height: int = 60) -> str:
    return "\n".join(lines_of(glance, width, height))


def test_what_failed_stands_before_the_turns_and_what_passed_is_left_out() -> None:
    shown = text(
        Glance(ROW, [turn(1, "My money back.")], [score("role_adherence", 1.0), score("memory", 0.2)])
    )
    assert "✗ memory 0.20" in shown
    assert "role adherence" not in shown
    assert shown.index("memory") < shown.index("My money back.")


def test_what_is_hidden_is_said_in_the_place_of_all_that_was_found() -> None:
    label = LabelRow(1, 1, "fail", 2, "Forgets the id.", "ann", True, 1.0)
    shown = text(
        Glance(
            ROW,
            [turn(1, "My money back.")],
            [score("memory", 0.2)],
            hidden="Scores hidden.",
            labels=(label,),
            modes=(AssignedMode(1, "asks again", 2, "ann", 1.0),),
        )
    )
    assert "Scores hidden." in shown
    assert "My money back." in shown
    assert not {"memory", "ann", "Forgets", "asks again"} & set(shown.replace(".", " ").split())


def test_labels_notes_and_failure_modes_are_shown() -> None:
    labels = (
        LabelRow(1, 1, "fail", 2, "Forgets the id.", "ann", True, 1.0),
        LabelRow(2, 1, "pass", None, "", "ben", True, 1.0),
    )
    shown = text(Glance(ROW, [], [], labels=labels, modes=(AssignedMode(1, "asks again", 2, "ann", 1.0),)))
    assert "✗ fail · ann · turn 2" in shown
    assert "Forgets the id." in shown
    assert "✓ pass · ben" in shown
    assert "Failure modes: asks again at turn 2" in shown


def test_what_could_not_be_judged_is_no_failed_score() -> None:
    assert "! faithfulness not judged" in text(Glance(ROW, [], [score("faithfulness", None, "timed out")]))


def test_a_search_says_how_many_turns_are_left_out_and_where() -> None:
    turns = [turn(number, "a refund" if number in (3, 4, 6) else "else") for number in range(1, 15)]
    shown = [line.strip() for line in lines_of(Glance(ROW, turns, [], SoughtWords.by("refund")))]
    told = [line for line in shown if "left out" in line]
    assert told == ["… 2 turns left out", "… 1 turn left out", "… 8 turns left out"]
    heads = [next(n for n, line in enumerate(shown) if line.startswith(f"{number} ")) for number in (3, 4, 6)]
    places = [shown.index(line) for line in told]
    assert places[0] < heads[0] < heads[1] < places[1] < heads[2] < places[2]


def test_a_scope_marks_and_shows_only_the_turns_that_it_asks_for() -> None:
    turns = [turn(number, "a refund" if number in (3, 4) else "else") for number in range(1, 9)]
    glance = Glance(ROW, turns, [], SoughtWords.by("user:refund"))
    assert [found.number for found in glance.found_turns] == [3]
    drawn = DrawnGlance(replace(glance, turns=turns[2:4]), 60, 40, PALETTE, Style(underline=True))
    marked = [
        segment.text
        for line in range(drawn.place.lines)
        for segment in drawn.line(line)[0]
        if segment.style is not None and segment.style.underline
    ]
    # Neither the chatbot's turn nor the name is what was searched.
    assert marked == ["refund"]
    every = Glance(ROW, turns, [], SoughtWords.by("refund bot:else"))
    assert [found.number for found in every.found_turns] == [2, 3, 4, 6, 8]


def test_nothing_is_left_out_where_no_turn_holds_what_was_found() -> None:
    turns = [turn(number, "else") for number in range(1, 15)]
    assert "left out" not in text(Glance(ROW, turns, [], SoughtWords.by("refund")))


def test_calls_of_tools_in_a_row_stand_under_one_head() -> None:
    shown = lines_of(Glance(ROW, [turn(2, "", "find_user"), turn(4, "", "book")], []))
    assert sum("assistant" in line for line in shown) == 1
    assert any("find_user() → done" in line for line in shown)
    assert any("book() → done" in line for line in shown)


def test_replies_are_read_as_markdown_and_an_empty_one_is_shown() -> None:
    shown = text(Glance(ROW, [turn(1, "Hello?"), turn(2, ""), turn(3, "You there?"), turn(4, "**Yes**")], []))
    assert "(empty)" in shown
    assert "Yes" in shown
    assert "**" not in shown


def test_what_the_user_says_has_an_edge_and_a_ground_of_its_own() -> None:
    drawn = DrawnGlance(Glance(ROW, [turn(1, "Mine."), turn(2, "Yours.")], []), 60, 40, PALETTE)
    told = [drawn.line(number) for number in range(drawn.place.lines)]
    assert {line_text(line).strip(" ▎1") for line, by_user in told if by_user} == {"user", "Mine."}
    assert all(("▎" in line_text(line)) is by_user for line, by_user in told)


def test_a_long_turn_leaves_room_for_others_and_opens_where_it_says_so() -> None:
    drawn = DrawnGlance(Glance(ROW, [turn(1, "word " * 900), turn(2, "the answer")], []), 60, 60, PALETTE)
    shown = [line_text(drawn.line(number)[0]) for number in range(drawn.place.lines)]
    assert any("the answer" in line for line in shown)
    more = next(number for number, line in enumerate(shown) if "more lines" in line)
    before = drawn.place.lines
    assert drawn.toggle_at(more)
    assert drawn.place.lines > before + 40


def test_no_more_is_drawn_than_a_window_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_turns: list[int] = []
    real = DrawnGlance._measure

    def measure(glance: DrawnGlance, item: int) -> int:
        drawn_turns.append(item)
        return real(glance, item)

    monkeypatch.setattr(DrawnGlance, "_measure", measure)
    glance = Glance(ROW, [turn(number, f"word {number}") for number in range(1, 3_000)], [])
    drawn = DrawnGlance(glance, 60, 30, PALETTE)
    assert len(drawn_turns) < 15
    drawn.place.go_to_line(5_000, 30)
    assert len(drawn_turns) < 30


@given(st.text(max_size=300), st.integers(4, 80), st.integers(1, 30))
def test_no_line_is_wider_than_the_room_nor_obeyed(content: str, width: int, height: int) -> None:
    label = LabelRow(1, 1, "fail", 2, content, content, True, 1.0)
    glance = Glance(
        replace(ROW, name=content),
        [turn(1, content)],
        [score("m", 0.1, content)],
        labels=(label,),
        modes=(AssignedMode(1, content, 2, "ann", 1.0),),
    )
    for line in lines_of(glance, width, height):
        assert "\x1b" not in line
        assert "\n" not in line
        assert cell_len(line) <= max(width, 12)


def test_scores_that_are_damaged_are_left_out_and_the_turns_read(tmp_path) -> None:
    database = tmp_path / "t.db"
    fill(database)
    spoil(database, "Reason 040")
    with Store.open(database) as store:
        glance = Glance.read(store, store.sessions.get(40))
        assert glance.scores == ()
        assert glance.turns
        assert Glance.read(store, store.sessions.get(39)).scores


def test_what_is_covered_is_not_read(store: Store) -> None:
    session = keep(store, "a", "b")
    mode = store.modes.add("asks again", "", "ann")
    store.modes.assign([session], mode, "ann")
    row = store.sessions.get(session)
    assert Glance.read(store, row).modes
    covered = Glance.read(store, row, covered=True)
    assert covered.hidden
    assert not covered.modes
    assert not Glance.read(store, store.sessions.get(keep(store, "c")), covered=True).hidden


async def scrolled(pilot: Pilot[None], preview: Preview) -> None:
    await until(pilot, lambda: preview.is_scrolled)


async def test_it_scrolls_by_keys_and_the_wheel_to_the_end_of_the_session(store: Store) -> None:
    keep(store, *(f"said {number}" for number in range(1, 4 * TURNS_SHOWN)))
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 24)) as pilot:
        preview = app.screen.query_one(Preview)
        await until(pilot, lambda: "said 1" in shown_in(preview))
        await pilot.press("right_square_bracket")
        await scrolled(pilot, preview)
        await until(pilot, lambda: preview.virtual_size.height > 3 * TURNS_SHOWN)
        await pilot.press(*["right_square_bracket"] * 40)
        await until(pilot, lambda: f"said {4 * TURNS_SHOWN - 1}" in shown_in(preview))
        await pilot.press(*["left_square_bracket"] * 60)
        await until(pilot, lambda: not preview.is_scrolled)
        await pilot._post_mouse_events([MouseScrollDown], preview, offset=(5, 5))
        await scrolled(pilot, preview)


def shown_in(preview: Preview) -> str:
    strips = [preview.render_line(y) for y in range(preview.size.height)]
    return "\n".join(strip.text.rstrip() for strip in strips)


async def test_a_cell_stands_free_between_the_words_and_the_scroll_bar(store: Store) -> None:
    keep(store, *["Where is my bag? " * 20] * 12)
    app = TurnwiseApp(store)
    async with app.run_test(size=(160, 30)) as pilot:
        preview = app.library.query_one(Preview)
        await until(pilot, lambda: preview.virtual_size.height > preview.size.height > 0)
        last = preview.scrollable_content_region.width - 1
        ends = {preview.render_line(y).crop(last, last + 1).text for y in range(preview.size.height)}
        assert ends == {" "}


async def test_another_session_is_shown_from_its_start_and_the_same_one_where_it_stands(store: Store) -> None:
    first, second = (keep(store, *(f"{name} {number}" for number in range(60))) for name in ("one", "two"))
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 24)) as pilot:
        preview = app.screen.query_one(Preview)
        await until(pilot, lambda: "two 1" in shown_in(preview))
        await pilot.press("right_square_bracket")
        await scrolled(pilot, preview)
        row = store.sessions.get(second if "two" in shown_in(preview) else first)
        preview.show(Glance.read(store, row), store)
        assert preview.is_scrolled
        await pilot.press("j")
        await until(pilot, lambda: not preview.is_scrolled)


async def test_a_scrolled_session_gets_its_rest_though_it_is_drawn_anew_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store, *(f"said {number}" for number in range(1, 4 * TURNS_SHOWN)))
    reading, drawn_anew = Event(), Event()
    real = DrawnGlance.with_all_turns

    def with_all_turns(glance: DrawnGlance, turns: Sequence[TurnRow]) -> DrawnGlance:
        reading.set()
        assert drawn_anew.wait(20)
        return real(glance, turns)

    monkeypatch.setattr(DrawnGlance, "with_all_turns", with_all_turns)
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 24)) as pilot:
        preview = app.screen.query_one(Preview)
        await until(pilot, lambda: "said 1" in shown_in(preview))
        await pilot.press("right_square_bracket")
        await until(pilot, reading.is_set)
        # Styles change with the theme and the focus: the session is laid out anew, where it stands.
        preview.notify_style_update()
        drawn_anew.set()
        await until(pilot, lambda: preview.virtual_size.height > 3 * TURNS_SHOWN)
        assert preview.is_scrolled


async def test_without_a_session_there_is_no_box(store: Store) -> None:
    keep(store, "said")
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 40)) as pilot:
        preview = app.screen.query_one(Preview)
        await until(pilot, lambda: "said" in shown_in(preview))
        box = preview.background_colors[1]
        await pilot.press("slash", *"zeppelin")
        await until(pilot, lambda: preview.background_colors[1] == app.screen.background_colors[1])
        await pilot.press("escape")
        await until(pilot, lambda: preview.background_colors[1] == box)


def test_a_score_without_a_reason_takes_one_line_and_a_role_shows_no_marks_of_headings() -> None:
    row = replace(ROW, chatbot_role="# Airline Agent Policy\nThe time is noon.")
    glance = Glance(row, [turn(1, "Hello")], [score("reward", 0.0, "")])
    drawn = DrawnGlance(glance, 60, 20, PALETTE)
    head = [line_text(drawn.line(place)[0]).strip() for place in range(drawn.place.lines)]
    assert "Airline Agent Policy The time is noon." in head[1]
    place = head.index("✗ reward 0.00")
    assert head[place + 1] == ""
    assert head[place + 2] != ""
