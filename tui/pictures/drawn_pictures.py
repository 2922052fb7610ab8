"""Drawn pictures: an image as half cells of a terminal, or as the codes by which it draws pictures itself."""

from __future__ import annotations

import base64
import binascii
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from turnwise.tui.terminal.graphics import USUAL_CELL, Graphics, kitty_picture
from turnwise.tui.terminal.sixels import sixels

if TYPE_CHECKING:
    from PIL.Image import Image

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


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """An image as codes that draw it where the cursor is. width, height: of the image, in pixels.

    cells, rows: what it takes of the terminal.
    """

    codes: str
    cells: int
    rows: int
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
    scaled = _scaled(data, cells, rows * 2, even=True)
    raw = scaled.image.tobytes()
    pixels = [raw[start : start + 3] for start in range(0, len(raw), 3)]
    across, down = scaled.image.size
    cell = _coloured if colours else _shaded
    lines = [
        [cell(pixels[y * across + x], pixels[(y + 1) * across + x]) for x in range(across)]
        for y in range(0, down, 2)
    ]
    return PictureLines(lines, scaled.width, scaled.height)


def inline_picture(data: bytes, graphics: Graphics, *, cells: int, rows: int) -> InlinePicture:
    """Make an image into the codes by which a terminal draws it, in at most so many cells and rows.

    graphics: what the terminal can; at least one way. Raises CannotShowError as `picture_lines` does.
    """
    across, down = graphics.cell or USUAL_CELL
    scaled = _scaled(data, cells * across, rows * down)
    width, height = scaled.image.size
    cells, rows = -(-width // across), -(-height // down)
    if graphics.kitty:
        held = io.BytesIO()
        scaled.image.save(held, "PNG")
        codes = kitty_picture(held.getvalue(), cells, rows)
    else:
        codes = sixels(scaled.image)
    return InlinePicture(codes, cells, rows, scaled.width, scaled.height)


@dataclass(frozen=True, slots=True)
class _Scaled:
    """An image in its new size, on white, and the width and height that it had."""

    image: Image
    width: int
    height: int


def _scaled(data: bytes, across: int, down: int, *, even: bool = False) -> _Scaled:
    """Scale an image to at most so many pixels. even: to an even number of rows."""
    try:
        from PIL import Image  # 40 ms, and an extra
    except ImportError:
        raise CannotShowError("Pictures need Pillow: pip install 'turnwise[images]'.") from None
    try:
        with Image.open(io.BytesIO(data)) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise CannotShowError(f"It is too large to draw: {width:,} x {height:,} pixels.")
            image.draft("RGB", (across, down))
            scale = min(across / width, down / height)
            size = max(1, int(width * scale)), max(1, int(height * scale))
            small = image.convert("RGBA").resize((size[0], size[1] + (size[1] % 2 if even else 0)))
            paper = Image.new("RGBA", small.size, "white")
            return _Scaled(Image.alpha_composite(paper, small).convert("RGB"), width, height)
    except CannotShowError:
        raise
    except Exception as error:  # a broken image makes Pillow raise nearly anything
        raise CannotShowError(f"It cannot be read as an image ({type(error).__name__}).") from None


def _coloured(above: bytes, below: bytes) -> Segment:
    return Segment(_HALF, Style(color=Color.from_rgb(*above), bgcolor=Color.from_rgb(*below)))


def _shaded(above: bytes, below: bytes) -> Segment:
    bright = (sum(above) + sum(below)) / (6 * 255)
    return Segment(_SHADES[round(bright * (len(_SHADES) - 1))])
