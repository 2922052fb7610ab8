"""turnwise score with a judge that refuses, sends too much, sends elsewhere, or answers oddly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from judge_server import (
    Request,
    Step,
    bomb,
    busy,
    endless,
    refuses,
    says,
    sends_elsewhere,
)
from judged import answers_all, gives
from stored import keep

LINE = ["score", "--all", "--metric", "role_adherence", "--json"]


@pytest.fixture
def sessions(store) -> list[int]:
    return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(20)]


def outcomes(rows: list[dict[str, Any]]) -> Counter[str]:
    return Counter(row["outcome"] for row in rows)


REFUSALS = {
    "refusal": says("", refusal="I cannot read that."),
    "content filter": says("", finish="content_filter"),
    "too long": refuses(400, "the maximum context length is 10", code="context_length_exceeded"),
    "filtered by 400": refuses(400, "flagged by the content filter", code="content_filter"),
    "unprocessable": refuses(422, "no"),
    "too large": endless(),
    "told in a good answer": Step(body={"error": {"message": "this content is blocked"}}),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_what_is_refused_of_one_conversation_is_its_own_failure(turnwise, server, judge, sessions, refusal):
    refused: set[str] = set()

    def first_ones_refused(request: Request) -> Step:
        if len(refused) < 5:
            refused.add(request.text)
        return refusal if request.text in refused else answers_all(request)

    server.default = first_ones_refused
    ran = turnwise(*LINE, *judge)
    assert ran.code == 1
    assert outcomes(ran.rows) == {"failure": 5, "score": 15}
    # The next run meets the same ones, and gets to its end too.
    again = turnwise(*LINE, *judge)
    assert (again.code, outcomes(again.rows)) == (1, {"failure": 5, "score": 15})


CLOSED = {
    "key": (refuses(401, "who are you?"), "who are you?"),
    "forbidden": (refuses(403, "not you"), "not you"),
    "credit": (refuses(429, "out of money", code="insufficient_quota"), "out of money"),
    "no judge": (Step(body=b"<html>hello</html>"), "a web page"),
    "elsewhere": (sends_elsewhere("https://elsewhere.example/v1"), "https://elsewhere.example/v1"),
}


@pytest.mark.parametrize(("step", "told"), CLOSED.values(), ids=CLOSED)
def test_what_any_conversation_would_meet_ends_the_run(turnwise, server, judge, sessions, step, told):
    server.default = step
    ran = turnwise(*LINE, *judge)
    assert ran.code == 3
    assert "Error: The run was stopped: the judge refuses" in ran.err
    assert told in ran.err
    assert 0 < outcomes(ran.rows)["failure"] <= 20


def test_credit_that_runs_out_on_the_way_ends_the_run_too(turnwise, server, judge, store):
    with store.writing():
        for number in range(400):
            keep(store, f"question {number}", "answer", chatbot_role="r")
    server.script(*[answers_all] * 10)
    server.default = refuses(429, "out of money", code="insufficient_quota")
    ran = turnwise(*LINE, *judge)
    assert ran.code == 3
    assert outcomes(ran.rows)["score"] == 10
    assert len(server.requests) < 300


@pytest.mark.parametrize("step", [bomb(40), endless(), endless(400)], ids=["packed", "endless", "error"])
def test_an_answer_that_is_too_large_is_told(turnwise, server, judge, sessions, step):
    server.script(step)
    ran = turnwise("score", sessions[0], *LINE[2:], *judge)
    assert (ran.code, ran.row["outcome"]) == (1, "failure")
    assert "the answer is longer than" in ran.row["reason"]


@pytest.mark.parametrize("status", [302, 307])
def test_a_redirect_is_told_and_nothing_goes_there(turnwise, server, judge, sessions, status):
    elsewhere = f"http://127.0.0.1:{server.port}/elsewhere"
    server.default = sends_elsewhere(elsewhere, status)
    ran = turnwise("score", sessions[0], *LINE[2:], *judge)
    assert (ran.code, ran.row["outcome"]) == (1, "failure")
    assert f"it sends elsewhere, to {elsewhere}" in ran.row["reason"]
    assert [request.path for request in server.requests] == ["/v1/chat/completions"]


ODD = {
    "finish reason": says("x", finish={"a": 1}),
    "finish reason that is a list": says("x", finish=["stop"]),
    "model": says("x", model={"a": 1}),
    "tokens": says("x", usage={"prompt_tokens": "many", "completion_tokens": 1}),
    "fewer than no tokens": says("x", usage={"prompt_tokens": -5, "completion_tokens": 1}),
    "more tokens than there are": says("x", usage={"prompt_tokens": 10**30, "completion_tokens": 1}),
    "usage": says("x", usage=[1]),
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_an_odd_field_is_a_malformed_reply_of_its_unit_and_nothing_else_is_lost(
    turnwise, server, judge, sessions, store, odd
):
    def one_is_odd(request: Request) -> Step:
        good = answers_all(request)
        if "question 7\n" not in f"{request.text}\n":
            return good
        body = {**odd.body, "choices": [dict(odd.body["choices"][0])]}
        body["choices"][0]["message"] = good.body["choices"][0]["message"]
        return Step(body=body)

    server.default = one_is_odd
    ran = turnwise(*LINE, *judge)
    assert ran.code == 1
    assert outcomes(ran.rows) == {"failure": 1, "score": 19}
    [failure] = [row for row in ran.rows if row["outcome"] == "failure"]
    assert failure["session"] == sessions[7]
    assert "not what was asked for" in failure["reason"]
    assert " is no " in failure["reason"]
    assert [row["kept"] for row in turnwise(*LINE, *judge).rows].count(True) == 19
    # What it wrote can be looked at.
    why = turnwise("why", sessions[7], "role_adherence")
    assert why.code == 0


def test_a_judge_that_asks_to_wait_for_days_is_told_and_not_waited_for(turnwise, server, judge, sessions):
    server.script(gives("turn", {2: "no"}))
    server.default = busy(retry_after="999999")
    ran = turnwise("score", *sessions[:2], *LINE[2:], *judge, "--longest-wait", "90")
    assert outcomes(ran.rows) == {"score": 1, "failure": 1}
    [failure] = [row for row in ran.rows if row["outcome"] == "failure"]
    assert "The judge asks to wait for too long" in failure["reason"]
    assert "it asks to wait 999,999 s; 90 s are waited at most" in failure["reason"]
    assert len(server.requests) == 2
