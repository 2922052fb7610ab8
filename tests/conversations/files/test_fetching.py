"""Fetching: what is asked for again, what is refused, and where a request never goes."""

from __future__ import annotations

import pytest
from web_server import Asked, Given, web_server

from turnwise.conversations.errors import InputError
from turnwise.conversations.files.fetching import Fetcher, is_public


def test_the_answer_comes_back_and_the_query_and_headers_were_sent() -> None:
    with web_server(lambda asked: Given(b"rows")) as server:
        assert Fetcher(private=True).get(f"{server.url}/a?b=1", {"Authorization": "Bearer x"}) == b"rows"
    assert (server.asked[0].path, server.asked[0].headers["authorization"]) == ("/a?b=1", "Bearer x")


def test_a_body_is_sent_as_json() -> None:
    with web_server(lambda asked: Given({"pass": True})) as server:
        assert Fetcher(private=True).post(server.url, {"output": "é"}) == b'{"pass": true}'
    assert server.asked[0].body == {"output": "é"}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_as_late_as_it_says(status: int) -> None:
    waits: list[float] = []
    answers = iter([Given(b"", status, {"Retry-After": "7"}), Given(b"", status), Given(b"ok")])
    with web_server(lambda asked: next(answers)) as server:
        assert Fetcher(private=True, sleep=waits.append).get(server.url) == b"ok"
    assert waits == [7.0, 1.0]


def test_it_is_given_up_after_a_few_tries_with_the_address_and_what_to_do() -> None:
    with (
        web_server(lambda asked: Given(b"", 503)) as server,
        pytest.raises(InputError, match="HTTP 503") as raised,
    ):
        Fetcher(private=True, sleep=lambda seconds: None).get(f"{server.url}/rows?token=secret")
    assert len(server.asked) == 4
    assert raised.value.next_step
    assert "secret" not in str(raised.value)


def test_an_answer_of_no_end_is_cut_off() -> None:
    with web_server(lambda asked: Given(b"x" * 2000)) as server, pytest.raises(InputError, match="longer"):
        Fetcher(private=True, most_bytes=1000).get(server.url)


def test_no_wait_goes_beyond_the_time_that_is_left() -> None:
    with (
        web_server(lambda asked: Given(b"", 429, {"Retry-After": "50"})) as server,
        pytest.raises(InputError, match="429"),
    ):
        Fetcher(private=True, seconds=5).get(server.url)
    assert len(server.asked) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_not_asked_unless_that_is_allowed(host: str) -> None:
    with web_server(lambda asked: Given(b"secret")) as server:
        port = server.url.rsplit(":", 1)[1]
        with pytest.raises(InputError, match="local network"):
            Fetcher().get(f"http://{host}:{port}/")
    assert server.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "127.1.2.3",
        "0.0.0.0",
        "224.0.0.1",
        "100.64.0.1",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:10.0.0.1",
        "2002:0a00:0001::",
        "64:ff9b::10.0.0.1",
    ],
)
def test_addresses_of_local_networks_are_not_public_in_any_form(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1"])
def test_others_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://h/x", "http://", "http://u:p@h/", "http://[", "x"]
)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="plain web address"):
        Fetcher(private=True).get(url)


def test_a_redirect_is_followed_and_takes_no_key_to_another_host() -> None:
    def answer(asked: Asked) -> Given:
        return Given(b"", 307, {"Location": f"{other.url}/end"})

    with web_server(lambda asked: Given(b"end")) as other, web_server(answer) as server:
        assert Fetcher(private=True).get(server.url, {"Authorization": "Bearer x"}) == b"end"
    assert "authorization" not in other.asked[0].headers


def test_redirects_without_end_and_those_of_a_post_are_refused() -> None:
    with web_server(lambda asked: Given(b"", 302, {"Location": "/again"})) as server:
        with pytest.raises(InputError, match="one address to the next"):
            Fetcher(private=True).get(server.url)
        with pytest.raises(InputError, match="302"):
            Fetcher(private=True).post(server.url, {})
