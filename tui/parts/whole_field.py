"""WholeField: a line whose text typing replaces, whether one came to it by a key or by a click."""

from __future__ import annotations

from typing import Any

from textual.widgets import Input


class WholeField(Input):
    """An Input that keeps its promise to select on focus when a click brings the focus, too."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._just_come = False

    def on_focus(self) -> None:
        """Remember that the next click is the one that came here."""
        self._just_come = True

    def on_key(self) -> None:
        """From the first key on a click places the cursor."""
        self._just_come = False

    def on_click(self) -> None:
        """Select all that stands here, unless the mouse was drawn over a part of it."""
        if self._just_come and self.selection.is_empty:
            self.select_all()
        self._just_come = False
