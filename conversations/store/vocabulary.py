"""The vocabulary of filters: the values that there are, to complete what is typed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store.mode_reading import mode_groups
from turnwise.conversations.store.queries import FIELDS, terms_of

MOST = 200
LABEL_WORDS = ("pass", "fail", "deferred", "none")
OUTCOME_WORDS = ("pass", "fail", "failure", "skipped", "none")
_SIGNS = ("<", "<=", ">", ">=")
_BEFORE_CURSOR = re.compile(r'(?:[^\s"]|"[^"]*(?:"|$))*$')
_ODD = re.compile(r'[\s"]')


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The values of a database that a filter can name, the most frequent first, and saved filters."""

    metrics: Sequence[str] = ()
    roles: Sequence[str] = ()
    tags: Sequence[str] = ()
    sources: Sequence[str] = ()
    runs: Sequence[str] = ()
    modes: Sequence[str] = ()
    fields: Sequence[str] = field(default=FIELDS)

    def values(self, name: str) -> Sequence[str]:
        """Return the values that may follow `name:`."""
        if name in self.metrics:
            return OUTCOME_WORDS
        return {
            "role": self.roles,
            "tag": self.tags,
            "source": self.sources,
            "run": self.runs,
            "mode": [*self.modes, "none"] if self.modes else (),
            "label": LABEL_WORDS,
        }.get(name, ())


def read_vocabulary(connection: sqlite3.Connection, metrics: Sequence[str]) -> Vocabulary:
    """Read the values that there are, the most frequent first, up to MOST of each.

    Left out are those that a terminal would obey or that hold line ends: they would be typed into a line.
    """

    def counted(sql: str) -> list[str]:
        rows = connection.execute(f"{sql} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ?", [MOST])
        return [text for row in rows if (text := str(row[0] or "")) and text == make_safe_line(text)]

    runs = connection.execute("SELECT id FROM runs ORDER BY id DESC LIMIT ?", [MOST])
    return Vocabulary(
        metrics=[metric for metric in metrics if metric == make_safe_line(metric)],
        roles=counted("SELECT chatbot_role FROM sessions"),
        tags=counted("SELECT tag FROM session_tags"),
        sources=counted("SELECT source FROM sessions"),
        runs=[str(row[0]) for row in runs],
        modes=[name for name in mode_groups(connection) if name == make_safe_line(name)],
    )


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand in place of the term that is typed. shown: the part that is new to it."""

    text: str
    shown: str


def completions(query: str, cursor: int, words: Vocabulary) -> tuple[int, list[Completion]]:
    """Return where the term before the cursor begins, and what it may become, likely ones first."""
    found = _BEFORE_CURSOR.search(query[:cursor])
    start = found.start() if found else cursor
    term = query[start:cursor]
    minus = "-" if term.startswith("-") else ""
    bare = term.removeprefix("-")
    name, colon, given = bare.partition(":")
    if colon:
        return start, [
            Completion(f"{minus}{name}:{_quoted(value)}", value)
            for value in _beginning(words.values(name), given.strip('"'))
            if value
        ]
    if not bare or bare.startswith('"'):
        return start, []
    names = _beginning([one for one in words.fields if one != "turns"], bare)
    found_fields = [Completion(f"{minus}{one}:", f"{one}:") for one in names]
    if "turns".startswith(bare):
        found_fields.append(Completion(f"{minus}turns>", "turns>"))
    metrics = _beginning(words.metrics, bare)
    if metrics == [bare]:
        return start, [Completion(f"{minus}{bare}{sign}", f"{bare}{sign}") for sign in (*_SIGNS, ":")]
    return start, [*found_fields, *(Completion(f"{minus}{_quoted(one)}<", f"{one}<") for one in metrics)]


def hints(query: str, words: Vocabulary) -> list[str]:
    """Return what is odd about a query that finds nothing: values that there are not, and the nearest."""
    told: list[str] = []
    for term in terms_of(query):
        name, colon, given = term.text.replace('"', "").partition(":")
        known = [value for value in words.values(name) if value] if name in ("role", "tag", "source") else []
        holds = [value for value in known if given.casefold() in value.casefold()]
        if not colon or not known or given in known or (holds and name != "tag"):
            continue
        near = get_close_matches(given, known, n=1) or holds[:1]
        told.append(f"There is no {name} {given}." + (f" Did you mean {near[0]}?" if near else ""))
    return told


def _beginning(values: Sequence[str], given: str) -> list[str]:
    """Return the values that begin with what was given, then those that hold it."""
    wanted = given.casefold()
    first = [value for value in values if value.casefold().startswith(wanted)]
    return [*first, *(value for value in values if wanted in value.casefold() and value not in first)][:MOST]


def _quoted(value: str) -> str:
    return f'"{value.replace(chr(34), "")}"' if _ODD.search(value) else value
