"""G-Eval: a criterion becomes steps once, the steps a score, the score a weighted mean within its range."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_server import Request, says
from judged import found, judge_at
from stored import said

from turnwise.conversations import (
    ConversationalTestCase,
    Failure,
    LLMTestCase,
    LLMTestCaseParams,
    RetrievedContext,
    Score,
    Skipped,
    ToolCall,
)
from turnwise.conversations.errors import SettingError
from turnwise.engine.judge.evidence import StoredCallBook, row_of_call
from turnwise.engine.judge.questions import NO_PROBABILITIES
from turnwise.engine.metrics import ConversationalGEval, GEval, Rubric
from turnwise.engine.metrics.geval import check_rubric

CASE = said("a", "b", "c", "d", chatbot_role="a clerk")
STEPS = ["Look for greetings."]
TOKENS = [
    ('{"reason": "7 of 9", "turns": [2], "score": ', {}),
    ("8", {"8": 0.62, "7": 0.25, "9": 0.12, "10": 0.004, "eight": 0.003}),
    ("}", {}),
]
WEIGHTED = '{"reason": "7 of 9", "turns": [2], "score": 8}'


def by_steps(**fields) -> ConversationalGEval:
    return ConversationalGEval(name="Greets", **{"evaluation_steps": STEPS, **fields})


async def judged(server, metric, *steps, case=CASE, **settings):
    server.script(*steps)
    async with judge_at(server, **settings) as judge:
        return await found(metric, case, judge)


class TestScore:
    async def test_the_score_is_weighted_by_token_probability(self, judge_server):
        outcome = await judged(judge_server, by_steps(), says(WEIGHTED, tokens=TOKENS))
        assert isinstance(outcome, Score)
        assert outcome.score == pytest.approx(0.78687, abs=1e-5)
        assert outcome.details["raw"] == 8
        assert outcome.details["weighted"] == pytest.approx(7.8687, abs=1e-4)
        assert outcome.details["range"] == [0, 10]
        assert outcome.details["steps"] == STEPS
        assert "note" not in outcome.details
        assert judge_server.requests[0].body["logprobs"] is True

    async def test_without_probabilities_it_is_the_number_and_a_note_says_so(self, judge_server):
        outcome = await judged(judge_server, by_steps(), says({"reason": "r", "turns": [], "score": 8}))
        assert isinstance(outcome, Score)
        assert outcome.score == 0.8
        assert outcome.details["note"] == NO_PROBABILITIES

    @pytest.mark.parametrize(("raw", "value"), [(1, 0.0), (3, 0.5), (5, 1.0)])
    async def test_a_rubrics_range_is_the_range_of_the_score(self, judge_server, raw, value):
        rubric = [
            Rubric(score_range=(4, 5), expected_outcome="good"),
            Rubric(score_range=(1, 3), expected_outcome="bad"),
        ]
        outcome = await judged(judge_server, by_steps(rubric=rubric), says({"reason": "r", "score": raw}))
        assert isinstance(outcome, Score)
        assert outcome.score == value
        [request] = judge_server.requests
        assert "1 to 3: bad\n4 to 5: good" in request.text
        schema = request.body["response_format"]["json_schema"]["schema"]
        assert schema["properties"]["score"] == {"type": "integer", "minimum": 1, "maximum": 5}

    async def test_weights_outside_the_range_do_not_count(self, judge_server):
        tokens = [
            ('{"reason": "r", "turns": [], "score": ', {}),
            ("5", {"5": 0.5, "4": 0.3, "8": 0.2}),
            ("}", {}),
        ]
        rubric = [Rubric(score_range=(1, 5), expected_outcome="x")]
        reply = '{"reason": "r", "turns": [], "score": 5}'
        outcome = await judged(judge_server, by_steps(rubric=rubric), says(reply, tokens=tokens))
        assert isinstance(outcome, Score)
        assert outcome.details["weighted"] == pytest.approx((5 * 0.5 + 4 * 0.3) / 0.8)
        assert 0 <= outcome.score <= 1

    @pytest.mark.parametrize("raw", [11, -1, "eight", None, 10.5])
    async def test_a_number_out_of_range_is_asked_again_and_then_a_failure(self, judge_server, raw):
        reply = says({"reason": "r", "turns": [], "score": raw})
        outcome = await judged(judge_server, by_steps(), reply, reply)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "malformed"
        assert "score" in outcome.reason
        assert len(judge_server.requests) == len(outcome.calls) == 2

    async def test_a_number_above_a_rubrics_range_is_out_of_range_too(self, judge_server):
        rubric = [Rubric(score_range=(1, 5), expected_outcome="x")]
        bad, good = says({"reason": "r", "score": 8}), says({"reason": "r", "score": 4})
        outcome = await judged(judge_server, by_steps(rubric=rubric), bad, good)
        assert isinstance(outcome, Score)
        assert outcome.score == 0.75
        assert len(outcome.calls) == 2

    @pytest.mark.parametrize(("raw", "value"), [(10, 1.0), (9, 0.0)])
    async def test_strictly_only_the_best_counts(self, judge_server, raw, value):
        metric = by_steps(strict_mode=True, threshold=0.2)
        outcome = await judged(judge_server, metric, says({"reason": "r", "score": raw}))
        assert isinstance(outcome, Score)
        assert (outcome.score, outcome.threshold, outcome.passed) == (value, 1.0, value == 1.0)

    @pytest.mark.parametrize(
        ("turns", "named"),
        [([2, 3], [2, 3]), ([2, 2, 99, 0], [2]), ([True, "2", None], []), ("all of them", []), (None, [])],
    )
    async def test_only_turns_that_exist_are_named(self, judge_server, turns, named):
        outcome = await judged(
            judge_server, by_steps(), says({"reason": "because", "turns": turns, "score": 4})
        )
        assert isinstance(outcome, Score)
        assert [(verdict.turn, verdict.passed) for verdict in outcome.verdicts] == [
            (turn, False) for turn in named
        ]
        assert outcome.reason == "because"


class TestSteps:
    @staticmethod
    def drafts_and_scores(request: Request):
        return says({"steps": ["one", "two"]} if "Write the steps" in request.text else {"score": 5})

    async def test_steps_are_drafted_once_for_many_cases_at_the_same_time(self, judge_server):
        judge_server.default = self.drafts_and_scores
        metric = ConversationalGEval(name="Polite", criteria="Stays polite.")
        cases = [said(f"case {number}", "b") for number in range(8)]
        async with judge_at(judge_server) as judge:
            outcomes = await asyncio.gather(*(found(metric, case, judge) for case in cases))
        assert len(judge_server.requests) == 9
        assert all(isinstance(outcome, Score) for outcome in outcomes)
        assert {tuple(outcome.details["steps"]) for outcome in outcomes} == {("one", "two")}
        assert all(len(outcome.calls) == 2 for outcome in outcomes)
        drafted = [request for request in judge_server.requests if "Write the steps" in request.text]
        assert "Stays polite." in drafted[0].text
        assert "case" not in drafted[0].body["messages"][1]["content"].split("Stays polite.")[0]

    async def test_steps_are_found_again_in_the_store(self, judge_server, store):
        judge_server.default = self.drafts_and_scores
        metric = ConversationalGEval(name="Polite", criteria="Stays polite.")
        book = StoredCallBook(store)
        async with judge_at(judge_server, book) as judge:
            await found(metric, said("first", "b"), judge)
        store.calls.add_all([row_of_call(call) for call in book.held()])
        async with judge_at(judge_server, StoredCallBook(store)) as later:
            outcome = await found(metric, said("second", "b"), later)
        assert isinstance(outcome, Score)
        assert outcome.details["steps"] == ["one", "two"]
        assert len(judge_server.requests) == 3

    async def test_a_metric_that_is_measured_again_keeps_its_steps(self, judge_server):
        judge_server.default = self.drafts_and_scores
        metric = ConversationalGEval(name="Polite", criteria="Stays polite.", model=f"{judge_server.url}#m")
        for _ in range(3):
            await metric.a_measure(said("a", "b"))
        assert len(judge_server.requests) == 4
        assert len(metric.outcome.calls) == 2

    async def test_a_metric_that_is_measured_many_times_at_once_scores_by_the_same_steps(self, judge_server):
        drafts = iter(range(9))

        def drafts_anew(request: Request):
            is_draft = "Write the steps" in request.text
            return says({"steps": [f"draft {next(drafts)}"]} if is_draft else {"score": 5})

        judge_server.default = drafts_anew
        metric = ConversationalGEval(name="Polite", criteria="Polite?", model=f"{judge_server.url}#m")
        await asyncio.gather(*(metric.a_measure(said(f"case {number}", "b")) for number in range(4)))
        texts = [request.text for request in judge_server.requests]
        steps = [
            text.split("by these steps:\n")[1].split("\n")[0] for text in texts if "these steps:" in text
        ]
        assert (len(steps), len(set(steps))) == (4, 1)

    async def test_another_judge_drafts_steps_of_its_own(self, judge_server):
        judge_server.default = self.drafts_and_scores
        metric = ConversationalGEval(name="Polite", criteria="Stays polite.")
        for model in ("one", "other"):
            async with judge_at(judge_server, model=model) as judge:
                await found(metric, said("a", "b"), judge)
        assert len(judge_server.requests) == 4

    async def test_steps_that_a_metric_keeps_are_evidence_in_every_store(self, judge_server, store):
        judge_server.default = self.drafts_and_scores
        metric = ConversationalGEval(name="Polite", criteria="Stays polite.")
        async with judge_at(judge_server) as judge:
            await found(metric, said("a", "b"), judge)
        async with judge_at(judge_server, StoredCallBook(store)) as judge:
            outcome = await found(metric, said("c", "d"), judge)
        assert store.calls.get(outcome.calls[0]).reply == '{"steps": ["one", "two"]}'

    async def test_of_steps_drafted_at_once_by_several_processes_the_first_serve_all(
        self, judge_server, store
    ):
        drafts = iter(range(9))

        def drafts_anew(request: Request):
            is_draft = "Write the steps" in request.text
            return says({"steps": [f"draft {next(drafts)}"]} if is_draft else {"score": 5})

        judge_server.default = drafts_anew
        books = [StoredCallBook(store, anew=True) for _ in range(2)]
        metrics = [ConversationalGEval(name="Polite", criteria="Stays polite.") for _ in books]
        judges = [judge_at(judge_server, book) for book in books]
        outcomes = await asyncio.gather(
            *(found(metric, said("a", "b"), judge) for metric, judge in zip(metrics, judges, strict=True))
        )
        for judge in judges:
            await judge.close()
        assert next(drafts) == 2
        [steps] = outcomes[0].details["steps"]
        assert outcomes[1].details["steps"] == [steps]
        assert json.loads(store.calls.get(outcomes[0].calls[0]).reply) == {"steps": [steps]}

    async def test_given_steps_need_no_drafting(self, judge_server):
        await judged(judge_server, by_steps(), says({"score": 5}))
        [request] = judge_server.requests
        assert "1. Look for greetings." in request.text

    async def test_steps_that_cannot_be_had_are_a_failure_of_the_case(self, judge_server):
        metric = ConversationalGEval(name="Polite", criteria="Stays polite.")
        outcome = await judged(judge_server, metric, says({"steps": []}), says({"stairs": 1}))
        assert isinstance(outcome, Failure)


class TestSettings:
    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({}, "Neither was given."),
            ({"evaluation_steps": "Be kind."}, "evaluation_steps is a list of texts"),
            ({"criteria": "  "}, "criteria is empty"),
            ({"evaluation_steps": []}, "evaluation_steps is empty"),
            ({"evaluation_steps": ["s", " "]}, "a step is empty"),
            ({"criteria": "c", "threshold": 1.5}, "between 0 and 1"),
        ],
    )
    def test_criteria_or_steps_and_neither_empty(self, fields, told):
        for kind in (GEval, ConversationalGEval):
            with pytest.raises(SettingError) as caught:
                kind(name="Polite", **fields)
            assert told in str(caught.value)
            assert "Polite" in str(caught.value)

    def test_where_both_are_given_the_steps_judge_and_the_criteria_stay_the_meaning(self):
        both = by_steps(criteria="Be kind.")
        assert both.criteria == "Be kind."
        assert both.fingerprint == by_steps().fingerprint

    def test_the_first_settings_need_no_names(self):
        metric = GEval("Kind", [LLMTestCaseParams.INPUT, LLMTestCaseParams.ACTUAL_OUTPUT], "Be kind.")
        assert (metric.name, metric.criteria, len(metric.evaluation_params)) == ("Kind", "Be kind.", 2)
        assert ConversationalGEval("Kind", criteria="Be kind.").name == "Kind"

    def test_parameters_may_be_given_by_name(self):
        assert by_steps(evaluation_params=["context"]).evaluation_params == [LLMTestCaseParams.CONTEXT]
        with pytest.raises(SettingError, match=r"(?s)no parameter of a test case.*inptu.*: input, "):
            by_steps(evaluation_params=["inptu"])

    @pytest.mark.parametrize(
        ("ranges", "told"),
        [
            ([(0, 4), (4, 9)], "0 to 4 and 4 to 9"),
            ([(5, 3)], "5 to 3"),
            ([(0, 11)], "0 to 11"),
            ([(-1, 3)], "-1 to 3"),
        ],
    )
    def test_a_rubric_that_means_nothing_is_refused(self, ranges, told):
        rubric = [Rubric(score_range=part, expected_outcome="x") for part in ranges]
        with pytest.raises(SettingError) as caught:
            by_steps(rubric=rubric)
        assert told in caught.value.detail

    @given(st.permutations([(0, 2), (3, 3), (5, 10)]))
    def test_a_rubric_may_come_in_any_order_and_leave_gaps(self, ranges):
        ordered = check_rubric([Rubric(score_range=part, expected_outcome="x") for part in ranges])
        assert [part.score_range for part in ordered] == [(0, 2), (3, 3), (5, 10)]

    def test_the_callers_lists_are_left_alone(self):
        parameters = [LLMTestCaseParams.CONTEXT]
        metric = by_steps(evaluation_params=parameters)
        metric.evaluation_params.append(LLMTestCaseParams.INPUT)
        assert parameters == [LLMTestCaseParams.CONTEXT]

    def test_all_that_shapes_the_score_is_in_the_fingerprint_and_the_threshold_is_not(self):
        rubric = [Rubric(score_range=(1, 5), expected_outcome="x")]
        different = [
            by_steps(),
            by_steps(evaluation_steps=["Other."]),
            by_steps(rubric=rubric),
            by_steps(evaluation_params=[LLMTestCaseParams.CONTEXT]),
            by_steps(strict_mode=True),
            GEval(name="Greets", evaluation_steps=STEPS),
            ConversationalGEval(name="Greets", criteria=STEPS[0]),
        ]
        assert len({metric.fingerprint for metric in different}) == len(different)
        assert by_steps(threshold=0.9).fingerprint == by_steps().fingerprint


class TestMaterial:
    async def test_the_judge_reads_the_fields_it_is_told_to_fenced_like_the_rest(self, judge_server):
        metric = by_steps(
            evaluation_params=[
                LLMTestCaseParams.INPUT,
                LLMTestCaseParams.CHATBOT_ROLE,
                LLMTestCaseParams.CONTEXT,
                LLMTestCaseParams.USER_DESCRIPTION,
            ]
        )
        case = said("a", "b", chatbot_role="a clerk", context=["one", "two"], user_description="a pilot")
        await judged(judge_server, metric, says({"score": 5}), case=case)
        text = judge_server.requests[0].text
        mark = text.split(" the conversation begins")[0].rsplit(" ", 1)[-1]
        for line in (
            "chatbot role 1] a clerk",
            "context 1] one",
            "context 2] two",
            "user description 1] a pilot",
        ):
            assert f"[{mark} {line}" in text

    async def test_what_turns_came_with_can_be_read_of_a_whole_conversation(self, judge_server):
        call = ToolCall(name="find", input_parameters={"n": 1}, output="Oslo")
        turns = [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": "b", "tools_called": [call]},
            {"role": "assistant", "content": "c", "retrieval_context": [RetrievedContext(context="passage")]},
        ]
        metric = by_steps(
            evaluation_params=[LLMTestCaseParams.TOOLS_CALLED, LLMTestCaseParams.RETRIEVAL_CONTEXT]
        )
        case = ConversationalTestCase(turns=turns)
        outcome = await judged(judge_server, metric, says({"score": 5}), case=case)
        assert isinstance(outcome, Score)
        assert 'tool call 1] (turn 2) find({"n": 1}) gave "Oslo"' in judge_server.requests[0].text
        assert "retrieval context 1] (turn 3) passage" in judge_server.requests[0].text

    async def test_so_can_what_the_test_cases_of_its_exchanges_came_with(self, judge_server):
        read = (
            LLMTestCaseParams.CONTEXT,
            LLMTestCaseParams.EXPECTED_OUTPUT,
            LLMTestCaseParams.EXPECTED_TOOLS,
        )
        metric = by_steps(evaluation_params=list(read))
        exchanges = [
            LLMTestCase(input="a", actual_output="b", context=["one", "two"], expected_output="B"),
            LLMTestCase(input="c", actual_output="d", context=["three"], expected_tools=["find"]),
        ]
        case = ConversationalTestCase(turns=exchanges)
        assert isinstance(await judged(judge_server, metric, says({"score": 5}), case=case), Score)
        text = judge_server.requests[0].text
        for line in (
            "context 1] (turn 2) one",
            "context 3] (turn 4) three",
            "expected output 1] (turn 2) B",
            "expected tool call 1] (turn 4) find()",
        ):
            assert line in text

    async def test_a_conversations_own_context_comes_before_that_of_its_exchanges(self, judge_server):
        exchange = LLMTestCase(input="a", actual_output="b", context=["of the exchange"])
        case = ConversationalTestCase(turns=[exchange], context=["of all"])
        metric = by_steps(evaluation_params=[LLMTestCaseParams.CONTEXT])
        await judged(judge_server, metric, says({"score": 5}), case=case)
        assert "context 1] of all" in judge_server.requests[0].text
        assert "of the exchange" not in judge_server.requests[0].text

    async def test_a_case_without_such_a_field_is_skipped(self, judge_server):
        metric = by_steps(evaluation_params=[LLMTestCaseParams.EXPECTED_OUTCOME, LLMTestCaseParams.CONTEXT])
        outcome = await judged(judge_server, metric)
        assert isinstance(outcome, Skipped)
        assert outcome.reason == "the case has no expected_outcome and no context"
        assert judge_server.requests == []

    async def test_on_an_exchange_its_own_fields_are_read(self, judge_server):
        metric = GEval(
            name="Right", evaluation_steps=STEPS, evaluation_params=[LLMTestCaseParams.EXPECTED_OUTPUT]
        )
        case = LLMTestCase(input="a", actual_output="b", expected_output="the right one")
        outcome = await judged(judge_server, metric, says({"score": 10}), case=case)
        assert isinstance(outcome, Score)
        assert outcome.exchange == 1
        assert "expected output 1] the right one" in judge_server.requests[0].text
        assert "the chatbot's last reply" in judge_server.requests[0].text


class TestWhatTheJudgeIsShown:
    async def asked(self, server, case, params, kind=GEval, steps=("Look for greetings.",)):
        metric = kind(name="n", evaluation_steps=list(steps), evaluation_params=params)
        await judged(server, metric, says({"reason": "r", "turns": [], "score": 8}), case=case)
        return server.requests[-1].text

    async def test_the_reply_alone(self, judge_server):
        case = said("first question", "first reply", "second question", "second reply")
        text = await self.asked(judge_server, case, [LLMTestCaseParams.ACTUAL_OUTPUT])
        assert "second reply" in text
        assert "question" not in text.split("begins ---")[1].split("ends ---")[0]
        assert "first reply" not in text

    async def test_the_input_alone(self, judge_server):
        text = await self.asked(judge_server, said("a question", "a reply"), [LLMTestCaseParams.INPUT])
        assert "a question" in text
        assert "a reply" not in text
        assert "Judge what the user puts in by these steps" in text

    @pytest.mark.parametrize(
        "params",
        [
            [],
            [LLMTestCaseParams.INPUT, LLMTestCaseParams.ACTUAL_OUTPUT],
            [LLMTestCaseParams.ROLE, LLMTestCaseParams.CONTENT],
        ],
    )
    async def test_both_sides(self, judge_server, params):
        text = await self.asked(judge_server, said("a question", "a reply"), params, ConversationalGEval)
        assert "a question" in text
        assert "a reply" in text

    async def test_tags_beside_what_was_said(self, judge_server):
        case = LLMTestCase(input="a", actual_output="b", tags=["ferries"])
        assert "ferries" in await self.asked(judge_server, case, [LLMTestCaseParams.TAGS])

    async def test_one_side_alone_is_another_metric_than_both(self):
        one = GEval("n", ["actual_output"], evaluation_steps=STEPS)
        assert one.settings()["shown"] == "assistant"
        assert "shown" not in GEval("n", ["input", "actual_output"], evaluation_steps=STEPS).settings()

    @pytest.mark.parametrize(
        ("step", "told"),
        [("See whether the 'actual output' fits the 'input'.", True), ("Look for greetings.", False)],
    )
    async def test_it_is_told_which_words_mean_whom(self, judge_server, step, told):
        text = await self.asked(judge_server, said("a", "b"), [], ConversationalGEval, [step])
        assert ("'input' is what the user says" in text) is told


class TestVerbosely:
    async def test_steps_raw_and_weighted_score_are_printed(self, judge_server_apart, capsys):
        judge_server_apart.script(says(WEIGHTED, tokens=TOKENS))
        metric = by_steps(verbose_mode=True, model=f"{judge_server_apart.url}#m")
        await metric.a_measure(CASE)
        told = capsys.readouterr().out
        assert told == f"{metric.verbose_logs}\n"
        assert "step 1: Look for greetings." in told
        assert "the judge wrote 8 of 0 to 10, weighted by token probability 7.8687" in told


class TestWhere:
    CASE = said("Hi. You there?", "Hello. Go away.", "Why?", "Because.")

    async def quotes(self, judge_server, **reply) -> dict[int | None, str | None]:
        given = says({"reason": "r", "turns": [], "score": 2, **reply})
        outcome = await judged(judge_server, by_steps(), given, case=self.CASE)
        assert isinstance(outcome, Score)
        return {verdict.turn: verdict.quote.text if verdict.quote else None for verdict in outcome.verdicts}

    async def test_the_named_sentence_is_the_quote_of_its_turn(self, judge_server):
        assert await self.quotes(judge_server, turns=[2], sentence=4) == {2: "Go away."}
        assert "[s3] Hello. [s4] Go away." in judge_server.requests[0].text

    async def test_a_turn_named_by_its_sentence_alone_counts(self, judge_server):
        assert await self.quotes(judge_server, sentence=4) == {2: "Go away."}

    async def test_a_turn_of_one_sentence_rests_on_it(self, judge_server):
        assert await self.quotes(judge_server, turns=[4, 2], sentence=0) == {4: "Because.", 2: None}

    async def test_numbers_and_sentences_that_are_not_shown_cannot_be_named(self, judge_server):
        only = by_steps(evaluation_params=["actual_output"])
        given = says({"reason": "r", "turns": [1, 2], "sentence": 1, "lost_at": 1, "score": 2})
        outcome = await judged(judge_server, only, given, case=self.CASE)
        assert isinstance(outcome, Score)
        assert [verdict.turn for verdict in outcome.verdicts] == [2]
        schema = judge_server.requests[0].body["response_format"]["json_schema"]["schema"]["properties"]
        assert schema["sentence"]["enum"] == [0, 3, 4, 6]
        assert schema["lost_at"]["enum"] == [0, 2, 4]

    async def test_one_exchange_is_not_lost_at_a_turn(self, judge_server):
        metric = GEval(name="Kind", evaluation_steps=STEPS)
        case = LLMTestCase(input="a", actual_output="b")
        await judged(judge_server, metric, says({"reason": "r", "score": 2}), case=case)
        assert "lost_at" not in judge_server.requests[0].text
