"""In terminals of 256 colours themes look as they are meant: grounds are grey, what passes is green."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.color import Color, ColorSystem
from tui_driver import until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.palette import component
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.settings.themes import ANSI, DARK, LIGHT, theme_of
from turnwise.tui.terminal.nearest_colors import OF_256, nearest_of_256, take_nearest_colors


@pytest.fixture
def nearest() -> Iterator[None]:
    before = Color.downgrade
    take_nearest_colors()
    yield
    Color.downgrade = before  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("tint", "shade"),
    [("#1f252e", "#262626"), ("#e7ecf4", "#eeeeee"), ("#2e3440", "#3a3a3a"), ("#1a1b26", "#1c1c1c")],
)
def test_a_tint_becomes_the_grey_that_is_as_light(tint: str, shade: str) -> None:
    assert nearest_of_256(Color.parse(tint)).get_truecolor().hex == shade


@pytest.mark.parametrize("name", [DARK, LIGHT])
def test_what_passes_is_green_among_256_colours_too(name: str) -> None:
    passed = nearest_of_256(Color.parse(theme_of(name).success or "")).get_truecolor()
    assert passed.green > max(passed.red, passed.blue)


@pytest.mark.usefixtures("nearest")
def test_rich_takes_them_and_leaves_colours_of_the_terminal_alone() -> None:
    assert Color.parse("#2e3440").downgrade(ColorSystem.EIGHT_BIT).number == 237
    assert Color.parse("#2e3440").downgrade(ColorSystem.TRUECOLOR) == Color.parse("#2e3440")
    assert Color.parse("red").downgrade(ColorSystem.EIGHT_BIT) == Color.parse("red")
    assert Color.default().downgrade(ColorSystem.EIGHT_BIT) == Color.default()


async def test_the_app_takes_them_where_there_are_256(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bool] = []
    monkeypatch.setattr("turnwise.tui.shell.looks.take_nearest_colors", lambda: taken.append(True))
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", OF_256)
    TurnwiseApp(filled)
    assert taken == [True]


async def test_what_the_user_says_has_the_ground_of_the_terminal_in_its_own_16_colours(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", OF_256)
    monkeypatch.setattr("turnwise.tui.shell.looks.take_nearest_colors", lambda: None)
    app = TurnwiseApp(filled, theme=ANSI)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: bool(app.screen.query(TranscriptView)))
        ground = component(app.screen.query_one(TranscriptView), "transcript--said").bgcolor
        assert ground is None or ground.is_default
