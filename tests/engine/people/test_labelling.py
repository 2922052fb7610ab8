"""What one person says of a session follows from the rows of labels alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store.rows import LabelRow, TurnRow
from turnwise.engine.people.labelling import (
    NOTHING,
    WHOLE,
    CurrentLabel,
    LabelChange,
    LabelStep,
    PersonLabels,
    failing_turn,
    judged,
    labels_of_others,
    noted,
    rebased,
)


def row(
    word: LabelWord | None,
    *,
    turn: int | None = None,
    note: str = "",
    author: str = "mia",
    blind: bool = False,
    metric: str = "",
) -> LabelRow:
    return LabelRow(1, 1, word, turn, note, author, blind, 0.0, metric)


class Writer:
    """A person at the keys: every change becomes a row, as in the database."""

    def __init__(self) -> None:
        self.rows: list[LabelRow] = []
        self.labelling = PersonLabels("mia")

    def say(self, after: CurrentLabel, metric: str = "", step: LabelStep = "") -> None:
        one = row(after.word, turn=after.turn, note=after.note, blind=after.blind, metric=metric)
        self.rows.append(one)
        self.labelling.take(one, step)

    def step(self, change: LabelChange | None, step: LabelStep) -> None:
        if change is not None:
            self.say(change.after, change.subject[0], step)


def test_the_newest_row_stands_and_others_are_left_out() -> None:
    labelling = PersonLabels(
        "mia", [row("pass"), row("fail", turn=4, note="asks again"), row("pass", author="bo")]
    )
    assert labelling.whole == CurrentLabel("fail", 4, "asks again")


def test_a_row_without_word_and_note_takes_back() -> None:
    labelling = PersonLabels("mia", [row("fail", turn=4), row(None, turn=4)])
    assert labelling.whole == NOTHING
    assert labelling.to_undo is None
    assert labelling.to_redo is not None


def test_a_note_alone_is_no_judgement() -> None:
    labelling = PersonLabels("mia", [row(None, note="odd")])
    assert labelling.whole.note == "odd"
    assert labelling.whole.word is None


def test_undo_and_redo_go_through_all_changes_and_only_add_rows() -> None:
    writer = Writer()
    writer.say(CurrentLabel("pass"))
    writer.say(CurrentLabel("fail", 4))
    writer.say(CurrentLabel("fail"), "faithfulness")
    for _ in range(3):
        writer.step(writer.labelling.to_undo, "undo")
    assert writer.labelling.whole == NOTHING
    assert not writer.labelling.of_metrics
    assert writer.labelling.to_undo is None
    for _ in range(3):
        writer.step(writer.labelling.to_redo, "redo")
    assert writer.labelling.whole == CurrentLabel("fail", 4)
    assert writer.labelling.of(("faithfulness", None)).word == "fail"
    assert writer.labelling.to_redo is None
    assert len(writer.rows) == 9


def test_after_a_new_change_nothing_can_be_done_again() -> None:
    writer = Writer()
    writer.say(CurrentLabel("pass"))
    writer.step(writer.labelling.to_undo, "undo")
    writer.say(CurrentLabel("defer"))
    assert writer.labelling.to_redo is None


def test_saying_the_same_again_is_no_change() -> None:
    labelling = PersonLabels("mia", [row("pass"), row("pass")])
    change = labelling.to_undo
    assert change is not None
    assert change.after == NOTHING


def test_an_undone_mind_can_be_told_from_one_that_went_back() -> None:
    writer = Writer()
    for word in ("pass", "fail", "pass"):
        writer.say(CurrentLabel(word))  # type: ignore[arg-type]
    change = writer.labelling.to_undo
    assert change is not None
    assert change.after.word == "fail"


WORDS = st.sampled_from(["pass", "fail", "defer"])
STEPS = st.one_of(
    st.sampled_from(["undo", "redo"]),
    st.tuples(WORDS, st.sampled_from(["", "faithfulness"]), st.sampled_from(["", "odd"])),
)


@given(st.lists(STEPS, max_size=30))
def test_the_rows_alone_tell_what_holds(steps: list[object]) -> None:
    writer = Writer()
    for step in steps:
        if step == "undo":
            writer.step(writer.labelling.to_undo, "undo")
        elif step == "redo":
            writer.step(writer.labelling.to_redo, "redo")
        elif isinstance(step, tuple):
            writer.say(CurrentLabel(step[0], note=step[2]), step[1])
    again = PersonLabels("mia", writer.rows)
    for subject in (WHOLE, ("faithfulness", None)):
        assert again.of(subject) == writer.labelling.of(subject)
    # And undoing to the end leads to nothing, in both.
    for labelling in (again, writer.labelling):
        while (change := labelling.to_undo) is not None:
            after = change.after
            labelling.take(
                row(after.word, turn=after.turn, note=after.note, metric=change.subject[0]), "undo"
            )
        assert labelling.whole == NOTHING


def test_only_a_fail_has_a_turn_and_the_note_stays() -> None:
    said = judged(replace(NOTHING, note="odd"), "fail", 4, hidden=True)
    assert said == CurrentLabel("fail", 4, "odd", blind=True)
    assert judged(said, "pass", 6, hidden=False) == CurrentLabel("pass", None, "odd", blind=False)


def test_a_word_stays_blind_when_its_turn_or_note_changes_once_scores_are_seen() -> None:
    said = judged(NOTHING, "fail", 4, hidden=True)
    assert judged(said, "fail", 6, hidden=False).blind
    assert noted(said, " asks again\n", hidden=False) == CurrentLabel("fail", 4, "asks again", blind=True)
    assert not judged(said, "pass", None, hidden=False).blind


def test_what_others_say_by_now() -> None:
    rows = [row("pass", author="bo"), row("fail", author="bo"), row("pass"), row("pass", author="cy")]
    rows += [row(None, author="cy"), row("fail", author="dee", metric="faithfulness")]
    assert {name: one.label for name, one in labels_of_others(rows, "mia").items()} == {"bo": "fail"}


def test_a_note_from_one_window_leaves_the_word_of_another() -> None:
    here, there = CurrentLabel(), CurrentLabel("fail", 3, blind=True)
    assert rebased(there, here, CurrentLabel(note="odd")) == CurrentLabel("fail", 3, "odd", blind=True)
    assert rebased(CurrentLabel(note="odd"), here, CurrentLabel("pass", blind=True)) == CurrentLabel(
        "pass", None, "odd", True
    )


def test_the_word_that_is_said_last_holds_with_its_turn() -> None:
    assert rebased(CurrentLabel("fail", 3), CurrentLabel(), CurrentLabel("pass")) == CurrentLabel("pass")
    assert rebased(CurrentLabel("fail", 3), CurrentLabel("fail", 3), CurrentLabel("fail", 5)) == CurrentLabel(
        "fail", 5
    )


def message(position: int, role: str, number: int | None) -> TurnRow:
    return TurnRow(position, number, role, "words")


TALK = (
    message(0, "system", None),
    message(1, "user", 1),
    message(2, "tool", None),
    message(3, "assistant", 2),
    message(4, "user", 3),
)


@pytest.mark.parametrize(
    ("position", "meant"),
    [(0, None), (1, 2), (2, 2), (3, 2), (4, 3)],
    ids=["no turn", "the reply", "the reply after a tool", "the reply itself", "what nobody answered"],
)
def test_a_failure_is_put_down_at_the_reply(position: int, meant: int | None) -> None:
    assert failing_turn(TALK[position], TALK[position + 1 :]) == meant
