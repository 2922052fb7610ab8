"""Themes that people know from elsewhere, adapted so that all that is written in them can be read.

Textual ships their colours, which were chosen for code on one ground. Here words also stand on the ground of
dialogs, of the row one is at and of what a user said, and a mark is a word too. So what lacks contrast is
moved towards white, or black on a light ground, as little as will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.color import ColorSystem
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from turnwise.tui.settings.fixed_theme import fixed_theme

LEAST = 4.5
"""WCAG's contrast for text; marks of pass, fail and unsure are held to it as well."""
LEAST_OF_TEXT = 7.0
"""What most is written in stands out from what is muted beside it."""
LEAST_ON_THE_CURSOR = 6.0
APART = 1.12
"""So far the ground of the row one is at differs from those that it lies on."""
LEAST_OF_256 = 3.0
"""Where a terminal draws the nearest of 256 colours; to ask for more would take the colour out of them."""
SAID = 0.09
"""So much of the accent is in the ground of what a user says."""
_STEPS = 50


def known_theme(name: str, registered: str) -> Theme:
    """Return a theme of Textual's, adapted. registered: the name it gets."""
    base = BUILTIN_THEMES[name]
    toward = Color.parse("#ffffff" if base.dark else "#000000")
    accent, foreground = Color.parse(base.primary), Color.parse(base.foreground or toward.hex)
    background = Color.parse(base.background or "#121212")
    surface = Color.parse(base.surface or background.hex)
    text = readable(foreground, [background, surface], toward, LEAST_OF_TEXT)
    panel = _panel(Color.parse(base.panel or surface.hex), (surface, background), text)
    # The tint goes by the accent, which may have to move; by then it is near enough.
    accent = readable(accent, [background, surface, panel], toward)
    grounds = [background, surface, panel, background.blend(accent, SAID)]

    def clear(color: str | Color | None) -> str:
        found = Color.parse(color) if isinstance(color, str) else color or text
        return readable(found, grounds, toward).hex

    accent = Color.parse(clear(accent))
    return fixed_theme(
        registered,
        dark=base.dark,
        background=background.hex,
        surface=surface.hex,
        panel=panel.hex,
        text=text.hex,
        muted=clear(text.blend(background, 0.36)),
        accent=accent.hex,
        data=clear(base.secondary),
        passed=clear(base.success),
        failed=clear(base.error),
        unsure=clear(base.warning),
        selection=_selection(accent, text, grounds),
    )


def readable(color: Color, grounds: Sequence[Color], toward: Color, least: float = LEAST) -> Color:
    """Return a colour that can be read on all grounds, moved as little towards another as will do."""
    for step in range(_STEPS + 1):
        found = color.blend(toward, step / _STEPS)
        if all(_contrast(found, ground, least) for ground in grounds):
            return found
    return toward


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two colours as WCAG defines it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _contrast(color: Color, ground: Color, least: float) -> bool:
    near = contrast(_of_256(color), _of_256(ground))
    return contrast(color, ground) >= least and near >= LEAST_OF_256


def _luminance(color: Color) -> float:
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _of_256(color: Color) -> Color:
    triplet = color.rich_color.downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
    return Color(triplet.red, triplet.green, triplet.blue)


def _panel(wanted: Color, below: tuple[Color, Color], text: Color) -> Color:
    """Return the ground of the row one is at, and of fields: as the theme has it where that can be told.

    below: the grounds that it lies on: that of dialogs, and that of all screens.
    """
    return next(
        panel
        for panel in (wanted, *_grounds_from(below[0], text))
        if all(contrast(panel, ground) >= APART for ground in below)
        and contrast(text, panel) >= LEAST_ON_THE_CURSOR
    )


def _grounds_from(surface: Color, text: Color) -> Iterator[Color]:
    """Yield grounds ever further from a surface, first towards the text, then away from it."""
    away = Color.parse("#000000" if contrast(text, Color.parse("#000000")) > LEAST else "#ffffff")
    for other in (text, away):
        for step in range(1, 2 * _STEPS + 1):
            yield surface.blend(other, step / (2 * _STEPS))


def _selection(accent: Color, text: Color, grounds: Sequence[Color]) -> int:
    """Return how much of the accent can be in the ground of what is selected, in percent."""
    shares = range(35, 5, -5)
    return next(
        (one for one in shares if all(contrast(text, g.blend(accent, one / 100)) >= LEAST for g in grounds)),
        5,
    )
