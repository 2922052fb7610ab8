"""Sixels: what is written draws the picture it was made from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.terminal.sixels import sixels

Image = pytest.importorskip("PIL.Image")
Colour = tuple[int, int, int]
PLAIN: list[Colour] = [(0, 0, 0), (255, 0, 0), (0, 255, 0), (51, 102, 255), (255, 255, 255)]


def drawn(written: str) -> tuple[int, int, dict[tuple[int, int], Colour]]:
    """Draw sixels as a terminal does: width, height, and the colour of every pixel that is set."""
    head = re.fullmatch(r'\x1bP0;1q"1;1;(\d+);(\d+)(.*)\x1b\\', written, re.DOTALL)
    assert head is not None
    palette: dict[int, Colour] = {}
    pixels: dict[tuple[int, int], Colour] = {}
    x = y = colour = 0
    for part in re.finditer(r"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|([$-])", head[3]):
        number, red, green, blue, times, repeated, single, moved = part.groups()
        if red is not None:
            palette[int(number)] = (int(red), int(green), int(blue))
        elif number is not None:
            colour = int(number)
        elif moved is not None:
            x, y = 0, y + (6 if moved == "-" else 0)
        else:
            bits, reached = ord(repeated or single) - 0x3F, x + int(times or 1)
            rows = [row for row in range(6) if bits >> row & 1]
            pixels |= {(column, y + row): palette[colour] for column in range(x, reached) for row in rows}
            x = reached
    return int(head[1]), int(head[2]), pixels


@given(st.integers(1, 40), st.integers(1, 20), st.data())
def test_every_pixel_is_drawn_once_it_has_its_colour(width: int, height: int, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(PLAIN), min_size=width * height, max_size=width * height))
    picture = Image.new("RGB", (width, height))
    picture.putdata(chosen)
    across, down, pixels = drawn(sixels(picture))
    assert (across, down) == (width, height)
    percent = [tuple(round(level * 100 / 255) for level in colour) for colour in chosen]
    assert [pixels[x, y] for y in range(height) for x in range(width)] == percent
    assert len(pixels) == width * height


def test_what_repeats_is_written_once() -> None:
    assert len(sixels(Image.new("RGB", (1000, 6), "red"))) < 60
