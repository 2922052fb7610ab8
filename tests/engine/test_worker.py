"""A worker: one process a script, calls one after another, stopped with all that it started."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.engine import worker as worker_module
from turnwise.engine.suites.code.suite_code import _PYTHON
from turnwise.engine.worker import Worker


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    made = Worker(_PYTHON, tmp_path, "x.py", seconds=20)
    yield made
    made.close()


def runs(body: str, **names: Any) -> dict[str, Any]:
    return {"body": body, "names": names}


def is_alive(process: int) -> bool:
    with suppress(OSError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z"
    return False


def ends(process: int) -> bool:
    end = time.monotonic() + 10
    while is_alive(process) and time.monotonic() < end:
        time.sleep(0.01)
    return not is_alive(process)


def test_one_process_answers_all_calls(worker: Worker) -> None:
    first, second = (worker.ask(runs("__import__('os').getpid()")).value for _ in range(2))
    assert first == second != os.getpid()


def test_what_is_printed_is_no_answer(worker: Worker) -> None:
    body = "import os\nprint('{}')\nos.write(1, b'x {}\\n')\nos.system('echo child')\nreturn [1, None, 'é']"
    assert worker.ask(runs(body)).value == [1, None, "é"]


def test_a_script_that_reads_its_input_takes_no_call(worker: Worker) -> None:
    assert worker.ask(runs("__import__('sys').stdin.read()")).value == ""
    assert worker.ask(runs("1")).value == 1


@pytest.mark.parametrize(
    "body", ["1 / 0", "raise SystemExit(3)\n", "(", "import nothing_like_it\n", "missing"]
)
def test_what_a_script_throws_is_told_and_the_next_call_runs(worker: Worker, body: str) -> None:
    assert "Error" in worker.ask(runs(body)).error or "SystemExit" in worker.ask(runs(body)).error
    assert worker.ask(runs("2")).value == 2


def test_what_has_no_json_is_written_as_it_can_be(worker: Worker) -> None:
    assert worker.ask(runs("{'a': {1}, 'b': (2,)}")).value == {"a": [1], "b": [2]}


def test_a_script_that_ends_its_process_is_told_with_what_it_said(worker: Worker) -> None:
    with pytest.raises(SettingError, match="ended before") as caught:
        worker.ask(runs("import os, sys\nsys.stderr.write('out of luck')\nsys.stderr.flush()\nos._exit(3)"))
    assert caught.value.title.startswith("x.py")
    assert worker.ask(runs("2")).value == 2


def test_a_call_that_takes_too_long_is_stopped_with_its_children(tmp_path: Path) -> None:
    slow = Worker(_PYTHON, tmp_path, "x.py", seconds=3)
    mark = tmp_path / "pid"
    body = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(mark)!r}, 'w').write(str(child.pid))\n"
        "while True: pass"
    )
    try:
        with pytest.raises(SettingError, match="more than 3 seconds"):
            slow.ask(runs(body))
        assert ends(int(mark.read_text()))
        assert slow.ask(runs("2")).value == 2
    finally:
        slow.close()


def test_a_reply_without_end_is_stopped(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "LONGEST_REPLY", 100_000)
    with pytest.raises(SettingError):
        worker.ask(runs("'x' * 200_000"))
    assert worker.ask(runs("2")).value == 2


def test_much_narration_does_not_hold_a_script_up(worker: Worker) -> None:
    assert worker.ask(runs("print('x' * 1_000_000)\nreturn 1")).value == 1


async def test_a_call_that_is_cancelled_is_stopped(worker: Worker) -> None:
    process = (await worker.ask_soon(runs("__import__('os').getpid()"))).value
    waiting = asyncio.create_task(worker.ask_soon(runs("while True: pass\n")))
    await asyncio.sleep(0.2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ends(process)
    assert (await worker.ask_soon(runs("2"))).value == 2


async def test_the_loop_goes_on_while_a_call_runs(worker: Worker) -> None:
    waiting = asyncio.create_task(worker.ask_soon(runs("import time\ntime.sleep(0.3)\nreturn 1")))
    turns = 0
    while not waiting.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 3


def test_nothing_is_left_when_it_is_closed(tmp_path: Path) -> None:
    worker = Worker(_PYTHON, tmp_path, "x.py")
    process = worker.ask(runs("__import__('os').getpid()")).value
    worker.close()
    assert ends(process)
    with pytest.raises((SettingError, RuntimeError)):
        worker.ask(runs("1"))


@pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX does")
def test_nobody_goes_on_when_whoever_asked_was_killed(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    body = f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\nwhile True: time.sleep(0.01)"
    asks = (
        "from pathlib import Path\n"
        "from turnwise.engine.suites.code.suite_code import _PYTHON\n"
        "from turnwise.engine.worker import Worker\n"
        f"Worker(_PYTHON, Path({str(tmp_path)!r}), 'x.py').ask({{'body': {body!r}, 'names': {{}}}})"
    )
    with subprocess.Popen([sys.executable, "-c", asks]) as asking:
        while not (mark.exists() and mark.read_text()):
            assert asking.poll() is None
            time.sleep(0.01)
        asking.kill()
    assert ends(int(mark.read_text()))


def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    worker = Worker([str(tmp_path / "none")], tmp_path, "x.py")
    with pytest.raises(SettingError, match="cannot be started"):
        worker.ask({})
    worker.close()


def test_the_script_runs_in_this_python(worker: Worker) -> None:
    assert worker.ask(runs("__import__('sys').executable")).value == sys.executable
