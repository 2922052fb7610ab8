"""Prompts: text, chat messages as JSON, and the files and patterns of files that hold either."""

from __future__ import annotations

import csv
import io
import os
import shlex
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    CodeRunner,
    Folder,
    decode_json,
    is_code,
    is_pattern,
    is_python,
    load_yaml,
    problem,
    read_text,
    script_of,
)
from turnwise.conversations.formats.promptfoo.documents import with_files
from turnwise.conversations.formats.promptfoo.targets import matches
from turnwise.conversations.templates import json_text

_SUFFIXES = (".txt", ".json", ".jsonl", ".md", ".j2", ".yaml", ".yml", ".csv")
_SEPARATOR = "---"
_SHOWN, _SHOWN_OF_YAML = 50, 80
"""Characters of a prompt in its label."""
_REMOTE = ("portkey://", "langfuse://", "helicone://", "https://", "http://")


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt before it is filled.

    id: another name that filters may use. problem: why it has no text. made_by: what makes its text, a script
    with a function or a command, named by the words after its kind; empty for a text. config: for that.
    """

    raw: str
    label: str
    id: str = ""
    problem: str = ""
    made_by: tuple[str, ...] = ()
    config: Any = None

    def text(self, code: CodeRunner, about: dict[str, Any], folder: Folder, place: str) -> str:
        """Return the prompt's text, which a script may make. about: what such a script is told, as vars.

        Raises FormatError where a script may not run, or gives no text.
        """
        if not self.made_by:
            return self.raw
        told = {**about, "config": self.config or {}}
        if self.made_by[0] == "exec":
            return code.program(self.made_by[1:], [json_text(told)], place)
        script, function = script_of(self.made_by[1], folder, place)
        if is_python(script) and not function:
            # A whole script is a program that prints its prompt.
            return code.program([sys.executable, str(script)], [json_text(told)], place)
        made = code.call(script, function, (), [told], place)
        if isinstance(made, dict) and "prompt" in made:
            made = made["prompt"]
        if isinstance(made, dict | list):
            return json_text(made)
        if not isinstance(made, str):
            raise problem(place, f"{script.name}: expected a text or messages", "Mend the script.")
        return made

    def is_named(self, names: Any) -> bool:
        """Whether a filter lets it through: by label, by id, or by the group before a colon."""
        if not isinstance(names, list):
            return True
        own = [name for name in (self.label, self.id) if name]
        return any(matches(name, one) for name in names if isinstance(name, str) and name for one in own)


def read_prompts(prompts: Any, folder: Folder, place: str, delimiter: str = ",") -> list[PromptText]:
    """Return the prompts that a configuration's `prompts` holds or names, in order.

    An entry that is the same text as one before it is that one; equal prompts that come by other ways are
    prompts of their own. A prompt made by code is there with what makes it. delimiter: what stands between
    the cells of tables. Raises FormatError where a prompt cannot be read.
    """
    here = f"{place}, prompts"
    if isinstance(prompts, str):
        entries: list[Any] = [prompts]
    elif isinstance(prompts, dict):
        entries = [{"raw": raw, "label": label} for raw, label in prompts.items()]
    elif isinstance(prompts, list):
        entries = prompts
    else:
        raise problem(here, "expected a text, a list or files", "Give at least one prompt.")
    found: list[PromptText] = []
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        if not (isinstance(entry, str) and entry in seen):
            found += _of_entry(entry, folder, f"{place}, prompt {number}", delimiter)
        seen |= {entry} if isinstance(entry, str) else set()
    if not found:
        raise problem(here, "expected at least one prompt; got none", "Give at least one prompt.")
    return found


def _of_entry(entry: Any, folder: Folder, place: str, delimiter: str) -> list[PromptText]:
    if isinstance(entry, str):
        return list(_of_text(entry, "", "", folder, place, delimiter))
    if not isinstance(entry, dict):
        raise problem(place, "expected a text or an object with raw", "Write the prompt as text.")
    raw = entry.get("raw", entry.get("id"))
    label, identifier = entry.get("label"), entry.get("id")
    if isinstance(raw, dict | list):
        raw = json_text(raw)
    if not isinstance(raw, str):
        raise problem(place, "raw: expected a text", "Write the prompt as text.")
    prompts = _of_text(
        raw,
        label if isinstance(label, str) else "",
        identifier if isinstance(identifier, str) else "",
        folder,
        place,
        delimiter,
    )
    return [replace(prompt, config=entry.get("config")) if prompt.made_by else prompt for prompt in prompts]


def _of_text(
    raw: str, label: str, identifier: str, folder: Folder, place: str, delimiter: str
) -> Iterator[PromptText]:
    if raw.startswith(_REMOTE) and "\n" not in raw:
        error = problem(place, f"{raw} lies on another computer, which is not asked", "Save it as a file.")
        yield PromptText(raw, label or raw, identifier, str(error))
        return
    if not _may_be_file(raw):
        yield PromptText(raw, label or raw, identifier)
        return
    named = raw.startswith(SCHEME)
    if raw.startswith("exec:"):
        yield _made_by_command(raw, label, identifier, place)
        return
    if is_code(raw) and not is_pattern(raw) and (named or _exists(raw, folder, place)):
        yield _made_by_script(raw, label, identifier, folder, place)
        return
    files = folder.matching(raw, place) if named or _exists(raw, folder, place) else []
    if not files and named:
        raise problem(place, f"no file matches {raw.removeprefix(SCHEME)}", "Check the path.")
    if not files:
        yield PromptText(raw, label or raw, identifier)
    for path in files:
        # Each file of a pattern has a name of its own.
        own = "" if is_pattern(raw) else label
        yield from _of_file(path, folder, own, identifier, place, delimiter)


def _may_be_file(raw: str) -> bool:
    return "\n" not in raw and (
        raw.startswith((SCHEME, "exec:"))
        or raw.endswith(_SUFFIXES)
        or is_code(raw)
        or "/" in raw
        or "*" in raw
    )


def _exists(raw: str, folder: Folder, place: str) -> bool:
    """Whether a text without file:// before it is nevertheless the name of a file that exists."""
    name = raw.partition(":")[0] if is_code(raw) else raw
    if "{{" in raw or len(raw) > 1000 or ".." in raw or (is_pattern(raw) and " " in raw):
        return False
    try:
        return bool(folder.matching(name, place))
    except Exception:
        return False


def _name_in(folder: Folder, path: Path) -> str:
    """Return the name of a file as labels have it: from the configuration's folder on."""
    return Path(os.path.relpath(path, folder.path)).as_posix()


def _of_file(
    path: Path, folder: Folder, label: str, identifier: str, place: str, delimiter: str
) -> Iterator[PromptText]:
    """Yield the prompts in a file, each with the label that promptfoo gives it."""
    name = _name_in(folder, path)
    # What a person may open anywhere, a file may name in its own folder alone.
    inside = Folder.of(path) if folder.root == Path(folder.root.anchor) else folder
    if is_code(path.name):
        yield PromptText(path.name, label or name, identifier, made_by=("script", str(path)))
        return
    text = read_text(path, place)
    if not text.strip():
        raise problem(
            place, f"{path.name}: expected a prompt; got no text", "Write the prompt into the file."
        )
    if path.suffix == ".csv":
        yield from _of_csv(text, path.name, label, identifier, delimiter)
    elif path.suffix == ".txt":
        before = f"{label}: {name}" if label else name
        yield from (PromptText(part, f"{before}: {part}", identifier) for part in _parts(text))
    elif path.suffix == ".jsonl":
        lines = [line for line in text.splitlines() if line.strip()]
        several = len(lines) > 1
        for line in lines:
            own = f"{label or name}: {line}" if several else label or name
            yield PromptText(line, own, identifier)
    elif path.suffix == ".json":
        # A template need not be JSON before it is filled.
        with suppress(ValueError):
            text = json_text(with_files(decode_json(text), inside, f"{place}, {path.name}"))
        yield PromptText(text, label or f"{name}: {text}", identifier)
    elif path.suffix in (".yaml", ".yml"):
        try:
            text = json_text(with_files(load_yaml(text), inside, f"{place}, {path.name}"))
        except ValueError as error:
            # A template need not be YAML before it is filled.
            if "{{" not in text and "{%" not in text:
                raise problem(place, f"{path.name}: {error}", "") from None
        yield PromptText(text, label or f"{name}: {text[:_SHOWN_OF_YAML]}", identifier)
    else:
        yield PromptText(text, label or f"{name}: {text[:_SHOWN]}...", identifier)


def _made_by_command(raw: str, label: str, identifier: str, place: str) -> PromptText:
    try:
        words = shlex.split(raw.removeprefix("exec:"))
    except ValueError as error:
        raise problem(place, f"exec: {error}", "Correct the quotes of the command.") from None
    if not words:
        raise problem(place, "exec: expected a command; got none", "Name the program.")
    return PromptText(raw, label or raw.removeprefix("exec:"), identifier, made_by=("exec", *words))


def _made_by_script(raw: str, label: str, identifier: str, folder: Folder, place: str) -> PromptText:
    name = raw.removeprefix(SCHEME)
    try:
        script, function = script_of(raw, folder, place)
        if is_python(script) and not function:
            # A whole script is named by what it says, as promptfoo does it.
            name = f"{_name_in(folder, script)}: {read_text(script, place)}"
        else:
            name = f"{_name_in(folder, script)}{':' if function else ''}{function}"
    except FormatError as error:
        return PromptText(raw, label or name, identifier, str(error))
    return PromptText(raw, label or name, identifier, made_by=("script", raw))


def _parts(text: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == _SEPARATOR:
            parts.append([])
        else:
            parts[-1].append(line)
    return [part for part in ("\n".join(lines).strip() for lines in parts) if part]


def _of_csv(text: str, file: str, label: str, identifier: str, delimiter: str) -> Iterator[PromptText]:
    rows = list(_csv_prompts(text, file, delimiter))
    several = len(rows) > 1
    used = {given for _, given in rows if given}
    for number, (raw, given) in enumerate(rows, start=1):
        own = given or _unused_label(_label_of_row(label, raw, number, several=several), number, used)
        used.add(own)
        yield PromptText(raw, own, f"{identifier}:{number}" if several and identifier else identifier)


def _label_of_row(label: str, raw: str, number: int, *, several: bool) -> str:
    if not label:
        return f"Prompt {number} - {raw}"
    return f"{label}: {raw}" if several else label


def _unused_label(label: str, number: int, used: Collection[str]) -> str:
    found, turn = label, 1
    while found in used:
        found = f"{label} (row {number}{f'.{turn}' if turn > 1 else ''})"
        turn += 1
    return found


def _csv_prompts(text: str, file: str, delimiter: str) -> Iterator[tuple[str, str]]:
    """Yield the prompts of a table with their labels; without a delimiter every line is a prompt."""
    if delimiter not in text:
        lines = [line for line in text.splitlines() if line.strip()]
        yield from ((line, "") for line in lines[lines[0].strip().lower() == "prompt" :])
        return
    # White space around a cell is none of it, also where the cell stands in quotation marks.
    lines_of_cells = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    rows = [[cell.strip() for cell in cells] for cells in lines_of_cells]
    names = rows[0]
    for number, cells in enumerate((cells for cells in rows[1:] if any(cells)), start=1):
        if len(cells) != len(names):
            words = f"expected {len(names)} cells, as in the header; got {len(cells)}"
            raise problem(f"{file}, row {number}", words, "")
        row = dict(zip(names, cells, strict=True))
        if row.get("prompt"):
            yield row["prompt"], row.get("label", "")
