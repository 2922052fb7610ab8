"""MLLMImage and MLLMTestCase: test cases whose input and output hold images beside text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote, urlparse

from pydantic import AliasChoices, Field, model_validator

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError
from turnwise.conversations.models import CaseModel, metadata_field
from turnwise.conversations.tools import ToolCall


class MLLMImage(CaseModel):
    """An image, by a path on this machine or by a web address; `local` follows from which it is."""

    url: str = Field(validation_alias=AliasChoices("url", "image_path", "imagePath"))
    local: bool = False

    def __init__(self, url: str | None = None, local: bool | None = None, **named: Any) -> None:
        given = {"url": url, "local": local}
        super().__init__(**{name: item for name, item in given.items() if item is not None}, **named)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined] # as of its base

    @model_validator(mode="before")
    @classmethod
    def _local_by_address(cls, value: Any) -> Any:
        if not isinstance(value, dict) or value.get("local") is not None:
            return value
        address = value.get("url", value.get("image_path", value.get("imagePath")))
        if not isinstance(address, str):
            return value
        return {**value, "local": urlparse(address).scheme not in ("http", "https", "data")}

    @property
    def is_remote(self) -> bool:
        """Whether the address alone is enough to see the image: a web address, or one that holds it."""
        return urlparse(self.url).scheme in ("http", "https", "data")

    @property
    def named(self) -> str:
        """The file's name, for places that cannot show the image."""
        if self.url.startswith("data:"):
            return self.url[5:].partition(";")[0] or "image"
        path = self.url if self.local else urlparse(self.url).path
        name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
        return " ".join((name if self.local else unquote(name)).split()) or "image"


class MLLMTestCase(CaseModel):
    """An exchange in which either side may hold images: lists of strings and MLLMImage, in order.

    `actual_output` may be missing in a case that still waits for its answer, as in an LLMTestCase.
    """

    input: list[str | MLLMImage]
    actual_output: list[str | MLLMImage] = Field(default_factory=list)
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

    @property
    def additional_metadata(self) -> dict[str, Any] | None:
        """The metadata, under the name that older test cases gave it."""
        return self.metadata

    @property
    def images(self) -> list[MLLMImage]:
        """The images of input and output, in their order."""
        return [part for part in (*self.input, *self.actual_output) if isinstance(part, MLLMImage)]

    @property
    def input_text(self) -> str:
        """The input as text, with a mark where each image stands; images are numbered from 1."""
        return text_of(self.input)

    @property
    def output_text(self) -> str:
        """The output as text; the numbers of its images go on from the input's."""
        return text_of(self.actual_output, first=1 + images_in(self.input))


def images_in(parts: Sequence[str | MLLMImage]) -> int:
    """Return how many parts are images."""
    return sum(isinstance(part, MLLMImage) for part in parts)


def text_of(parts: Sequence[str | MLLMImage], *, first: int = 1) -> str:
    """Return parts as text, one a line, each image as its number, from `first`, and its name."""
    lines = []
    number = first
    for part in parts:
        if isinstance(part, MLLMImage):
            lines.append(f"[image {number}: {part.named}]")
            number += 1
        else:
            lines.append(part)
    return "\n".join(lines)


def as_conversation(case: MLLMTestCase, *, kept: MLLMTestCase | None = None) -> ConversationalTestCase:
    """Return the conversation that a case with images is: each image is named where it stands.

    kept: what to remember the images by, such as the same case with its images as data URLs; by default the
    case itself.
    """
    given = case.expected_output
    after = 1 + len(case.images)
    exchange = LLMTestCase(
        input=case.input_text,
        actual_output=case.output_text,
        expected_output=text_of(given, first=after) if given else None,
        tools_called=case.tools_called,
        expected_tools=case.expected_tools,
        token_cost=case.token_cost,
        completion_time=case.completion_time,
        multimodal=True,
    )
    return ConversationalTestCase(
        turns=[exchange],
        name=case.name,
        tags=case.tags,
        comments=case.comments,
        metadata={**(case.metadata or {}), _KEPT: _parts_of(kept or case)},
        multimodal=True,
    )


def pictured_in(case: ConversationalTestCase) -> MLLMTestCase | None:
    """Return the case with images that a conversation was made of; None where it was made of none.

    A conversation may come from anywhere: images that it names on this machine are not looked at.
    """
    kept = (case.metadata or {}).get(_KEPT) if case.multimodal else None
    if not isinstance(kept, dict):
        return None
    try:
        found = MLLMTestCase.model_validate(kept)
    except CaseError:
        return None
    return None if any(image.local or not image.is_remote for image in found.images) else found


_KEPT = "images_in"


def _parts_of(case: MLLMTestCase) -> dict[str, Any]:
    return case.model_dump(mode="json", include={"input", "actual_output"})
