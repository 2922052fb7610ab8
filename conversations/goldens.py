"""Goldens, as deepeval calls what test cases are made of: an input or a scenario, and what is hoped for."""

from __future__ import annotations

from typing import Any

from pydantic import field_validator

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.models import CaseModel, metadata_field
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import ExchangeFields, Passage, Turn


class Golden(ExchangeFields):
    """An input with what is known of a good answer. source_file: what it was made from."""

    input: str
    actual_output: str | None = None
    retrieval_context: list[Passage] | None = None
    tools_called: list[ToolCall] | None = None
    source_file: str | None = None

    @classmethod
    def of(cls, case: LLMTestCase) -> Golden:
        """Return the golden that a test case is."""
        return cls.model_construct(**{name: getattr(case, name) for name in LLMTestCase.model_fields})

    def case(self, actual_output: str | None = None) -> LLMTestCase:
        """Return the test case with an answer; by default the golden's own."""
        given = {name: getattr(self, name) for name in LLMTestCase.model_fields}
        answer = self.actual_output if actual_output is None else actual_output
        return LLMTestCase(**{**given, "actual_output": answer})


class ConversationalGolden(CaseModel):
    """A scenario that a conversation is to be about, with what should come of it. turns: how it began."""

    scenario: str
    expected_outcome: str | None = None
    user_description: str | None = None
    chatbot_role: str | None = None
    context: list[str] | None = None
    turns: list[Turn] | None = None
    name: str | None = None
    tags: list[str] | None = None
    comments: str | None = None
    metadata: dict[str, Any] | None = metadata_field()
    custom_column_key_values: dict[str, str] | None = None
    expectations: dict[str, Any] | None = None
    expected_labels: Any = None

    @field_validator("turns", mode="before")
    @classmethod
    def _spread_turns(cls, value: Any) -> Any:
        return None if value is None else ConversationalTestCase(turns=value).turns

    @property
    def additional_metadata(self) -> dict[str, Any] | None:
        """The metadata, under the name that older goldens gave it."""
        return self.metadata

    @classmethod
    def of(cls, case: ConversationalTestCase) -> ConversationalGolden:
        """Return the golden that a conversation is; without a scenario its name stands for it."""
        shared = cls.model_fields.keys() & ConversationalTestCase.model_fields.keys()
        given = {name: getattr(case, name) for name in shared}
        return cls.model_construct(**{**given, "scenario": case.scenario or case.name or ""})

    def case(self, turns: Any = None) -> ConversationalTestCase:
        """Return the conversation of these turns; by default the golden's own."""
        shared = type(self).model_fields.keys() & ConversationalTestCase.model_fields.keys()
        given = {name: getattr(self, name) for name in shared}
        return ConversationalTestCase(**{**given, "turns": self.turns if turns is None else turns})


AnyGolden = Golden | ConversationalGolden
