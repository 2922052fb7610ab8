"""The server's start, sharing and end, with a stand-in for the native library; see `library`."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest
from waiting import until

from turnwise.conversations.errors import JudgeUnavailableError, NotFoundError, SettingError
from turnwise.engine.models.embedded.server import EmbeddedServer, SharedServers


async def test_the_event_loop_goes_on_while_the_library_holds_its_interpreter(library) -> None:
    held = 3.0
    file = library(f"import ctypes; ctypes.PyDLL(None).usleep({int(held * 1e6)})")
    gaps: list[float] = []

    async def tick() -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(0.01)
            now = time.monotonic()
            gaps.append(now - last)
            last = now

    ticking = asyncio.create_task(tick())
    began = time.monotonic()
    async with EmbeddedServer(file):
        assert time.monotonic() - began >= held
    ticking.cancel()
    assert max(gaps) < held / 2


@pytest.mark.parametrize(
    ("loading", "title", "detail", "next_step"),
    [
        ("raise RuntimeError('no such kind')", "could not be loaded", "no such kind", "may be damaged"),
        (
            "sys.stderr.write('0.00.1 E \\x1b[31mwrong ' + parameters.api_keys[0] + '\\n'); raise ValueError",
            "could not be loaded",
            "wrong ***",
            "may be damaged",
        ),
        ("print('why', file=sys.stderr); os._exit(3)", "ended with exit code 3", "why", "may be damaged"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "ended with SIGKILL", "", "memory was probably too small"),
        ("os.kill(os.getpid(), signal.SIGILL)", "ended with SIGILL", "", "processor is too old"),
        ("time.sleep(600)", "more than 5 s", "", "machine is less busy"),
    ],
)
async def test_a_load_that_fails_is_told_in_words(
    library, monkeypatch: pytest.MonkeyPatch, loading: str, title: str, detail: str, next_step: str
) -> None:
    if "sleep" in loading:
        monkeypatch.setattr("turnwise.engine.models.embedded.server.START_SECONDS", 5)
    server = EmbeddedServer(library(loading))
    with pytest.raises(JudgeUnavailableError) as caught:
        await server.start()
    assert title in caught.value.title
    assert caught.value.detail.partition("\n")[2] == detail
    assert next_step in caught.value.next_step
    assert (server.base_url, server._process) == ("", None)


async def test_a_start_that_is_cancelled_leaves_no_process(library) -> None:
    server = EmbeddedServer(library("time.sleep(600)"))
    starting = asyncio.create_task(server.start())
    await until(lambda: server._process is not None)
    process = server._process
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not process.is_running()


async def test_a_close_during_the_start_ends_it(library) -> None:
    server = EmbeddedServer(library("time.sleep(600)"))
    starting = asyncio.create_task(server.start())
    await until(lambda: server._process is not None)
    await server.close()
    with pytest.raises(JudgeUnavailableError, match="closed meanwhile"):
        await starting
    assert server.base_url == ""


async def test_two_who_start_it_at_once_share_one_process(library) -> None:
    server = EmbeddedServer(library())
    await asyncio.gather(server.start(), server.start())
    address = server.base_url
    await server.start()
    assert server.base_url == address
    await server.close()


async def test_one_file_asked_for_twice_is_loaded_once_and_closed_by_the_last_to_leave(library) -> None:
    file, shared = library(), SharedServers()
    async with shared.use(file, context=512) as kept:
        async with shared.use(file, context=512) as same, shared.use(file, context=256) as other:
            assert same is kept
            assert other is not kept
        assert kept.base_url
        assert not other.base_url
    assert not kept.base_url


def test_a_shared_model_outlives_the_event_loop_it_was_started_in(library) -> None:
    use = SharedServers().use(library())
    server = asyncio.run(use.__aenter__())
    assert asyncio.run(server.start()).base_url == server.base_url != ""
    asyncio.run(use.__aexit__(None, None, None))
    assert server.base_url == ""


async def test_a_shared_start_that_failed_is_tried_anew(library, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    file, shared = library(f"os.path.exists({str(ready)!r}) or os._exit(1)"), SharedServers()
    with pytest.raises(JudgeUnavailableError):
        async with shared.use(file):
            pass
    ready.touch()
    async with shared.use(file) as server:
        assert server.base_url


async def test_a_file_that_is_no_model_is_refused(library, tmp_path: Path) -> None:
    library()
    (tmp_path / "text.gguf").write_text("not a model")
    with pytest.raises(SettingError, match="not a GGUF"):
        await EmbeddedServer(tmp_path / "text.gguf").start()
    with pytest.raises(NotFoundError):
        await EmbeddedServer(tmp_path / "gone.gguf").start()


async def test_a_library_that_cannot_be_imported_counts_as_missing(library) -> None:
    file = library(source="raise ImportError('libgomp is not there')")
    with pytest.raises(SettingError, match="an extra that is not installed") as caught:
        await EmbeddedServer(file).start()
    assert caught.value.detail == "libgomp is not there"


async def test_a_missing_extra_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(SettingError) as caught:
        await EmbeddedServer(tmp_path / "any.gguf").start()
    assert "pip install 'turnwise[embedded]'" in caught.value.next_step


@pytest.mark.parametrize("wrong", [{"context": 0}, {"parallel": 0}, {"threads": -1}])
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SettingError):
        EmbeddedServer(Path("any.gguf"), **wrong)


async def test_a_process_killed_this_moment_is_not_taken_for_a_running_one(library) -> None:
    server = await EmbeddedServer(library()).start()
    for _ in range(5):
        address, key, process = server.base_url, server.api_key, server._process
        assert process is not None
        process.kill()
        await server.start()
        assert server.base_url != address
        assert server.api_key != key
    await server.close()
