"""Walk: the way from a graph's root to a score, a question to the judge at every node it passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import CaseError, JudgeError
from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.transcripts import RULES, Transcript, fence, render_transcript
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.dag.graph import DeepAcyclicGraph
from turnwise.engine.metrics.dag.nodes import (
    HIGHEST,
    AskingNode,
    BinaryJudgementNode,
    NonBinaryJudgementNode,
    TaskNode,
    VerdictNode,
    verdict_word,
)
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject, fields_shown

_TASK = """\
{material}Do this with {what}, and nothing else:
{instructions}

Answer with this JSON and nothing else: {{"output": "..."}}"""
_JUDGE = """\
{material}Answer this about {what}:
{criteria}

The verdict is one of: {words}.
Answer with this JSON and nothing else: {{"reason": "...", "verdict": "..."}}"""

_TRUTH: dict[Any, str] = {True: "yes", False: "no", "true": "yes", "false": "no"}


@dataclass(slots=True)
class Way:
    """What a walk through the graph met: scores (0 to 1) with reasons, verdicts, and outcomes of tasks."""

    ends: list[tuple[float, str]] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)


async def walk(graph: DeepAcyclicGraph, subject: Subject, asking: Asking) -> Way:
    """Walk from the root to the scores; where tasks lead to several questions, each leads to one.

    A question is asked once a verdict leads to it, or, where none can, once its tasks are done; a task is
    done once one of the nodes before it is. Raises JudgeError where no answer can be had.
    """
    way = Way()
    outputs: dict[TaskNode, str] = {}
    taken: set[VerdictNode] = set()
    passed: set[AskingNode] = set()
    while node := _next(graph, passed, outputs, taken):
        passed.add(node)
        way.titles.append(node.title)
        read = {
            parent.output_label: outputs[parent]
            for parent in graph.parents[node]
            if isinstance(parent, TaskNode) and parent in outputs
        }
        if isinstance(node, TaskNode):
            outputs[node] = await _output(node, subject, asking, read)
            way.outputs[node.title] = outputs[node]
            continue
        word, reason = await _verdict(node, subject, asking, read)
        verdict = next(child for child in node.children if verdict_word(child.verdict) == word)
        taken.add(verdict)
        way.verdicts.append(Verdict(turn=None, passed=None, word=word, reason=reason, about=node.title))
        if verdict.score is not None:
            way.ends.append((verdict.score / HIGHEST, f"{node.title}: {word}. {reason}".strip()))
        elif isinstance(verdict.child, Metric):
            way.ends.append(await _of_metric(verdict.child, subject, asking, way))
    if not way.ends:
        raise JudgeError("The graph came to no verdict", detail=" > ".join(way.titles))
    return way


def _next(
    graph: DeepAcyclicGraph,
    passed: set[AskingNode],
    outputs: Mapping[TaskNode, str],
    taken: set[VerdictNode],
) -> AskingNode | None:
    """Return the next node to be asked, tasks first; None at the end."""
    ready = [node for node in graph.asking if node not in passed and _reached(graph, node, outputs, taken)]
    return next((node for node in ready if isinstance(node, TaskNode)), next(iter(ready), None))


def _reached(
    graph: DeepAcyclicGraph, node: AskingNode, outputs: Mapping[TaskNode, str], taken: set[VerdictNode]
) -> bool:
    if node is graph.root:
        return True
    verdicts = [parent for parent in graph.parents[node] if isinstance(parent, VerdictNode)]
    tasks = [parent for parent in graph.parents[node] if isinstance(parent, TaskNode)]
    if verdicts:
        return any(parent in taken for parent in verdicts)
    done = [parent in outputs for parent in tasks]
    return any(done) if isinstance(node, TaskNode) else all(done)


async def _of_metric(metric: Metric, subject: Subject, asking: Asking, way: Way) -> tuple[float, str]:
    """Return the score of the metric at an end of the graph."""
    if lacking := metric.lacks(subject):
        raise CaseError(f"{metric.name} cannot judge this case: {lacking}")
    finding = await metric.assess(subject, asking)
    way.verdicts += finding.verdicts
    way.titles.append(metric.name)
    return finding.score, f"{metric.name}: {finding.reason}"


async def _output(node: TaskNode, subject: Subject, asking: Asking, read: Mapping[str, str]) -> str:
    transcript = _transcript(node, subject, asking)
    question = Question(
        rules=RULES,
        transcript=transcript.text,
        ask=_TASK.format(
            material=_material(node, subject, transcript.mark, read),
            what=_what(subject),
            instructions=node.instructions.strip(),
        ),
        name="output",
        schema=_object({"output": {"type": "string"}}),
        # A judge may well give a list where it is asked to list things.
        accept={"type": "object", "properties": {"output": {}}, "required": ["output"]},
    )
    given = (await asking.ask(question)).value["output"]
    return "\n".join(map(str, given)) if isinstance(given, list) else str(given)


async def _verdict(
    node: BinaryJudgementNode | NonBinaryJudgementNode,
    subject: Subject,
    asking: Asking,
    read: Mapping[str, str],
) -> tuple[str, str]:
    transcript = _transcript(node, subject, asking)
    question = Question(
        rules=RULES,
        transcript=transcript.text,
        ask=_JUDGE.format(
            material=_material(node, subject, transcript.mark, read),
            what=_what(subject),
            criteria=node.criteria.strip(),
            words=", ".join(node.words),
        ),
        name="verdict",
        schema=_object({"reason": {"type": "string"}, "verdict": {"type": "string", "enum": node.words}}),
        accept={
            "type": "object",
            "properties": {
                "reason": {"type": "string"},
                "verdict": {"enum": _accepted(node.words)},
            },
            "required": ["verdict"],
        },
    )
    value = (await asking.ask(question)).value
    return _TRUTH.get(value["verdict"], value["verdict"]), str(value.get("reason") or "").strip()


def _accepted(words: Sequence[str]) -> list[Any]:
    """Return what is accepted as an answer: the words offered, and true and false beside yes and no."""
    return [*words, *_TRUTH] if set(words) == {"yes", "no"} else list(words)


def _transcript(node: AskingNode, subject: Subject, asking: Asking) -> Transcript:
    whole = subject.transcript(asking.secret)
    if node.turn_window is None:
        return whole
    first, last = node.turn_window
    if first > max((number for number, _ in subject.numbered), default=0):
        raise CaseError(
            f"{node.title}: the conversation ends before its turn_window", detail=f"turns {first} to {last}"
        )
    return render_transcript(subject.case.turns, mark=whole.mark, first=first, last=last)


def _material(node: AskingNode, subject: Subject, mark: str, read: Mapping[str, str]) -> str:
    """Write the fields that a node reads, and the outcomes of the tasks before it, fenced as data."""
    fields = fields_shown(node.evaluation_params, subject, mark)
    texts = {count: f"{label}: {text}" for count, (label, text) in enumerate(read.items(), start=1)}
    outcomes = fence(mark, "outcome", texts) if texts else ""
    parts = [part for part in (fields.strip(), outcomes) if part]
    return "\n".join(parts) + "\n\n" if parts else ""


def _what(subject: Subject) -> str:
    return "the conversation" if subject.exchange is None else "the chatbot's last reply"


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
