"""Checks on SQL: that an output is a statement, and touches only the tables and columns allowed."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.patterns import search
from turnwise.engine.suites.checks.sql_texts import fault_of_text, is_no_name, sql_blocks, with_plain_quotes
from turnwise.engine.suites.packages import package
from turnwise.engine.suites.results import CheckResult

_DIALECTS = {
    "mysql": "mysql",
    "mariadb": "mysql",
    "postgresql": "postgres",
    "postgres": "postgres",
    "sqlite": "sqlite",
    "bigquery": "bigquery",
    "snowflake": "snowflake",
    "redshift": "redshift",
    "hive": "hive",
    "athena": "athena",
    "trino": "trino",
    "db2": "",
    "flinksql": "",
    "noql": "",
    "transactsql": "tsql",
}
# fmt: off
_WITH_BACKQUOTES = ("mysql", "bigquery", "hive", "sqlite")
_STATEMENTS = (
    "Query", "Insert", "Update", "Delete", "Merge", "Create", "Drop", "Alter", "TruncateTable", "Use",
    "Set", "Show", "Describe", "Transaction", "Commit", "Rollback", "Grant", "Pragma", "Analyze",
)
# fmt: on
_COMMA_TOO_MANY = re.compile(r", (?:FROM|WHERE|GROUP BY|ORDER BY|HAVING|LIMIT|\)|;|\Z)|,\Z")
_REPLACE = re.compile(r"\A\s*REPLACE\s+INTO\b", re.IGNORECASE)
_CALL = re.compile(r"\A\s*CALL\s+(?=[\w.`]+\s*\()", re.IGNORECASE)
_NOT_IN = {
    "ILike": ("mysql", "mariadb", "sqlite", "bigquery", "transactsql", "hive", "db2", "flinksql", "athena"),
    "Returning": ("mysql", "bigquery", "transactsql", "hive", "db2", "athena"),
    "NullSafeEQ": ("mysql",),
    "Merge": ("mysql",),
    "Pragma": ("mysql",),
    "Fetch": ("mysql",),
    "Limit": ("db2",),
    "GenerateSeries": ("hive", "athena", "db2", "flinksql"),
    "ExplodingGenerateSeries": ("hive", "athena", "db2", "flinksql"),
}
"""Parts of a statement that the parser reads in any dialect, and the databases that do not know them."""


def is_sql(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is SQL in the dialect asked for (MySQL), within the allowed tables and columns."""
    return _judged(check, answer.text, verb="be")


def contains_sql(check: Check, answer: Answer) -> CheckResult:
    """Whether a fenced block of the output is SQL; the whole output where there is none."""
    plain = replace(check, negate=False)
    found = CheckResult(passed=False, score=0.0, reason="")
    for candidate in sql_blocks(answer.text) or [answer.text]:
        if not found.passed and candidate.strip():
            found = _judged(plain, candidate, verb="contain")
    return yes_or_no(check, found.passed, expected="contain SQL") if check.negate else _or_none(found)


def _or_none(found: CheckResult) -> CheckResult:
    return (
        found if found.reason or found.passed else replace(found, reason="Expected the output to contain SQL")
    )


def knows_database(check: Check) -> bool:
    """Whether the database that a check names is one of those known here."""
    name = check.value.get("databaseType") if isinstance(check.value, dict) else None
    return not name or str(name).lower() in _DIALECTS


def _judged(check: Check, text: str, *, verb: str) -> CheckResult:
    if check.value and not isinstance(check.value, (dict, list, tuple)):
        raise SettingError(
            f"{check.type} needs databaseType, allowedTables or allowedColumns",
            next_step="Give it an object.",
        )
    value: dict[str, Any] = check.value if isinstance(check.value, dict) else {}
    name = str(value.get("databaseType") or "MySQL")
    dialect = _DIALECTS.get(name.lower())
    if dialect is None:
        raise SettingError(f"There is no database {name}", next_step=f"Try one of {', '.join(_DIALECTS)}.")
    fault = fault_of_text(text, name)
    statements = [] if fault else _statements(text, dialect, name)
    fault = fault or ("" if statements else f"it is no {name} statement")
    for what, key in (("table", "allowedTables"), ("column", "allowedColumns")):
        allowed = value.get(key)
        if allowed is not None and not isinstance(allowed, (list, tuple)):
            raise SettingError(f"{key} must be a list", next_step="Give a list of patterns.")
        if statements and allowed:
            touched = [place for statement in statements for place in _touched(statement, what)]
            patterns = [pattern for item in allowed for pattern in _ways(str(item), what)]
            strange = [
                place for place in touched if not any(_matches(pattern, place) for pattern in patterns)
            ]
            if strange:
                fault = f"{strange[0]} is not among the {what}s allowed"
    return yes_or_no(check, not fault, expected=f"{verb} SQL{': ' + fault if fault else ''}")


def _ways(pattern: str, what: str) -> list[str]:
    """Return a pattern, and for a column of a table also that of the column without its table."""
    parts = pattern.split("::")
    return [pattern, f"{parts[0]}::null::{parts[2]}"] if what == "column" and len(parts) == 3 else [pattern]


def _matches(pattern: str, place: str) -> bool:
    try:
        return search(f"^(?:{pattern.lower()})$", place.lower())
    except re.error:
        return False


def _statements(text: str, dialect: str, database: str) -> list[Any]:
    sqlglot = package("sqlglot", extra="checks")
    # It logs what it cannot read, and a log nobody handles goes to the terminal.
    logging.getLogger("sqlglot").addHandler(logging.NullHandler())
    kinds = tuple(getattr(sqlglot.exp, name) for name in _STATEMENTS if hasattr(sqlglot.exp, name))
    try:
        # The parser takes these for commands that it does not look into.
        known = text if dialect in _WITH_BACKQUOTES else with_plain_quotes(text)
        known = _REPLACE.sub("INSERT INTO", _CALL.sub("SELECT ", known)) if dialect == "mysql" else known
        found = [item for item in sqlglot.parse(known, dialect=dialect or None) if item is not None]
    except (sqlglot.errors.SqlglotError, RecursionError):
        return []
    # A bare word is an expression to this parser, and no statement.
    whole = all(
        isinstance(item, kinds)
        and not _lacks(item, sqlglot.exp)
        and not _knows_not(item, sqlglot.exp, database.lower())
        and not any(is_no_name(name, database) for name in _names(item, sqlglot.exp))
        for item in found
    )
    return found if whole and not _COMMA_TOO_MANY.search(_bare(sqlglot, text, dialect)) else []


def _knows_not(statement: Any, exp: Any, database: str) -> bool:
    """Say whether a statement has a part that other databases than this one know."""
    parts = [kind for kind, without in _NOT_IN.items() if database in without]
    return any(statement.find(getattr(exp, kind)) is not None for kind in parts if hasattr(exp, kind)) or (
        database == "mysql"
        and (
            any(join.args.get("method") for join in statement.find_all(exp.Join))
            or any(not (item.expressions or item.args.get("query")) for item in statement.find_all(exp.In))
        )
    )


def _names(statement: Any, exp: Any) -> Iterator[str]:
    """Yield the tables and columns that stand bare: without quotation marks, and what they belong to."""
    for item in statement.find_all(exp.Table, exp.Column):
        inner = item.this
        if isinstance(inner, exp.Identifier) and not inner.quoted and not item.args.get("table"):
            yield str(inner.this)


def _lacks(statement: Any, exp: Any) -> bool:
    """Say whether a part lacks that the parser does not miss: what to select, group by or delete from."""
    selects = statement.find_all(exp.Select)
    return (
        any(not select.expressions and not select.args.get("kind") for select in selects)
        or any(not any(group.args.values()) for group in statement.find_all(exp.Group))
        or any(not item.this for item in statement.find_all(exp.Delete))
    )


def _bare(sqlglot: Any, text: str, dialect: str) -> str:
    """Return the words and signs of a text without what stands in quotation marks."""
    tokens = sqlglot.tokenize(text, dialect=dialect or None)
    quoted = (sqlglot.TokenType.STRING, sqlglot.TokenType.IDENTIFIER)
    return " ".join("x" if token.token_type in quoted else token.text.upper() for token in tokens)


def _touched(statement: Any, what: str) -> list[str]:
    """Return the tables (type::database::table) or columns (type::table::column) that a statement touches."""
    exp = package("sqlglot", extra="checks").exp
    tables = list(statement.find_all(exp.Table))
    if what == "table":
        return [f"{_verb(exp, table)}::{table.db or 'null'}::{table.name}" for table in tables]
    names = {table.alias_or_name: table.name for table in tables}
    columns = [
        f"{_verb(exp, column)}::{names.get(column.table, column.table) or 'null'}::{column.name}"
        for column in statement.find_all(exp.Column)
    ]
    stars = [
        f"select::{'null'}::(.*)"
        for star in statement.find_all(exp.Star)
        if not star.find_ancestor(exp.Count)
    ]
    changed = [
        f"insert::{item.this.this.name}::{name.name}"
        for item in statement.find_all(exp.Insert)
        if isinstance(item.this, exp.Schema)
        for name in item.this.expressions
    ]
    changed += [f"delete::{item.this.name}::(.*)" for item in statement.find_all(exp.Delete)]
    return columns + stars + changed


def _verb(exp: Any, node: Any) -> str:
    if isinstance(node, exp.Column) and node.find_ancestor(exp.Where) is not None:
        return "select"
    inner = node.find_ancestor(
        exp.Select, exp.Insert, exp.Update, exp.Delete, exp.Create, exp.Drop, exp.Alter
    )
    return str(inner.key) if inner is not None else "select"
