"""Improving a criterion: a judge that follows guidelines is brought to people, one that does not is told."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from judge_server import JudgeServer, Request, Step, says
from judged import judge_at
from shared_data import SHARED
from stored import keep

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import draw_sample
from turnwise.engine.criteria.improving import (
    Improvement,
    improve,
    last_test,
    most_helpful,
)
from turnwise.engine.criteria.proposing import changed, guideline_proposals
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.people.benchmark import load_rated
from turnwise.engine.people.statistics.rater_agreement import kappa_of

CRITERION = Criterion(name="Keeps to its passages", criteria="All that is said is so.", steps=["Read it."])
STRICT = "A number that no passage holds fails the reply."
Judging = Callable[[Request, bool], int]


def library(store: Store, count: int = 200) -> dict[str, bool]:
    """Keep sessions of which two in five fail, with notes; return whether each passes, by its answer."""
    draw = random.Random(5)
    truth = {}
    for number in range(count):
        passes = draw.random() < 0.6
        answer = f"It is number {number:04} of the list."
        truth[answer] = passes
        session = keep(store, f"Which is it, {number}?", answer, name=f"talk {number}")
        note = "" if passes else "states a number that is in no passage"
        store.labels.add(session, "pass" if passes else "fail", author="ann", blind=True, note=note)
    return truth


def scripted(server: JudgeServer, truth: dict[str, bool], *, follows: bool) -> None:
    """Let a server pass most of what fails, until the guideline stands in the question and it follows it."""

    def answer(request: Request) -> Step:
        if "settles one kind of case" in request.text:
            return says({"guidelines": [STRICT, "Be kind."], "criteria": "All that is said is so."})
        told = re.findall(r"It is number \d+ of the list\.", request.text)
        # Examples come after the transcript.
        passes = truth[told[0]]
        number = int(re.findall(r"\d+", told[0])[0])
        guided = follows and STRICT in request.text
        misses = number % 10 == 0 if guided else (number % 10 < 6 and not passes) or number % 10 == 9
        found = passes is not misses
        return says({"reason": "as it is", "turns": [], "score": 9 if found else 2})

    server.default = answer


async def improved(store: Store, server: JudgeServer) -> Improvement:
    async with judge_at(server, StoredCallBook(store)) as judge:
        return await improve(store, CRITERION, judge, author="ann", tell=lambda *_: None)


async def test_a_guideline_that_helps_is_found_on_dev_and_holds_on_test(
    store: Store, judge_server: JudgeServer
) -> None:
    truth = library(store)
    scripted(judge_server, truth, follows=True)
    found = await improved(store, judge_server)
    assert draw_sample(store, CRITERION.name, split="train").labelled <= 40
    assert store.splits.uses("test") == []
    helping = [one.proposal for one in found.tried if one.helps]
    assert not any(one.guidelines == ("Be kind.",) for one in helping)
    assert any(one.guidelines == (STRICT, "Be kind.") for one in helping), "all together help, too"
    better = changed(CRITERION, [one.proposal for one in most_helpful(found.tried)])
    assert better.guidelines == [STRICT], "what adds nothing is not taken"
    async with judge_at(judge_server, StoredCallBook(store)) as judge:
        change = await last_test(store, CRITERION, better, judge, author="ann", tell=lambda *_: None)
    was, now = (kappa_of(matrix) for matrix in change.matrices)
    assert now - was >= 0.15
    assert [use.author for use in store.splits.uses("test")] == ["ann", "ann"]


async def test_a_judge_that_ignores_guidelines_is_not_called_better(
    store: Store, judge_server: JudgeServer
) -> None:
    scripted(judge_server, library(store), follows=False)
    found = await improved(store, judge_server)
    assert found.tried
    assert not any(one.helps for one in found.tried)


async def test_what_was_judged_is_not_asked_again(store: Store, judge_server: JudgeServer) -> None:
    scripted(judge_server, library(store, 100), follows=True)
    first = await improved(store, judge_server)
    asked = len(judge_server.requests)
    again = await improved(store, judge_server)
    # The question for guidelines is answered from the kept calls too.
    assert len(judge_server.requests) == asked
    assert [one.data() for one in again.tried] == [one.data() for one in first.tried]


async def test_too_few_labels_are_told_with_their_number(store: Store, judge_server: JudgeServer) -> None:
    scripted(judge_server, library(store, 20), follows=True)
    with pytest.raises(SettingError, match="too few labels") as raised:
        await improved(store, judge_server)
    assert "train: " in raised.value.detail


def test_guidelines_that_are_tried_together_are_named_by_their_letters() -> None:
    known = CRITERION.model_copy(update={"guidelines": ["Be brief."]})
    found = guideline_proposals(known, [STRICT, "Be  kind.", "Be brief.", "Be kind.", ""])
    assert [one.words for one in found] == [
        f"guideline A: {STRICT}",
        "guideline B: Be kind.",
        "guidelines A and B together",
    ]
    assert found[-1].guidelines == (STRICT, "Be kind.")
    assert [one.words for one in guideline_proposals(known, [STRICT])] == [f"guideline: {STRICT}"]


@pytest.mark.fixtures
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the fixtures beside the repository")
async def test_on_ratings_of_real_replies_a_judge_that_follows_gains(
    store: Store, judge_server: JudgeServer
) -> None:
    truth = {}
    for place, rated in enumerate(load_rated(SHARED / "fixtures" / "mt-rag" / "human-evaluations.json")):
        said = rated.case.turns[-1].content
        marked = f"It is number {place:04} of the list."
        truth[marked] = rated.ratings["faithfulness"] >= 3.5
        session = keep(store, f"question {place}", f"{marked} {said}")
        store.labels.add(session, "pass" if truth[marked] else "fail", author="people", blind=True)
    scripted(judge_server, truth, follows=True)
    found = await improved(store, judge_server)
    helping = [one.proposal for one in found.tried if one.helps]
    assert helping
    async with judge_at(judge_server, StoredCallBook(store)) as judge:
        better = changed(CRITERION, helping[:1])
        change = await last_test(store, CRITERION, better, judge, author="ann", tell=lambda *_: None)
    was, now = (kappa_of(matrix) for matrix in change.matrices)
    assert now - was >= 0.15
