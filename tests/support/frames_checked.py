"""Frames checked: what a test's app keeps of a frame is held beside the same frame drawn anew."""

from __future__ import annotations

from typing import Any

import pytest
from textual._context import visible_screen_stack
from textual.screen import Screen
from textual.strip import Strip

from turnwise.tui import textual_screens
from turnwise.tui.textual_internals import kept_frames
from turnwise.tui.textual_internals.light_drawing import Line


def check_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every whole frame fail that shows another thing than it would if all its parts were drawn anew."""
    usual = kept_frames.whole_lines

    def checked(screen: Screen[Any]) -> list[Line]:
        below = list(visible_screen_stack.get([]))
        lines = usual(screen)
        # A screen that is drawn takes the one below it from there.
        visible_screen_stack.set(below)
        kept = screen._compositor.__dict__.get("_kept_frame")
        if kept is None:
            return lines
        anew = kept_frames._drawn_whole(screen._compositor, kept.ground, kept.looks).lines
        wrong = [
            f"{y}: kept {seen!r}, anew {there!r}"
            for y, (seen, there) in enumerate(zip(map(_shown, lines), map(_shown, anew), strict=True))
            if seen != there
        ]
        assert not wrong, "\n".join((f"{screen} does not show what has changed:", *wrong))
        return lines

    monkeypatch.setattr(kept_frames, "whole_lines", checked)
    monkeypatch.setattr(textual_screens, "whole_lines", checked)


def _shown(line: Line) -> list[tuple[str, object]]:
    whole = Strip.join([piece for piece in line.values() if piece is not None]).simplify()
    return [(segment.text, segment.style) for segment in whole]
