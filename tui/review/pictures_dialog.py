"""PicturesDialog: the images of a session, one at a time, drawn where they can be and named where not.

An image is drawn as half cells in its colours, or as shades where there are no colours.
"""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.color import Color
from rich.segment import Segment, SegmentLines
from rich.style import Style
from textual import work
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
from turnwise.tui.parts.newest_reading import hand_over

MOST_PIXELS = 50_000_000
"""An image that unfolds to more is not shown: a small file may hold a picture larger than the memory."""
_HALF = "▀"
_SHADES = " ░▒▓█"
"""From dark to bright, for text that is brighter than its ground."""


@dataclass(frozen=True, slots=True)
class PictureLines:
    """An image as lines of a terminal. width, height: of the image, in pixels."""

    lines: list[list[Segment]]
    width: int
    height: int


class CannotShowError(ValueError):
    """An image cannot be drawn; the text says why, for people."""


def picture_bytes(url: str) -> bytes:
    """Return the bytes that a data URL holds. Raises CannotShowError for another address or broken data."""
    head, comma, data = url.partition(",")
    if not head.startswith("data:") or not comma:
        raise CannotShowError("It lies on the web, and turnwise fetches nothing unasked.")
    if not head.endswith(";base64"):
        raise CannotShowError("Its data is not in base64.")
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise CannotShowError("Its data is broken.") from None


def picture_lines(data: bytes, *, cells: int, rows: int, colours: bool = True) -> PictureLines:
    """Draw an image into at most `cells` by `rows` of a terminal, in its own proportions.

    Each cell shows two pixels, one above the other; without colours a shade of both. Raises CannotShowError
    where it is no image, is too large, or Pillow is not installed.
    """
    try:
        from PIL import Image  # 40 ms, and an extra
    except ImportError:
        raise CannotShowError("Pictures need Pillow: pip install 'turnwise[images]'.") from None
    try:
        with Image.open(io.BytesIO(data)) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise CannotShowError(f"It is too large to draw: {width:,} x {height:,} pixels.")
            image.draft("RGB", (cells, rows * 2))
            scale = min(cells / width, rows * 2 / height)
            across, down = max(1, int(width * scale)), max(1, int(height * scale))
            small = image.convert("RGBA").resize((across, down + down % 2))
            paper = Image.new("RGBA", small.size, "white")
            drawn = Image.alpha_composite(paper, small).convert("RGB")
    except CannotShowError:
        raise
    except Exception as error:  # a broken image makes Pillow raise nearly anything
        raise CannotShowError(f"It cannot be read as an image ({type(error).__name__}).") from None
    raw = drawn.tobytes()
    pixels = [raw[start : start + 3] for start in range(0, len(raw), 3)]
    across, down = drawn.size
    cell = _coloured if colours else _shaded
    lines = [
        [cell(pixels[y * across + x], pixels[(y + 1) * across + x]) for x in range(across)]
        for y in range(0, down, 2)
    ]
    return PictureLines(lines, width, height)


def _coloured(above: bytes, below: bytes) -> Segment:
    return Segment(_HALF, Style(color=Color.from_rgb(*above), bgcolor=Color.from_rgb(*below)))


def _shaded(above: bytes, below: bytes) -> Segment:
    bright = (sum(above) + sum(below)) / (6 * 255)
    return Segment(_SHADES[round(bright * (len(_SHADES) - 1))])


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


def show_pictures(screen: Screen[Any], case: ConversationalTestCase | LLMTestCase) -> None:
    """Show the images that a case was judged with, or say that it has none. To be called in a thread."""
    if images := pictures_of(case):
        hand_over(screen, screen.app.push_screen, PicturesDialog(images))
    else:
        hand_over(screen, screen.notify, "This session has no images.")


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
                picture_bytes(url), cells=cells, rows=rows, colours=not self.shell.no_color
            )
        except CannotShowError as reason:
            place = "" if url.startswith("data:") else f"\n{make_safe_line(url)[:500]}"
            drawn = f"It cannot be shown here. {reason}{place}"
        hand_over(self, self._take, drawn)

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
