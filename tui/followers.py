"""Followers: the screens that follow what changes in the app, let go of once they are gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from textual.screen import Screen
from textual.signal import Signal

Told = TypeVar("Told")


class Followers:
    """Who follows which signal.

    A signal alone keeps a screen that is gone, and the long conversation in it, until it is next published.
    """

    def __init__(self) -> None:
        self._followed: list[tuple[Screen[Any], Signal[Any]]] = []

    def follow(self, screen: Screen[Any], signal: Signal[Told], callback: Callable[[Told], object]) -> None:
        """Call back with whatever a signal tells, as long as the screen is there."""
        signal.subscribe(screen, callback)
        self._followed.append((screen, signal))

    def let_go(self, there: Sequence[Screen[Any]]) -> None:
        """Forget all screens but those that are there."""
        for screen, signal in self._followed:
            if screen not in there:
                signal.unsubscribe(screen)
        self._followed = [one for one in self._followed if one[0] in there]
