"""Synonyms: what those call an action who do not know the app's word for it yet."""

from __future__ import annotations

from collections.abc import Mapping

SYNONYMS: Mapping[str, str] = {
    "delete": "remove erase",
    "export": "save download",
    "figures": "table numbers",
    "filter": "search find",
    "find": "search",
    "forget": "delete remove erase",
    "heat map": "heatmap matrix grid",
    "help": "shortcuts manual",
    "how often": "frequency count histogram",
    "import": "load upload",
    "next after a pass": "auto-advance",
    "note": "comment",
    "quit": "exit close",
    "redo": "again",
    "retire": "delete remove",
    "score": "evaluate",
    "settings": "preferences options theme colour color dark mode appearance",
    "undo": "revert restore",
    "write report": "export save download",
}
"""Other words for an action, by its title. What its help says already is not among them."""


def also_called(title: str) -> str:
    """Return other words for an action of this title; empty where it has none."""
    return SYNONYMS.get(title, "")
