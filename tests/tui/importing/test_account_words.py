"""What became of the texts of files, in words and as data."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import NOT_LOADED, TextAccount, TextFate, load
from turnwise.conversations.importing import ImportReport
from turnwise.tui.importing.account_words import (
    account_data,
    account_in_short,
    account_lines,
    account_percents,
    account_told,
    lines_of_files,
)

TURN = TextFate("turn", "turns[].content")
OUT = TextFate("left out", "not read by rows")


def account(**characters: int) -> TextAccount:
    fates = {"turn": TURN, "metadata": TextFate("metadata", "metadata.a"), "out": OUT}
    return TextAccount(places={(f"at.{name}", fates[name]): count for name, count in characters.items()})


@pytest.mark.parametrize("counts", [(1, 1, 1), (2, 1, 0), (999_999, 1, 0), (1, 0, 0), (333, 333, 334)])
def test_shares_in_words_add_up_to_a_hundred(counts: tuple[int, int, int]) -> None:
    turn, metadata, out = counts
    shown = account_percents(account(turn=turn, metadata=metadata, out=out))
    numbers = [float(words.partition(" ")[0]) for words in shown.values() if not words.startswith("under")]
    assert sum(numbers) == pytest.approx(100)


def test_the_largest_places_are_listed_with_where_and_why() -> None:
    assert account_lines(account(turn=90, metadata=6, out=4)) == [
        "Of 100 characters of text 90 % in turns, 6 % in metadata and 4 % left out.",
        "  left out: at.out, 4 characters (not read by rows)",
        "  in metadata: at.metadata, 6 characters (metadata.a)",
    ]
    many = TextAccount(places={(f"at.{number}", OUT): 10 for number in range(12)})
    assert account_lines(many, 10)[-1] == "  left out: 20 characters under 2 other keys"


def test_several_files_are_told_one_by_one_and_together() -> None:
    files = {"a.json": account(turn=1), "b.json": account(out=1)}
    told = lines_of_files(files)
    assert told[0] == "a.json:"
    assert told[-1].startswith("All files: Of 2 characters of text 50 % in turns")
    data = account_data(files)
    assert (data["turns"], data["metadata"], data["left_out"]) == (0.5, 0, 0.5)
    assert [file["file"] for file in data["files"]] == ["a.json", "b.json"]
    assert data["files"][1]["places"] == [
        {"path": "at.out", "characters": 1, "became": "left_out", "why": "not read by rows"}
    ]


def test_of_many_files_those_are_told_that_lost_most() -> None:
    files = {f"{number}.json": account(turn=1) for number in range(24)}
    files["lost.json"] = account(out=1)
    told = lines_of_files(files)
    assert told[0] == "lost.json:"
    assert "5 further files; --json has them all" in told
    assert len(account_data(files)["files"]) == 25


def test_beside_the_reasons_what_was_not_loaded_under_the_same_keys_is_one_line() -> None:
    reasons = [TextFate("left out", f"{NOT_LOADED}: {why}") for why in ("no role", "no words")]
    whole = TextAccount(places={("content", fate): 4 for fate in reasons})
    assert account_told(ImportReport(account=whole))[1:] == ["  left out: content, 8 characters (not loaded)"]


def test_where_all_of_the_text_is_in_turns_nothing_is_said_of_it() -> None:
    assert account_in_short(ImportReport(account=account(turn=9)), 2) == []
    [told] = account_in_short(ImportReport(account=account(turn=3, metadata=1)), 2)
    assert told == "75 % of the text is in turns, 25 % in metadata."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{"messages": [{"role": "user", "content": "Hi"}]}\n{broken\n',
            "left out: lines of text, 8 characters",
        ),
        ('id,role,content\n1,user,Hi\n2,user,"Where is it\n', "left out: whole rows of the table, "),
        (b'[{"a": 1}]', "left out: the whole file, 10 characters"),
    ],
)
def test_what_no_key_leads_to_is_told_in_words(content: str | bytes, said: str) -> None:
    whole = TextAccount()
    with suppress(FormatError):
        list(load(io.BytesIO(content.encode() if isinstance(content, str) else content), account=whole))
    told = "\n".join(account_lines(whole))
    assert said in told
    assert "(the " not in told
