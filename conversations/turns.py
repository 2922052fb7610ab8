"""Turn: one message of a conversation, and how turns are numbered and grouped into exchanges."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Literal, Self

from pydantic import field_validator

from turnwise.conversations.models import CaseModel, metadata_field
from turnwise.conversations.tools import ToolCall

Role = Literal["user", "assistant", "system", "tool", "developer"]
SPOKEN = ("user", "assistant")
_TEST_CASE = "_test_case"
"""Where a turn remembers the test case that it was given as: beside its fields, which alone make it equal."""


class RetrievedContext(CaseModel):
    """A retrieved passage together with the name of where it came from."""

    context: str
    source: str | None = None


Passage = str | RetrievedContext


def passage_text(passage: Passage) -> str:
    """Return a passage's text without its source."""
    return passage if isinstance(passage, str) else passage.context


class ExchangeFields(CaseModel):
    """What a test case says about an exchange beside its texts: expectations, cost, names, notes."""

    expected_output: str | None = None
    context: list[str] | None = None
    expected_tools: list[ToolCall] | None = None
    token_cost: float | None = None
    """In US dollars."""
    input_token_count: int | None = None
    output_token_count: int | None = None
    completion_time: float | None = None
    """In seconds."""
    name: str | None = None
    tags: list[str] | None = None
    comments: str | None = None
    metadata: dict[str, Any] | None = metadata_field()
    flaky: bool = False
    multimodal: bool = False
    mcp_servers: list[Any] | None = None
    mcp_tools_called: list[Any] | None = None
    mcp_resources_called: list[Any] | None = None
    mcp_prompts_called: list[Any] | None = None
    custom_column_key_values: dict[str, str] | None = None
    expectations: dict[str, Any] | None = None
    expected_labels: Any = None

    @property
    def additional_metadata(self) -> dict[str, Any] | None:
        """The metadata, under the name that older test cases gave it."""
        return self.metadata


class Turn(CaseModel):
    """One message of a conversation.

    Users and assistants speak; system, developer and tool messages are kept beside what is said.
    An assistant's tool calls carry the outputs that came back in later tool messages.
    """

    role: Role
    content: str
    name: str | None = None
    user_id: str | None = None
    retrieval_context: list[Passage] | None = None
    tools_called: list[ToolCall] | None = None
    tool_call_id: str | None = None
    """For a message of role tool: the id of the call that it answers."""
    metadata: dict[str, Any] | None = metadata_field()
    mcp_tools_called: list[Any] | None = None
    mcp_resources_called: list[Any] | None = None
    mcp_prompts_called: list[Any] | None = None
    audio: Any = None
    latency_ms: float | None = None
    """From the end of the turn before to the end of this one, in milliseconds."""
    interrupted: bool | None = None
    provider_transcript: Any = None
    exchange: ExchangeFields | None = None
    """What the test case this turn came from said about the exchange that it ends."""

    @field_validator("content", mode="before")
    @classmethod
    def _content(cls, value: Any) -> Any:
        if value is None:
            raise ValueError('expected a string; got null (write "" for a turn without words)')
        return value

    def __getattr__(self, name: str) -> Any:
        """Give what the test case said that this turn was given as, as in `case.turns[-1].actual_output`.

        Raises AttributeError for a turn that was given as a turn.
        """
        case = self.__dict__.get(_TEST_CASE)
        if case is not None and name in type(case).model_fields:
            return getattr(case, name)
        if name in ("input", "actual_output"):
            raise AttributeError(
                f"a Turn has content, and no {name}; `exchanges` of the conversation has test cases"
            )
        return super().__getattr__(name)  # type: ignore[misc] # pydantic hides it from type checkers

    def given_as(self, case: ExchangeFields) -> Self:
        """Remember the test case that this turn is a side of; it is no part of the turn's content."""
        self.__dict__[_TEST_CASE] = case
        return self

    @property
    def additional_metadata(self) -> dict[str, Any] | None:
        """The metadata, under the name that older test cases gave it."""
        return self.metadata

    @property
    def is_spoken(self) -> bool:
        """Whether a user or the chatbot said this; only spoken turns have numbers."""
        return self.role in SPOKEN


def number_turns(turns: Sequence[Turn]) -> list[int | None]:
    """Return each turn's number: spoken turns count from 1, the others have None."""
    numbers: list[int | None] = []
    count = 0
    for turn in turns:
        count += turn.is_spoken
        numbers.append(count if turn.is_spoken else None)
    return numbers


def group_exchanges(turns: Sequence[Turn]) -> list[list[int]]:
    """Group positions of turns into exchanges.

    A new exchange begins at a user turn that follows an assistant turn, once a user has spoken, or that
    follows the end of a test case. What an assistant says before the first user turn belongs to the first
    exchange. System, developer and tool messages go with the exchange they stand in.
    """
    groups: list[list[int]] = [[]]
    user_spoke = ended = False
    for position, turn in enumerate(turns):
        if turn.role == "user" and ended:
            groups.append([])
            ended = False
        user_spoke = user_spoke or turn.role == "user"
        ended = ended or (turn.role == "assistant" and user_spoke) or turn.exchange is not None
        groups[-1].append(position)
    return [group for group in groups if any(turns[position].is_spoken for position in group)]


def elapsed_since_first(moments: Sequence[float | None]) -> list[float | None]:
    """Return the seconds from the first moment to each; all None where fewer than two are known, or where one
    lies before another that it follows.

    moments: in seconds; None where nobody knows.
    """
    known = [moment for moment in moments if moment is not None]
    if len(known) < 2 or any(after < before for before, after in pairwise(known)):
        return [None] * len(moments)
    return [None if moment is None else round(moment - known[0], 3) for moment in moments]


def moment_told(turn: Turn) -> float | None:
    """Return when a turn was said as its metadata tell it, in seconds since 1970; None where they do not."""
    told = (turn.metadata or {}).get("time")
    if not isinstance(told, str):
        return None
    try:
        moment = datetime.fromisoformat(told)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
