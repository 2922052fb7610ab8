"""docs/how-to/record.md: every program that the page shows does what it says, one after the other.

Its two Python programs run in tests/tui/cli/talking/test_proxy.py and
tests/conversations/relay/test_program_recording.py.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_server import JudgeServer, Request, Step, apart, says, streams
from processes import limited

from turnwise.conversations.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the page's programs are for a shell")

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "record.md").read_text(encoding="utf-8")
ROADS = {"record", "simulate", "replay", "serve"}


def programs(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def answer(request: Request) -> Step:
    return streams("From eight ", "to six.") if request.body.get("stream") else says("From eight to six.")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A shell in which `turnwise` is this one, with a database of its own."""
    command = tmp_path / "bin" / "turnwise"
    command.parent.mkdir()
    run = "from turnwise.tui.cli.main import main; main()"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{run}" "$@"\n')
    command.chmod(0o755)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("TURNWISE_", "OPENAI_"))
    }
    path = f"{command.parent}{os.pathsep}{kept['PATH']}"
    return {
        **kept,
        "PATH": path,
        "TURNWISE_DB": str(tmp_path / "t.db"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }


def test_every_road_of_the_page_is_gone(tmp_path: Path, environment: dict[str, str]) -> None:
    done: dict[str, Callable[[], None]] = {
        "record": lambda: recorded(tmp_path / "t.db"),
        "simulate": lambda: simulated(tmp_path / "t.db"),
        "replay": lambda: replayed(tmp_path),
    }
    (scenarios,) = programs("yaml")
    (tmp_path / "pool.yaml").write_text(scenarios)
    shown = programs("sh")
    assert {found for one in shown for found in re.findall(r"turnwise (\w+)", one)} == ROADS
    assert len(programs("python")) == 2
    with apart(JudgeServer()) as server:
        server.default = answer
        environment["TARGET"] = f"{server.url}#m"
        for program, (road, check) in zip(shown, done.items(), strict=False):
            assert f"turnwise {road}" in program
            ran = subprocess.run(
                ["sh", "-e", "-c", program],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=240,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
            check()
    served(shown[-1], tmp_path, environment)


def recorded(database: Path) -> None:
    with Store.open(database) as store:
        assert store.sessions.ids() == [1]
        spoken = [turn.content for turn in store.sessions.case(1).turns if turn.is_spoken]
        assert spoken == ["When do you open?", "From eight to six.", "And on Sunday?", "From eight to six."]
        assert {row.metric for row in store.scores.of(1)} == {"repetition"}


def simulated(database: Path) -> None:
    with Store.open(database) as store:
        assert len(store.sessions.ids()) == 2
        assert store.sessions.get(2).name == "Asks for the hours"
        assert store.sessions.get(2).turns == 6


def replayed(folder: Path) -> None:
    assert "When do you open?" in (folder / "talk.cast").read_text()
    assert "When do you open?" in (folder / "talk.html").read_text()


def served(program: str, folder: Path, environment: dict[str, str]) -> None:
    """Begin to serve, and open the address that is printed."""
    pytest.importorskip("textual_serve")
    with (
        subprocess.Popen(
            ["sh", "-e", "-c", f"exec {program.strip()} --json"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process,
        limited(process),
    ):
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        try:
            # With its cookies kept, as a browser does: the token is in the address once.
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with browser.open(address, timeout=60) as page:
                assert page.status == 200
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
