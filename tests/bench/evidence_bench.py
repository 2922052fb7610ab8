"""How often quotes hit the sentence that was planted: `python tests/bench/evidence_bench.py JUDGE N [given]`.

JUDGE is what `--judge` takes, such as embedded:qwen2.5-coder-1.5b. Each of N conversations has one exchange
whose reply holds a planted sentence (tests/support/planted_faults.py); role adherence is asked of it. With
`given` the only verdict that is offered is that it fails, as a small judge lets most such replies pass: then
the share is that of the quotes given that it fails.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from planted_faults import planted

from turnwise.conversations import Score, Verdict
from turnwise.engine.judge.judge import open_judge
from turnwise.engine.metrics import RoleAdherenceMetric
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.conversation.role_adherence import _EXAMPLES, _NARROW_ASK
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Narrow, ask_narrow


class FailsAlways(RoleAdherenceMetric):
    """Role adherence as it is asked of a small judge, that can only say no."""

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask of the reply which sentence breaks the role."""
        item = JudgedItem(2, 2)
        narrow = Narrow(_NARROW_ASK, 1, _EXAMPLES, heading=f"Role: {subject.case.chatbot_role}")
        answer = await ask_narrow(asking, subject, narrow, item, ["no"])
        verdict = Verdict(turn=2, passed=False, word="no", reason=answer.reason, quote=answer.quote)
        return Finding(score=0.0, reason=answer.reason, verdicts=[verdict])


async def measure(named: str, count: int, metric: RoleAdherenceMetric) -> None:
    """Print what the judge finds, conversation by conversation, and the shares at the end."""
    failed = quoted = hit = 0
    async with open_judge(named) as judge:
        for place, one in enumerate(planted(count, exchanges=1), start=1):
            began = time.perf_counter()
            outcome = await metric.judge(Subject.of(one.case), judge, secret="bench")
            if not isinstance(outcome, Score):
                print(f"{place}: {outcome.reason}", flush=True)
                continue
            wrong = [verdict for verdict in outcome.verdicts if verdict.passed is False]
            failed += bool(wrong)
            quotes = [verdict.quote.text for verdict in wrong if verdict.quote]
            quoted += bool(quotes)
            hit += one.sentence in quotes
            seconds = time.perf_counter() - began
            told = "passed" if not wrong else f"{'hit' if one.sentence in quotes else 'miss'} {quotes}"
            print(f"{place}: {told}; planted: {one.sentence} ({seconds:.0f} s)", flush=True)
    print(f"{count} conversations: {failed} found, {quoted} of these with a quote, {hit} quotes hit")


if __name__ == "__main__":
    asked = FailsAlways() if "given" in sys.argv[3:] else RoleAdherenceMetric()
    asyncio.run(measure(sys.argv[1], int(sys.argv[2]), asked))
