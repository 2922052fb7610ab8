"""Nodes: the questions of a graph, and the verdicts that lead from one to the next or to a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.engine.metrics.metric import Metric

HIGHEST = 10


@dataclass(kw_only=True, eq=False)
class _Asking:
    """What all nodes share that ask the judge something.

    evaluation_params: fields of the case that the judge reads beside what was said. label: what the node is
    called in a score's details. turn_window: the numbers of the first and the last turn that the judge sees.
    """

    evaluation_params: Sequence[LLMTestCaseParams] = ()
    label: str = ""
    turn_window: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.evaluation_params = list(self.evaluation_params or ())
        if self.turn_window is not None:
            first, last = self.turn_window
            if not 1 <= first <= last:
                raise SettingError(
                    "A node's turn_window goes from a turn to the same or a later one, counted from 1",
                    detail=f"Given: {first} to {last}",
                )


@dataclass(kw_only=True, eq=False)
class TaskNode(_Asking):
    """A piece of work for the judge, whose outcome the nodes after it read.

    instructions: what to make of the case. output_label: what the outcome is called.
    """

    instructions: str
    output_label: str
    children: list[JudgementNode | TaskNode] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_nodes(self.title, self.children)

    @property
    def title(self) -> str:
        """What the node is called."""
        return self.label or self.output_label


@dataclass(kw_only=True, eq=False)
class _Judging(_Asking):
    criteria: str
    children: list[VerdictNode] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_nodes(self.title, self.children)

    @property
    def title(self) -> str:
        """What the node is called."""
        return self.label or shorten(self.criteria, 60).strip('"')

    @property
    def words(self) -> list[str]:
        """The words that the judge may answer, in the order of the verdicts."""
        return [verdict_word(child.verdict) for child in self.children]


@dataclass(kw_only=True, eq=False)
class BinaryJudgementNode(_Judging):
    """A question of yes or no. children: a VerdictNode for True and one for False."""


@dataclass(kw_only=True, eq=False)
class NonBinaryJudgementNode(_Judging):
    """A question with answers of your own. children: a VerdictNode for each of them, with a text."""


@dataclass(kw_only=True, eq=False)
class VerdictNode:
    """An answer, and what follows from it: a score from 0 to 10, a further node, or another metric's score.

    verdict: True or False under a binary node, a text under another. Exactly one of score and child is given.
    """

    verdict: bool | str
    score: float | None = None
    child: TaskNode | JudgementNode | Metric | None = None

    def __post_init__(self) -> None:
        if (self.score is None) == (self.child is None):
            raise SettingError(
                "A verdict leads either to a score or to a child",
                detail=f"Verdict: {verdict_word(self.verdict)}",
            )
        if self.child is not None and not isinstance(self.child, Metric):
            check_nodes(f"verdict {verdict_word(self.verdict)}", [self.child])
        if self.score is not None and not 0 <= self.score <= HIGHEST:
            raise SettingError(
                f"A verdict's score lies from 0 to {HIGHEST}",
                detail=f"{verdict_word(self.verdict)}: {shorten(self.score)}",
            )


JudgementNode = Union[BinaryJudgementNode, NonBinaryJudgementNode]  # noqa: UP007 - named before it exists
AskingNode = TaskNode | BinaryJudgementNode | NonBinaryJudgementNode
Node = AskingNode | VerdictNode


_NODES = (TaskNode, BinaryJudgementNode, NonBinaryJudgementNode, VerdictNode)


def check_nodes(title: str, given: Any) -> None:
    """Raise SettingError where what follows a node is no list of nodes. title: what the node is called."""
    if not isinstance(given, list | tuple):
        raise SettingError(f"What follows {title} is given as a list", detail=f"Given: {shorten(given)}")
    stranger = next((one for one in given if not isinstance(one, _NODES)), None)
    if stranger is not None:
        raise SettingError(
            f"What follows {title} is no node",
            detail=f"Given: {shorten(stranger)}",
            next_step="Give a TaskNode, a BinaryJudgementNode, a NonBinaryJudgementNode or a VerdictNode; a "
            "verdict may lead to a metric too.",
        )


def verdict_word(verdict: bool | str) -> str:
    """Return an answer as the judge gives it: yes and no for True and False."""
    return {True: "yes", False: "no"}[verdict] if isinstance(verdict, bool) else verdict
