"""The page that plays conversations: one file with our own script, and the data in one island of JSON.

Nothing of a conversation is ever part of the page's markup: it stands in the island, where no letter can end
it, and the script puts it on the page as text alone. The page's own policy allows this script and this style
by their hashes, and nothing else: no address, no image, no form.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any, TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import json_text
from turnwise.conversations.exports.pages.page_sessions import make_all_safe, session_data
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted

SCRIPTS = ("reading.js", "moments.js", "labelling.js", "start.js")
"""The parts of the script, in order; together they are one function, and leave no name behind."""
VERSION = 1
"""Of what the island holds, and of the files of labels that come back."""
TOLD_FROM = 500_000
"""Letters of judges' prompts and answers from which on their share of a page is told."""
_ISLAND = "<!--island-->"


@dataclass(frozen=True, slots=True)
class LabelledQueue:
    """A queue that is handed to somebody. modes: the failure modes that are offered, name and definition."""

    name: str
    modes: Sequence[tuple[str, str]] = ()


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write one page that plays sessions, with scores and labels as they came.

    What judges were asked and answered is in it, unless the options say otherwise.
    """
    only = next(sessions.rows(), None) if len(sessions) == 1 else None
    title = only.name if only else counted(len(sessions), "conversation")
    head = {"kind": "replay", "title": title}
    size = _write_page(sessions, out, head, blind=False, prompts=options.prompts)
    if size >= TOLD_FROM:
        sessions.tell(
            f"What judges were asked and answered is {size / 1_000_000:.1f} MB of the page; "
            "`turnwise export --without-prompts` leaves it out."
        )


def write_queue(sessions: SessionSelection, out: TextIO, queue: LabelledQueue) -> None:
    """Write one page on which a queue is labelled blind: nothing that was found in it so far is in there."""
    head = {"kind": "labels", "title": queue.name, "modes": [list(mode) for mode in queue.modes]}
    _write_page(sessions, out, head, blind=True)


def _write_page(
    sessions: SessionSelection, out: TextIO, head: dict[str, Any], *, blind: bool, prompts: bool = False
) -> int:
    """Write a page, and return how many letters of it are what judges were asked and answered."""

    def read(session: StoredSession) -> dict[str, Any]:
        keys = dict.fromkeys(key for score in session.scores for key in score.calls)
        calls = sessions.calls(list(keys)) if prompts else None
        return session_data(session, sessions.events(session), blind=blind, calls=calls)

    before, after = _shell(str(head["title"])).split(_ISLAND)
    out.write(before)
    out.write(f'{{"version":{VERSION},"head":{_island(make_all_safe(head))},"sessions":[')
    seen: list[tuple[int, str]] = []
    size = 0
    for data in sessions.each(read):
        out.write(f"{',' if seen else ''}\n{_island(data)}")
        size += len(_island(data["asked"])) if "asked" in data else 0
        seen.append((data["id"], data["identity"]))
    # What the browser keeps is kept under this name: the same page written anew finds it again.
    out.write(f'],"page":"{fingerprint([head["kind"], head["title"], seen])}"}}')
    out.write(after)
    return size


def _island(value: Any) -> str:
    """Return JSON in which nothing can end the element that it stands in, or begin another."""
    text = json_text(value)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _shell(title: str) -> str:
    style, script = _part("page.css"), "\n".join(_part(name) for name in SCRIPTS)
    script = f'"use strict";\n(() => {{\n{script}}})();'
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        _part("page.html")
        .replace("<!--policy-->", policy)
        .replace("<!--style-->", style)
        .replace("<!--script-->", script)
        .replace("<!--title-->", escape(make_safe_line(title)))
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
