"""Checks on XML: that an output is a well-formed document, or holds one, with the elements asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text

_TAG = re.compile(r"<(/?)([^\W\d][\w.:-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>")
_MOST_TRIES = 200


class _XmlFaultError(Exception):
    """A text is no XML document; the words say where and why."""


def is_xml(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is one well-formed XML document with the elements asked for, as in a.b."""
    try:
        missing = _missing(check, _tree(answer.text))
    except _XmlFaultError as fault:
        return yes_or_no(check, False, expected=f"be well-formed XML: {fault}")
    return yes_or_no(check, not missing, expected=_expected("be XML", missing))


def contains_xml(check: Check, answer: Answer) -> CheckResult:
    """Whether the output holds a well-formed piece of XML with the elements asked for."""
    nearest: list[str] | None = None
    for piece in _pieces(answer.text):
        try:
            missing = _missing(check, _tree(piece))
        except _XmlFaultError:
            continue
        if not missing:
            return yes_or_no(check, True, expected=_expected("contain XML", []))
        nearest = nearest or missing
    return yes_or_no(check, False, expected=_expected("contain XML", nearest or []))


def _expected(verb: str, missing: list[str]) -> str:
    return f"{verb}; it lacks {', '.join(missing)}" if missing else verb


def _missing(check: Check, tree: dict[str, Any]) -> list[str]:
    value = check.value.get("requiredElements") if isinstance(check.value, dict) else check.value
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",")] if value else []
    if value is not None and not isinstance(value, (list, tuple)):
        raise SettingError(
            f"{check.type} needs the paths of elements, as in a.b", next_step="Give it a list."
        )
    return [as_text(path) for path in value or () if not _has(tree, as_text(path).split("."))]


def _has(tree: Any, path: list[str]) -> bool:
    for key in path:
        if isinstance(tree, list) and key.isdecimal() and int(key) < len(tree):
            tree = tree[int(key)]
        elif isinstance(tree, dict) and key in tree:
            tree = tree[key]
        else:
            return False
    return True


def _tree(text: str) -> dict[str, Any]:
    """Return a document as nested dicts; of elements of one name, a list. Raises _XmlFaultError."""
    root: dict[str, Any] = {}
    open_elements = [root]
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        element: dict[str, Any] = {f"@_{key}": value for key, value in attributes.items()}
        parent = open_elements[-1]
        before = parent.get(name)
        if before is None:
            parent[name] = element
        elif isinstance(before, list):
            before.append(element)
        else:
            parent[name] = [before, element]
        open_elements.append(element)

    def declaration(name: str, system: str | None, public: str | None, internal: int) -> None:
        # What is declared inside may blow up a small document to a huge one.
        if internal:
            raise _XmlFaultError("a document type may not be declared inside it")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: open_elements.pop()
    parser.StartDoctypeDeclHandler = declaration
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise _XmlFaultError(str(error)) from error
    return root


def _pieces(text: str) -> Iterator[str]:
    """Yield what stands between an opening tag and its closing tag, the longest first."""
    waiting: list[tuple[str, int]] = []
    spans: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        closing, name, rest = tag.groups()
        if closing:
            if waiting and waiting[-1][0] == name:
                spans.append((waiting.pop()[1], tag.end()))
            else:
                waiting.clear()
        elif rest.rstrip().endswith("/"):
            spans.append(tag.span())
        else:
            waiting.append((name, tag.start()))
    spans.sort(key=lambda span: span[0] - span[1])
    for begin, end in spans[:_MOST_TRIES]:
        yield text[begin:end]
