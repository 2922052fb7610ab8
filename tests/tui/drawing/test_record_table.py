"""RecordTable and PartTabs: rows under a header with a cursor, and the parts of a screen in a line."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from turnwise.tui.drawing.record_table import Cell, RecordTable, TableColumn
from turnwise.tui.failure_modes.part_tabs import PartTab, PartTabs

COLUMNS = (TableColumn("name"), TableColumn("count", 6, right=True))


class TableApp(App[None]):
    """A table of so many rows, and tabs above it."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count
        self.opened: list[int] = []
        self.chosen: list[str] = []
        self.drawn: set[int] = set()

    def compose(self) -> ComposeResult:
        yield PartTabs()
        yield RecordTable()

    def on_mount(self) -> None:
        self.query_one(PartTabs).show([PartTab("notes", "1,200"), PartTab("rates")], "notes")
        self.query_one(RecordTable).show(COLUMNS, self.count, self.cells)

    def cells(self, row: int) -> list[Cell]:
        self.drawn.add(row)
        return [Cell(f"row {row} \x1b[31m"), Cell(f"{row:,}")]

    def on_record_table_opened(self, event: RecordTable.Opened) -> None:
        self.opened.append(event.table.cursor)

    def on_part_tabs_chosen(self, event: PartTabs.Chosen) -> None:
        self.chosen.append(event.name)


def lines(app: TableApp) -> list[str]:
    table = app.query_one(RecordTable)
    return [table.render_line(y).text.rstrip() for y in range(table.size.height)]


async def test_only_the_rows_in_sight_are_drawn_and_the_cursor_brings_others_there() -> None:
    app = TableApp(100_000)
    async with app.run_test(size=(40, 13)) as pilot:
        await pilot.pause()
        head, first = lines(app)[:2]
        assert head.split() == ["name", "count"]
        assert first.startswith("▌ row 0")
        assert "\x1b" not in first
        table = app.query_one(RecordTable)
        table.action_end()
        await pilot.pause()
        assert lines(app)[-1].startswith("▌ row 99999")
        assert lines(app)[-1].endswith("99,999")
        assert len(app.drawn) < 60
        table.action_page_up()
        table.action_cursor_up()
        assert table.cursor < 99_991
        table.action_home()
        table.action_cursor_up()
        assert table.cursor == 0


async def test_the_bar_is_thin_while_keys_go_elsewhere() -> None:
    app = TableApp(5)
    async with app.run_test(size=(40, 13)) as pilot:
        await pilot.pause()
        assert lines(app)[1].startswith("▌ row 0")
        app.set_focus(None)
        await pilot.pause()
        assert lines(app)[1].startswith("▏ row 0")


async def test_the_row_that_is_chosen_is_bold_also_while_keys_go_elsewhere() -> None:
    app = TableApp(3)
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        table = app.query_one(RecordTable)
        app.set_focus(None)
        await pilot.pause()
        bold = [[bool(piece.style and piece.style.bold) for piece in table.render_line(y)] for y in (1, 2)]
        assert [all(row) for row in bold] == [True, False]


async def test_a_click_moves_the_cursor_and_a_second_one_opens() -> None:
    app = TableApp(5)
    async with app.run_test(size=(40, 13)) as pilot:
        await pilot.click(RecordTable, offset=(5, 3))
        assert app.query_one(RecordTable).cursor == 2
        assert app.opened == []
        await pilot.click(RecordTable, offset=(5, 4), times=2)
        assert app.opened == [3]
        await pilot.click(RecordTable, offset=(5, 0), times=2)
        await pilot.click(RecordTable, offset=(5, 8), times=2)
        assert app.opened == [3]


async def test_every_row_in_sight_can_be_jumped_to() -> None:
    app = TableApp(5)
    async with app.run_test(size=(40, 13)):
        table = app.query_one(RecordTable)
        places = table.jump_places()
        assert [place.y for place in places] == [1, 2, 3, 4, 5]
        places[3].go()
        assert table.cursor == 3


async def test_an_empty_table_has_nothing_to_open() -> None:
    app = TableApp(0)
    async with app.run_test(size=(40, 13)) as pilot:
        await pilot.click(RecordTable, offset=(5, 1), times=2)
        app.query_one(RecordTable).action_cursor_down()
        assert app.opened == []
        assert app.query_one(RecordTable).cursor == 0


async def test_tabs_name_the_parts_and_a_click_asks_for_one() -> None:
    app = TableApp(1)
    async with app.run_test(size=(40, 13)) as pilot:
        await pilot.pause()
        tabs = app.query_one(PartTabs)
        assert tabs.render_line(0).text.rstrip() == "  notes (1,200)   rates"
        await pilot.click(PartTabs, offset=(20, 0))
        await pilot.click(PartTabs, offset=(0, 0))
        assert app.chosen == ["rates"]


async def test_where_the_cursor_moves_only_the_two_rows_are_drawn_that_change() -> None:
    app = TableApp(100)
    async with app.run_test(size=(40, 13)) as pilot:
        await pilot.pause()
        table = app.query_one(RecordTable)
        app.drawn.clear()
        table.action_cursor_down()
        await pilot.pause()
        assert app.drawn == {0, 1}
        app.drawn.clear()
        table.move_cursor(50)
        await pilot.pause()
        assert len(app.drawn) == table.window


@pytest.mark.parametrize(("width", "titles"), [(40, ["name", "near"]), (60, ["name", "near", "last"])])
async def test_columns_at_the_end_give_way_where_the_names_have_too_little_room(
    width: int, titles: list[str]
) -> None:
    app = TableApp(3)
    async with app.run_test(size=(width, 12)) as pilot:
        await pilot.pause()
        columns = (TableColumn("name"), TableColumn("near", 8), TableColumn("last", 20))
        app.query_one(RecordTable).show(
            columns, 3, lambda row: [Cell(f"row {row}"), Cell(f"near {row}"), Cell(f"last {row}")]
        )
        head, first = lines(app)[:2]
        assert head.split() == titles
        assert [word for word in first.split() if word.isalpha()][1:] == titles[1:]
        assert "row 0" in first
