"""PicturesDialog: the images of a session, one at a time, drawn where they can be and named where not.

An image is drawn by the terminal itself where it can do that (tui/terminal/graphics.py), else as half cells
in its colours, or as shades where there are no colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.images import MLLMImage, pictured_in
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading, hand_over
from turnwise.tui.pictures.drawn_pictures import (
    CannotShowError,
    InlinePicture,
    PictureLines,
    inline_picture,
    picture_bytes,
    picture_lines,
)
from turnwise.tui.pictures.picture_area import PictureArea
from turnwise.tui.terminal.graphics import Graphics
from turnwise.tui.textual_internals.terminals import ask_graphics

NOT_KEPT = "Of the images in this session only their kind and name are kept, so none can be shown."
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


def show_pictures(
    screen: Screen[Any], case: ConversationalTestCase | LLMTestCase, files: Iterable[str] = ()
) -> None:
    """Show the images that a case was judged with, or say that it has none. To be called in a thread.

    files: what came with its turns, in words.
    """
    if images := pictures_of(case):
        hand_over(screen, screen.app.push_screen, PicturesDialog(images))
    else:
        named = any("image" in file for file in files)
        hand_over(screen, screen.notify, NOT_KEPT if named else "This session has no images.")


class PicturesDialog(Dialog[None]):
    """Show images. images: with the words that say where each stands, such as "input"."""

    PLACE: ClassVar[Place] = "pictures"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("pictures"))
    DEFAULT_CSS = """
    PicturesDialog #panel { width: 96%; }
    PicturesDialog #about { height: auto; padding: 1 1 0 1; color: $text-muted; }
    """

    def __init__(self, images: Sequence[tuple[str, MLLMImage]]) -> None:
        super().__init__()
        self._images = images
        self._at = 0
        self._graphics = Graphics()
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("", classes="title", markup=False)
            yield PictureArea(id="picture")
            yield Static("", id="about", markup=False)
            yield KeyLine("pictures")

    def on_mount(self) -> None:
        """Show the first."""
        self._show()

    def on_resize(self) -> None:
        """Draw again at the new size, of which cells may have another one too."""
        self._picture.remove_inline()
        self._show()
        if not self.shell.no_color:
            # In the thread that reads keys, which must not wait for the loop.
            ask_graphics(self.app, lambda told: self.call_later(self._hear, told))

    def on_screen_suspend(self) -> None:
        """Take the image away from above what opens over it."""
        self._picture.remove_inline()

    def on_screen_resume(self) -> None:
        """Draw it again."""
        self._picture.draw_inline()

    def _hear(self, told: Graphics) -> None:
        if told != self._graphics:
            self._graphics = told
            self._show()

    @property
    def _picture(self) -> PictureArea:
        return self.query_one(PictureArea)

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

    def _draw(self, url: str, cells: int, rows: int) -> None:
        graphics, colours = self._graphics, not self.shell.no_color

        def drawn() -> PictureLines | InlinePicture | str:
            # A large photograph takes half a second to scale down.
            try:
                data = picture_bytes(url)
                if graphics.any:
                    return inline_picture(data, graphics, cells=cells, rows=rows)
                return picture_lines(data, cells=cells, rows=rows, colours=colours)
            except CannotShowError as reason:
                place = "" if url.startswith("data:") else f"\n{make_safe_line(url)[:500]}"
                return f"It cannot be shown here. {reason}{place}"

        # The image that was gone to last, however long the one before takes.
        self._reading.ask(drawn, lambda found: self._take(found, graphics))

    def _take(self, drawn: PictureLines | InlinePicture | str, graphics: Graphics) -> None:
        about = self.query_one("#about", Static)
        if isinstance(drawn, str):
            self._picture.show(None, graphics)
            about.update(drawn)
        else:
            self._picture.show(drawn, graphics)
            about.update(f"{drawn.width:,} x {drawn.height:,} pixels")
