"""Kept drawings: what Textual remembers of widgets that are gone."""

from __future__ import annotations

from textual._styles_cache import StylesCache


def forget_drawings() -> None:
    """Let go of what is remembered; colours are found anew where they are needed.

    A cache of colours holds the last 1,024 widgets with all their lines, some 400 MB of them:
    https://github.com/Textualize/textual/issues/6665.
    """
    StylesCache.get_inner_outer.cache_clear()
