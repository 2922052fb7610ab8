"""Numbers of turns, and how turns are grouped into exchanges."""

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import Turn
from turnwise.conversations.turns import RetrievedContext, group_exchanges, number_turns, passage_text

ROLES = {"u": "user", "a": "assistant", "s": "system", "t": "tool", "d": "developer"}


def turns(letters: str) -> list[Turn]:
    return [Turn(role=ROLES[letter], content=letter) for letter in letters]


def groups(letters: str) -> list[str]:
    return ["".join(letters[place] for place in group) for group in group_exchanges(turns(letters))]


def test_only_spoken_turns_are_numbered_from_one():
    assert number_turns(turns("suatadu")) == [None, 1, 2, None, 3, None, 4]
    assert number_turns([]) == []
    assert [turn.is_spoken for turn in turns("uastd")] == [True, True, False, False, False]


def test_a_new_exchange_begins_at_a_user_turn_after_an_assistant_turn():
    assert groups("ua") == ["ua"]
    assert groups("uaua") == ["ua", "ua"]


def test_repeated_roles_stay_together():
    assert groups("uuaa") == ["uuaa"]
    assert groups("uuaaua") == ["uuaa", "ua"]


def test_a_leading_greeting_joins_the_first_exchange():
    assert groups("aua") == ["aua"]
    assert groups("aaauaua") == ["aaaua", "ua"]


def test_a_trailing_user_turn_is_an_exchange_of_its_own():
    assert groups("uau") == ["ua", "u"]
    assert groups("u") == ["u"]


def test_what_nobody_said_goes_with_the_exchange_it_stands_in():
    assert groups("suatau") == ["suata", "u"]
    assert groups("sd") == []
    assert groups("a") == ["a"]


@given(st.text(alphabet="uastd", max_size=30))
def test_every_spoken_turn_is_in_exactly_one_exchange_in_order(letters):
    grouped = [place for group in group_exchanges(turns(letters)) for place in group]
    assert grouped == sorted(set(grouped))
    spoken = [place for place, letter in enumerate(letters) if letter in "ua"]
    assert set(spoken) <= set(grouped)


def test_a_passage_is_its_text_whatever_its_form():
    assert passage_text("p") == passage_text(RetrievedContext(context="p", source="s")) == "p"
