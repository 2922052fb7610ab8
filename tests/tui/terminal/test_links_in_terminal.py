"""Addresses can be opened from a real terminal, in the app and from `turnwise show`."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_in_terminal import apart, program
from terminal import Terminal

from turnwise.conversations.cases import ConversationalTestCase, Turn
from turnwise.conversations.store import Store

ADDRESS = "https://example.com/help"
LINK = f";{ADDRESS}\x1b\\".encode()


@pytest.fixture
def environment(store: Store, tmp_path: Path) -> dict[str, str]:
    turns = [
        Turn(role="user", content=f"Is it {ADDRESS}?"),
        Turn(role="assistant", content="It is \x1b]8;;http://evil.test\x1b\\this."),
    ]
    case = ConversationalTestCase(name="Linked", turns=turns)
    (tmp_path / "talk.json").touch()
    store.sessions.add(case, source=str(tmp_path / "talk.json"), format="test")
    store.close()
    return {**apart(tmp_path), "TURNWISE_DB": str(store.path)}


@pytest.mark.parametrize("wanted", [True, False])
def test_show_links_addresses_and_the_source(
    environment: dict[str, str], tmp_path: Path, wanted: bool
) -> None:
    (tmp_path / "settings.toml").write_text(f"links = {str(wanted).lower()}\n")
    with Terminal(program("show", "1"), environment) as terminal:
        assert terminal.end() == 0
        written = terminal.written
    assert (LINK in written) is wanted
    assert ((tmp_path / "talk.json").as_uri().encode() in written) is wanted
    assert b"\x1b]8;;http://evil" not in written


@pytest.mark.parametrize("wanted", [True, False])
def test_the_app_links_what_it_draws(environment: dict[str, str], tmp_path: Path, wanted: bool) -> None:
    (tmp_path / "settings.toml").write_text(f"links = {str(wanted).lower()}\n")
    with Terminal(program(), environment, size=(160, 40)) as terminal:
        terminal.wait_for("not reachable")
        terminal.press("\ri")
        terminal.wait_for("About")
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        written = terminal.written
    assert (LINK in written) is wanted
    assert ((tmp_path / "talk.json").as_uri().encode() in written) is wanted
    assert b"\x1b]8;;http://evil" not in written
