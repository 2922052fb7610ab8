"""The conversations of the demo: whole, in two versions, and what was found in them stands at a reply."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from turnwise.tui.demo.help_desk import FOUND_BY, TOPICS, HelpDeskTalk, load_talks, read_part, replies
from turnwise.tui.demo.kept import VERSIONS

TALKS = load_talks()
each_talk = pytest.mark.parametrize("talk", TALKS, ids=lambda talk: f"{talk.name} {talk.version}")


def test_every_case_was_put_to_both_versions() -> None:
    names = [[talk.name for talk in TALKS if talk.version == version] for version in VERSIONS]
    assert names[0] == names[1]
    assert len(names[0]) == len(set(names[0])) == 32


@each_talk
def test_a_conversation_is_a_finished_one_that_begins_with_its_user(talk: HelpDeskTalk) -> None:
    spoken = [turn for turn in talk.case.turns if turn.is_spoken]
    assert spoken[0].role == "user"
    assert spoken[-1].role == "assistant"
    assert 4 <= len(spoken) <= 16
    for before, after in pairwise(spoken):
        # Only what calls a tool is followed by another turn of the chatbot.
        assert before.role != after.role or before.tools_called, before.content


@each_talk
def test_what_was_found_stands_at_a_reply_and_names_turns_of_the_user(talk: HelpDeskTalk) -> None:
    spoken = [turn for turn in talk.case.turns if turn.is_spoken]
    for flaw in talk.flaws:
        assert flaw.turn in replies(talk)
        assert flaw.metric in FOUND_BY.values()
        named = re.search(r"turns? ([\d ,and]+)", flaw.reason)
        for number in map(int, re.findall(r"\d+", named[1]) if named else ()):
            assert number < flaw.turn
            assert spoken[number - 1].role == "user"


@each_talk
def test_a_conversation_says_language_version_and_how_long_replies_took(talk: HelpDeskTalk) -> None:
    told = talk.case.metadata or {}
    assert told["language"] in ("en", "de", "fr")
    assert told["version"] == talk.version
    assert 0.4 < told["seconds_a_reply"] < 5


@pytest.mark.parametrize("topic", TOPICS)
def test_what_one_version_asked_amiss_is_not_answered_to_the_other(topic: str) -> None:
    amiss = {f"{version} {word}" for version in VERSIONS for word in ("forgets", "strays", "misses")}
    for case in read_part(topic):
        for step, after in pairwise(case["turns"]):
            # Where both said the same, the same may be said to both.
            if "both" not in step and len(amiss & step.keys()) == 1:
                assert "user" not in after, after


def test_every_word_of_a_finding_is_known() -> None:
    found = {flaw.metric for talk in TALKS for flaw in talk.flaws}
    assert found == set(FOUND_BY.values())
