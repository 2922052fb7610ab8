"""The three tables of the failure mode screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from turnwise.conversations.store import FailureMode
from turnwise.conversations.store.modes.rows import ModeEvent, ModeRate, NoteRow
from turnwise.tui.drawing.record_table import left_in
from turnwise.tui.drawing.wrapping import wrap
from turnwise.tui.failure_modes.mode_parts import (
    MOST_EVENTS,
    MOST_NOTES,
    ModesPart,
    NotesPart,
    RatesPart,
    happened,
)
from turnwise.tui.failure_modes.mode_tables import ModeTables, ReadTables
from turnwise.tui.parts.words import moment


def note(number: int, *modes: str) -> NoteRow:
    return NoteRow(
        label_id=number,
        session_id=number,
        session=f"session {number}",
        turn=None,
        note="wrong",
        label="fail",
        author="ann",
        created_at=0.0,
        modes=modes,
        told=modes,
    )


def read(*notes: NoteRow) -> ReadTables:
    return ReadTables(notes, (), (), None)


def test_before_anything_is_read_the_tabs_say_no_counts() -> None:
    assert [tab.holds for tab in ModeTables().tabs()] == ["", "", ""]


def test_the_tab_of_the_notes_says_how_many_are_open() -> None:
    tables = ModeTables()
    tables.take(read(note(1), note(2, "Rude")))
    assert [tab.holds for tab in tables.tabs()] == ["2", "0", ""]
    tables.toggle_uncoded()
    assert tables.tabs()[0].holds == "1 of 2 open"


def test_the_cursor_stays_on_its_row_where_others_came_before_it() -> None:
    tables = ModeTables()
    tables.take(read(note(1), note(2)))
    tables.cursor = 1
    tables.take(read(note(3), note(1), note(2)))
    assert tables.cursor == 2
    # Where its row is gone it stays where it was.
    tables.take(read(note(3), note(1), note(4)))
    assert tables.cursor == 2


def test_where_every_note_has_a_mode_that_is_why_the_open_notes_are_empty() -> None:
    tables = ModeTables()
    tables.take(read(note(1, "Rude")))
    tables.toggle_uncoded()
    assert tables.why_empty == "uncoded"


def test_ticks_stay_on_the_notes_that_are_still_there() -> None:
    tables = ModeTables()
    tables.take(read(note(1), note(2)))
    tables.toggle_all_ticks()
    tables.take(read(note(2), note(3)))
    assert [row.label_id for row in tables.notes.chosen] == [2]


def test_without_ticks_the_note_under_the_cursor_is_chosen() -> None:
    tables = ModeTables()
    tables.take(read(note(1), note(2)))
    assert [row.label_id for row in tables.chosen_notes(1)] == [2]
    tables.toggle_tick(0)
    assert [row.label_id for row in tables.chosen_notes(1)] == [1]


def test_of_a_mode_stands_what_people_noted_where_it_occurs() -> None:
    mode = FailureMode(1, "Rude", "It is impolite.", sessions=1, author="ann", created_at=0.0)
    notes = (note(1, "Late"), replace(note(2, "Late", "Rude"), turn=4, note="It says no more."))
    said = [text for text, _ in ModesPart((mode,), notes=notes).said(0)]
    assert said == [
        "It is impolite.",
        "named by ann",
        "What people noted where it occurs",
        "It says no more.",
        "ann · session\xa02,\xa0turn\xa04 · session 2",
    ]


def test_where_a_note_was_written_is_in_one_line_and_its_tick_has_a_head() -> None:
    part = NotesPart((replace(note(62), turn=2),))
    where = next(text for text, _ in part.said(0) if "ann" in text)
    [line] = [line for line in wrap(where, 40) if "62" in line]
    assert "turn" in line
    assert part.columns(80)[0].title == "tick"


def test_beside_the_rate_of_one_group_only_its_own_notes_stand() -> None:
    rates = [ModeRate(1, "Rude", "clerk", 1, 4)]
    notes = [replace(note(1, "Rude"), note="A clerk's."), replace(note(2, "Rude"), note="Another's.")]
    said = [text for text, _ in RatesPart(rates, "role", notes, members={"clerk": {1}}).said(0)]
    assert "What people noted where it occurs, in this group" in said
    assert "A clerk's." in said
    assert "Another's." not in said
    heads = [text for text, style in RatesPart(rates, None, [note(1, "Rude")]).said(0) if style == "section"]
    assert heads == ["What people noted where it occurs"]


def test_of_a_mode_no_note_stands_that_somebody_wrote_who_did_not_give_it() -> None:
    mode = FailureMode(1, "Rude", "It is impolite.", sessions=1, author="ann", created_at=0.0)
    others = replace(note(1, "Rude"), told=(), others=(("Rude", "bob"),), note="All is well.")
    assert not any("well" in text for text, _ in ModesPart((mode,), notes=[others]).said(0))
    said = [text for text, _ in NotesPart([others]).said(0)]
    assert said[0] == "All is well."
    assert said[2] == "“Rude” was given to the session by bob, not with this note"


def test_beside_a_note_all_modes_that_were_given_with_it_are_told_whole() -> None:
    said = [text for text, _ in NotesPart([note(1, "Late", "Rude")]).said(0)]
    assert said[2] == "Failure modes: Late, Rude"


def test_beside_a_note_a_mode_that_another_gave_stands_with_their_name() -> None:
    mixed = replace(note(1, "Late", "Rude"), told=("Late",), others=(("Rude", "bob"),))
    tables = NotesPart([mixed, note(2, "Rude")])
    for width in (80, 160):
        assert [tables.cells(row, width)[-1].text for row in (0, 1)] == ["Late, Rude (bob)", "Rude"]
        # The head says what a name in brackets is; without any there is nothing to say.
        assert tables.columns(width)[-1].title == "failure modes (by whom)"
        assert NotesPart([note(2, "Rude")]).columns(width)[-1].title == "failure modes"


@pytest.mark.parametrize("width", [80, 160])
def test_the_writer_s_label_stands_at_the_note_under_one_head(width: int) -> None:
    part = NotesPart([note(1, "Rude")])
    titles = [column.title for column in part.columns(width)]
    head = titles.index("label and note")
    assert titles[head - 1] == ""
    assert part.cells(0, width)[head - 1].text in ("✓", "✗")
    assert part.cells(0, width)[head].text == part.rows[0].note


def test_a_list_that_is_cut_says_how_many_more_there_are() -> None:
    mode = FailureMode(1, "Rude", "It is impolite.", sessions=9, author="ann", created_at=0.0)
    events = [
        ModeEvent(float(number), f"person {number}", "defined", "x") for number in range(MOST_EVENTS + 2)
    ]
    notes = [note(number, "Rude") for number in range(MOST_NOTES + 3)]
    said = [text for text, _ in ModesPart((mode,), {1: events}, notes).said(0)]
    assert said.index("… 3 more: enter lists the sessions") == said.index("What happened to it") - 1
    assert said[-1] == "… 2 more"
    said = [text for text, _ in ModesPart((mode,), {1: events[:2]}, notes[:2]).said(0)]
    assert not any("more" in text for text in said)


def test_each_table_keeps_its_cursor() -> None:
    tables = ModeTables()
    tables.cursor = 3
    tables.show_next()
    assert tables.cursor == 0
    tables.part = "notes"
    assert tables.cursor == 3


def test_rates_are_grouped_over_all_then_by_role_then_by_tag() -> None:
    tables = ModeTables()
    seen = []
    for _ in range(3):
        grouping = tables.next_grouping()
        seen.append(grouping)
        tables.take(ReadTables((), (), (), grouping))
    assert seen == ["role", "tag", None]


def test_rates_are_grouped_by_what_metadata_say_where_there_is_something() -> None:
    tables = ModeTables()
    tables.take(ReadTables((), (), (), "tag", ("role", "tag", "meta.language")))
    assert tables.next_grouping() == "meta.language"
    tables.take(ReadTables((), (), (), "meta.language", ("role", "tag", "meta.language")))
    assert tables.next_grouping() is None


def test_rates_say_that_they_are_of_all_runs_where_there_are_several() -> None:
    rates = [ModeRate(1, "Rude", None, 1, 2)]
    tables = ModeTables("rates")
    for over_runs, words in ((True, ", over all runs"), (False, "")):
        tables.take(ReadTables((), (), rates, None, over_runs=over_runs))
        assert tables.title_words() == f"2 sessions reviewed{words}"
        comma = f"{words}," if words else ""
        assert tables.rates.said(0)[0][0].startswith(
            f"1 of the 2 sessions that people reviewed{comma} has “Rude”"
        )


def test_words_are_looked_for_in_all_three_tables() -> None:
    tables = ModeTables()
    rude = FailureMode(id=1, name="Rude", definition="Blames the user.", author="ann", created_at=0.0)
    late = replace(rude, id=2, name="Late", definition="")
    rates = [ModeRate(1, "Rude", "a clerk", 1, 2), ModeRate(2, "Late", "a clerk", 1, 2)]
    tables.take(ReadTables([note(1, "Rude"), note(2)], [rude, late], rates, "role"))
    tables.find("RUDE")
    assert [row.label_id for row in tables.notes.rows] == [1]
    assert (tables.modes.rows, [rate.name for rate in tables.rates.rows]) == ([rude], ["Rude"])
    assert [tab.holds for tab in tables.tabs()] == ["1 of 2", "1 of 2", ""]
    # What is read anew is chosen from as well.
    tables.take(ReadTables([note(3, "Rude")], [rude], rates, "role"))
    assert [row.label_id for row in tables.notes.rows] == [3]
    tables.find("blames clerk")
    assert tables.why_empty == "found"


def test_what_somebody_did_again_and_again_is_one_line() -> None:
    days = [86_400.0 * day + 43_200 for day in range(5)]
    given = [ModeEvent(at, "mia", "assigned", sessions=1) for at in days[:3]]
    first, *_, last = map(moment, days[:3])
    assert happened([*reversed(given), ModeEvent(days[0], "mia", "added", "Rude")]) == [
        f"assigned to 1 session at a time, 3 times · mia, last {last}",
        f"added as Rude · mia, {first}",
    ]


def test_bars_of_rates_take_what_names_leave_so_that_figures_stand_near_them() -> None:
    def bars(name: str, width: int) -> int:
        part = RatesPart([ModeRate(1, name, None, 1, 4)])
        columns = part.columns(width)
        taken = sum(one.width for one in columns)
        assert left_in(width, len(columns), taken) >= len(name)
        return columns[1].width

    assert bars("Rude", 80) < bars("Rude", 110)
    assert bars("Asks for what it was told before", 110) < bars("Rude", 110)


def test_the_head_over_bars_of_rates_has_the_scale_s_ends_over_theirs() -> None:
    part = RatesPart([ModeRate(1, "Rude", None, 36, 100)])
    for width in (80, 110, 160):
        head = part.columns(width)[1]
        assert head.title.startswith("0 ")
        assert head.title.endswith(" 100 %")
        assert len(head.title) == head.width == len(part.cells(0, width)[1].text)


def test_beside_a_group_there_are_no_bars_that_are_too_short_to_be_told_apart() -> None:
    role = "The help desk of Marrowby Air, a small airline. It is courteous and brief."
    part = RatesPart([ModeRate(1, "Talks past the user", role, 1, 4)], "role")
    for width, over_bars in ((80, []), (98, ["0 100 %"])):
        titles = [" ".join(column.title.split()) for column in part.columns(width)]
        assert titles == ["failure mode", "role", *over_bars, "sessions", "share (interval)"]
        assert len(part.cells(0, width)) == len(titles)
    # What bars leave is for the group.
    assert part.columns(80)[1].width >= 19


@pytest.mark.parametrize(("group", "words"), [("The help desk", "all of one"), ("", "none has any")])
def test_a_group_alone_is_said_once_and_has_no_column(group: str, words: str) -> None:
    tables = ModeTables("rates")
    rates = [ModeRate(1, "Rude", group, 1, 4), ModeRate(2, "Invents", group, 2, 4)]
    tables.take(ReadTables((), (), rates, "role"))
    titles = [" ".join(column.title.split()) for column in tables.rates.columns(80)]
    assert titles == ["failure mode", "0 100 %", "sessions", "share (interval)"]
    assert len(tables.rates.cells(0, 80)) == len(titles)
    assert tables.title_words() == f"by role, {words}"
    tables.take(ReadTables((), (), [*rates, ModeRate(2, "Invents", "Bank clerk", 1, 4)], "role"))
    assert "role" in [column.title for column in tables.rates.columns(80)]
    assert tables.title_words() == "by role"


def test_what_short_names_of_modes_leave_is_for_their_definitions() -> None:
    part = ModesPart([FailureMode(1, "Rude", "It is rude to the user.", "ann", 0.0, 1)])
    assert part.columns(98)[0].width == len("failure mode")


def test_a_note_stands_whole_before_its_session_is_named() -> None:
    long = replace(note(1), note="Asks for the tag, the looks and the hotel, all told before.")
    titles = [[column.title for column in NotesPart([row]).columns(122)] for row in (note(1), long)]
    assert [len(one) for one in titles] == [7, 6]
    assert all("session" in one for one in titles)
    for width in (80, 98, 112, 200):
        part = NotesPart([long])
        assert len(part.cells(0, width)) == len(part.columns(width))


def test_what_short_names_of_modes_leave_beside_notes_is_for_the_notes() -> None:
    short, long = NotesPart([note(1, "Rude")]), NotesPart([note(1, "Asks again for what it was told")])
    assert short.columns(107)[-1].width == len("failure modes")
    assert long.columns(107)[-1].width == 28
    # In a wide window no mode is cut as long as notes keep what most of them need.
    assert long.columns(200)[-1].width == len("Asks again for what it was told") > 28


def test_who_wrote_a_note_has_a_column_where_there_are_several() -> None:
    alone, two = NotesPart([note(1)]), NotesPart([note(1), replace(note(2), author="bartholomew")])
    assert [any(column.title == "by" for column in part.columns(107)) for part in (alone, two)] == [
        False,
        True,
    ]
    shown = [cell.text for cell in two.cells(1, 107)]
    assert {"bartholomew", "2"} <= set(shown)
    assert len(shown) == len(two.columns(107))


def test_beside_a_group_names_of_rates_and_their_heading_stand_whole_where_a_shorter_bar_leaves_room() -> (
    None
):
    def room(name: str, group: str, width: int) -> tuple[int, int, int]:
        part = RatesPart([ModeRate(1, name, group, 1, 4)], "role")
        columns = part.columns(width)
        left = left_in(width, len(columns), sum(one.width for one in columns))
        return left, columns[1].width, columns[2].width

    role = "The help desk of Marrowby Air, a small airline. It is courteous and brief."
    names, roles, bars = room("Talks past the user", role, 98)
    assert names >= len("Talks past the user")
    assert roles >= 20
    assert bars >= 10
    assert room("Rude", role, 80)[0] >= len("failure mode")
    # What short groups leave is for names and bars.
    assert room("Talks past the user", "vip", 98)[1] == len("role")
