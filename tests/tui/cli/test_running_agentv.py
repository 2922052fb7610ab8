"""turnwise run on an eval file of AgentV: what it prints, how it ends, and what is kept."""

from __future__ import annotations

import json
import sys

import pytest
from judge_server import says

SUMS = """\
tests:
  - id: one
    criteria: It says 2
    input: 1 + 1 is 2
    assertions:
      - {name: two, type: contains, value: "2"}
      - {name: three, type: contains, value: "3", negate: true}
  - id: two
    criteria: It says 4
    input: 2 + 2 is 5
    assertions:
      - {name: four, type: contains, value: "4"}
      - {name: five, type: contains, value: "5", weight: 3}
"""
TALK = """\
tests:
  - id: talk
    criteria: It repeats
    mode: conversation
    input: [{role: system, content: Repeat.}]
    turns:
      - {input: red, assertions: [{type: contains, value: red}]}
      - {input: blue, assertions: [{type: contains, value: blue}]}
    assertions: [{type: contains, value: "assistant: blue"}]
"""
RUBRIC = """\
evalcases:
  - id: kind
    expected_outcome: It is kind
    input: Hi
    rubrics: [It greets, It thanks]
"""
CODE = """\
tests:
  - id: coded
    criteria: c
    input: Hi
    assertions: [{name: coded, type: code-grader, command: [%s, grade.py]}]
"""


@pytest.fixture
def evals(tmp_path):
    """Write an eval file, and return its path."""

    def write(text, name="suite.eval.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def judged(**said):
    checks = [{"id": name, "reasoning": "so", "satisfied": word} for name, word in said.items()]
    return says({"checks": checks, "overall_reasoning": "all"})


class TestOutput:
    def test_as_json_every_case_is_an_object_with_its_id_and_verdict(self, turnwise, evals):
        ran = turnwise("run", evals(SUMS), "--target", "echo", "--json")
        assert ran.code == 1
        assert [(row["id"], row["outcome"], row["verdict"], row["score"]) for row in ran.rows] == [
            ("one", "pass", "pass", 1.0),
            ("two", "fail", "borderline", 0.75),
        ]
        assert [(check["type"], check["metric"], check["passed"]) for check in ran.rows[0]["checks"]] == [
            ("contains", "two", True),
            ("not-contains", "three", True),
        ]

    def test_for_people_a_case_is_a_line_with_what_went_wrong(self, turnwise, evals):
        ran = turnwise("run", evals(SUMS), "--target", "echo")
        assert "✓ one" in ran.out
        assert 'The answer does not contain "4"' in ran.out
        assert ran.err.splitlines()[-1] == "1 passed, 1 failed."

    def test_without_a_target_every_case_says_what_to_do(self, turnwise, evals):
        ran = turnwise("run", evals(SUMS), "--json")
        assert ran.code == 1
        assert {row["outcome"] for row in ran.rows} == {"failure"}
        assert all("--target" in row["reason"] for row in ran.rows)


def test_a_conversation_is_one_session(turnwise, evals):
    ran = turnwise("run", evals(TALK), "--target", "echo", "--json")
    assert (ran.code, len(ran.rows)) == (0, 1)
    shown = json.loads(turnwise("show", str(ran.rows[0]["session"]), "--json").out)
    assert [turn["content"] for turn in shown["turns"]] == ["Repeat.", "red", "red", "blue", "blue"]


def test_the_judge_is_asked_and_a_required_criterion_fails_the_case(turnwise, evals, judge_server_apart):
    server = judge_server_apart
    server.default = judged(**{"rubric-1": True, "rubric-2": False})
    ran = turnwise("run", evals(RUBRIC), "--target", "echo", "--judge", server.url, "--json")
    assert (ran.code, ran.rows[0]["outcome"], ran.rows[0]["score"]) == (1, "fail", 0.5)
    assert ran.rows[0]["reason"] == "rubric: a required criterion is not met"
    assert "It greets" in server.requests[-1].text


def test_in_compat_what_the_judge_leaves_out_does_not_count(turnwise, evals, judge_server_apart):
    server = judge_server_apart
    server.default = judged(**{"rubric-1": True})
    named = ("--target", "echo", "--judge", server.url, "--json")
    assert turnwise("run", evals(RUBRIC), *named).rows[0]["outcome"] == "fail"
    assert turnwise("run", evals(RUBRIC), *named, "--compat").rows[0]["outcome"] == "pass"


@pytest.mark.parametrize("trusted", [True, False])
def test_code_runs_with_trust_alone(turnwise, evals, tmp_path, trusted):
    (tmp_path / "grade.py").write_text(
        "import json, sys\nprint(json.dumps({'score': 1 if json.load(sys.stdin)['output'] == 'Hi' else 0}))\n"
    )
    path = evals(CODE % json.dumps(sys.executable))
    ran = turnwise("run", path, "--target", "echo", "--json", *(["--trust"] if trusted else []))
    assert ran.rows[0]["outcome"] == ("pass" if trusted else "skipped")
    assert trusted or "code" in ran.rows[0]["reason"]


LOST = """\
tests:
  - id: lost
    criteria: c
    input: [{role: user, content: [{type: text, value: Hi}, {type: file, value: %s}]}]
    assertions: [{type: contains, value: Hi}]
  - {id: kept, criteria: c, input: Hi, assertions: [{type: contains, value: Hi}]}
"""
ADDRESS = "https://github.com/owner/name/blob/main/docs/a.md"


@pytest.mark.parametrize(
    ("name", "told"),
    [("./none.md", "none.md cannot be read: it is not there"), (ADDRESS, "only --trust fetches it")],
)
def test_a_file_that_cannot_be_had_makes_its_case_a_failure_and_the_others_run(turnwise, evals, name, told):
    ran = turnwise("run", evals(LOST % name), "--target", "echo", "--json")
    assert (ran.code, [row["outcome"] for row in ran.rows]) == (1, ["failure", "pass"])
    assert told in ran.rows[0]["reason"]
    assert "network=True" not in ran.out + ran.err
    loose = turnwise("run", evals(LOST % name), "--target", "echo", "--json", "--compat")
    assert (loose.code, [row["outcome"] for row in loose.rows]) == (0, ["pass", "pass"])


def test_a_prompt_of_a_judge_that_is_not_there_makes_its_case_a_failure(turnwise, evals, judge_server_apart):
    text = SUMS.replace('{name: two, type: contains, value: "2"}', "{type: llm-grader, prompt: ./nope.md}")
    ran = turnwise("run", evals(text), "--target", "echo", "--judge", judge_server_apart.url, "--json")
    assert (ran.code, [row["outcome"] for row in ran.rows]) == (1, ["failure", "fail"])
    assert "the file ./nope.md cannot be read: it is not there" in ran.rows[0]["reason"]
    assert not judge_server_apart.requests


def test_a_judge_is_shown_the_sidecar_and_a_mark_of_nothing_is_told(turnwise, evals, judge_server_apart):
    server = judge_server_apart
    server.default = says({"reasoning": "so", "hits": [], "misses": [], "score": 1})
    judge = "{name: lingo, type: llm_judge, prompt: 'Is {{output}} in {{sidecar.%s}}?'}"
    case = "{id: a, expected_outcome: c, input: Hi, sidecar: {language: Python}, evaluators: [%s]}"
    named = ("--target", "echo", "--judge", server.url, "--json")
    ran = turnwise("run", evals(f"evalcases: [{case % (judge % 'language')}]"), *named)
    assert ran.rows[0]["outcome"] == "pass"
    assert "in Python?" in server.requests[-1].text
    ran = turnwise("run", evals(f"evalcases: [{case % (judge % 'langauge')}]"), *named)
    assert (ran.code, ran.rows[0]["outcome"]) == (1, "failure")
    assert "nothing stands for {{sidecar.langauge}}" in ran.rows[0]["reason"]


TARGETS = """\
targets:
  - {name: gpt4_target, provider: mock, response: I am four}
  - {name: other, provider: mock, response: I am other}
  - {name: coder, provider: cli, command: "printf %s {PROMPT}"}
"""
NAMED = """\
execution: {target: other}
tests:
  - id: own
    input: Hi
    execution: {target: %s}
    assertions: [{type: contains, value: four}]
  - id: suites
    input: Hi
    assertions: [{type: contains, value: other}]
"""


class TestTargetsOfAFile:
    @pytest.fixture
    def evals(self, evals, tmp_path):
        (tmp_path / ".agentv").mkdir()
        (tmp_path / ".agentv" / "targets.yaml").write_text(TARGETS)
        return evals

    def test_a_case_is_answered_by_its_own_and_else_by_the_suites(self, turnwise, evals):
        ran = turnwise("run", evals(NAMED % "gpt4_target"), "--json")
        assert (ran.code, [row["outcome"] for row in ran.rows]) == (0, ["pass", "pass"])

    def test_target_picks_one_for_all(self, turnwise, evals):
        ran = turnwise("run", evals(NAMED % "gpt4_target"), "--target", "gpt4_target", "--json")
        assert [(row["id"], row["outcome"]) for row in ran.rows] == [("own", "pass"), ("suites", "fail")]

    def test_an_unknown_one_is_a_failure_with_the_nearest_name_and_the_file(self, turnwise, evals):
        ran = turnwise("run", evals(NAMED % "gpt4_taget"), "--json")
        assert (ran.code, [row["outcome"] for row in ran.rows]) == (1, ["failure", "pass"])
        reason = ran.rows[0]["reason"]
        assert ".agentv/targets.yaml defines no target gpt4_taget. Did you mean gpt4_target?" in reason
        ran = turnwise("run", evals(NAMED % "gpt4_target"), "--target", "gpt4_tagret")
        assert ran.code == 2
        assert ".agentv/targets.yaml defines no target gpt4_tagret" in ran.err
        assert "Did you mean gpt4_target?" in ran.err

    def test_a_command_runs_with_trust_alone(self, turnwise, evals):
        ran = turnwise("run", evals(SUMS), "--target", "coder", "--json")
        assert {row["outcome"] for row in ran.rows} == {"failure"}
        assert "--trust" in ran.rows[0]["reason"]
        ran = turnwise("run", evals(SUMS), "--target", "coder", "--trust", "--json")
        assert [row["outcome"] for row in ran.rows] == ["pass", "fail"]


SERVED = """\
targets:
  - name: gpt4_target
    provider: openai
    base_url: %s
    api_key: ${{ BOT_KEY }}
    model: ${{ BOT_MODEL }}
    temperature: 0
  - name: blue
    provider: azure
    endpoint: ${{ AZURE_OPENAI_ENDPOINT }}
    api_key: ${{ AZURE_OPENAI_API_KEY }}
    deployment: d-4
"""


@pytest.mark.parametrize(
    ("name", "model", "key", "path"),
    [
        ("gpt4_target", "m-1", "k-bot", "/v1/chat/completions"),
        ("blue", "d-4", "k-azure", "/openai/v1/chat/completions"),
    ],
)
def test_models_of_a_targets_file_are_asked_with_their_own_keys(
    turnwise, evals, judge_server_apart, monkeypatch, tmp_path, name, model, key, path
):
    server = judge_server_apart
    server.default = says("I am four")
    host = server.url.split("//")[1].split("/")[0]
    (tmp_path / "targets.yaml").write_text(SERVED % server.url)
    for variable, value in {
        "BOT_KEY": "k-bot",
        "BOT_MODEL": "m-1",
        "AZURE_OPENAI_ENDPOINT": f"http://{host}",
        "AZURE_OPENAI_API_KEY": "k-azure",
    }.items():
        monkeypatch.setenv(variable, value)
    trusting = ("--trust", "--allow-private", "--send-key", f"BOT_KEY={host}", "--json")
    ran = turnwise("run", evals(NAMED % "gpt4_target"), "--target", name, *trusting)
    assert ran.rows[0]["outcome"] == "pass", ran.rows
    request = server.requests[0]
    assert (request.body["model"], request.path) == (model, path)
    assert request.headers["authorization"] == f"Bearer {key}"
    server.requests.clear()
    ran = turnwise("run", evals(NAMED % "gpt4_target"), "--target", name, "--again", "--json")
    assert ran.rows[0]["outcome"] == "failure"
    assert "--trust" in ran.rows[0]["reason"]
    assert not server.requests


UNREAD = """\
tests:
  - id: refund
    criteria: It helps
    input: Hi
    assertions:
      - {type: contains, value: Hi}
      - %s
"""
UNREAD_TALK = """\
tests:
  - id: talk
    criteria: It helps
    mode: conversation
    input: [{role: system, content: Be kind}]
    turns:
      - {input: Hi, assertions: [{type: contains, value: Hi}, {name: helps, type: llm-grader}]}
"""
ALL = "{name: all, type: composite, aggregator: {type: weighted_average}, assertions: [%s]}"
GRADER = "{name: helps, type: llm-grader}"


@pytest.mark.parametrize(
    ("text", "score", "status"),
    [
        (UNREAD % GRADER, 0, "execution_error"),
        (UNREAD % "{name: helps, type: rubrics, criteria: [It helps]}", 0, "execution_error"),
        (UNREAD % "{name: helps, type: llm-grader, negate: true}", 0, "execution_error"),
        (UNREAD % (ALL % GRADER), 0, "execution_error"),
        (UNREAD % (ALL % f"{{name: says, type: contains, value: Hi}}, {GRADER}"), 1, "ok"),
        (UNREAD_TALK, 1, "ok"),
    ],
)
def test_in_compat_a_grader_that_cannot_be_read_counts_as_in_agentv(
    turnwise, evals, judge_server_apart, text, score, status
):
    """Score and status are those of AgentV 4.42.4, run on these files with a grader that says "no JSON"."""
    judge_server_apart.default = says("no JSON")
    named = ("--target", "echo", "--judge", judge_server_apart.url, "--json")
    (row,) = turnwise("run", evals(text), *named, "--compat").rows
    assert (row["outcome"], row["score"]) == ({"execution_error": "failure", "ok": "pass"}[status], score)
    (row,) = turnwise("run", evals(text), *named, "--again").rows
    assert row["outcome"] == "failure"


NEWEST = """\
description: AgentV 5
providers: [{id: mock, label: quiet, config: {response: Paris is the capital}}]
prompts: ["Where is {{ place }}?"]
tests:
  - id: paris
    vars: {place: Paris, wanted: capital}
    assert:
      - {metric: says, type: contains, value: "{{ wanted }}"}
      - type: assert-set
        threshold: 0.5
        assert:
          - {type: contains, value: Paris}
          - {type: contains, value: Rome, negate: %s}
      - The answer names the country
"""


def test_a_file_of_agentv_5_runs(turnwise, evals, judge_server_apart):
    server = judge_server_apart
    server.default = judged(**{"rubric-1": True})
    ran = turnwise("run", evals(NEWEST % "true"), "--judge", server.url, "--json")
    assert (ran.code, ran.rows[0]["outcome"], ran.rows[0]["score"]) == (0, "pass", 1.0), ran.err
    assert [check["type"] for check in ran.rows[0]["checks"]] == [
        "contains",
        "assert-set",
        "contains",
        "not-contains",
        "llm-rubric",
    ]
    assert "Where is Paris?" in server.requests[-1].text
    assert "The answer names the country" in server.requests[-1].text
    ran = turnwise("run", evals(NEWEST % "false"), "--judge", server.url, "--json")
    assert [(check["metric"], check["passed"]) for check in ran.rows[0]["checks"]][:2] == [
        ("says", True),
        ("assert-set", True),
    ]
    assert ran.rows[0]["score"] == pytest.approx((1 + 0.5 + 1) / 3)
