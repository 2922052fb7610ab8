"""turnwise run: what it prints, how it ends, which cases it takes, and that it agrees with promptfoo."""

import asyncio
import json
import os
import subprocess
import sys
import time

import pytest
from judge_server import JudgeServer, Step, busy, refuses, says
from pressing import press_twice
from shared_data import SHARED

ORACLES = SHARED / "oracles" / "promptfoo"
TWO = [
    {"description": "says yes", "vars": {"q": "yes"}, "assert": [{"type": "contains", "value": "yes"}]},
    {
        "description": "says no",
        "vars": {"q": "no"},
        "metadata": {"kind": "negative"},
        "assert": [{"type": "contains", "value": "no"}, {"type": "contains", "value": "yes", "metric": "m"}],
    },
]


@pytest.fixture
def suite(tmp_path):
    """Write a suite, and return its path."""

    def write(tests=TWO, **config):
        path = tmp_path / "suite.json"
        whole = {"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests, **config}
        path.write_text(json.dumps(whole))
        return path

    return write


class TestEnvironment:
    def test_templates_see_it_with_trust_alone(self, turnwise, suite, monkeypatch):
        monkeypatch.setenv("RIVER", "Spree")
        checks = [{"type": "equals", "value": "Spree"}]
        path = suite([{"assert": checks}], prompts=["{{env.RIVER}}"])
        ran = turnwise("run", path, "--json")
        assert ran.row["outcome"] == "failure"
        assert "RIVER of the environment" in ran.row["reason"]
        assert turnwise("run", path, "--json", "--trust").row["outcome"] == "pass"


class TestOutput:
    def test_as_json_every_case_is_an_object_on_a_line(self, turnwise, suite):
        ran = turnwise("run", suite(), "--json")
        assert ran.code == 1
        assert [row["outcome"] for row in ran.rows] == ["pass", "fail"]
        row = ran.rows[1]
        assert {
            name: row[name] for name in ("index", "description", "vars", "prompt", "output", "score")
        } == {
            "index": 1,
            "description": "says no",
            "vars": {"q": "no"},
            "prompt": "no",
            "output": "no",
            "score": 0.5,
        }
        assert [
            (check["type"], check["metric"], check["passed"], check["score"]) for check in row["checks"]
        ] == [
            ("contains", None, True, 1.0),
            ("contains", "m", False, 0.0),
        ]
        assert row["checks"][1]["reason"] == 'Expected the output to contain "yes"'
        assert ran.err.splitlines() == [
            "m: 0",
            "check     passed  failed",
            "contains       2       0",
            "m              0       1",
            "1 passed, 1 failed.",
        ]

    def test_for_people_it_is_a_line_for_every_case(self, turnwise, suite):
        ran = turnwise("run", suite())
        assert ran.out.splitlines() == [
            f"  0  ✓ {'says yes':<67}  1.00",
            f"  1  ✗ {'says no':<67}  0.50",
            '       Expected the output to contain "yes"',
        ]

    def test_nothing_that_a_file_says_is_obeyed_by_the_terminal(self, turnwise, suite):
        hostile = "\x1b[31mred\x1b]0;title\x07\u202e"
        checks = [{"type": "contains", "value": f"{hostile}!"}]
        path = suite([{"description": hostile, "vars": {"q": hostile}, "assert": checks}])
        for options in ([], ["--json"]):
            ran = turnwise("run", path, *options)
            assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)

    def test_metrics_and_what_a_file_derives_from_them_are_told(self, turnwise, suite):
        ran = turnwise("run", suite(derivedMetrics=[{"name": "mean", "value": "m / __count + 2"}]))
        assert ran.err.splitlines()[:2] == ["m: 0", "mean: 2"]

    @pytest.mark.parametrize("wrong", [5, ["m"], [{"name": "mean", "value": "m +"}]])
    def test_a_derived_metric_that_is_none_is_a_warning(self, turnwise, suite, wrong):
        ran = turnwise("run", suite(TWO[:1], derivedMetrics=wrong))
        assert (ran.code, "Warning:" in ran.err) == (0, True)

    def test_what_became_no_case_is_told_and_does_not_pass(self, turnwise, suite):
        ran = turnwise("run", suite([*TWO[:1], {"vars": {"q": "x"}, "threshold": "high"}]))
        assert (ran.code, len(ran.out.splitlines())) == (1, 1)
        assert "test 2: threshold: expected a number" in ran.err


class TestEnd:
    def test_all_passed_is_0(self, turnwise, suite):
        assert turnwise("run", suite(TWO[:1])).code == 0

    def test_a_case_that_is_skipped_or_cannot_be_run_is_1(self, turnwise, suite):
        rubric = [{"vars": {"q": "x"}, "assert": [{"type": "llm-rubric", "value": "polite"}]}]
        skipped = turnwise("run", suite(rubric), "--judge", "none", "--json")
        assert (skipped.code, skipped.row["outcome"]) == (1, "skipped")
        failure = turnwise("run", suite(TWO[:1], providers=["nobody:knows"]), "--json")
        assert (failure.code, failure.row["outcome"], failure.row["score"]) == (1, "failure", 0.0)
        assert "--target" in failure.row["reason"]

    def test_bad_input_is_2_with_the_next_step(self, turnwise, suite, tmp_path):
        (tmp_path / "bad.yaml").write_text("tests: [")
        for words in (
            [tmp_path / "absent.yaml"],
            [tmp_path / "bad.yaml"],
            [],
            [suite(), "--filter-metadata", "kind"],
            [suite(), "--target", "nonsense"],
        ):
            ran = turnwise("run", *words)
            assert (ran.code, ran.out) == (2, ""), words
            assert "Traceback" not in ran.err

    def test_nothing_runs_where_one_of_several_files_is_bad(self, turnwise, suite, tmp_path):
        ran = turnwise("run", suite(), tmp_path / "absent.yaml")
        assert (ran.code, ran.out) == (2, "")

    def test_a_target_that_goes_away_is_3_and_the_run_is_taken_up(
        self, turnwise, suite, judge_server_apart: JudgeServer
    ):
        server = judge_server_apart
        server.script(says("yes"))
        server.default = refuses(401, "no")
        tests = [{"vars": {"q": str(number)}} for number in range(3)]
        path = suite(tests, evaluateOptions={"maxConcurrency": 1})
        words = ["run", path, "--target", f"{server.url}#m", "--json"]
        refused = turnwise(*words)
        assert [row["outcome"] for row in refused.rows] == ["pass", "failure", "failure"]
        server.script(says("yes"))
        server.default = busy(retry_after_ms="1")
        stopped = turnwise(*words)
        assert (stopped.code, [row["kept"] for row in stopped.rows]) == (3, [True, False])
        assert "the same command goes on from here" in stopped.err
        server.default = says("no")
        asked = len(server.requests)
        resumed = turnwise(*words, "--resume")
        assert (resumed.code, [row["output"] for row in resumed.rows]) == (0, ["yes", "yes", "no"])
        assert len(server.requests) == asked + 1
        assert "2 answers of the run that was stopped" in resumed.err

    def test_an_interruption_is_130_and_keeps_what_was_answered(
        self, turnwise, suite, judge_server_apart: JudgeServer
    ):
        judge_server_apart.script(says("yes"))
        judge_server_apart.default = says("never", wait=asyncio.Event())
        target = ["--target", f"{judge_server_apart.url}#m"]
        path = suite(
            [{"vars": {"q": str(number)}} for number in range(3)],
            prompts=["{% for c in _conversation %}{{c.output}}{% endfor %}{{q}}"],
        )
        command = [
            sys.executable,
            "-c",
            "from turnwise.tui.cli.main import main; main()",
            "run",
            str(path),
            *target,
        ]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
        ) as process:
            deadline = time.monotonic() + 60
            while len(judge_server_apart.requests) < 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            try:
                _, err = press_twice(process)
            finally:
                process.kill()
        assert process.returncode == 130
        assert b"Interrupted" in err
        assert b"Traceback" not in err
        assert len(turnwise("sessions", "--json").rows) == 1


class TestWhichCases:
    def test_a_filter_takes_those_whose_metadata_hold_its_text(self, turnwise, suite):
        ran = turnwise("run", suite(), "--filter-metadata", "kind=nega", "--json")
        assert ran.row["description"] == "says no"

    @pytest.mark.parametrize("words", [["--filter-metadata", "kind=absent"], []])
    def test_no_case_at_all_is_an_error_unless_promptfoo_is_to_be_followed(self, turnwise, suite, words):
        path = suite() if words else suite(scenarios=[], tests=[{"providers": ["none"], "vars": {"q": "x"}}])
        strict = turnwise("run", path, *words)
        assert (strict.code, "no case" in strict.err) == (2, True)
        loose = turnwise("run", path, *words, "--compat")
        assert (loose.code, loose.out) == (0, "")

    @pytest.mark.parametrize(
        ("words", "left"),
        [
            (["--filter-pattern", "yes$"], ["says yes"]),
            (["--filter-range", "1:2"], ["says no"]),
            (["-n", "1"], ["says yes"]),
            (["--first", "9"], ["says yes", "says no"]),
            (["--filter-sample", "2", "--seed", "3"], ["says yes", "says no"]),
            (["--repeat", "2", "-n", "1"], ["says yes", "says yes"]),
        ],
    )
    def test_other_filters_take_what_they_say(self, turnwise, suite, words, left):
        ran = turnwise("run", suite(), *words, "--json")
        assert [row["description"] for row in ran.rows] == left

    def test_a_file_may_ask_for_repetitions_and_the_command_line_goes_before(self, turnwise, suite):
        path = suite(TWO[:1], evaluateOptions={"repeat": 3})
        assert [row["index"] for row in turnwise("run", path, "--json").rows] == [0, 1, 2]
        assert len(turnwise("run", path, "--repeat", "1", "--json").rows) == 1

    def test_what_did_not_pass_last_time_can_be_run_alone(self, turnwise, suite):
        path = suite([*TWO, {"vars": {"q": "x"}, "description": "odd", "assert": [{"type": "latency"}]}])
        assert turnwise("run", path, "--filter-failing").code == 2
        turnwise("run", path)
        failing = turnwise("run", path, "--filter-failing", "--json")
        assert [row["description"] for row in failing.rows] == ["says no", "odd"]
        assert turnwise("run", path, "--filter-errors-only", "--json").row["description"] == "odd"

    @pytest.mark.parametrize(
        "words", [["--filter-range", "x"], ["--filter-pattern", "("], ["-n", "0"], ["--filter-range", "5:"]]
    )
    def test_a_filter_that_means_nothing_is_2(self, turnwise, suite, words):
        ran = turnwise("run", suite(), *words)
        assert (ran.code, ran.out) == (2, "")
        assert "Traceback" not in ran.err


def test_a_target_answers_over_http_and_a_judge_checks(turnwise, suite, judge_server_apart: JudgeServer):
    server = judge_server_apart
    server.script(says("Of course."), says({"reason": "kind", "pass": True, "score": 1}))
    path = suite([{"vars": {"q": "Help?"}, "assert": [{"type": "llm-rubric", "value": "It is polite."}]}])
    ran = turnwise("run", path, "--target", f"{server.url}#m", "--judge", f"{server.url}#j", "--json")
    assert (ran.code, ran.row["outcome"], ran.row["output"]) == (0, "pass", "Of course.")
    assert [request.body["model"] for request in server.requests] == ["m", "j"]


class TestTargets:
    def test_an_address_in_a_file_is_asked_with_trust_alone(
        self, turnwise, suite, judge_server_apart: JudgeServer
    ):
        server = judge_server_apart
        server.default = Step(body={"reply": "yes"})
        config = {
            "url": f"{server.url}/chat/completions",
            "body": {"q": "{{q}}"},
            "transformResponse": "reply",
        }
        path = suite(TWO[:1], providers=[{"id": "https", "config": config}])
        ran = turnwise("run", path, "--json")
        assert (ran.code, ran.row["outcome"], len(server.requests)) == (1, "failure", 0)
        assert "--trust" in ran.row["reason"]
        ran = turnwise("run", path, "--trust", "--json")
        assert (ran.code, ran.row["outcome"], len(server.requests)) == (1, "failure", 0)
        assert "127.0.0.1 is this machine or lies in a local network" in ran.row["reason"]
        assert "--allow-private" in ran.row["reason"]
        ran = turnwise("run", path, "--trust", "--allow-private", "--json")
        assert (ran.code, ran.row["output"], server.requests[0].body) == (0, "yes", {"q": "yes"})

    def test_a_key_goes_to_no_other_host_than_its_own_unless_the_pair_is_named(
        self, turnwise, suite, monkeypatch, judge_server_apart: JudgeServer
    ):
        server = judge_server_apart
        server.default = says("yes")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of-another")
        mine = ("--trust", "--allow-private", "--json", "--again")
        target = {"id": "openai:chat:x", "config": {"apiBaseUrl": server.url}}
        path = suite(TWO[:1], providers=[target])
        ran = turnwise("run", path, *mine)
        assert (ran.code, ran.row["output"]) == (0, "yes")
        assert "OPENAI_API_KEY does not belong to 127.0.0.1:" in ran.err
        assert "--send-key OPENAI_API_KEY=127.0.0.1:" in ran.err
        assert "sk-of-openai" not in str(server.requests[-1].headers)
        turnwise("run", path, *mine, "--send-key", "OPENAI_API_KEY=127.0.0.1")
        assert server.requests[-1].headers["authorization"] == "Bearer sk-of-openai"
        target["config"]["apiKeyEnvar"] = "AWS_SECRET_ACCESS_KEY"
        asked = len(server.requests)
        ran = turnwise("run", suite(TWO[:1], providers=[target]), *mine)
        assert (ran.row["outcome"], len(server.requests)) == ("failure", asked)
        assert "wants AWS_SECRET_ACCESS_KEY of the environment sent to 127.0.0.1:" in ran.row["reason"]

    def test_a_pair_that_is_none_is_wrong_use(self, turnwise, suite):
        ran = turnwise("run", suite(TWO[:1]), "--send-key", "OPENAI_API_KEY")
        assert ran.code == 2
        assert "--send-key takes the name of a variable and a host" in ran.err

    def test_a_file_of_ones_own_describes_a_chatbot(
        self, turnwise, suite, tmp_path, judge_server_apart: JudgeServer
    ):
        server = judge_server_apart
        server.default = Step(body={"reply": "yes"})
        bot = tmp_path / "bot.yaml"
        bot.write_text(
            f"url: {server.url}/chat/completions\nbody: {{q: '{{{{prompt}}}}'}}\nresponse: json.reply\n"
        )
        ran = turnwise("run", suite(TWO[:1]), "--target", bot, "--json")
        assert (ran.code, ran.row["output"], server.requests[0].body) == (0, "yes", {"q": "yes"})

    def test_settings_that_are_not_understood_are_told(
        self, turnwise, suite, monkeypatch, judge_server_apart: JudgeServer
    ):
        judge_server_apart.default = says("yes")
        monkeypatch.setenv("OPENAI_BASE_URL", judge_server_apart.url)
        target = {"id": "openai:gpt-4.1", "config": {"temperature": 0, "flavour": "mint"}}
        ran = turnwise("run", suite(TWO[:1], providers=[target]))
        assert (ran.code, "flavour" in ran.err) == (0, True)
        assert judge_server_apart.requests[0].body["temperature"] == 0


def test_every_case_can_be_read_and_replayed_afterwards(turnwise, suite):
    session = turnwise("run", suite(TWO[:1]), "--json").row["session"]
    shown = turnwise("show", session, "--json").row
    assert [(turn["role"], turn["content"]) for turn in shown["turns"]] == [
        ("user", "yes"),
        ("assistant", "yes"),
    ]
    replayed = [turnwise("replay", session, "--json").out for _ in range(2)]
    assert replayed[0] == replayed[1] != ""


@pytest.mark.fixtures
@pytest.mark.skipif(not ORACLES.is_dir(), reason="the folder ../shared/oracles is not here")
@pytest.mark.parametrize("group", ["01-strings", "04-scoring", "09-conversation"])
def test_promptfoo_and_turnwise_say_the_same(turnwise, group):
    folder = ORACLES / group
    verdicts = json.loads((folder / "verdicts.json").read_text())["rows"]
    ran = turnwise("run", folder / "promptfooconfig.yaml", "--compat", "--json")
    assert ran.code == 1 - all(row["pass"] for row in verdicts)
    ours = {row["index"]: row for row in ran.rows}
    assert len(ours) == len(verdicts)
    for row in verdicts:
        found = ours[row["testIdx"]]
        assert (found["outcome"] == "pass") == row["pass"], row["description"]
        assert found["score"] == pytest.approx(row["score"], abs=1e-6), row["description"]
        assert (found["outcome"] == "failure") == (row["failureReason"] == "error"), row["description"]
        assert row["output"] in (found["output"], None), row["description"]


def asked_of_promptfoo():
    path = ORACLES / "11-filters" / "filters.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []
    # Chance is another in another language, and so are its expressions.
    return [row for row in rows if "--filter-sample" not in row["args"] and "(?i)epsilon" not in row["args"]]


@pytest.mark.fixtures
@pytest.mark.skipif(not ORACLES.is_dir(), reason="the folder ../shared/oracles is not here")
@pytest.mark.parametrize("row", asked_of_promptfoo(), ids=lambda row: " ".join(row["args"]))
def test_filters_select_what_promptfoo_selects(turnwise, row):
    ran = turnwise("run", ORACLES / "11-filters" / "promptfooconfig.yaml", *row["args"], "--compat", "--json")
    assert ran.code == (2 if row["rc"] else 0)
    assert [found["description"] for found in ran.rows] == (row["selected"] or [])
