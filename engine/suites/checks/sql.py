"""Checks on SQL: that an output is a statement, and touches only the tables and columns allowed."""

from __future__ import annotations

import logging
import re
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.patterns import search
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
_STATEMENTS = (
    "Query", "Insert", "Update", "Delete", "Merge", "Create", "Drop", "Alter", "TruncateTable", "Use",
    "Set", "Show", "Describe", "Transaction", "Commit", "Rollback", "Grant", "Pragma", "Analyze",
)
# fmt: on
_COMMA_TOO_MANY = re.compile(r", (?:FROM|WHERE|GROUP BY|ORDER BY|HAVING|LIMIT|\)|;|\Z)|,\Z")
_FENCE = re.compile(r"```(?:sql)?[ \t]*\n?(.*?)```", re.DOTALL)


def is_sql(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is SQL in the dialect asked for (MySQL), within the allowed tables and columns."""
    return _judged(check, answer.text, verb="be")


def contains_sql(check: Check, answer: Answer) -> CheckResult:
    """Whether the first fenced block of the output is SQL; the whole output where there is none."""
    fenced = _FENCE.search(answer.text)
    return _judged(check, fenced[1].strip() if fenced else answer.text, verb="contain")


def _judged(check: Check, text: str, *, verb: str) -> CheckResult:
    if check.value and not isinstance(check.value, dict):
        raise SettingError(
            f"{check.type} needs databaseType, allowedTables or allowedColumns",
            next_step="Give it an object.",
        )
    value: dict[str, Any] = check.value or {}
    name = str(value.get("databaseType") or "MySQL")
    dialect = _DIALECTS.get(name.lower())
    if dialect is None:
        raise SettingError(f"There is no database {name}", next_step=f"Try one of {', '.join(_DIALECTS)}.")
    statements = _statements(text, dialect)
    fault = "" if statements else f"it is no {name} statement"
    for what, key in (("table", "allowedTables"), ("column", "allowedColumns")):
        allowed = value.get(key)
        if allowed is not None and not isinstance(allowed, (list, tuple)):
            raise SettingError(f"{key} must be a list", next_step="Give a list of patterns.")
        if statements and allowed is not None:
            touched = [place for statement in statements for place in _touched(statement, what)]
            strange = [
                place for place in touched if not any(_matches(str(pattern), place) for pattern in allowed)
            ]
            if strange:
                fault = f"{strange[0]} is not among the {what}s allowed"
    return yes_or_no(check, not fault, expected=f"{verb} SQL{': ' + fault if fault else ''}")


def _matches(pattern: str, place: str) -> bool:
    try:
        return search(f"^(?:{pattern.lower()})$", place.lower())
    except re.error:
        return False


def _statements(text: str, dialect: str) -> list[Any]:
    sqlglot = package("sqlglot", extra="checks")
    # It logs what it cannot read, and a log nobody handles goes to the terminal.
    logging.getLogger("sqlglot").addHandler(logging.NullHandler())
    kinds = tuple(getattr(sqlglot.exp, name) for name in _STATEMENTS if hasattr(sqlglot.exp, name))
    try:
        found = [item for item in sqlglot.parse(text, dialect=dialect or None) if item is not None]
    except (sqlglot.errors.SqlglotError, RecursionError):
        return []
    # A bare word is an expression to this parser, and no statement.
    whole = all(isinstance(item, kinds) and not _lacks(item, sqlglot.exp, dialect) for item in found)
    return found if whole and not _COMMA_TOO_MANY.search(_bare(sqlglot, text, dialect)) else []


def _lacks(statement: Any, exp: Any, dialect: str) -> bool:
    """Say whether a part lacks that the parser does not miss: what to select, group by or delete from."""
    selects = () if dialect == "postgres" else statement.find_all(exp.Select)
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
    own_names = {item.alias_or_name.lower() for item in statement.find_all(exp.CTE)}
    tables = [table for table in statement.find_all(exp.Table) if table.name.lower() not in own_names]
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
    return columns + stars


def _verb(exp: Any, node: Any) -> str:
    inner = node.find_ancestor(
        exp.Select, exp.Insert, exp.Update, exp.Delete, exp.Create, exp.Drop, exp.Alter
    )
    return str(inner.key) if inner is not None else "select"
