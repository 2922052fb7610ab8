from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from turnwise.tui.themes import THEMES

TEXTS = ["text", "text-muted", "text-success", "text-error", "text-warning", "text-accent"]


def luminance(color: Color) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", ["background", "surface", "panel"])
def test_text_can_be_read_on_every_ground(theme: Theme, text: str, ground: str) -> None:
    colors = theme.to_color_system().generate()
    assert contrast(Color.parse(colors[text]), Color.parse(colors[ground])) >= 4.5
