"""CSV: three tables, and no cell that a spreadsheet would run."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored import keep, land, score

from turnwise.conversations.exports.tables import defused
from turnwise.conversations.formats import load


def table(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_row_is_a_message_by_default(exported, judged):
    first, second = table(exported("csv"))
    assert (first["session_name"], first["position"], first["number"], first["role"], first["content"]) == (
        "Bag",
        "0",
        "1",
        "user",
        "Where is my bag?",
    )
    assert (second["content"], second["failed_metrics"]) == ("In Oslo.", "politeness")


def test_a_row_may_be_a_session_with_a_column_for_every_metric(exported, judged):
    [row] = table(exported("csv", rows="sessions"))
    assert (row["session_name"], row["chatbot_role"], row["turns"], row["tags"], row["label"]) == (
        "Bag",
        "A clerk",
        "2",
        "lost",
        "fail",
    )
    assert (row["politeness"], row["faith"], row["goal"]) == ("0.25", "skipped", "failure")


def test_a_row_may_be_a_score(exported, judged):
    rows = table(exported("csv", rows="scores"))
    assert [(row["metric"], row["outcome"], row["score"], row["passed"]) for row in rows] == [
        ("politeness", "score", "0.25", "false"),
        ("faith", "skipped", "", ""),
        ("goal", "failure", "", ""),
    ]
    assert (rows[0]["failed_turns"], rows[0]["reason"]) == ("2", "1 of 4")


def test_only_the_newest_outcome_counts(store, exported, judged):
    land(store, judged, score(0.75))
    assert [row["score"] for row in table(exported("csv", rows="scores"))] == ["0.75", "", ""]


def test_a_metric_named_like_a_column_does_not_take_its_place(store, exported):
    session = keep(store)
    land(store, session, score(0.5, "label"))
    [row] = table(exported("csv", rows="sessions"))
    assert (row["label"], row["metric label"]) == ("", "0.5")


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\tplain",
        "\r=1",
        "\rplain",
        "  =1",
        '"=1"',
        "' =1",
        "\u201c=1",
        "\u00a0=1",
        "\u200b=1",
        "\ufeff=1",
        "\uff1d1",
        "\n\n@x",
    ],
)
def test_a_formula_is_defused(text, store, exported):
    assert defused(text) == f"'{text}"
    keep(store, text, "fine", name=text)
    for row in table(exported("csv")):
        assert row["session_name"].startswith("'")


@pytest.mark.parametrize(
    "mark",
    [
        "\xad",
        "\u034f",
        "\u061c",
        "\u180e",
        "\u2061",
        "\u202e",
        "\u2066",
        "\u3164",
        "\ufe0f",
        "\x7f",
        "\U000e0020",
    ],
)
def test_a_formula_behind_what_nobody_sees_is_defused(mark):
    assert defused(f"{mark}=1+1") == f"'{mark}=1+1"
    assert defused(f" {mark}'{mark}@x").startswith("'")


@pytest.mark.parametrize("text", ["", "plain", "1", "a=b", "(-1)", "«=»", "'tis"])
def test_other_text_stays_as_it_is(text):
    assert defused(text) == text


@given(st.text(st.sampled_from("=+-@\t\r\n '\"`a1\ufeff\uff1d"), max_size=6))
def test_no_cell_begins_with_a_formula_whatever_is_skipped(text):
    cell = defused(text)
    bare = cell.lstrip(" \n\"`'\ufeff")
    assert cell.startswith("'") or not bare.startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d"))


def test_numbers_stay_numbers_and_texts_are_quoted(exported, judged):
    line = exported("csv", rows="scores").splitlines()[1]
    assert line.startswith(f'{judged},"Bag","politeness","","score",0.25,0.5,"false"')


def test_cells_keep_their_line_ends(store, exported):
    keep(store, "a\nb", 'c, "d"; e')
    assert [row["content"] for row in table(exported("csv"))] == ["a\nb", 'c, "d"; e']


def test_the_table_of_turns_can_be_brought_in_again(exported, judged, tmp_path):
    path = tmp_path / "turns.csv"
    path.write_text(exported("csv"), newline="")
    [record] = load(path)
    assert [(turn.role, turn.content) for turn in record.case.turns] == [
        ("user", "Where is my bag?"),
        ("assistant", "In Oslo."),
    ]


def test_a_row_of_a_session_has_who_labelled_it_where_and_with_which_note(exported, store, judged):
    [row] = table(exported("csv", rows="sessions"))
    assert (row["label_by"], row["label_turn"], row["note"]) == ("Ana", "2", "It is in Bergen")
    store.labels.add(judged, "pass", author="Ben", blind=True, metric="tone", note="Kind\nenough")
    [row] = table(exported("csv", rows="sessions"))
    assert row["label_turn"] == "2\n"
    assert row["note"] == "It is in Bergen\nKind enough"
    ana, ben = row["label_by"].split("\n")
    assert ana.startswith("Ana")
    assert ben.startswith("Ben (tone")


def test_a_row_of_a_session_has_only_labels_that_stand_wherever_they_were_shown(exported, store, judged):
    store.labels.add(judged, "pass", author="Ben", blind=True)
    store.labels.add(judged, None, author="Ana", blind=True)
    store.labels.add(judged, None, author="Cem", blind=True, note="Is that the rule?")
    [row] = table(exported("csv", rows="sessions"))
    assert (row["label"], row["label_by"].split("\n")) == ("pass", ["Ben", "Cem (noted)"])


def test_what_people_see_differently_is_said_so_and_no_one_s_word_is_taken(exported, store, judged):
    store.labels.add(judged, "pass", author="Ben", blind=True)
    [row] = table(exported("csv", rows="sessions"))
    assert (row["label"], row["label_by"].split("\n")) == ("disputed", ["Ana (fail)", "Ben (pass)"])


@pytest.mark.parametrize("rows", ["turns", "sessions"])
def test_a_table_of_turns_says_where_labels_and_notes_are(exported, judged, rows):
    told = []
    exported("csv", rows=rows, on_note=told.append)
    assert [("--rows sessions" in words) for words in told] == ([True] if rows == "turns" else [])
