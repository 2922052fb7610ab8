"""Groups of sessions: by role, tag, source, model, scenario or a key of their metadata."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store.facts.flat import META, SCENARIO, number_of
from turnwise.conversations.store.facts.search import MODEL_KEYS, metadata_keys, values_of
from turnwise.conversations.words import did_you_mean

FEWEST_GROUPS, MOST_GROUPS = 2, 24
"""So many values a key of the metadata has where it is offered to group by."""
SESSIONS_OF_A_NUMBER = 2
"""So many sessions share a number on the average where it names a group, such as a version or an attempt."""
MOST_WHOLE_NUMBERS, MOST_FRACTIONS = 12, 6
"""So many numbers name groups at the most, such as months or temperatures; more were measured or counted."""
MOST_OFFERED = 12
_KEYS_LOOKED_AT = 60
_COLUMNS: Mapping[str, str] = {
    "role": "SELECT id AS session_id, chatbot_role AS part FROM sessions",
    "tag": "SELECT session_id, tag AS part FROM session_tags",
    "source": "SELECT id AS session_id, source AS part FROM sessions",
}
_SEVERAL: Mapping[str, str] = {
    # Ends with the first that differs, as roles have no index.
    "role": "SELECT EXISTS (SELECT 1 FROM sessions "
    "WHERE chatbot_role <> (SELECT chatbot_role FROM sessions LIMIT 1))",
    "tag": "SELECT (SELECT min(tag) FROM session_tags) < (SELECT max(tag) FROM session_tags)",
}
"""Whether there is more than one group."""
_FACTS: Mapping[str, tuple[str, ...]] = {
    "model": tuple(META + key for key in MODEL_KEYS),
    "scenario": (SCENARIO,),
}


@dataclass(frozen=True, slots=True)
class Grouping:
    """By what sessions are grouped.

    by: as it is typed. sql: selects pairs of session_id and part, with its values. A session may be in
    several groups; in the part "" are those that say nothing of it, but for tags.
    """

    by: str
    sql: str
    values: tuple[object, ...] = ()


def grouping(by: str) -> Grouping:
    """Read by what sessions are to be grouped. Raises SettingError for what means nothing."""
    name = by.strip().replace('"', "")
    if name in _COLUMNS:
        return Grouping(name, _COLUMNS[name])
    keys = fact_keys(name)
    if not keys:
        known = [*_COLUMNS, *_FACTS]
        raise SettingError(
            f"Sessions are not grouped by {by or 'nothing'}",
            detail=f"Known: {', '.join(known)}, meta.KEY",
            next_step=did_you_mean(name, known) or "For example: meta.language",
        )
    places = ", ".join("?" * len(keys))
    told = (
        "SELECT m.session_id, f.value AS part FROM facts f JOIN session_facts m ON m.fact_id = f.id "  # noqa: S608
        f"WHERE f.key IN ({places})"
    )
    return Grouping(
        name,
        "SELECT s.id AS session_id, coalesce(t.part, '') AS part FROM sessions s "  # noqa: S608
        f"LEFT JOIN ({told}) t ON t.session_id = s.id",
        keys,
    )


def fact_keys(name: str) -> tuple[str, ...]:
    """Return the keys of the facts that a name stands for: model, scenario or meta.KEY; else none."""
    if name in _FACTS:
        return _FACTS[name]
    return (name,) if name.lower().startswith(META) and len(name) > len(META) else ()


def pairs(connection: sqlite3.Connection, by: str) -> Iterator[tuple[int, str]]:
    """Return all sessions, once with each group that they are in. Raises SettingError."""
    found = grouping(by)
    return map(tuple, connection.execute(found.sql, found.values))


def groupings_offered(connection: sqlite3.Connection) -> list[str]:
    """Return by what it makes sense to group sessions: there are two groups at least, and not too many.

    What each session has of its own parts nothing, nor do numbers that few share, such as seconds or a cost.

    How many roles and tags there are at the most is nobody's to say: people give them themselves.
    """
    told = [name for name, found in _SEVERAL.items() if connection.execute(found).fetchone()[0]]
    told += [name for name, keys in _FACTS.items() if _has_groups(connection, keys)]
    keys = [META + key for key in metadata_keys(connection, _KEYS_LOOKED_AT) if key not in MODEL_KEYS]
    return [*told, *(key for key in keys if _has_groups(connection, (key,)))][:MOST_OFFERED]


def _has_groups(connection: sqlite3.Connection, keys: tuple[str, ...]) -> bool:
    values = {value.lower() for key in keys for value in values_of(connection, key, MOST_GROUPS + 1)}
    if not FEWEST_GROUPS <= len(values) <= MOST_GROUPS:
        return False
    if len(values) == FEWEST_GROUPS:
        # Two are compared side by side, also where each is one session.
        return True
    numbers = [number for value in values if (number := number_of(value)) is not None]
    are_numbers = len(numbers) == len(values)
    if are_numbers and len(numbers) > (
        MOST_WHOLE_NUMBERS if all(number.is_integer() for number in numbers) else MOST_FRACTIONS
    ):
        return False
    needed = SESSIONS_OF_A_NUMBER * len(values) if are_numbers else len(values) + 1
    places = ", ".join("?" * len(keys))
    said = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM facts f JOIN session_facts m ON m.fact_id = f.id "  # noqa: S608
        f"WHERE f.key IN ({places}) LIMIT ?)",
        [*keys, needed],
    ).fetchone()[0]
    return bool(said == needed)
