"""Said words: where a search looks, as SQL: at what was said by user and chatbot, unless a scope says else.

A system prompt names all that its chatbot can do: a search which looked there would find every session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SAID = "said"
"""The scope of a search that names none."""
SCOPES: Mapping[str, tuple[str, ...]] = {
    SAID: ("user", "assistant"),
    "user": ("user",),
    "bot": ("assistant",),
    "system": ("system", "developer"),
    "tool": ("tool",),
}
"""The roles of the turns that each scope looks at."""
# The index has all that is asked of a turn: to read the turns themselves takes ten times as long.
_FOUND_TURNS = (
    "(SELECT t.session_id{what} FROM turns_fts f CROSS JOIN turns t INDEXED BY turns_to_sessions "
    "ON t.id = f.rowid WHERE turns_fts MATCH ? AND t.role IN ({roles}){tail})"
)
_IN_CALLS = (
    "(SELECT t.session_id FROM turns t WHERE instr(t.data, '\"tools_called\"') > 0 AND EXISTS "
    "(SELECT 1 FROM json_tree(t.data, '$.tools_called') j WHERE j.atom LIKE ? ESCAPE '!'))"
)
_LONGEST_IN_CALLS = 1_000
"""Characters of a text that is looked for in calls: SQLite takes no pattern that is much longer."""


def found_sessions(scope: str = SAID) -> str:
    """Return SQL for the sessions of the turns that match a full-text query."""
    return _FOUND_TURNS.format(what="", roles=_roles([scope]), tail="")


def ranked_sessions(scopes: Sequence[str]) -> str:
    """Return the same with how well the best of their turns matches; less is better."""
    return _FOUND_TURNS.format(
        what=", min(f.rank) AS rank", roles=_roles(scopes), tail=" GROUP BY t.session_id"
    )


def scope_sql(scope: str, text: str) -> tuple[str, tuple[object, ...]]:
    """Return SQL that is true for a session (s) where a text stands in turns of a scope, and its values.

    Of tools also their calls are looked at: their names, what went in and what came out.
    """
    sql, values = f"s.id IN {found_sessions(scope)}", (full_text_of([text]),)
    if scope != "tool":
        return sql, values
    pattern = text[:_LONGEST_IN_CALLS]
    for sign in "!%_":
        pattern = pattern.replace(sign, f"!{sign}")
    return f"{sql} OR s.id IN {_IN_CALLS}", (*values, f"%{pattern}%")


def full_text_of(words: Sequence[str]) -> str:
    """Return words as a query of SQLite's full-text search: any of them may occur, as the beginning of a
    word.

    A single letter from A to Z is a word by itself: half of all words begin with it, and the first key of
    a search would take the longest.
    """
    return " OR ".join(f'"{word}"' + ("" if len(word) == 1 and word.isascii() else "*") for word in words)


def _roles(scopes: Sequence[str]) -> str:
    return ", ".join(f"'{role}'" for scope in dict.fromkeys(scopes) for role in SCOPES[scope])
