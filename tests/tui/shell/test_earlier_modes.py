"""Failure modes of earlier sittings are taken back in the order of their times, among the labels."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from stored import keep

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import AssignedMode, Store
from turnwise.engine.people.labelling import WHOLE, CurrentLabel, keep_label
from turnwise.tui.shell.earlier_modes import earlier_steps
from turnwise.tui.shell.mode_steps import ModesGiven

Write = Callable[[], object]


@pytest.fixture
def session(store: Store) -> int:
    return keep(store, "one", "Yes.")


def told(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch, *writes: Write, adjudicating: bool = False
) -> list[tuple[str, int, bool]]:
    """Write one after another, a minute apart, and return the steps that ada can take back."""
    for write in writes:
        now = time.time() + 60
        monkeypatch.setattr(time, "time", lambda now=now: now)
        write()
    steps = earlier_steps(
        store.modes.done_by(session, "ada"), store.labels.of(session), "ada", adjudicating=adjudicating
    )
    assert all(step.earlier for step in steps)
    return [(step.words, step.after, step.with_label) for step in steps]


def says(store: Store, session: int, word: LabelWord, note: str = "") -> Write:
    return lambda: keep_label(store, session, "ada", WHOLE, CurrentLabel(word, note=note))


def test_a_mode_stands_after_the_labels_that_came_before_it(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops, lies = (store.modes.add(name, "", "ada") for name in ("loops", "lies"))
    assert told(
        store,
        session,
        monkeypatch,
        lambda: store.modes.assign([session], lies, "ada"),
        says(store, session, "fail"),
        lambda: store.modes.assign([session], loops, "ada", turn=2),
        says(store, session, "fail", "oh"),
        lambda: store.modes.unassign([session], lies, "ada"),
    ) == [("lies", 0, False), ("loops", 1, False), ("no lies", 2, False)]


def test_what_was_undone_is_no_step_and_what_was_done_again_is_one(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops, lies = (store.modes.add(name, "", "ada") for name in ("loops", "lies"))
    gives, takes = (
        lambda: store.modes.assign([session], loops, "ada"),
        lambda: store.modes.withdraw([session], loops, "ada"),
    )
    other = [lambda: store.modes.assign([session], lies, "ada")]
    assert told(store, session, monkeypatch, *other, gives, takes) == [("lies", 0, False)]
    assert told(store, session, monkeypatch, gives) == [("lies", 0, False), ("loops", 0, False)]


def test_a_move_to_another_turn_and_back_is_none(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops = store.modes.add("loops", "", "ada")
    seen: list[AssignedMode] = []

    def gives(turn: int) -> None:
        store.modes.assign([session], loops, "ada", turn=turn)
        seen.extend(store.modes.of(session))

    moves = [lambda: gives(2), lambda: gives(4)]
    assert told(store, session, monkeypatch, *moves) == [("loops", 0, False)] * 2
    back = ModesGiven((seen[1],), (seen[0],), 1)
    assert told(store, session, monkeypatch, lambda: back.make(store, session, "ada", "undo")) == [
        ("loops", 0, False)
    ]
    assert [one.turn for one in store.modes.of(session)] == [2]


def test_what_a_pass_took_away_is_one_step_with_it_and_what_was_taken_later_is_not(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = [store.modes.add(name, "", "ada") for name in ("loops", "lies", "is rude")]

    def passes() -> None:
        says(store, session, "pass")()
        for mode in modes[:2]:
            store.modes.unassign([session], mode, "ada")

    assert told(
        store,
        session,
        monkeypatch,
        says(store, session, "fail"),
        *(lambda mode=mode: store.modes.assign([session], mode, "ada") for mode in modes),
        passes,
        lambda: store.modes.unassign([session], modes[2], "ada"),
    )[3:] == [("no loops, no lies", 2, True), ("no is rude", 2, False)]


def test_what_others_gave_or_took_away_is_not_taken_back(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops, lies = (store.modes.add(name, "", "ada") for name in ("loops", "lies"))
    assert not told(
        store,
        session,
        monkeypatch,
        lambda: store.modes.assign([session], loops, "bob"),
        lambda: store.modes.assign([session], lies, "ada"),
        lambda: store.modes.unassign([session], lies, "bob"),
    )


def test_who_settles_takes_back_what_they_gave_since_they_began_to(
    store: Store, session: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops, lies = (store.modes.add(name, "", "ada") for name in ("loops", "lies"))
    assert told(
        store,
        session,
        monkeypatch,
        lambda: store.modes.assign([session], lies, "ada"),
        lambda: keep_label(store, session, "ada", WHOLE, CurrentLabel("fail"), adjudicates=True),
        lambda: store.modes.assign([session], loops, "ada"),
        adjudicating=True,
    ) == [("loops", 1, False)]
