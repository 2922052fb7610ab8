"""A talk with a real model in this process is kept, and plays again the same way every time."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from model_fixture import find_or_pull_small_model

from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store
from turnwise.engine.chatbots.talk import answer
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models.embedded.provider import embedded_model

COMMAND = "from turnwise.tui.cli.main import main; main()"


def replayed(database: Path, session: int) -> bytes:
    arguments = [sys.executable, "-c", COMMAND, "--db", str(database), "replay", str(session), "--json"]
    # No network can be meant by this: not one address of a judge or target is left.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return subprocess.run(arguments, env=environment, capture_output=True, check=True).stdout


@pytest.mark.model
async def test_a_talk_with_a_real_model_is_kept_and_replayed(tmp_path):
    pytest.importorskip("xllamacpp")
    settings = embedded_model(str(find_or_pull_small_model()))
    assert settings is not None
    database = tmp_path / "t.db"
    with Store.open(database) as store:
        async with Target(settings, longest_reply=12) as target:
            recording = Recording(store, target=target.title, role="A geography teacher")
            for question in ("What is the capital of France?", "And of Spain?"):
                recording.user_says(question)
                heard = [piece async for piece in answer(target, recording)]
                assert len(heard) > 1, "the reply is streamed"
                assert store.turns.of(1)[-1].content == "".join(heard)
    first = replayed(database, 1)
    copy = tmp_path / "copy.db"
    shutil.copy(database, copy)
    assert replayed(database, 1) == first
    assert replayed(copy, 1) == first
    events = [json.loads(line) for line in first.splitlines()]
    assert [event.get("role") for event in events] == [None, "system", *["user", "assistant"] * 2]
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)


@pytest.mark.model
async def test_a_model_that_was_killed_answers_again(tmp_path):
    pytest.importorskip("xllamacpp")
    settings = embedded_model(str(find_or_pull_small_model()))
    assert settings is not None
    async with Target(settings, longest_reply=4) as target:
        question = [{"role": "user", "content": "Hello"}]
        assert [piece async for piece in target.reply(question)]
        server = target._provider._server
        assert server is not None
        assert server._process is not None
        server._process.kill()
        await asyncio.to_thread(server._process._popen.wait)
        assert [piece async for piece in target.reply(question)]
