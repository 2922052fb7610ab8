"""The messages of a case: under which names and in which forms they are written, and what they hold.

Text, objects, and parts that name files are read into what is sent and what is kept. Files that are
guidelines go before the conversation instead of into it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import FileSearch, kind_of, load_yaml, problem, without_place
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.templates import json_text

_USUAL = ("**/*.instructions.md", "**/*.prompt.md", "**/SKILL.md")
_MOST = 1_000
_ROLES = ("system", "user", "assistant", "tool")
Messages = list[dict[str, Any]]
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


def guideline_patterns(reading: EvalFileReading) -> Sequence[str]:
    """Return the path patterns that make a file a guideline, relative to the border of the folder.

    The nearest .agentv/config.yaml says it. Without one AgentV has no guidelines, though its documentation
    names some patterns; these count, but where `compat` is asked for.
    """
    for folder in reading.files.roots():
        path = folder / ".agentv" / "config.yaml"
        if not path.is_file() or not path.resolve().is_relative_to(reading.files.folder.root):
            continue
        found = _patterns(path, reading)
        if found is not None:
            return found
    return () if reading.compat else _USUAL


def is_guideline(path: Path, patterns: Sequence[str], files: FileSearch) -> bool:
    """Whether a file is a guideline."""
    if not patterns or not path.is_relative_to(files.folder.root):
        return False
    parts = path.relative_to(files.folder.root).parts
    return any(_matches(parts, pattern.removeprefix("./").split("/")) for pattern in patterns)


def _patterns(path: Path, reading: EvalFileReading) -> Sequence[str] | None:
    place = f"{path.parent.name}/{path.name}"
    try:
        config = load_yaml(reading.files.texts.text(path, place))
    except (FormatError, ValueError) as error:
        reading.warn(place, f"it cannot be read: {error}")
        return None
    if not isinstance(config, dict):
        reading.warn(place, "expected an object")
        return None
    patterns = config.get("guideline_patterns")
    if patterns is None:
        return () if reading.compat else _USUAL
    if not isinstance(patterns, list) or not all(isinstance(item, str) for item in patterns):
        reading.warn(place, "guideline_patterns: expected a list of texts")
        return None
    return patterns[:_MOST]


def _matches(parts: Sequence[str], steps: Sequence[str]) -> bool:
    """Whether the parts of a path match the steps of a pattern; ** stands for any number of parts."""
    # reached[i]: whether the steps so far can have taken the first i parts.
    reached = [True] + [False] * len(parts)
    for step in steps:
        if step == "**":
            reached = [any(reached[: count + 1]) for count in range(len(reached))]
        else:
            taken = (before and fnmatchcase(part, step) for before, part in zip(reached, parts, strict=False))
            reached = [False, *taken]
    return reached[-1]


def written_input(
    fields: Mapping[str, Any], reading: EvalFileReading, place: str, suite_files: Any
) -> Messages:
    """Return the messages that a case sends; none where it gives none. Raises FormatError for a wrong one.

    suite_files: the files that the suite puts before a text.
    """
    if "input_messages" in fields and not (reading.compat and reading.is_later):
        return _listed(fields["input_messages"], reading, f"{place}, input_messages")
    value = fields.get("input")
    files = fields.get("input_files", suite_files)
    if files is not None and (reading.is_later or not reading.compat):
        return _with_files(files, value, reading, place)
    return expanded_input(value, reading, f"{place}, input")


def expanded_input(value: Any, reading: EvalFileReading, place: str) -> Messages:
    """Return the messages that an input stands for."""
    if value is None:
        return []
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    if isinstance(value, dict) and not reading.compat:
        return [_message(value, reading, place)] if "role" in value else [{"role": "user", "content": value}]
    return _listed(value, reading, place)


def written_expected(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> Messages:
    """Return the messages that a case expects, if any. Raises FormatError for a wrong one."""
    if "expected_messages" in fields and not (reading.compat and reading.is_later):
        return _listed(fields["expected_messages"], reading, f"{place}, expected_messages")
    value, here = fields.get("expected_output"), f"{place}, expected_output"
    if value is None:
        return []
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}]
    if isinstance(value, list):
        if value and isinstance(value[0], dict) and "role" in value[0]:
            return _listed(value, reading, here)
        return [{"role": "assistant", "content": value}]
    if isinstance(value, dict):
        if "role" not in value:
            return [{"role": "assistant", "content": value}]
        return _listed([value], reading, here)
    reading.leave_out(
        here, f"expected text, an object or messages; got {kind_of(value)}", "Put it in quotes."
    )
    return []


def _listed(value: Any, reading: EvalFileReading, place: str) -> Messages:
    if isinstance(value, list):
        kept = []
        for number, item in enumerate(value):
            if reading.compat and not _is_message(item, dict if reading.is_strictly_early else dict | str):
                continue
            kept.append(_message(item, reading, f"{place}[{number}]"))
        return kept
    if value is not None:
        reading.leave_out(place, f"expected text, an object or messages; got {kind_of(value)}", "")
    return []


def _message(item: Any, reading: EvalFileReading, place: str) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise problem(place, f"expected a message with role and content; got {kind_of(item)}", "")
    role = item.get("role")
    if role not in _ROLES and role != "developer":
        roles = ", ".join(_ROLES)
        raise problem(f"{place}, role", f"expected one of {roles}, developer; got {kind_of(role)}", "")
    if not _is_message({**item, "role": "user"}, dict | str):
        got = kind_of(item.get("content"))
        raise problem(f"{place}, content", f"expected text, an object or parts; got {got}", "")
    return item


def _is_message(item: Any, parts: Any) -> bool:
    if not isinstance(item, dict) or item.get("role") not in _ROLES:
        return False
    content, calls = item.get("content"), item.get("tool_calls")
    if isinstance(content, list) and all(isinstance(part, parts) for part in content):
        return True
    return isinstance(content, str | dict) or (isinstance(calls, list) and bool(calls))


def _with_files(files: Any, value: Any, reading: EvalFileReading, place: str) -> Messages:
    names = [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
    if not names or not isinstance(value, str):
        reading.leave_out(
            f"{place}, input_files",
            "expected a list of file names beside an input that is text",
            "Name the files as parts of the input instead.",
        )
        return []
    parts = [{"type": "file", "value": name} for name in names]
    return [{"role": "user", "content": [*parts, {"type": "text", "value": value}]}]


@dataclass(slots=True)
class CaseInput:
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
    messages: Sequence[Mapping[str, Any]], reading: EvalFileReading, patterns: Sequence[str], place: str
) -> CaseInput:
    """Read the messages of a case with the files that they name. One that is missing is lost."""
    found = CaseInput()
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
    messages: Sequence[Mapping[str, Any]], reading: EvalFileReading, place: str
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
        return "" if calls is None else json_text(calls, 2)
    if isinstance(content, list) and not compat and content and all(map(_is_text, content)):
        return "\n".join(_shown(part) for part in content)
    return json_text(content, 2)


def text_of(content: Any, reading: EvalFileReading, place: str) -> str | list[dict[str, Any]]:
    """Return a message's content as it is sent: text, or a list of parts where it holds images."""
    found = read_input([{"role": "user", "content": content}], reading, (), place)
    sent: str | list[dict[str, Any]] = found.sent[0].get("content", "")
    return sent


def file_path(part: Mapping[str, Any], reading: EvalFileReading, place: str) -> tuple[str, Path] | None:
    """Return the shown name and the path of the file that a part names; None where it is lost."""
    name = part.get("value")
    if not isinstance(name, str) or not name:
        reading.leave_out(place, f"a part of type {part.get('type')} names no file in value", "Name it.")
        return None
    found = reading.files.find(name)
    if found.path is None:
        reading.lose(place, f"the file {found.shown} cannot be read: {found.reason}")
        return None
    return found.shown, found.path


def _as_part(content: Any) -> Any:
    return {"type": "text", "value": json_text(content, 2) if isinstance(content, dict) else content}


def _take(
    part: Any,
    found: CaseInput,
    sent: list[dict[str, Any]],
    guides: list[str],
    reading: EvalFileReading,
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
        else:
            reading.lose(place, f"content: a part of type {kind} holds no text in value")
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


def _file_text(path: Path, reading: EvalFileReading, place: str) -> str | None:
    try:
        return reading.files.texts.text(path, place)
    except FormatError as error:
        reading.lose(place, f"a file cannot be read: {without_place(error)}")
        return None


def _image(part: Mapping[str, Any], reading: EvalFileReading, place: str) -> dict[str, Any] | None:
    named = file_path(part, reading, place)
    if named is None:
        return None
    shown, path = named
    kind = _IMAGES.get(path.suffix.lower())
    if kind is None:
        reading.lose(place, f"the image {shown} cannot be sent: expected {', '.join(_IMAGES)}")
        return None
    data = base64.b64encode(reading.files.texts.data(path, place)).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}


def _expected_part(part: Any, reading: EvalFileReading, place: str) -> Any:
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
    """Put the guidelines first: into the system message where the conversation begins with one, else before
    it.
    """
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
