"""MCP task completion: with the MCP servers it had, did the chatbot do what it was set to do?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import answered_exchanges
from turnwise.engine.metrics.grades import ask_grades
from turnwise.engine.metrics.materials import MCP_FIELDS, mcp_calls_of, mcp_tasks
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow

_ASK = """\
The chatbot works with MCP servers, and what it did with them is listed below. Each turn listed below ends a \
task: what the user says just before it, and all that the chatbot does up to it. Give one grade for each.
task: how far what the user wanted was done, judged by what came back from the servers and what the chatbot \
told the user of it. What was only announced, or claimed without a call that did it, was not done."""

_NARROW = {
    "task": Narrow(
        "Did the chatbot do what the user wants by the end?",
        6,
        (
            Example(
                (("user", "Put milk on my list."), ("assistant", "Milk is on your list now.")),
                "Milk was put on the list as the user wanted.",
                "yes",
            ),
            Example(
                (("user", "Put milk on my list."), ("assistant", "The list could not be opened, sorry.")),
                "The list could not be opened, so nothing was put on it.",
                "no",
            ),
            Example(
                (("user", "What is on my list?"), ("assistant", "I'm on it, one moment.")),
                "It only says that it will look.",
                "no",
            ),
        ),
    )
}


@dataclass(kw_only=True, eq=False)
class MCPTaskCompletionMetric(Metric):
    """Whether the tasks for which the chatbot had MCP servers were done."""

    key: ClassVar[str] = "mcp_task_completion"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns", "mcp_servers")
    account: ClassVar[Account] = Account(
        formula=(
            "mean task grade, 0 to 4 over 4; a task is an exchange of more than two turns, or one in which "
            "an MCP server was used"
        ),
        source="deepeval's MCPTaskCompletion, all tasks in one question",
        empty="without a task the score is 1",
        calls="1 for a conversation of any length; with a small judge, 1 a task",
    )

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and what was used of the servers."""
        return (*self.needs, *MCP_FIELDS, "tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for the grade of every task."""
        tasks = mcp_tasks(answered_exchanges(subject))
        found = await ask_grades(
            asking,
            subject=subject,
            ask=_ASK,
            items=[exchange.item for exchange in tasks],
            narrow=_NARROW,
            material=mcp_calls_of(tasks),
        )
        return found.finding(["task"], min, empty=1.0)
