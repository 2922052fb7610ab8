"""A real judge at a scripted server, and the replies it is scripted with, for tests of several folders."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from judge_server import JudgeServer, Request, Step, says

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.results import Outcome
from turnwise.engine.judge.calls import CallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import Question
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.models.settings import ModelSettings


async def no_wait(seconds: float) -> None:
    """Stand for the waiting between tries."""
    await asyncio.sleep(0)


def judge_at(server: JudgeServer, book: CallBook | None = None, **settings: Any) -> Judge:
    """Return a judge at the server that does not wait between tries."""
    return Judge(ModelSettings(**{"base_url": server.url, "model": "m", **settings}), book, sleep=no_wait)


def asks_score(ask: str = "How good?") -> Question:
    """Return a question whose answer is a reason and a score from 0 to 10."""
    properties = {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}}
    schema = {"type": "object", "properties": properties, "required": ["reason", "score"]}
    return Question(rules="Judge.", transcript="1 user: hi", ask=ask, schema=schema, name="score")


async def found(
    metric: Metric,
    case: ConversationalTestCase | LLMTestCase,
    judge: Judge | None,
    *,
    exchange: int | None = None,
) -> Outcome:
    """Judge a case, its last exchange or a numbered one, and return the outcome."""
    whole = Subject.of(case)
    if exchange is not None:
        return await metric.judge(whole.at(whole.case.numbered_exchanges[exchange - 1]), judge, secret="s")
    subjects = metric.subjects(whole) or [whole]
    return await metric.judge(subjects[0], judge, secret="s")


def verdicts(noun: str, words: dict[int, str]) -> dict[str, Any]:
    """Return the reply that gives these words, with a reason for each."""
    return {
        f"{noun}_{number}": {"reason": f"reason {number}", "verdict": word} for number, word in words.items()
    }


def gives(noun: str, words: dict[int, str]) -> Step:
    """Answer with these words."""
    return says(verdicts(noun, words))


def asked_about(request: Request) -> list[int]:
    """Return the numbers that a question asks a verdict on."""
    line = re.search(r"Give a verdict on: (.*)\.", request.text)
    return [int(number) for number in re.findall(r"\d+", line[1])] if line else []


def answers_all(request: Request) -> Step:
    """Answer every question of the metrics well: every verdict passes, and a score of 8."""
    numbers = asked_about(request)
    if not numbers:
        return says({"steps": ["one"]} if "Write the steps" in request.text else {"reason": "r", "score": 8})
    noun = "statement" if "statement" in request.text.split("Give a verdict on: ")[-1] else "turn"
    return gives(noun, dict.fromkeys(numbers, "no" if "forget" in request.text else "yes"))
