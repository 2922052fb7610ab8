"""A model of Anthropic as judge and as chatbot, from the command line to the wire and back."""

from __future__ import annotations

import pytest
from anthropic_server import AnthropicServer, answers, talks, thinks
from judge_server import apart
from stored import keep


@pytest.fixture
def server(monkeypatch):
    with apart(AnthropicServer()) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret-key")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


def test_it_judges_conversations_and_offline_gives_the_same_scores(turnwise, server, store):
    session = keep(store, "Where is my bag?", "Find it yourself.", chatbot_role="a polite clerk")
    verdict = {"turn_2": {"reason": "It is rude.", "verdict": "no"}}
    server.script(answers(thinks("Hm."), verdict))
    line = ["score", session, "--metric", "role_adherence", "--judge", "anthropic:claude-x", "--json"]
    scored = turnwise(*line)
    assert (scored.code, scored.row["score"]) == (1, 0.0)
    assert "It is rude." in scored.row["reason"]
    [request] = server.requests
    assert "Find it yourself." in request.body["messages"][0]["content"][0]["text"]
    assert "cache_control" in request.body["messages"][0]["content"][0]
    again = turnwise(*line, "--offline", "--again")
    assert again.row == scored.row
    assert len(server.requests) == 1


def test_it_answers_the_cases_of_a_test_file(turnwise, server, tmp_path):
    file = tmp_path / "promptfooconfig.yaml"
    file.write_text(
        "prompts: ['Say hello to {{name}}']\n"
        "tests:\n"
        "  - vars: {name: Ada}\n"
        "    assert: [{type: contains, value: Ada}]\n"
    )
    server.script(answers("Hello Ada!"))
    ran = turnwise("run", file, "--target", "anthropic:claude-x")
    assert ran.code == 0, ran.err
    assert server.requests[0].body["messages"][0]["content"][0]["text"] == "Say hello to Ada"


def test_it_is_talked_to(turnwise, server, monkeypatch, tmp_path):
    said = tmp_path / "said.txt"
    said.write_text("Good morning\n")
    server.script(talks("Good ", "morning!"))
    with said.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        ran = turnwise("record", "--plain", "--target", "anthropic:claude-x")
    assert (ran.code, ran.out) == (0, "Good morning!\n")
    assert "Talking to" in ran.err


def test_without_the_extra_it_says_how_to_get_it(turnwise, server, store, monkeypatch):
    session = keep(store)
    monkeypatch.setattr("turnwise.engine.models.providers.find_spec", lambda name: None)
    ran = turnwise("score", session, "--metric", "role_adherence", "--judge", "anthropic:claude-x")
    assert ran.code == 2
    assert "pip install 'turnwise[anthropic]'" in ran.err
