"""What was likely meant, and how many there are, in words."""

import pytest

from turnwise.conversations.words import counted, did_you_mean, in_one_line, listed, nearest, percent


def test_the_most_alike_name_is_offered() -> None:
    assert nearest("faithfullness", ["faithfulness", "bias"]) == "faithfulness"
    assert did_you_mean("sesions", iter(["sessions", "session"])) == "Did you mean sessions?"


def test_nothing_is_offered_where_nothing_is_alike() -> None:
    assert nearest("xyz", ["faithfulness"]) is None
    assert did_you_mean("xyz", ["faithfulness"]) == ""
    assert did_you_mean("abcd", ["abxy"], alike=0.5) == "Did you mean abxy?"


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 sessions"), (1, "1 session"), (2, "2 sessions"), (1200, "1,200 sessions")]
)
def test_a_count_has_its_plural(count: int, words: str) -> None:
    assert counted(count, "session") == words


def test_a_plural_can_be_its_own() -> None:
    assert counted(2, "reply", "replies") == "2 replies"
    assert counted(1, "reply", "replies") == "1 reply"


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("asserts", "assert"),
        ("assetr", "assert"),
        ("di", "id"),
        ("ix", "id"),
        ("default_test", "defaultTest"),
        ("Expected-Output", "expected_output"),
        ("vras", "vars"),
    ],
)
def test_one_slip_of_the_hand_is_always_near(given: str, near: str) -> None:
    names = ["assert", "id", "defaultTest", "expected_output", "vars", "metadata"]
    assert nearest(given, names, alike=0.99) == near


def test_names_of_other_numbers_and_of_no_common_letter_are_not_near() -> None:
    assert nearest("q1", ["q2"], alike=0.75) is None
    assert nearest("a", ["b"]) is None


def test_a_name_that_begins_otherwise_is_near_only_where_it_may_be_a_slip() -> None:
    assert nearest("polite", ["role", "runs"]) is None
    assert nearest("polite", ["role", "politeness"]) == "politeness"
    assert nearest("rolle_adherance", ["role_adherence"]) == "role_adherence"
    assert nearest("relevancy", ["turn_relevancy"]) == "turn_relevancy"


def test_lines_become_sentences_without_a_second_full_stop() -> None:
    told = "It is away\nDid you mean echo?\nor echo.\n\nSee: \nAnd so on…"
    assert in_one_line(told) == "It is away. Did you mean echo? or echo. See: And so on…"


def test_a_share_in_percent_has_a_space() -> None:
    assert [percent(share) for share in (0, 0.666, 1)] == ["0 %", "67 %", "100 %"]


def test_parts_are_listed_as_a_sentence_does():
    assert [listed(["a", "b", "c"][:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
