"""`turnwise.recording`: what real clients say within a program is in sessions, threads apart."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Barrier
from typing import Any

import anthropic
import openai
import pytest
from parrot_server import ParrotServer, parrot_server, reply_words

import turnwise
from turnwise.conversations.errors import SettingError
from turnwise.conversations.relay import program_recording
from turnwise.conversations.store import Store

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "record.md"


@pytest.fixture
def parrot() -> Iterator[ParrotServer]:
    with parrot_server() as server:
        yield server


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "t.db"


Chat = Callable[[Any], openai.OpenAI]
"""Makes a client on an HTTP client."""


@pytest.fixture
def chat(parrot: ParrotServer) -> Iterator[Chat]:
    """Clients that are closed with the test."""
    with ExitStack() as opened:

        def client(http_client: Any) -> openai.OpenAI:
            url = f"{parrot.address}/v1"
            made = openai.OpenAI(base_url=url, api_key="sk-private", http_client=http_client)
            return opened.enter_context(made)

        yield client


def said(database: Path) -> list[list[str]]:
    with Store.open(database) as store:
        cases = [store.sessions.case(session) for session in sorted(store.sessions.ids())]
        return [[turn.content for turn in case.turns] for case in cases]


def talk(client: openai.OpenAI, *questions: str) -> None:
    messages: list[Any] = []
    for question in questions:
        messages.append({"role": "user", "content": question})
        reply = client.chat.completions.create(model="parrot", messages=messages)
        messages.append({"role": "assistant", "content": reply.choices[0].message.content})


def test_a_conversation_is_one_session_with_its_role_and_name(chat: Chat, database: Path) -> None:
    with turnwise.recording(
        role="A desk", name="visit", database=database, metadata={"tier": 1}
    ) as recording:
        talk(chat(recording.http_client()), "hi", "thanks")
    [session] = recording.sessions
    assert said(database) == [["hi", reply_words("hi"), "thanks", reply_words("thanks")]]
    with Store.open(database) as store:
        row, case = store.sessions.get(session), store.sessions.case(session)
        assert (row.name, row.chatbot_role, row.source) == ("visit", "A desk", "python")
        assert case.metadata is not None
        assert case.metadata["tier"] == 1
    held = b"".join(path.read_bytes() for path in database.parent.iterdir())
    assert b"sk-private" not in held
    assert recording.problem == ""


@pytest.mark.parametrize("streamed", [False, True])
def test_anthropic_s_client_is_heard_too(parrot: ParrotServer, database: Path, streamed: bool) -> None:
    with (
        turnwise.recording(database=database) as recording,
        anthropic.Anthropic(
            base_url=parrot.address, api_key="k", http_client=recording.http_client()
        ) as client,
    ):
        asked: dict[str, Any] = {
            "model": "parrot",
            "max_tokens": 100,
            "messages": [{"role": "user", "content": "hi"}],
        }
        if streamed:
            with client.messages.stream(**asked) as stream:
                text = stream.get_final_text()
        else:
            text = client.messages.create(**asked).content[0].text  # type: ignore[union-attr]
    assert text == reply_words("hi")
    assert said(database) == [["hi", text]]


async def test_async_clients_are_heard_and_tasks_at_once_are_apart(
    parrot: ParrotServer, database: Path
) -> None:
    async with turnwise.recording(database=database) as recording:
        client = openai.AsyncOpenAI(
            base_url=f"{parrot.address}/v1", api_key="k", http_client=recording.async_http_client()
        )

        async def one(number: int) -> None:
            messages: list[Any] = [{"role": "user", "content": f"hi {number}"}]
            async with client.chat.completions.stream(model="parrot", messages=messages) as stream:
                reply = (await stream.get_final_completion()).choices[0].message.content
            messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": "and?"}]
            await client.chat.completions.create(model="parrot", messages=messages)

        await asyncio.gather(*map(one, range(5)))
        await client.close()
    assert sorted(words[0] for words in said(database)) == [f"hi {number}" for number in range(5)]
    assert {len(words) for words in said(database)} == {4}


def test_threads_that_say_the_same_are_sessions_of_their_own(chat: Chat, database: Path) -> None:
    together = Barrier(4)
    with turnwise.recording(database=database) as recording:
        client = chat(recording.http_client())

        def one(_: int) -> None:
            together.wait(timeout=30)
            talk(client, "hi", "and?", "bye")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(one, range(4)))
    assert len(recording.sessions) == 4
    assert {len(words) for words in said(database)} == {6}


def test_two_recordings_at_once_hear_their_own_clients_alone(chat: Chat, tmp_path: Path) -> None:
    with (
        turnwise.recording(database=tmp_path / "a.db") as one,
        turnwise.recording(database=tmp_path / "b.db") as other,
    ):
        talk(chat(one.http_client()), "for a")
        talk(chat(other.http_client()), "for b")
    assert said(tmp_path / "a.db")[0][0] == "for a"
    assert said(tmp_path / "b.db")[0][0] == "for b"


def test_a_client_that_is_there_already_is_listened_to_by_its_own_copy(chat: Chat, database: Path) -> None:
    client = chat(None)
    with turnwise.recording(database=database) as recording:
        with recording.listening(client) as listened:
            talk(listened, "hi")
        talk(client, "unheard")
        with pytest.raises(SettingError):
            recording.listening(object())
    assert [words[0] for words in said(database)] == ["hi"]


def test_an_error_of_the_server_reaches_the_program_and_is_kept(chat: Chat, database: Path) -> None:
    with turnwise.recording(database=database) as recording:
        client = chat(recording.http_client()).with_options(max_retries=0)
        with pytest.raises(openai.APIStatusError):
            talk(client, "fail now")
    with Store.open(database) as store:
        metadata = store.sessions.case(recording.sessions[0]).metadata
    assert metadata is not None
    assert "The server answered" in metadata["failure"]


def test_an_exception_of_the_program_goes_on_and_what_was_said_is_kept(chat: Chat, database: Path) -> None:
    def fails() -> None:
        with turnwise.recording(database=database) as recording:
            talk(chat(recording.http_client()), "hi")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert said(database) == [["hi", reply_words("hi")]]


def test_what_is_said_is_in_the_database_while_the_program_goes_on(chat: Chat, database: Path) -> None:
    with turnwise.recording(database=database) as recording:
        talk(chat(recording.http_client()), "hi")
        while not recording.sessions:
            time.sleep(0.01)
        assert said(database) == [["hi", reply_words("hi")]]


def test_a_database_in_use_fails_no_call_and_what_waits_comes_in_later(
    chat: Chat, database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(program_recording, "SECONDS_TO_WAIT", 0.05)
    with turnwise.recording(database=database) as recording:
        with closing(sqlite3.connect(database, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            talk(chat(recording.http_client()), "hi")
            while not recording.problem:
                time.sleep(0.01)
            holder.execute("ROLLBACK")
        assert "waits beside the database" in caplog.text
    assert said(database) == [["hi", reply_words("hi")]]
    assert recording.problem == ""


def test_the_documented_program_is_recorded(parrot: ParrotServer, database: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    (program,) = [one for one in programs if "turnwise.recording" in one]
    environment = {
        "OPENAI_BASE_URL": f"{parrot.address}/v1",
        "OPENAI_API_KEY": "none",
        "OPENAI_MODEL": "parrot",
        "TURNWISE_DB": str(database),
        "PATH": "/usr/bin",
        "HOME": str(database.parent),
    }
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=60)
    assert said(database) == [
        [
            "When do you open?",
            reply_words("When do you open?"),
            "And on Sunday?",
            reply_words("And on Sunday?"),
        ]
    ]
