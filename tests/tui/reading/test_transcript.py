"""A transcript draws what is in sight, keeps the reader's place, and hides nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.strip import Strip
from tui_driver import until

from turnwise.conversations.results import Quote
from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.drawing.drawing_ahead import DrawingAhead
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.margin import Margin, MarginedLine
from turnwise.tui.reading.transcript import TranscriptView


class Reader(App[None]):
    """An app that is one transcript, and remembers the turns it was told of."""

    def __init__(self, rows: Iterable[TurnRow]) -> None:
        super().__init__()
        self.rows = rows
        self.told: list[int] = []

    def compose(self) -> ComposeResult:
        yield TranscriptView(self.rows)

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        self.told.append(event.row.position)


@asynccontextmanager
async def reading(
    rows: Iterable[TurnRow], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[TranscriptView, Pilot[None]]]:
    app = Reader(rows)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app.query_one(TranscriptView), pilot


def screen(view: TranscriptView) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


def talk(turns: int, *, words: int = 3) -> list[TurnRow]:
    """A conversation whose turns say who they are, some of them long."""
    return [
        TurnRow(
            index,
            index + 1,
            "assistant" if index % 2 else "user",
            f"turn-{index + 1} " + "word " * (words * (1 + index % 7)),
        )
        for index in range(turns)
    ]


TOOL_TALK = [
    TurnRow(0, None, "system", "Be kind.\nBe brief."),
    TurnRow(1, 1, "user", "Where is it?"),
    TurnRow(
        2,
        2,
        "assistant",
        "",
        tools_called=(ToolCallRow("find", '{"id": "3RK2T9"}', '{"status": "lost"}', 0.4),),
        at=65.0,
    ),
    TurnRow(3, None, "tool", '{"status": "lost"}', name="find"),
    TurnRow(4, None, "tool", "nobody asked", name="stray"),
    TurnRow(5, 3, "assistant", "It is lost.", passages=("The policy says so.", "Page two.")),
]


async def test_turns_stand_numbered_and_indented() -> None:
    async with reading(TOOL_TALK) as (view, _):
        lines = screen(view)
    assert lines[0].startswith("▌     ┃ system prompt · 2 lines")
    assert lines[2:4] == ["  1  ▎user", "     ▎Where is it?"]
    assert lines[5].startswith("  2   assistant")
    assert lines[5].endswith("+1:05")
    assert lines[6].startswith("      ▸ find(3RK2T9)")
    assert lines[6].endswith("0.4 s")
    assert lines[8].startswith("      ┃ tool result · stray · 1 line")
    assert lines[10:13] == ["  3   assistant", "      It is lost.", "      ▸ 2 passages"]


async def test_what_is_folded_opens_and_closes_at_the_cursor() -> None:
    async with reading(TOOL_TALK) as (view, _):
        folded = screen(view)
        for number, shown in ((2, '→ {status: "lost"}'), (3, "2 Page two.")):
            view.jump_to(number)
            view.action_fold()
            assert any(shown in line for line in screen(view))
            view.action_fold()
        view.home()
        view.action_fold()
        assert screen(view)[1:3] == ["▌     ┃ Be kind.", "▌     ┃ Be brief."]
        view.action_fold()
        assert screen(view) == folded


async def test_a_click_chooses_a_turn_and_opens_what_is_folded() -> None:
    async with reading(TOOL_TALK) as (view, pilot):
        await pilot.click(TranscriptView, offset=(10, 3))
        assert view.current is not None
        assert view.current.number == 1
        await pilot.click(TranscriptView, offset=(10, 6))
        assert view.current.number == 2
        assert any('→ {status: "lost"}' in line for line in screen(view))


async def test_the_cursor_is_told_of_and_stays_inside() -> None:
    async with reading(talk(3)) as (view, pilot):
        view.cursor_up()
        view.cursor_down()
        view.cursor_down()
        view.cursor_down()
        await pilot.pause()
        assert isinstance(pilot.app, Reader)
        assert pilot.app.told == [1, 2]
        assert view.cursor == 2


async def test_every_turn_is_reached_line_by_line_in_both_directions() -> None:
    rows = talk(60, words=30)
    async with reading(rows, (60, 20)) as (view, _):
        for step, numbers in ((view.cursor_down, range(2, 61)), (view.cursor_up, range(59, 0, -1))):
            for number in numbers:
                step()
                lines = screen(view)
                at = [index for index, line in enumerate(lines) if line.startswith("▌")]
                assert f"turn-{number} " in lines[at[0] + 1] + " "
                assert lines[at[0]].split()[0] in {"▌", f"▌{number}"}


@pytest.mark.parametrize("start", [0, 200, 399])
async def test_scrolling_moves_by_exactly_one_line(start: int) -> None:
    async with reading(talk(400, words=40), (50, 20)) as (view, _):
        view.move_cursor(start)
        for step in (-1, -1, -1, 1, 1, -1, 1):
            for _ in range(7):
                before = screen(view)
                edge = view.scroll_y + step
                if not 0 <= edge <= view.max_scroll_y:
                    continue
                view.scroll_to(y=edge)
                after = screen(view)
                kept = (before[1:], after[:-1]) if step > 0 else (before[:-1], after[1:])
                assert kept[0] == kept[1]


async def test_a_page_down_and_up_comes_back() -> None:
    async with reading(talk(500, words=40), (70, 22)) as (view, _):
        first = screen(view)
        for _ in range(10):
            view.page_down()
        assert view.cursor > 10
        for _ in range(10):
            view.page_up()
        assert screen(view) == first


async def test_the_end_shows_the_last_line_at_the_bottom() -> None:
    rows = [*talk(300, words=30), TurnRow(300, 301, "assistant", "the very end")]
    async with reading(rows, (60, 20)) as (view, _):
        view.end()
        assert screen(view)[-2].endswith("the very end")
        assert view.current is rows[-1]
        view.page_up()
        view.page_down()
        assert view.current is rows[-1]


async def test_the_place_is_kept_on_resize() -> None:
    async with reading(talk(400, words=40), (90, 24)) as (view, pilot):
        view.jump_to(200)
        await pilot.resize_terminal(50, 30)
        await pilot.pause()
        assert view.current is not None
        assert view.current.number == 200
        assert any(line.startswith("▌200") for line in screen(view))
        await pilot.resize_terminal(120, 12)
        await pilot.pause()
        assert any(line.startswith("▌200") for line in screen(view))


async def test_verdict_marks_stand_beside_the_number() -> None:
    async with reading(talk(12)) as (view, _):
        view.set_verdicts({2: [("r", True)], 4: [("r", True), ("r", False)], 6: [("r", None)]})
        heads = [line.split()[:2] for line in screen(view) if line.endswith("assistant")]
        assert heads[:3] == [["2", "✓"], ["4", "✗"], ["6", "~"]]


async def test_turns_are_laid_out_anew_only_for_other_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    async with reading(talk(6)) as (view, _):
        laid_out: list[int] = []
        usual = view._lay_out
        monkeypatch.setattr(view, "_lay_out", lambda: (laid_out.append(1), usual()))
        view.set_verdicts({2: [("r", False)]})
        view.set_verdicts({2: [("r", False)]})
        assert laid_out == [1]
        # Words that are underlined take no other place.
        view.set_verdicts({2: [("r", False)]}, {2: {0: [(0, 5)]}})
        assert laid_out == [1]
        view.set_verdicts({2: [("r", True)]})
        assert laid_out == [1, 1]


async def test_several_metrics_have_a_slot_each() -> None:
    async with reading(talk(6)) as (view, _):
        view.set_verdicts({2: [("r", True), ("k", False)], 4: [("k", True)]})
        lines = [line for line in screen(view) if line.endswith("assistant")]
        assert lines[:2] == ["  2 ✗✓ assistant", "  4 ✓– assistant"]


async def test_what_the_user_says_has_a_ground_and_an_edge_of_its_own() -> None:
    async with reading(talk(4)) as (view, _):
        edges = [line.ljust(6)[5] for line in screen(view)[:5]]
        assert edges == ["▎", "▎", " ", " ", " "]
        styles = [list(view.render_line(y))[-1].style or Style.null() for y in (1, 2, 4)]
        user, gap, reply = (style.bgcolor for style in styles)
        assert user != gap == reply


async def test_in_a_wide_window_the_ground_of_a_user_ends_with_the_text() -> None:
    async with reading(talk(4), (160, 24)) as (view, _):
        cells = [style and style.bgcolor for text, style, _ in view.render_line(1) for _ in text]
        assert cells[50] != cells[140] == cells[155]


async def test_failed_verdicts_are_gone_to_in_turn() -> None:
    async with reading(talk(200)) as (view, _):
        view.set_verdicts({4: [("r", True)], 30: [("r", False)], 150: [("r", False), ("k", True)]})
        seen = []
        while view.next_failed():
            assert view.current is not None
            seen.append(view.current.number)
        assert seen == [30, 150]
        assert view.previous_failed()
        assert not view.previous_failed()
        assert view.current is not None
        assert view.current.number == 30


async def test_a_replay_shows_no_more_than_has_happened() -> None:
    async with reading(TOOL_TALK) as (view, _):
        view.show_until(3)
        lines = screen(view)
        assert not any("stray" in line or "lost" in line for line in lines)
        assert view.current is TOOL_TALK[2]
        assert any(line.endswith("…") and "find" in line for line in lines)
        view.action_fold()
        assert not any("lost" in line for line in screen(view))
        view.show_until(4)
        assert any("lost" in line for line in screen(view))
        view.show_until(0)
        assert view.current is None
        assert not any(screen(view))
        view.show_until(None)
        assert view.current is TOOL_TALK[5]


async def test_a_recording_grows_at_its_end() -> None:
    async with reading([]) as (view, _):
        for row in TOOL_TALK[:3]:
            view.append_turn(row)
        assert view.current is TOOL_TALK[2]
        before = screen(view)
        view.append_turn(TOOL_TALK[3])
        assert screen(view) == before
        for row in talk(40):
            view.append_turn(row)
        assert any("turn-40 " in line for line in screen(view))


async def test_a_reply_shows_all_that_was_written() -> None:
    text = (
        '<b>bold</b> <!-- remark -->\n[a](http://x.example "title") &#x202E; \x1b[31m \u202e\n\n'
        "[ref]: http://hidden.example\n\n![alt](http://image.example)\n\n" + "> " * 40 + "deep"
    )
    async with reading([TurnRow(0, 1, "assistant", text)]) as (view, _):
        shown = " ".join(" ".join(screen(view)).split())
    for part in ("<b>", "<!-- remark -->", "title", "&#x202E;", "␛[31m", "‹U+202E›"):
        assert part in shown
    for part in ("hidden.example", "image.example", "deep"):
        assert part in shown
    assert "\x1b" not in shown


async def test_markup_of_the_terminal_library_is_plain_text() -> None:
    text = "[red]not red[/red] [bold]x"
    async with reading([TurnRow(0, 1, "user", text), TurnRow(1, 2, "assistant", text)]) as (view, _):
        assert sum("[red]not red[/red] [bold]x" in line for line in screen(view)) == 2


async def test_a_line_of_a_megabyte_is_cut_and_opens() -> None:
    async with reading([TurnRow(0, 1, "user", "x" * 1_000_000), *talk(4)]) as (view, _):
        height = view.virtual_size.height
        assert 40 < height < 90
        view.action_fold()
        assert view.virtual_size.height > 10_000
        view.action_fold()
        assert view.virtual_size.height == height


async def test_text_is_selected_as_it_is_seen_and_copied_without_the_margin() -> None:
    rows = [TurnRow(0, 1, "user", "first words here"), TurnRow(1, 2, "assistant", "退款 second")]
    async with reading(rows) as (view, pilot):
        await pilot.mouse_down(TranscriptView, offset=(12, 1))
        await pilot.hover(TranscriptView, offset=(8, 4))
        await pilot.mouse_up(TranscriptView, offset=(8, 4))
        await pilot.pause()
        selected = pilot.app.screen.get_selected_text()
        assert selected == "words here\n\nassistant\n退款"
        assert view.cursor == 0


async def test_all_text_can_be_selected() -> None:
    async with reading(talk(1000)) as (view, pilot):
        view.text_select_all()
        await pilot.pause()
        selected = pilot.app.screen.get_selected_text() or ""
        assert all(f"turn-{number} " in selected for number in (1, 2, 500, 999, 1000))


async def test_another_conversation_replaces_the_first() -> None:
    async with reading(talk(50)) as (view, pilot):
        view.end()
        view.set_verdicts({2: [("r", False)]})
        view.set_rows(TOOL_TALK)
        await pilot.pause()
        assert view.current is TOOL_TALK[0]
        assert not view.next_failed()
        assert "Where is it?" in screen(view)[3]


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark", "textual-dark"])
async def test_it_draws_the_same_text_in_every_theme(theme: str) -> None:
    async with reading(TOOL_TALK) as (view, pilot):
        before = screen(view)
        pilot.app.theme = theme
        await pilot.pause()
        assert screen(view) == before


@pytest.mark.parametrize("size", [(10, 3), (1, 1), (400, 100)])
async def test_any_window_is_drawn(size: tuple[int, int]) -> None:
    async with reading(TOOL_TALK, size) as (view, _):
        for act in (view.end, view.action_fold, view.page_up, view.home, view.page_down):
            act()
            screen(view)


async def test_an_empty_conversation_takes_every_key() -> None:
    async with reading([]) as (view, _):
        for act in (view.cursor_down, view.page_up, view.end, view.home, view.action_fold, view.page_down):
            act()
        assert view.current is None


async def test_a_step_to_the_next_failed_verdict_brings_its_words_into_sight():
    rows = talk(4)
    content = "\n\n".join(f"Line {number} ends." for number in range(30))
    start = content.index("Line 25 ends.")
    quote = Quote(turn=4, start=start, end=start + 13, text="Line 25 ends.")
    rows[3] = TurnRow(3, 4, "assistant", content)
    async with reading(rows, (80, 12)) as (view, pilot):
        view.set_verdicts({4: [("r", False)]}, {4: [("r", quote)]})
        assert view.next_failed()
        await pilot.pause()
        [line] = [line for line in screen(view) if "Line 25 ends." in line]
        # The mark stands in the slot of the metric, so that the words are found without colour.
        assert "»" in line


def count_drawn(monkeypatch: pytest.MonkeyPatch) -> list[MarginedLine]:
    """Return the lines that are drawn from now on."""
    drawn: list[MarginedLine] = []
    draw = MarginedLine.draw

    def counted(line: MarginedLine, margin: Margin, palette: Palette) -> Strip:
        drawn.append(line)
        return draw(line, margin, palette)

    monkeypatch.setattr(MarginedLine, "draw", counted)
    return drawn


async def test_the_next_page_is_drawn_ahead_and_only_shown_by_its_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[bool] = []
    pieces = TranscriptView._draw_ahead

    def told(view: TranscriptView) -> Iterator[None]:
        yield from pieces(view)
        done.append(True)

    monkeypatch.setattr(TranscriptView, "_draw_ahead", told)
    async with reading(talk(60)) as (view, pilot):
        view.page_down()
        done.clear()
        await until(pilot, lambda: bool(done))
        monkeypatch.setattr(DrawingAhead, "begin", lambda ahead: None)
        drawn = count_drawn(monkeypatch)
        view.page_down()
        await pilot.pause()
        # The bar of the cursor goes from one turn to another; empty lines between turns are quickly drawn.
        assert [line for line in drawn if line.text and not line.current] == []


async def test_what_comes_back_into_sight_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DrawingAhead, "begin", lambda ahead: None)
    async with reading(talk(60)) as (view, pilot):
        view.page_down()
        await pilot.pause()
        drawn = count_drawn(monkeypatch)
        view.page_up()
        await pilot.pause()
        # The bar of the cursor goes from one turn to another.
        assert {line.number for line in drawn} <= {1, view.cursor + 1}
        drawn.clear()
        view.set_verdicts({1: [("a", False)]})
        await pilot.pause()
        assert len(drawn) == view.size.height


async def test_where_the_focus_goes_only_the_turn_under_the_cursor_is_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with reading(talk(60)) as (view, pilot):
        view.focus()
        await pilot.pause()
        bar = screen(view)[0]
        drawn = count_drawn(monkeypatch)
        view.screen.set_focus(None)
        await pilot.pause()
        assert {line.number for line in drawn} == {1}
        assert screen(view)[0] != bar


async def test_whether_all_is_open_is_known_whichever_key_opened_it() -> None:
    async with reading([*TOOL_TALK]) as (view, pilot):
        assert not view.is_open
        view.action_fold_all()
        assert view.is_open
        view.action_fold_all()
        assert not view.is_open
        # One turn after the other, as space opens them: each is left as soon as it is open.
        for turn in range(len(view.rows)):
            view.move_cursor(turn)
            while not view.is_open and view._turns.open_deeper(turn):
                await pilot.pause()
        assert view.is_open


async def test_a_turn_that_came_later_opens_with_all_others() -> None:
    async with reading([*TOOL_TALK]) as (view, pilot):
        assert view.action_fold_all()
        assert not view.action_fold_all()
        call = ToolCallRow("look_up", '{"what": "it"}', '{"found": "later"}')
        view.append_turn(TurnRow(9, 9, "assistant", "Let me look.", tools_called=(call,)))
        assert view.action_fold_all()
        view.end()
        await pilot.pause()
        assert any('→ {found: "later"}' in line for line in screen(view))
