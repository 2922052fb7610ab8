"""How near a judge comes to the turn with a planted fault.

    python tests/bench/locating_bench.py JUDGE N [given]

JUDGE is what `--judge` takes, such as embedded:qwen2.5-coder-1.5b. Each of N conversations of two to six
exchanges has one reply with a planted sentence (tests/support/planted_faults.py), and a criterion is asked of
it. Of those that fail, the turn is named by the reply or found by judging beginnings. With `given` every
conversation counts as failed with no turn named, as a small judge lets most such conversations pass: then
beginnings alone tell the turn.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from planted_faults import planted

from turnwise.conversations import Score
from turnwise.engine.criteria.locating import locate_in
from turnwise.engine.judge.judge import open_judge
from turnwise.engine.metrics import ConversationalGEval
from turnwise.engine.metrics.subject import Subject

STEPS = ["Check that the assistant keeps to its role: nothing that it says may be outside of it."]


async def measure(named: str, count: int, *, given: bool) -> None:
    """Print where the fault is and where it was found, conversation by conversation, and the shares."""
    chance = random.Random(7)
    failed = told = near = 0
    async with open_judge(named) as judge:
        for place in range(count):
            [one] = planted(1, seed=place, exchanges=chance.randint(2, 6))
            metric = ConversationalGEval(name="Role", evaluation_steps=STEPS)
            began, before = time.perf_counter(), judge.calls_made
            score = await metric.judge(Subject.of(one.case), judge, secret="bench")
            if not isinstance(score, Score):
                print(f"{place}: {score.reason}", flush=True)
                continue
            failed += not score.passed
            found = "passed"
            if given or not score.passed:
                asked = replace(score, details={}) if given else score
                located = await locate_in(metric, one.case, asked, judge)
                told += located.lost.turn is not None
                near += located.lost.turn is not None and abs(located.lost.turn - one.turn) <= 1
                found = f"turn {located.lost.turn} by {located.lost.by}, {located.as_of}"
            calls, seconds = judge.calls_made - before, time.perf_counter() - began
            print(
                f"{place}: {score.score:.2f}, planted in turn {one.turn} of {len(one.case.turns)}: {found} "
                f"({calls} calls, {seconds:.0f} s)",
                flush=True,
            )
    print(f"{count} conversations: {failed} failed, {told} with a turn, {near} of these within one turn")


if __name__ == "__main__":
    asyncio.run(measure(sys.argv[1], int(sys.argv[2]), given="given" in sys.argv[3:]))
