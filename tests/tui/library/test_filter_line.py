"""FilterLine: its sign tells whether keys are typed there."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static
from tui_driver import settled, shown, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.filter_line import FilterLine, finished


async def test_the_sign_stands_out_while_a_query_is_typed(app: TurnwiseApp) -> None:
    def bold(pilot: Pilot[int]) -> bool:
        return bool(pilot.app.screen.query_one(".filter--sign", Static).rich_style.bold)

    async with app.run_test(size=(100, 24)) as pilot:
        await settled(pilot)
        assert not bold(pilot)
        await pilot.press("slash", "u")
        assert bold(pilot)
        await pilot.press("escape")
        assert not bold(pilot)


async def test_what_is_wrong_is_told_whole_however_narrow_the_terminal(app: TurnwiseApp) -> None:
    text = "There is no filter rol. " + "It goes on and on. " * 5 + "Did you mean role?"
    async with app.run_test(size=(60, 24)) as pilot:
        await settled(pilot)
        line = pilot.app.screen.query_one(FilterLine)
        line.show_error(text, (0, 3))
        await settled(pilot)
        error = line.query_one(".filter--error", Static)
        lines = [strip.text for strip in error.render_lines(error.outer_size.region)]
        assert all(one.startswith("   ") and not one[3].isspace() for one in lines)
        told = " ".join(" ".join(one.split()) for one in lines)
        assert " ".join(told.split()) == text


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("bag role:", "bag "),
        ("bag -turns>=", "bag "),
        ("bag meta.", "bag "),
        ("meta.lang", ""),
        ("-meta.language:", ""),
        ('bag meta."customer t', "bag "),
        ('meta."customer tier":', ""),
        ("meta.language:e", "meta.language:e"),
        ("meta.latency<2", "meta.latency<2"),
        ('meta."a b":"x"', 'meta."a b":"x"'),
        ('meta."customer tier":"tier 1"', 'meta."customer tier":"tier 1"'),
        ("metal", "metal"),
        ("a meta.b c", "a meta.b c"),
    ],
)
def test_what_only_begins_is_not_asked_for_while_it_is_typed(typed: str, asked: str) -> None:
    assert finished(typed) == asked


async def test_what_is_filtered_by_is_read_whole_before_all_that_is_counted(app: TurnwiseApp) -> None:
    query = "run:4 language_switch:fail"
    count = "4 of 64 · 6 wait for your label: not searched · newest scores, of any run"

    def drawn(line: FilterLine) -> str:
        return "".join(segment.text for segment in line.app.screen._compositor.render_strips()[line.region.y])

    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        line = pilot.app.screen.query_one(FilterLine)
        with line.prevent(Input.Changed, FilterLine.Asked):
            line.set_query(query)
        line.show_count(count)
        await until(pilot, lambda: f"/ {query} " in drawn(line) and " 4 of 64 · 6 wait" in drawn(line))
        assert drawn(line).rstrip().endswith("…")
        await pilot.resize_terminal(120, 24)
        await until(pilot, lambda: query in drawn(line) and count in drawn(line))
        await pilot.resize_terminal(30, 24)
        await until(pilot, lambda: drawn(line).rstrip().endswith("4 of 64…"))


async def test_while_a_query_is_typed_the_bar_of_the_list_is_thin_and_afterwards_a_key_keeps_the_filter(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(160, 30)) as pilot:
        await until(pilot, lambda: "▌" in shown(app) and "▏" not in shown(app))
        await pilot.press("slash", *"turns>0")
        await until(pilot, lambda: "▏" in shown(app) and "▌" not in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "▌" in shown(app) and "F save the filter" in shown(app))
