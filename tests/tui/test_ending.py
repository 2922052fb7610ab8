"""A program that is ended leaves no process behind, and says by its exit code which signal it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from judge_server import JudgeServer, hangs

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")

COMMAND = [sys.executable, "-c", "from turnwise.tui.cli.main import main; main()"]
SECONDS = 60.0
# Of each kind: a script that says its number and that of a process it started, and stays.
SHELL = 'sleep 600 & echo $$ $! > "$0"; wait'
PYTHON = (
    "import os, subprocess\n"
    "def get_assert(output, context):\n"
    "    inner = subprocess.Popen(['sleep', '600'])\n"
    "    with open({mark!r}, 'w') as file: print(os.getpid(), inner.pid, file=file)\n"
    "    while True: pass\n"
)
NODE = (
    "const fs = require('fs'), run = require('child_process');\n"
    "module.exports = () => {{\n"
    "  const inner = run.spawn('sleep', ['600']);\n"
    "  fs.writeFileSync({mark!r}, `${{process.pid}} ${{inner.pid}}\\n`);\n"
    "  for (;;) {{}}\n"
    "}};\n"
)


def suite_of(kind: str, folder: Path, mark: Path) -> Path:
    """Write a suite whose only code says which processes it is, and never ends."""
    check = ""
    provider = "echo"
    if kind == "shell":
        script = folder / "stay.sh"
        script.write_text(SHELL)
        provider = f"exec:sh -c '. {script}' {mark}"
    else:
        script = folder / ("stay.py" if kind == "python" else "stay.js")
        script.write_text((PYTHON if kind == "python" else NODE).format(mark=str(mark)))
        check = f", assert: [{{type: {'python' if kind == 'python' else 'javascript'}, value: 'file://{script}'}}]"
    suite = folder / "suite.yaml"
    suite.write_text(
        f"prompts: ['{{{{q}}}}']\nproviders: [\"{provider}\"]\ntests: [{{vars: {{q: x}}{check}}}]\n"
    )
    return suite


def runs(process: int) -> bool:
    """Whether a process is there and no zombie."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True)
    return bool(found.stdout.strip()) and not found.stdout.strip().startswith("Z")


def wait_until(true: object, otherwise: str) -> None:
    until = time.monotonic() + SECONDS
    while not true():  # type: ignore[operator]
        assert time.monotonic() < until, otherwise
        time.sleep(0.02)


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda one: one.name)
@pytest.mark.parametrize("kind", ["shell", "python", "node"])
def test_code_of_a_suite_ends_with_the_run(kind: str, number: signal.Signals, tmp_path: Path) -> None:
    if kind == "node" and shutil.which("node") is None:
        pytest.skip("node is not installed")
    mark = tmp_path / "processes"
    with started("run", str(suite_of(kind, tmp_path, mark)), "--trust") as process:
        wait_until(lambda: mark.exists() and mark.read_text().endswith("\n"), "the code never ran")
        children = [int(word) for word in mark.read_text().split()]
        try:
            assert all(map(runs, children))
            process.send_signal(number)
            _, told = process.communicate(timeout=SECONDS)
            wait_until(lambda: not any(map(runs, children)), "processes are left behind")
        finally:
            for child in children:
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
    assert process.returncode == (-number if number is signal.SIGKILL else 128 + number)
    assert "Traceback" not in told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_a_command_that_waits_ends_by_the_code_of_the_signal(
    number: signal.Signals, judge_server_apart: JudgeServer
) -> None:
    judge_server_apart.default = hangs()
    arguments = ("record", "--plain", "--target", f"{judge_server_apart.url}#m")
    with started(*arguments) as process:
        assert process.stderr is not None
        assert "Talking to" in process.stderr.readline()
        process.send_signal(number)
        _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 128 + number
    assert "Traceback" not in told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_a_signal_that_comes_where_python_can_raise_nothing_ends_the_program_all_the_same(
    number: signal.Signals,
) -> None:
    program = (
        "import os, sys, time\nimport turnwise.tui.cli.main as cli\n"
        f"class Ends:\n    def __del__(self):\n        os.kill(os.getpid(), {int(number)})\n"
        "def work(*_, **__):\n"
        "    try:\n        Ends()\n        time.sleep(30)\n"
        "    finally:\n        print('tidied up')\n"
        "cli.turnwise.main = work\ncli.main()"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS)
    assert (ran.returncode, ran.stdout, ran.stderr) == (128 + number, "tidied up\n", "")


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    program = (
        "import os, signal\nfrom turnwise.tui.ending import end_on_signals\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\nend_on_signals()\n"
        "os.kill(os.getpid(), signal.SIGHUP)\nprint('still here')"
    )
    assert (
        "still here" in subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
    )
