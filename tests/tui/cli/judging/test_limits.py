"""How long a judge is waited for and what it may cost, by options and by settings."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from judge_server import Request, Step, busy, hangs, says
from judged import answers_all
from stored import keep
from terminal import Terminal

from turnwise.engine.models.settings import LONGEST_WAIT, MOST_TRIES, SECONDS_A_CALL, ModelSettings
from turnwise.tui.cli.judging.limits import JudgeLimits

LINE = ["score", "--all", "--metric", "role_adherence", "--json"]


@pytest.fixture
def sessions(store) -> list[int]:
    return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(30)]


def written(text: str) -> None:
    folder = Path(os.environ["TURNWISE_CONFIG"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text(text)


class TestWhatHolds:
    judge = ModelSettings(base_url="http://127.0.0.1:1/v1", model="m")

    def test_nothing_typed_and_nothing_set_is_the_judges_own(self):
        limited = JudgeLimits().of(self.judge)
        assert (limited.timeout, limited.tries, limited.longest_wait) == (
            SECONDS_A_CALL,
            MOST_TRIES,
            LONGEST_WAIT,
        )

    def test_an_option_goes_before_the_settings_and_those_before_the_judges_own(self):
        written("judge_timeout = 7.5\njudge_tries = 2\njudge_longest_wait = 0\n")
        limited = JudgeLimits(timeout=3).of(self.judge)
        assert (limited.timeout, limited.tries, limited.longest_wait) == (3, 2, 0)
        assert limited.fingerprint == self.judge.fingerprint

    @pytest.mark.parametrize(
        "line", ["judge_timeout = 0", "judge_timeout = inf", "judge_tries = 0", "judge_longest_wait = -1"]
    )
    def test_a_setting_that_means_nothing_is_told_with_its_line(self, turnwise, line):
        written(f"\n{line}\n")
        ran = turnwise("settings")
        assert ran.code == 2
        assert f"line 2, {line.split()[0]}" in ran.err

    def test_the_settings_are_listed(self, turnwise):
        written("judge_timeout = 60\n")
        assert turnwise("settings", "--json").row["judge_timeout"] == 60

    @pytest.mark.parametrize(
        "arguments", ["--timeout 0", "--tries 0", "--longest-wait -1", "--price 1", "--price -1 1"]
    )
    def test_an_option_that_means_nothing_is_wrong_use(self, turnwise, judge, sessions, arguments):
        assert turnwise(*LINE, *judge, *arguments.split()).code == 2


class TestTime:
    @pytest.mark.parametrize("by", ["option", "settings"])
    def test_a_hanging_judge_is_given_up_as_it_was_said(self, turnwise, server, judge, sessions, by):
        server.default = hangs()
        options = ["--timeout", "0.3", "--tries", "1"] if by == "option" else []
        if by == "settings":
            written("judge_timeout = 0.3\njudge_tries = 1\n")
        ran = turnwise("score", sessions[0], *LINE[2:], *judge, *options)
        assert (ran.code, ran.row["outcome"]) == (1, "failure")
        assert "no answer within 0.3 s" in ran.row["reason"]
        assert len(server.requests) == 1

    def test_a_wait_that_is_over_already_backs_off_as_usual(self, turnwise, server, judge, sessions):
        server.default = busy(retry_after="0")
        began = time.monotonic()
        turnwise("score", sessions[0], *LINE[2:], *judge, "--tries", "3")
        assert time.monotonic() - began >= 0.25 + 0.5
        assert len(server.requests) == 3

    @pytest.mark.parametrize(
        ("command", "arguments"),
        [
            ("run", ["promptfooconfig.yaml"]),
            ("bench judge", ["--dataset", "pyproject.toml"]),
            ("criteria try", ["politeness.yaml"]),
            ("judge test", []),
            ("record", []),
        ],
    )
    def test_every_command_that_asks_a_judge_or_a_chatbot_takes_them(self, turnwise, command, arguments):
        told = turnwise(*command.split(), "--help").out
        assert all(option in told for option in ("--timeout", "--tries", "--longest-wait"))


def waiting_program(url: str, *arguments: str, quiet: float = 0.3) -> str:
    """Return a program that scores and tells of a wait sooner than people would want it."""
    return program_that_tells_waits([*LINE, "--judge", f"{url}#m", *arguments], quiet)


def program_that_tells_waits(line: list[str], quiet: float = 0.3) -> str:
    return (
        "import turnwise.engine.models.waits as waits, turnwise.tui.cli.waiting as waiting\n"
        f"waits.QUIET_SECONDS = waiting.SECONDS_BETWEEN_LOOKS = {quiet}\n"
        "from turnwise.tui.cli.main import run\n"
        f"raise SystemExit(run({line!r}))\n"
    )


class TestWords:
    def test_a_hanging_judge_is_told_in_seconds_on_standard_error(self, server, store):
        keep(store, "a", "b", chatbot_role="r")
        server.default = hangs()
        program = waiting_program(server.url, "--timeout", "1.5", "--tries", "1")
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        told = [line for line in ran.stderr.splitlines() if line.startswith("The judge: no answer for ")]
        assert len(told) == 1, ran.stderr
        assert told[0].endswith(" s yet.")

    def test_a_judge_that_asks_to_wait_is_told_in_its_seconds(self, server, store):
        keep(store, "a", "b", chatbot_role="r")
        server.script(busy(retry_after="3"))
        ran = subprocess.run(
            [sys.executable, "-c", waiting_program(server.url)], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0
        assert "The judge asks to wait 3 s, " in ran.stderr

    def test_at_a_terminal_it_is_told_in_the_line_that_is_written_over(self, server, store):
        keep(store, "a", "b", chatbot_role="r")
        server.default = hangs()
        with Terminal(waiting_program(server.url), {}) as terminal:
            terminal.wait_for("no answer for")


def with_usage(request: Request) -> Step:
    """Answer with the usage that a real server would count."""
    usage = {"prompt_tokens": len(request.text) // 4, "completion_tokens": 20}
    return says(answers_all(request).body["choices"][0]["message"]["content"], usage=usage)


class TestMoney:
    def test_a_budget_is_not_overspent(self, turnwise, server, judge, sessions):
        server.default = with_usage
        ran = turnwise(*LINE, *judge, "--budget", "0.01", "--price", "2", "8")
        assert ran.code == 3
        assert "Error: The budget is spent" in ran.err
        assert 0 < len(ran.rows) < 30
        cost = re.search(r"; \$(0\.\d+)\.", ran.err)
        assert cost
        assert 0.005 < float(cost[1]) <= 0.01

    def test_a_larger_budget_goes_on_from_there(self, turnwise, server, judge, sessions):
        server.default = with_usage
        turnwise(*LINE, *judge, "--budget", "0.01", "--price", "2", "8")
        asked = len(server.requests)
        ran = turnwise(*LINE, *judge, "--budget", "5", "--price", "2", "8")
        assert (ran.code, len(ran.rows), len(server.requests)) == (0, 30, 30)
        assert asked < 30

    def test_what_it_will_cost_is_told_by_the_price(self, turnwise, server, judge, sessions):
        ran = turnwise(*LINE, *judge, "--price", "1000", "1000")
        assert ", about $" in ran.err.splitlines()[0]


class TestChatbots:
    """In `run` the same options hold for whoever answers the cases, and waits for it are told."""

    @pytest.fixture
    def suite(self, tmp_path) -> Path:
        path = tmp_path / "suite.json"
        tests = [{"vars": {"q": "hello"}, "assert": [{"type": "contains", "value": "ok"}]}]
        path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
        return path

    def test_a_chatbot_that_hangs_is_given_up_as_was_said(self, turnwise, server, suite):
        server.default = hangs()
        words = ("--target", f"{server.url}#m", "--timeout", "0.2", "--tries", "1")
        ran = turnwise("run", str(suite), *words)
        assert ran.code == 3
        assert "no answer within 0.2 s" in ran.err
        assert len(server.requests) == 1

    def test_what_a_chatbot_asks_for_is_told_on_standard_error(self, server, suite):
        server.script(busy(retry_after="3"))
        server.default = says("ok")
        line = ["run", str(suite), "--target", f"{server.url}#m"]
        ran = subprocess.run(
            [sys.executable, "-c", program_that_tells_waits(line)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert "The chatbot asks to wait 3 s" in ran.stderr

    def test_a_function_of_ones_own_may_take_as_long_as_was_said(self, turnwise, suite, tmp_path):
        (tmp_path / "bot.py").write_text("import time\ndef reply(prompt):\n    time.sleep(30)\n")
        words = ("--target", f"python:{tmp_path / 'bot.py'}:reply", "--timeout", "0.5")
        ran = turnwise("run", str(suite), *words)
        assert ran.code == 1
        assert "ran for more than 0.5 seconds" in ran.out
