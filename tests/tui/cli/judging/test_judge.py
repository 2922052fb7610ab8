"""turnwise judge: which there are, and how one answers."""

import asyncio
import signal
import subprocess
import sys
import time

import pytest
from judge_server import says
from stand_in_judges import CROOKED

from turnwise.engine.models.embedded.pull import PullProgress
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.cli.judging.judge import progress_line


def test_embedded_models_are_listed_with_their_size(turnwise):
    ran = turnwise("judge", "list", "--json")
    assert ran.code == 0
    rows = {row["judge"]: row for row in ran.rows}
    assert rows["embedded:qwen2.5-coder-1.5b"]["state"] == "to fetch"
    assert rows["embedded:qwen2.5-coder-1.5b"]["megabytes"] > 500
    table = turnwise("judge", "list").out
    assert table.splitlines()[0].split() == ["judge", "state", "size", "about"]
    assert "embedded:smollm2-135m" in table


def test_what_the_environment_and_this_machine_offer_is_listed_too(turnwise, monkeypatch, tmp_path):
    async def found() -> list[ModelSettings]:
        return [ModelSettings(base_url="http://127.0.0.1:11434/v1", model="llama\x1b[31m")]

    monkeypatch.setattr("turnwise.engine.models.served.local_models", found)
    monkeypatch.setenv("OPENAI_BASE_URL", "https://ada:secret@example.org/v1?key=secret")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine.gguf").write_bytes(b"GGUF")
    ran = turnwise("judge", "list", "--json")
    rows = {row["judge"]: row["state"] for row in ran.rows}
    assert rows["http://127.0.0.1:11434/v1#llama\x1b[31m"] == "answers"
    assert rows["https://example.org/v1"] == "named"
    assert rows["embedded:mine"] == "ready"
    people = turnwise("judge", "list")
    assert "\x1b" not in people.out
    assert "secret" not in ran.out + people.out
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    keyed = turnwise("judge", "list")
    assert "openai:MODEL" in keyed.out
    assert "anthropic:MODEL" not in keyed.out
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    assert "anthropic:MODEL" in turnwise("judge", "list").out
    assert "sk-secret" not in keyed.out


class TestUsing:
    def test_the_judge_that_is_used_is_kept_and_told(self, turnwise, monkeypatch, tmp_path):
        (tmp_path / "models").mkdir()
        (tmp_path / "models" / "mine.gguf").write_bytes(b"GGUF")
        ran = turnwise("judge", "use", "embedded:mine", "--json")
        assert (ran.code, ran.row) == (0, {"judge": "embedded:mine"})
        assert turnwise("settings", "--json").row["judge"] == "embedded:mine"
        assert "Where none is named: embedded:mine, from your settings." in turnwise("judge", "list").err
        monkeypatch.setenv("TURNWISE_JUDGE", "https://ada:secret@llm.example/v1#m")
        listed = turnwise("judge", "list").err
        assert "https://llm.example/v1#m, by TURNWISE_JUDGE" in listed
        assert "secret" not in listed
        assert "TURNWISE_JUDGE is set, and goes before" in turnwise("judge", "use", "none").err
        assert turnwise("settings", "--json").row["judge"] == "none"

    @pytest.mark.parametrize(
        ("judge", "told"),
        [("embeded", "Did you mean embedded?"), ("https://ada:secret@llm.example/v1#m", "no secrets")],
    )
    def test_what_cannot_be_used_is_not_kept(self, turnwise, judge, told):
        ran = turnwise("judge", "use", judge)
        assert ran.code == 2
        assert told in ran.err
        assert turnwise("settings", "--json").row["judge"] is None


class TestTrying:
    def test_a_judge_is_asked_three_easy_questions(self, turnwise, judge_server_apart):
        ran = turnwise("judge", "test", f"{judge_server_apart.url}#m", "--json")
        assert ran.code == 0
        assert (ran.row["questions"], ran.row["judge"], ran.row["failures"]) == (3, "m", [])
        assert ran.row["weighted"] is False
        assert len(judge_server_apart.requests) == 3
        assert ran.err.splitlines() == [f"question {number} of 3" for number in (1, 2, 3)]

    def test_for_people_it_is_a_few_lines(self, turnwise, judge_server_apart):
        judge_server_apart.default = says("{broken")
        ran = turnwise("judge", "test", f"{judge_server_apart.url}#m")
        assert ran.out.startswith(f"m at {judge_server_apart.url}\n0 of 3 easy questions right")
        assert ran.out.count("\n! ") == 3

    @pytest.mark.parametrize(
        ("judge", "code", "told"),
        [
            ("none", 2, "There is no judge to try"),
            ("http://127.0.0.1:9/v1", 3, "The judge cannot be reached"),
            ("openai:gpt-4.1-mini", 2, "OPENAI_API_KEY is not set"),
            ("embedded:nosuch", 2, "nosuch"),
            ("two words", 2, "That names no judge"),
        ],
    )
    def test_a_judge_that_cannot_be_tried_is_told(self, turnwise, judge, code, told):
        ran = turnwise("judge", "test", judge)
        assert (ran.code, ran.out) == (code, "")
        assert told in ran.err

    def test_without_any_judge_it_says_how_to_get_one(self, turnwise):
        ran = turnwise("judge", "test")
        assert ran.code == 2
        assert "turnwise judge pull" in ran.err


def test_an_unknown_model_cannot_be_pulled(turnwise):
    ran = turnwise("judge", "pull", "qwen2.5-coder-15b")
    assert (ran.code, ran.out) == (2, "")
    assert "qwen2.5-coder-1.5b" in ran.err


def test_the_progress_of_a_pull_is_a_bar_with_numbers():
    half = PullProgress("downloading", bytes_done=500_000_000, bytes_total=1_000_000_000, part=1, parts=1)
    line = progress_line(half)
    assert line == f"downloading  {'█' * 12}{'─' * 12}  500 of 1,000 MB · ctrl+c stops"


def test_a_trial_takes_the_sessions_of_its_query_and_no_others(turnwise, judge_server_apart):
    ran = turnwise("judge", "trial", f"{judge_server_apart.url}#m", "--query", "tag:nowhere")
    assert ran.code == 2
    assert not judge_server_apart.requests


def test_a_trial_ends_where_its_budget_is_spent(turnwise, judge_server_apart):
    usage = {"prompt_tokens": 1_000, "completion_tokens": 10}
    judge_server_apart.default = says({"reason": "r", "score": 8, "winner": "A"}, usage=usage)
    line = ["judge", "trial", f"{judge_server_apart.url}#m", "--price", "1", "1", "--budget"]
    ran = turnwise(*line, "0.05")
    assert ran.code == 0
    assert "! It was ended early" in ran.out
    assert 0 < len(judge_server_apart.requests) <= 50
    none = turnwise(*line, "0.0000001")
    assert none.code == 3
    assert "The budget is spent" in none.err


@pytest.mark.parametrize("answers", [0, 6])
def test_a_trial_that_is_interrupted_keeps_what_was_answered(turnwise, judge_server_apart, answers):
    judge_server_apart.script(*[says({"reason": "r", "score": 8, "winner": "A"})] * answers)
    judge_server_apart.default = says("never", wait=asyncio.Event())
    code = "from turnwise.tui.cli.main import main; main()"
    command = [sys.executable, "-c", code, "judge", "trial", f"{judge_server_apart.url}#m"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while len(judge_server_apart.requests) < answers + 4 and time.monotonic() < deadline:
            time.sleep(0.05)
        try:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert (b"It was ended early" in out) == bool(answers)
    listed = turnwise("judge", "list").out
    assert ("no bias found in 6 calls, as it was ended early" in listed) == bool(answers)


def test_a_trial_names_a_bias_keeps_it_and_says_when_another_model_answers(turnwise, judge_server_apart):
    judge_server_apart.default = CROOKED["obeys the transcript"][1]()
    planned = turnwise("judge", "trial", "--plan", "--json")
    assert planned.rows[0]["calls"] <= 300
    tried = turnwise("judge", "trial", f"{judge_server_apart.url}#m")
    assert tried.code == 0
    assert "The judge obeys the transcript" in tried.out
    assert "moved towards a planted instruction" in tried.out
    listed = turnwise("judge", "list")
    assert "obeys the transcript" in listed.out
    (row,) = [row for row in turnwise("judge", "list", "--json").rows if row["state"] == "tried"]
    assert row["trial"]["answered_as"] == ["scripted-1"]
    assert row["trial"]["other_model"] == ""
