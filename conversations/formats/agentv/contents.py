"""What messages hold: text, objects, and parts that name files, read into what is sent and what is kept."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv.file_search import told
from turnwise.conversations.formats.agentv.guidelines import is_guideline
from turnwise.conversations.formats.agentv.reading import Reading
from turnwise.conversations.formats.promptfoo import javascript_values as js

_IMAGES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
# What JavaScript counts as white space.
_WHITE = " \t\n\r\f\v\u00a0\ufeff\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


@dataclass(slots=True)
class Input:
    """The messages that a case sends.

    sent: as a chat takes them, with the files put in. segments: as AgentV lists them. texts: their own text,
    without the files. guidelines, files: the paths of what they name.
    """

    sent: list[dict[str, Any]] = field(default_factory=list)
    segments: list[Any] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    guidelines: list[Path] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)

    @property
    def question(self) -> str:
        """The text of all messages one after the other, without what the files hold."""
        return " ".join(text for part in self.texts if (text := part.strip(_WHITE)))


def read_input(
    messages: Sequence[Mapping[str, Any]], reading: Reading, patterns: Sequence[str], place: str
) -> Input:
    """Read the messages of a case with the files that they name. A file that is missing is a warning."""
    found = Input()
    guides: list[str] = []
    for number, message in enumerate(messages):
        here = f"{place}, input[{number}]"
        content = message.get("content")
        if content is None:
            found.sent.append(dict(message))
            continue
        sent: list[dict[str, Any]] = []
        for part in content if isinstance(content, list) else [_as_part(content)]:
            _take(part, found, sent, guides, reading, patterns, here)
        found.sent.append({**message, "content": _joined(sent)})
    if guides:
        _put_first(found.sent, "\n\n".join(guides))
    return found


def read_expected(
    messages: Sequence[Mapping[str, Any]], reading: Reading, place: str
) -> tuple[dict[str, Any], ...]:
    """Return the expected messages with the text of the files that their contents name."""
    read: list[dict[str, Any]] = []
    for number, message in enumerate(messages):
        here = f"{place}, expected_output[{number}]"
        content, calls = message.get("content"), message.get("tool_calls")
        kept = {key: message[key] for key in ("role", "name") if message.get(key)}
        if isinstance(content, list):
            parts = (_expected_part(part, reading, here) for part in content)
            kept["content"] = [part for part in parts if part is not None]
        elif isinstance(content, str | dict):
            kept["content"] = content
        if isinstance(calls, list):
            kept["tool_calls"] = calls
        read.append(kept)
    return tuple(read)


def reference_of(expected: Sequence[Mapping[str, Any]], *, compat: bool) -> str:
    """Return the last expected message as text: its content, else its tool calls.

    compat: parts with files as the JSON that AgentV makes of them, which tells where they lie on the disk.
    """
    if not expected:
        return ""
    content, calls = expected[-1].get("content"), expected[-1].get("tool_calls")
    if isinstance(content, str):
        return content
    if content is None:
        return "" if calls is None else js.json_text(calls, 2)
    if isinstance(content, list) and not compat and content and all(map(_is_text, content)):
        return "\n".join(_shown(part) for part in content)
    return js.json_text(content, 2)


def text_of(content: Any, reading: Reading, place: str) -> str | list[dict[str, Any]]:
    """Return a content as what is sent: text, or parts where it holds images."""
    found = read_input([{"role": "user", "content": content}], reading, (), place)
    sent: str | list[dict[str, Any]] = found.sent[0].get("content", "")
    return sent


def file_path(part: Mapping[str, Any], reading: Reading, place: str) -> tuple[str, Path] | None:
    """Return the shown name and the path of the file that a part names; None with a warning where none is."""
    name = part.get("value")
    if not isinstance(name, str) or not name:
        reading.leave_out(place, f"a part of type {part.get('type')} names no file in value", "Name it.")
        return None
    found = reading.files.find(name)
    if found.path is None:
        reading.warn(place, f"the file {found.shown} is left out: {found.reason}")
        return None
    return found.shown, found.path


def _as_part(content: Any) -> Any:
    return {"type": "text", "value": js.json_text(content, 2) if isinstance(content, dict) else content}


def _take(
    part: Any,
    found: Input,
    sent: list[dict[str, Any]],
    guides: list[str],
    reading: Reading,
    patterns: Sequence[str],
    place: str,
) -> None:
    if not isinstance(part, dict):
        if isinstance(part, str) and (reading.is_later or not reading.compat):
            _take({"type": "text", "value": part}, found, sent, guides, reading, patterns, place)
        elif part is not None:
            reading.leave_out(place, "content: expected parts with type and value", "Correct the part.")
        return
    kind = part.get("type")
    if kind == "image":
        if (image := _image(part, reading, place)) is not None:
            found.segments.append(image)
            sent.append(image)
    elif kind != "file":
        text = part.get("value") if reading.compat else part.get("value", part.get("text"))
        found.segments.append(part)
        if isinstance(text, str):
            reading.files.texts.count(len(text), place)
            found.texts.append(text)
            sent.append({"type": "text", "text": text})
    elif (named := file_path(part, reading, place)) is not None:
        shown, path = named
        text = _file_text(path, reading, place)
        if text is None:
            return
        if is_guideline(path, patterns, reading.files):
            found.guidelines.append(path)
            guides.append(_tagged(path.name, text))
            return
        found.files.append(path)
        found.segments.append({"type": "file", "path": shown, "text": text, "resolvedPath": str(path)})
        sent.append({"type": "text", "text": _tagged(shown, text)})


def _file_text(path: Path, reading: Reading, place: str) -> str | None:
    try:
        return reading.files.texts.text(path, place)
    except FormatError as error:
        reading.warn(place, f"a file is left out: {told(error)}")
        return None


def _image(part: Mapping[str, Any], reading: Reading, place: str) -> dict[str, Any] | None:
    named = file_path(part, reading, place)
    if named is None:
        return None
    shown, path = named
    kind = _IMAGES.get(path.suffix.lower())
    if kind is None:
        reading.warn(place, f"the image {shown} is left out: expected {', '.join(_IMAGES)}")
        return None
    data = base64.b64encode(reading.files.texts.data(path, place)).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}


def _expected_part(part: Any, reading: Reading, place: str) -> Any:
    if not isinstance(part, dict):
        return None if reading.compat else part
    if part.get("type") != "file":
        return part
    named = file_path(part, reading, place)
    text = _file_text(named[1], reading, place) if named else None
    if named is None or text is None:
        return None
    return {"type": "file", "path": named[0], "text": text, "resolvedPath": str(named[1])}


def _joined(parts: Sequence[dict[str, Any]]) -> str | list[dict[str, Any]]:
    if any(part["type"] != "text" for part in parts):
        return list(parts)
    return "\n".join(part["text"] for part in parts)


def _put_first(messages: list[dict[str, Any]], guides: str) -> None:
    """Put guidelines before all else, into the system message where one begins the conversation."""
    text = f"Keep to these guidelines.\n\n{guides}"
    first = messages[0] if messages else {}
    if first.get("role") == "system" and isinstance(first.get("content"), str):
        own = f"\n\n{first['content']}" if first["content"] else ""
        messages[0] = {**first, "content": text + own}
    else:
        messages.insert(0, {"role": "system", "content": text})


def _is_text(part: Any) -> bool:
    if not isinstance(part, dict):
        return False
    return part.get("type") == "file" or (part.get("type") == "text" and isinstance(part.get("value"), str))


def _shown(part: Mapping[str, Any]) -> str:
    return _tagged(part["path"], part["text"]) if part["type"] == "file" else part["value"]


def _tagged(name: str, text: str) -> str:
    return f'<file path="{name}">\n{text.strip()}\n</file>'
