"""Label sets: all that people said, in a file and back, with its history, in this database or another."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import keep

from turnwise.conversations.errors import FormatError, InputError, SettingError
from turnwise.conversations.findings import Label
from turnwise.conversations.store import Store
from turnwise.engine.people.agreement import alpha_between
from turnwise.engine.people.label_set_files import read_label_set, write_label_set
from turnwise.engine.people.label_sets import SetRow, label_set_of, take_label_set
from turnwise.engine.people.opinions import opinions_of, pass_and_fail

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
NAMES = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)


@st.composite
def labels(draw: st.DrawFn) -> Label:
    word = draw(st.sampled_from(("pass", "fail", "defer", None)))
    return Label(
        word=word,
        author=draw(NAMES),
        metric=draw(st.sampled_from(("", "role_adherence"))),
        value=draw(st.none() | st.sampled_from((0.0, 0.25, 1.0))),
        turn=draw(st.none() | st.integers(1, 2)),
        note=draw(TEXTS | st.sampled_from(("=1+1", "'quoted", "''", "'=x", "a, b", "two\nlines"))),
        at=draw(st.floats(1.6e9, 1.7e9).map(lambda at: round(at, 6))),
        at_fault=draw(st.sampled_from((None, "chatbot", "tool"))) if word == "fail" else None,
        adjudicates=draw(st.booleans()),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(labels(), max_size=5), st.sampled_from((".csv", ".yaml")))
def test_what_is_written_is_read_again(tmp_path: Path, given: list[Label], suffix: str) -> None:
    path = tmp_path / f"set{suffix}"
    rows = [SetRow("", "0123456789abcdef", label, "dev", "a talk") for label in given]
    assert write_label_set(rows, path, force=True) == len(given)
    found = read_label_set(path)
    assert not found.refused
    assert [row.label for row in found.rows] == given
    assert all(row == replace(rows[0], place=row.place, label=row.label) for row in found.rows)


def history(store: Store, session: int) -> list[tuple[object, ...]]:
    """Return what was said of a session, as far as it is the same in every database."""
    return [
        (
            row.label,
            row.author,
            row.metric,
            row.turn,
            row.note,
            row.blind,
            row.at_fault,
            row.adjudicates,
            round(row.created_at, 6),
        )
        for row in store.labels.of(session)
    ]


def alpha(store: Store) -> float:
    rows = store.judgements.opinions("")
    return alpha_between(map(pass_and_fail, opinions_of(rows, "").values())).value


@pytest.mark.parametrize("suffix", [".csv", ".yaml"])
def test_two_people_forty_sessions_and_their_adjudications_move_whole(
    store: Store, tmp_path: Path, suffix: str
) -> None:
    sessions = [keep(store, f"question {number}", "an answer") for number in range(40)]
    for place, session in enumerate(sessions):
        ada = "fail" if place % 3 == 0 else "pass"
        ben = "fail" if place % 4 == 0 else "pass"
        store.labels.add(session, ada, author="ada", blind=True, note="- a dash begins it")
        store.labels.add(session, "defer", author="ben", blind=True)
        store.labels.add(session, ben, author="ben", blind=True, turn=2 if ben == "fail" else None)
        if ada != ben:
            store.labels.add(session, "fail", author="cem", blind=False, at_fault="tool", adjudicates=True)
    store.splits.add(dict.fromkeys(sessions[:10], "test"))
    path = tmp_path / f"labels{suffix}"
    write_label_set(label_set_of(store), path)
    with Store.open(tmp_path / "another.db") as another:
        keep(another, "something else")
        moved = {number: keep(another, f"question {number}", "an answer") for number in reversed(range(40))}
        taken = take_label_set(another, read_label_set(path))
        assert not taken.refused
        assert taken.new == sum(len(store.labels.of(session)) for session in sessions)
        for place, session in enumerate(sessions):
            assert history(another, moved[place]) == history(store, session)
        assert alpha(another) == alpha(store)
        assert another.splits.members() == {moved[place]: "test" for place in range(10)}
        again = take_label_set(another, read_label_set(path))
        assert (again.new, again.unchanged, list(again.refused)) == (0, taken.new, [])


def written(tmp_path: Path, *rows: dict[str, str]) -> Path:
    path = tmp_path / "by-hand.csv"
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, columns)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_file_by_hand_names_sessions_by_number_or_name(store: Store, tmp_path: Path) -> None:
    first, second = keep(store, "where is it"), keep(store, "how much is it")
    name = store.sessions.get(second).name
    path = written(
        tmp_path,
        {"session": str(first), "metric": "", "label": "pass", "split": "dev", "author": "ada", "note": ""},
        {"session": name, "metric": "tone", "label": "fail", "split": "", "author": "ada", "note": "rude"},
    )
    taken = take_label_set(store, read_label_set(path))
    assert (taken.new, list(taken.refused), list(taken.authors)) == (2, [], ["ada"])
    [row] = store.labels.of(second)
    assert (row.metric, row.label, row.note, row.came_from) == ("tone", "fail", "rude", "by-hand.csv")
    assert store.splits.members() == {first: "dev"}
    assert take_label_set(store, read_label_set(path)).unchanged == 2


def test_what_cannot_be_taken_is_refused_by_its_line_and_the_rest_kept(store: Store, tmp_path: Path) -> None:
    session = keep(store)
    twins = [keep(store, "twin", "one"), keep(store, "twin", "two")]
    assert len({store.sessions.get(twin).name for twin in twins}) == 1
    said = {"session": str(session), "label": "pass", "author": "ada", "turn": "", "split": ""}
    path = written(
        tmp_path,
        said,
        {**said, "session": "999"},
        {**said, "session": "twin"},
        {**said, "label": "perhaps"},
        {**said, "author": ""},
        {**said, "author": "ben", "label": "fail", "turn": "9"},
        {**said, "author": "cem", "split": "dev"},
        {**said, "author": "dia", "split": "test"},
    )
    taken = take_label_set(store, read_label_set(path))
    assert taken.new == 3
    told = [str(one.title) for one in taken.refused]
    for line in (3, 4, 5, 6, 7):
        assert any(f"line {line}" in one for one in told), told
    assert sum("is to be in" in one for one in told) == 2
    assert store.splits.members() == {}


def test_what_somebody_said_anew_since_stands(store: Store, tmp_path: Path) -> None:
    session = keep(store)
    store.labels.add(session, "pass", author="ada", blind=True)
    path = written(
        tmp_path,
        {"session": str(session), "label": "fail", "author": "ada", "at": "2020-01-01T00:00:00Z"},
    )
    taken = take_label_set(store, read_label_set(path))
    assert taken.new == 0
    [refusal] = taken.refused
    assert "anew since" in refusal.title
    assert [row.label for row in store.labels.of(session)] == ["pass"]


def test_a_comma_too_many_is_told_with_its_line(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_text(f"session,label,author,note\n1,pass,ada,polite, but slow\n{keep(store)},fail,ada,\n")
    found = read_label_set(path)
    assert [row.place for row in found.rows] == ["set.csv, line 3"]
    [refusal] = found.refused
    assert "line 2 has more cells" in refusal.title


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", "session,label,author,lable\n", "unknown column lable"),
        ("a.csv", "session,label,label,author\n", "twice label"),
        ("a.yaml", "labels: 3\n", "no list of labels"),
        ("a.yaml", "version: 9\nlabels: []\n", "version 9"),
        ("a.yaml", "labels: [", "cannot be read as YAML"),
    ],
)
def test_what_is_no_label_set_is_refused_in_words(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=words):
        read_label_set(tmp_path / name)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{session: 1, label: pass, author: [ada]}", "author cannot be read"),
        ("{session: {a: 1}, label: pass, author: ada}", "session cannot be read"),
    ],
)
def test_a_list_in_the_place_of_a_text_is_refused(tmp_path: Path, entry: str, words: str) -> None:
    (tmp_path / "a.yaml").write_text(f"- {entry}\n")
    found = read_label_set(tmp_path / "a.yaml")
    assert not found.rows
    assert [error.title for error in found.refused] == [f"a.yaml, label 1: {words}"]


def test_a_file_that_is_not_there_or_ends_otherwise_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_label_set(tmp_path / "none.csv")
    with pytest.raises(SettingError, match="neither CSV nor YAML"):
        write_label_set([], tmp_path / "labels.txt")
