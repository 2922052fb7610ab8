"""Settings: what a person wants of turnwise on this machine, kept in one file that they may edit.

theme = "dark"               # one of THEME_NAMES
author = "Mia"               # who labels
judge = "embedded"           # as --judge takes it
judge_timeout = 60           # seconds that a judge may take for one answer
judge_tries = 3              # how often it is asked the same
judge_longest_wait = 300     # seconds that are waited where it asks to
mouse = true
motion = "full"              # reduced: nothing moves by itself
terminal_title = true        # whether the terminal's title says where one is
blind = true                 # hide scores until you label
next_in_queue = true         # in a queue, open the next session after a pass or defer; a fail stays
next_after_label = false     # the same in other lists
links = true                 # addresses can be opened from the terminal
notify = "never"             # at the end of a long run: never, bell, terminal (its own notice)
[maps]                       # what stands where in files of your own; see tui/settings/kept_maps.py
helpdesk = "messages=log.events,role=who,content=data.text"
[keymap.library]
score = ["S", "f5"]
"""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal

from turnwise.conversations.errors import SettingError
from turnwise.conversations.private_files import make_private_folder
from turnwise.conversations.words import nearest
from turnwise.engine.judge.usual_judge import settings_data, settings_path, settings_text
from turnwise.tui.settings.keymap import read_keymap
from turnwise.tui.settings.theme_names import THEME_NAMES
from turnwise.tui.terminal.notices import Notify

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_ENTRY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says; None where it says nothing.

    theme: one of THEME_NAMES. motion: full, or reduced where nothing is to move by itself. terminal_title:
    whether the terminal's title says where one is. author: the name that stands at labels. judge: as
    `--judge` takes it; the app keeps here what is chosen there. judge_timeout, judge_tries,
    judge_longest_wait: how long any judge is waited for; see `ModelSettings`. mouse: whether the app takes
    the mouse. keymap: actions and their keys; see tui/settings/keymap.py. blind: whether scores are hidden
    until one has labelled. next_in_queue, next_after_label: whether a pass or defer opens the next session,
    in a queue and in other lists. links: whether addresses are links of the terminal. notify: how the end of
    a long run is told. maps: mappings of files by name, as `--map` takes them.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    theme: str | None = None
    author: str | None = None
    judge: str | None = None
    mouse: bool = True
    motion: Literal["full", "reduced"] | None = None
    terminal_title: bool = True
    keymap: dict[str, Any] = field(default_factory=dict)
    blind: bool = True
    next_in_queue: bool = True
    next_after_label: bool = False
    links: bool = True
    notify: Notify = "never"
    maps: dict[str, str] = field(default_factory=dict)
    judge_timeout: float | None = None
    judge_tries: int | None = None
    judge_longest_wait: float | None = None


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings; where there is no file, all is as it comes.

    Raises SettingError that names file, line and field.
    """
    path = path or settings_path()
    text = settings_text(path)
    return read_settings(text, path) if text else Settings()


def read_settings(text: str, path: Path) -> Settings:
    """Return the settings of a file's text. path: what errors name. Raises SettingError."""
    import json

    # Loaded only where there is a file: it takes 50 ms of the time to the first paint.
    from pydantic import TypeAdapter, ValidationError

    data = settings_data(text, path)
    try:
        # As JSON, because strict Python values would have to be Settings already.
        settings = TypeAdapter(Settings).validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"]]
        known = [one.name for one in fields(Settings)]
        if place[0] not in known:
            near = nearest(place[0], known)
            step = f"Did you mean {near!r}?" if near else f"Settings are {', '.join(known)}."
            raise _error(f"There is no setting {place[0]!r}", text, path, place, next_step=step) from None
        what = f"{first['msg']}; given: {first['input']!r}"
        raise _error("A setting is not what it must be", text, path, place, what) from None
    if settings.theme is not None and settings.theme not in THEME_NAMES:
        raise _error(
            f"There is no theme {settings.theme!r}",
            text,
            path,
            ["theme"],
            next_step=near_theme(settings.theme),
        )
    for name, value, least in (
        ("judge_timeout", settings.judge_timeout, 0.001),
        ("judge_tries", settings.judge_tries, 1),
        ("judge_longest_wait", settings.judge_longest_wait, 0),
    ):
        if value is not None and not least <= value < math.inf:
            what = f"expected a number from {least:g}; given: {value}"
            raise _error("A setting is not what it must be", text, path, [name], what)
    read_keymap(settings.keymap, lambda names: _where(text, path, ["keymap", *names]))
    return settings


def wants_less_motion(settings: Settings, environment: Mapping[str, str]) -> bool:
    """Say whether nothing is to move by itself: TURNWISE_REDUCED_MOTION goes before the settings."""
    asked = environment.get("TURNWISE_REDUCED_MOTION", "").strip().lower()
    return asked not in ("0", "no", "false") if asked else settings.motion == "reduced"


def near_theme(name: str) -> str:
    """Return the words that lead from a name that is no theme to those that are."""
    near = nearest(name, THEME_NAMES)
    return f"Did you mean {near!r}?" if near else f"Themes are {', '.join(THEME_NAMES)}."


def keep_setting(name: str, value: str | bool, path: Path | None = None) -> None:
    """Write a setting into the file, and leave all else of it as it is.

    Raises SettingError where the file cannot be written.
    """
    path = path or settings_path()
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        lines = text.splitlines(keepends=True)
        number = line_of(text, [name])
        entry = f"{name} = {_quoted(value)}\n"
        if number:
            lines[number - 1] = entry
        else:
            lines.insert(0, entry)
        write_settings("".join(lines), path)
    except OSError as error:
        raise SettingError(
            f"The {name} could not be kept",
            detail=f"{path}: {error.strerror or error}",
            next_step="It holds until turnwise ends.",
        ) from None


def _quoted(value: str | bool) -> str:
    import json

    # TOML takes JSON's escapes and its true and false, but wants this one that JSON does not.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_settings(text: str, path: Path) -> None:
    """Put a text in the file's place at once, or not at all. Raises OSError."""
    make_private_folder(path.parent)
    # A link stays one: people keep their settings elsewhere and link to them.
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".settings")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def line_of(text: str, place: Sequence[str]) -> int:
    """Return the number of the line of an entry, from 1, or of the nearest table above it; 0 for neither."""
    table: list[str] = []
    best, known = 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _parts(header[1])
            path = table
        elif entry := _ENTRY.match(line):
            path = [*table, *_parts(entry[1])]
        else:
            continue
        if list(place[: len(path)]) == path and len(path) > known:
            best, known = number, len(path)
    return best


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(dotted)]


def _error(
    title: str, text: str, path: Path, place: Sequence[str], detail: str = "", *, next_step: str = ""
) -> SettingError:
    return SettingError(
        title,
        detail="\n".join(part for part in (_where(text, path, place), detail) if part),
        next_step=next_step or "`turnwise settings edit` opens the file.",
    )


def _where(text: str, path: Path, place: Sequence[str]) -> str:
    line = line_of(text, place)
    return f"{path}, line {line}, {'.'.join(place)}" if line else f"{path}, {'.'.join(place)}"


def labeller(named: str | None = None) -> str:
    """Return who labels: the one who is named, else of the settings, else the user of this machine.

    Raises SettingError where the settings cannot be read.
    """
    return (named or "").strip() or author_of(load_settings())


def author_of(settings: Settings) -> str:
    """Return who labels: as the settings say, else the user of this machine."""
    from turnwise.conversations.store import default_author

    return (settings.author or "").strip() or default_author()
