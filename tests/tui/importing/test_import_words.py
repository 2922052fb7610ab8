"""Import words: what came in is counted in one sentence, and errors name what stands in the dialog."""

from __future__ import annotations

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.importing import ImportReport, SessionIds
from turnwise.tui.importing.import_words import in_app_words, refusal_words, report_words

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
    [(1, 1, "it"), (2, 2, "any of them"), (2, 3, "2 of them")],
)
def test_conversations_without_a_reply_are_told(silent: int, sessions: int, where: str) -> None:
    report = ImportReport(imported=sessions, silent=silent, sessions=SessionIds(range(sessions)))
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
