"""Tints in terminals of 256 colours: as light as they are, and told from the ground they lie on."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem

from turnwise.tui.parts.palette import grey_of_256
from turnwise.tui.settings.themes import DARK, LIGHT, theme_of


@pytest.mark.parametrize(("tint", "shade"), [("#1f252e", "#262626"), ("#e7ecf4", "#eeeeee")])
def test_a_tint_becomes_the_grey_that_is_as_light(tint: str, shade: str) -> None:
    assert grey_of_256(Color.parse(tint)).get_truecolor().hex == shade


@pytest.mark.parametrize("name", [DARK, LIGHT])
def test_what_passes_is_green_among_256_colours_too(name: str) -> None:
    passed = Color.parse(theme_of(name).success or "").downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
    assert passed.green > max(passed.red, passed.blue)
