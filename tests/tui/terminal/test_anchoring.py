"""Text of unsure width is written so that nothing beside it moves, and all other text as it is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from terminal_screen import TerminalScreen

from turnwise.tui.terminal.anchoring import Joining, anchored, widest

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
WAVE = "\U0001f44b\U0001f3fd"
HEART = "\u2764\ufe0f"
KEYCAP = "1\ufe0f\u20e3"
FLAG = "\U0001f1f3\U0001f1f4"
HINDI = "\u0939\u093f\u0928\u094d\u0926\u0940"
THAI = "\u0e01\u0e33\u0e25\u0e31\u0e07"
HEBREW = "\u05e9\u05dc\u05d5\u05dd"
UNSURE = (FAMILY, WAVE, HEART, KEYCAP, FLAG, HINDI, THAI, HEBREW, "e\u0301", "\U0001f600", "\u231b")


def at(text: str, column: int = 5) -> str:
    return f"\x1b[3;{column}H\x1b[1m{text}\x1b[0m\n"


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "\u2713 passed \u2192 3 \u2717 \u2502 \u2588",
        "\u9000\u6b3e \ud55c\uad6d\uc5b4",
        "na\u00efve \u00d8re",
    ],
)
def test_what_all_terminals_draw_alike_is_written_as_it_is(text: str) -> None:
    assert anchored(at(text)) == at(text)


@pytest.mark.parametrize("text", UNSURE)
def test_the_cursor_is_put_behind_it_and_its_cells_are_blank_before(text: str) -> None:
    cells = cell_len(text)
    written = anchored(at(f"ab {text} and more words"))
    assert written == at(f"ab {' ' * cells}\x1b[8G{text}\x1b[{8 + cells}G and more words")


@pytest.mark.parametrize("text", UNSURE)
@pytest.mark.parametrize("joins", [True, False], ids=["joins", "draws each part"])
def test_what_follows_stands_where_the_app_has_it(text: str, joins: bool) -> None:
    screen = TerminalScreen((40, 5), joins=joins)
    screen.feed(at("." * 30, 1).encode())
    screen.feed(anchored(at(f"ab {text} and more words")).encode())
    assert screen.cells[2][7 + cell_len(text)] == " "
    assert "".join(screen.cells[2][8 + cell_len(text) :]).startswith("and more words")
    assert "".join(screen.cells[2][:7]) == "....ab "
    assert "." not in "".join(screen.cells[2][7 : 7 + cell_len(text)])


def test_where_nothing_follows_a_picture_is_drawn_without_what_is_joined_to_it() -> None:
    assert FAMILY not in anchored(at(f"ab {FAMILY}"))
    assert "\U0001f468\x1b[10G" in anchored(at(f"ab {FAMILY}"))
    assert FAMILY in anchored(at(f"ab {FAMILY}"), Joining.JOINS)


def test_behind_tmux_a_picture_never_runs_over_its_cells() -> None:
    written = anchored(at(f"ab {FAMILY} and {HINDI} words"), Joining.BETWEEN)
    assert "\u200d" not in written
    assert HINDI in written


def test_what_stands_beside_is_not_drawn_over() -> None:
    screen = TerminalScreen((20, 3), joins=False)
    screen.feed(b"\x1b[1;11H| beside")
    screen.feed(anchored(f"\x1b[1;1Habcdefgh{FAMILY}").encode())
    assert "".join(screen.cells[0][10:]).rstrip() == "| beside"


def test_where_the_cursor_is_not_known_nothing_is_added() -> None:
    assert anchored(FAMILY) == FAMILY
    moved = f"\x1b[3;5Hab\x1b[2C{FAMILY} x"
    assert anchored(moved) == moved


def test_colours_and_links_do_not_move_the_cursor() -> None:
    link = f"\x1b[3;5H\x1b]8;id=1;https://x.test\x1b\\ab\x1b]8;;\x1b\\ {HEART} more"
    assert f"\x1b[8G{HEART}\x1b[10G more" in anchored(link)


def test_a_long_word_at_an_edge_takes_no_time() -> None:
    assert cell_len(anchored(f"\x1b[1;1H{HINDI * 2000}")) > 0
    assert widest(HINDI) >= cell_len(HINDI)
