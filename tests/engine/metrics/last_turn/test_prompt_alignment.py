"""Prompt alignment: the share of instructions that a reply follows."""

import pytest
from judged import found, gives, judge_at

from turnwise.conversations import LLMTestCase, Score
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import PromptAlignmentMetric
from turnwise.engine.metrics.registry import make_metric

CASE = LLMTestCase(input="Hi", actual_output="HELLO")


async def test_every_instruction_gets_a_verdict(judge_server):
    judge_server.script(gives("instruction", {1: "yes", 2: "no"}))
    metric = PromptAlignmentMetric(prompt_instructions=["Write capitals.", "End with a question."])
    async with judge_at(judge_server) as judge:
        outcome = await found(metric, CASE, judge)
    assert isinstance(outcome, Score)
    assert outcome.score == 0.5
    assert [verdict.about for verdict in outcome.verdicts] == ["Write capitals.", "End with a question."]
    assert outcome.reason == "1 of 2 instructions is not followed (turn 2): reason 2"


def test_one_can_be_typed_after_the_name_commas_and_all():
    metric = make_metric("prompt_alignment:Be kind, be brief.")
    assert metric.prompt_instructions == ["Be kind, be brief."]


@pytest.mark.parametrize("given", ["", " ", [], [" "]])
def test_without_instructions_it_means_nothing(given):
    with pytest.raises(SettingError, match="needs the instructions"):
        PromptAlignmentMetric(prompt_instructions=given)
