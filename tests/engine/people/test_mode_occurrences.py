"""A failure mode is told by a few of its sessions: noted ones first, with the reply at which it shows."""

from __future__ import annotations

from stored import keep, land, score

from turnwise.conversations.results import Verdict
from turnwise.conversations.store import Store
from turnwise.engine.people.mode_occurrences import MOST_CHARACTERS, modes_in_words


def test_noted_sessions_come_first_with_the_reply_at_the_turn(store: Store) -> None:
    plain = keep(store, "Where is it?", "No idea.", name="plain")
    noted = keep(store, "Where is it?", "Ask\nelsewhere.", "Why?", "Because.", name="noted")
    rude = store.modes.add("rude", "Blames the user.", author="ann")
    store.modes.assign([plain, noted], rude, author="ann", turn={noted: 2})
    store.labels.add(noted, "fail", author="mia", blind=True, turn=2, note="sends the user away")
    [mode] = modes_in_words(store)
    assert (mode.name, mode.definition) == ("rude", "Blames the user.")
    first, second = mode.occurrences
    assert (first.session, first.turn, first.said) == ("noted", 2, "Ask elsewhere.")
    assert (first.note, first.author) == ("sends the user away", "mia")
    # Without a turn the last reply stands for it.
    assert (second.session, second.turn, second.said, second.note) == ("plain", None, "No idea.", "")


def test_beside_a_mode_stands_no_note_of_somebody_who_did_not_give_it(store: Store) -> None:
    talk = keep(store, "Where is it?", "Ask elsewhere.", name="talk")
    rude = store.modes.add("rude", "", author="ann")
    store.labels.add(talk, "fail", author="ann", blind=True, note="sends the user away")
    store.modes.assign([talk], rude, author="ann")
    store.labels.add(talk, "pass", author="mia", blind=True, note="short and right")
    [mode] = modes_in_words(store)
    assert [(one.note, one.author) for one in mode.occurrences] == [("sends the user away", "ann")]


def test_of_a_whole_session_the_reply_is_shown_at_which_a_metric_first_fails(store: Store) -> None:
    talk = keep(store, "Wo ist er?", "It is here.", "Danke!", "👍", name="talk")
    told = {2: False, 4: True}
    verdicts = tuple(Verdict(turn=turn, passed=passed, word="", reason="") for turn, passed in told.items())
    land(store, talk, score(0.0, verdicts=verdicts))
    english = store.modes.add("answers in English", "", author="ann")
    store.modes.assign([talk], english, author="ann")
    [mode] = modes_in_words(store)
    assert [(one.turn, one.said) for one in mode.occurrences] == [(None, "It is here.")]


def test_so_many_at_the_most_of_the_sessions_of_a_query_and_long_replies_are_cut(store: Store) -> None:
    talks = [keep(store, "Hi", "word " * 200, name=f"talk {place}") for place in range(5)]
    late = store.modes.add("late", "", author="ann")
    store.modes.assign(talks, late, author="ann")
    [mode] = modes_in_words(store)
    assert len(mode.occurrences) == 3
    assert all(len(one.said) <= MOST_CHARACTERS + 1 for one in mode.occurrences)
    [mode] = modes_in_words(store, f"id:{talks[4]}")
    assert [one.session_id for one in mode.occurrences] == [talks[4]]
    assert modes_in_words(store, "id:999") == []
