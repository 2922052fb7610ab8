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
