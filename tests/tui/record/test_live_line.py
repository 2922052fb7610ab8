"""The live line names what was found, with its sign, and counts what finds no room."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from turnwise.conversations.store.rows import ScoreRow
from turnwise.tui.reading.score_groups import group_scores
from turnwise.tui.record.live_line import LiveLine


def outcome(metric: str, passed: bool | None) -> ScoreRow:
    return ScoreRow(
        id=1,
        session_id=1,
        metric=metric,
        outcome="score",
        score=0.5,
        threshold=0.5,
        passed=passed,
        reason="",
        exchange=None,
        created_at=0.0,
        judge="",
        version=1,
        run_id=1,
    )


GROUPS = group_scores(
    [outcome("role_adherence", True), outcome("faithfulness", False), outcome("tone", None)]
)


class Line(App[None]):
    """An app that is one live line."""

    def compose(self) -> ComposeResult:
        yield LiveLine()


@pytest.mark.parametrize(
    ("width", "as_of", "shown"),
    [
        (80, 0, " live   ✗ faithfulness   ~ tone   ✓ role adherence"),
        (80, 4, " as of turn 4   ✗ faithfulness   ~ tone   ✓ role adherence"),
        (46, 0, " live   ✗ faithfulness   ~ tone   +1"),
        (30, 0, " live   ✗ faithfulness   +2"),
        (12, 0, " live   +3"),
    ],
)
async def test_what_is_shown(width: int, as_of: int, shown: str) -> None:
    app = Line()
    async with app.run_test(size=(width, 3)) as pilot:
        line = app.query_one(LiveLine)
        assert not line.display
        line.show(GROUPS, as_of)
        await pilot.pause()
        assert line.render_line(0).text.rstrip() == shown
