"""A list of sessions fetches what is in sight, shows what has room, and keeps its session."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from turnwise.conversations.store.mending.session_rows import Mark, SessionRow
from turnwise.tui.session_lists.pages import PAGE
from turnwise.tui.session_lists.session_list import SessionList

NOW = 1_700_000_000.0
METRICS = ("role_adherence", "knowledge_retention")


def row(index: int) -> SessionRow:
    marks = {METRICS[0]: Mark("score", 1.0, True), METRICS[1]: Mark("failure", None, None)}
    # Nothing is the same in all of them, so that every column stands.
    role, tags, hours = ("agent", "clerk")[index % 2], (("tagged",), ("odd",))[index % 2], 3 + index % 2
    return SessionRow(index, f"talk-{index}", role, index % 90, tags, "s", NOW - hours * 3600, "fail", marks)


class Rows:
    """Sessions of a list; the pages asked for are remembered, and can be held back."""

    def __init__(self, ids: Sequence[int], roles_from: int = 0) -> None:
        """roles_from: sessions with smaller ids have no role."""
        self.ids = ids
        self.roles_from = roles_from
        self.asked: list[int] = []
        self.gate = threading.Event()
        self.gate.set()

    def count(self) -> int:
        return len(self.ids)

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        self.asked.append(offset // PAGE)
        assert self.gate.wait(10)
        rows = [row(index) for index in self.ids[offset : offset + limit]]
        return [one if one.id >= self.roles_from else replace(one, chatbot_role="") for one in rows]


class Shelf(App[None]):
    """An app that is one list, and remembers what it was told."""

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self.rows = rows
        self.highlighted: list[int | None] = []
        self.opened: list[int] = []
        self.failed: list[str] = []

    def compose(self) -> ComposeResult:
        yield SessionList(self.rows, METRICS, clock=lambda: NOW)

    def on_session_list_highlighted(self, event: SessionList.Highlighted) -> None:
        self.highlighted.append(event.row.id if event.row else None)

    def on_session_list_opened(self, event: SessionList.Opened) -> None:
        self.opened.append(event.row.id)

    def on_session_list_fetch_failed(self, event: SessionList.FetchFailed) -> None:
        self.failed.append(str(event.error))


@asynccontextmanager
async def listing(
    rows: Rows, size: tuple[int, int] = (80, 12)
) -> AsyncIterator[tuple[SessionList, Shelf, Pilot[None]]]:
    app = Shelf(rows)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app.query_one(SessionList), app, pilot


def screen(view: SessionList) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


async def settle(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_rows_stand_under_their_titles() -> None:
    async with listing(Rows(range(50)), (120, 12)) as (view, _, _pilot):
        header, first = screen(view)[:2]
    titles = ["id", "session", "label", "role", "turns", "tags", "ra", "kr", "when"]
    # In this order, whatever other columns there are.
    assert [word for word in header.split() if word in titles] == titles
    assert first[0] == "▌"
    assert first[header.index("label") : header.index("role")].strip() == "✗"
    for title, cell in {"session": "talk-0", "role": "agent", "tags": "tagged"}.items():
        assert first.index(cell) == header.index(title)
    for title, cell in {"id": "0", "turns": "0", "when": "ago"}.items():
        # These are aligned at the right.
        end = header.index(title) + len(title)
        assert first[end - len(cell) : end] == cell
    for place, mark in ((header.index(" ra "), "✓"), (header.index(" kr "), "!")):
        assert first[place : place + 4].strip() == mark


async def test_a_column_that_says_nothing_goes_and_comes_with_the_first_that_does() -> None:
    rows = Rows(range(1000), roles_from=700)
    async with listing(rows, (120, 12)) as (view, _, pilot):
        assert "role" not in screen(view)[0].split()
        view.action_end()
        await settle(pilot)
        assert "role" in screen(view)[0].split()
        # Once it is there it stays while one scrolls.
        view.action_home()
        await settle(pilot)
        assert "role" in screen(view)[0].split()


async def test_outcomes_are_covered_where_they_are_to_be() -> None:
    async with listing(Rows(range(3)), (120, 12)) as (view, _, _pilot):
        view.hides = lambda row: row.id == 1
        assert [line.split()[-5:-3] for line in screen(view)[1:4]] == [["✓", "!"], ["·", "·"], ["✓", "!"]]


async def test_the_header_stays_and_the_end_is_reached() -> None:
    async with listing(Rows(range(1000))) as (view, _, pilot):
        header = screen(view)[0]
        view.action_end()
        await settle(pilot)
        lines = screen(view)
        assert lines[0].replace("  (989 above)", "").split() == header.split()
        assert "talk-999" in lines[-1]
        assert lines[-1].startswith("▌")


async def test_only_what_is_seen_and_its_neighbours_is_fetched() -> None:
    rows = Rows(range(100_000))
    async with listing(rows) as (view, _, pilot):
        await settle(pilot)
        view.move_cursor(50_100)
        await settle(pilot)
        assert "talk-50100" in " ".join(screen(view))
    assert set(rows.asked) == {0, 1, 249, 250, 251}


async def test_rows_on_their_way_are_placeholders_and_keys_still_work() -> None:
    rows = Rows(range(1000))
    async with listing(rows) as (view, app, pilot):
        await settle(pilot)
        rows.gate.clear()
        view.action_end()
        await pilot.pause()
        lines = screen(view)
        assert "…" in lines[-1]
        assert "talk" not in lines[-1]
        assert app.highlighted[-1] is None
        view.action_cursor_up()
        assert view.cursor == 998
        rows.gate.set()
        await settle(pilot)
        assert "talk-998" in screen(view)[-2]
        assert app.highlighted[-1] == 998


async def test_every_row_is_reached_line_by_line_and_page_by_page() -> None:
    async with listing(Rows(range(450))) as (view, _, pilot):
        for number in range(1, 250):
            view.action_cursor_down()
            if number % 50 == 0:
                await settle(pilot)
        assert next(line for line in screen(view) if line.startswith("▌")).split()[2] == "talk-249"
        for _ in range(60):
            view.action_page_up()
        await settle(pilot)
        assert view.cursor == 0
        assert "talk-0 " in screen(view)[1]


async def test_the_session_under_the_cursor_is_told_and_opened() -> None:
    async with listing(Rows(range(30))) as (view, app, pilot):
        view.action_cursor_down()
        view.action_open()
        await pilot.pause()
        assert app.highlighted == [0, 1]
        assert app.opened == [1]


async def test_a_click_chooses_and_a_second_one_opens() -> None:
    async with listing(Rows(range(30))) as (view, app, pilot):
        await pilot.click(SessionList, offset=(10, 4))
        assert (view.cursor, app.opened) == (3, [])
        await pilot.double_click(SessionList, offset=(10, 6))
        assert (view.cursor, app.opened) == (5, [5])


async def test_a_refresh_keeps_the_session_and_its_line() -> None:
    rows = Rows(range(400))
    async with listing(rows) as (view, app, pilot):
        view.move_cursor(100)
        view.action_cursor_up()
        await settle(pilot)
        line = [index for index, text in enumerate(screen(view)) if text.startswith("▌")]
        rows.ids = [*range(1000, 1007), *range(400)]
        view.refresh_rows()
        await settle(pilot)
        assert view.current is not None
        assert view.current.id == 99
        assert [index for index, text in enumerate(screen(view)) if text.startswith("▌")] == line
        rows.ids = []
        view.refresh_rows()
        await pilot.pause()
        assert view.current is None
        assert app.highlighted[-1] is None
        rows.ids = range(3)
        view.refresh_rows()
        assert "talk-0" in screen(view)[1]


class Found(Rows):
    """Sessions that can be found by their id."""

    def index_of(self, session_id: int) -> int | None:
        return list(self.ids).index(session_id) if session_id in self.ids else None


async def test_a_provider_that_finds_sessions_keeps_the_cursor_wherever_they_go() -> None:
    rows = Found(range(2000))
    async with listing(rows) as (view, _, pilot):
        view.action_cursor_down()
        rows.ids = range(1999, -1, -1)
        view.refresh_rows()
        await settle(pilot)
        assert view.cursor == 1998
        assert view.current == row(1)


@pytest.mark.parametrize(("session", "top"), [(3, 0), (7, 0), (40, 35)])
async def test_a_list_of_other_sessions_does_not_begin_at_the_cursor_where_others_stand_above_it(
    session: int, top: int
) -> None:
    async with listing(Rows([session, 50, 60])) as (view, _, pilot):
        assert (view.cursor, view.top, view.window) == (0, 0, 11)
        view.set_provider(Rows(range(100)))
        await settle(pilot)
        assert view.current == row(session)
        assert view.top == top
        assert ("above" in screen(view)[0]) is (top > 0)


async def test_how_many_rows_stand_above_those_in_sight_is_told_over_the_names() -> None:
    async with listing(Rows(range(1000))) as (view, _, pilot):
        assert "above" not in screen(view)[0]
        view.action_end()
        await settle(pilot)
        assert "session  (989 above)" in screen(view)[0]
        view.action_home()
        await settle(pilot)
        assert "above" not in screen(view)[0]


async def test_a_filter_shows_other_sessions() -> None:
    async with listing(Rows(range(400))) as (view, _, pilot):
        view.action_end()
        view.set_provider(Rows([7, 8]))
        await settle(pilot)
        lines = screen(view)
        assert ["talk-7" in lines[1], "talk-8" in lines[2], lines[3:]] == [True, True, [""] * 9]
        assert view.count == 2


class Broken(Rows):
    """Sessions whose later pages cannot be read while `broken` is set."""

    broken = True

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        if offset and self.broken:
            raise OSError("disk")
        return super().page(offset, limit)


async def test_a_page_that_cannot_be_read_is_told_of_and_asked_for_again() -> None:
    rows = Broken(range(1000))
    async with listing(rows) as (view, app, pilot):
        view.action_end()
        await settle(pilot)
        assert app.failed == ["disk"] * len(app.failed) != []
        assert "…" in screen(view)[-1]
        rows.broken = False
        view.action_cursor_up()
        await settle(pilot)
        assert "talk-998" in screen(view)[-2]


@pytest.mark.parametrize("size", [(1, 1), (20, 2), (300, 90)])
async def test_any_window_is_drawn(size: tuple[int, int]) -> None:
    async with listing(Rows(range(500)), size) as (view, _, pilot):
        view.action_page_down()
        view.action_end()
        await settle(pilot)
        assert len(screen(view)) == size[1]


async def test_a_metric_is_named_in_full_where_the_pointer_is() -> None:
    async with listing(Rows(range(5))) as (view, _, pilot):
        at = screen(view)[0].index("kr")
        await pilot.hover(SessionList, offset=(at, 0))
        assert view.tooltip == "knowledge_retention"
        await pilot.hover(SessionList, offset=(at, 2))
        assert view.tooltip is None


async def test_a_row_is_drawn_once_for_all_lines_of_the_window_that_it_comes_to() -> None:
    async with listing(Rows(range(100))) as (view, _, pilot):
        view.move_cursor(view.window + 5)
        await pilot.pause()
        place = view.cursor - view.top - 3 + view.head
        before = view.render_line(place)
        view.action_cursor_down()
        await pilot.pause()
        assert view.render_line(place - 1) is before
        view.selection.toggle(view.cursor - 4)
        assert view.render_line(place - 1) is not before
        assert "●" in view.render_line(place - 1).text


@pytest.mark.parametrize("size", [(60, 6), (40, 4), (40, 20)])
async def test_in_a_window_of_another_size_the_row_under_the_cursor_stays_in_sight(
    size: tuple[int, int],
) -> None:
    async with listing(Rows(range(100)), size=(80, 12)) as (view, app, pilot):
        view.action_end()
        await settle(pilot)
        await pilot.resize_terminal(*size)
        await settle(pilot)
        assert view.top <= view.cursor < view.top + view.window
        assert any("talk-99" in line for line in screen(view))
        view.action_open()
        await settle(pilot)
        assert app.opened == [99]


async def test_in_a_lower_window_a_row_from_the_middle_stays_in_sight() -> None:
    async with listing(Rows(range(100)), size=(80, 12)) as (view, _, pilot):
        view.move_cursor(8)
        assert view.top == 0
        await pilot.resize_terminal(80, 6)
        await settle(pilot)
        assert any("talk-8" in line for line in screen(view))
