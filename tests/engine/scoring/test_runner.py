"""The runner: outcomes as they land, an end where going on is pointless."""

import asyncio
from contextlib import aclosing

import pytest
from judge_server import JudgeServer, busy, drops, refuses, says
from judged import gives, judge_at
from stored import said, skipped
from waiting import until

from turnwise.conversations import Failure, Score
from turnwise.conversations.errors import (
    BudgetSpentError,
    JudgeError,
    JudgeRefusedError,
    JudgeUnavailableError,
    SettingError,
)
from turnwise.conversations.results import Outcome
from turnwise.engine.metrics import ContainsMetric, KnowledgeRetentionMetric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.scoring.runner import PlacedUnit, judge_units


async def units(count: int, metric=None, pulled: list[int] | None = None):
    for number in range(count):
        if pulled is not None:
            pulled.append(number)
        subject = Subject.of(said(f"case {number}", "b"))
        yield PlacedUnit(metric or KnowledgeRetentionMetric(), subject, place=number)


async def outcomes(source, judge) -> dict[int, object]:
    landed = {}
    async with aclosing(judge_units(source, judge, secret="s")) as landing:
        async for unit, outcome in landing:
            assert unit.place not in landed
            landed[unit.place] = outcome
    return landed


async def test_every_unit_ends_in_one_outcome(judge_server):
    judge_server.default = gives("turn", {2: "no"})
    async with judge_at(judge_server) as judge:
        landed = await outcomes(units(30), judge)
    assert sorted(landed) == list(range(30))
    assert all(isinstance(outcome, Score) for outcome in landed.values())
    assert len(judge_server.requests) == 30


async def test_units_are_pulled_as_there_is_room_for_them(judge_server):
    held = asyncio.Event()
    judge_server.default = says({"turn_2": {"verdict": "no"}}, wait=held)
    pulled: list[int] = []
    async with judge_at(judge_server, concurrency=2) as judge:
        running = asyncio.create_task(outcomes(units(50, pulled=pulled), judge))
        await until(lambda: len(judge_server.requests) >= 2)
        await asyncio.sleep(0.05)
        assert len(pulled) <= 4
        held.set()
        assert len(await running) == 50
    assert judge_server.most_at_once <= 2


async def test_what_is_judged_already_is_passed_on(judge_server):
    async def kept():
        yield PlacedUnit(KnowledgeRetentionMetric(), Subject.of(said("a", "b")), skipped(), place=1)

    async with judge_at(judge_server) as judge:
        assert await outcomes(kept(), judge) == {1: skipped()}
    assert judge_server.requests == []


async def test_checks_run_without_a_judge():
    landed = await outcomes(units(5, ContainsMetric(text="b")), None)
    assert len(landed) == 5


@pytest.mark.parametrize(
    ("step", "kind", "told"),
    [
        (refuses(401, "bad key"), JudgeRefusedError, "the judge refuses"),
        (drops(), JudgeUnavailableError, "the judge does not answer"),
        (busy(retry_after_ms="1"), JudgeUnavailableError, "the judge does not answer"),
    ],
    ids=["refuses", "is away", "stays busy"],
)
async def test_a_judge_that_never_answers_ends_the_run_after_a_few_failures(judge_server, step, kind, told):
    judge_server.default = step
    landed = []
    async with judge_at(judge_server, concurrency=1) as judge:

        async def run() -> None:
            async with aclosing(judge_units(units(500), judge, secret="s")) as landing:
                async for _, outcome in landing:
                    landed.append(outcome)

        with pytest.raises(kind, match="The run was stopped") as caught:
            await run()
    assert told in caught.value.title
    assert caught.value.detail
    assert caught.value.next_step
    assert 3 <= len(landed) <= 5
    assert all(isinstance(outcome, Failure) for outcome in landed)
    assert len(judge_server.requests) < 60


async def test_a_judge_that_has_answered_once_may_fail_as_often_as_it_likes(judge_server):
    judge_server.script(gives("turn", {2: "no"}))
    judge_server.default = refuses(400, "too odd for me")
    async with judge_at(judge_server, concurrency=1) as judge:
        landed = await outcomes(units(12), judge)
    assert sum(isinstance(outcome, Score) for outcome in landed.values()) == 1
    assert sum(isinstance(outcome, Failure) for outcome in landed.values()) == 11


async def test_refusals_alone_are_told_at_the_end_when_all_was_tried(judge_server):
    oddities = iter("abcdefghijkl")
    judge_server.default = lambda request: refuses(400, f"too odd for me: {next(oddities)}")
    landed = []
    async with judge_at(judge_server) as judge:

        async def run() -> None:
            async with aclosing(judge_units(units(12), judge, secret="s")) as landing:
                async for _, outcome in landing:
                    landed.append(outcome)

        with pytest.raises(JudgeRefusedError, match="refuses all that it was asked") as caught:
            await run()
    assert "too odd for me" in caught.value.detail
    assert len(landed) == len(judge_server.requests) == 12


async def test_malformed_replies_do_not_end_a_run(judge_server):
    judge_server.default = says("{broken")
    async with judge_at(judge_server) as judge:
        landed = await outcomes(units(10), judge)
    assert all(isinstance(outcome, Failure) and outcome.kind == "malformed" for outcome in landed.values())


async def test_a_spent_budget_ends_the_run_and_what_is_paid_for_still_lands(judge_server):
    judge_server.default = gives("turn", {2: "no"})
    landed = []
    # A call costs 110 millionths of a dollar, and is thought to cost some 700.
    async with judge_at(judge_server, price=(1.0, 1.0), budget=5e-3, max_tokens=20) as judge:

        async def run() -> None:
            async with aclosing(judge_units(units(100), judge, secret="s")) as landing:
                async for _, outcome in landing:
                    landed.append(outcome)

        with pytest.raises(BudgetSpentError, match="The budget is spent"):
            await run()
    assert len(judge_server.requests) == len(landed)
    assert 36 <= len(landed) <= 42
    assert judge.spent <= 5e-3


async def test_a_judge_set_up_wrongly_ends_the_run(judge_server):
    async with judge_at(judge_server, base_url="https://example.org/v1", budget=1.0) as judge:
        with pytest.raises(SettingError, match="needs a price"):
            await outcomes(units(10), judge)


async def test_closing_ends_what_is_under_way(judge_server):
    judge_server.script(gives("turn", {2: "no"}))
    judge_server.default = says({}, wait=asyncio.Event())
    async with judge_at(judge_server, concurrency=4) as judge:
        async with aclosing(judge_units(units(100), judge, secret="s")) as landing:
            await anext(landing)
        assert judge.in_flight == 0
    assert len(judge_server.requests) <= 5


async def test_an_error_in_the_source_of_units_comes_out():
    async def broken():
        yield PlacedUnit(ContainsMetric(text="b"), Subject.of(said("a", "b")), place=1)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        await outcomes(broken(), None)


class TestRefusalsThatAreAlike:
    async def run(self, server: JudgeServer, count: int = 40) -> tuple[list[Outcome], JudgeError | None]:
        """Return what landed, and the error that ended the run."""
        landed: list[Outcome] = []
        async with judge_at(server, concurrency=1) as judge:
            try:
                async with aclosing(judge_units(units(count), judge, secret="s")) as landing:
                    async for _, outcome in landing:
                        landed.append(outcome)
            except JudgeError as error:
                return landed, error
        return landed, None

    async def test_they_end_the_run_with_their_words_and_each_is_a_failure(self, judge_server):
        judge_server.default = lambda request: refuses(
            400, f"no such parameter (request {len(judge_server.requests)})"
        )
        landed, error = await self.run(judge_server)
        assert isinstance(error, JudgeRefusedError)
        assert error.title == "The run was stopped: the judge refuses all that it is asked"
        assert "no such parameter" in error.detail
        assert error.next_step
        assert len(landed) == 6
        assert all(isinstance(outcome, Failure) and outcome.kind == "refused" for outcome in landed)
        assert len(judge_server.requests) < 12

    async def test_a_success_before_them_or_among_them_lets_it_go_on(self, judge_server):
        judge_server.script(*[refuses(400, "no")] * 5, gives("turn", {2: "no"}))
        judge_server.default = refuses(400, "no")
        landed, error = await self.run(judge_server, 20)
        assert error is None
        assert len(landed) == 20

    @pytest.mark.parametrize(
        "refusal",
        [
            says("", refusal="I cannot read that."),
            says("", finish="content_filter"),
            refuses(400, "the maximum context length is 10", code="context_length_exceeded"),
            refuses(400, "The response was filtered", code="content_filter"),
            refuses(400, "it triggers our content management policy"),
        ],
    )
    async def test_what_blames_a_conversation_goes_on_to_the_next(self, judge_server, refusal):
        judge_server.default = refusal
        landed, error = await self.run(judge_server, 12)
        assert len(landed) == 12
        assert error is not None
        assert error.title == "The judge refuses all that it was asked"
