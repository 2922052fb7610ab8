"""What is to be looked at after an import, in words."""

from turnwise.conversations.formats import Silence
from turnwise.conversations.importing import AkinSession, ImportReport
from turnwise.conversations.store import Stakes
from turnwise.tui.importing.import_notes import notes

HOUR = 3600.0


def with_silences(*silences: Silence) -> ImportReport:
    report = ImportReport()
    report.silences.add(silences, "log.txt")
    return report


def test_a_silence_is_told_with_its_lines_its_length_and_what_parts_it() -> None:
    [told] = notes(with_silences(Silence(23.4 * HOUR, "line 8", "line 9")))
    assert told == (
        "log.txt: between line 8 and line 9 lie 23 hours. It may be two conversations: "
        "--split-after 6h parts them there."
    )
    [told] = notes(with_silences(Silence(50 * HOUR, "line 8", "line 9")), forget="D")
    assert "lie 2 days" in told
    assert "--" not in told


def test_of_several_the_first_is_told_and_the_others_are_counted() -> None:
    report = with_silences(
        *[Silence(7 * HOUR, f"line {place}", f"line {place + 1}") for place in range(1, 4)]
    )
    [told] = notes(report)
    assert "between line 1 and line 2 lie 7 hours, and 6 hours or more at 2 further places. They" in told


def test_what_goes_on_names_both_and_how_one_is_brought_up_to_date() -> None:
    report = ImportReport(beside=[AkinSession(2, 1, "goes on")])
    [told] = notes(report)
    assert told.startswith("Session 2 goes on from session 1, which stands beside it.")
    assert "`turnwise forget 1`" in told
    assert "`turnwise import --follow FILE`" in told
    [told] = notes(report, forget="D")
    assert "D in the library takes the older one out. In a shell, `turnwise import --follow" in told


def test_all_sessions_that_a_new_one_holds_are_named() -> None:
    report = ImportReport(beside=[AkinSession(17, 15, "holds"), AkinSession(17, 16, "holds")])
    [told] = notes(report)
    assert told.startswith("Session 17 holds all of sessions 15 and 16, which stand beside it.")
    assert "`turnwise forget 15 16` takes the older ones out." in told


def test_what_would_be_lost_is_told_with_what_keeps_it() -> None:
    report = ImportReport(
        beside=[AkinSession(2, 1, "goes on")], at_stake={"goes on": Stakes(sessions=1, labels=2, scores=1)}
    )
    [told] = notes(report)
    assert "takes the older one out, and 2 labels and 1 score with it." in told
    assert told.endswith(
        "To keep what was found: `turnwise forget 2` takes the new one out; "
        "`turnwise import --follow FILE` then brings session 1 up to date."
    )
    [told] = notes(report, forget="D")
    assert "D in the library takes the new one out; in a shell, `turnwise import --follow" in told


def test_parts_and_equal_words_are_told_apart() -> None:
    report = ImportReport(
        beside=[AkinSession(2, 1, "part"), AkinSession(3, 1, "part"), AkinSession(5, 4, "same words")]
    )
    parts, same = notes(report)
    assert parts.startswith("Sessions 2 and 3 are parts of session 1, which stands beside them.")
    assert same.startswith("Session 5 says the same as session 4, which stands beside it.")
    many = ImportReport(beside=[AkinSession(number + 50, number, "goes on") for number in range(1, 11)])
    assert notes(many)[0].startswith(
        "10 sessions (from 51 on) go on from 10 sessions (from 1 on), which stand"
    )
