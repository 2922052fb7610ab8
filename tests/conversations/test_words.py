"""What was likely meant, and how many there are, in words."""

import pytest

from turnwise.conversations.words import counted, did_you_mean, nearest


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
