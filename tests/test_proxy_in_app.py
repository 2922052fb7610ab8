"""What a program says through the proxy is in the open app as it happens, and is scored once it rests."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import openai
import pytest
from parrot_server import parrot_server, reply_words
from processes import running, until
from terminal import Terminal

from turnwise.conversations.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are other terminals there")
RUN = "import sys\nfrom turnwise.tui.cli.main import main\nsys.argv = ['turnwise']\nmain()"


def scored(db: Path) -> set[tuple[int, str, float | None]]:
    """Return session, metric and score of all that was scored."""
    with Store.open(db) as store:
        return {(one, row.metric, row.score) for one in store.sessions.ids() for row in store.scores.of(one)}


def test_a_program_s_talk_grows_in_the_open_app_and_is_scored_at_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "turnwise.db"
    monkeypatch.setenv("TURNWISE_DB", str(db))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Store.open(db).close()
    with ExitStack() as stack:
        parrot = stack.enter_context(parrot_server())
        upstream = ("--upstream", f"{parrot.address}/v1", "--port", "0", "--json")
        at_rest = ("--metric", "contains:bread", "--judge", "none", "--rest", "1")
        proxy = stack.enter_context(running(["proxy", *upstream, *at_rest]))
        assert proxy.stdout is not None
        address = json.loads(proxy.stdout.readline())["address"]
        app = stack.enter_context(Terminal(RUN, {"TURNWISE_DB": str(db)}, size=(140, 40)))
        app.wait_for("No sessions yet.")

        client = stack.enter_context(openai.OpenAI(base_url=address, api_key="k", max_retries=5))
        said: list[Any] = []
        for question in ("When do you open?", "And on Sunday?"):
            said.append({"role": "user", "content": question})
            reply = client.chat.completions.create(model="parrot", messages=said)
            said.append({"role": "assistant", "content": reply.choices[0].message.content})
            # Each call is seen before the next is made; the first in the list, which was empty.
            app.wait_for(question)
            if len(said) == 2:
                app.press("\r")
            app.wait_for(reply_words(question))

        # Nobody says anything for a second: the metric scores what was said, and the list shows it.
        app.press("q")
        until(lambda: scored(db) == {(1, "contains:bread", 0.0)})
        app.wait_for("contains:bread")
        proxy.send_signal(signal.SIGINT)
        proxy.communicate(timeout=60)
        assert proxy.returncode == 0
        app.press("q")
        assert app.end() == 0
    with Store.open(db) as store:
        assert [turn.content for turn in store.sessions.case(1).turns] == [one["content"] for one in said]
