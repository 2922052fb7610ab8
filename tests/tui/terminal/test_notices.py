"""What makes a terminal tell its user of something, each in the code that it knows."""

from __future__ import annotations

import pytest

from turnwise.tui.terminal.notices import notice

PLAIN = {"TERM": "xterm-256color"}


def test_nothing_is_sent_unasked() -> None:
    assert notice("never", "done", PLAIN) == ""


def test_the_bell_rings_alone() -> None:
    assert notice("bell", "done", PLAIN) == "\a"


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        (PLAIN, "\x1b]9;turnwise: done\x1b\\"),
        ({**PLAIN, "VTE_VERSION": "7200"}, "\x1b]777;notify;turnwise;done\x1b\\"),
        ({"TERM": "rxvt-unicode"}, "\x1b]777;notify;turnwise;done\x1b\\"),
        (
            {"TERM": "tmux-256color", "TMUX": "socket,1,0"},
            "\x1bPtmux;\x1b\x1b]9;turnwise: done\x1b\x1b\\\x1b\\\a",
        ),
        ({"TERM": "screen"}, "\x1bP\x1b]9;turnwise: done\a\x1b\\\a"),
    ],
    ids=["most", "of GNOME", "urxvt", "behind tmux", "behind screen"],
)
def test_a_notice_is_sent_as_the_terminal_takes_it(environment: dict[str, str], code: str) -> None:
    assert notice("terminal", "done", environment) == code


def test_no_text_ends_the_code_or_parts_its_fields() -> None:
    sent = notice("terminal", "a;b\x07\x1b\\c\nd" + "e" * 999, PLAIN)
    assert sent.count("\x1b") == 2
    assert "\x07" not in sent
    assert "a,b" in sent
    assert len(sent) < 260
