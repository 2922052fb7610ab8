"""Notices: what is sent to a terminal so that it tells a person who looks elsewhere that a run has ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from turnwise.conversations.safe_text import make_safe_line

Notify = Literal["never", "bell", "terminal"]
"""How the end of a long run is told: not at all, by the bell, or by a notice of the terminal."""
LONG_RUN_SECONDS = 10.0
"""Whoever waited for less is still there."""

BELL = "\a"
_MOST_CHARACTERS = 200
_END = "\x1b\\"


def notice(how: Notify, text: str, environment: Mapping[str, str]) -> str:
    """Return what tells a terminal's user of something, as codes to write to that terminal.

    Most terminals know OSC 9; those of GNOME and urxvt know OSC 777. One behind tmux or screen gets it where
    these let it pass; as they may not, the bell rings too, which they show at the window's name.
    """
    if how == "never":
        return ""
    if how == "bell":
        return BELL
    # Semicolons part the fields of such a code.
    said = make_safe_line(text).replace(";", ",")[:_MOST_CHARACTERS]
    term = environment.get("TERM", "")
    of_gnome = "VTE_VERSION" in environment or term.startswith("rxvt")
    code = f"\x1b]777;notify;turnwise;{said}{_END}" if of_gnome else f"\x1b]9;turnwise: {said}{_END}"
    if "TMUX" in environment:
        doubled = code.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}{_END}{BELL}"
    if term.startswith("screen"):
        # Screen ends what it passes on at the first end of a code: the bell's character ends this one.
        return f"\x1bP{code.removesuffix(_END)}{BELL}{_END}{BELL}"
    return code
