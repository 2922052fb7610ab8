"""PicturesDialog: the images of a session, one at a time, drawn where they can be and named where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import SegmentLines
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.images import MLLMImage, pictured_in
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.picture_lines import (
    CannotShowError,
    PictureLines,
    picture_bytes,
    picture_lines,
)

_PANEL_PERCENT = 94
"""How much of the height a panel may take."""
_OTHER_ROWS = 8
_SIDES = 6


def pictures_of(case: ConversationalTestCase | LLMTestCase) -> list[tuple[str, MLLMImage]]:
    """Return the images of a stored case, each with the side of the exchange it stands on."""
    pictured = pictured_in(case) if isinstance(case, ConversationalTestCase) else None
    if pictured is None:
        return []
    sides = (("input", pictured.input), ("output", pictured.actual_output))
    return [(side, part) for side, parts in sides for part in parts if isinstance(part, MLLMImage)]


class PicturesDialog(Dialog[None]):
    """Show images. images: with the words that say where each stands, such as "input"."""

    PLACE: ClassVar[Place] = "pictures"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("pictures"))
    DEFAULT_CSS = """
    PicturesDialog #panel { width: 96%; }
    PicturesDialog #picture { height: auto; width: 100%; content-align: center middle; padding: 0 1; }
    PicturesDialog #about { height: auto; padding: 1 1 0 1; color: $text-muted; }
    """

    def __init__(self, images: Sequence[tuple[str, MLLMImage]]) -> None:
        super().__init__()
        self._images = images
        self._at = 0

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("", classes="title", markup=False)
            yield Static("", id="picture")
            yield Static("", id="about", markup=False)
            yield KeyLine("pictures")

    def on_mount(self) -> None:
        """Show the first."""
        self._show()

    def on_resize(self) -> None:
        """Draw again at the new size."""
        self._show()

    def action_next_picture(self) -> None:
        """Go to the next image, from the last to the first."""
        self._at = (self._at + 1) % len(self._images)
        self._show()

    def action_previous_picture(self) -> None:
        """Go to the image before."""
        self._at = (self._at - 1) % len(self._images)
        self._show()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def _show(self) -> None:
        where, image = self._images[self._at]
        count = f"Image {self._at + 1} of {len(self._images)}"
        self.query_one(".title", Static).update(f"{count} · {where} · {make_safe_line(image.named)}")
        rows = self.size.height * _PANEL_PERCENT // 100 - _OTHER_ROWS
        self._draw(image.url, max(10, self.size.width - _SIDES), max(4, rows))

    @work(thread=True, exclusive=True)
    def _draw(self, url: str, cells: int, rows: int) -> None:
        # A large photograph takes half a second to scale down.
        try:
            drawn: PictureLines | str = picture_lines(
                picture_bytes(url), cells=cells, rows=rows, colours=not self.app.no_color
            )
        except CannotShowError as reason:
            place = "" if url.startswith("data:") else f"\n{make_safe_line(url)[:500]}"
            drawn = f"It cannot be shown here. {reason}{place}"
        self.app.call_from_thread(self._take, drawn)

    def _take(self, drawn: PictureLines | str) -> None:
        if not self.is_mounted:
            return
        picture, about = self.query_one("#picture", Static), self.query_one("#about", Static)
        if isinstance(drawn, str):
            picture.update("")
            about.update(drawn)
        else:
            picture.update(SegmentLines(drawn.lines, new_lines=True))
            about.update(f"{drawn.width:,} x {drawn.height:,} pixels")
