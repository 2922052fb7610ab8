"""Filter fields: what stands before a colon in the filter language, such as `role:airline` or `turns>20`.

`FILTER_FIELDS` is the one list. Queries are read by it, what is typed is completed by it, and the help of the
app and of `turnwise sessions` is made from it.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.conversations.errors import SettingError
from turnwise.conversations.marks import AT_FAULT
from turnwise.conversations.store.facts.flat import META, SCENARIO
from turnwise.conversations.store.facts.moments import WRITTEN, Stretch, moment_of
from turnwise.conversations.store.facts.search import (
    MODEL_KEYS,
    SOURCE_ID,
    SOURCE_KEYS,
    compared_sql,
    equal_sql,
    metadata_keys,
    models_of,
    sessions_saying,
    values_of,
)
from turnwise.conversations.store.keeping.standing_labels import IS_DISPUTED, NEWEST_LABELS
from turnwise.conversations.store.modes.standing import NO_MODE, STANDING, mode_groups
from turnwise.conversations.store.searching.said_words import SAID, SCOPES, scope_sql
from turnwise.conversations.words import did_you_mean

LARGEST_ID = 2**63 - 1
"""No session has a larger number, and SQLite takes none."""
LONGEST_PATTERN = 10_000
"""Characters: SQLite refuses patterns of more than 50,000 bytes."""
MOST_VALUES = 200
"""How many values of a field are offered at most."""
_FEW_WORDS = 6
"""Up to how many known words are named as the next step where another word was given."""
_PLAIN_KEY = re.compile(r"[^\s\"<>=:]+")
_WILD = re.compile(r"[%_!]")
"""The characters that mean something else to LIKE than themselves."""
_LABELS = ("pass", "fail", "deferred", "none", "disputed")


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL over `sessions s`, with the values for its question marks."""

    sql: str
    values: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Nameable:
    """What of a database a query can name.

    metrics: the names of metrics that have scores. modes: the numbers of the failure modes that count as one,
    by its name.
    """

    metrics: Sequence[str] = ()
    modes: Mapping[str, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FilterField:
    """One field of the filter language.

    name: what is typed. written: the field with its value, as the help writes it. condition: makes SQL of the
    text after the colon, and raises SettingError where that means nothing. compared: the same of a sign and a
    number, for a field that is compared instead. keyed: the same of a key, a sign (: = < <= > >=) and a text,
    for a field that a key follows after a full stop. words: its values, where they are always the same.
    values: reads the values that a database has, the most frequent first. keys: reads the keys that it has,
    each with its values. takes_signs: whether < and > may stand in the value. is_hinted: whether a value that
    no session has is told. is_whole: whether a value must be written whole.
    """

    name: str
    written: str
    condition: Callable[[str, Nameable], Condition] | None = None
    compared: Callable[[str, float], Condition] | None = None
    keyed: Callable[[str, str, str], Condition] | None = None
    words: tuple[str, ...] = ()
    values: Callable[[sqlite3.Connection], Iterable[str]] | None = None
    keys: Callable[[sqlite3.Connection], Iterable[tuple[str, Iterable[str]]]] | None = None
    takes_signs: bool = False
    is_hinted: bool = False
    is_whole: bool = False


def field_named(name: str) -> FilterField | None:
    """Return the field of a name; None where there is none."""
    return FILTER_FIELDS.get(name)


def keyed_field(name: str) -> tuple[FilterField, str] | None:
    """Return the field and the key of a name such as `meta.language`; None where it is none."""
    before, _, key = name.partition(".")
    named = field_named(before.lower())
    return (named, key.strip()) if named is not None and named.keyed is not None and key.strip() else None


def written_key(name: str, key: str) -> str:
    """Return a field's name and a key as a query takes them: `meta.language`, `meta."customer tier"`."""
    if _PLAIN_KEY.fullmatch(key):
        return f"{name}.{key}"
    return f'{name}."{key.replace(chr(34), "")}"'


def written_term(field: str, text: str) -> str:
    """Return a field and a text as a query takes them."""
    # The language has no way to write a double quote; a role is found by any part, so its longest one serves.
    if '"' in text:
        text = max(text.split('"'), key=len)
    return f'{field}:"{text}"' if not text or set(text) & set(" \t:<>=") else f"{field}:{text}"


def fields_help(width: int) -> list[str]:
    """Return all fields with their values, as lines of at most `width` characters."""
    told = "  ".join(one.written for one in FILTER_FIELDS.values())
    import textwrap  # the help alone needs it

    return textwrap.wrap(told, width, break_long_words=False, break_on_hyphens=False)


def holds(column: str, text: str) -> Condition:
    """Return the condition that a column of `sessions s` holds a text, whatever its case."""
    # Python's folding knows all letters; SQLite's is ten times as fast, and enough for A to Z.
    if not text.isascii():
        return Condition(f"instr(fold({column}), ?) > 0", (text.casefold(),))
    if len(text) > LONGEST_PATTERN:
        return Condition(f"instr(lower({column}), ?) > 0", (text.lower(),))
    # Makes no copy of every name, as lower() does.
    pattern = _WILD.sub(r"!\g<0>", text)
    return Condition(f"{column} LIKE ? ESCAPE '!'", (f"%{pattern}%",))


def unknown_word(place: str, given: str, known: Sequence[str]) -> SettingError:
    """Return the error of a word that a place of a query does not know, with the nearest that it knows."""
    others = f"It knows {', '.join(known)}." if len(known) <= _FEW_WORDS else ""
    return SettingError(
        f"{place} does not know {given}" if given else f"{place}: takes a word",
        detail=f"Known: {', '.join(known)}",
        next_step=did_you_mean(given, known) or others or 'To search for text, put it in "quotes".',
    )


def _counted(column: str, table: str = "sessions") -> Callable[[sqlite3.Connection], Iterable[str]]:
    """Return what reads the values of a column, the most frequent first."""
    sql = f"SELECT {column} FROM {table} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {MOST_VALUES}"  # noqa: S608
    return lambda connection: (str(row[0] or "") for row in connection.execute(sql))


def _holding(column: str) -> Callable[[str, Nameable], Condition]:
    return lambda text, known: holds(column, text)


def _said_in(scope: str) -> Callable[[str, Nameable], Condition]:
    """Return what searches the turns of a scope for words."""

    def condition(text: str, known: Nameable) -> Condition:
        if not text.strip():
            raise SettingError(f"{scope}: takes words", next_step=f"For example: {scope}:refund")
        return Condition(*scope_sql(scope, text))

    return condition


def _tag(text: str, known: Nameable) -> Condition:
    return Condition("s.id IN (SELECT session_id FROM session_tags WHERE tag = ?)", (text,))


def _number(name: str, text: str) -> int:
    if not text.isdecimal():
        raise SettingError(
            f"{name}: takes a number",
            detail=f"Given: {name}:{text}",
            next_step=f"For example: {name}:12",
        )
    return min(int(text), LARGEST_ID)


def _id(text: str, known: Nameable) -> Condition:
    ids = [_number("id", one) for one in text.split(",")]
    if len(ids) == 1:
        return Condition("s.id = ?", (ids[0],))
    return Condition("s.id IN (SELECT value FROM json_each(?))", (json.dumps(ids),))


def _run(text: str, known: Nameable) -> Condition:
    return Condition(
        "s.id IN (SELECT c.session_id FROM run_scores r JOIN scores c ON c.id = r.score_id "
        "WHERE r.run_id = ?)",
        (_number("run", text),),
    )


def _runs(connection: sqlite3.Connection) -> Iterable[str]:
    newest_first = connection.execute("SELECT id FROM runs ORDER BY id DESC LIMIT ?", [MOST_VALUES])
    return (str(row[0]) for row in newest_first)


_BREAKS = """s.id IN (SELECT c.session_id FROM verdicts v JOIN scores c ON c.id = v.score_id
    WHERE v.turn = ? AND v.passed = 0 AND c.passed = 0 AND NOT EXISTS (SELECT 1 FROM scores n
        WHERE n.session_id = c.session_id AND n.metric = c.metric AND {newest} > {own}))"""
_AGE = "coalesce({0}.exchange, 0) * 1099511627776 + {0}.id"


def _breaks(text: str, known: Nameable) -> Condition:
    sql = _BREAKS.format(newest=_AGE.format("n"), own=_AGE.format("c"))
    return Condition(sql, (_number("breaks", text),))


def _label(text: str, known: Nameable) -> Condition:
    word = {"deferred": "defer", "defer": "defer"}.get(text, text)
    if word != "defer" and text not in _LABELS:
        raise unknown_word("label", text, _LABELS)
    if word == "disputed":
        return Condition(IS_DISPUTED)
    if word == "none":
        return Condition(f"s.id NOT IN (SELECT session_id FROM {NEWEST_LABELS})")  # noqa: S608
    # As lists show them: a session that people see differently has none of their words.
    newest = f"s.id IN (SELECT session_id FROM {NEWEST_LABELS} WHERE label = ?)"  # noqa: S608
    return Condition(f"{newest} AND NOT {IS_DISPUTED}", (word,))


def _fault(text: str, known: Nameable) -> Condition:
    if text not in AT_FAULT:
        raise unknown_word("fault", text, AT_FAULT)
    return Condition(f"s.id IN (SELECT session_id FROM {NEWEST_LABELS} WHERE at_fault = ?)", (text,))  # noqa: S608


def _mode(name: str, known: Nameable) -> Condition:
    wanted, modes = name.strip().lower(), known.modes
    found = [mode for mode in modes if mode.lower() == wanted]
    found = found or [mode for mode in modes if wanted and wanted in mode.lower()]
    if wanted == NO_MODE:
        found = list(modes)
    elif len(found) > 1:
        raise SettingError(
            f"mode:{name} could be {' or '.join(sorted(found))}", next_step="Write more of it."
        )
    elif not found:
        raise unknown_word("mode", name, [*modes, NO_MODE])
    numbers = [number for mode in found for number in modes[mode]]
    places = ", ".join("?" * len(numbers))
    has = f"s.id IN (SELECT a.session_id FROM {STANDING} a WHERE a.mode_id IN ({places}))"  # noqa: S608
    return Condition(f"NOT ({has})" if wanted == NO_MODE else has, tuple(numbers))


def _modes(connection: sqlite3.Connection) -> Iterable[str]:
    names = list(mode_groups(connection))
    return [*names, NO_MODE] if names else []


def _turns(sign: str, number: float) -> Condition:
    if number < 0 or (number == 0 and sign in (">=", "<")):
        # No session has fewer than none.
        return Condition("1" if sign.startswith(">") else "0")
    if sign == "=":
        spoken = "(SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id)"
        return Condition(f"{spoken} = ?", (number,))
    # A session with a turn of a larger number has more turns.
    over = "s.id IN (SELECT t.session_id FROM turns t WHERE t.number {} ?)"
    not_over = {"<": ">=", "<=": ">"}
    wanted = f"NOT ({over.format(not_over[sign])})" if sign in not_over else over.format(sign)
    return Condition(wanted, (number,))


def _meta(key: str, sign: str, text: str) -> Condition:
    written = written_key("meta", key)
    if not text:
        raise SettingError(
            f"{written} takes a value", next_step=f"For example: {written}:en; {written}:* for any."
        )
    found = equal_sql(text) if sign in (":", "=") else compared_sql(sign, text)
    if found is None:
        raise SettingError(
            f"{written} is compared with a number or a date",
            detail=f"Given: {written}{sign}{text}",
            next_step=f"For example: {written}{sign}0.5 or {written}{sign}2026-03-01",
        )
    which, values = found
    keys = SOURCE_KEYS if key == SOURCE_ID else (key,)
    return Condition(sessions_saying(len(keys), which), (*(META + one for one in keys), *values))


def _meta_alone(text: str, known: Nameable) -> Condition:
    raise SettingError(
        "meta takes a key of the metadata",
        detail=f"Given: meta:{text}",
        next_step=f"For example: meta.language:{text or 'en'}",
    )


def _meta_keys(connection: sqlite3.Connection) -> Iterable[tuple[str, Iterable[str]]]:
    return (
        (key, values_of(connection, META + key, MOST_VALUES))
        for key in metadata_keys(connection, MOST_VALUES)
    )


def _model(text: str, known: Nameable) -> Condition:
    told = holds("f.value", text)
    ran = holds("json_extract(r.parameters, '$.model')", text)
    keys = tuple(META + key for key in MODEL_KEYS)
    # Of the runs that remember a model as a hyperparameter; nearly always there are none.
    runs = f"SELECT r.id FROM runs r WHERE r.parameters <> '{{}}' AND {ran.sql}"  # noqa: S608
    judged = (
        "s.id IN (SELECT c.session_id FROM run_scores m JOIN scores c ON c.id = m.score_id "  # noqa: S608
        f"WHERE m.run_id IN ({runs}))"
    )
    return Condition(
        f"{sessions_saying(len(keys), told.sql)} OR {judged}", (*keys, *told.values, *ran.values)
    )


def _scenario(text: str, known: Nameable) -> Condition:
    told = holds("f.value", text)
    return Condition(sessions_saying(1, told.sql), (SCENARIO, *told.values))


def _span(name: str, text: str) -> Stretch:
    if (span := moment_of(text, time.time())) is None:
        raise SettingError(
            f"{name}: takes a date" if not text else f"{name} does not know {text}",
            detail=f"Given: {name}:{text}",
            next_step=f"Write {WRITTEN}.",
        )
    return span


def _since(text: str, known: Nameable) -> Condition:
    return Condition("s.created_at >= ?", (_span("since", text).start,))


def _until(text: str, known: Nameable) -> Condition:
    return Condition("s.created_at < ?", (_span("until", text).end,))


_MOMENTS = ("today", "yesterday", "24h", "7d", "30d")
FILTER_FIELDS: dict[str, FilterField] = {
    field.name: field
    for field in (
        FilterField(
            "role",
            "role:TEXT",
            _holding("s.chatbot_role"),
            values=_counted("chatbot_role"),
            is_hinted=True,
        ),
        FilterField("name", "name:TEXT", _holding("s.name")),
        FilterField("source", "source:TEXT", _holding("s.source"), values=_counted("source"), is_hinted=True),
        FilterField(
            "tag",
            "tag:TEXT",
            _tag,
            values=_counted("tag", "session_tags"),
            is_hinted=True,
            is_whole=True,
        ),
        FilterField("id", "id:N,N", _id),
        FilterField("run", "run:N", _run, values=_runs),
        FilterField("label", f"label:{'|'.join(_LABELS)}", _label, words=_LABELS),
        FilterField("fault", f"fault:{'|'.join(AT_FAULT)}", _fault, words=AT_FAULT),
        FilterField("mode", "mode:NAME|none", _mode, values=_modes, takes_signs=True),
        FilterField("turns", "turns>N", compared=_turns),
        FilterField("breaks", "breaks:TURN", _breaks),
        FilterField("meta", "meta.KEY:VALUE", _meta_alone, keyed=_meta, keys=_meta_keys),
        FilterField(
            "model",
            "model:TEXT",
            _model,
            values=lambda connection: models_of(connection, MOST_VALUES),
            is_hinted=True,
        ),
        FilterField(
            "scenario",
            "scenario:TEXT",
            _scenario,
            values=lambda connection: values_of(connection, SCENARIO, MOST_VALUES),
        ),
        *(
            FilterField(scope, f"{scope}:TEXT", _said_in(scope), takes_signs=True)
            for scope in SCOPES
            if scope != SAID
        ),
        FilterField("since", "since:DATE|7d", _since, words=_MOMENTS),
        FilterField("until", "until:DATE|7d", _until, words=_MOMENTS),
    )
}
"""All fields by their names, in the order in which they are named and completed."""
