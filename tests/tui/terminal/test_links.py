"""Addresses become links that lead where their words say, and nothing raw reaches the terminal with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile import KINDS

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.terminal.links import addresses, linked, source_target, takes_links

CODE = "\x1b]8;;"


def found(text: str) -> list[tuple[str, str]]:
    return [(text[start:end], target) for start, end, target in addresses(make_safe(text))]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("See https://example.com/a?b=1&c=2#d.", "https://example.com/a?b=1&c=2#d"),
        ("(http://example.com/faq)", "http://example.com/faq"),
        ("[help](https://example.com/x_(y))!", "https://example.com/x_(y)"),
        ("**HTTPS://Example.COM/A**", "HTTPS://Example.COM/A"),
        ("http://127.0.0.1:8080/v1, then", "http://127.0.0.1:8080/v1"),
        ("<https://example.com/>", "https://example.com/"),
    ],
)
def test_an_address_is_found_without_the_sentence_around_it(text: str, address: str) -> None:
    assert found(text) == [(address, address)]


def test_letters_beside_ascii_are_written_as_numbers() -> None:
    assert found("https://example.com/退款") == [
        ("https://example.com/退款", "https://example.com/%E9%80%80%E6%AC%BE")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://example.com",
        "https://",
        "https://bank.com@evil.example/",
        "https://b\u0430nk.com/",
        "http://[::1",
        "https://example.com/" + "a" * 3000,
    ],
)
def test_what_leads_elsewhere_than_it_seems_stays_text(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("kind", [*KINDS])
def test_no_code_of_a_transcript_gets_into_a_link(kind: str) -> None:
    safe = make_safe(f"https://example.com/{KINDS[kind][:500]}")
    shown = linked(safe)
    for code in (CODE, "\x1b\\"):
        shown = shown.replace(code, "")
    assert "\x1b" not in shown
    assert not set(shown) & set(map(chr, [*range(10), *range(11, 32), *range(127, 160)]))


def test_a_link_is_written_around_its_words() -> None:
    assert linked("a https://x.test b") == f"a {CODE}https://x.test\x1b\\https://x.test{CODE}\x1b\\ b"
    assert linked("nothing") == "nothing"


def test_a_source_is_an_address_or_a_file_that_is_here(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    file.touch()
    assert source_target(str(file)) == file.as_uri()
    assert source_target("https://example.com/7") == "https://example.com/7"
    for other in (str(tmp_path / "gone"), "demo", "a b.json", "see https://example.com/7", "", "a\0b"):
        assert source_target(other) == ""


def test_terminals_that_would_show_the_codes_get_none() -> None:
    assert takes_links({"TERM": "xterm-256color"})
    assert not takes_links({"TERM": "dumb"})
    assert not takes_links({"TERM": "linux"})
    assert not takes_links({})
