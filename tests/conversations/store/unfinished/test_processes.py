"""Processes: only one that is dead for sure is called so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from turnwise.conversations.store.unfinished.processes import is_dead, this_process

TELL = (
    "import sys; from turnwise.conversations.store.unfinished.processes import this_process; "
    "print(this_process(), flush=True); sys.stdin.read()"
)
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the lease alone tells")


@pytest.fixture
def other() -> Iterator[subprocess.Popen[str]]:
    """Another process, which says its name and waits."""
    with subprocess.Popen(
        [sys.executable, "-c", TELL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def name_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_one_that_lives_is_not_dead(other) -> None:
    name = name_of(other)
    assert name.split(":")[1] == str(other.pid)
    assert not is_dead(name)
    assert not is_dead(this_process())


def test_one_that_was_killed_is_dead_before_and_after_its_parent_took_note(other) -> None:
    name = name_of(other)
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert is_dead(name)
    other.wait()
    assert is_dead(name)


def test_another_process_of_the_same_number_is_not_the_one_that_was_meant() -> None:
    place, number, began = this_process().split(":")
    assert is_dead(f"{place}:{number}:{int(began) - 1}")


@pytest.mark.parametrize("name", ["", "abc", "::", "another place:1:1", "another place:x:1"])
def test_of_another_machine_and_of_one_without_a_name_nothing_is_known(name) -> None:
    assert not is_dead(name)
