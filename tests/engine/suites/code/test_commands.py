"""Commands of a suite: data in, data out, nothing by a shell, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import until

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.suites.code import SuiteCode, commands


@pytest.fixture
def code(tmp_path: Path) -> Iterator[SuiteCode]:
    (tmp_path / "suite.yaml").write_text("{}")
    made = SuiteCode(tmp_path / "suite.yaml", trusted=True)
    yield made
    made.close()


def python(source: str) -> list[str]:
    return [sys.executable, "-c", source]


async def test_a_command_is_given_data_and_gives_data(code: SuiteCode, tmp_path: Path) -> None:
    source = "import json, os, sys; print(json.dumps([json.load(sys.stdin), os.getcwd()]))"
    given = {"question": "é", "many": list(range(100_000))}
    assert await code.run_code(python(source), given, folder=tmp_path) == [given, str(tmp_path.resolve())]


async def test_a_script_may_stand_for_its_command(code: SuiteCode, tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text("import json, sys; print(json.load(sys.stdin)['score'])")
    assert await code.run_code(tmp_path / "judge.py", {"score": 0.5}, folder=tmp_path) == 0.5


async def test_no_shell_reads_a_command(code: SuiteCode, tmp_path: Path) -> None:
    words = [*python("import json, sys; print(json.dumps(sys.argv[1:]))"), "; touch canary", "$HOME", "*"]
    assert await code.run_code(words, None, folder=tmp_path) == ["; touch canary", "$HOME", "*"]
    assert not (tmp_path / "canary").exists()


async def test_a_command_that_fails_is_told_with_its_last_words(code: SuiteCode, tmp_path: Path) -> None:
    source = "import sys; print('much ' * 10_000, file=sys.stderr); sys.exit('no luck')"
    with pytest.raises(SettingError, match="exit code 1") as caught:
        await code.run_code(python(source), None, folder=tmp_path, place="suite.yaml, case a")
    assert caught.value.detail.endswith("no luck")
    assert len(caught.value.detail) < 3000


@pytest.mark.parametrize("written", ["", "no json", "{", "[1] [2]"])
async def test_what_is_no_json_is_an_error(code: SuiteCode, tmp_path: Path, written: str) -> None:
    with pytest.raises(SettingError, match="no JSON"):
        await code.run_code(python(f"print({written!r})"), None, folder=tmp_path)


async def test_what_takes_too_long_or_writes_too_much_is_stopped(
    code: SuiteCode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingError, match=r"more than 0\.5 seconds"):
        await code.run_code(python("while True: pass"), None, folder=tmp_path, seconds=0.5)
    monkeypatch.setattr(commands, "LONGEST_REPLY", 100_000)
    with pytest.raises(SettingError, match="wrote more than"):
        await code.run_code(python("while True: print('x' * 1000)"), None, folder=tmp_path)


async def test_a_command_that_is_cancelled_is_ended(code: SuiteCode, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    source = f"import os; open({str(mark)!r}, 'w').write(str(os.getpid()))\nwhile True: pass"
    running = asyncio.create_task(code.run_code(python(source), None, folder=tmp_path))
    await until(lambda: mark.exists() and mark.read_text())
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    end = time.monotonic() + 10
    while Path(f"/proc/{mark.read_text()}").exists() and time.monotonic() < end:
        await asyncio.sleep(0.01)
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


async def test_without_trust_no_command_runs(tmp_path: Path) -> None:
    code = SuiteCode(tmp_path / "suite.yaml")
    with pytest.raises(NotFoundError) as caught:
        await code.run_code(["touch", str(tmp_path / "canary")], None, folder=tmp_path, place="suite.yaml, a")
    assert "touch canary (a command)" in caught.value.detail
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize("words", [[], [""], ["no-such-program-at-all"], ["a\0b"]])
async def test_what_is_no_command_is_an_error(code: SuiteCode, tmp_path: Path, words: list[str]) -> None:
    with pytest.raises(SettingError):
        await code.run_code(words, None, folder=tmp_path)
