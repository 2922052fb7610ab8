"""Checks on SQL: that an output is a statement, and touches only the tables and columns allowed."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, failed, yes_or_no
from turnwise.engine.checks.patterns import search
from turnwise.engine.packages import package

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
_LONGEST = 100_000
"""Characters of a statement; the parser takes long for more, which nobody asks of a database."""
_MOST_BLOCKS = 100
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


def is_sql(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is SQL in the dialect asked for (MySQL), within the allowed tables and columns."""
    return _judged(check, answer.text, verb="be")


def contains_sql(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether a fenced block of the output is SQL; the whole output where there is none."""
    plain = replace(check, negate=False)
    found = failed("")
    for candidate in sql_blocks(answer.text)[:_MOST_BLOCKS] or [answer.text]:
        if not found.passed and candidate.strip():
            found = _judged(plain, candidate, verb="contain")
    if check.negate or not (found.passed or found.expected):
        return yes_or_no(check, bool(found.passed), expected="contain SQL")
    return found


def is_sql_of_known_database(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is SQL; of a database that is not known it is none, as with promptfoo."""
    return _no_such_database(check) or is_sql(check, answer, asker)


def contains_sql_of_known_database(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output holds SQL; of a database that is not known it holds none, as with promptfoo."""
    return _no_such_database(check) or contains_sql(check, answer, asker)


def _no_such_database(check: Check) -> Finding | None:
    name = check.value.get("databaseType") if isinstance(check.value, dict) else None
    if not name or str(name).lower() in _DIALECTS:
        return None
    return Finding(passed=check.negate, score=float(check.negate), reason="There is no such database")


def _judged(check: Check, text: str, *, verb: str) -> Finding:
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
    fault = fault_of_text(text, name) if len(text) <= _LONGEST else f"it has over {_LONGEST:,} characters"
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


_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})(.*)", re.DOTALL)
_LINE_END = re.compile(r"\r\n?|\n")
_WITHOUT_WORDS = re.compile(
    r"""'(?:\\.|''|[^'\\])*(?:'|\Z)|"(?:\\.|""|[^"\\])*(?:"|\Z)|`(?:\\.|``|[^`\\])*(?:`|\Z)"""
    r"""|(?P<comment>(?:--|\#)[^\r\n]*|/\*.*?(?:\*/|\Z))|(?P<tag>\$(?:[A-Za-z_]\w*)?\$).*?(?:(?P=tag)|\Z)""",
    re.DOTALL,
)
_BRACKETED = re.compile(r"\[(?:\]\]|[^\]])*(?:\]|\Z)")
_MODIFIERS = {
    False: "(?:all|distinct)",
    True: "(?:all|distinct(?:row)?|high_priority|straight_join"
    "|sql_(?:big_result|buffer_result|cache|calc_found_rows|no_cache|small_result))",
}
_TWO_NAMES = {
    is_mysql: re.compile(
        rf"\bselect\s+(?:{words}\s+)*(?!{words}\b)[a-z_][a-z0-9_]*\s+[a-z_][a-z0-9_]*\s+from\b", re.I | re.A
    )
    for is_mysql, words in _MODIFIERS.items()
}
_LONE_BRACKET = re.compile(r"(?:\A|[\s,(=<>+*/-])\[")
_NOT_MYSQL = re.compile(
    r"\bgenerate_series\s*\(|[\[{]|==|\bon\s+conflict\b|\A\s*table\b|\binterval\s+\?\s*(?![\sa-z])"
    r"|\bselect\s+high_priority\b",
    re.IGNORECASE,
)
_MYSQL = ("mysql", "mariadb")
_WITH_BRACKETS = ("transactsql", "sqlite")
_WITH_LISTS = ("transactsql", "bigquery")
# fmt: off
_NO_NAMES = frozenset(
    (
        "add", "asc", "by", "call", "current_user", "delete", "desc", "end", "exists", "explain",
        "global", "group", "in", "is", "json", "left", "limit", "local", "order", "rename", "right",
        "session", "set", "show", "table", "truncate", "update",
    )
)
_NO_NAMES_IN_MYSQL = frozenset(
    (
        "accessible", "add", "analyze", "asc", "before", "bigint", "blob", "both", "by", "call",
        "cascade", "char", "check", "collate", "condition", "constraint", "continue", "convert",
        "current_user", "cursor", "database", "databases", "dec", "decimal", "declare", "default",
        "delayed", "delete", "desc", "describe", "deterministic", "div", "double", "each", "elseif",
        "enclosed", "escaped", "exists", "exit", "explain", "float", "foreign", "fulltext", "function",
        "generated", "get", "group", "grouping", "groups", "in", "infile", "inout", "int", "integer",
        "interval", "is", "iterate", "keys", "kill", "lag", "lead", "leading", "leave", "left", "limit",
        "lines", "load", "localtime", "lock", "long", "loop", "low_priority", "match", "natural", "of",
        "optimize", "option", "optionally", "order", "out", "outfile", "over", "partition", "precision",
        "primary", "procedure", "purge", "range", "rank", "read", "reads", "real", "recursive",
        "references", "release", "rename", "repeat", "replace", "require", "restrict", "return",
        "right", "row", "row_number", "rows", "schema", "schemas", "sensitive", "set", "show", "signal",
        "smallint", "spatial", "specific", "sql", "ssl", "starting", "stored", "table", "terminated",
        "tinyint", "to", "trailing", "trigger", "unique", "unlock", "unsigned", "update", "usage",
        "use", "utc_date", "varchar", "varying", "virtual", "while", "window", "write", "zerofill",
    )
)
# fmt: on


def sql_blocks(text: str) -> list[str]:
    """Return the fenced blocks of a text that are marked as SQL, or not marked at all."""
    return list(_blocks(text))


def _blocks(text: str) -> Iterator[str]:
    fence, is_sql = "", False
    lines: list[str] = []
    for line in _LINE_END.split(text):
        found = _FENCE.match(line)
        if not fence:
            if found:
                fence, is_sql, lines = found[1], found[2].strip().lower() in ("", "sql"), []
        elif found and found[1].startswith(fence) and not found[2].strip():
            if is_sql:
                yield "\n".join(lines).strip()
            fence = ""
        else:
            lines.append(line)


def fault_of_text(text: str, database: str) -> str:
    """Return what a text shows that no statement in that database has; empty where nothing is wrong."""
    kind = database.lower()
    bare = _with_marks_blanked(text, with_brackets=kind in _WITH_BRACKETS)
    if text.count("`") % 2:
        return "a quotation mark ` is open"
    if _TWO_NAMES[kind in _MYSQL].search(bare):
        return "a comma or AS lacks between two names"
    if kind in _MYSQL and _NOT_MYSQL.search(bare):
        return "it has what only other databases know"
    if kind not in _WITH_LISTS and _LONE_BRACKET.search(_with_marks_blanked(text, with_brackets=False)):
        return "a name stands in brackets"
    return ""


def with_plain_quotes(text: str) -> str:
    """Return a text with double quotation marks for the names that stand in backquotes."""
    return _WITHOUT_WORDS.sub(lambda found: f'"{found[0][1:-1]}"' if found[0][0] == "`" else found[0], text)


def is_no_name(word: str, database: str) -> bool:
    """Whether a word may not be the bare name of a table or column there."""
    return word.lower() in (_NO_NAMES_IN_MYSQL if database.lower() == "mysql" else _NO_NAMES)


def _with_marks_blanked(text: str, *, with_brackets: bool) -> str:
    """Return a text with a question mark for everything in quotation marks, and without comments."""
    bare = _WITHOUT_WORDS.sub(lambda found: " " if found["comment"] else " ? ", text.strip())
    return _BRACKETED.sub(" ? ", bare) if with_brackets else bare
