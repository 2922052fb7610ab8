"""What is set before the app opens."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

from turnwise.tui.cli.opening import FAR, make_ready


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A terminal on this machine, and all that is set taken back."""
    for name in (*FAR, "ESCDELAY", "TEXTUAL_FPS"):
        # Set first, so that what is set later is taken back.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    yield
    gc.enable()


def test_the_escape_key_waits_hardly_at_all_in_a_terminal_of_this_machine() -> None:
    make_ready()
    assert os.environ["ESCDELAY"] == "2"


@pytest.mark.parametrize("name", FAR)
def test_it_waits_longer_where_a_network_may_part_what_a_key_sends(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "10.0.0.2 50000 22")
    make_ready()
    assert os.environ["ESCDELAY"] == "10"


def test_it_waits_as_long_as_its_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESCDELAY", "200")
    make_ready()
    assert os.environ["ESCDELAY"] == "200"


def test_what_a_key_changes_in_a_second_step_is_drawn_without_a_wait() -> None:
    make_ready()
    assert int(os.environ["TEXTUAL_FPS"]) >= 400
