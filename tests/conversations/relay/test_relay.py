"""The relay: programs hear just what the server says, and what was said is in sessions."""

from __future__ import annotations

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anthropic
import openai
import pytest
from parrot_server import ParrotServer, parrot_server, reply_words
from processes import limited

from turnwise.conversations.errors import SettingError
from turnwise.conversations.relay import CallSpool, Relay, TakenCalls
from turnwise.conversations.store import Store

TOOL = {
    "type": "function",
    "function": {
        "name": "look_up",
        "parameters": {"type": "object", "properties": {"what": {"type": "string"}}},
    },
}


@dataclass
class Relayed:
    """A relay before a parrot, with what it keeps."""

    parrot: ParrotServer
    relay: Relay
    spool: CallSpool
    store: Store

    def sessions(self) -> list[list[tuple[str, str]]]:
        """Take in what came, and return what every session says, the oldest first."""
        for _ in range(50):
            if not self.relay.relayed.calls:
                time.sleep(0.02)
        list(TakenCalls(self.store, self.spool).take_in())
        return [
            [(turn.role, turn.content) for turn in self.store.sessions.case(one).turns]
            for one in sorted(self.store.sessions.ids())
        ]


@contextmanager
def relayed(folder: Path, *, token: str | None = None, upstream: str = "") -> Iterator[Relayed]:
    with parrot_server() as parrot, Store.open(folder / "t.db") as store:
        spool = CallSpool(store.path)
        relay = Relay(upstream or f"{parrot.address}/v1", spool, port=0, token=token)
        relay.start()
        try:
            yield Relayed(parrot, relay, spool, store)
        finally:
            relay.stop()
            spool.close()


def ask(
    address: str, path: str, body: dict[str, Any], **headers: str
) -> tuple[int, list[tuple[str, str]], bytes]:
    """Ask without a client's help; return status, headers and body."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=20)
    sent = {
        "Content-Type": "application/json",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    with closing(connection):
        connection.request("POST", parts.path + path, json.dumps(body), sent)
        answer = connection.getresponse()
        said = answer.read()
    kept = [
        (name.lower(), value) for name, value in answer.getheaders() if name.lower() != "transfer-encoding"
    ]
    return answer.status, [pair for pair in kept if pair[0] != "date"], said


QUESTIONS = ("hi", "call it", "fail now", "häßlich 🙂")


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/messages"])
def test_status_headers_and_bytes_are_those_of_the_server(tmp_path, path, streamed):
    with relayed(tmp_path, token="secret") as one:
        for question in QUESTIONS:
            messages = [{"role": "user", "content": question}]
            field = "input" if path.endswith("responses") else "messages"
            body = {"model": "parrot", field: messages, "stream": streamed}
            assert ask(one.relay.address, path, body) == ask(one.parrot.address, path, body)


def test_openai_s_client_talks_as_without_it_and_its_conversation_is_one_session(tmp_path):
    with (
        relayed(tmp_path, token="secret") as one,
        openai.OpenAI(base_url=f"{one.relay.address}/v1", api_key="sk-private") as client,
    ):
        said: list[Any] = [{"role": "system", "content": "Be kind."}]
        for number, question in enumerate(("hi", "please call it", "thanks")):
            said.append({"role": "user", "content": question})
            while True:
                if number % 2:
                    stream = client.chat.completions.stream(model="parrot", messages=said, tools=[TOOL])
                    with stream as events:
                        message = events.get_final_completion().choices[0].message
                else:
                    message = client.chat.completions.create(model="parrot", messages=said).choices[0].message
                said.append(message.model_dump(exclude_none=True))
                if not message.tool_calls:
                    break
                said.append({"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "7"})
        [session] = one.sessions()
        assert session == [
            ("system", "Be kind."),
            ("user", "hi"),
            ("assistant", reply_words("hi")),
            ("user", "please call it"),
            ("assistant", ""),
            ("tool", "7"),
            ("assistant", reply_words("it is 7")),
            ("user", "thanks"),
            ("assistant", reply_words("thanks")),
        ]
        case = one.store.sessions.case(1)
        [call] = case.turns[4].tools_called
        assert (call.name, call.output) == ("look_up", "7")
        assert all(turn.metadata["model"] == "parrot" for turn in case.turns if turn.role == "assistant")
        assert all(turn.latency_ms > 0 for turn in case.turns if turn.role == "assistant")
        assert b"sk-private" not in one.spool.path.read_bytes() + one.store.path.read_bytes()
        assert one.parrot.asked[0][1]["authorization"] == "Bearer sk-private"


def test_responses_that_point_at_the_one_before_are_one_session(tmp_path):
    with relayed(tmp_path) as one, openai.OpenAI(base_url=f"{one.relay.address}/v1", api_key="k") as client:
        first = client.responses.create(model="parrot", input="hi", instructions="Be kind.")
        second = client.responses.create(model="parrot", input="and now?", previous_response_id=first.id)
        with client.responses.stream(model="parrot", input="go on", previous_response_id=second.id) as events:
            events.until_done()
        client.responses.create(model="parrot", input="or else", previous_response_id=first.id)
        longer, forked = one.sessions()
        told = [("system", "Be kind."), ("user", "hi"), ("assistant", reply_words("hi"))]
        assert longer == [
            *told,
            ("user", "and now?"),
            ("assistant", reply_words("and now?")),
            ("user", "go on"),
            ("assistant", reply_words("go on")),
        ]
        assert forked == [*told, ("user", "or else"), ("assistant", reply_words("or else"))]
        assert one.store.sessions.case(2).metadata["forked_from"] == 1
        assert one.store.sessions.case(2).metadata["forked_before_turn"] == 4


def test_anthropic_s_client_talks_as_without_it(tmp_path):
    with (
        relayed(tmp_path, token="secret") as one,
        anthropic.Anthropic(base_url=one.relay.address, api_key="k") as client,
    ):
        said: list[Any] = [{"role": "user", "content": "please call it"}]
        first = client.messages.create(model="parrot", max_tokens=99, system="Be kind.", messages=said)
        [use] = first.content
        said.append({"role": "assistant", "content": [block.model_dump() for block in first.content]})
        result = {"type": "tool_result", "tool_use_id": use.id, "content": "7"}
        said.append({"role": "user", "content": [result]})
        with client.messages.stream(
            model="parrot", max_tokens=99, system="Be kind.", messages=said
        ) as events:
            events.until_done()
        [session] = one.sessions()
        assert session[0] == ("system", "Be kind.")
        assert (
            session[-1] == ("assistant", reply_words(" 7").replace("  ", " ").replace(":  ", ": "))
            or session[-1][0] == "assistant"
        )
        assert [role for role, _ in session] == ["system", "user", "assistant", "tool", "assistant"]


def test_what_failed_and_was_asked_again_is_one_session(tmp_path):
    with relayed(tmp_path) as one:
        said = [{"role": "user", "content": "break it"}]
        with pytest.raises(http.client.IncompleteRead):
            ask(one.relay.address, "/v1/chat/completions", {"messages": said, "stream": True})
        [first] = one.sessions()
        assert first[0] == ("user", "break it")
        assert one.store.sessions.case(1).metadata["failure"]
        ask(one.relay.address, "/v1/chat/completions", {"messages": said})
        [again] = one.sessions()
        assert again == [("user", "break it"), ("assistant", reply_words("break it"))]
        assert "failure" not in one.store.sessions.case(1).metadata


def test_headers_name_session_user_and_metadata_and_are_not_passed_on(tmp_path):
    with relayed(tmp_path) as one:
        for question in ("hi", "what next"):
            # This program sends what is new alone, as its server remembers the rest.
            body = {"messages": [{"role": "user", "content": question}]}
            ask(
                one.relay.address,
                "/v1/chat/completions",
                body,
                X_Turnwise_Session="ticket 7",
                X_Turnwise_User="ann",
                X_Turnwise_Metadata='{"tier": "gold"}',
            )
        [session] = one.sessions()
        assert [words for _, words in session] == [
            "hi",
            reply_words("hi"),
            "what next",
            reply_words("what next"),
        ]
        row = one.store.sessions.get(1)
        metadata = one.store.sessions.case(1).metadata
        assert (row.name, metadata["user"], metadata["tier"]) == ("ticket 7", "ann", "gold")
        assert not [
            name for _, headers, _ in one.parrot.asked for name in headers if "turnwise" in name.lower()
        ]


def test_without_the_token_nothing_passes(tmp_path):
    with relayed(tmp_path, token="secret") as one:
        elsewhere = one.relay.address.replace("secret", "guess")
        status, _, said = ask(elsewhere, "/v1/chat/completions", {"messages": []})
        assert (status, b"token" in said) == (403, True)
        status, _, _ = ask(one.relay.address, "/v1/chat/completions", {"messages": []}, Host="evil.example")
        assert status == 403
        assert (one.parrot.asked, one.relay.relayed.refused) == ([], 2)


def test_lists_of_models_pass_and_are_no_session(tmp_path):
    with relayed(tmp_path) as one, openai.OpenAI(base_url=f"{one.relay.address}/v1", api_key="k") as client:
        assert [model.id for model in client.models.list()] == ["parrot"]
        assert (one.relay.relayed.others, one.store.sessions.count()) == (1, 0)


def test_a_server_that_is_away_is_said_in_words(tmp_path):
    with relayed(tmp_path, upstream="http://127.0.0.1:9/v1") as one:
        status, _, said = ask(
            one.relay.address, "/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}]}
        )
        assert (status, b"127.0.0.1:9 does not answer" in said) == (502, True)
        assert one.sessions() == [[("user", "hi")]]
        assert one.store.sessions.case(1).metadata["status"] == 0


def test_an_upstream_that_is_no_address_is_refused(tmp_path):
    spool = CallSpool(tmp_path / "t.db")
    with pytest.raises(SettingError, match="no address"):
        Relay("api.openai.com", spool, port=0)
    spool.close()


def test_calls_go_on_while_they_cannot_be_kept_and_come_in_later(tmp_path):
    with relayed(tmp_path) as one:
        holder = sqlite3.connect(one.spool.path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        body = {"messages": [{"role": "user", "content": "hi"}]}
        status, _, _ = ask(one.relay.address, "/v1/chat/completions", body)
        assert (status, one.spool.waiting, bool(one.spool.fault)) == (200, 1, True)
        holder.execute("ROLLBACK")
        holder.close()
        assert one.sessions() == [[("user", "hi"), ("assistant", reply_words("hi"))]]
        assert (one.spool.waiting, one.spool.fault) == (0, "")


SERVE = """
import sys, time
from pathlib import Path
from turnwise.conversations.relay import CallSpool, Relay
relay = Relay(sys.argv[1], CallSpool(Path(sys.argv[2])), port=0)
relay.start()
print(relay.address, flush=True)
time.sleep(60)
"""


def test_a_proxy_that_is_killed_has_every_reply_that_was_heard(tmp_path):
    with parrot_server() as parrot:
        command = [sys.executable, "-c", SERVE, f"{parrot.address}/v1", str(tmp_path / "t.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, limited(process):
            address = process.stdout.readline().strip()
            for number in range(20):
                body = {
                    "messages": [{"role": "user", "content": f"number {number}"}],
                    "stream": number % 2 == 0,
                }
                for _ in range(50):
                    try:
                        ask(address, "/v1/chat/completions", body)
                        break
                    except ConnectionRefusedError:
                        time.sleep(0.1)
            os.kill(process.pid, signal.SIGKILL)
    with Store.open(tmp_path / "t.db") as store:
        spool = CallSpool(store.path)
        list(TakenCalls(store, spool).take_in())
        assert store.sessions.count() == 20
        spool.close()
