"""The gate: a token once, then a cookie, and nobody who asks by another name or from another origin."""

from __future__ import annotations

import pytest

from turnwise.tui.serve.gate import Gate

GATE = Gate(8792, token="t0ken", pass_word="passes")
OURS = {"Host": "127.0.0.1:8792"}
COOKIE = {"turnwise-8792": "passes"}


@pytest.mark.parametrize("host", ["127.0.0.1:8792", "localhost:8792", "LOCALHOST:8792", "[::1]:8792"])
def test_a_cookie_lets_in_by_every_name_of_this_machine(host: str) -> None:
    assert GATE.judge({"Host": host}, COOKIE, None) == "in"
    assert GATE.judge({"Host": host, "Origin": f"http://{host}"}, COOKIE, None) == "in"


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:8792", "127.0.0.1:80", "127.0.0.1.evil.example:8792", "0:8792"]
)
def test_another_name_that_leads_here_is_turned_away(host: str) -> None:
    assert GATE.judge({"Host": host}, COOKIE, None) == "not ours"
    assert GATE.judge({"Host": host}, COOKIE, "t0ken") == "not ours"


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:8000", "http://127.0.0.1", "https://127.0.0.1:8792"],
)
def test_a_page_from_elsewhere_is_turned_away(origin: str) -> None:
    assert GATE.judge({**OURS, "Origin": origin}, COOKIE, None) == "not ours"


def test_the_token_lets_in_and_nothing_that_is_like_it() -> None:
    assert GATE.judge(OURS, {}, "t0ken") == "token"
    for wrong in (None, "", "t0ke", "t0kenn", "passes", "tökén\ud800"):
        assert GATE.judge(OURS, {}, wrong) == "closed"
    for cookies in ({}, {"turnwise-8792": ""}, {"turnwise-8792": "t0ken"}, {"turnwise-8793": "passes"}):
        assert GATE.judge(OURS, cookies, None) == "closed"


def test_every_gate_has_its_own_secrets() -> None:
    one, other = Gate(1), Gate(1)
    assert len({one.token, one.pass_word, other.token, other.pass_word}) == 4
    assert min(len(one.token), len(one.pass_word)) >= 32
