"""Checks on XML: that an output is a well-formed document, or holds one, with the elements asked for."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.white_space import trimmed
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.xml_pieces import pieces_of, tree_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import item_text


def is_xml(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is one well-formed XML document with the elements asked for, as in a.b."""
    if fault := _fault(answer.text):
        return yes_or_no(check, False, expected=f"be well-formed XML: {fault}")
    missing = _missing(_wanted(check), answer.text)
    return yes_or_no(check, not missing, expected=_expected("be XML", missing))


def contains_xml(check: Check, answer: Answer) -> CheckResult:
    """Whether the output holds a piece that is opened and closed, with the elements asked for.

    Inside of it nothing is checked but these elements.
    """
    wanted = _wanted(check)
    nearest: list[str] | None = None
    for piece in pieces_of(answer.text):
        missing = _missing(wanted, piece)
        if not missing:
            return yes_or_no(check, True, expected=_expected("contain XML", []))
        nearest = nearest or missing
    return yes_or_no(check, False, expected=_expected("contain XML", nearest or []))


def _expected(verb: str, missing: list[str]) -> str:
    return f"{verb}; it lacks {', '.join(missing)}" if missing else verb


def _wanted(check: Check) -> list[str]:
    """Return the paths of the elements that must be there."""
    value = check.value
    if isinstance(value, str):
        return [trimmed(part) for part in value.split(",")]
    if isinstance(value, dict) and value:
        value = value.get("requiredElements")
        if not isinstance(value, (list, tuple)):
            raise SettingError(
                f"{check.type} needs the paths of elements, as in a.b", next_step="Give it a list."
            )
    return [item_text(path) for path in value] if isinstance(value, (list, tuple)) else []


def _missing(wanted: list[str], text: str) -> list[str]:
    tree = tree_of(text) if wanted else {}
    return [path for path in wanted if not _has(tree, path.split("."))]


def _has(tree: Any, path: list[str]) -> bool:
    for key in path:
        if isinstance(tree, list) and key.isdecimal() and int(key) < len(tree):
            tree = tree[int(key)]
        elif isinstance(tree, dict) and key in tree:
            tree = tree[key]
        else:
            return False
    return True


class _DeclaredInsideError(Exception):
    """A document declares a type of its own."""


def _fault(text: str) -> str:
    """Return why a text is no well-formed document; empty where it is one. Prefixes must be declared."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def declaration(name: str, system: str | None, public: str | None, internal: int) -> None:
        # What is declared inside may blow up a small document to a huge one.
        if internal:
            raise _DeclaredInsideError

    parser.StartDoctypeDeclHandler = declaration
    try:
        parser.Parse(text, True)
    except _DeclaredInsideError:
        return "a document type may not be declared inside it"
    except (expat.ExpatError, ValueError, LookupError) as error:
        return str(error)
    return ""
