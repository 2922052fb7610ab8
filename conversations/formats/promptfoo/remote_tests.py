"""Tests on another computer, fetched with the user's consent: data sets of Hugging Face, public Google
sheets.

What comes from there is data and no more: a row that names a file of this machine, asks for a setting of its
environment or brings code of its own is left out, whatever the suite itself is trusted with.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from turnwise.conversations.errors import FormatError, InputError
from turnwise.conversations.files import SCHEME, problem
from turnwise.conversations.formats.promptfoo.assertion_lines import parse_assertion
from turnwise.conversations.formats.promptfoo.tables import rows_of_text

if TYPE_CHECKING:
    from turnwise.conversations.files import Fetcher

DATA_SET = "huggingface://datasets/"
_SHEET = re.compile(r"https://docs\.google\.com/spreadsheets/d/([\w-]+)")
_PAGE_OF_SHEET = re.compile(r"[?&#]gid=([0-9]+)")
_NAME_OF_SET = re.compile(r"[\w.-]+(?:/[\w.-]+)?\Z")
_REMOTE = ("huggingface://", "https://", "http://", "az://", "langfuse://")
_ROWS_A_PAGE = 100
_MOST_ROWS = 100_000
_MOST_BYTES = 256 << 20
_ENVIRONMENT = re.compile(r"\{\{\s*env\.")
_ENVIRONMENT_ANYWHERE = re.compile(r"\{[{%][^}]*\benv\b")
_REACHING = frozenset(("python", "ruby", "webhook"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The user's yes to fetching tests, and where from.

    rows_address: of the service that gives the rows of data sets. sheets_address: of spreadsheets. token:
    for data sets that are not public, sent to rows_address alone.
    """

    fetcher: Fetcher
    rows_address: str = "https://datasets-server.huggingface.co/rows"
    sheets_address: str = "https://docs.google.com/spreadsheets"
    token: str = field(default="", repr=False)


def is_remote(name: str) -> bool:
    """Whether what names the tests is an address on another computer."""
    return name.startswith(_REMOTE)


def data_set_rows(name: str, network: Network | None, place: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a data set, numbered from 1, page by page.

    name: huggingface://datasets/OWNER/NAME with split (test), config (default) or subset, and limit.
    Raises FormatError where it may not be fetched or cannot be, and where it has too many rows.
    """
    bare, _, query = name.partition("?")
    wanted = dict(parse_qsl(query))
    title = bare.removeprefix(DATA_SET)
    if not _NAME_OF_SET.match(title):
        raise problem(place, f"expected {DATA_SET}OWNER/NAME; got {name}", "Correct the address.")
    limit = _limit(wanted.pop("limit", ""), place)
    given = _allowed(name, network, place, "datasets-server.huggingface.co")
    wanted = {
        "dataset": title,
        "split": wanted.pop("split", "test"),
        "config": wanted.pop("config", "") or wanted.pop("subset", "default"),
        **wanted,
    }
    headers = {"Authorization": f"Bearer {given.token}"} if given.token else {}
    count, size, total = 0, 0, limit
    while count < total:
        length = min(_ROWS_A_PAGE, total - count)
        asked = urlencode({**wanted, "offset": str(count), "length": str(length)})
        content = _got(given, f"{given.rows_address}?{asked}", place, headers)
        size += len(content)
        rows, whole = _page(content, name, place)
        total = min(limit, whole)
        if total > _MOST_ROWS or size > _MOST_BYTES:
            raise problem(
                place,
                f"{name} has {whole:,} rows, which is too much for one suite",
                "Add limit=1000 to its address.",
            )
        if not rows:
            return
        for row in rows[: total - count]:
            count += 1
            yield count, row


def google_sheet_rows(
    name: str, network: Network | None, place: str
) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield the rows of a Google sheet that everyone with the link may see, as of a CSV file.

    name: its address as the browser shows it; gid chooses the page. Raises FormatError.
    """
    found = _SHEET.match(name)
    if not found:
        raise problem(place, f"{name} lies on another computer, which is not asked", "Save its tests as CSV.")
    given = _allowed(name, network, place, "docs.google.com")
    page = _PAGE_OF_SHEET.search(name)
    asked = urlencode({"format": "csv", **({"gid": page[1]} if page else {})})
    content = _got(given, f"{given.sheets_address}/d/{found[1]}/export?{asked}", place, {})
    if content.lstrip()[:1] == b"<":
        raise problem(
            place,
            "the sheet is not open to everyone who has its address",
            "Share it so in Google Sheets, or save it as CSV.",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise problem(place, "expected a sheet in UTF-8; got other bytes", "Save it as CSV.") from None
    yield from rows_of_text(text, place)


def refuse_reaching(row: Mapping[str, Any], place: str) -> None:
    """Raise FormatError for a fetched row that names a file or a setting of this machine, or brings code."""
    for column, value in row.items():
        for text in _texts(value):
            # A variable names a file or a setting as a whole; the columns of settings do so anywhere in them.
            is_setting = column.startswith("__")
            what = ""
            if SCHEME in text if is_setting else text.strip().startswith(SCHEME):
                what = "names a file of this machine"
            elif (_ENVIRONMENT_ANYWHERE if is_setting else _ENVIRONMENT).search(text):
                what = "asks for a setting of this machine"
            elif column.startswith("__expected") and _kind(text) in _REACHING:
                what = "brings a check that is code, or that sends something"
            if what:
                raise problem(
                    f"{place}, {column}", f"a row from another computer {what}", "Save the tests as a file."
                )


def _kind(line: str) -> str:
    try:
        return str(parse_assertion(line.strip())["type"]).removeprefix("not-")
    except ValueError:
        return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _limit(text: str, place: str) -> int:
    if not text:
        return _MOST_ROWS + 1
    if not text.isdecimal() or not int(text[:9]):
        raise problem(place, f"limit: expected a whole number from 1; got {text!r}", "Correct the address.")
    return int(text[:9])


def _allowed(name: str, network: Network | None, place: str, host: str) -> Network:
    if network is None:
        raise problem(
            place,
            f"{name} lies on another computer, which is not asked without your yes",
            f"Give --trust to fetch it from {host}, or save its tests as CSV.",
        )
    return network


def _got(network: Network, url: str, place: str, headers: Mapping[str, str]) -> bytes:
    try:
        return network.fetcher.get(url, headers)
    except InputError as error:
        raise problem(place, f"{error.title}: {error.detail}", error.next_step) from None


def _page(content: bytes, name: str, place: str) -> tuple[list[dict[str, Any]], int]:
    """Return the rows of one page, and how many there are in all."""
    try:
        page = json.loads(content)
        rows = [entry["row"] for entry in page["rows"]]
        total = page.get("num_rows_total", _MOST_ROWS + 1)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _no_rows(name, place) from None
    if not isinstance(total, int) or not all(isinstance(row, dict) for row in rows):
        raise _no_rows(name, place)
    return rows, total


def _no_rows(name: str, place: str) -> FormatError:
    return problem(place, f"expected rows of {name}; got something else", "Check split and config.")
