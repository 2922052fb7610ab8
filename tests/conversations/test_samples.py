"""The sample conversations: sound, tagged, and enough of each kind to compare judges on."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files

import pytest

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.samples import load_samples

DOMAINS = {"shop", "clinic", "travel", "coding", "roleplay", "insurance"}
FLAWS = {"role", "memory", "relevancy", "faithfulness", "tools", "unfinished"}
SAMPLES = load_samples()
each_sample = pytest.mark.parametrize("case", SAMPLES, ids=lambda case: case.name)


def tags(case: ConversationalTestCase) -> set[str]:
    return set(case.tags or [])


def flaws(case: ConversationalTestCase) -> set[str]:
    return {tag.removeprefix("flaw:") for tag in tags(case) if tag.startswith("flaw:")}


def known(metric: str, quality: str) -> list[ConversationalTestCase]:
    return [case for case in SAMPLES if (case.metadata or {})["known"].get(metric) == quality]


def test_every_json_file_of_the_package_is_loaded_in_the_order_of_file_names() -> None:
    package = files("turnwise.conversations.samples")
    paths = sorted(entry.name for entry in package.iterdir() if entry.name.endswith(".json"))
    names = [json.loads((package / path).read_text(encoding="utf-8"))["name"] for path in paths]
    assert [case.name for case in SAMPLES] == names
    assert 12 <= len(SAMPLES) <= 14


def test_names_are_unique() -> None:
    assert len({case.name for case in SAMPLES}) == len(SAMPLES)


def test_each_call_gives_fresh_cases() -> None:
    first = load_samples()
    first[0].turns.clear()
    assert load_samples() == SAMPLES


def test_importing_the_package_waits_for_no_model_of_a_case() -> None:
    code = "import sys, turnwise.conversations.samples; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@each_sample
def test_a_sample_says_what_it_is_about(case: ConversationalTestCase) -> None:
    assert case.chatbot_role
    assert case.scenario
    assert case.expected_outcome
    assert case.user_description


@each_sample
def test_a_sample_has_one_domain_and_one_quality_and_names_the_flaws_of_a_bad_one(
    case: ConversationalTestCase,
) -> None:
    assert len(tags(case) & DOMAINS) == 1
    assert len(tags(case) & {"good", "bad"}) == 1
    assert bool(flaws(case)) == ("bad" in tags(case))
    assert flaws(case) <= FLAWS


@each_sample
def test_what_is_known_agrees_with_the_tags(case: ConversationalTestCase) -> None:
    given = (case.metadata or {})["known"]
    if "good" in tags(case):
        assert given == {"role_adherence": "good", "answer_relevancy": "good"}
    assert (given.get("role_adherence") == "bad") == ("role" in flaws(case))
    assert (given.get("answer_relevancy") == "bad") == ("relevancy" in flaws(case))


@each_sample
def test_a_sample_is_a_finished_conversation_of_some_length(case: ConversationalTestCase) -> None:
    spoken = [turn for turn in case.turns if turn.is_spoken]
    assert 6 <= len(spoken) <= 16
    assert case.turns[-1].role == "assistant"
    assert all(exchange.case.actual_output for exchange in case.numbered_exchanges)


@each_sample
def test_every_turn_but_the_system_prompt_took_some_time(case: ConversationalTestCase) -> None:
    timed = [turn.latency_ms for turn in case.turns if turn.role != "system"]
    assert all(latency is not None and 0 < latency < 120_000 for latency in timed)


@each_sample
def test_every_tool_message_answers_the_call_before_it_with_its_output(case: ConversationalTestCase) -> None:
    calls = {call.id: call for turn in case.turns for call in turn.tools_called or []}
    answers = [turn for turn in case.turns if turn.role == "tool"]
    assert sorted(map(str, calls)) == sorted(str(answer.tool_call_id) for answer in answers)
    for before, answer in zip(case.turns, case.turns[1:], strict=False):
        if answer.role == "tool":
            assert answer.tool_call_id in [call.id for call in before.tools_called or []]
            assert calls[answer.tool_call_id].name == answer.name
            assert calls[answer.tool_call_id].output == json.loads(answer.content)


@each_sample
def test_every_conversation_has_a_partner_of_the_other_quality_with_the_same_role(
    case: ConversationalTestCase,
) -> None:
    alike = [other for other in SAMPLES if other.chatbot_role == case.chatbot_role]
    assert {"good", "bad"} <= {tag for other in alike for tag in tags(other)}


@pytest.mark.parametrize("metric", ["role_adherence", "answer_relevancy"])
def test_enough_are_plainly_good_and_plainly_bad_to_tell_judges_apart(metric: str) -> None:
    assert len(known(metric, "good")) >= 4
    assert len(known(metric, "bad")) >= 3


def test_every_domain_and_every_flaw_occurs_and_half_are_good() -> None:
    assert set().union(*map(tags, SAMPLES)) >= DOMAINS
    assert set().union(*map(flaws, SAMPLES)) == FLAWS
    good = sum("good" in tags(case) for case in SAMPLES)
    assert abs(good - len(SAMPLES) / 2) <= 1


def test_enough_have_tools_passages_and_expectations() -> None:
    turns = [(case.name, turn) for case in SAMPLES for turn in case.turns]
    assert len({name for name, turn in turns if turn.role == "tool"}) >= 3
    assert len({name for name, turn in turns if turn.retrieval_context}) >= 3
    last = [case.last_exchange for case in SAMPLES]
    outputs = [(one.actual_output, one.expected_output) for one in last if one and one.expected_output]
    tools = [one for one in last if one and one.expected_tools]
    assert len(outputs) + len(tools) >= 4
    assert {actual == expected for actual, expected in outputs} == {True, False}
    assert {one.tools_called == one.expected_tools for one in tools} == {True, False}


def test_some_text_is_more_than_plain_ascii_prose() -> None:
    contents = [turn.content for case in SAMPLES for turn in case.turns]
    assert any("```" in content for content in contents)
    assert any("| --- |" in content for content in contents)
    assert any("\n- " in content for content in contents)
    assert any("京都" in content for content in contents)
    assert any("🎉" in content for content in contents)
    assert any(turn.role == "system" and len(turn.content) > 400 for case in SAMPLES for turn in case.turns)
