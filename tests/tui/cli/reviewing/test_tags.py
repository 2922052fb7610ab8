"""turnwise tags: listing, giving and taking tags without the app."""

from __future__ import annotations

import pytest
from stored import keep


@pytest.fixture
def sessions(store):
    return [keep(store, f"invoice {number}", "b") for number in range(4)]


def test_tags_are_given_listed_and_taken(turnwise, sessions):
    assert "There are no tags yet" in turnwise("tags").err
    assert turnwise("tags", "give", "billing", *sessions[:2]).out == "billing: given to 2 sessions.\n"
    again = turnwise("tags", "give", "billing", "invoice", "--json").row
    assert again == {"tag": "billing", "chosen": 4, "given": 2}
    assert turnwise("tags", "take", "billing", sessions[0]).out == "billing: taken from 1 session.\n"
    assert turnwise("tags", "--json").row == {"tag": "billing", "sessions": 3}
    assert turnwise("tags").out.splitlines()[1].split() == ["billing", "3"]
    assert {row["id"] for row in turnwise("sessions", "tag:billing", "--json").rows} == set(sessions[1:])


def test_what_cannot_be_is_told(turnwise, sessions):
    assert turnwise("tags", "give", "billing", 99).code == 2
    assert turnwise("tags", "give", "billing", "no such words").code == 2
    assert "A tag needs a name" in turnwise("tags", "give", " ", sessions[0]).err


def test_a_hostile_tag_is_shown_and_not_obeyed(turnwise, sessions):
    assert turnwise("tags", "give", "\x1b[31mred\x07", sessions[0]).code == 0
    assert "\x1b" not in turnwise("tags").out
