"""What a text of SQL shows before it is parsed: fenced blocks, commas that lack, words that are no names."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    bare = _bare(text, with_brackets=kind in _WITH_BRACKETS)
    if text.count("`") % 2:
        return "a quotation mark ` is open"
    if _TWO_NAMES[kind in _MYSQL].search(bare):
        return "a comma or AS lacks between two names"
    if kind in _MYSQL and _NOT_MYSQL.search(bare):
        return "it has what only other databases know"
    if kind not in _WITH_LISTS and _LONE_BRACKET.search(_bare(text, with_brackets=False)):
        return "a name stands in brackets"
    return ""


def with_plain_quotes(text: str) -> str:
    """Return a text with double quotation marks for the names that stand in backquotes."""
    return _WITHOUT_WORDS.sub(lambda found: f'"{found[0][1:-1]}"' if found[0][0] == "`" else found[0], text)


def is_no_name(word: str, database: str) -> bool:
    """Whether a word may not be the bare name of a table or column there."""
    return word.lower() in (_NO_NAMES_IN_MYSQL if database.lower() == "mysql" else _NO_NAMES)


def _bare(text: str, *, with_brackets: bool) -> str:
    """Return a text with a question mark for everything in quotation marks, and without comments."""
    bare = _WITHOUT_WORDS.sub(lambda found: " " if found["comment"] else " ? ", text.strip())
    return _BRACKETED.sub(" ? ", bare) if with_brackets else bare
