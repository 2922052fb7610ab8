"""JumpScreen: a letter at every place of the screen below; pressing it, or clicking it, goes there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Offset, Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.jump_places import HasPlaces, JumpPlace

LETTERS = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM1234567890"
"""In the order they are given: those under the fingers first."""


class _Letter(Static):
    """One letter where it leads to."""

    ALLOW_SELECT = False


class JumpScreen(ModalScreen[Callable[[], object]]):
    """Lies over a screen; ends with what goes to the place that was chosen, or None."""

    PLACE: ClassVar[Place] = "jump"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("jump"))
    DEFAULT_CSS = """
    JumpScreen {
        background: transparent;
        & _Letter {
            position: absolute; width: 3; height: 1;
            background: $accent; color: $background; text-style: bold; text-align: center;
        }
        &:ansi _Letter { background: ansi_default; color: ansi_default; text-style: bold reverse; }
    }
    """

    def __init__(self, targets: Sequence[JumpPlace]) -> None:
        """targets: places of the whole screen; those past the last letter have none."""
        super().__init__()
        self._targets = dict(zip(LETTERS, targets, strict=False))
        self._size_seen: Size | None = None

    def compose(self) -> ComposeResult:
        """Put the letters where they lead to."""
        for letter, target in self._targets.items():
            label = _Letter(letter, markup=False, name=letter)
            label.styles.offset = (target.x, target.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        """Go to the place of a letter; any other key leaves."""
        target = self._targets.get(event.character or "")
        if target is not None:
            event.stop()
            event.prevent_default()
            self.dismiss(target.go)
        elif event.is_printable:
            event.stop()
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Go to the place of the letter that was clicked, or leave."""
        at = Offset(event.screen_x, event.screen_y)
        over = next((one.name for one in self.query(_Letter) if one.region.contains_point(at)), None)
        target = self._targets.get(over or "")
        self.dismiss(target.go if target else None)

    def on_resize(self, event: events.Resize) -> None:
        """Leave where the places have moved."""
        if self._size_seen not in (None, event.size):
            self.dismiss(None)
        self._size_seen = event.size

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss(None)


def targets_of(screen: Screen[object]) -> list[JumpPlace]:
    """Return the places of a screen that are in sight, from above and from the left."""
    found: dict[Offset, JumpPlace] = {}
    for widget in screen.walk_children(Widget):
        if not widget.is_on_screen or not widget.visible or widget.disabled:
            continue
        corner = widget.content_region.offset
        if isinstance(widget, HasPlaces):
            for place in widget.jump_places():
                at = corner + Offset(place.x, place.y)
                if screen.region.contains_point(at):
                    found[at] = JumpPlace(at.x, at.y, place.go)
        elif widget.focusable:
            found[corner] = JumpPlace(corner.x, corner.y, widget.focus)
    return [found[at] for at in sorted(found, key=lambda at: (at.y, at.x))]
