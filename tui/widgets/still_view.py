"""StillView: a scrolled list whose styles stay as they are where the focus comes and goes."""

from __future__ import annotations

from textual.scroll_view import ScrollView


class StillView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows the focus in what it draws, as its lines' marks and colours, and has no styles of its own for it.

    Textual would look up all its styles again, and then draw its scroll bars in a frame of their own, later
    than a key may take.
    """

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Leave the styles as they are."""
