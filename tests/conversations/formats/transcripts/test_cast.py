"""Who speaks in a transcript."""

import pytest

from turnwise.conversations.formats.transcripts.lines import (
    Cast,
    are_surely_speakers,
    both_sides,
    cast_of,
    lines_of,
)


def cast(*texts: str, **given: tuple[str, ...]) -> Cast:
    found = cast_of(lines_of(texts), given)
    assert found is not None
    return found


def test_the_style_of_most_known_speakers_is_that_of_the_turns() -> None:
    assert cast("**User:** a", "Note: b", "**Bot:** c").style == "bold"
    assert cast("User: a", "**Note:** b", "Bot: c").style == "plain"
    assert cast("### User", "### Bot", "Tip: a").style == "heading"


def test_a_name_that_comes_once_beside_both_sides_is_a_word() -> None:
    assert cast("User: a", "Bot: b", "Note: c").roles == {"User": "user", "Bot": "assistant"}
    assert cast("User: a", "Bot: b", "Note: c", "Note: d").unknown == ["Note"]
    assert cast("User: a", "Bot: b", "Note: c", "Note: d", user=("User",)).unknown == []


def test_a_name_that_comes_once_is_a_speaker_where_one_side_is_missing() -> None:
    assert cast("Anna: a", "Bot: b", "Bot: c").roles == {"Anna": "user", "Bot": "assistant"}


def test_headings_of_other_levels_name_nobody() -> None:
    found = cast("# Title", "### User", "#### Detail", "### Bot")
    assert (found.names, found.level) == (["User", "Bot"], 3)


@pytest.mark.parametrize(
    ("texts", "decorated"),
    [
        (["User: a", "---", "Bot: b", "---", "User: c"], True),
        (["User: a", "Bot: b", "---", "User: c"], False),
    ],
)
def test_rules_between_question_and_reply_are_decoration(texts: list[str], decorated: bool) -> None:
    assert cast(*texts).decorated is decorated


def test_where_no_line_begins_with_a_name_nobody_speaks() -> None:
    assert cast_of(lines_of(["words", "and more"]), {}) is None


def test_settings_are_not_surely_speakers() -> None:
    for texts, sure in ((["model: m", "user: u"], False), (["Model: m", "user: u"], True)):
        found = cast(*texts)
        assert both_sides(found.roles)
        assert are_surely_speakers(list(lines_of(texts)), found) is sure
