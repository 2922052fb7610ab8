"""Import words: what came in is counted in one sentence, and errors name what stands in the dialog."""

from __future__ import annotations

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import Place
from turnwise.conversations.formats.format import rejected
from turnwise.conversations.importing import ImportReport, SessionIds
from turnwise.tui.importing.import_words import (
    RejectionGroup,
    in_app_words,
    left_out,
    refusal_words,
    report_words,
)

FOREIGN = "Scores and labels from a file carry its name: nobody gave them here."


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (ImportReport(imported=1200), "1,200 imported."),
        (ImportReport(unchanged=2, updated=1), "0 imported, 2 there already, 1 given their role."),
        (ImportReport(imported=1, labels=1), f"1 imported, with 1 label. {FOREIGN}"),
        (
            ImportReport(imported=2, labels=2, modes=1),
            f"2 imported, with 2 labels and 1 failure mode. {FOREIGN}",
        ),
        (
            ImportReport(imported=9, scores=1, labels=3, modes=2, failed=4),
            f"9 imported, with 1 score, 3 labels and 2 failure modes, 4 not readable. {FOREIGN}",
        ),
    ],
)
def test_a_report_says_all_that_came_and_nothing_else(report: ImportReport, words: str) -> None:
    assert report_words(report) == words


@pytest.mark.parametrize(
    ("silent", "sessions", "where"),
    [
        (1, 1, "it"),
        (2, 2, "any of them"),
        (1, 3, "1 of them, session 7"),
        (2, 3, "2 of them, first in session 7"),
    ],
)
def test_conversations_without_a_reply_are_told(silent: int, sessions: int, where: str) -> None:
    report = ImportReport(
        imported=sessions,
        silent_sessions=SessionIds(range(7, 7 + silent)),
        sessions=SessionIds(range(7, 7 + sessions)),
    )
    assert report_words(report) == (
        f"{sessions} imported. The chatbot says nothing in {where}: there is no reply to judge."
    )


def test_files_that_could_not_be_read_at_all_are_counted_too() -> None:
    assert report_words(ImportReport(), 1) == "0 imported, 1 file not readable."


@pytest.mark.parametrize(
    ("told", "here"),
    [
        ("Say who that is: --map user=A or --map assistant=A", "Say who that is: user=A or assistant=A"),
        ("--map knows no rolle", "The field above knows no rolle"),
        ("or say with --map who speaks", "or say in the field above who speaks"),
        (
            "Check the names given with --map, or leave it out for a file that needs none.",
            "Check the names given in the field above, or leave the field above empty for a file that needs "
            "none.",
        ),
        ("Leave out --map, or give the format", "leave the field above empty, or give the format"),
        (
            "Name its format, or the list that holds its messages, or convert it to one of these.",
            "Convert it to one of these.",
        ),
        (
            "Name its format, or say with --map who speaks in it, or convert it.",
            "Say in the field above who speaks in it, or convert it.",
        ),
        ("--messages talk[] leads to nothing in x.json", "talk[] leads to nothing in x.json"),
        ("x.csv: --map names a column z", "x.csv: the field above names a column z"),
    ],
)
def test_what_errors_say_of_the_command_line_is_said_of_the_field(told: str, here: str) -> None:
    assert in_app_words(told) == here


def test_what_to_do_about_a_refused_file_stands_before_a_long_detail() -> None:
    error = FormatError(
        "a.bin is in no format", detail="It is no text.\nTried: one, two.", next_step="Convert it."
    )
    assert refusal_words(error).splitlines() == [
        "a.bin is in no format",
        "It is no text.",
        "Convert it.",
        "Tried: one, two.",
    ]
    assert refusal_words(OSError("gone")) == "gone"


def test_the_name_of_a_refused_file_is_said_once() -> None:
    error = FormatError("a.jsonl is empty", detail="a.jsonl: expected a record.", next_step="Write it again.")
    assert refusal_words(error) == "a.jsonl is empty\nExpected a record.\nWrite it again."


def test_records_of_a_file_are_told_together_with_what_to_do_once() -> None:
    told = left_out(
        [
            rejected(Place("a.csv", line=4, number=3, unit="row"), "role: expected who speaks").error,
            rejected(Place("a.csv", line=7, number=6, unit="row"), "content: required\nid: required").error,
            rejected(Place("b.json"), "expected a list").error,
        ],
        "f3",
    )
    step = "Correct it in the file and load the file again."
    assert told == [
        RejectionGroup(
            "Not loaded from a.csv:",
            (
                "row 3, line 4: role: expected who speaks",
                "row 6, line 7: content: required; id: required",
            ),
            step,
        ),
        RejectionGroup("Not loaded from b.json:", ("expected a list",), step),
    ]


def test_what_the_command_line_takes_as_an_option_is_told_as_the_key_of_the_dialog() -> None:
    problem = "expected one list of messages; got 2: a, b (name the one with --messages KEY)"
    asks = FormatError("c.csv is in no format", detail="c.csv: text", next_step="turnwise import --map a=b")
    told = left_out([rejected(Place("a.jsonl", line=1), problem).error, asks], "f3")
    assert [one.next_step for one in told] == [
        "Import the file by itself: f3 in that dialog says what stands where."
    ] * 2
    assert told[0].lines == ("line 1: expected one list of messages; got 2: a, b",)
    assert told[1].lines == ("Text",)
