"""Pictures: images that are sent with a question, and what is kept of them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse
from urllib.request import url2pathname

from turnwise.conversations.errors import CaseError

if TYPE_CHECKING:
    from turnwise.conversations.images import MLLMImage, MLLMTestCase

LARGEST = 20_000_000
"""The largest image that the common APIs take, in bytes."""
_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that goes with a question.

    label: the text that stands before it. url: a web address, which the API fetches, or a data URL.
    """

    label: str
    url: str

    def parts(self) -> list[dict[str, Any]]:
        """Return the parts of a chat message that show it."""
        return [
            {"type": "text", "text": self.label},
            {"type": "image_url", "image_url": {"url": self.url}},
        ]


def picture_of(image: MLLMImage, label: str) -> Picture:
    """Return an image as it is sent; a local file is read. Raises CaseError where it is no image."""
    return Picture(label, _data_url(_path(image.url)) if image.local else image.url)


def with_image_data(case: MLLMTestCase) -> MLLMTestCase:
    """Return a case with its local images as data URLs, so that they can still be seen where they are not.

    Raises CaseError where one cannot be read.
    """
    return case.model_copy(
        update={
            name: [part if isinstance(part, str) else _with_data(part) for part in getattr(case, name)]
            for name in ("input", "actual_output")
        }
    )


def _with_data(image: MLLMImage) -> MLLMImage:
    return image.model_copy(update={"url": picture_of(image, "").url, "local": False})


def without_image_data(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a request as it is kept: images by a digest of their bytes, which tells one from another."""
    messages = body.get("messages", ())
    if not any(isinstance(message.get("content"), list) for message in messages):
        return body
    return {**body, "messages": [_without_data(message) for message in messages]}


def _without_data(message: Mapping[str, Any]) -> Mapping[str, Any]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [_kept(part) for part in content]}


def _kept(part: Mapping[str, Any]) -> Mapping[str, Any]:
    source = part.get("source")
    if isinstance(source, Mapping) and isinstance(source.get("data"), str):
        return {**part, "source": {**source, "data": _digest(source["data"])}}
    url = part.get("image_url", {}).get("url", "")
    if not url.startswith("data:"):
        return part
    kind, _, data = url.partition(",")
    return {**part, "image_url": {"url": f"{kind},{_digest(data)}"}}


def _digest(data: str) -> str:
    return f"sha256:{hashlib.sha256(data.encode()).hexdigest()} ({len(data)} characters)"


def _path(url: str) -> Path:
    parsed = urlparse(url)
    return Path(url2pathname(parsed.path)) if parsed.scheme == "file" else Path(url).expanduser()


def _data_url(path: Path) -> str:
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= LARGEST else b""
    except OSError as error:
        raise CaseError(
            "An image cannot be read",
            detail=f"{path}: {error.strerror}",
            next_step="Give the path of an image.",
        ) from None
    if size > LARGEST:
        raise CaseError(
            "An image is too large for a judge",
            detail=f"{path}: {size:,} bytes, at most {LARGEST:,}",
            next_step="Make it smaller.",
        )
    kind = next((kind for start, kind in _KINDS.items() if content.startswith(start)), None)
    if kind is None and content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        kind = "image/webp"
    if kind is None:
        raise CaseError(
            "A file is no image that judges take",
            detail=str(path),
            next_step="Give a PNG, JPEG, GIF or WebP file.",
        )
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
