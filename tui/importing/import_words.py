"""What an import did, and what it wants to be told, in the words of the app."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.errors import FormatError, TurnwiseError, UnknownChatbotError
from turnwise.conversations.words import counted, listed
from turnwise.tui.importing.path_choices import is_text

if TYPE_CHECKING:
    from turnwise.conversations.importing import ImportReport

_MESSAGES = "--messages"
KEY_OPTION = f"{_MESSAGES} KEY"
"""What errors call the setting that names the list of messages: the command line's option."""
MAP_OPTION = "--map"
"""What errors call the setting that names speakers and columns."""
_OPTIONS = (KEY_OPTION, MAP_OPTION, "--assistant")
"""Of the command line; what they say is said in the dialog here."""
_FORMAT_ADVICE = re.compile(r"Name its format, or (?:the list that holds its messages, or )?(\w)")
"""The dialog asks for no format: it finds out itself, or is told what stands where."""
_FIELD = "the field above"
_FOREIGN = "Scores and labels from a file carry its name: nobody gave them here."


def report_words(report: ImportReport, broken: int = 0, *, undo: str = "") -> str:
    """Say what an import did: "100 imported, with 1 label, 3 not readable".

    broken: whole files, not read. undo: a sentence that says what takes it back.
    """
    parts = [f"{report.imported:,} imported"]
    parts += [f"{report.unchanged:,} there already"] if report.unchanged else []
    parts += [f"{report.grown:,} brought up to date"] if report.grown else []
    parts += [f"{report.updated:,} given their role"] if report.updated else []
    with_it = [(report.scores, "score"), (report.labels, "label"), (report.modes, "failure mode")]
    if came := [_count(count, name) for count, name in with_it if count]:
        parts.append(f"with {listed(came)}")
    parts += [f"{report.failed:,} not readable"] if report.failed else []
    parts += [f"{_count(broken, 'file')} not readable"] if broken else []
    foreign = f" {_FOREIGN}" if report.scores or report.labels else ""
    back = f" {undo}" if undo else ""
    return f"{', '.join(parts)}.{back}{foreign}{_silent_words(report)}"


def _silent_words(report: ImportReport) -> str:
    """Say where there is no reply: it may stand in the file where nothing reads it."""
    if not report.silent:
        return ""
    sessions, first = len(report.sessions), report.silent_sessions[0]
    which = (
        "it"
        if sessions == 1
        else "any of them"
        if report.silent == sessions
        else f"1 of them, session {first}"
        if report.silent == 1
        else f"{report.silent:,} of them, first in session {first}"
    )
    return f" The chatbot says nothing in {which}: there is no reply to judge."


def report_counts(report: ImportReport) -> dict[str, object]:
    """Return what an import did as numbers, and the ids of its sessions: what a line of JSON says of it."""
    return {
        "imported": report.imported,
        "unchanged": report.unchanged,
        "grown": report.grown,
        "updated": report.updated,
        "failed": report.failed,
        "silent": report.silent,
        "labels": report.labels,
        "scores": report.scores,
        "modes": report.modes,
        "silences": len(report.silences),
        "beside": [
            {"session": one.session_id, "earlier": one.earlier, "is": one.kinship} for one in report.beside
        ],
        "sessions": list(report.sessions),
    }


def _count(count: int, name: str) -> str:
    return f"{count:,} {name if count == 1 else f'{name}s'}"


def names_no_list(error: Exception) -> bool:
    """Return whether a record was refused because it holds several lists of messages."""
    return KEY_OPTION in str(error)


def names_nobody(error: TurnwiseError) -> bool:
    """Return whether a file was refused because nobody knows who speaks in it, or what its columns are."""
    return MAP_OPTION in str(error)


def in_app_words(text: str) -> str:
    """Return an error's text with what to do here in the place of the command line's options."""
    text = text.replace(f"with {KEY_OPTION}", f"in {_FIELD}").replace(KEY_OPTION, _FIELD)
    # A path, or a pair such as user=Anna, is what is typed here; the option before it is not.
    text = re.sub(rf"{MAP_OPTION} (?=\w+=)|{_MESSAGES} (?!and\b)", "", text)
    text = text.replace(f"with {MAP_OPTION}", f"in {_FIELD}")
    text = re.sub(rf"[Ll]eave (out {MAP_OPTION}|it out(?= for a file))", f"leave {_FIELD} empty", text)
    text = re.sub(rf"^{MAP_OPTION}", f"T{_FIELD[1:]}", text, flags=re.MULTILINE)
    text = _FORMAT_ADVICE.sub(lambda found: found[1].upper(), text)
    return text.replace(MAP_OPTION, _FIELD)


def refusal_words(error: TurnwiseError | OSError) -> str:
    """Return why a file was refused as lines, of which the last ones may be out of sight.

    What to do stands before what goes on in the details, such as the list of all formats.
    """
    if isinstance(error, OSError):
        return str(error)
    first, _, more = _detail_of(error).partition("\n")
    return in_app_words("\n".join(part for part in (error.title, first, error.next_step, more) if part))


@dataclass(frozen=True, slots=True)
class RejectionGroup:
    """Things that were left out for which the same is to be done, told once below them.

    head: the file, where they are records of one; else what happened. lines: where each stands and why.
    """

    head: str
    lines: tuple[str, ...]
    next_step: str


def left_out(errors: Sequence[TurnwiseError], map_key: str) -> list[RejectionGroup]:
    """Return what was left out, with what a file and its records have in common said once.

    map_key: the key of the dialog of imports that says what stands where in a file.
    """
    told = []
    groups = groupby(errors, lambda error: (_file_of(error), _step_in_app(error, map_key)))
    for (file, next_step), group in groups:
        if file:
            lines = tuple(_record_words(error) for error in group if isinstance(error, FormatError))
            told.append(RejectionGroup(f"Not loaded from {file}:", lines, next_step))
        else:
            told += [
                RejectionGroup(error.title, tuple(_detail_of(error).split("\n")), next_step)
                for error in group
            ]
    return told


def _file_of(error: TurnwiseError) -> str:
    return error.file if isinstance(error, FormatError) else ""


def _step_in_app(error: TurnwiseError, map_key: str) -> str:
    """Return what to do in the app: what the command line takes as options is told in the dialog."""
    if any(option in str(error) for option in _OPTIONS):
        return f"Import the file by itself: {map_key} in that dialog says what stands where."
    return error.next_step


def _record_words(error: FormatError) -> str:
    """Return where a record stands in its file, and what is wrong with it."""
    place = ", ".join(part for part in (error.file, error.where) if part)
    problem = "; ".join(line.removeprefix(f"{place}, ") for line in error.detail.split("\n"))
    problem = problem.replace(f" (name the one with {KEY_OPTION})", "")
    return f"{error.where}: {problem}" if error.where else problem


def _detail_of(error: TurnwiseError) -> str:
    """Return the detail without the name of the file that begins it, where the title says that."""
    lines = error.detail.split("\n")
    name, parted, rest = lines[0].partition(": ")
    if parted and name in error.title:
        lines[0] = f"{rest[:1].upper()}{rest[1:]}"
    return "\n".join(lines)


def file_words(path: Path) -> str:
    """Say of a file how large it is, and of a text that it must be a transcript."""
    parts = (_size_words(path), "perhaps a transcript" if is_text(path) else "")
    return ", ".join(part for part in parts if part)


def _size_words(path: Path) -> str:
    """Return a file's size: "1.2 MB"; empty where nobody knows."""
    try:
        size = path.stat().st_size
    except OSError:
        return ""
    if size < 1e3:
        return counted(size, "byte")
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def speakers_of(errors: Sequence[UnknownChatbotError]) -> list[tuple[str, int]]:
    """Return who speaks in several conversations, and in how many turns in all."""
    turns: Counter[str] = Counter()
    for error in errors:
        for name, count in error.speakers:
            turns[name] += count
    return list(turns.items())
