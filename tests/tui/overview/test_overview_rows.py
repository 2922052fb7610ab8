"""The lines of the overview: the cursor, and letters to jump by, go to those that lead to sessions."""

from __future__ import annotations

from textual.app import App, ComposeResult

from turnwise.tui.overview.overview_lines import OverviewLine, ToldPart
from turnwise.tui.overview.overview_rows import OverviewRows

LINES = ("", "Metrics", "politeness/politeness:fail", "a note", "", "warmth/warmth:fail", "Next")


class Bare(App[None]):
    """The lines alone."""

    def compose(self) -> ComposeResult:
        yield OverviewRows()


async def test_letters_to_jump_by_stand_on_lines_that_lead_somewhere() -> None:
    app = Bare()
    async with app.run_test(size=(80, 24)) as pilot:
        rows = app.query_one(OverviewRows)
        parted = [line.partition("/") for line in LINES]
        rows.show("a head", [OverviewLine((ToldPart(words),), query) for words, _, query in parted])
        await pilot.pause()
        places = rows.jump_places()
        assert [place.y - rows.head for place in places] == [2, 5]
        for place, query in zip(places, ("politeness:fail", "warmth:fail"), strict=True):
            place.go()
            assert rows.chosen.query == query


async def test_a_head_without_room_ends_with_a_whole_part() -> None:
    app = Bare()
    async with app.run_test(size=(40, 24)) as pilot:
        rows = app.query_one(OverviewRows)
        lines = [OverviewLine((ToldPart("a line"),), "tag:a")]
        for head, drawn in (
            ("9 sessions · judging cost $0.01, and 4 scores of unknown price", "9 sessions"),
            ("9 sessions · judging cost $0.01", "9 sessions · judging cost $0.01"),
            ("Only what tag:of-a-very-long-name-here finds", "Only what tag:of-a-very-long-name-her…"),
        ):
            rows.show(head, lines)
            await pilot.pause()
            assert rows.render_line(0).text.strip() == drawn


async def test_a_line_without_room_ends_in_an_ellipsis_and_one_with_room_is_whole() -> None:
    app = Bare()
    async with app.run_test(size=(40, 24)) as pilot:
        rows = app.query_one(OverviewRows)
        # One cell for the cursor's mark, one free, one for the scroll bar.
        whole, filled, cut = "w" * 37, f"{'f' * 20}{' ' * 30}", "c" * 38
        parts = [(ToldPart(whole[:20]), ToldPart(whole[20:])), (ToldPart(filled),), (ToldPart(cut),)]
        two = (ToldPart("a" * 37), ToldPart("b"))
        rows.show("a head", [OverviewLine(one) for one in (*parts, two)])
        await pilot.pause()
        drawn = [rows.render_line(1 + row).text.strip() for row in range(4)]
        assert drawn == [whole, "f" * 20, "c" * 36 + "…", "a" * 36 + "…"]
