"""Handed labels: what somebody said on a page that holds a queue, taken in from the file that comes back.

Each label is looked at by itself: one that means nothing, or belongs to a session that is not the one that
was handed out, is refused with the reason, and the others are kept.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from turnwise.conversations.errors import FormatError, InputError, NotFoundError, SettingError
from turnwise.conversations.exports import seen_identity
from turnwise.conversations.files import decode_json
from turnwise.conversations.findings import FoundMode, Label
from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import LabelRow, Store, checked_name
from turnwise.conversations.texts import mend_text
from turnwise.conversations.words import counted
from turnwise.engine.people.unreadable_fields import unreadable_field

NEWEST = 1
"""The newest version of such files that is known here."""
_PAGE_STEP = "Such a file is saved by the page that `turnwise queue hand` writes."
_WHOLE = "a whole number from 1"
_TEXT = "text"


@dataclass(frozen=True, slots=True)
class HandedLabel:
    """What the file says of one session. identity: of what was seen.

    word: None where nothing was chosen, or what was said before was taken back. at: seconds since 1970.
    """

    session: int
    name: str
    identity: str
    word: LabelWord | None
    turn: int | None
    note: str
    modes: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True)
class HandedFile:
    """A file of labels. refused: what could not be read in it. blind: whether no scores were on the page."""

    name: str
    queue: str
    author: str
    blind: bool
    labels: Sequence[HandedLabel]
    refused: Sequence[InputError]


@dataclass(frozen=True, slots=True)
class TakenLabels:
    """What became of a file.

    new: sessions of which something was kept; put_off: those of them that the file defers, which are still to
    be labelled; unchanged: sessions of which all was known.
    """

    author: str
    queue: str
    new: Sequence[int]
    put_off: Sequence[int]
    unchanged: Sequence[int]
    refused: Sequence[InputError]

    @property
    def labelled(self) -> int:
        """How many sessions were labelled, what was put off left out."""
        return len(self.new) - len(self.put_off)

    @property
    def words(self) -> str:
        """Say how many sessions were labelled, by whom, and how many were put off."""
        off = f", {len(self.put_off):,} put off" if self.put_off else ""
        return f"{counted(self.labelled, 'session')} labelled by {self.author}{off}"


def read_labels(path: Path) -> HandedFile:
    """Read a file of labels. Raises FormatError and InputError where it is none, or cannot be read."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path} cannot be read", detail=error.strerror or str(error), next_step="Check the name."
        ) from None
    if not raw.strip():
        raise FormatError(f"{path} is empty", next_step=_PAGE_STEP)
    try:
        data = decode_json(raw)
    except ValueError as error:
        raise FormatError(f"{path} is no file of labels", detail=str(error), next_step=_PAGE_STEP) from None
    if not isinstance(data, dict) or data.get("turnwise") != "labels":
        raise FormatError(f"{path} is no file of labels", next_step=_PAGE_STEP)
    version = data.get("version")
    if version != NEWEST:
        raise FormatError(
            f"{path} is a file of labels of version {version}",
            detail=f"Version {NEWEST} is known here.",
            next_step="Install a newer turnwise, or hand out a page of this one.",
        )
    entries = data.get("labels")
    if not isinstance(entries, list):
        raise FormatError(f"{path} holds no list of labels", next_step=_PAGE_STEP)
    labels: list[HandedLabel] = []
    refused: list[InputError] = []
    for place, entry in enumerate(entries, 1):
        try:
            labels.append(_label(f"{path.name}, label {place}", entry))
        except InputError as error:
            refused.append(error)
    author, queue = data.get("author"), data.get("queue")
    return HandedFile(
        path.name,
        queue if isinstance(queue, str) else "",
        author.strip() if isinstance(author, str) else "",
        data.get("blind") is True,
        labels,
        refused,
    )


def take_labels(store: Store, file: HandedFile, author: str = "") -> TakenLabels:
    """Keep what a file says, each label once, and say what became of it.

    author: who labelled, where that is not what the file says. Raises SettingError where nobody says it.
    """
    who = " ".join(mend_text(author or file.author).split())
    if not who:
        raise SettingError(f"{file.name} does not say who labelled", next_step="Add --author NAME.")
    refused = list(file.refused)
    counts = Counter(label.session for label in file.labels)
    new: list[int] = []
    put_off: list[int] = []
    unchanged: list[int] = []
    with store.writing():
        for label in file.labels:
            try:
                if counts[label.session] > 1:
                    raise FormatError(
                        f"{_named(label)} is labelled {counts[label.session]} times in the file",
                        next_step="Leave one of them; none is taken until then.",
                    )
                kept = _keep(store, file, label, who)
            except InputError as error:
                refused.append(error)
            else:
                (new if kept else unchanged).append(label.session)
                if kept and label.word == "defer":
                    put_off.append(label.session)
    return TakenLabels(who, file.queue, new, put_off, unchanged, refused)


def _keep(store: Store, file: HandedFile, label: HandedLabel, author: str) -> bool:
    """Keep one label; say whether anything of it was new. Raises InputError where it cannot be taken."""
    _check_session(store, label)
    names = [checked_name(name) for name in label.modes]
    before = [row for row in store.labels.of(label.session) if row.author == author and not row.metric]
    kept = 0
    if not _says_same(before[-1] if before else None, label):
        if before and before[-1].created_at > label.at:
            raise SettingError(
                f"{author} labelled {_named(label)} anew since",
                detail=f"There it is {before[-1].label or 'without a label'} now; "
                f"the file says {label.word or 'nothing'}.",
                next_step=f"What is newer stands. `turnwise label {label.session}` changes it.",
            )
        said = Label(
            word=label.word,
            author=author,
            turn=label.turn,
            note=label.note,
            blind=file.blind,
            at=label.at,
        )
        kept = store.labels.add_new(label.session, [said], at=label.at, came_from=file.name)
    modes = [FoundMode(name=name, definition="", author=author, turn=label.turn) for name in names]
    return bool(kept + store.modes.add_new(label.session, modes, at=label.at))


def _says_same(row: LabelRow | None, label: HandedLabel) -> bool:
    said = (None, None, "") if row is None else (row.label, row.turn, row.note)
    return said == (label.word, label.turn, mend_text(label.note))


def _check_session(store: Store, label: HandedLabel) -> None:
    if label.session not in store.sessions:
        raise NotFoundError(
            f"There is no {_named(label)} here",
            next_step="Take the file in where the queue was handed out; --db names the database.",
        )
    turns = store.turns.of(label.session)
    if seen_identity(turns) != label.identity:
        raise InputError(
            f"{_named(label)} is not what was handed out",
            detail="What is said in it changed since, or this is another database.",
            next_step=f"Read it again: `turnwise show {label.session}`; then label it, or hand it out anew.",
        )
    if label.turn is not None and label.turn not in {turn.number for turn in turns}:
        raise NotFoundError(
            f"{_named(label)} has no turn {label.turn}",
            next_step="Mend the turn in the file.",
        )


def _named(label: HandedLabel) -> str:
    return f"session {label.session} ({label.name})" if label.name else f"session {label.session}"


def _label(place: str, entry: Any) -> HandedLabel:
    if not isinstance(entry, dict):
        raise _wrong(place, "it", "an object", entry)
    word, at = entry.get("label"), entry.get("at")
    if word not in ("pass", "fail", "defer", None):
        raise _wrong(place, "label", "pass, fail, defer or null", word)
    if isinstance(at, bool) or not isinstance(at, int | float) or not math.isfinite(at) or at <= 0:
        raise _wrong(place, "at", "seconds since 1970", at)
    turn = None if entry.get("turn") is None else _number(place, entry, "turn")
    if turn is not None and word != "fail":
        raise _wrong(place, "turn", "null where the label is not fail", turn)
    modes = entry.get("modes", [])
    if not isinstance(modes, list) or not all(isinstance(mode, str) for mode in modes):
        raise _wrong(place, "modes", "a list of names", modes)
    return HandedLabel(
        _number(place, entry, "session"),
        _text(place, entry, "name"),
        _text(place, entry, "identity"),
        cast("LabelWord | None", word),
        turn,
        _text(place, entry, "note").strip(),
        tuple(modes),
        # A clock that is ahead must not make a label newer than all that will be said here.
        min(float(at), time.time()),
    )


def _number(place: str, entry: Mapping[str, Any], field: str) -> int:
    value = entry.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**62:
        raise _wrong(place, field, _WHOLE, value)
    return value


def _text(place: str, entry: Mapping[str, Any], field: str) -> str:
    value = entry.get(field, "")
    if not isinstance(value, str):
        raise _wrong(place, field, _TEXT, value)
    return value


def _wrong(place: str, field: str, expected: str, value: Any) -> FormatError:
    step = "Mend it, or let the page save the file anew."
    return unreadable_field(place, field, expected, value, next_step=step)
