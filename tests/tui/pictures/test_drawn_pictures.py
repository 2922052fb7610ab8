"""Pictures in cells: proportions kept, two pixels a cell, and a plain reason where nothing can be drawn."""

from __future__ import annotations

import base64
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.pictures.drawn_pictures import CannotShowError, picture_bytes, picture_lines

Image = pytest.importorskip("PIL.Image")


def png(width: int, height: int, colour: str = "red") -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(held, "PNG")
    return held.getvalue()


def test_a_wide_picture_fills_the_width_and_keeps_its_proportions():
    drawn = picture_lines(png(200, 100), cells=40, rows=40)
    assert {sum(len(segment.text) for segment in line) for line in drawn.lines} == {40}
    assert len(drawn.lines) == 10
    assert (drawn.width, drawn.height) == (200, 100)


def test_a_tall_picture_fills_the_height():
    drawn = picture_lines(png(10, 400), cells=40, rows=20)
    assert len(drawn.lines) == 20


def test_a_cell_shows_two_pixels():
    held = io.BytesIO()
    picture = Image.new("RGB", (1, 2), "white")
    picture.putpixel((0, 1), (0, 0, 255))
    picture.save(held, "PNG")
    [[cell]] = picture_lines(held.getvalue(), cells=1, rows=1).lines
    assert cell.text == "▀"
    assert cell.style.color.triplet.hex == "#ffffff"
    assert cell.style.bgcolor.triplet.hex == "#0000ff"


def test_without_colours_a_cell_is_a_shade_of_both():
    shown = ("black", "white", "#808080")
    drawn = [picture_lines(png(4, 4, colour), cells=4, rows=2, colours=False) for colour in shown]
    assert [["".join(segment.text for segment in line) for line in one.lines] for one in drawn] == [
        ["    ", "    "],
        ["████", "████"],
        ["▒▒▒▒", "▒▒▒▒"],
    ]
    assert not any(segment.style for one in drawn for line in one.lines for segment in line)


@given(st.binary(max_size=200))
def test_what_is_no_image_is_told(data: bytes) -> None:
    with pytest.raises(CannotShowError):
        picture_lines(data, cells=10, rows=10)


def test_a_picture_that_unfolds_beyond_measure_is_not_drawn(monkeypatch):
    monkeypatch.setattr("turnwise.tui.pictures.drawn_pictures.MOST_PIXELS", 100)
    with pytest.raises(CannotShowError, match="too large to draw: 200 x 100"):
        picture_lines(png(200, 100), cells=10, rows=10)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://boats.example/blue.png", "fetches nothing unasked"),
        ("data:image/svg+xml,<svg/>", "not in base64"),
        ("data:image/png;base64,%%%", "broken"),
    ],
)
def test_only_data_that_is_at_hand_is_shown(url, told):
    with pytest.raises(CannotShowError, match=told):
        picture_bytes(url)


def test_a_data_url_gives_its_bytes():
    assert picture_bytes("data:image/png;base64," + base64.b64encode(b"abc").decode()) == b"abc"
