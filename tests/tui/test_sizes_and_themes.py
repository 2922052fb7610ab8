"""Every screen in a real terminal, at three sizes, and at the outer two in all ways of colouring: it fits."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import get_args

import pytest
from judge_server import JudgeServer
from screen_walk import WALK, Look, Seen, answers, fill, opened
from terminal import Terminal

from turnwise.tui.actions import Place
from turnwise.tui.actions.legends import LEGENDS
from turnwise.tui.actions.places import NUMBERED

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
COLOURS = {
    "dark": {"TURNWISE_THEME": "dark"},
    "light": {"TURNWISE_THEME": "light"},
    "16-colours": {"TURNWISE_THEME": "ansi", "COLORTERM": "", "TERM": "xterm"},
    "no-color": {"NO_COLOR": "1"},
}
NOBODY = "http://127.0.0.1:9/v1"
OWN = {38, 48}
SIXTEEN = {*range(30, 38), *range(40, 48), *range(90, 98), *range(100, 108)}
NEVER_WRITTEN = {"16-colours": OWN, "no-color": OWN | SIXTEEN}
"""Codes of colours that a terminal is not sent: those of a theme's own, and those that are the terminal's."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every walk goes through."""
    folder = tmp_path_factory.mktemp("walk")
    fill(folder)
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    """What this walk goes through, for it to change."""
    return shutil.copytree(filled, tmp_path / "walk")


def codes(terminal: Terminal) -> set[int]:
    """The codes of colours and attributes that were written."""
    found = re.findall(rb"\x1b\[([\d;]*)m", terminal.written)
    return {int(code) for codes in found for code in codes.split(b";") if code}


WHOLE = {*(one.place for one in NUMBERED), "review", "why", "replay", "record", "heat_map", "versions"}
WHOLE |= {"compare", "pair"}
SIGNS = set("✓✗⊗●◐○◦◆✎▸▾■▶≠→↑↓•κ▔░▓█━×┃")
"""Signs that mean something; frames, dots between words and what a conversation says are none."""


def unexplained(text: str, place: Place) -> set[str]:
    """Return the signs of a screen that its help does not explain."""
    # The line of keys names keys, and judges stand in many titles.
    body = "\n".join(text.splitlines()[1:-1])
    return (set(body) & SIGNS) - {sign for one in LEGENDS[place] for sign in one.sign}


def every_sign_is_explained(terminal: Terminal, seen: Seen, look: Look) -> None:
    """Wait until the screen has no other signs: what was there before may be drawn over in parts."""
    terminal.wait_until(
        lambda: not unexplained(seen.text, look.place), f"{look} has signs that its help does not explain"
    )


def test_the_walk_leads_everywhere() -> None:
    # Branches have tests of their own at both sizes: a fork says nowhere on the screen that it is there.
    assert {look.place for look in WALK} == {*get_args(Place)} - {"branches"}


WALKS = [
    *[("dark", size) for size in SIZES],
    *[(colours, size) for colours in NEVER_WRITTEN for size in ("80x24", "200x60")],
    ("light", "120x40"),
]
"""Colours and sizes.

Colours change no layout, so that all sizes are looked at in one theme. What a terminal is not to be sent is
looked for at the two sizes that between them show every part; of a light theme nothing is never written.
"""


def test_every_size_is_walked_through_and_every_way_of_colouring() -> None:
    assert {size for _, size in WALKS} == {*SIZES}
    assert {colours for colours, _ in WALKS} == {*COLOURS}


@pytest.mark.parametrize(("colours", "size"), WALKS)
def test_every_screen_fits(folder: Path, judge_server_apart: JudgeServer, size: str, colours: str) -> None:
    judge_server_apart.default = answers
    with opened(folder, judge_server_apart.url, SIZES[size], COLOURS[colours]) as (terminal, seen):
        for look in WALK:
            seen.go(look)
            # Dialogs let what is below them through, which was looked at before.
            if look.place in WHOLE:
                every_sign_is_explained(terminal, seen, look)
            seen.leave(look)
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found
        assert terminal.told.strip() == ""
        assert not codes(terminal) & NEVER_WRITTEN.get(colours, set())


@pytest.mark.parametrize(
    "look",
    [
        Look("help", "?", "esc close", ""),
        Look("export", "e", "esc cancel", ""),
        Look("failure_modes", "4", "tab other list", ""),
    ],
    ids=lambda look: look.place,
)
def test_another_size_leaves_no_rubbish(folder: Path, look: Look) -> None:
    wide, small, usual = SIZES["200x60"], SIZES["80x24"], SIZES["120x40"]
    with opened(folder, NOBODY, usual) as (terminal, new), opened(folder, NOBODY, wide) as (other, resized):
        for seen in (new, resized):
            seen.press("", "14 sessions", "judge: scripted-1")
            seen.go(look)
        resized.resize(small, look.shows)
        resized.resize(usual, look.shows)
        # What is left at the end is compared line by line, so that a difference is seen.
        with suppress(AssertionError):
            terminal.wait_until(lambda: other.read() is not None and new.text == resized.text, "it differs")
        assert resized.text.splitlines() == new.text.splitlines()
