"""MLLMImage and MLLMTestCase: test cases whose input and output hold images beside text."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlparse

from pydantic import AliasChoices, Field, model_validator

from turnwise.conversations.models import CaseModel, metadata_field
from turnwise.conversations.tools import ToolCall


class MLLMImage(CaseModel):
    """An image, by a path on this machine or by a web address; `local` follows from which it is."""

    url: str = Field(validation_alias=AliasChoices("url", "image_path", "imagePath"))
    local: bool = False

    @model_validator(mode="before")
    @classmethod
    def _local_by_address(cls, value: Any) -> Any:
        if not isinstance(value, dict) or value.get("local") is not None:
            return value
        address = value.get("url", value.get("image_path", value.get("imagePath")))
        if not isinstance(address, str):
            return value
        return {**value, "local": urlparse(address).scheme not in ("http", "https", "data")}


class MLLMTestCase(CaseModel):
    """An exchange in which either side may hold images: lists of strings and MLLMImage, in order."""

    input: list[str | MLLMImage]
    actual_output: list[str | MLLMImage]
    expected_output: list[str | MLLMImage] | None = None
    context: list[str | MLLMImage] | None = None
    retrieval_context: list[str | MLLMImage] | None = None
    tools_called: list[ToolCall] | None = None
    expected_tools: list[ToolCall] | None = None
    token_cost: float | None = None
    completion_time: float | None = None
    name: str | None = None
    tags: list[str] | None = None
    comments: str | None = None
    metadata: dict[str, Any] | None = metadata_field()
