"""Task completion: was what the user set out to do brought to its end?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES, fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.materials import call_text
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import turns_named

_HIGHEST = 10

_ASK = """\
{task}
{calls}
How far was that task brought to its end by the chatbot's last reply and the tools it used? Look at what \
was done and shown, not at what was promised.
10: all of it, and the outcome is there. 7 to 9: done but for something small. 4 to 6: a part of it. 1 to \
3: begun, and nothing of use came of it. 0: nothing of it was done.

Answer with this JSON and nothing else: {{"task": "...", "outcome": "...", "reason": "...", "score": ...}}
task, outcome: one sentence each, what was to be done and what came of it. score: a whole number from 0 \
to 10."""

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "task": {"type": "string"},
        "outcome": {"type": "string"},
        "reason": {"type": "string"},
        "score": {"type": "integer", "minimum": 0, "maximum": _HIGHEST},
    },
    "required": ["task", "outcome", "reason", "score"],
    "additionalProperties": False,
}
_ACCEPTED: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {} for name in ("task", "outcome", "reason")},
        "score": {"type": "number", "minimum": 0, "maximum": _HIGHEST},
    },
    "required": ["score"],
}


@dataclass(kw_only=True, eq=False)
class TaskCompletionMetric(Metric):
    """Whether the chatbot brought the task that the user set it to its end, tools included.

    task: what was to be done; by default the judge reads it out of what the user says.
    """

    key: ClassVar[str] = "task_completion"
    positional: ClassVar[tuple[str, ...]] = ("threshold", "task", "model")
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output")
    main_setting: ClassVar[str] = "task"
    account: ClassVar[Account] = Account(
        formula=(
            "g / 10, where g is the judge's number from 0 to 10, weighted by token probability as G-Eval "
            "does where the judge gives it"
        ),
        source="deepeval's TaskCompletion, in one question; weights: Liu et al. 2023, arXiv:2303.16634",
        empty="an exchange without input or reply is skipped",
        calls="1",
        needs="and tools_called where there are any",
    )

    task: str = ""

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the tools that were called."""
        return (*self.needs, "tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for task, outcome and how far the one meets the other."""
        transcript = subject.transcript(asking.secret)
        place = turns_named(subject.exchange.input_turns if subject.exchange else ())
        calls = subject.value("tools_called") or []
        texts = {
            count: call_text(call.name, call.input_parameters or call.raw_arguments, call.output)
            for count, call in enumerate(calls, start=1)
        }
        question = Question(
            rules=RULES,
            transcript=transcript.text,
            ask=_ASK.format(
                task=f"The chatbot's task: {self.task.strip()}"
                if self.task.strip()
                else f"The chatbot's task is what the user wants in {place}.",
                calls=f"The tools it used:\n{fence(transcript.mark, 'call', texts)}\n" if texts else "",
            ),
            name="completion",
            schema=_SCHEMA,
            accept=_ACCEPTED,
            token_probabilities=True,
        )
        answer = await asking.ask(question)
        raw = float(answer.value["score"])
        value = raw if answer.weighted is None else answer.weighted
        told = {name: str(answer.value.get(name) or "").strip() for name in ("task", "outcome", "reason")}
        reason = told["reason"] or told["outcome"] or "The judge gave no reason."
        weights = {"note": answer.note} if answer.weighted is None else {"weighted": answer.weighted}
        return Finding(
            score=value / _HIGHEST,
            reason=reason,
            details={"raw": raw, "task": told["task"], "outcome": told["outcome"], **weights},
        )
