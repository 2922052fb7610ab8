"""The board of Agreement: what it counts is told to its end, in a window of any size."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.demo.demo_store import fill as fill_demo
from turnwise.tui.drawing.record_table import RecordTable


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
async def test_what_is_counted_below_the_figures_is_told_to_its_end(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    store = Store.open(tmp_path / "demo.db")
    await fill_demo(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "10 failed: 2 name this metric" in shown(app))
        figures = app.screen.query_one("#figures").region
        rows = [
            line[figures.x : figures.right].strip(" │")
            for line in shown(app).splitlines()[figures.y : figures.bottom]
        ]
        told = " ".join(rows)
        assert "26 passed, 9 failed for something else, 1 of the disputed" in told
        assert "8 name none: perhaps for another reason" in told
        assert "…" not in told
        assert app.screen.query_one("#sessions", RecordTable).count == 3
    store.close()
