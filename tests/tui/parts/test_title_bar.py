"""The top line says as much as fits: the detail gives way to the title and to what stands at the right."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from tui_driver import shown

from turnwise.tui.parts.title_bar import TitleBar, named_in_title

ROLE = "The booking assistant of a clinic. It books and moves appointments · 10 turns"


class Shown(App[None]):
    """Nothing but the line."""

    def __init__(self, bar: TitleBar) -> None:
        super().__init__()
        self.bar = bar

    def compose(self) -> ComposeResult:
        """Compose."""
        yield self.bar


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (100, "Thursday   The booking assistant of a clinic. It books and moves appoi… · 10 turns   2 of 14"),
        (60, "Thursday   The booking assistant of … · 10 turns   2 of 14"),
        (40, "Thursday                        2 of 14"),
        (14, "Thursday"),
        (6, "Thu…"),
    ],
)
async def test_a_long_detail_is_cut_and_then_goes(width: int, line: str) -> None:
    app = Shown(TitleBar("Thursday", detail=ROLE, right="2 of 14"))
    async with app.run_test(size=(width, 3)):
        assert shown(app).split("\n")[0].strip().split() == line.split()


async def test_a_title_as_long_as_a_sentence_leaves_the_detail_its_room() -> None:
    app = Shown(TitleBar("where is my bag " * 20, detail="clerk · 10 turns", right="2 of 14"))
    async with app.run_test(size=(120, 3)):
        line = shown(app).split("\n")[0]
        assert "clerk · 10 turns" in line
        assert line.count("where is my bag") == 5


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (100, "v4 Voucher that will not work no. 7 · 6 of 12 done scores hidden"),
        (80, "v4 Voucher that will not work no. 7 · 6 of 12 done scores hidden"),
        (66, "v4 Voucher that will not work no. 7 · 6 of 12 done"),
    ],
)
async def test_a_title_goes_before_what_is_said_elsewhere_too(width: int, line: str) -> None:
    bar = TitleBar("v4 Voucher that will not work", right="no. 7 · 6 of 12 done")
    bar.set_reactive(TitleBar.aside, "scores hidden")
    app = Shown(bar)
    async with app.run_test(size=(width, 3)):
        assert shown(app).split("\n")[0].split() == line.split()


@pytest.mark.parametrize(
    ("width", "right"),
    [
        (84, "2 selected   judge: scripted ● answers   14 sessions, scores of 9 hidden"),
        (70, "2 selected   judge: scripted ● answers   14 sessions"),
        (56, "2 selected   judge: scripted ● answers"),
        (30, "2 selected"),
        (14, ""),
    ],
)
async def test_where_it_is_narrow_the_right_loses_its_last_parts_first(width: int, right: str) -> None:
    app = Shown(
        TitleBar("Libr", right="2 selected   judge: scripted ● answers   14 sessions, scores of 9 hidden")
    )
    async with app.run_test(size=(width, 3)):
        assert shown(app).split("\n")[0].strip().removeprefix("Libr").strip() == right


@pytest.mark.parametrize("title", ["Library", "Agreement", "Failure modes"])
@pytest.mark.parametrize("width", [*range(20, 100), 160])
async def test_the_name_of_a_place_is_never_cut_for_what_stands_at_the_right(title: str, width: int) -> None:
    right = "judge: …   64 sessions, 6 hide scores (·), not in % until labelled"
    app = Shown(TitleBar(title, right=right))
    async with app.run_test(size=(width, 3)):
        line = shown(app).split("\n")[0]
        assert line.startswith(f" {title}   " if line.strip() != title else f" {title} ")


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("# Refund 退款", "“Refund 退款”"),
        ("[b]\x1b[31mred", "“[b]␛[31mred”"),
        ("Refund " * 20, "“Refund Refund Refund Refund Refund Refu…”"),
    ],
)
async def test_a_dialog_names_what_the_screen_below_it_shows(title: str, named: str) -> None:
    app = Shown(TitleBar(title))
    async with app.run_test():
        assert named_in_title(app.screen) == named
