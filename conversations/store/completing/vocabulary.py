"""The vocabulary of filters: the values that a database has, by which what is typed is completed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store.filter_fields import (
    FILTER_FIELDS,
    MOST_VALUES,
    field_named,
    keyed_field,
    written_key,
)
from turnwise.conversations.store.queries import (
    OUTCOME_WORDS,
    FilterTerm,
    name_and_value,
    sign_in,
    terms_of,
)
from turnwise.conversations.words import did_you_mean, nearest

_SIGNS = ("<", "<=", ">", ">=")
_BEFORE_CURSOR = re.compile(r'(?:[^\s"]|"[^"]*(?:"|$))*$')
_ODD = re.compile(r'[\s"]')


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a filter can name in a database.

    metrics: the metrics that have scores. found: the values that there are of each field, by its name, the
    most frequent first; of a field with keys those of each key, as in `meta.language`.
    """

    metrics: Sequence[str] = ()
    found: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def keys(self) -> dict[str, str]:
        """Return all keys of fields, as in `meta.language`, and how each is written in a query."""
        return {
            name: written_key(keyed[0].name, keyed[1]) for name in self.found if (keyed := keyed_field(name))
        }

    def values(self, name: str) -> Sequence[str]:
        """Return the values that may follow `name:`."""
        if name in self.metrics:
            return OUTCOME_WORDS
        if keyed := keyed_field(name):
            wanted = f"{keyed[0].name}.{keyed[1]}".casefold()
            return next((self.found[one] for one in self.found if one.casefold() == wanted), ())
        named = field_named(name)
        return named.words if named and named.words else self.found.get(name, ())


def read_vocabulary(connection: sqlite3.Connection, metrics: Sequence[str]) -> Vocabulary:
    """Read the values that there are, the most frequent first, up to MOST_VALUES of each.

    Left out are those that a terminal would obey or that hold line ends: they would be typed into a line.
    """
    found = {name: _typeable(one.values(connection)) for name, one in FILTER_FIELDS.items() if one.values}
    for name, one in FILTER_FIELDS.items():
        keys = one.keys(connection) if one.keys else ()
        read = {f"{name}.{key}": _typeable(values) for key, values in keys if _typeable([key])}
        found |= {key: values for key, values in read.items() if values}
    return Vocabulary(metrics=_typeable(metrics), found=found)


def _typeable(values: Iterable[str]) -> list[str]:
    return [value for value in values if value and value == make_safe_line(value)]


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
    sign = sign_in(bare)
    if sign is not None and sign[1] == ":":
        name, _, given = name_and_value(bare)
        return start, [
            Completion(f"{minus}{bare[: sign.start()]}:{_quoted(value)}", value)
            for value in _beginning(words.values(name), given)
            if value
        ]
    if not bare or bare.startswith('"'):
        return start, []
    keys = words.keys()
    # A field with keys is nothing by itself: its keys stand for it.
    signs = {name: ">" if one.compared else ":" for name, one in FILTER_FIELDS.items() if not one.keyed}
    names = _beginning([name for name in signs if signs[name] == ":"], bare)
    names += [name for name in signs if signs[name] == ">" and name.startswith(bare)]
    found_fields = [Completion(f"{minus}{one}{signs[one]}", f"{one}{signs[one]}") for one in names]
    found_fields += [
        Completion(f"{minus}{keys[one]}:", f"{one}:") for one in _beginning(list(keys), bare.replace('"', ""))
    ]
    metrics = _beginning(words.metrics, bare)
    if metrics == [bare]:
        return start, [Completion(f"{minus}{bare}{sign}", f"{bare}{sign}") for sign in (*_SIGNS, ":")]
    return start, [*found_fields, *(Completion(f"{minus}{_quoted(one)}<", f"{one}<") for one in metrics)]


_JOINING = {
    "AND": "“AND” was searched for as a word: terms that stand side by side all have to hold.",
    "OR": "“OR” was searched for as a word: all terms have to hold, there is no either-or.",
    "NOT": "“NOT” was searched for as a word: - right before a term leaves out what it finds.",
}
"""What is said of words by which other query languages join terms."""


def filter_hints(query: str, words: Vocabulary) -> list[str]:
    """Return what is odd about a query that finds nothing: values that there are not, and the nearest."""
    terms = terms_of(query)
    # In capitals: nobody looks for a word of the conversation so.
    told = [_JOINING[text] for text in dict.fromkeys(term.text for term in terms) if text in _JOINING]
    for at, term in enumerate(terms):
        name, sign, given = name_and_value(term.text)
        if sign == ":" and given and (unquoted := _unquoted(given, terms[at + 1 :], words.values(name))):
            told.append(f'For “{unquoted}” write {name}:"{unquoted}".')
            continue
        if keyed_field(name):
            told += _keyed_hints(name, sign, given, words)
            continue
        named = field_named(name)
        known = words.values(name) if named and named.is_hinted else ()
        holds = [value for value in known if given.casefold() in value.casefold()]
        if sign != ":" or not named or not known or given in known or (holds and not named.is_whole):
            continue
        near = nearest(given, known) or next(iter(holds), None)
        told.append(f"There is no {name} {given}." + (f" Did you mean {near}?" if near else ""))
    return told


def _unquoted(given: str, following: Sequence[FilterTerm], known: Sequence[str]) -> str:
    """Return the value of several words that was meant, where those after its first are searched for."""
    if not following or not following[0].words:
        return ""
    begun = f"{given} {following[0].words}".casefold()
    return next((value for value in known if value.casefold().startswith(begun)), "")


def _keyed_hints(name: str, sign: str, given: str, words: Vocabulary) -> list[str]:
    """Return what is odd about a term with a key: a key that no session has, or a value."""
    values, keys = words.values(name), words.keys()
    if not values:
        return [f"There is no {name}. {did_you_mean(name, keys)}".rstrip()] if keys else []
    small = [value.casefold() for value in values]
    if sign not in (":", "=") or "*" in given or given.casefold() in small or len(values) >= MOST_VALUES:
        return []
    return [f"There is no {name} {given}. {did_you_mean(given, values)}".rstrip()]


def _beginning(values: Sequence[str], given: str) -> list[str]:
    """Return the values that begin with what was given, then those that hold it."""
    wanted = given.casefold()
    first = [value for value in values if value.casefold().startswith(wanted)]
    return [*first, *(value for value in values if wanted in value.casefold() and value not in first)][
        :MOST_VALUES
    ]


def _quoted(value: str) -> str:
    return f'"{value.replace(chr(34), "")}"' if _ODD.search(value) else value
