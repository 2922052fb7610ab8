"""Labels that come back from a page: each checked by itself, kept once, and refused in words where not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stored import keep

from turnwise.conversations import Turn
from turnwise.conversations.errors import FormatError, InputError, SettingError
from turnwise.conversations.exports import seen_identity
from turnwise.conversations.store import Store
from turnwise.engine.people.handed_labels import TakenLabels, read_labels, take_labels

SAID_AT = 1_790_000_000.0


@pytest.fixture
def taken(store: Store, tmp_path: Path) -> Any:
    """Take in a file with these labels, each of a session with fields to change."""

    def take(*labels: Any, author: str = "", **fields: Any) -> TakenLabels:
        path = tmp_path / "labels-tuesday-ada.json"
        whole = {"turnwise": "labels", "version": 1, "page": "p", "queue": "tuesday", "author": "ada"}
        path.write_text(json.dumps({**whole, "blind": True, "labels": list(labels), **fields}))
        return take_labels(store, read_labels(path), author)

    return take


def entry(store: Store, session: int, **fields: Any) -> dict[str, Any]:
    """Return a label of a session as a page writes it."""
    own: dict[str, Any] = {
        "session": session,
        "name": "talk",
        "identity": seen_identity(store.turns.of(session)),
    }
    return {**own, "label": "pass", "turn": None, "note": "", "modes": [], "at": SAID_AT, **fields}


def test_a_label_comes_in_with_all_that_was_said(store: Store, taken: Any) -> None:
    session = keep(store)
    found = taken(entry(store, session, label="fail", turn=2, note="not in Oslo", modes=["wrong place"]))
    assert (found.new, found.unchanged, found.refused) == ([session], [], [])
    [row] = store.labels.of(session)
    assert (row.label, row.turn, row.note, row.author, row.blind) == ("fail", 2, "not in Oslo", "ada", True)
    assert (row.created_at, row.came_from) == (SAID_AT, "labels-tuesday-ada.json")
    [mode] = store.modes.of(session)
    assert (mode.name, mode.turn, mode.author) == ("wrong place", 2, "ada")


def test_the_same_file_adds_nothing_twice_and_a_later_one_what_is_new(store: Store, taken: Any) -> None:
    first, second = keep(store, "1"), keep(store, "2")
    taken(entry(store, first), entry(store, second))
    again = taken(entry(store, first), entry(store, second))
    assert (again.new, again.unchanged) == ([], [first, second])
    later = taken(entry(store, first), entry(store, second, label="fail", at=SAID_AT + 60))
    assert (later.new, later.unchanged) == ([second], [first])
    assert [row.label for row in store.labels.of(second)] == ["pass", "fail"]


def test_a_label_that_was_taken_back_is_taken_back_here(store: Store, taken: Any) -> None:
    session = keep(store)
    assert taken(entry(store, session, label=None)).unchanged == [session]
    taken(entry(store, session))
    taken(entry(store, session, label=None, at=SAID_AT + 5))
    assert [row.label for row in store.labels.of(session)] == ["pass", None]


def test_a_note_may_stand_alone(store: Store, taken: Any) -> None:
    session = keep(store)
    assert taken(entry(store, session, label=None, note="odd")).new == [session]
    assert store.labels.of(session)[0].note == "odd"


def test_what_cannot_be_taken_is_named_and_the_rest_is_kept(store: Store, taken: Any) -> None:
    good, twice, grown = keep(store, "good"), keep(store, "twice"), keep(store, "grown")
    handed = entry(store, grown)
    store.turns.append(grown, Turn(role="user", content="more"), at=None)
    found = taken(
        entry(store, good),
        {**entry(store, good), "session": 99},
        entry(store, twice),
        entry(store, twice, label="fail"),
        handed,
        entry(store, good, label="maybe"),
        entry(store, good, at="noon"),
        entry(store, good, label="pass", turn=2),
        entry(store, good, modes="slow"),
        "pass",
    )
    assert found.new == [good]
    words = [f"{refusal.title}. {refusal.detail}" for refusal in found.refused]
    assert all(refusal.next_step for refusal in found.refused)
    assert len(words) == 9
    for piece in (
        "There is no session 99 (talk) here",
        f"session {twice} (talk) is labelled 2 times in the file",
        f"session {grown} (talk) is not what was handed out",
        "label 6: label cannot be read. Expected pass, fail, defer or null; got 'maybe'.",
        "label 7: at cannot be read. Expected seconds since 1970; got 'noon'.",
        "label 8: turn cannot be read. Expected null where the label is not fail; got 2.",
        "label 9: modes cannot be read. Expected a list of names; got 'slow'.",
        "label 10: it cannot be read. Expected an object; got 'pass'.",
    ):
        assert any(piece in told for told in words), (piece, words)
    assert store.labels.of(twice) == store.labels.of(grown) == []


def test_a_turn_and_a_mode_that_cannot_be_are_refused(store: Store, taken: Any) -> None:
    session = keep(store)
    for wrong, told in (
        ({"label": "fail", "turn": 7}, "has no turn 7"),
        ({"modes": ["x" * 61]}, "longer than 60"),
        ({"modes": [""]}, "needs a name"),
    ):
        found = taken(entry(store, session, **wrong))
        assert told in found.refused[0].title
    assert store.labels.of(session) == []


def test_what_somebody_said_here_since_stands(store: Store, taken: Any) -> None:
    session = keep(store)
    store.labels.add(session, "fail", author="ada", blind=True)
    found = taken(entry(store, session))
    assert f"ada labelled session {session} (talk) anew since" in found.refused[0].title
    assert taken(entry(store, session), author="bo").new == [session]
    assert [(row.author, row.label) for row in store.labels.of(session)] == [("ada", "fail"), ("bo", "pass")]


def test_somebody_must_have_labelled(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('{"turnwise": "labels", "version": 1, "author": " ", "labels": []}')
    with pytest.raises(SettingError, match=r"labels.json does not say who labelled"):
        take_labels(store, read_labels(path))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("[]", "no file of labels"),
        ('{"turnwise": "scores"}', "no file of labels"),
        ('{"turnwise": "labels", "version": 2}', "of version 2"),
        ('{"turnwise": "labels", "version": 1, "labels": {}}', "holds no list"),
    ],
)
def test_another_file_is_no_file_of_labels(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=told) as caught:
        read_labels(path)
    assert caught.value.next_step


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(tmp_path / "none.json")
