"""Tests on other computers: fetched on a yes, page by page, and never more than data."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from web_server import Asked, Given, WebServer, web_server

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files.fetching import Fetcher
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.formats.promptfoo.remote_tests import Network
from turnwise.conversations.suites import Suite

SHEET = "https://docs.google.com/spreadsheets/d/1eqF_nv-1/edit"


def load(folder: Path, tests: Any, network: Network | None = None) -> Suite:
    path = folder / "promptfooconfig.yaml"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
    return load_suite(path, network=network)


def network_at(server: WebServer, **rest: Any) -> Network:
    fetcher = Fetcher(private=True, sleep=lambda seconds: None)
    return Network(
        fetcher=fetcher, rows_address=f"{server.url}/rows", sheets_address=f"{server.url}/sheets", **rest
    )


def data_set(rows: list[dict[str, Any]]) -> Any:
    def answer(asked: Asked) -> Given:
        query = {name: values[0] for name, values in parse_qs(urlsplit(asked.path).query).items()}
        start, length = int(query["offset"]), int(query["length"])
        page = [{"row_idx": start + n, "row": row} for n, row in enumerate(rows[start : start + length])]
        return Given({"rows": page, "num_rows_total": len(rows)})

    return answer


def prompts(suite: Suite) -> list[str]:
    return [case.prompt for case in suite.cases]


def test_every_row_of_a_data_set_is_a_test_however_many_pages_it_takes(tmp_path: Path) -> None:
    with web_server(data_set([{"q": f"question {n}"} for n in range(230)])) as server:
        suite = load(tmp_path, "huggingface://datasets/owner/repo", network_at(server))
    assert prompts(suite) == [f"question {n}" for n in range(230)]
    query = parse_qs(urlsplit(server.asked[0].path).query)
    assert (query["dataset"], query["split"], query["config"]) == (["owner/repo"], ["test"], ["default"])
    assert [parse_qs(urlsplit(asked.path).query)["offset"] for asked in server.asked] == [
        ["0"],
        ["100"],
        ["200"],
    ]


def test_split_config_and_limit_are_followed_and_lists_in_rows_stay_lists(tmp_path: Path) -> None:
    rows = [{"q": "a", "choices": ["x", "y"]}] * 150
    name = "huggingface://datasets/owner/repo?split=train&config=physics&limit=120&where=1"
    with web_server(data_set(rows)) as server:
        suite = load(tmp_path, [name, {"vars": {"q": "own"}}], network_at(server, token="hf_x"))
    assert len(suite.cases) == 121
    assert suite.cases[0].vars["choices"] == ["x", "y"]
    query = parse_qs(urlsplit(server.asked[1].path).query)
    assert (query["split"], query["config"], query["length"]) == (["train"], ["physics"], ["20"])
    assert query["where"] == ["1"]
    assert server.asked[0].headers["authorization"] == "Bearer hf_x"


def test_a_google_sheet_is_read_as_csv_with_its_columns_of_checks(tmp_path: Path) -> None:
    sheet = b'q,__expected\r\nHello,contains: Hello\r\n"Bye, now",similar(0.9):Bye\r\n'
    with web_server(lambda asked: Given(sheet)) as server:
        suite = load(tmp_path, f"{SHEET}?usp=sharing#gid=42", network_at(server))
    assert prompts(suite) == ["Hello", "Bye, now"]
    assert [(case.checks[0].type, case.checks[0].threshold) for case in suite.cases] == [
        ("contains", None),
        ("similar", 0.9),
    ]
    assert server.asked[0].path == "/sheets/d/1eqF_nv-1/export?format=csv&gid=42"


def test_a_sheet_that_is_not_public_says_so(tmp_path: Path) -> None:
    with (
        web_server(lambda asked: Given(b"<!doctype html><title>Sign in")) as server,
        pytest.raises(FormatError, match="open to everyone"),
    ):
        load(tmp_path, SHEET, network_at(server))


@pytest.mark.parametrize("name", ["huggingface://datasets/a/b", SHEET, "https://example.org/tests.csv"])
def test_without_a_yes_no_socket_is_opened_and_the_error_names_the_address(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*args: Any, **rest: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "create_connection", opened)
    monkeypatch.setattr(socket, "getaddrinfo", opened)
    with pytest.raises(FormatError, match="another computer") as raised:
        load(tmp_path, name)
    assert name in raised.value.detail
    if "example.org" not in name:
        assert "--trust" in raised.value.next_step


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"q": "file://secret.txt"}, "names a file"),
        ({"q": ["a", "file://secret.txt"]}, "names a file"),
        ({"q": "{{ env.OPENAI_API_KEY }}"}, "asks for a setting"),
    ],
)
def test_a_row_from_elsewhere_reaches_for_nothing(tmp_path: Path, row: dict[str, Any], what: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    with web_server(data_set([row, {"q": "fine"}])) as server:
        suite = load(tmp_path, "huggingface://datasets/owner/repo", network_at(server))
    assert prompts(suite) == ["fine"]
    assert what in suite.settings["rejected"][0]


@pytest.mark.parametrize(
    "cell",
    [
        "python: print(1)",
        "not-webhook: https://example.org",
        "file://check.py",
        "javascript: file://check.js",
        "llm-rubric: file://secret.txt",
        "contains-any: a, file://secret.txt",
        "ruby: 1",
        "equals:{{env['A']}}",
    ],
)
def test_a_sheet_brings_no_code_and_sends_nothing(tmp_path: Path, cell: str) -> None:
    sheet = f'q,__expected\na,"{cell}"\nb,contains: b\n'.encode()
    with web_server(lambda asked: Given(sheet)) as server:
        suite = load(tmp_path, SHEET, network_at(server))
    assert prompts(suite) == ["b"]
    assert len(suite.settings["rejected"]) == 1


def test_a_data_set_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    page = {"rows": [{"row": {"q": "x"}}], "num_rows_total": 10_000_000}
    with (
        web_server(lambda asked: Given(page)) as server,
        pytest.raises(FormatError, match="limit=1000"),
    ):
        load(tmp_path, "huggingface://datasets/owner/repo", network_at(server))
    assert len(server.asked) == 1


@pytest.mark.parametrize("body", [b"[]", b"{", {"rows": [{"row": 1}], "num_rows_total": 1}, {"rows": 3}])
def test_an_answer_that_is_no_page_of_rows_is_an_error(tmp_path: Path, body: Any) -> None:
    with web_server(lambda asked: Given(body)) as server, pytest.raises(FormatError, match="expected rows"):
        load(tmp_path, "huggingface://datasets/owner/repo", network_at(server))


@pytest.mark.parametrize("name", ["huggingface://datasets/", "huggingface://datasets/a/b?limit=0"])
def test_an_address_that_cannot_be_meant_asks_nobody(tmp_path: Path, name: str) -> None:
    with web_server(lambda asked: Given(b"")) as server, pytest.raises(FormatError):
        load(tmp_path, name, network_at(server))
    assert server.asked == []


def test_a_missing_data_set_names_the_address_and_what_the_server_said(tmp_path: Path) -> None:
    with (
        web_server(lambda asked: Given({"error": "The dataset does not exist"}, 404)) as server,
        pytest.raises(FormatError, match="does not exist"),
    ):
        load(tmp_path, "huggingface://datasets/owner/repo", network_at(server))
