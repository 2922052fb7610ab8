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
            assert rows.chosen == query


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
