"""Ctrl+c ends a command with 130 and no traceback, whenever and however often it is pressed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from lock_holder import held
from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.cli.interrupts import run_async

START = "import os, signal, sys\nfrom turnwise.tui.cli.start import main\n"
PRESS = "os.kill(os.getpid(), signal.SIGINT)"


def ended(program: str, *arguments: str) -> tuple[int, str]:
    """Run a program to its end; return its exit code and what it told."""
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    return ran.returncode, ran.stderr


def pressing_at(module: str) -> str:
    """Return code that presses ctrl+c when a module begins to load."""
    return (
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: {PRESS}\n"
        "sys.meta_path.insert(0, Press())\n"
    )


@pytest.mark.parametrize("module", ["click", "turnwise.tui.cli.output", "turnwise.tui.cli.main", "json"])
def test_while_it_starts(module: str) -> None:
    code, told = ended(f"{START}sys.modules.pop({module!r}, None)\n{pressing_at(module)}main()", "--version")
    assert (code, told) == (130, "Interrupted.\n")


def test_nothing_is_loaded_before_it_hears_ctrl_c() -> None:
    program = (
        "import sys\nbefore = set(sys.modules)\nimport turnwise.tui.cli.start\n"
        "sys.exit(' '.join(sorted(set(sys.modules) - before)))"
    )
    parts = ["turnwise", "turnwise.tui", "turnwise.tui.cli", "turnwise.tui.cli.start"]
    assert ended(program) == (1, f"{' '.join(parts)}\n")


def test_before_anything_was_asked_of_it() -> None:
    assert ended(f"{START}{PRESS}") == (130, "Interrupted.\n")


def test_while_a_command_loads() -> None:
    code, told = ended(f"{START}{pressing_at('turnwise.tui.cli.reviewing.sessions')}main()", "sessions")
    assert (code, told.strip()) == (130, "Interrupted.")


def test_thrice_while_it_ends() -> None:
    thrice = f"for _ in range(3): {PRESS}"
    program = (
        f"{START}import atexit\nimport turnwise.tui.cli.main as cli\n"
        f"def end(): \n    {thrice}\natexit.register(end)\n"
        f"narrate = cli.narrate\ndef told(text):\n    {PRESS}\n    narrate(text)\ncli.narrate = told\n"
        f"def broken(*_, **__):\n    {PRESS}\ncli.turnwise.main = broken\nmain()"
    )
    assert ended(program) == (130, "Interrupted.\n")


def test_where_python_can_raise_nothing_it_comes_through_all_the_same() -> None:
    program = (
        f"{START}import time\nimport turnwise.tui.cli.main as cli\n"
        f"class Ends:\n    def __del__(self):\n        {PRESS}\n"
        "def work(*_, **__):\n    Ends()\n    time.sleep(30)\ncli.turnwise.main = work\nmain()"
    )
    began = time.monotonic()
    assert ended(program) == (130, "Interrupted.\n")
    # The wait is not sat out.
    assert time.monotonic() - began < 25


def command(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", "from turnwise.tui.cli.start import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
    )


def test_a_command_that_waits_for_a_lock_says_so_and_hears_it_at_once(store: Store) -> None:
    session = keep(store)
    with held(store.path), command("label", str(session), "pass") as process:
        assert process.stderr is not None
        assert b"Another program is writing to the database" in process.stderr.readline()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        # It waited half a minute for the lock before it heard; a busy machine takes a while.
        assert time.monotonic() - began < 20
    assert (process.returncode, err.strip()) == (130, b"Interrupted.")
    assert store.labels.of(session) == []


def test_a_lock_is_waited_for_until_it_is_free(store: Store) -> None:
    session = keep(store)
    with held(store.path) as holder, command("label", str(session), "pass") as process:
        assert process.stderr is not None
        process.stderr.readline()
        holder.free()
        process.communicate(timeout=30)
    assert process.returncode == 0
    assert len(store.labels.of(session)) == 1


class TestARunOfALoop:
    def test_the_first_press_asks_to_stop_and_the_second_cancels(self) -> None:
        stop, seen = asyncio.Event(), []

        async def work() -> int:
            os.kill(os.getpid(), signal.SIGINT)
            await stop.wait()
            seen.append("asked")
            try:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                seen.append("cancelled")
            return 7

        assert run_async(work(), stop=stop) == 7
        assert seen == ["asked", "cancelled"]

    def test_without_a_way_to_ask_the_first_cancels(self) -> None:
        async def work() -> None:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(30)

        with pytest.raises(KeyboardInterrupt):
            run_async(work())

    def test_a_thread_that_nobody_can_stop_holds_it_up_for_a_moment_only(self, tmp_path: Path) -> None:
        program = (
            f"{START}import asyncio, time\nimport turnwise.tui.cli.main as cli\n"
            "from turnwise.tui.cli.interrupts import run_async\n"
            "async def work():\n"
            f"    asyncio.get_running_loop().call_later(0.1, os.kill, os.getpid(), signal.SIGINT)\n"
            "    await asyncio.to_thread(time.sleep, 600)\n"
            "cli.turnwise.main = lambda *_, **__: run_async(work())\nmain()"
        )
        began = time.monotonic()
        code, told = ended(program)
        assert code == 130
        assert "Traceback" not in told
        assert time.monotonic() - began < 30

    def test_it_may_run_in_a_thread(self) -> None:
        found: list[int] = []

        async def work() -> int:
            return 1

        thread = threading.Thread(target=lambda: found.append(run_async(work())))
        thread.start()
        thread.join()
        assert found == [1]
