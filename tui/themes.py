"""The two themes: one calm surface, one accent, and green, red and amber for pass, fail and unsure only."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

DARK, LIGHT = "turnwise-dark", "turnwise-light"


def _theme(
    name: str,
    *,
    dark: bool,
    background: str,
    surface: str,
    panel: str,
    text: str,
    muted: str,
    accent: str,
    passed: str,
    failed: str,
    unsure: str,
) -> Theme:
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
        "border": accent,
        "border-blurred": panel,
        "scrollbar": panel,
        "scrollbar-hover": muted,
        "scrollbar-active": accent,
        "scrollbar-background": background,
        "scrollbar-background-hover": background,
        "scrollbar-background-active": background,
        "scrollbar-corner-color": background,
        "block-cursor-foreground": text,
        "block-cursor-background": panel,
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": text,
        "block-cursor-blurred-background": panel,
        "input-cursor-background": accent,
        "input-cursor-foreground": background,
        "input-selection-background": f"{accent} 35%",
        "screen-selection-background": f"{accent} 35%",
        "footer-key-foreground": text,
    }
    return Theme(
        name=name,
        dark=dark,
        primary=accent,
        secondary=accent,
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


THEMES = (
    _theme(
        DARK,
        dark=True,
        background="#16181b",
        surface="#1e2125",
        panel="#2a2e33",
        text="#d9dce3",
        muted="#949ba8",
        accent="#7fb0f5",
        passed="#7ecb8f",
        failed="#f28482",
        unsure="#e2b366",
    ),
    _theme(
        LIGHT,
        dark=False,
        background="#fbfbfb",
        surface="#efefed",
        panel="#e2e2df",
        text="#23272e",
        muted="#575d68",
        accent="#1d5bb8",
        passed="#186630",
        failed="#a8231c",
        unsure="#7a5000",
    ),
)
