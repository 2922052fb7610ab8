"""The labeller: under whose name labels are kept."""

from __future__ import annotations

from turnwise.conversations.authors import default_author
from turnwise.tui.settings import load_settings


def labeller(named: str | None = None) -> str:
    """Return who labels: the one who is named, else of the settings, else the user of this machine.

    Raises SettingError where the settings cannot be read.
    """
    return (named or "").strip() or (load_settings().author or "").strip() or default_author()
