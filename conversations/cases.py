"""The test cases: LLMTestCase, one exchange, and ConversationalTestCase, a whole conversation.

A conversation is accepted in the three forms it has had in deepeval: messages that each hold a test case
(form A), turns that are test cases (form B), and turns that are messages (form C). Whatever the form,
`turns` is a list of Turn, and `exchanges` gives the LLMTestCase view back. Turns that were given as a test
case answer for it too, so that `case.turns[-1].actual_output` is what it was given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import field_validator, model_validator
from pydantic_core import PydanticCustomError

from turnwise.conversations.errors import CaseError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.models import PLACED, CaseModel, listed, metadata_field, shorten
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import (
    ExchangeFields,
    Passage,
    Turn,
    group_exchanges,
    number_turns,
)


class LLMTestCaseParams(Enum):
    """The parameters of a test case that a metric may be told to read.

    Later versions of deepeval call them SingleTurnParams, and those of conversations MultiTurnParams or
    TurnParams; all three are this. Role and content of turns are what was said, as input and actual output.
    """

    INPUT = "input"
    ACTUAL_OUTPUT = "actual_output"
    EXPECTED_OUTPUT = "expected_output"
    CONTEXT = "context"
    RETRIEVAL_CONTEXT = "retrieval_context"
    TOOLS_CALLED = "tools_called"
    EXPECTED_TOOLS = "expected_tools"
    CHATBOT_ROLE = "chatbot_role"
    USER_DESCRIPTION = "user_description"
    SCENARIO = "scenario"
    EXPECTED_OUTCOME = "expected_outcome"
    METADATA = "metadata"
    TAGS = "tags"
    ROLE = "role"
    CONTENT = "content"
    MCP_SERVERS = "mcp_servers"
    MCP_TOOLS = MCP_TOOLS_CALLED = "mcp_tools_called"
    MCP_RESOURCES = MCP_RESOURCES_CALLED = "mcp_resources_called"
    MCP_PROMPTS = MCP_PROMPTS_CALLED = "mcp_prompts_called"
    PROVIDER_TRANSCRIPT = "provider_transcript"


class LLMTestCase(ExchangeFields):
    """One exchange: what a user put in and what the chatbot answered.

    `actual_output` may be missing in a case that still waits for its answer (a golden); a metric that
    needs it then skips the case and says so.
    """

    input: str
    actual_output: str | None = None
    retrieval_context: list[Passage] | None = None
    tools_called: list[ToolCall] | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user's input and the chatbot's reply to it, with the numbers of the turns it is made of.

    number: from 1, in order. input_turns and reply_turns: turn numbers (spoken turns, from 1).
    reply_turns is empty where the user was never answered.
    """

    number: int
    input_turns: tuple[int, ...]
    reply_turns: tuple[int, ...]
    case: LLMTestCase


class ConversationalTestCase(CaseModel):
    """A conversation between a user and a chatbot, with what is known of its purpose.

    turns: at least one Turn, dict, or LLMTestCase (which becomes a user turn and an assistant turn).
    chatbot_role: what the chatbot is supposed to be, in plain words.
    """

    turns: list[Turn]
    chatbot_role: str | None = None
    scenario: str | None = None
    expected_outcome: str | None = None
    user_description: str | None = None
    context: list[str] | None = None
    name: str | None = None
    tags: list[str] | None = None
    comments: str | None = None
    metadata: dict[str, Any] | None = metadata_field()
    flaky: bool = False
    multimodal: bool = False
    voice: Any = None
    call_recording_path: str | None = None
    mcp_servers: list[Any] | None = None
    custom_column_key_values: dict[str, str] | None = None
    expectations: dict[str, Any] | None = None
    expected_labels: Any = None

    @model_validator(mode="before")
    @classmethod
    def _from_messages(cls, value: Any) -> Any:
        """Take form A: messages that hold a test case each."""
        if not isinstance(value, dict) or "messages" not in value or "turns" in value:
            return value
        form_a = ("messages", "evaluate_all_messages")
        rest = {name: item for name, item in value.items() if name not in form_a}
        if "evaluate_all_messages" in value:
            kept = {"evaluate_all_messages": value["evaluate_all_messages"]}
            rest["metadata"] = {**kept, **(rest.get("metadata") or {})}
        return {**rest, "turns": value["messages"]}

    @field_validator("turns", mode="before")
    @classmethod
    def _spread_turns(cls, value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise ValueError(f"expected a list of turns; got {shorten(value)}")
        if not value:
            raise ValueError("expected at least one turn; got an empty list")
        turns: list[Turn] = []
        problems: list[str] = []
        for place, item in enumerate(value):
            try:
                turns += _turns_of(item)
            except CaseError as error:
                problems += [f"turns[{place}].{line}" for line in error.detail.splitlines()]
            except ValueError as error:
                problems.append(f"turns[{place}]: {error}")
        if problems:
            raise PydanticCustomError(PLACED, "{problems}", {"problems": listed(problems)})
        return turns

    @property
    def additional_metadata(self) -> dict[str, Any] | None:
        """The metadata, under the name that older test cases gave it."""
        return self.metadata

    @property
    def numbered_exchanges(self) -> list[Exchange]:
        """The conversation as exchanges that know their turns; the last may be unanswered."""
        return list(self._exchanges_from_last())[::-1]

    def _exchanges_from_last(self) -> Iterator[Exchange]:
        """Give the last exchange first: who asks for that one does not wait for the thousands before it."""
        numbers = number_turns(self.turns)
        groups = group_exchanges(self.turns)
        for count in range(len(groups), 0, -1):
            yield _exchange(count, [(numbers[place], self.turns[place]) for place in groups[count - 1]])

    @property
    def exchanges(self) -> list[LLMTestCase]:
        """The conversation as test cases, one an exchange."""
        return [exchange.case for exchange in self.numbered_exchanges]

    @property
    def last_numbered_exchange(self) -> Exchange | None:
        """The last exchange in which the chatbot answered in words; without one, the last with any reply.

        Many conversations of agents end with a tool call, and it is the words before it that answer a user.
        """
        last = None
        for exchange in self._exchanges_from_last():
            if exchange.reply_turns and exchange.case.actual_output:
                return exchange
            if exchange.reply_turns and last is None:
                last = exchange
        return last

    @property
    def last_exchange(self) -> LLMTestCase | None:
        """The same as a test case; None where the chatbot never answered."""
        last = self.last_numbered_exchange
        return last.case if last else None

    def content_fingerprint(self) -> str:
        """Name the content of this conversation without the role that its reader gives the chatbot."""
        return fingerprint({name: item for name, item in self.data().items() if name != "chatbot_role"})


def _turns_of(item: Any) -> list[Turn]:
    """Return one given turn, or the user and assistant turns that a given test case stands for."""
    if isinstance(item, Turn):
        return [item.model_copy()]
    if isinstance(item, LLMTestCase):
        return _turns_of_exchange(item)
    if isinstance(item, dict):
        inner = item.get("llm_test_case", item.get("llmTestCase"))
        if inner is not None:
            case = inner if isinstance(inner, LLMTestCase) else LLMTestCase.model_validate(inner)
            if "should_evaluate" in item:
                kept = {**(case.metadata or {}), "should_evaluate": item["should_evaluate"]}
                case = case.model_copy(update={"metadata": kept})
            return _turns_of_exchange(case)
        if "input" in item:
            return _turns_of_exchange(LLMTestCase.model_validate(item))
        return [Turn.model_validate(item)]
    raise ValueError(
        f"expected a Turn, an LLMTestCase or an object with role and content; got {shorten(item)}"
    )


def _turns_of_exchange(case: LLMTestCase) -> list[Turn]:
    shared = {name: getattr(case, name) for name in ExchangeFields.model_fields}
    details = ExchangeFields.model_construct(**shared)
    came_with: dict[str, Any] = {
        "retrieval_context": case.retrieval_context,
        "tools_called": case.tools_called,
    }
    if case.actual_output is None:
        # Even where they say nothing, the details mark the end of an exchange that has no reply.
        turn = Turn.model_construct(role="user", content=case.input, exchange=details, **came_with)
        return [turn.given_as(case)]
    exchange = details if details != ExchangeFields() else None
    reply = Turn.model_construct(role="assistant", content=case.actual_output, exchange=exchange, **came_with)
    return [Turn.model_construct(role="user", content=case.input).given_as(case), reply.given_as(case)]


def _exchange(count: int, members: list[tuple[int | None, Turn]]) -> Exchange:
    """Read one exchange out of its turns: texts joined by blank lines, passages and tool calls in order."""
    first_user = next((place for place, (_, turn) in enumerate(members) if turn.role == "user"), len(members))
    asked = [(number, turn) for number, turn in members if turn.role == "user"]
    answered = [(number, turn) for number, turn in members[first_user:] if turn.role == "assistant"]
    passages = [passage for _, turn in asked + answered for passage in turn.retrieval_context or []]
    calls = [call for _, turn in asked + answered for call in turn.tools_called or []]
    given = [turn.exchange for _, turn in asked + answered if turn.exchange]
    has_passages = any(turn.retrieval_context is not None for _, turn in asked + answered)
    has_calls = any(turn.tools_called is not None for _, turn in asked + answered)
    details = {name: getattr(given[-1], name) for name in ExchangeFields.model_fields} if given else {}
    case = LLMTestCase.model_construct(
        input=_joined(turn.content for _, turn in asked),
        actual_output=_joined(turn.content for _, turn in answered) if answered else None,
        retrieval_context=passages if has_passages else None,
        tools_called=calls if has_calls else None,
        **details,
    )
    return Exchange(
        number=count,
        input_turns=tuple(number for number, _ in asked if number),
        reply_turns=tuple(number for number, _ in answered if number),
        case=case,
    )


def _joined(texts: Any) -> str:
    return "\n\n".join(text for text in texts if text)
