"""Summarization: the smaller of what a summary keeps to and of what it keeps."""

import pytest
from judge_server import Request, says
from judged import asked_about, found, gives, judge_at

from turnwise.conversations import Failure, LLMTestCase, Score
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import SummarizationMetric

CASE = LLMTestCase(
    input="The bridge was shut in May. It opens in June.", actual_output="It was shut. In May."
)
QUESTIONS = ["Was it shut?", "Does it open in June?"]


def answering(statements: dict[int, str], questions: dict[int, str], drafted=tuple(QUESTIONS)):
    def answer(request: Request):
        if "Write " in request.text and "questions" in request.text and not asked_about(request):
            return says({"questions": list(drafted)})
        if "question_1" in request.text:
            return gives("question", questions)
        return gives("statement", statements)

    return answer


async def judged(server, metric, statements, questions, case=CASE):
    server.default = answering(statements, questions)
    async with judge_at(server) as judge:
        return await found(metric, case, judge)


@pytest.mark.parametrize(
    ("statements", "questions", "value"),
    [
        (("yes", "yes"), ("yes", "yes"), 1.0),
        (("yes", "no"), ("yes", "yes"), 0.5),
        (("yes", "borderline"), ("yes", "yes"), 0.5),
        (("yes", "yes"), ("yes", "no"), 0.5),
        (("yes", "yes"), ("yes", "none"), 1.0),
        (("yes", "yes"), ("none", "none"), 1.0),
        (("no", "no"), ("yes", "no"), 0.0),
    ],
)
async def test_the_smaller_share_counts(judge_server, statements, questions, value):
    outcome = await judged(
        judge_server,
        SummarizationMetric(assessment_questions=QUESTIONS),
        dict(enumerate(statements, start=1)),
        dict(enumerate(questions, start=1)),
    )
    assert isinstance(outcome, Score)
    assert outcome.score == value
    assert len(judge_server.requests) == 2
    assert min(outcome.details["alignment"], outcome.details["coverage"]) == value


async def test_without_questions_of_ones_own_they_are_drafted_from_the_source_alone(judge_server):
    all_yes = {1: "yes", 2: "yes"}
    outcome = await judged(judge_server, SummarizationMetric(n=2), all_yes, all_yes)
    assert isinstance(outcome, Score)
    assert len(outcome.calls) == len(judge_server.requests) == 3
    draft = next(request for request in judge_server.requests if "Write 2 questions" in request.text)
    assert "The bridge was shut in May." in draft.text
    assert CASE.actual_output not in draft.text
    assert [verdict.about for verdict in outcome.verdicts[-2:]] == QUESTIONS


async def test_of_too_many_drafted_questions_the_first_count(judge_server):
    outcome = await judged(judge_server, SummarizationMetric(n=1), {1: "yes", 2: "yes"}, {1: "no"})
    assert isinstance(outcome, Score)
    assert [verdict.about for verdict in outcome.verdicts[2:]] == QUESTIONS[:1]
    assert outcome.score == 0


async def test_a_summary_that_says_nothing_is_aligned_and_covers_what_it_covers(judge_server):
    case = CASE.model_copy(update={"actual_output": "…"})
    metric = SummarizationMetric(assessment_questions=QUESTIONS)
    outcome = await judged(judge_server, metric, {}, {1: "no", 2: "no"}, case)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.details["alignment"]) == (0, 1)


async def test_questions_that_cannot_be_had_are_a_failure(judge_server):
    judge_server.default = says({"questions": []})
    async with judge_at(judge_server) as judge:
        outcome = await found(SummarizationMetric(), CASE, judge)
    assert isinstance(outcome, Failure)


async def test_what_is_missing_is_told_by_the_part_it_belongs_to(judge_server):
    metric = SummarizationMetric(assessment_questions=QUESTIONS)
    outcome = await judged(judge_server, metric, {1: "yes"}, {1: "yes", 2: "yes"})
    assert isinstance(outcome, Score)
    assert outcome.details["alignment_missing"] == [2]


def test_at_least_one_question_is_asked():
    with pytest.raises(SettingError, match="n is at least 1"):
        SummarizationMetric(n=0)
