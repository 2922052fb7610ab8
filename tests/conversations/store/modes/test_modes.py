"""Failure modes: named, changed, merged, assigned and taken back, with all of it kept."""

import pytest
from stored import keep

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.findings import FoundMode

ASKS, INVENTS = "Asks again", "Invents a policy"


@pytest.fixture
def modes(store):
    return store.modes


@pytest.fixture
def sessions(store):
    roles = ["Airline agent", "Airline agent", "Bank clerk", "Bank clerk"]
    tags = [["travel"], ["travel", "late"], ["late"], []]
    return [
        keep(store, f"talk {number}", chatbot_role=role, tags=tag)
        for number, (role, tag) in enumerate(zip(roles, tags, strict=True))
    ]


@pytest.fixture
def asks(modes):
    return modes.add(ASKS, "It asks for what it was told before.", "ada")


@pytest.fixture
def invents(modes):
    return modes.add(INVENTS, "It states a rule that nobody gave it.", "ada")


def names(found):
    return [one.name for one in found]


def words(modes, mode_id):
    return [event.words for event in modes.history(mode_id)]


def test_a_mode_has_a_name_a_definition_and_who_named_it(modes):
    mode_id = modes.add("  Asks   again ", "It asks for what\nit was told.", "ada", proposed_by="judge-1")
    [mode] = modes.all()
    assert (mode.id, mode.name, mode.definition) == (mode_id, ASKS, "It asks for what it was told.")
    assert (mode.author, mode.proposed_by, mode.sessions, mode.active) == ("ada", "judge-1", 0, True)


@pytest.mark.parametrize(
    ("name", "told"),
    [(" ", "needs a name"), ("x" * 61, "longer than 60"), ('a "b"', "cannot be called"), ("None", "cannot")],
)
def test_a_name_that_the_filter_could_not_tell_is_refused(modes, name, told):
    with pytest.raises(SettingError, match=told):
        modes.add(name, "A sentence.", "ada")


def test_a_mode_is_defined_at_once_or_later_and_never_undefined_again(modes):
    asks = modes.add(ASKS, " ", "ada")
    assert modes.get(asks).definition == ""
    modes.define(asks, "It asks twice.", "bob")
    with pytest.raises(SettingError, match="needs a definition"):
        modes.define(asks, " ", "bob")
    assert modes.get(asks).definition == "It asks twice."


def test_what_was_given_last_comes_first_and_a_queue_counts_its_own(modes, sessions, store):
    asks, rude = modes.add(ASKS, "x", "ada"), modes.add("Rude", "x", "ada")
    one, two, *_ = sessions
    modes.assign([one], asks, "ada")
    modes.assign([one, two], rude, "ada")
    modes.unassign([one], rude, "ada")
    assert modes.newest_given(9) == [rude, asks]
    queue = store.queues.add("mine", [one], sampler="random")
    assert [(mode.name, mode.sessions) for mode in modes.of_queue(queue)] == [(ASKS, 1)]


def test_two_modes_cannot_have_one_name(modes, asks, invents):
    with pytest.raises(SettingError, match="already"):
        modes.add("asks AGAIN", "x", "bob")
    with pytest.raises(SettingError, match="already"):
        modes.rename(invents, ASKS, "bob")
    modes.rename(asks, "asks again", "bob")
    assert modes.get(asks).name == "asks again"


def test_a_mode_is_found_by_its_name_or_a_part_that_no_other_has(modes, asks, invents):
    assert modes.find("asks again").id == asks
    assert modes.find("policy").id == invents
    with pytest.raises(NotFoundError, match=f"could be {ASKS} or {INVENTS}"):
        modes.find("a")
    with pytest.raises(NotFoundError) as caught:
        modes.find("asks agian")
    assert "Did you mean asks again?" in caught.value.next_step


def test_a_rename_and_a_new_definition_are_history(modes, asks):
    modes.rename(asks, "Forgets", "bob")
    modes.define(asks, "It forgets what it was told.", "bob")
    modes.define(asks, "It forgets what it was told.", "bob")
    events = modes.history(asks)
    assert [(event.author, event.words) for event in events] == [
        ("ada", f"added as {ASKS}"),
        ("bob", "renamed to Forgets"),
        ("bob", "defined: It forgets what it was told."),
    ]
    assert events[0].at <= events[1].at


def test_a_name_and_a_definition_are_changed_and_taken_back_in_one(modes, asks):
    modes.change(asks, "Asks twice", "It asks for the same thing a second time.", "mia")
    assert [event.what for event in modes.history(asks)] == ["added", "renamed", "defined"]
    assert modes.undo("mia").what == "renamed"
    assert (modes.get(asks).name, modes.get(asks).definition) == (
        ASKS,
        "It asks for what it was told before.",
    )
    modes.change(asks, "Asks again", "It asks again.", "mia")
    assert modes.undo("mia").what == "defined"


def test_a_name_is_corrected_without_a_definition_where_there_is_none_yet(modes, asks):
    rude = modes.add("Rudde", "", "mia")
    modes.change(rude, "Rude", " ", "mia")
    assert (modes.get(rude).name, modes.get(rude).definition) == ("Rude", "")
    with pytest.raises(SettingError, match="needs a definition"):
        modes.change(asks, "Asks twice", "", "mia")
    with pytest.raises(SettingError, match="called Asks again already"):
        modes.change(rude, "asks again", "", "mia")


def test_sessions_are_given_a_mode_in_bulk_and_each_once(modes, asks, sessions):
    assert modes.assign(sessions[:3], asks, "ada") == 3
    assert modes.assign(sessions, asks, "bob") == 1
    assert modes.all()[0].sessions == 4
    [one] = modes.of(sessions[0])
    assert (one.name, one.turn, one.author) == (ASKS, None, "ada")


def test_a_mode_can_stand_at_a_turn_and_move(modes, asks, sessions):
    modes.assign(sessions[:1], asks, "ada", turn=4)
    assert modes.assign(sessions[:1], asks, "ada") == 0
    assert [one.turn for one in modes.of(sessions[0])] == [4]
    assert modes.assign(sessions[:1], asks, "ada", turn=2) == 1
    assert [one.turn for one in modes.of(sessions[0])] == [2]


def test_every_session_may_have_a_turn_of_its_own(modes, asks, sessions):
    assert modes.assign(sessions[:2], asks, "ada", turn={sessions[0]: 4}) == 2
    assert [one.turn for session in sessions[:2] for one in modes.of(session)] == [4, None]


def test_a_mode_is_taken_away_by_a_new_row(modes, asks, sessions):
    modes.assign(sessions[:2], asks, "ada")
    assert modes.unassign(sessions, asks, "bob") == 2
    assert modes.of(sessions[0]) == []
    assert words(modes, asks) == [f"added as {ASKS}", "assigned to 2 sessions", "taken from 2 sessions"]


def test_who_takes_back_what_others_gave_too_leaves_it_to_them(modes, asks, sessions):
    [one, *_] = sessions
    modes.assign([one], asks, "ada", turn=2)
    assert modes.assign([one], asks, "bob", turn=4) == 1
    assert modes.assign([one], asks, "bob", turn=4, too=True) == 0
    [both] = modes.of(one)
    assert (both.author, both.turn, both.givers) == ("bob", 4, ("ada", "bob"))
    assert modes.only_by(one, "bob") == []
    assert modes.withdraw([one], asks, "cleo") == 0
    assert modes.withdraw([one], asks, "bob") == 1
    [left] = modes.of(one)
    assert (left.author, left.turn, left.givers) == ("ada", 2, ("ada",))
    assert modes.only_by(one, "ada") == [left]
    assert modes.history(asks)[-1].words == "taken from 1 session"
    # Given by nobody else, it goes.
    assert modes.withdraw([one], asks, "ada") == 1
    assert modes.of(one) == []
    assert modes.get(asks).active


def test_what_was_taken_back_alone_can_be_undone_and_done_again(modes, asks, sessions):
    [one, *_] = sessions
    modes.assign([one], asks, "ada", turn=2)
    modes.assign([one], asks, "bob", turn=4)
    modes.withdraw([one], asks, "bob")
    assert modes.undo("bob").words == "Asks again: taken back, 1 session"
    assert [(given.author, given.turn, given.givers) for given in modes.of(one)] == [
        ("bob", 4, ("ada", "bob"))
    ]
    modes.redo("bob")
    assert [(given.author, given.turn, given.givers) for given in modes.of(one)] == [("ada", 2, ("ada",))]


def test_an_undo_of_what_another_gave_too_leaves_it_to_them(modes, asks, sessions):
    [one, *_] = sessions
    modes.assign([one], asks, "ada", turn=2)
    modes.assign([one], asks, "bob", turn=2, too=True)
    for _ in range(2):
        modes.undo("bob")
        assert [given.givers for given in modes.of(one)] == [("ada",)]
        modes.redo("bob")
        assert [given.givers for given in modes.of(one)] == [("ada", "bob")]
    modes.assign([one], asks, "bob", turn=6)
    modes.undo("bob")
    assert [(given.turn, set(given.givers)) for given in modes.of(one)] == [(2, {"ada", "bob"})]


def test_of_merged_modes_each_persons_own_is_taken_back(modes, asks, invents, sessions):
    [one, *_] = sessions
    modes.assign([one], asks, "ada")
    modes.assign([one], invents, "bob")
    modes.merge(asks, invents, "ada")
    assert [given.givers for given in modes.of(one)] == [("ada", "bob")]
    assert modes.withdraw([one], invents, "ada") == 1
    assert [given.givers for given in modes.of(one)] == [("bob",)]
    assert modes.withdraw([one], invents, "bob") == 1
    assert modes.of(one) == []


def test_a_session_that_is_not_there_gets_nothing_and_neither_do_the_others(modes, asks, sessions):
    with pytest.raises(NotFoundError, match="not there"):
        modes.assign([sessions[0], 999], asks, "ada")
    assert modes.of(sessions[0]) == []


def test_a_merged_mode_counts_as_the_other_and_each_session_once(modes, asks, invents, sessions):
    modes.assign(sessions[:2], asks, "ada")
    modes.assign(sessions[1:3], invents, "ada")
    modes.merge(asks, invents, "bob")
    [mode] = modes.all()
    assert (mode.name, mode.sessions) == (INVENTS, 3)
    assert names(modes.of(sessions[1])) == [INVENTS]
    assert modes.find(ASKS).id == invents
    assert words(modes, invents)[-1] == f"took in {ASKS}"
    assert words(modes, asks)[-1] == f"merged into {INVENTS}"
    assert names(modes.all(inactive=True)) == [INVENTS, ASKS]


def test_what_is_taken_from_a_session_is_gone_whichever_mode_gave_it(modes, asks, invents, sessions):
    modes.assign(sessions[:1], asks, "ada")
    modes.assign(sessions[:1], invents, "ada")
    modes.merge(asks, invents, "ada")
    assert modes.unassign(sessions[:1], invents, "ada") == 1
    assert modes.of(sessions[0]) == []


def test_a_mode_that_is_out_of_use_takes_no_changes(modes, asks, invents, sessions):
    modes.merge(asks, invents, "ada")
    modes.retire(invents, "ada")
    for change in (
        lambda: modes.assign(sessions, asks, "ada"),
        lambda: modes.rename(invents, "x", "ada"),
        lambda: modes.merge(invents, asks, "ada"),
    ):
        with pytest.raises(SettingError, match=r"was (merged|retired)"):
            change()
    with pytest.raises(NotFoundError):
        modes.get(99)


def test_a_mode_is_not_merged_into_itself(modes, asks):
    with pytest.raises(SettingError, match="into itself"):
        modes.merge(asks, asks, "ada")


def test_what_counts_as_a_retired_mode_counts_no_more(modes, asks, invents, sessions):
    modes.assign(sessions, asks, "ada")
    modes.merge(asks, invents, "ada")
    modes.retire(invents, "ada")
    assert (modes.all(), modes.of(sessions[0]), modes.rates()) == ([], [], [])


# Taking back


def test_every_change_can_be_undone_and_made_again(modes, asks, invents, sessions):
    def state():
        return [(mode.name, mode.definition, mode.sessions) for mode in modes.all()]

    steps = [
        lambda: modes.assign(sessions[:2], asks, "ada", turn=2),
        lambda: modes.assign(sessions[:1], asks, "ada", turn=4),
        lambda: modes.rename(asks, "Forgets", "ada"),
        lambda: modes.define(asks, "Another sentence.", "ada"),
        lambda: modes.unassign(sessions[1:2], asks, "ada"),
        lambda: modes.merge(asks, invents, "ada"),
        lambda: modes.retire(invents, "ada"),
    ]
    seen = [state()]
    for step in steps:
        step()
        seen.append(state())
    for past in reversed(seen[:-1]):
        assert modes.undo("ada") is not None
        assert state() == past
    for later in seen[1:]:
        assert modes.redo("ada") is not None
        assert state() == later
    assert modes.redo("ada") is None


def test_what_is_made_again_is_what_was_undone_last(modes, asks):
    modes.rename(asks, "Asks twice", "ada")
    modes.undo("ada")
    modes.rename(asks, "Asks again", "ada")
    modes.undo("ada")
    modes.redo("ada")
    assert modes.get(asks).name == "Asks again"


def test_what_was_added_is_out_of_use_when_undone(modes, asks):
    assert modes.undo("ada").words == f"{ASKS}: added"
    assert modes.all() == []
    assert modes.undo("ada") is None
    modes.redo("ada")
    assert names(modes.all()) == [ASKS]
    assert words(modes, asks) == [f"added as {ASKS}", "retired (undo)", "restored (redo)"]


def test_a_turn_that_moved_moves_back(modes, asks, sessions):
    modes.assign(sessions[:1], asks, "ada", turn=2)
    modes.assign(sessions[:1], asks, "ada", turn=4)
    assert modes.undo("ada").words == f"{ASKS}: assigned, 1 session"
    assert [one.turn for one in modes.of(sessions[0])] == [2]


def test_nobody_undoes_what_somebody_else_did(modes, asks, sessions):
    modes.rename(asks, "Forgets", "bob")
    modes.undo("bob")
    assert modes.get(asks).name == ASKS
    assert modes.undo("bob") is None
    modes.rename(asks, "One", "ada")
    modes.rename(asks, "Two", "bob")
    modes.undo("ada")
    assert modes.get(asks).name == "Two"


def test_what_somebody_else_uses_by_now_stays_and_it_is_said_so(modes, asks, sessions):
    modes.assign(sessions[:2], asks, "bob")
    change = modes.undo("ada")
    assert change.told("Taken back") == f"Not taken back: {ASKS}: added, as somebody else uses it."
    assert [(one.name, one.sessions) for one in modes.all()] == [(ASKS, 2)]
    # It counts as dealt with: what came before it can be taken back.
    assert modes.undo("ada") is None


def test_what_another_was_merged_into_stays(modes, asks, sessions):
    other = modes.add("Forgets", "It forgets what it was told.", "bob")
    modes.assign(sessions[:1], other, "bob")
    modes.merge(other, asks, "bob")
    assert modes.undo("ada").kept
    assert [(one.name, one.sessions) for one in modes.all()] == [(ASKS, 1)]


def test_what_was_changed_since_is_not_told_as_taken_back(modes, asks, sessions):
    modes.rename(asks, "One", "ada")
    modes.rename(asks, "Two", "bob")
    assert modes.undo("ada").told("Taken back") == "Not taken back: Two: renamed, as it was changed since."
    modes.assign(sessions[:2], asks, "ada", turn=2)
    modes.assign(sessions[:1], asks, "bob", turn=4)
    assert modes.undo("ada").told("Taken back") == "Taken back: Two: assigned, 1 session."
    assert [one.turn for one in modes.of(sessions[0])] == [4]
    assert modes.of(sessions[1]) == []


def test_after_a_new_change_nothing_is_made_again(modes, asks):
    modes.rename(asks, "One", "ada")
    modes.undo("ada")
    modes.rename(asks, "Two", "ada")
    assert modes.redo("ada") is None


# Filtering


def test_the_filter_finds_sessions_by_mode(store, modes, asks, invents, sessions):
    modes.assign(sessions[:2], asks, "ada")
    modes.assign(sessions[2:3], invents, "ada")
    assert sorted(store.sessions.ids(f'mode:"{ASKS}"')) == sessions[:2]
    assert store.sessions.ids("mode:policy role:bank") == sessions[2:3]
    assert store.sessions.ids("mode:none") == sessions[3:]
    assert sorted(store.sessions.ids("-mode:none")) == sessions[:3]
    modes.merge(asks, invents, "ada")
    assert store.sessions.count(f'mode:"{INVENTS}"') == 3
    modes.retire(invents, "ada")
    assert store.sessions.count("mode:none") == 4


def test_a_mode_that_the_filter_does_not_know_is_told(store, asks, invents):
    with pytest.raises(SettingError, match="mode does not know") as caught:
        store.sessions.ids("mode:Ask-again")
    assert caught.value.next_step == f"Did you mean {ASKS}?"
    with pytest.raises(SettingError, match="could be"):
        store.sessions.ids("mode:a")
    with pytest.raises(SettingError, match="takes a word"):
        store.sessions.ids("mode:")


# Files


def test_modes_of_a_file_are_named_and_given_once(modes, asks, sessions):
    found = [
        FoundMode(name="asks again", definition="Other words.", author="eve", turn=2, at=5.0),
        FoundMode(name="Rude", definition="It is rude.", author="eve"),
    ]
    assert modes.add_new(sessions[0], found, at=7.0) == 2
    assert modes.add_new(sessions[0], found, at=8.0) == 0
    one, other = modes.of(sessions[0])
    assert (one.mode_id, one.turn, one.created_at) == (asks, 2, 5.0)
    assert (other.name, other.created_at) == ("Rude", 7.0)
    assert modes.found_in(sessions[0])[0] == FoundMode(
        name=ASKS, definition="It asks for what it was told before.", author="eve", turn=2, at=5.0
    )


def test_a_file_does_not_give_back_what_was_taken_away_here(modes, asks, sessions):
    modes.assign(sessions[:1], asks, "ada")
    modes.unassign(sessions[:1], asks, "ada")
    assert modes.add_new(sessions[0], [FoundMode(name=ASKS, definition="x", author="eve")], at=1.0) == 0
    assert modes.of(sessions[0]) == []


def test_what_somebody_did_about_a_session_is_told_with_what_others_took_from_it(modes, asks, sessions):
    session, lies = sessions[0], modes.add("lies", "", "me")
    modes.assign([session], asks, "me", turn=2)
    modes.assign([session], asks, "you", too=True)
    modes.withdraw([session], asks, "me")
    modes.unassign([session], asks, "you")
    modes.assign([session], lies, "me")
    modes.undo("me")
    done = modes.done_by(session, "me")
    assert [(one.mode.name, one.mode.author, one.given) for one in done] == [
        (ASKS, "me", True),
        (ASKS, "me", False),
        (ASKS, "you", False),
        ("lies", "me", True),
        ("lies", "me", False),
    ]
    assert done[0].mode.turn == 2
