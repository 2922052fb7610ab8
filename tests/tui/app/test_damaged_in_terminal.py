"""The app on a damaged database: what is damaged stands in the list by its number, and the rest is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from damage import fill, spoil

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")

PROGRAM = "import sys; sys.argv = ['turnwise']; from turnwise.tui.cli.main import main; main()"


def test_a_damaged_session_is_named_in_the_list_and_can_be_read(tmp_path: Path) -> None:
    from terminal import Terminal

    database = tmp_path / "t.db"
    fill(database)
    spoil(database, "Talk 040")
    spoil(database, "Reason 040")
    spoil(database, "Answer 040")
    environment = {"TURNWISE_DB": str(database), "TURNWISE_CONFIG": str(tmp_path / "config")}
    with Terminal(PROGRAM, environment, size=(120, 40)) as terminal:
        terminal.wait_for("(damaged)")
        terminal.wait_for("Talk 039")
        terminal.press("\r")
        terminal.wait_for("damaged: not all of it can be read")
        terminal.wait_for("Session 40 is damaged")
        assert terminal.process.poll() is None
