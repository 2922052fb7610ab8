"""How often failure modes occur, and the notes they come from."""

import pytest
from stored import keep


@pytest.fixture
def sessions(store):
    roles = ["Airline agent", "Airline agent", "Bank clerk", "Bank clerk", "Bank clerk"]
    tags = [["travel"], ["travel", "late"], ["late"], [], []]
    return [
        keep(store, f"talk {number}", name=f"Talk {number}", chatbot_role=role, tags=tag)
        for number, (role, tag) in enumerate(zip(roles, tags, strict=True))
    ]


@pytest.fixture
def coded(store, sessions):
    """Asks in 0, 1 and 2; invents in 2; 3 passed; 4 deferred, so not reviewed."""
    asks = store.modes.add("Asks", "It asks again.", "ada")
    invents = store.modes.add("Invents", "It invents.", "ada")
    store.modes.add("Never", "It never occurs.", "ada")
    store.modes.assign(sessions[:3], asks, "ada")
    store.modes.assign(sessions[2:3], invents, "ada")
    store.labels.add(sessions[0], "fail", author="ada", blind=True)
    store.labels.add(sessions[3], "pass", author="ada", blind=True)
    store.labels.add(sessions[4], "defer", author="ada", blind=True)
    return sessions


def rows(rates):
    return [(rate.name, rate.group, rate.sessions, rate.reviewed) for rate in rates]


def test_the_share_is_of_the_sessions_that_somebody_looked_at(store, coded):
    rates = store.modes.rates()
    assert rows(rates) == [("Asks", None, 3, 4), ("Invents", None, 1, 4), ("Never", None, 0, 4)]
    assert rates[0].share == 0.75


def test_rates_within_roles_and_tags_name_where_a_mode_occurs(store, coded):
    assert rows(store.modes.rates("role")) == [
        ("Asks", "Airline agent", 2, 2),
        ("Asks", "Bank clerk", 1, 2),
        ("Invents", "Bank clerk", 1, 2),
    ]
    assert rows(store.modes.rates("tag")) == [
        ("Asks", "late", 2, 2),
        ("Asks", "travel", 2, 2),
        ("Invents", "late", 1, 2),
    ]


def test_a_tag_that_all_have_parts_nothing_and_is_left_out_where_there_are_others(store, coded):
    store.tags.change(coded, give=["all of them"])
    assert "all of them" not in {rate.group for rate in store.modes.rates("tag")}
    assert {rate.group for rate in store.modes.rates("tag")} == {"late", "travel"}


def test_a_label_that_was_taken_back_is_no_review(store, coded):
    store.labels.add(coded[3], None, author="ada", blind=True)
    store.labels.add(coded[4], "pass", author="ada", blind=True, metric="politeness")
    assert {rate.reviewed for rate in store.modes.rates()} == {3}


def test_without_modes_there_are_no_rates(store, sessions):
    assert store.modes.rates() == store.modes.rates("role") == []


def test_notes_stand_newest_first_with_what_was_made_of_them(store, coded):
    store.labels.add(coded[0], "fail", author="ada", blind=True, note="Asks for the number twice", turn=4)
    store.labels.add(coded[3], "pass", author="ada", blind=True, note="Fine, but long")
    store.labels.add(coded[1], "fail", author="bob", blind=True, note="a draft")
    store.labels.add(coded[1], "fail", author="bob", blind=True, note="Same question again")
    notes = store.modes.notes()
    assert [(row.session, row.note, row.author, row.turn, row.modes) for row in notes] == [
        ("Talk 1", "Same question again", "bob", None, ("Asks",)),
        ("Talk 3", "Fine, but long", "ada", None, ()),
        ("Talk 0", "Asks for the number twice", "ada", 4, ("Asks",)),
    ]
    assert [row.session for row in store.modes.notes(uncoded=True)] == ["Talk 3"]
    assert len(store.modes.notes(limit=2)) == 2


def test_a_note_that_was_taken_back_is_gone(store, sessions):
    store.labels.add(sessions[0], "fail", author="ada", blind=True, note="x")
    store.labels.add(sessions[0], "fail", author="ada", blind=True)
    assert store.modes.notes() == []


def test_a_note_tells_of_what_its_author_gave_and_of_what_nobody_gave_who_wrote_one(store, sessions):
    asks, invents = (store.modes.add(name, "", "ada") for name in ("Asks", "Invents"))
    both, coded_later = sessions[:2]
    for author, word in (("ada", "fail"), ("bob", "pass")):
        store.labels.add(both, word, author=author, blind=True, note=f"{author} writes")
    store.labels.add(coded_later, "fail", author="bob", blind=True, note="the same again")
    store.modes.assign([both], asks, "ada")
    # Whoever sorts the notes of others names what they tell of.
    store.modes.assign([both, coded_later], invents, "cleo")

    def told():
        return {(row.session_id, row.author): (row.modes, row.told) for row in store.modes.notes()}

    assert told() == {
        (both, "ada"): (("Asks", "Invents"), ("Asks", "Invents")),
        (both, "bob"): (("Asks", "Invents"), ("Invents",)),
        (coded_later, "bob"): (("Invents",), ("Invents",)),
    }
    others = {(row.session_id, row.author): row.others for row in store.modes.notes()}
    assert others == {(both, "ada"): (), (both, "bob"): (("Asks", "ada"),), (coded_later, "bob"): ()}
    store.modes.assign([both], asks, "bob", too=True)
    assert {len(told()[both, author][1]) for author in ("ada", "bob")} == {2}
