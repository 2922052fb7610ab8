"""ToolCall: one use of a tool by a chatbot, with what went in and what came out."""

from __future__ import annotations

import json
from enum import Enum, StrEnum
from typing import Any, Literal

from pydantic import AliasChoices, Field, model_validator

from turnwise.conversations.models import CaseModel


class ToolCallParams(Enum):
    """What of a tool call a metric may be told to compare beside its name."""

    INPUT_PARAMETERS = "input_parameters"
    OUTPUT = "output"


class ToolCallType(StrEnum):
    """What a tool is: a function of the program, or one behind the Model Context Protocol."""

    FUNCTION = "FUNCTION"
    MCP = "MCP"


class ToolCall(CaseModel):
    """One use of a tool.

    Two calls are equal when name, input parameters and output are, whatever their ids or descriptions.
    A plain string is taken as the tool's name. `input` is accepted for `input_parameters`.
    """

    name: str
    type: Literal["FUNCTION", "MCP"] | None = None
    description: str | None = None
    reasoning: str | None = None
    output: Any = None
    input_parameters: dict[str, Any] | None = Field(
        default=None, validation_alias=AliasChoices("input_parameters", "inputParameters", "input")
    )
    id: str | None = None
    """The id that ties a chat message of role tool to this call."""
    raw_arguments: str | None = None
    """The arguments as they were written, kept where they are not a JSON object."""
    seconds: float | None = None
    """How long the tool took, where known."""

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCall) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> str:
        return json.dumps([self.name, self.input_parameters, self.output], sort_keys=True, default=str)


def written_call(name: str, arguments: Any, identifier: Any = None) -> ToolCall:
    """Return a tool call whose arguments a model wrote; what is no JSON object is kept as its text."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        given = None
    return ToolCall(
        name=name,
        input_parameters=given if isinstance(given, dict) else None,
        raw_arguments=arguments if isinstance(arguments, str) and not isinstance(given, dict) else None,
        id=identifier if isinstance(identifier, str) else None,
    )
