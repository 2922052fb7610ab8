"""Picture lines: an image as coloured half cells, or as shades where there are no colours."""

from __future__ import annotations

import base64
import binascii
import io
from dataclasses import dataclass

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

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
