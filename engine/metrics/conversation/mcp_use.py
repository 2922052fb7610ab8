"""MCP use: did the chatbot pick the right things of its MCP servers, and fill them in rightly?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.judge.transcripts import fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import answered_exchanges
from turnwise.engine.metrics.grades import ask_grades
from turnwise.engine.metrics.materials import (
    MCP_FIELDS,
    calls_heading,
    described,
    mcp_calls_of,
    mcp_tasks,
    one_line,
)
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow

_ASK = """\
The chatbot had these MCP servers, with what they offer:
{servers}

What it used of them is listed below. Each turn listed below ends a task: what the user says just before it, \
and all that the chatbot does up to it. Grade each task.
use: how right the choice of tools, resources and prompts was for what the user wanted: those that were \
needed, no other ones, and none where none was needed.
arguments: how right they were filled in: what the user said and what earlier calls gave, nothing left out, \
nothing made up. Where nothing was used and nothing was needed, both are full."""

_ADDED = (("user", "Put milk on my list."), ("assistant", "Milk is on your list now."))
_SERVERS = "Servers: list with add_item, read_list"
_NARROW_USE = "Was what the chatbot used of its servers right for what the user wants, and nothing missing?"
_NARROW_ARGUMENTS = "Do the calls hold what the user said, with nothing left out and nothing made up?"
_USES = (
    Example(_ADDED, "Adding an item is what was asked.", "yes", f'{_SERVERS}\nCalls: tool add_item("milk")'),
    Example(_ADDED, "It only read the list and added nothing.", "no", f"{_SERVERS}\nCalls: tool read_list()"),
)
_ARGUMENTS = (
    Example(
        _ADDED, "It adds the milk that the user named.", "yes", f'{_SERVERS}\nCalls: tool add_item("milk")'
    ),
    Example(
        _ADDED, "It adds bread, and the user said milk.", "no", f'{_SERVERS}\nCalls: tool add_item("bread")'
    ),
)


@dataclass(kw_only=True, eq=False)
class MCPUseMetric(Metric):
    """Whether the chatbot picked the right things of its MCP servers and filled them in rightly."""

    key: ClassVar[str] = "mcp_use"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns", "mcp_servers")
    account: ClassVar[Account] = Account(
        formula=(
            "the lesser of two means over the tasks, the use grade and the argument grade, each 0 to 4 over "
            "4; a task is an exchange of more than two turns, or one in which an MCP server was used"
        ),
        source="deepeval's MultiTurnMCPUse, both grades of all tasks in one question",
        empty="without a task the score is 1",
        calls="1 for a conversation of any length; with a small judge, 2 a task",
    )

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and what was used of the servers."""
        return (*self.needs, *MCP_FIELDS, "tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for both grades of every task."""
        tasks = mcp_tasks(answered_exchanges(subject))
        calls = mcp_calls_of(tasks)
        servers = described(subject.case.mcp_servers or [])
        mark = subject.transcript(asking.secret).mark
        heading = calls_heading(f"Servers: {one_line(servers)}", "Calls", calls, tasks)
        found = await ask_grades(
            asking,
            subject=subject,
            ask=_ASK.format(servers=fence(mark, "MCP server", dict(enumerate(servers, start=1)))),
            items=[exchange.item for exchange in tasks],
            narrow={
                "use": lambda item: Narrow(_NARROW_USE, 5, _USES, heading(item)),
                "arguments": lambda item: Narrow(_NARROW_ARGUMENTS, 5, _ARGUMENTS, heading(item)),
            },
            material=calls,
        )
        return found.finding(["use", "arguments"], min, empty=1.0)
