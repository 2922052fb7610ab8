"""Upgrading: what is said while a database of an earlier version gets what this one looks things up by."""

from __future__ import annotations

import sys
import time
from typing import Self

from turnwise.conversations.words import percent
from turnwise.tui.cli.output import Progress, narrate

SECONDS_IN_SILENCE = 1.0


class UpgradeWords:
    """Told how much is done, it says so once that takes a while: a line at a terminal, else one remark."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._line = Progress()
        self._told = False

    def __call__(self, share: float) -> None:
        """Say how much is done, from 0 to 1."""
        if time.monotonic() - self._began < SECONDS_IN_SILENCE:
            return
        if not self._told and not sys.stderr.isatty():
            narrate("Bringing the database up to date, once: filters by metadata need it. ctrl+c stops.")
        self._told = True
        self._line.show(f"Bringing the database up to date, once: {percent(share)} · ctrl+c stops")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        """Take the line away."""
        self._line.clear()
