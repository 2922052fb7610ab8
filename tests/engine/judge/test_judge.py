"""A Judge against a real server that does what the script says."""

from __future__ import annotations

import asyncio
import gc
import logging
import pickle

import pytest
from judge_server import JudgeServer, Step, busy, drops, hangs, refuses, says
from waiting import until

from turnwise.conversations.errors import (
    BudgetSpentError,
    JudgeError,
    JudgeRefusedError,
    JudgeUnavailableError,
    MalformedReplyError,
    SettingError,
)
from turnwise.engine.judge.calls import JudgeCall, MemoryCallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import NO_PROBABILITIES, Question
from turnwise.engine.models.settings import ModelSettings

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
GOOD = {"reason": "fine", "score": 8}
TOKENS = [
    ('{"reason": "7 of 9", "score": ', {}),
    ("8", {"8": 0.62, "7": 0.25, "9": 0.12, "10": 0.004, "eight": 0.003}),
    ("}", {}),
]
WEIGHTED_REPLY = '{"reason": "7 of 9", "score": 8}'


def question(ask: str = "How good?", **settings: object) -> Question:
    fields = {"rules": "Judge.", "transcript": "1 user: hi", "schema": SCHEMA, "name": "score", **settings}
    return Question(ask=ask, **fields)  # type: ignore[arg-type]


class Clock:
    """Stands for the waiting between tries: keeps how long it would have been."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)


def judge_at(
    server: JudgeServer, clock: Clock | None = None, book: MemoryCallBook | None = None, **settings
) -> Judge:
    settings = {"base_url": server.url, "model": "m", "api_key": "sk-very-secret-key", **settings}
    return Judge(ModelSettings(**settings), book, sleep=(clock or Clock()).sleep)


class TestAnswers:
    async def test_an_answer_is_the_checked_object_and_the_call_it_came_in(self, judge_server):
        judge_server.script(
            says(
                GOOD,
                usage={
                    "prompt_tokens": 90,
                    "completion_tokens": 7,
                    "prompt_tokens_details": {"cached_tokens": 64},
                },
            )
        )
        async with judge_at(judge_server) as judge:
            answer = await judge.ask(question())
        assert answer.value == GOOD
        assert answer.call.model == "scripted-1"
        assert answer.call.usage == {"prompt_tokens": 90, "completion_tokens": 7, "cached_tokens": 64}
        assert answer.call.request == judge_server.requests[0].body
        assert not answer.call.cached
        assert answer.call.seconds > 0

    async def test_rules_and_transcript_come_before_the_question_so_that_prefixes_are_shared(
        self, judge_server
    ):
        async with judge_at(judge_server) as judge:
            await judge.ask(question("First?"))
            await judge.ask(question("Second?"))
        first, second = (request.body["messages"] for request in judge_server.requests)
        assert first[0] == second[0] == {"role": "system", "content": "Judge."}
        assert first[1] == {"role": "user", "content": "1 user: hi\n\nFirst?"}
        assert second[1]["content"].startswith("1 user: hi\n\n")

    async def test_the_same_question_is_answered_from_the_book(self, judge_server):
        book = MemoryCallBook()
        async with judge_at(judge_server, book=book) as judge:
            first = await judge.ask(question())
        async with judge_at(judge_server, book=book) as later:
            second = await later.ask(question())
        assert len(judge_server.requests) == 1
        assert second.value == first.value
        assert second.call.cached
        assert second.cost is None or second.cost == 0

    async def test_a_hundred_who_ask_the_same_at_once_share_one_call(self, judge_server):
        async with judge_at(judge_server) as judge:
            answers = await asyncio.gather(*(judge.ask(question()) for _ in range(100)))
        assert len(judge_server.requests) == 1
        assert all(answer.value == answers[0].value for answer in answers)

    async def test_connections_are_shared_and_calls_in_flight_bounded(self, judge_server):
        async with judge_at(judge_server, concurrency=4) as judge:
            await asyncio.gather(*(judge.ask(question(f"{number}?")) for number in range(40)))
        assert judge_server.most_at_once <= 4
        assert judge_server.connections <= 4

    async def test_it_works_again_in_another_event_loop_and_leaves_nothing_open(self):
        judge = Judge(ModelSettings(base_url="http://127.0.0.1:9/v1", model="m"))

        def in_a_loop_of_its_own(ask: str) -> int:
            async def once() -> int:
                server = await JudgeServer().start()
                object.__setattr__(judge.settings, "base_url", server.url)
                async with judge.lease():
                    await judge.ask(question(ask))
                await server.close()
                return len(server.requests)

            return asyncio.run(once())

        counts = [await asyncio.to_thread(in_a_loop_of_its_own, ask) for ask in ("a?", "b?")]
        gc.collect()
        assert counts == [1, 1]


class TestMalformedReplies:
    async def test_a_malformed_reply_is_asked_for_once_more_with_a_note_and_both_calls_are_kept(
        self, judge_server
    ):
        judge_server.script(says('{"reason": "fine", "sco'), says(GOOD))
        book = MemoryCallBook()
        async with judge_at(judge_server, book=book) as judge:
            answer = await judge.ask(question())
        assert answer.value == GOOD
        assert [call.reply for call in answer.rejected] == ['{"reason": "fine", "sco']
        assert [call.answered for call in book.calls.values()] == [False, True]
        first, second = judge_server.requests
        assert second.text.startswith(first.text)

    async def test_two_malformed_replies_are_an_error_that_names_place_reply_and_calls(self, judge_server):
        judge_server.script(
            says({"reason": "x", "score": 11}), says({"reason": "x", "score": 12}), says(GOOD)
        )
        async with judge_at(judge_server) as judge:
            with pytest.raises(MalformedReplyError) as caught:
                await judge.ask(question())
            assert "score: expected a number from 0 to 10, got 12" in caught.value.detail
            assert '"score": 12' in caught.value.detail
            assert len(caught.value.calls) == 2
            assert pickle.loads(pickle.dumps(caught.value)).calls == caught.value.calls  # noqa: S301
            # Nothing malformed is reused.
            assert (await judge.ask(question())).value == GOOD

    async def test_a_cut_off_reply_is_asked_for_again_with_room_for_more(self, judge_server):
        judge_server.script(says('{"score": 8, "reason": "it', finish="length"), says(GOOD))
        async with judge_at(judge_server) as judge:
            await judge.ask(question(max_tokens=50))
        assert [request.body["max_tokens"] for request in judge_server.requests] == [50, 100]

    @pytest.mark.parametrize(
        "step",
        [says("", refusal="I will not."), says("", finish="content_filter")],
        ids=["refusal", "filter"],
    )
    async def test_a_judge_that_declines_is_not_asked_again(self, judge_server, step):
        judge_server.script(step)
        async with judge_at(judge_server) as judge:
            with pytest.raises(JudgeRefusedError, match="declines"):
                await judge.ask(question())
        assert len(judge_server.requests) == 1


class TestTroubleOnTheWay:
    async def test_a_busy_or_broken_judge_is_asked_again_after_the_time_it_names(self, judge_server):
        clock = Clock()
        judge_server.script(
            busy(retry_after_ms="900"), busy(retry_after="0.25"), drops(), refuses(503, "down")
        )
        async with judge_at(judge_server, clock) as judge:
            await judge.ask(question())
        assert len(judge_server.requests) == 5
        assert clock.waits[0] >= 0.9
        assert clock.waits[1] >= 0.25

    async def test_a_judge_that_stays_busy_is_given_up_with_its_last_words(self, judge_server):
        judge_server.default = busy()
        async with judge_at(judge_server) as judge:
            with pytest.raises(JudgeUnavailableError) as caught:
                await judge.ask(question())
        assert len(judge_server.requests) == 6
        assert "HTTP 429: Rate limit reached" in caught.value.detail
        assert "6 tries" in caught.value.detail

    async def test_a_call_without_an_answer_ends_when_its_time_is_up(self, judge_server):
        judge_server.default = hangs()
        async with judge_at(judge_server, timeout=0.05) as judge:
            with pytest.raises(JudgeUnavailableError, match="in time") as caught:
                await judge.ask(question())
            assert judge.in_flight == 0
        # On a busy machine one of them may end before it is sent.
        assert "3 tries" in caught.value.detail

    async def test_nobody_listening_is_said_plainly(self, judge_server):
        await judge_server.close()
        judge = judge_at(judge_server)
        with pytest.raises(JudgeUnavailableError, match="cannot be reached") as caught:
            await judge.ask(question())
        assert judge_server.url in caught.value.detail
        await judge.close()
        await judge_server.start()

    @pytest.mark.parametrize(
        ("step", "title", "next_step"),
        [
            (refuses(401, "Incorrect API key: sk-very-secret-key"), "key", "OPENAI_API_KEY"),
            (refuses(403, "no"), "key", "OPENAI_API_KEY"),
            (refuses(404, "no such model"), "model or address", "/v1"),
            (refuses(400, "bad request"), "refuses", "settings"),
            (refuses(422, "unprocessable"), "refuses", "settings"),
            (refuses(400, "the maximum context length is 10"), "too long", "longer context"),
            (refuses(429, "out of money", code="insufficient_quota"), "credit", "credit"),
            (Step(body=b"<html>hello</html>"), "no judge", "/v1"),
            (Step(body={"error": "Unexpected endpoint"}), "no judge", "/v1"),
        ],
    )
    async def test_a_refusal_is_told_at_once_and_without_the_key(self, judge_server, step, title, next_step):
        judge_server.default = step
        async with judge_at(judge_server) as judge:
            with pytest.raises(JudgeRefusedError) as caught:
                await judge.ask(question())
        assert len(judge_server.requests) == 1
        assert title in caught.value.title
        assert next_step in caught.value.next_step
        assert "very-secret" not in str(caught.value) + repr(judge.settings)

    async def test_an_error_inside_an_answer_that_says_200_is_an_error(self, judge_server):
        judge_server.script(Step(body={"error": {"code": 502, "message": "upstream"}}))
        async with judge_at(judge_server) as judge:
            await judge.ask(question())
        assert len(judge_server.requests) == 2

    async def test_the_key_is_neither_logged_nor_kept(self, judge_server, caplog):
        caplog.set_level(logging.DEBUG)
        book = MemoryCallBook()
        async with judge_at(judge_server, book=book) as judge:
            await judge.ask(question())
        assert judge_server.requests[0].headers["authorization"] == "Bearer sk-very-secret-key"
        assert "very-secret" not in caplog.text
        assert "very-secret" not in str([call.as_json() for call in book.calls.values()])

    async def test_an_organization_of_the_environment_is_not_told_to_other_servers(
        self, judge_server, monkeypatch
    ):
        monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer other")
        async with judge_at(judge_server) as judge:
            await judge.ask(question())
        headers = judge_server.requests[0].headers
        assert "openai-organization" not in headers
        assert headers["authorization"] == "Bearer sk-very-secret-key"

    async def test_many_questions_through_a_bad_day_end_as_answers_or_as_errors_that_say_why(
        self, judge_server
    ):
        count = 0

        def sometimes(request):
            nonlocal count
            count += 1
            bad = {7: busy(retry_after_ms="10"), 11: drops(), 13: refuses(500, "x"), 17: says("{half")}
            step = next((step for every, step in bad.items() if count % every == 0), None)
            return step or says(GOOD)

        judge_server.default = sometimes
        async with judge_at(judge_server, concurrency=16) as judge:
            asked = (judge.ask(question(f"{number}?")) for number in range(150))
            ended = await asyncio.gather(*asked, return_exceptions=True)
            assert judge.in_flight == 0
        # Two broken replies in a row to one question are an error, whichever question they fall on.
        errors = [one for one in ended if isinstance(one, MalformedReplyError)]
        assert all(one.value == GOOD for one in ended if one not in errors)
        assert all("{half" in error.detail for error in errors)
        assert len(errors) < 15


class TestWhatServersDoNotTake:
    async def test_json_schema_refused_falls_back_to_json_object_and_is_remembered(self, judge_server):
        def only_object(request):
            kind = (request.body.get("response_format") or {}).get("type")
            return (
                says(GOOD) if kind == "json_object" else refuses(400, "response_format json_schema unknown")
            )

        judge_server.default = only_object
        async with judge_at(judge_server) as judge:
            await judge.ask(question("a?"))
            await judge.ask(question("b?"))
        kinds = [request.body["response_format"]["type"] for request in judge_server.requests]
        assert kinds == ["json_schema", "json_object", "json_object"]
        # What the server does not enforce is said in words, after the question.
        assert '"required": ["reason", "score"]' in judge_server.requests[1].text.split("a?")[1]

    async def test_any_response_format_refused_falls_back_to_text(self, judge_server):
        def only_text(request):
            refused = "response_format" in request.body
            return (
                refuses(400, "'response_format' must be text")
                if refused
                else says(f"```json\n{WEIGHTED_REPLY}\n```")
            )

        judge_server.default = only_text
        async with judge_at(judge_server) as judge:
            answer = await judge.ask(question())
        assert answer.value["score"] == 8
        assert len(judge_server.requests) == 3

    async def test_a_style_set_by_hand_is_kept_to(self, judge_server):
        judge_server.default = refuses(400, "response_format unknown")
        async with judge_at(judge_server, style="schema") as judge:
            with pytest.raises(JudgeRefusedError):
                await judge.ask(question())
        assert len(judge_server.requests) == 1

    async def test_a_reasoning_model_gets_what_it_takes(self, judge_server):
        def picky(request):
            if "max_tokens" in request.body:
                return refuses(
                    400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
                )
            if "temperature" in request.body:
                return refuses(400, "Only the default (1) is supported", param="temperature")
            if "logprobs" in request.body:
                return (
                    refuses(403, "no")
                    if False
                    else refuses(400, "logprobs are not supported", param="logprobs")
                )
            return says(GOOD)

        judge_server.default = picky
        async with judge_at(judge_server) as judge:
            answer = await judge.ask(question(max_tokens=99, token_probabilities=True))
        assert answer.value == GOOD
        assert judge_server.requests[-1].body["max_completion_tokens"] == 99


class TestTokenProbabilities:
    async def test_the_score_is_weighted_and_the_same_from_the_book(self, judge_server):
        judge_server.script(says(WEIGHTED_REPLY, tokens=TOKENS))
        book = MemoryCallBook()
        async with judge_at(judge_server, book=book) as judge:
            answer = await judge.ask(question(token_probabilities=True))
            again = await judge.ask(question(token_probabilities=True))
        assert answer.weighted == pytest.approx(7.8687, abs=5e-5)
        assert again.weighted == answer.weighted
        assert judge_server.requests[0].body["top_logprobs"] == 20
        call = book.calls[answer.call.key]
        assert JudgeCall.from_json(call.as_json(), cached=False) == call

    async def test_a_server_without_them_gives_the_plain_number_and_a_note(self, judge_server):
        async with judge_at(judge_server) as judge:
            answer = await judge.ask(question(token_probabilities=True))
        assert answer.weighted is None
        assert answer.note == NO_PROBABILITIES

    async def test_a_server_that_allows_few_alternatives_is_asked_for_few(self, judge_server):
        judge_server.script(
            refuses(400, "top_logprobs must be at most 5"), says(WEIGHTED_REPLY, tokens=TOKENS)
        )
        async with judge_at(judge_server) as judge:
            answer = await judge.ask(question(token_probabilities=True))
        assert answer.weighted is not None
        assert judge_server.requests[1].body["top_logprobs"] == 5


class TestCancelling:
    async def test_one_who_leaves_does_not_take_the_answer_from_the_others(self, judge_server):
        go = asyncio.Event()
        judge_server.script(says(GOOD, wait=go))
        async with judge_at(judge_server) as judge:
            leaver, stayer = (asyncio.create_task(judge.ask(question())) for _ in range(2))
            await until(lambda: judge_server.requests)
            leaver.cancel()
            await asyncio.sleep(0)
            go.set()
            assert (await stayer).value == GOOD
        assert leaver.cancelled()
        assert len(judge_server.requests) == 1

    async def test_when_all_have_left_the_call_ends_and_its_place_is_free(self, judge_server):
        judge_server.script(hangs())
        async with judge_at(judge_server, concurrency=1) as judge:
            asking = asyncio.create_task(judge.ask(question()))
            await until(lambda: judge_server.requests)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            # The same question asked at once is a new call, not the dying one.
            assert (await judge.ask(question())).value["reason"] == "ok"
            assert judge.in_flight == 0

    async def test_a_failure_is_shared_and_not_remembered(self, judge_server):
        judge_server.script(refuses(401, "no"))
        async with judge_at(judge_server) as judge:
            both = await asyncio.gather(judge.ask(question()), judge.ask(question()), return_exceptions=True)
            assert all(isinstance(error, JudgeRefusedError) for error in both)
            assert len(judge_server.requests) == 1
            assert await judge.ask(question())


class TestMoney:
    async def test_a_call_has_a_price_where_one_is_given(self, judge_server):
        async with judge_at(judge_server, price=(10.0, 100.0)) as judge:
            answer = await judge.ask(question())
        assert answer.cost == pytest.approx(100 * 10e-6 + 10 * 100e-6)
        assert judge.spent == answer.cost

    async def test_a_spent_budget_ends_the_asking_but_not_what_is_kept(self, judge_server):
        async with judge_at(judge_server, price=(1000.0, 0.0), budget=0.25) as judge:
            for number in range(2):
                await judge.ask(question(f"{number}?"))
            with pytest.raises(BudgetSpentError) as caught:
                await judge.ask(question("more?"))
            assert caught.value.kind == "budget"
            assert (await judge.ask(question("0?"))).call.cached
            assert judge.spent == pytest.approx(0.2)
        assert len(judge_server.requests) == 2

    async def test_a_budget_without_a_known_price_is_refused_before_anything_is_spent(self):
        settings = ModelSettings(base_url="https://judge.invalid/v1", model="unheard-of", budget=1.0)
        async with Judge(settings) as judge:
            with pytest.raises(SettingError, match="price"):
                await judge.ask(question())


async def test_every_error_is_a_judge_error_with_its_kind():
    kinds = {
        error.kind for error in (JudgeUnavailableError, JudgeRefusedError, MalformedReplyError, JudgeError)
    }
    assert kinds == {"unavailable", "refused", "malformed", "error"}
