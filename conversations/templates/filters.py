"""The filters that templates may use: those of nunjucks, and promptfoo's `load`."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from jinja2 import Undefined

from turnwise.conversations.templates import javascript_values as js
from turnwise.conversations.templates.budget import check_length, made, spend_reading, spend_values
from turnwise.conversations.texts import SPACES, trimmed

_WIDEST = 10_000
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TAG_START = re.compile(r"<!--|</?[a-z][a-z0-9]*\b", re.IGNORECASE)
_ESCAPES = str.maketrans({"&": "&amp;", '"': "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;", "`": "&#96;"})


def _text(value: Any) -> str:
    return js.output_of(value)


def _only_text(value: Any) -> str:
    """Return a text, and an empty one for null, undefined and false. Raises TypeError for anything else."""
    if value is None or value is False or isinstance(value, Undefined):
        return ""
    if not isinstance(value, str):
        raise TypeError(f"expected a text; got {js.string_of(value)[:40]}")
    return value


def _default(value: Any, other: Any = "", falsy_too: Any = False) -> Any:
    if js.is_true(falsy_too):
        return value if js.is_true(value) else other
    return other if isinstance(value, Undefined) else value


def _length(value: Any) -> Any:
    if value is None or value is False or isinstance(value, Undefined):
        return 0
    return len(value) if isinstance(value, str | list | tuple | dict) else Undefined()


def _load(value: Any) -> Any:
    text = js.string_of(value)
    # No fewer values stand in it.
    spend_values(text.count(",") + text.count("[") + text.count("{"))
    return json.loads(text)


def _dump(value: Any, indent: Any = None) -> Any:
    if isinstance(value, Undefined):
        return value
    if isinstance(indent, int | float):
        return js.json_text(value, int(js.number_of(indent)))
    return js.json_text(value, indent if isinstance(indent, str) else None)


def _list_of(value: Any) -> list[Any]:
    spend_values(len(value) if isinstance(value, str | list | tuple | dict) else 0)
    if isinstance(value, dict):
        return [{"key": key, "value": item} for key, item in value.items()]
    return list(value) if isinstance(value, str | list | tuple) else []


def _only_list(value: Any) -> list[Any]:
    """Return a list; nothing is none to these filters."""
    if value is None or isinstance(value, Undefined):
        raise TypeError("expected a list; got nothing")
    return _list_of(value)


def _attribute(value: Any, path: Any) -> Any:
    for name in js.string_of(path).split("."):
        try:
            value = js.member(value, name)
        except KeyError:
            return Undefined()
    return value


def _join(value: Any, mark: Any = "", attribute: Any = None) -> str:
    items = _only_list(value)
    if attribute:
        items = [_attribute(item, attribute) for item in items]
    return js.list_text(items, js.string_of(mark))


def _replace(value: Any, old: Any, new: Any, most: Any = -1) -> Any:
    if not isinstance(value, str | int | float):
        return value
    return js.replaced(js.string_of(value), old, new, int(js.number_of(most)) if most is not None else -1)


def _round(value: Any, digits: Any = 0, method: Any = "common") -> float:
    factor = 10.0 ** min(max(int(js.number_of(digits)), -300), 300)
    number = js.number_of(value) * factor
    if not math.isfinite(number):
        return number
    rounded = {"ceil": math.ceil, "floor": math.floor}.get(method, lambda it: math.floor(it + 0.5))(number)
    return rounded / factor


def _number_or(value: Any, other: Any, pattern: str, kind: Callable[[str], Any]) -> Any:
    found = re.match(pattern, js.string_of(value).strip())
    return kind(found[0]) if found and len(found[0]) < 400 else other


def _integer(value: Any, other: Any = None, base: Any = 10) -> Any:
    radix = int(js.number_of(base))
    if not 2 <= radix <= 36:
        return other
    digits = _DIGITS[:radix] + _DIGITS[10:radix].upper()
    return _number_or(value, other, f"[-+]?[{digits}]+", lambda text: int(text, radix))


def _float(value: Any, other: Any = None) -> Any:
    return _number_or(value, other, r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", float)


def _sort_key(value: Any) -> tuple[int, Any]:
    is_number = isinstance(value, int | float)
    return (0, value) if is_number else (1, js.string_of(value))


def _sort(value: Any, reverse: Any = False, keep_case: Any = False, attribute: Any = None) -> list[Any]:
    def key(item: Any) -> tuple[int, Any]:
        it = _attribute(item, attribute) if attribute else item
        return _sort_key(made(it.lower()) if isinstance(it, str) and not js.is_true(keep_case) else it)

    return sorted(_list_of(value), key=key, reverse=js.is_true(reverse))


def _dictsort(value: Any, keep_case: Any = False, by: Any = "key") -> list[list[Any]]:
    pairs = [[key, item] for key, item in value.items()] if isinstance(value, dict) else []
    spend_values(len(pairs))
    at = 1 if by == "value" else 0
    return sorted(
        pairs, key=lambda pair: _sort_key(made(pair[at].lower()) if isinstance(pair[at], str) else pair[at])
    )


def _grouped(value: Any, attribute: Any) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for item in _list_of(value):
        groups.setdefault(js.string_of(_attribute(item, attribute)), []).append(item)
    return groups


def _batch(value: Any, size: Any, fill: Any = None) -> list[list[Any]]:
    items, step = _only_list(value), max(int(js.number_of(size)), 1)
    rows = [items[start : start + step] for start in range(0, len(items), step)]
    if rows and fill is not None and step <= _WIDEST:
        rows[-1] += [fill] * (step - len(rows[-1]))
    return rows


def _slices(value: Any, count: Any, fill: Any = None) -> list[list[Any]]:
    items, parts = _only_list(value), min(max(int(js.number_of(count)), 1), _WIDEST)
    each, extra = divmod(len(items), parts)
    rows, start = [], 0
    for index in range(parts):
        end = start + each + (index < extra)
        rows.append(items[start:end] + ([fill] if fill and index >= extra else []))
        start = end
    return rows


def _truncate(value: Any, length: Any = 255, kill_words: Any = False, end: Any = "...") -> str:
    text, limit = _only_text(value), int(js.number_of(length)) or 255
    if len(text) <= limit:
        return text
    at = limit if js.is_true(kill_words) else text.rfind(" ", 0, limit + 1)
    return text[: limit if at == -1 else at] + js.output_of(end)


def _indent(value: Any, width: Any = 4, first_too: Any = False) -> str:
    step = " " * min(max(int(js.number_of(width)), 0), _WIDEST)
    text = _only_text(value)
    spend_values(text.count("\n"))
    check_length(len(text) + len(step) * text.count("\n"))
    lines = text.split("\n")
    return "\n".join(
        f"{step}{line}" if index or js.is_true(first_too) else line for index, line in enumerate(lines)
    )


def _center(value: Any, width: Any = 80) -> str:
    text = _text(value)
    spaces = min(int(js.number_of(width)), _WIDEST) - len(text)
    before = " " * (spaces // 2 + spaces % 2) if spaces > 0 else ""
    return f"{before}{text}{' ' * (spaces // 2) if spaces > 0 else ''}"


def _capital(value: Any) -> str:
    text = _only_text(value).lower()
    return text[:1].upper() + text[1:]


def _title(value: Any) -> str:
    text = _only_text(value)
    spend_values(text.count(" "))
    return " ".join(_capital(word) for word in text.split(" "))


def _escape(value: Any) -> str:
    return _text(value).translate(_ESCAPES)


def _trim(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text to trim; got {js.string_of(value)[:40]}")
    return trimmed(value)


def _strip_tags(value: Any, keep_lines: Any = False) -> str:
    text = trimmed(_without_tags(_only_text(value)))
    if not js.is_true(keep_lines):
        return re.sub(rf"[{SPACES}]+", " ", text)
    narrow = re.sub(r" +", " ", re.sub(r"^ +|(?<! ) +$", "", text, flags=re.MULTILINE))
    return re.sub(r"\n{3,}", "\n\n", narrow.replace("\r\n", "\n"))


def _without_tags(text: str) -> str:
    """Return a text without its tags and comments; what begins one and does not end it stays."""
    kept, place, begin = [], 0, 0
    last = {end: text.rfind(end) for end in (">", "-->")}
    while found := _TAG_START.search(text, begin):
        end = "-->" if found[0] == "<!--" else ">"
        begin = found.end()
        if begin <= last[end]:
            kept.append(text[place : found.start()])
            place = begin = text.find(end, begin) + len(end)
        elif begin > last[">"]:
            break
    return "".join((*kept, text[place:]))


def _url_part(value: Any) -> str:
    return made(quote(js.string_of(value), safe="!'()*-._~"))


def _url_encode(value: Any) -> str:
    if isinstance(value, str):
        return _url_part(value)
    pairs = value.items() if isinstance(value, dict) else _list_of(value)
    return "&".join(f"{_url_part(name)}={_url_part(item)}" for name, item in pairs)


def _random(value: Any) -> Any:
    items = _list_of(value)
    # Chance picks a word for a prompt, and guards no secret.
    return random.choice(items) if items else Undefined()


def _reverse(value: Any) -> Any:
    return _text(value)[::-1] if isinstance(value, str) else _list_of(value)[::-1]


def _sum(value: Any, attribute: Any = None, start: Any = 0) -> Any:
    items = [_attribute(item, attribute) if attribute else item for item in _only_list(value)]
    total: Any = start
    for item in items:
        total = js.plus(total, item)
    return total


def _selected(wanted: bool) -> Callable[..., list[Any]]:
    def select(value: Any, attribute: Any) -> list[Any]:
        return [item for item in _only_list(value) if js.is_true(_attribute(item, attribute)) == wanted]

    return select


def _at(index: int) -> Callable[[Any], Any]:
    def pick(value: Any) -> Any:
        items = _only_list(value)
        return items[index] if items else Undefined()

    return pick


def _counting(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that counts what it looks through and makes."""

    def counting(value: Any, *arguments: Any, **settings: Any) -> Any:
        spend_values()
        spend_reading(value, *arguments)
        return js.counted(work(value, *arguments, **settings), value, *arguments)

    return counting


_CHOOSING = frozenset(("d", "default", "first", "last", "random", "safe"))
"""Filters that hand on what is there, and make nothing."""
_FILTERS: dict[str, Callable[..., Any]] = {
    "abs": lambda value: abs(js.number_of(value)),
    "batch": _batch,
    "capitalize": _capital,
    "center": _center,
    "d": _default,
    "default": _default,
    "dictsort": _dictsort,
    "dump": _dump,
    "e": _escape,
    "escape": _escape,
    "first": _at(0),
    "float": _float,
    "forceescape": _escape,
    "groupby": _grouped,
    "indent": _indent,
    "int": _integer,
    "join": _join,
    "last": _at(-1),
    "length": _length,
    "list": _list_of,
    "load": _load,
    "lower": lambda value: _only_text(value).lower(),
    "nl2br": lambda value: js.replaced(_text(value), "\n", "<br />\n"),
    "random": _random,
    "rejectattr": _selected(False),
    "replace": _replace,
    "reverse": _reverse,
    "round": _round,
    "safe": lambda value: value,
    "selectattr": _selected(True),
    "sort": _sort,
    "string": js.string_of,
    "slice": _slices,
    "striptags": _strip_tags,
    "sum": _sum,
    "title": _title,
    "trim": _trim,
    "truncate": _truncate,
    "upper": lambda value: _only_text(value).upper(),
    "urlencode": _url_encode,
    "wordcount": lambda value: len(re.findall(r"[A-Za-z0-9_]+", _only_text(value))) or None,
}
FILTERS = {name: work if name in _CHOOSING else _counting(work) for name, work in _FILTERS.items()}
