"""webhook and classifier: nothing is sent without a yes, and what comes back is read strictly."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from web_server import Given, web_server

from turnwise.conversations.files import Fetcher
from turnwise.conversations.suites import Check
from turnwise.engine.checks.asker import Reach
from turnwise.engine.suites import Answer, CheckOutcome
from turnwise.engine.suites.grading import grade_case, judge_case

ANSWER = Answer(output="Hello", prompt="Greet", vars={"name": "Ann"})


async def graded(kind: str, value: Any = None, fetcher: Fetcher | None = None, **rest: Any) -> CheckOutcome:
    check = Check(type=kind.removeprefix("not-"), negate="not-" in kind, value=value, **rest)
    result = await judge_case([check], None, ANSWER, None, reach=Reach(fetcher=fetcher))
    return result.checks[0]


YES = Fetcher(private=True, sleep=lambda seconds: None)


def endpoint(url: str) -> dict[str, Any]:
    return {"provider": {"id": "huggingface:text-classification:x", "config": {"apiEndpoint": url}}}


@pytest.mark.parametrize(
    ("kind", "reply", "passed", "score"),
    [
        ("webhook", {"pass": True}, True, 1.0),
        ("webhook", {"pass": False, "reason": "rude"}, False, 0.0),
        ("webhook", {"pass": True, "score": 0.5}, True, 0.5),
        ("not-webhook", {"pass": True, "score": 0.25}, False, 0.75),
        ("not-webhook", {"pass": False}, True, 1.0),
    ],
)
async def test_what_a_webhook_says_counts(kind: str, reply: Any, passed: bool, score: float) -> None:
    with web_server(lambda asked: Given(reply)) as server:
        result = await graded(kind, f"{server.url}/check", YES)
    assert (result.passed, result.score) == (passed, score)
    assert server.asked[0].body == {
        "output": "Hello",
        "context": {"prompt": "Greet", "vars": {"name": "Ann"}},
    }
    if reply.get("reason"):
        assert result.reason == "rude"


@pytest.mark.parametrize("kind", ["webhook", "not-webhook"])
@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"pass": "true"},
        {"pass": 1},
        [],
        b"no JSON",
        {"pass": True, "score": 2},
        {"pass": True, "score": "1"},
    ],
)
async def test_an_unclear_reply_is_a_failure_either_way(kind: str, reply: Any) -> None:
    with web_server(lambda asked: Given(reply)) as server:
        assert (await graded(kind, server.url, YES)).word == "failure"


async def test_a_webhook_that_breaks_is_a_failure() -> None:
    with web_server(lambda asked: Given(b"", 500)) as server:
        result = await graded("webhook", server.url, YES)
    assert result.word == "failure"
    assert "HTTP 500" in result.reason
    assert len(server.asked) == 4


@pytest.mark.parametrize("kind", ["webhook", "not-webhook", "classifier"])
async def test_without_a_yes_no_socket_is_opened(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*args: Any, **rest: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "getaddrinfo", opened)
    monkeypatch.setattr(socket, "create_connection", opened)
    result = await graded(kind, "http://example.org/?key=secret", options=endpoint("http://example.org"))
    assert result.word == "skipped"
    assert "--trust" in result.next_step
    assert "example.org" in result.reason
    assert "secret" not in result.reason
    check = Check(type=kind.removeprefix("not-"), negate="not-" in kind, value="http://example.org")
    assert grade_case([check], None, ANSWER).word == "skipped"


async def test_a_yes_is_none_to_this_machines_own_servers() -> None:
    with web_server(lambda asked: Given({"pass": True})) as server:
        result = await graded("webhook", server.url, Fetcher())
    assert result.word == "failure"
    assert server.asked == []


LABELS = [{"label": "toxic", "score": 0.125}, {"label": "neutral", "score": 0.875}]


@pytest.mark.parametrize("reply", [LABELS, [LABELS]])
@pytest.mark.parametrize(
    ("kind", "value", "threshold", "passed", "score"),
    [
        ("classifier", "neutral", 0.8, True, 0.875),
        ("classifier", "neutral", None, False, 0.875),
        ("classifier", None, 0.8, True, 0.875),
        ("not-classifier", "toxic", 0.5, True, 0.875),
        ("classifier", "unheard of", 0.5, False, 0.0),
    ],
)
async def test_the_score_of_a_label_is_held_against_the_threshold(
    reply: Any, kind: str, value: Any, threshold: float | None, passed: bool, score: float
) -> None:
    with web_server(lambda asked: Given(reply)) as server:
        result = await graded(kind, value, YES, threshold=threshold, options=endpoint(server.url))
    assert (result.passed, result.score) == (passed, score)
    assert server.asked[0].body == {"inputs": "Hello"}


async def test_a_classifier_without_an_address_is_skipped_and_one_that_sorts_nothing_fails() -> None:
    assert (await graded("classifier", "x", YES, options={"provider": "huggingface:x"})).word == "skipped"
    with web_server(lambda asked: Given({"error": "loading"})) as server:
        assert (await graded("classifier", "x", YES, options=endpoint(server.url))).word == "failure"
