"""YAML text to plain values by the rules of YAML 1.2: `yes` is text, `012` is twelve, a date is text.

The events come from libyaml; which plain word means a number, a truth value or nothing is decided here,
because the loaders at hand either follow YAML 1.1 or copy every alias, which lets a small file fill the
memory. Keys are text, as in JSON; `<<` merges; a key given twice is an error.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.files.json_text import DEEPEST, TOO_DEEP

_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"([-+]?)0(?:x([0-9a-fA-F]+)|o([0-7]+))\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_NUMBER_START = frozenset("-+.0123456789")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_STANDARD = "tag:yaml.org,2002:"
_COLLECTIONS = (None, "!", *(f"{_STANDARD}{name}" for name in ("map", "seq", "omap", "pairs", "set")))
_TEXTS = tuple(f"{_STANDARD}{name}" for name in ("str", "binary", "timestamp"))
_WORDLIKE = tuple(f"{_STANDARD}{name}" for name in ("int", "float", "bool", "null", "merge"))
_MOST_DIGITS = 300
_MOST_NODES_REPEATED = 1_000_000
"""Nodes that aliases may stand for, all together, before the file counts as made to fill the memory."""
_MOST_TEXT_REPEATED = 20_000_000
"""Characters of the texts in these nodes, for the same reason."""


@dataclass(frozen=True, slots=True)
class _Size:
    """What a value stands for: nodes, and characters of their texts."""

    nodes: int
    text: int

    def __add__(self, other: _Size) -> _Size:
        return _Size(self.nodes + other.nodes, self.text + other.text)


_NO_KEY = object()


def load_yaml(text: str) -> Any:
    """Return the value of the one document in a text; None where there is none.

    Raises ValueError that says what is wrong, with line and column.
    """
    # The library costs 20 ms to import, and most runs of the program read no YAML.
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event, type(event).__name__)
    except yaml.MarkedYAMLError as error:
        words = " ".join(part for part in (error.context, error.problem) if part)
        raise ValueError(f"expected YAML; {words}{_at(error.problem_mark or error.context_mark)}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"expected YAML; {' '.join(str(error).split())}") from None
    except UnicodeEncodeError:
        raise ValueError("expected YAML; got half of a surrogate pair") from None
    return builder.value


def yaml_scalar(word: str) -> Any:
    """Return what a plain, unquoted word means."""
    if word in _WORDS:
        return _WORDS[word]
    if word[0] not in _NUMBER_START:
        return word
    if _INTEGER.match(word):
        # More than a float can hold becomes what JavaScript would make of it.
        return int(word) if len(word) < _MOST_DIGITS else float(word)
    if found := _BASED.match(word):
        sign, hexadecimal, octal = found.groups()
        return int(sign + (hexadecimal or octal), 16 if hexadecimal else 8)
    if _FLOAT.match(word) and math.isfinite(number := float(word)):
        return number
    return word


class _Builder:
    """Puts the events of one document together without recursion."""

    def __init__(self) -> None:
        self.value: Any = None
        self._documents = 0
        self._anchors: dict[str, tuple[Any, _Size]] = {}
        # Each open collection: [value, key that waits for its value, nodes within, anchor, merges, text].
        self._open: list[list[Any]] = []
        self._repeated = _Size(0, 0)

    def take(self, event: Any, kind: str) -> None:
        if kind == "ScalarEvent":
            value = _scalar(event)
            if event.anchor:
                self._anchors[event.anchor] = (value, _Size(1, len(event.value)))
            self._add(value, 1, len(event.value), event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            if event.tag not in _COLLECTIONS:
                raise ValueError(f"expected plain data; got the tag {event.tag}{_at(event.start_mark)}")
            if len(self._open) >= DEEPEST:
                raise ValueError(f"{TOO_DEEP}{_at(event.start_mark)}")
            holder: Any = {} if kind == "MappingStartEvent" else []
            self._open.append([holder, _NO_KEY, 1, event.anchor, [], 0])
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            holder, _, nodes, anchor, merges, text = self._open.pop()
            for other in merges:
                for key, item in other.items():
                    holder.setdefault(key, item)
            if anchor:
                self._anchors[anchor] = (holder, _Size(nodes, text))
            self._add(holder, nodes, text, event)
        elif kind == "AliasEvent":
            if event.anchor not in self._anchors:
                raise ValueError(f"expected YAML; *{event.anchor} names no anchor{_at(event.start_mark)}")
            value, size = self._anchors[event.anchor]
            self._repeated += size
            if self._repeated.nodes > _MOST_NODES_REPEATED:
                raise ValueError(
                    f"the aliases of this YAML repeat more than a million values{_at(event.start_mark)}"
                )
            if self._repeated.text > _MOST_TEXT_REPEATED:
                raise ValueError(
                    f"the aliases of this YAML repeat more than 20 million characters{_at(event.start_mark)}"
                )
            self._add(value, size.nodes, size.text, event)
        elif kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                raise ValueError(f"expected one document; another begins{_at(event.start_mark)}")

    def _add(self, value: Any, nodes: int, text: int, event: Any) -> None:
        if not self._open:
            self.value = value
            return
        frame = self._open[-1]
        holder, key = frame[0], frame[1]
        frame[2] += nodes
        frame[5] += text
        if isinstance(holder, list):
            holder.append(value)
        elif key is _NO_KEY:
            frame[1] = _key(value, event)
            if frame[1] in holder and frame[1] != "<<":
                raise ValueError(f"the key {frame[1]} is given twice{_at(event.start_mark)}")
        else:
            frame[1] = _NO_KEY
            if key == "<<" and _is_mergeable(value):
                frame[4].extend(value if isinstance(value, list) else [value])
            else:
                holder[key] = value


def _scalar(event: Any) -> Any:
    tag = event.tag
    if tag is None or tag == "!":
        return yaml_scalar(event.value) if event.implicit[0] else event.value
    if tag in _TEXTS:
        return event.value
    if tag in _WORDLIKE:
        return yaml_scalar(event.value)
    raise ValueError(f"expected plain data; got the tag {tag}{_at(event.start_mark)}")


def _key(value: Any, event: Any) -> str:
    if isinstance(value, dict | list):
        raise ValueError(f"expected a key of one word; got a list or object{_at(event.start_mark)}")
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_mergeable(value: Any) -> bool:
    parts = value if isinstance(value, list) else [value]
    return all(isinstance(part, dict) for part in parts)


def _at(mark: Any) -> str:
    return f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
