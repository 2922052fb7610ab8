"""The names of all themes: the one list that settings, commands, dialogs, tests and pictures go by."""

from __future__ import annotations

OWN_THEME_NAMES = ("dark", "light", "high-contrast", "ansi")
KNOWN_THEME_NAMES = (
    "nord",
    "gruvbox",
    "tokyo-night",
    "catppuccin-mocha",
    "catppuccin-latte",
    "dracula",
    "monokai",
    "rose-pine",
    "rose-pine-dawn",
    "solarized-dark",
    "solarized-light",
    "flexoki",
    "atom-one-dark",
    "atom-one-light",
)
"""Themes that people know from elsewhere, by the names that they have there."""
THEME_NAMES = (*OWN_THEME_NAMES, *KNOWN_THEME_NAMES)
"""The themes as people name them; see turnwise.tui.settings.themes."""
THEMES_IN_WORDS = ", ".join((*OWN_THEME_NAMES[:-1], "ansi (16 colours)", *KNOWN_THEME_NAMES))
