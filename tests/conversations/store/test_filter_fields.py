"""Filter fields: one list, by which queries are read, completed and explained."""

from stored import keep

from turnwise.conversations.store.completing.vocabulary import Vocabulary, completions
from turnwise.conversations.store.filter_fields import FILTER_FIELDS, Condition, FilterField, fields_help


def longest(text, known):
    return Condition("length(s.name) <= ?", (int(text),))


def typed(query):
    return [found.text for found in completions(query, len(query), Vocabulary())[1]]


def test_a_field_that_is_added_is_read_completed_and_explained(store, monkeypatch):
    short = FilterField("zzz_longest", "zzz_longest:N", longest, words=("5", "50"))
    monkeypatch.setitem(FILTER_FIELDS, short.name, short)
    keep(store, "a", "b", name="A rather long name")
    wanted = keep(store, "a", "b", name="Bag")
    assert store.sessions.ids("zzz_longest:5") == [wanted]
    assert [found.text for found in completions("zzz", 3, Vocabulary())[1]] == ["zzz_longest:"]
    assert [found.text for found in completions("zzz_longest:", 12, Vocabulary())[1]] == [
        "zzz_longest:5",
        "zzz_longest:50",
    ]
    assert "zzz_longest:N" in "  ".join(fields_help(76))


def test_every_field_has_a_way_to_be_asked_and_stands_in_the_help():
    told = " ".join(fields_help(30))
    for one in FILTER_FIELDS.values():
        assert (one.condition is None) != (one.compared is None)
        assert one.written.startswith(one.name)
        assert one.written in told
