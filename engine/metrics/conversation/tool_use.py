"""Tool use: did the chatbot pick the right tools along the conversation, and call them rightly?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from turnwise.conversations.tools import ToolCall
from turnwise.engine.judge.transcripts import fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import AnsweredExchange, answered_exchanges
from turnwise.engine.metrics.grades import ask_grades
from turnwise.engine.metrics.materials import calls_heading, described, one_line, tool_calls_of
from turnwise.engine.metrics.metric import Finding, Metric, Scope, check_listed, given_list
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow

_ASK = """\
The chatbot could use these tools:
{tools}

Each turn listed below ends an exchange: what the user says just before it, and all that the chatbot does \
up to it, with the tool calls shown below. Grade each exchange.
selection: how right the choice of tools was for what the user wanted: the tools that were needed, no \
other ones, and none where none was needed.
arguments: how right the calls were filled in: what the user said and what earlier calls gave, nothing \
left out, nothing made up. Only where a tool was called."""

_TOOLS = "Tools: find_book; renew_loan"
_CALLED = "\nTool calls: "
_NARROW_SELECTION = (
    "Was the choice of tools right for what the user wants: those needed, no other, and none if none is?"
)
_NARROW_ARGUMENTS = "Do the tool calls hold what the user said, with nothing left out and nothing made up?"
_RENEWED = (("user", "Renew my loan of Moby Dick."), ("assistant", "It is yours until June."))
_SELECTIONS = (
    Example(
        _RENEWED, "Renewing a loan is what was asked.", "yes", f'{_TOOLS}{_CALLED}renew_loan("Moby Dick")'
    ),
    Example(
        _RENEWED,
        "It only looked the book up and renewed nothing.",
        "no",
        f'{_TOOLS}{_CALLED}find_book("Moby Dick")',
    ),
    Example(
        (("user", "Thanks!"), ("assistant", "Welcome!")), "None is needed.", "yes", f"{_TOOLS}{_CALLED}none"
    ),
)
_ARGUMENTS = (
    Example(_RENEWED, "It names the user's book.", "yes", f'{_TOOLS}{_CALLED}renew_loan("Moby Dick")'),
    Example(_RENEWED, "It names a book of another title.", "no", f'{_TOOLS}{_CALLED}renew_loan("Emma")'),
)


@dataclass(kw_only=True, eq=False)
class ToolUseMetric(Metric):
    """Whether the chatbot picked the right tools along the conversation and called them rightly.

    available_tools: the tools it had, as names, ToolCalls with descriptions, or schemas.
    """

    key: ClassVar[str] = "tool_use"
    positional: ClassVar[tuple[str, ...]] = ("available_tools", "threshold", "model")
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    main_setting: ClassVar[str] = "available_tools"
    main_sample: ClassVar[str] = "search, book"
    account: ClassVar[Account] = Account(
        formula=(
            "the lesser of two means: the selection grade over all exchanges, and the argument grade over "
            "those in which a tool was called; each grade 0 to 4 over 4"
        ),
        source="deepeval's ToolUse, both grades of all exchanges in one question",
        empty="where no tool was called the score is 0, and nobody is asked",
        calls="1 for a conversation of any length; with a small judge, 1 or 2 an exchange",
    )

    available_tools: Sequence[ToolCall | Mapping[str, Any] | str] | str = field(default_factory=list)

    def __post_init__(self) -> None:
        self.available_tools = given_list(self.available_tools)
        super().__post_init__()
        check_listed(self, "available_tools", self.available_tools)

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the tools that were called."""
        return (*self.needs, "tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for the grades of every exchange."""
        exchanges = answered_exchanges(subject)
        calls = tool_calls_of(exchanges)
        if not calls.texts:
            return Finding(score=0.0, reason="No tool was called.")
        tools = described(given_list(self.available_tools))
        mark = subject.transcript(asking.secret).mark
        heading = calls_heading(f"Tools: {one_line(tools)}", "Tool calls", calls, exchanges)
        found = await ask_grades(
            asking,
            subject=subject,
            ask=_ASK.format(tools=fence(mark, "tool", dict(enumerate(tools, start=1)))),
            items=[exchange.item for exchange in exchanges],
            narrow={
                "selection": lambda item: Narrow(_NARROW_SELECTION, 3, _SELECTIONS, heading(item)),
                "arguments": lambda item: Narrow(_NARROW_ARGUMENTS, 3, _ARGUMENTS, heading(item)),
            },
            only={"arguments": frozenset(exchange.end for exchange in exchanges if _called(exchange))},
            material=calls,
        )
        return found.finding(["selection", "arguments"], min, empty=0.0)


def _called(exchange: AnsweredExchange) -> bool:
    return any(turn.tools_called for _, turn in exchange.turns)
