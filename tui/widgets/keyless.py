"""Keyless: marks a widget that takes no key by itself, so that the app can answer a key without asking it."""

from __future__ import annotations


class Keyless:
    """A list or a text that is moved about in by the actions of its screen."""
