"""The line under the library's list: which metrics it names where not all have room."""

from __future__ import annotations

from stored import keep, land, score
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.columns_legend import ColumnsLegend

METRICS = ("role_adherence", "knowledge_retention", "turn_relevancy", "conversation_completeness", "warmth")


def judged(store: Store, weakest: str) -> TurnwiseApp:
    for number in range(3):
        session = keep(store, f"question {number}", "answer", name=f"talk {number}")
        land(store, session, *(score(0.1 if metric == weakest else 0.9, metric) for metric in METRICS))
    return TurnwiseApp(store)


async def test_in_80_columns_the_weakest_are_named_in_the_order_of_columns_and_the_others_counted(
    store: Store,
) -> None:
    app = judged(store, "warmth")
    async with app.run_test(size=(80, 24)) as pilot:
        legend = app.screen.query_one(ColumnsLegend)
        await until(pilot, lambda: "wa=warmth" in legend.render_line(0).text)
        named = [one.partition("=")[0] for one in legend.render_line(0).text.split() if "=" in one]
        heads = next(line for line in shown(app).splitlines() if "  label  " in line).split()
        assert named == [one for one in heads if one in named]
        assert named[-1] == "wa"
        # What stands there without a name says by which key one sees it.
        assert legend.render_line(0).text.strip().endswith("   W names 2 more")
        assert legend.size.height == 1
        # Bold as in a line of keys is what can be pressed, and no sign of a column.
        bold = [one.text for one in legend.render_line(0) if one.style is not None and one.style.bold]
        assert bold == ["W"]


async def test_where_all_have_room_they_stand_as_their_columns_do(store: Store) -> None:
    app = judged(store, "warmth")
    async with app.run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "conversation completeness" in shown(app))
        legend = app.screen.query_one(ColumnsLegend)
        assert legend.render_line(0).text.split()[:2] == ["ra=role", "adherence"]
        assert "more" not in legend.render_line(0).text
