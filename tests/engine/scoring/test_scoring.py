"""Scoring stored sessions: every unit once, every outcome kept, taken up again where a run stopped."""

import asyncio
import random
import sqlite3
import threading
from collections import Counter
from contextlib import aclosing
from dataclasses import replace

import pytest
from judge_server import Request, busy, drops, refuses, says
from judged import answers_all, asked_about, gives, judge_at
from stored import keep
from waiting import until

from turnwise.conversations import Failure, Score, Skipped
from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import BudgetSpentError, JudgeUnavailableError, SettingError, StoreError
from turnwise.conversations.store import Store
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.metrics import (
    AnswerRelevancyMetric,
    ContainsMetric,
    ConversationalGEval,
    KnowledgeRetentionMetric,
    RoleAdherenceMetric,
)
from turnwise.engine.models.openai_compatible import OpenAICompatible
from turnwise.engine.scoring.scoring import Scored, score_sessions


@pytest.fixture
def server(judge_server):
    judge_server.default = answers_all
    return judge_server


async def run(store: Store, server, metrics, sessions=None, *, judge: bool = True, **options) -> list[Scored]:
    """Score, with a judge made anew as by another process."""
    settings = options.pop("settings", {})
    found: list[Scored] = []
    ids = store.sessions.ids() if sessions is None else sessions
    if not judge:
        return [scored async for scored in score_sessions(store, ids, metrics, None, **options)]
    async with judge_at(server, StoredCallBook(store), **settings) as opened:
        scoring = score_sessions(store, ids, metrics, opened, **options)
        async with aclosing(scoring) as outcomes:
            found.extend([scored async for scored in outcomes])
    return found


def count(store: Store, table: str) -> int:
    connection = sqlite3.connect(store.path)
    number = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    connection.close()
    return number


def metrics():
    return [
        RoleAdherenceMetric(),
        KnowledgeRetentionMetric(),
        AnswerRelevancyMetric(),
        ConversationalGEval(name="Polite", criteria="Stays polite."),
    ]


@pytest.fixture
def sessions(store):
    return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(5)]


class TestTheOrder:
    """Questions that begin alike follow one another, so that the judge's prompt cache holds."""

    async def test_most_judges_get_the_metrics_of_a_session_together(self, store, server, sessions):
        await run(store, server, metrics()[:2], settings={"concurrency": 1})
        asked = [request.text for request in server.requests]
        places = [next(n for n in range(5) if f"question {n}" in text) for text in asked]
        assert sorted(places) == places or sorted(places, reverse=True) == places

    async def test_a_small_judge_gets_the_sessions_of_a_metric_together(self, store, server, sessions):
        server.default = lambda request: says({"reason": "r", "verdict": "yes"})
        small = {"concurrency": 1, "items_per_question": 1}
        await run(store, server, metrics()[:2], settings=small)
        kinds = ["Role:" in request.text for request in server.requests]
        assert kinds == [True] * 5 + [False] * 5

    @pytest.mark.parametrize("settings", [{"concurrency": 8}, {"concurrency": 8, "items_per_question": 1}])
    async def test_the_judge_is_asked_while_later_sessions_are_still_read(
        self, store, server, sessions, settings, monkeypatch
    ):
        asked = threading.Event()
        in_time: list[bool] = []
        read = type(store.sessions).case

        def wait_and_read(self, session_id):
            in_time.append(not in_time or asked.wait(10))
            return read(self, session_id)

        def answer(request):
            asked.set()
            return says({"reason": "r", "verdict": "yes"})

        monkeypatch.setattr(type(store.sessions), "case", wait_and_read)
        server.default = answer
        await run(store, server, metrics()[:1], settings=settings)
        assert in_time == [True] * 5

    async def test_what_asks_is_imported_before_the_second_session_is_read(
        self, store, server, sessions, monkeypatch
    ):
        happened = []
        read, load = type(store.sessions).case, OpenAICompatible.load

        def told_read(self, session_id):
            happened.append("read")
            return read(self, session_id)

        async def told_load(self):
            happened.append("load")
            await load(self)

        monkeypatch.setattr(type(store.sessions), "case", told_read)
        monkeypatch.setattr(OpenAICompatible, "load", told_load)
        await run(store, server, metrics()[:1])
        assert happened[:2] == ["read", "load"]
        happened.clear()
        await run(store, server, metrics()[:1])
        assert set(happened) == {"read"}, "all is kept, and nobody asked"


class TestOneRun:
    async def test_every_unit_is_scored_kept_and_counted(self, store, server, sessions):
        found = await run(store, server, metrics())
        assert len(found) == 20
        assert Counter(scored.session_id for scored in found) == dict.fromkeys(sessions, 4)
        assert not any(scored.kept for scored in found)
        [row] = store.runs.all()
        assert (row.scores, row.failures, row.skipped) == (20, 0, 0)
        assert row.judge == "m"
        assert row.metrics == ("role_adherence", "knowledge_retention", "answer_relevancy", "Polite")
        assert row.finished_at is not None
        assert count(store, "calls") == len(server.requests) == 21

    async def test_every_score_leads_to_its_calls(self, store, server, sessions):
        await run(store, server, metrics())
        for row in store.scores.of(sessions[0]):
            assert row.calls
            for key in row.calls:
                assert store.calls.get(key).reply

    async def test_an_outcome_is_told_as_plain_values(self, store, server, sessions):
        [scored] = await run(store, server, [AnswerRelevancyMetric()], sessions[:1])
        assert scored.data() == {
            "session": sessions[0],
            "metric": "answer_relevancy",
            "outcome": "score",
            "score": 1.0,
            "passed": True,
            "reason": "The only statement answers the user.",
            "next_step": "",
            "exchange": 1,
            "kept": False,
            "judge": "m",
        }

    async def test_without_a_judge_checks_run_and_the_rest_is_skipped(self, store, server, sessions):
        found = await run(store, server, [RoleAdherenceMetric(), ContainsMetric(text="answer")], judge=False)
        words = Counter(type(scored.outcome).__name__ for scored in found)
        assert words == {"Skipped": 5, "Score": 5}
        assert store.runs.all()[0].judge == "none"
        again = await run(store, server, [RoleAdherenceMetric()])
        assert all(isinstance(scored.outcome, Score) and not scored.kept for scored in again)

    async def test_each_turn_judges_every_exchange(self, store, server):
        session = keep(store, "a", "b", "c", "d", "e")
        found = await run(store, server, [AnswerRelevancyMetric()], [session], each_turn=True)
        assert sorted(scored.outcome.exchange for scored in found) == [1, 2]
        again = await run(store, server, [AnswerRelevancyMetric()], [session])
        assert [(scored.outcome.exchange, scored.kept) for scored in again] == [(2, True)]

    async def test_a_session_without_a_reply_is_skipped(self, store, server):
        session = keep(store, "nobody there?")
        [scored] = await run(store, server, [AnswerRelevancyMetric()], [session])
        assert scored.outcome == Skipped(metric="answer_relevancy", reason="the chatbot never answered")
        assert store.scores.of(session)[0].exchange is None


class TestResuming:
    async def test_a_second_run_makes_no_call_and_adds_no_outcome(self, store, server, sessions):
        first = await run(store, server, metrics())
        asked = len(server.requests)
        again = await run(store, server, metrics())
        assert len(server.requests) == asked
        assert all(scored.kept for scored in again)
        assert count(store, "scores") == 20
        assert {(scored.session_id, scored.outcome.metric) for scored in again} == {
            (scored.session_id, scored.outcome.metric) for scored in first
        }

    async def test_kept_outcomes_belong_to_the_new_run_too(self, store, server, sessions):
        await run(store, server, metrics())
        await run(store, server, metrics(), sessions[:2])
        assert [(row.id, row.scores) for row in store.runs.all()] == [(2, 8), (1, 20)]
        assert sorted(store.sessions.ids("run:2")) == sessions[:2]

    async def test_a_failure_is_tried_again_and_nothing_else(self, store, server, sessions):
        server.script(says("{broken"), says("{broken"))
        [failed] = await run(store, server, [RoleAdherenceMetric()], sessions[:1])
        assert isinstance(failed.outcome, Failure)
        asked = len(server.requests)
        found = await run(store, server, [RoleAdherenceMetric()], sessions[:2])
        assert all(isinstance(scored.outcome, Score) for scored in found)
        assert len(server.requests) == asked + 2
        assert [row.outcome for row in store.scores.of(sessions[0])] == ["failure", "score"]

    async def test_again_judges_anew_from_the_kept_replies(self, store, server, sessions):
        await run(store, server, [RoleAdherenceMetric()])
        found = await run(store, server, [RoleAdherenceMetric()], again=True)
        assert not any(scored.kept for scored in found)
        assert len(server.requests) == 5
        assert count(store, "scores") == 10

    async def test_a_new_threshold_costs_no_call_and_is_what_counts_from_then_on(
        self, store, server, sessions
    ):
        server.default = gives("turn", {2: "no"})
        await run(store, server, [RoleAdherenceMetric()])
        found = await run(store, server, [RoleAdherenceMetric(threshold=0.0)])
        assert all(scored.kept and scored.outcome.passed for scored in found)
        assert len(server.requests) == 5
        assert store.sessions.get(sessions[0]).marks["role_adherence"].passed is True
        newest = store.scores.newest(sessions[0])[0]
        assert newest.calls
        assert newest.verdicts
        await run(store, server, [RoleAdherenceMetric(threshold=0.0)])
        assert count(store, "scores") == 10

    async def test_another_judge_or_another_setting_is_another_unit(self, store, server, sessions):
        for settings in ({}, {"model": "other"}, {"temperature": 0.5}):
            found = await run(store, server, [RoleAdherenceMetric()], sessions[:1], settings=settings)
            assert not found[0].kept
        found = await run(store, server, [RoleAdherenceMetric(strict_mode=True)], sessions[:1])
        assert not found[0].kept

    async def test_a_role_that_is_filled_in_later_makes_the_case_another(self, store, server):
        session = keep(store, "a", "b")
        reads_role = ConversationalGEval(
            name="In role", evaluation_steps=["x"], evaluation_params=[LLMTestCaseParams.CHATBOT_ROLE]
        )
        chosen = [RoleAdherenceMetric(), reads_role, KnowledgeRetentionMetric()]
        before = await run(store, server, chosen, [session])
        assert [type(scored.outcome) for scored in sorted(before, key=lambda one: one.outcome.metric)] == [
            Skipped,
            Score,
            Skipped,
        ]
        keep(store, "a", "b", chatbot_role="r")
        after = await run(store, server, chosen, [session])
        assert {scored.outcome.metric: scored.kept for scored in after} == {
            "role_adherence": False,
            "In role": False,
            "knowledge_retention": True,
        }
        assert all(isinstance(scored.outcome, Score) for scored in after)


class TestTrouble:
    async def test_with_faults_on_the_way_every_unit_ends_as_a_score_or_a_failure_with_a_reason(
        self, store, server, sessions
    ):
        chance = random.Random(7)

        def faulty(request: Request):
            drawn = chance.random()
            if drawn < 0.1:
                return busy(retry_after_ms="1")
            if drawn < 0.15:
                return says('{"turn_2": {"reason": "cut of')
            if drawn < 0.17:
                return drops()
            return answers_all(request)

        server.default = faulty
        for number in range(25):
            keep(store, f"more {number}", "answer", chatbot_role="r")
        found = await run(store, server, metrics())
        assert len(found) == 30 * 4
        assert all(isinstance(scored.outcome, Score | Failure) and scored.outcome.reason for scored in found)
        assert count(store, "scores") == 120
        failed = [scored for scored in found if isinstance(scored.outcome, Failure)]
        server.default = answers_all
        again = await run(store, server, metrics())
        assert sum(not scored.kept for scored in again) == len(failed)
        assert all(isinstance(scored.outcome, Score) for scored in again)

    async def test_a_judge_that_is_away_ends_the_run_and_the_next_goes_on(self, store, server, sessions):
        server.default = drops()
        with pytest.raises(JudgeUnavailableError):
            await run(store, server, [RoleAdherenceMetric()], settings={"concurrency": 1})
        failures = count(store, "scores")
        assert 3 <= failures <= 5
        assert store.runs.all()[0].finished_at is None
        server.default = answers_all
        found = await run(store, server, [RoleAdherenceMetric()])
        assert len(found) == 5
        assert all(isinstance(scored.outcome, Score) for scored in found)

    async def test_a_spent_budget_keeps_what_was_paid_for(self, store, server, sessions):
        with pytest.raises(BudgetSpentError):
            await run(
                store,
                server,
                [RoleAdherenceMetric()],
                settings={"budget": 2 * 110e-6, "price": (1.0, 1.0), "concurrency": 1},
            )
        paid = len(server.requests)
        assert count(store, "scores") == count(store, "calls") == paid < 5
        await run(store, server, [RoleAdherenceMetric()])
        assert len(server.requests) == 5

    async def test_a_bug_in_one_metric_leaves_the_others_alone(self, store, server, sessions):
        class Broken(ContainsMetric):
            async def assess(self, subject, asking):
                raise ZeroDivisionError("a bug")

        raised = Broken.assess.__code__.co_firstlineno + 1
        found = await run(store, server, [Broken(text="x", name="broken"), RoleAdherenceMetric()])
        words = Counter((scored.outcome.metric, type(scored.outcome).__name__) for scored in found)
        assert words == {("broken", "Failure"): 5, ("role_adherence", "Score"): 5}
        assert store.scores.of(sessions[0])[0].reason in (
            f"ZeroDivisionError: a bug (Broken, test_scoring.py, line {raised})",
            "All 1 replies stay in role.",
            "The only reply stays in role.",
        )

    async def test_a_refusal_of_one_conversation_is_kept_with_its_words(self, store, server, sessions):
        server.script(answers_all)
        server.default = refuses(400, "This is too long for my context window")
        found = await run(store, server, [RoleAdherenceMetric()], settings={"concurrency": 1})
        failed = [scored.outcome for scored in found if isinstance(scored.outcome, Failure)]
        assert len(failed) == 4
        assert "too long" in failed[0].reason

    async def test_half_a_character_in_a_reply_is_no_trouble(self, store, server, sessions):
        server.default = says('{"turn_2": {"reason": "half \\ud83d", "verdict": "no"}}')
        await run(store, server, [RoleAdherenceMetric()], sessions[:1])
        assert store.scores.of(sessions[0])[0].verdicts[0].reason == "half �"


class TestStopping:
    async def test_a_run_that_is_closed_keeps_what_landed(self, store, server, sessions):
        server.script(answers_all, answers_all)
        server.default = says({}, wait=asyncio.Event())
        landed = []
        async with judge_at(server, StoredCallBook(store)) as judge:
            scoring = score_sessions(store, sessions, [RoleAdherenceMetric()], judge)
            async with aclosing(scoring) as outcomes:
                async for scored in outcomes:
                    landed.append(scored)
                    if len(landed) == 2:
                        break
        assert count(store, "scores") == count(store, "calls") == 2
        assert store.runs.all()[0].finished_at is None

    async def test_a_run_that_is_cancelled_keeps_what_landed(self, store, server, sessions):
        server.script(answers_all, answers_all)
        server.default = says({}, wait=asyncio.Event())
        task = asyncio.create_task(run(store, server, [RoleAdherenceMetric()]))
        async with asyncio.timeout(60):
            while len(server.requests) < 5 or count(store, "scores") < 2:
                await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert count(store, "scores") == 2
        server.default = answers_all
        asked = len(server.requests)
        await run(store, server, [RoleAdherenceMetric()])
        assert len(server.requests) == asked + 3

    async def test_what_landed_is_written_while_the_judge_still_thinks_about_the_next(
        self, store, server, sessions
    ):
        server.script(answers_all, answers_all)
        server.default = says({}, wait=asyncio.Event())
        task = asyncio.create_task(run(store, server, [RoleAdherenceMetric()]))
        await until(lambda: count(store, "scores") >= 2)
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def test_what_lands_while_a_write_is_under_way_is_written_too(
        self, store, server, sessions, monkeypatch
    ):
        writing, landed, add_all = threading.Event(), threading.Event(), store.scores.add_all

        def slow(*found):
            writing.set()
            assert landed.wait(20)
            return add_all(*found)

        monkeypatch.setattr(store.scores, "add_all", slow)
        held = asyncio.Event()
        server.script(answers_all)
        server.default = lambda request: replace(answers_all(request), wait=held)
        task = asyncio.create_task(run(store, server, [RoleAdherenceMetric()]))
        async with asyncio.timeout(60):
            await until(lambda: writing.is_set())
            held.set()
            # The disk is done only after everything has landed and the run is at its end.
            await asyncio.sleep(0.3)
            landed.set()
            await task
        assert count(store, "scores") == 5

    async def test_a_disk_that_takes_nothing_ends_the_run_with_its_error(
        self, store, server, sessions, monkeypatch
    ):
        def full(*_: object) -> None:
            raise StoreError("The database cannot be written", detail="disk full")

        monkeypatch.setattr(store.scores, "add_all", full)
        with pytest.raises(StoreError, match="cannot be written"):
            await run(store, server, [RoleAdherenceMetric()])


async def test_the_transcript_is_the_same_text_for_every_run_and_all_metrics_that_number_sentences_or_do_not(
    store, server, sessions
):
    await run(store, server, metrics(), sessions[:1])
    await run(store, server, [RoleAdherenceMetric(strict_mode=True)], sessions[:1], settings={"model": "n"})
    prompts = [request.body["messages"][1]["content"] for request in server.requests]
    transcripts = {prompt.split(" ends ---")[0] for prompt in prompts if "begins ---" in prompt}
    # A server keeps what it read of each of the two: with the numbers of sentences, and without.
    assert sorted("[s1]" in one for one in transcripts) == [False, True]
    systems = {
        request.body["messages"][0]["content"] for request in server.requests if "begins" in request.text
    }
    assert len(systems) == 1


class TestWhatStandsNow:
    async def test_without_a_judge_no_skip_hides_the_score_that_was_there(self, store, server, sessions):
        await run(store, server, [RoleAdherenceMetric()])
        found = await run(store, server, [RoleAdherenceMetric()], judge=False)
        assert all(isinstance(scored.outcome, Skipped) for scored in found)
        assert store.sessions.get(sessions[0]).marks["role_adherence"].score == 1.0

    async def test_what_is_asked_for_again_stands_even_if_another_judge_came_between(
        self, store, server, sessions
    ):
        metric = [RoleAdherenceMetric()]
        await run(store, server, metric, sessions[:1])
        server.default = lambda request: gives("turn", dict.fromkeys(asked_about(request), "no"))
        await run(store, server, metric, sessions[:1], settings={"model": "another"})
        assert store.sessions.get(sessions[0]).marks["role_adherence"].score == 0.0
        [scored] = await run(store, server, metric, sessions[:1])
        assert scored.kept
        assert store.sessions.get(sessions[0]).marks["role_adherence"].score == 1.0

    async def test_two_metrics_of_one_name_are_refused(self, store, server, sessions):
        with pytest.raises(SettingError, match="Two metrics are called"):
            await run(store, server, [RoleAdherenceMetric(), RoleAdherenceMetric(strict_mode=True)])

    async def test_anew_asks_everything_again_but_the_steps_of_a_criterion(self, store, server, sessions):
        metric = [ConversationalGEval(name="Polite", criteria="Stays polite.")]
        await run(store, server, metric, sessions[:2])
        asked = len(server.requests)
        async with judge_at(server, StoredCallBook(store, anew=True)) as judge:
            again = score_sessions(store, sessions[:2], metric, judge, again=True)
            assert [scored.kept async for scored in again] == [False, False]
        assert len(server.requests) == asked + 2
