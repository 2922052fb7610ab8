"""StillScreen: a screen that stays as it is drawn where only the focus goes to another part of it."""

from __future__ import annotations

from textual.reactive import Reactive
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget


class StillScreen(Screen[ScreenResultType]):
    """Leaves it to the two widgets that lose and get the focus to draw themselves anew.

    A plain screen then draws all there is, which takes longer than a key may.
    """

    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
