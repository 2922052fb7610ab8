"""The model's process: who may see its key, and when it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from turnwise.engine.models.embedded.child import ModelOrder
from turnwise.engine.models.embedded.process import ModelProcess

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups")
KEY = "the-key-of-this-start"
PATIENCE = 60.0


def order(path: Path) -> ModelOrder:
    return ModelOrder(path=str(path), model="embedded", context=64, parallel=1, threads=1, api_key=KEY)


@pytest.fixture
def process(library) -> Iterator[ModelProcess]:
    started = ModelProcess(order(library("print('chatter')")))
    yield started
    started.end()


def listens(address: str) -> bool:
    place = urlsplit(address)
    try:
        socket.create_connection((place.hostname or "", place.port or 0)).close()
    except OSError:
        return False
    return True


def test_it_gives_its_address_whatever_the_library_prints_and_ends_when_told(process: ModelProcess) -> None:
    answer = process.wait_for_answer()
    assert answer is not None
    assert listens(answer["address"])
    assert process.is_running()
    process.let_go()
    assert process.death() == "exit code 0"
    assert not listens(answer["address"])


def test_one_that_does_not_listen_is_ended_by_force(library) -> None:
    process = ModelProcess(order(library("import ctypes; ctypes.PyDLL(None).sleep(600)")))
    process.end()
    assert not process.is_running()
    process.end()
    assert process.wait_for_answer() is None


@posix
def test_ctrl_c_in_the_terminal_does_not_end_it(process: ModelProcess) -> None:
    process.wait_for_answer()
    assert os.getpgid(process.pid) != os.getpgid(0)
    os.kill(process.pid, signal.SIGINT)
    process.let_go()
    assert process.death() == "exit code 0"


@posix
def test_it_gives_way_to_this_program(process: ModelProcess) -> None:
    process.wait_for_answer()
    assert os.getpriority(os.PRIO_PROCESS, process.pid) > os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_its_key_is_in_neither_its_arguments_nor_its_environment(process: ModelProcess) -> None:
    process.wait_for_answer()
    for name in ("cmdline", "environ"):
        shown = Path(f"/proc/{process.pid}/{name}").read_bytes()
        assert shown
        assert KEY.encode() not in shown


def test_it_ends_when_the_program_that_started_it_is_killed(library) -> None:
    code = f"""
import sys, time
from turnwise.engine.models.embedded.child import ModelOrder
from turnwise.engine.models.embedded.process import ModelProcess
order = ModelOrder(path=sys.argv[1], model="m", context=64, parallel=1, threads=1, api_key={KEY!r})
process = ModelProcess(order)
print(process.wait_for_answer()["address"], flush=True)
time.sleep(600)
"""
    command = [sys.executable, "-c", code, str(library())]
    # The stand-in is found by this process's path.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        address = parent.stdout.readline().strip()
        assert listens(address)
        parent.kill()
    deadline = time.monotonic() + PATIENCE
    while listens(address) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not listens(address)
