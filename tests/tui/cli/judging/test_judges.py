"""turnwise score --judge-for: a judge of its own for a metric."""

import pytest
from judge_server import JudgeServer, refuses, says
from judged import answers_all
from stored import keep

METRICS = ["--metric", "role_adherence", "--metric", "knowledge_retention", "--metric", "contains:answer"]


@pytest.fixture
def sessions(store) -> list[int]:
    return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(4)]


def named(server: JudgeServer, metric: str = "role_adherence", model: str = "own") -> list[str]:
    return ["--judge-for", f"{metric}={server.url}#{model}"]


def asked(server: JudgeServer) -> dict[str, int]:
    models = [request.body["model"] for request in server.requests]
    return {model: models.count(model) for model in models}


def test_each_score_is_of_the_judge_of_its_metric_and_says_so(turnwise, server, judge, sessions):
    line = ["score", "--all", *METRICS, *judge, *named(server, "Role-Adherence")]
    ran = turnwise(*line, "--json")
    judges = {(row["metric"], row["judge"]) for row in ran.rows}
    own = ("role_adherence", "own")
    assert judges == {own, ("knowledge_retention", "m"), ("contains:answer", "")}
    assert asked(server) == {"own": 4, "m": 4}
    assert "Judge: m; at most 4 questions" in ran.err
    assert "Judge of role_adherence: own; at most 4 questions" in ran.err
    assert {row["kept"] for row in turnwise(*line, "--json").rows} == {True}
    assert len(server.requests) == 8
    assert turnwise("runs", "--json").rows[0]["judge"] == "m, own"
    people = turnwise("score", sessions[0], *METRICS, *judge, *named(server, model="third"))
    assert "role_adherence, by third  1.00" in people.out


def test_kept_replies_answer_for_each_judge(turnwise, server, judge, sessions):
    line = ["score", "--all", *METRICS, *judge, *named(server)]
    turnwise(*line)
    server.default = refuses(400, "closed")
    again = turnwise(*line, "--offline", "--again", "--json")
    assert again.code == 0
    assert ("role_adherence", "own") in {(row["metric"], row["judge"]) for row in again.rows}
    assert len(server.requests) == 8


def test_where_every_metric_has_its_own_the_usual_judge_is_not_wanted(turnwise, server, sessions):
    ran = turnwise("score", "--all", "--metric", "role_adherence", *named(server))
    assert (ran.code, asked(server)) == (0, {"own": 4})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("role_adherance=URL", "Did you mean role_adherence?"),
        ("faithfulness=URL", "not among the metrics"),
        ("contains:answer=URL", "asks none"),
        ("role_adherence", "METRIC=JUDGE"),
        ("role_adherence=", "METRIC=JUDGE"),
        ("role_adherence=none", "would have no judge"),
        ("role_adherence=lama", "names no judge"),
    ],
)
def test_what_means_nothing_is_told_before_anything_is_asked(turnwise, server, judge, sessions, given, told):
    ran = turnwise("score", "--all", *METRICS, *judge, "--judge-for", given.replace("URL", f"{server.url}#m"))
    assert ran.code == 2
    assert told in ran.err
    assert not server.requests
    twice = turnwise("score", "--all", *METRICS, *judge, *named(server), *named(server, model="other"))
    assert "Two judges are named for role_adherence" in twice.err


def test_a_judge_that_refuses_ends_the_run_and_is_told_by_its_metric(turnwise, server, judge, sessions):
    server.default = lambda request: (
        refuses(401, "no key") if request.body["model"] == "own" else answers_all(request)
    )
    ran = turnwise("score", "--all", *METRICS, *judge, *named(server))
    assert ran.code == 3
    assert "the judge of role_adherence refuses" in ran.err


def test_one_budget_is_of_all_judges(turnwise, server, judge, sessions):
    answer = {"turn_2": {"reason": "r", "verdict": "yes"}}
    server.default = says(answer, usage={"prompt_tokens": 1_000, "completion_tokens": 10})
    money = ["--price", "1", "1", "--budget", "0.005"]
    ran = turnwise("score", "--all", *METRICS[:4], *judge, *named(server), *money)
    assert ran.code == 3
    assert "The budget is spent" in ran.err
    # Of each judge alone five calls would be had for the money.
    assert len(server.requests) <= 5
