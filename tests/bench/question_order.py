"""What it saves to ask an embedded judge questions that begin alike in a row, rather than as they come.

    python tests/bench/question_order.py [--judge embedded:qwen2.5-coder-0.5b] [--rounds 2]

The first sample conversation is judged by goal accuracy, which asks two kinds of questions by turns. Prints a
JSON object for each way, medians of the rounds, the ways taken in turn: seconds, tokens that were read and
tokens that the model still knew. Nothing is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from statistics import median
from unittest.mock import patch

from turnwise.conversations.samples import load_samples
from turnwise.engine.judge.calls import MemoryCallBook
from turnwise.engine.judge.judge import open_judge
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.models.choose import choose_model

WAYS = ("in a row", "as they come")


async def judged(judge_name: str) -> tuple[float, int, int]:
    """Judge the sample; return the seconds, the tokens of all prompts, and those that were known already."""
    book = MemoryCallBook()
    metric = make_metric("goal_accuracy")
    subject = metric.subjects(Subject.of(load_samples()[0]))[0]
    async with open_judge(await choose_model(judge_name), needed=True, book=book) as judge:
        # The model is loaded before the clock runs.
        await metric.judge(metric.subjects(Subject.of(load_samples()[1]))[0], judge, secret="bench")
        before = dict(book.calls)
        began = time.perf_counter()
        await metric.judge(subject, judge, secret="bench")
        seconds = time.perf_counter() - began
    usage = [call.usage for key, call in book.calls.items() if key not in before]
    return seconds, *(sum(one[name] for one in usage) for name in ("prompt_tokens", "cached_tokens"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", default="embedded:qwen2.5-coder-0.5b")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    found: dict[str, list[tuple[float, int, int]]] = {way: [] for way in WAYS}
    for _ in range(options.rounds):
        found["in a row"].append(asyncio.run(judged(options.judge)))
        with patch("turnwise.engine.judge.judge.opening_of", lambda question: ""):
            found["as they come"].append(asyncio.run(judged(options.judge)))
    for way, rounds in found.items():
        seconds, prompt, known = (median(values) for values in zip(*rounds, strict=True))
        print(json.dumps({"way": way, "seconds": round(seconds, 1), "prompt": prompt, "known": known}))


if __name__ == "__main__":
    main()
