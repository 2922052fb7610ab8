"""An import is taken back, but for what somebody did something with since."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from stored import keep, land, said, score

from turnwise.conversations.importing import import_file
from turnwise.conversations.store import BroughtIn, PairedSessions, Store


def written(path: Path, *names: str) -> Path:
    cases = [
        {"name": name, "turns": [{"role": "user", "content": name}, {"role": "assistant", "content": "Yes."}]}
        for name in names
    ]
    path.write_text(json.dumps(cases))
    return path


def brought(store: Store, path: Path, *names: str, at: float | None = None) -> BroughtIn:
    import_file(store, written(path, *names), at=at)
    newest = store.taking_back.newest()
    assert newest is not None
    return newest


def test_its_new_sessions_go_and_what_was_there_stays(store: Store, tmp_path: Path) -> None:
    assert store.taking_back.newest() is None
    first = brought(store, tmp_path / "first.json", "a", "b")
    wrong = brought(store, tmp_path / "wrong.json", "b", "c", "d")
    assert (wrong.came_from, wrong.there_before, len(wrong.sessions)) == ("wrong.json", 1, 2)
    taken = store.taking_back.take_back(wrong)
    assert (taken.stakes.sessions, dict(taken.kept)) == (2, {})
    assert store.sessions.ids() == first.sessions
    # A second time there is nothing left of it.
    assert store.taking_back.take_back(wrong).stakes.sessions == 0


def in_a_pair(store: Store, session: int) -> None:
    store.pairs.add("bots", [PairedSessions(1, session, keep(store, "other"), "one", "two")], {"by": "model"})


DONE: dict[str, Callable[[Store, int], object]] = {
    "labelled": lambda store, one: store.labels.add(one, "fail", author="ann", blind=True, note="rude"),
    "given a failure mode": lambda store, one: store.modes.assign(
        [one], store.modes.add("rude", "It is rude.", author="ann"), author="ann"
    ),
    "tagged": lambda store, one: store.tags.change([one], give=["mine"]),
    "put in a queue": lambda store, one: store.queues.add("mine", [one], sampler="random"),
    "scored": lambda store, one: land(store, one, score(0.2)),
    "grown": lambda store, one: store.growing.grow(one, said("b", "Yes.", "And now?", "Still.")),
}


@pytest.mark.parametrize("what", DONE)
def test_what_somebody_did_something_with_since_stays(store: Store, tmp_path: Path, what: str) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a", "b", "c")
    used = wrong.sessions[1]
    DONE[what](store, used)
    would = store.taking_back.look(wrong)
    taken = store.taking_back.take_back(wrong)
    assert would == taken
    assert (taken.stakes.sessions, dict(taken.kept)) == (2, {what: 1})
    assert store.sessions.ids() == [used]


def test_one_of_a_pair_stays(store: Store, tmp_path: Path) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a", "b")
    in_a_pair(store, wrong.sessions[0])
    assert dict(store.taking_back.take_back(wrong).kept) == {"put in a queue": 1}
    assert wrong.sessions[0] in store.sessions


def test_the_last_one_stays_where_another_last_turn_took_the_place_of_its_own(
    store: Store, tmp_path: Path
) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a", "b")
    store.growing.grow(wrong.sessions[-1], said("b", "Yes. As I said."))
    assert dict(store.taking_back.take_back(wrong).kept) == {"grown": 1}


@pytest.mark.parametrize("more", ["Yes.", "Yes. As I said."])
def test_what_grew_after_the_last_one_was_forgotten_stays(store: Store, tmp_path: Path, more: str) -> None:
    """The turns of the last one had the highest numbers, which no turn may get that came later."""
    wrong = brought(store, tmp_path / "wrong.json", "a", "b")
    store.forgetting.forget(wrong.sessions[-1:])
    store.growing.grow(wrong.sessions[0], said("a", more, "Thanks."))
    assert dict(store.taking_back.look(wrong).kept) == {"grown": 1}
    assert dict(store.taking_back.take_back(wrong).kept) == {"grown": 1}
    assert store.sessions.ids() == wrong.sessions[:1]


def test_what_was_forgotten_and_brought_back_did_not_grow_by_that(store: Store, tmp_path: Path) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a", "b")
    forgotten = store.forgetting.forget(wrong.sessions[-1:], to_bring_back=True)
    store.forgetting.bring_back(forgotten)
    assert dict(store.taking_back.take_back(wrong).kept) == {}


def test_what_was_taken_back_again_keeps_nothing(store: Store, tmp_path: Path) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a")
    store.tags.undo(store.tags.change(wrong.sessions, give=["mine"]))
    for label in ("fail", None):
        store.labels.add(wrong.sessions[0], label, author="ann", blind=True)
    store.modes.assign(wrong.sessions, store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    store.modes.undo("ann")
    assert store.taking_back.take_back(wrong).stakes.sessions == 1


def test_what_came_with_the_file_goes_with_it(store: Store, tmp_path: Path) -> None:
    from turnwise.conversations.exports import export_sessions

    kept = keep(store, "a", tags=["lost"])
    store.labels.add(kept, "fail", author="ann", blind=True)
    store.modes.assign([kept], store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    land(store, kept, score(0.2))
    export_sessions(store, [kept], to="jsonl", output=tmp_path / "kept.jsonl")
    store.forgetting.forget([kept])
    import_file(store, tmp_path / "kept.jsonl")
    wrong = store.taking_back.newest()
    assert wrong is not None
    taken = store.taking_back.take_back(wrong)
    stakes = taken.stakes
    assert (stakes.sessions, stakes.labels, stakes.modes, stakes.scores) == (1, 1, 1, 1)
    assert dict(taken.kept) == {}


def role_of(store: Store, session: int) -> str:
    return store.sessions.get(session).chatbot_role


def test_a_role_that_it_gave_goes_where_there_was_none_and_nothing_was_scored_since(
    store: Store, tmp_path: Path
) -> None:
    path = written(tmp_path / "talks.json", "a", "b", "c", "d")
    import_file(store, path)
    first, second, third, fourth = store.sessions.ids()
    land(store, second, score(0.2))
    store.forgetting.forget([third])
    import_file(store, path, role="A clerk")
    given = store.taking_back.newest()
    assert given is not None
    # The one that was forgotten is new again, with its role; the spans leave it out.
    assert given.given_roles == ((first, second), (fourth, fourth))
    [new] = given.sessions
    land(store, fourth, score(0.2))
    store.labels.add(new, "fail", author="ann", blind=True)
    would = store.taking_back.look(given)
    taken = store.taking_back.take_back(given)
    assert would == taken
    assert (taken.roles, taken.roles_kept, taken.is_nothing) == (2, 1, False)
    # What was scored before was scored without it.
    assert [role_of(store, one) for one in (first, second, fourth, new)] == ["", "", "A clerk", "A clerk"]
    again = store.taking_back.look(given)
    assert (again.roles, again.is_nothing) == (0, True)


def test_a_role_that_was_there_or_that_another_file_of_the_import_gave_first_stays(
    store: Store, tmp_path: Path
) -> None:
    path = written(tmp_path / "talks.json", "a")
    import_file(store, path, role="A clerk", at=50.0)
    import_file(store, path, role="A clerk", at=100.0)
    known = store.taking_back.newest()
    assert known is not None
    assert known.given_roles == ()
    # New in the first file, and named by the second one of the same import.
    more = written(tmp_path / "more.json", "b")
    import_file(store, more, at=200.0)
    import_file(store, more, role="A clerk", at=200.0)
    both = store.taking_back.newest()
    assert both is not None
    assert (len(both.sessions), both.sessions_given_roles) == (1, [])


def test_an_import_that_an_earlier_turnwise_kept_gave_no_role(store: Store, tmp_path: Path) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a")
    with store._database.writing() as connection:
        connection.execute("UPDATE remembered SET value = json_remove(value, '$.given_roles')")
    assert store.taking_back.newest() == wrong


def test_files_that_came_in_together_are_one_import(store: Store, tmp_path: Path) -> None:
    brought(store, tmp_path / "one.json", "a", "b", at=100.0)
    both = brought(store, tmp_path / "two.json", "b", "c", at=100.0)
    assert (both.came_from, both.files, both.spans, both.there_before) == ("one.json", 2, ((1, 3),), 1)
    alone = brought(store, tmp_path / "three.json", "d", at=200.0)
    assert (alone.came_from, alone.files, len(alone.sessions)) == ("three.json", 1, 1)


def test_a_file_that_is_followed_is_no_import_to_take_back(store: Store, tmp_path: Path) -> None:
    import_file(store, written(tmp_path / "log.json", "a"), followed="log")
    assert store.taking_back.newest() is None


def test_one_that_was_stopped_brought_nothing(store: Store, tmp_path: Path) -> None:
    def stop(report: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_file(store, written(tmp_path / "wrong.json", "a"), on_read=stop)
    assert store.taking_back.newest() is None


def test_who_stops_keeps_the_rest(store: Store, tmp_path: Path) -> None:
    wrong = brought(store, tmp_path / "wrong.json", "a")
    assert store.taking_back.take_back(wrong, stop=lambda: True).stakes.sessions == 0
    assert wrong.sessions[0] in store.sessions
