"""Sixels: pictures as the terminals of DEC draw them, six rows of pixels at a time.

A picture has at most 256 colours, each with a number. A band of six rows is drawn once for every colour in
it: a character for each column, of which each bit is a pixel. Written here because libsixel's binding has not
been kept up since 2018, and textual-image keeps its encoder to itself.

Source: chapter 14 of the VT330/VT340 Programmer Reference, https://vt100.net/docs/vt3xx-gp/chapter14.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_BAND = 6
_FIRST = 0x3F
"""The character of a column in which no pixel is set."""
_CHARACTERS = bytes(min(value + _FIRST, 255) for value in range(256))
_ALIKE = re.compile(rb"(.)\1{3,}", re.DOTALL)


def sixels(picture: Image, colours: int = 256) -> str:
    """Return a picture as sixels, pixel by pixel. picture: of the mode RGB. colours: at most so many."""
    # Pillow mixes colours by dots only for a palette that is there: without that, skies have stripes.
    drawn = picture.quantize(palette=picture.quantize(colours))
    width, height = drawn.size
    pixels = drawn.tobytes()
    palette = drawn.getpalette() or []
    used = sorted(set(pixels))
    registers = "".join(_register(one, palette[3 * one : 3 * one + 3]) for one in used)
    bands = b"-".join(_band(pixels[start : start + _BAND * width], width) for start in _starts(width, height))
    return f'\x1bP0;1q"1;1;{width};{height}{registers}{bands.decode()}\x1b\\'


def _starts(width: int, height: int) -> Iterator[int]:
    yield from range(0, width * height, _BAND * width)


def _register(number: int, levels: list[int]) -> str:
    red, green, blue = (round(level * 100 / 255) for level in levels)
    return f"#{number};2;{red};{green};{blue}"


def _band(pixels: bytes, width: int) -> bytes:
    """Return at most six rows of pixels, every colour over those before it."""
    columns: dict[int, bytearray] = {}
    for row in range(len(pixels) // width):
        bit = 1 << row
        for x, colour in enumerate(pixels[row * width : (row + 1) * width]):
            if colour not in columns:
                columns[colour] = bytearray(width)
            columns[colour][x] |= bit
    return b"$".join(b"#%d%b" % (colour, _shortened(bits)) for colour, bits in columns.items())


def _shortened(bits: bytearray) -> bytes:
    """Return the columns of a colour as characters, with how often one is repeated before it."""
    characters = bits.rstrip(b"\0").translate(_CHARACTERS)
    return _ALIKE.sub(lambda alike: b"!%d%b" % (len(alike[0]), alike[1]), bytes(characters))
