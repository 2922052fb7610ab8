"""The themes: one calm surface, one accent, and green, red and amber for pass, fail and unsure only.

Of the terminal's own 16 colours unsure takes magenta, because their yellow is lost on white.

No theme says anything by colour alone: marks and words carry all of it, and the `ansi` theme without any
colour, which NO_COLOR asks for, still shows where one is by a bar, bold and reverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from textual.theme import Theme

from turnwise.conversations.errors import SettingError
from turnwise.tui.settings.fixed_theme import fixed_theme
from turnwise.tui.settings.known_themes import known_theme
from turnwise.tui.settings.settings import near_theme
from turnwise.tui.settings.theme_names import OWN_THEME_NAMES, THEME_NAMES

PREFIX = "turnwise-"
DARK, LIGHT, HIGH_CONTRAST, ANSI = (PREFIX + name for name in OWN_THEME_NAMES)

_TRUECOLOR_TERMS = ("-direct", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour")
_PLAIN_PROGRAMS = ("Apple_Terminal",)
"""Programs that say they have 256 colours and draw no others."""


def choose_theme(
    asked: str | None, settings: str | None, environment: Mapping[str, str], *, told_by: str = "--theme"
) -> str:
    """Return the theme to begin with, by the name it is registered as.

    asked: what the command line says; then TURNWISE_THEME holds, then the settings, then what is known of
    the terminal. NO_COLOR goes before all. told_by: what errors call `asked`. Raises SettingError for a name
    that is no theme.
    """
    variable = environment.get("TURNWISE_THEME", "")
    for name, source in ((asked, told_by), (variable, "TURNWISE_THEME")):
        if name and name not in THEME_NAMES:
            raise SettingError(f"There is no theme {name!r}", detail=source, next_step=near_theme(name))
    named = asked or variable or settings
    if wants_no_color(environment):
        return ANSI
    if named:
        return PREFIX + named
    return DARK if can_show_themes(environment) else ANSI


def wants_no_color(environment: Mapping[str, str]) -> bool:
    """Say whether NO_COLOR is set to anything, as no-color.org has it."""
    return bool(environment.get("NO_COLOR"))


def can_show_themes(environment: Mapping[str, str]) -> bool:
    """Say whether a terminal can draw a theme's colours, or at least its nearest of 256.

    Where nothing is known of it, 16 colours are safe: they are the terminal's own.
    """
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return True
    if environment.get("TERM_PROGRAM") in _PLAIN_PROGRAMS:
        return False
    term = environment.get("TERM", "").lower()
    return "256color" in term or any(name in term for name in _TRUECOLOR_TERMS) or "WT_SESSION" in environment


# Blue can hardly be read on black, and yellow not at all on white; these can on both.
_ANSI_COLORS = {
    "primary": "ansi_bright_blue",
    "secondary": "ansi_default",
    "accent": "ansi_bright_blue",
    "success": "ansi_green",
    "warning": "ansi_magenta",
    "error": "ansi_red",
}


def _ansi_theme() -> Theme:
    """Return the theme of the terminal's own 16 colours on its own ground."""
    plain = "ansi_default"
    accent = _ANSI_COLORS["accent"]
    variables = {
        # Muted is dim, which every widget sets for itself: half a colour is none of the sixteen.
        "text-muted": plain,
        "ansi-background": plain,
        "ansi-foreground": plain,
        **{f"text-{name}": color for name, color in _ANSI_COLORS.items()},
        "text-disabled": plain,
        "foreground-muted": plain,
        "border": accent,
        "border-blurred": plain,
        "scrollbar": plain,
        "scrollbar-hover": accent,
        "scrollbar-active": accent,
        "scrollbar-background": plain,
        "scrollbar-background-hover": plain,
        "scrollbar-background-active": plain,
        "scrollbar-corner-color": plain,
        # Options lose reverse as they are drawn, so that a pair of colours must tell where one is.
        "block-cursor-foreground": "ansi_bright_white",
        "block-cursor-background": "ansi_blue",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": plain,
        "block-cursor-blurred-background": plain,
        "block-cursor-blurred-text-style": "bold",
        "input-cursor-background": plain,
        "input-cursor-foreground": plain,
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_cyan",
        "input-selection-foreground": "ansi_black",
        "screen-selection-background": "ansi_cyan",
        "screen-selection-foreground": "ansi_black",
        "footer-key-foreground": plain,
        "link-color": plain,
    }
    return Theme(
        name=ANSI,
        ansi=True,
        primary=accent,
        secondary=accent,
        accent=accent,
        success=_ANSI_COLORS["success"],
        warning=_ANSI_COLORS["warning"],
        error=_ANSI_COLORS["error"],
        foreground=plain,
        background=plain,
        surface=plain,
        panel=plain,
        boost=plain,
        variables=variables,
    )


OWN_THEMES = (
    fixed_theme(
        DARK,
        dark=True,
        background="#16181b",
        surface="#1e2125",
        panel="#2a2e33",
        text="#d9dce3",
        muted="#9ba2af",
        accent="#7fb0f5",
        data="#c3a8f0",
        passed="#7ecb8f",
        failed="#f28482",
        unsure="#e2b366",
    ),
    fixed_theme(
        LIGHT,
        dark=False,
        background="#fbfbfb",
        surface="#efefed",
        panel="#dadae0",
        text="#23272e",
        muted="#575d68",
        accent="#1d5bb8",
        data="#6a3a9c",
        # With any more blue the nearest of 256 colours is no green.
        passed="#18662e",
        failed="#a8231c",
        unsure="#724e00",
    ),
    fixed_theme(
        HIGH_CONTRAST,
        dark=True,
        background="#000000",
        surface="#0c0c0c",
        panel="#333333",
        text="#ffffff",
        muted="#d6d6d6",
        accent="#8fd0ff",
        data="#e2c8ff",
        passed="#7df09a",
        failed="#ffb3b0",
        unsure="#ffd75e",
        cursor="#00426f",
        scrollbar="#8a8a8a",
        selection=25,
    ),
    _ansi_theme(),
)
"""Those that turnwise brings; all others are Textual's, see `known_theme`."""


@cache
def theme_of(registered: str) -> Theme:
    """Return a theme by the name it is registered as; one that is known elsewhere is adapted first."""
    own = next((theme for theme in OWN_THEMES if theme.name == registered), None)
    return own or known_theme(registered.removeprefix(PREFIX), registered)


def registered_names() -> tuple[str, ...]:
    """Return the names of all themes, as they are registered."""
    return tuple(PREFIX + name for name in THEME_NAMES)
