"""What `turnwise run` reaches: nothing of the network without a yes, and vectors where they are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, embeds
from web_server import Given, web_server


def suite(folder: Path, *checks: dict[str, Any], **config: Any) -> Path:
    path = folder / "suite.json"
    tests = [{"vars": {"q": "hello"}, "assert": list(checks)}]
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests, **config}))
    return path


def test_a_webhook_is_asked_with_trust_alone_and_this_machine_with_a_second_yes(turnwise, tmp_path):
    with web_server(lambda asked: Given({"pass": True})) as server:
        path = suite(tmp_path, {"type": "webhook", "value": f"{server.url}/check"})
        assert turnwise("run", path, "--json").row["outcome"] == "skipped"
        ran = turnwise("run", path, "--json", "--trust")
        assert ran.row["outcome"] == "failure"
        assert "local network" in ran.row["reason"]
        assert server.asked == []
        assert turnwise("run", path, "--json", "--trust", "--allow-private").row["outcome"] == "pass"
    assert [asked.body["output"] for asked in server.asked] == ["hello"]


def test_trust_for_addresses_is_given_anew_each_time(turnwise, tmp_path):
    with web_server(lambda asked: Given({"pass": True})) as server:
        path = suite(tmp_path, {"type": "webhook", "value": server.url})
        assert turnwise("run", path, "--trust", "--allow-private").code == 0
        assert turnwise("run", path, "--json").row["outcome"] == "skipped"
    assert len(server.asked) == 1


def test_private_addresses_alone_allow_nothing(turnwise, tmp_path):
    ran = turnwise("run", suite(tmp_path), "--allow-private")
    assert ran.code == 2
    assert "--trust" in ran.err


@pytest.mark.parametrize(
    "tests", ["huggingface://datasets/a/b", "https://docs.google.com/spreadsheets/d/x/edit"]
)
def test_tests_on_another_computer_name_what_would_fetch_them(turnwise, tmp_path, tests):
    ran = turnwise("run", suite(tmp_path, tests=tests))
    assert ran.code == 2
    assert tests in ran.err
    assert "--trust" in ran.err


def test_vectors_come_from_the_server_that_is_named_and_are_kept(
    turnwise, tmp_path, judge_server_apart: JudgeServer
):
    judge_server_apart.others["embeddings"] = embeds({"hello": [1.0, 0.0], "hi": [1.0, 0.1]})
    path = suite(tmp_path, {"type": "similar", "value": "hi"}, {"type": "contains", "value": "hello"})
    named = f"{judge_server_apart.url}#tiny"
    for _ in range(2):
        ran = turnwise("run", path, "--json", "--judge", "none", "--embeddings", named)
        assert ran.row["outcome"] == "pass", ran.row
    assert [request.body["model"] for request in judge_server_apart.requests] == ["tiny", "tiny"]


def test_without_any_it_is_skipped_and_a_lone_model_means_nothing(turnwise, tmp_path):
    path = suite(tmp_path, {"type": "similar", "value": "hi"})
    assert turnwise("run", path, "--json").row["outcome"] == "skipped"
    ran = turnwise("run", path, "--embeddings", "tiny")
    assert ran.code == 2
    assert "tiny" in ran.err
