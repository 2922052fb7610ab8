"""What is said where a filter finds nothing: which of its terms leave nothing, and which keys lead out."""

from __future__ import annotations

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store, Vocabulary
from turnwise.tui.library.library_keys import LibraryMoment
from turnwise.tui.library.no_match import found_by_name, found_without, way_out
from turnwise.tui.session_lists.stored_sessions import FoundSessions


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("bag zeppelin", "It finds 2 without “zeppelin”."),
        ("bag zeppelin role:clerk", ""),
        ("bag label:pass", "It finds 1 without “bag”, 2 without “label:pass”."),
        # Without it nothing is left to look for.
        ("zeppelin", ""),
        ("a b c d e f", ""),
    ],
)
def test_each_term_is_left_out_once(store: Store, query: str, told: str) -> None:
    found = {"bag": 2, "label:pass": 1}
    assert found_without(query, lambda rest: FoundSessions(store, range(found.get(rest, 0)))) == told


def test_a_rest_that_means_nothing_is_not_told(store: Store) -> None:
    def find(rest: str) -> FoundSessions:
        if rest == "label:":
            raise SettingError("no label")
        return FoundSessions(store, [1])

    assert found_without("label: zeppelin", find) == "It finds 1 without “label:”."


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("baggage", ["14 sessions have that tag: tag:baggage"]),
        ("zeppelin Baggage", ["14 sessions have that tag: tag:baggage"]),
        ("asks again", ['1 session has that failure mode: mode:"Asks again"']),
        ("role adherence", ["3 sessions fail by that metric: role_adherence:fail"]),
        ("disputed", ["2 sessions are labelled so: label:disputed"]),
        # Asked for as such already, or by those who say it.
        ("tag:baggage user:baggage", []),
        # A tag that no session has any longer.
        ("refund", []),
    ],
)
def test_a_word_that_is_a_name_in_the_database_is_told_as_one(
    store: Store, query: str, told: list[str]
) -> None:
    there = Vocabulary(["role_adherence"], {"tag": ["baggage", "refund"], "mode": ["Asks again"]})
    found = {"tag:baggage": 14, 'mode:"Asks again"': 1, "role_adherence:fail": 3, "label:disputed": 2}
    assert found_by_name(query, there, lambda one: FoundSessions(store, range(found.get(one, 0)))) == told


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (LibraryMoment(9, 0, typing=True, filtered=True), "esc clears it."),
        (LibraryMoment(9, 0, filtered=True), "/ changes it; esc clears it."),
        (LibraryMoment(9, 0, filtered=True, way_back="back to Runs"), "/ changes it; esc goes back to Runs."),
        # The same key would leave these first.
        (LibraryMoment(9, 0, filtered=True, selected=2), "/ changes it."),
    ],
)
def test_what_leads_out_is_told_as_the_keys_are(now: LibraryMoment, words: str) -> None:
    assert way_out(now, "/", "esc") == words
