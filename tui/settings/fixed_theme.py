"""A theme whose every colour is chosen: Textual would mix some from others, and lose the contrast."""

from __future__ import annotations

from collections.abc import Mapping

from textual.color import Color
from textual.theme import Theme


def fixed_theme(
    name: str,
    *,
    dark: bool,
    background: str,
    surface: str,
    panel: str,
    text: str,
    muted: str,
    accent: str,
    data: str,
    passed: str,
    failed: str,
    unsure: str,
    cursor: str = "",
    scrollbar: str = "",
    selection: int = 35,
) -> Theme:
    """Return a theme with fixed colours.

    data: what is written in data and code, such as texts and figures.
    cursor: the ground of the row one is at, where `panel` is too near its surroundings; scrollbar too.
    selection: how much of the accent is in the ground of what is selected, in percent.
    """
    # Between the ground and what is muted: a bar of the colour of rows is lost beside the row one is at, and
    # on light grounds it is the track that looks like the bar.
    bar = scrollbar or Color.parse(background).blend(Color.parse(muted), 0.5).hex
    # Its track is the ground that it lies on, be it a screen or a dialog.
    track = Color.parse(background).with_alpha(0).hex
    variables: Mapping[str, str] = {
        # Textual mixes these from the background; fixed ones keep the contrast that was chosen.
        "text": text,
        "text-muted": muted,
        "text-disabled": muted,
        "text-success": passed,
        "text-error": failed,
        "text-warning": unsure,
        "text-accent": accent,
        "text-primary": accent,
        "text-secondary": data,
        "border": accent,
        "border-blurred": panel,
        "scrollbar": bar,
        "scrollbar-hover": muted,
        "scrollbar-active": accent,
        "scrollbar-background": track,
        "scrollbar-background-hover": track,
        "scrollbar-background-active": track,
        "scrollbar-corner-color": background,
        "block-cursor-foreground": text,
        "block-cursor-background": cursor or panel,
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": text,
        "block-cursor-blurred-background": cursor or panel,
        "input-cursor-background": accent,
        "input-cursor-foreground": background,
        "input-selection-background": f"{accent} {selection}%",
        "input-selection-foreground": text,
        # What is dim or coloured could hardly be read on the ground of what is selected.
        "screen-selection-background": f"{accent} {selection}%",
        "screen-selection-foreground": text,
        "footer-key-foreground": text,
    }
    return Theme(
        name=name,
        dark=dark,
        primary=accent,
        secondary=data,
        accent=accent,
        foreground=text,
        background=background,
        surface=surface,
        panel=panel,
        success=passed,
        error=failed,
        warning=unsure,
        variables=dict(variables),
    )
