"""The configuration of a suite: a document, what code gives, or a file of tests that stands by itself."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    JAVASCRIPT,
    SCHEME,
    TYPESCRIPT,
    CodeRunner,
    decode_json,
    is_code,
    is_python,
    kind_of,
    load_yaml,
    no_code_here,
    problem,
    read_text,
)
from turnwise.conversations.formats.promptfoo.documents import dereferenced
from turnwise.conversations.words import A_SLIP, did_you_mean

DEFAULT_PROMPT = "{{prompt}}"
"""What is asked where a file names no prompts."""
_PARTS = frozenset(
    ("prompts", "tests", "scenarios", "defaultTest", "providers", "targets", "redteam", "assertionTemplates")
)
_OF_A_TEST = frozenset(("vars", "assert"))
_SCRIPTS = (*JAVASCRIPT, *TYPESCRIPT)
_TABLES = (".csv", ".xlsx", ".xls", ".jsonl")


def read_configuration(path: Path, part: str, code: CodeRunner) -> dict[str, Any]:
    """Return the configuration that a file holds, or the one that runs the tests in it.

    part: which function or sheet of the file makes or holds tests, as in :create or #Sheet2; empty where the
    file says that itself. code: who runs a file that is code.

    Raises FormatError where it holds neither.
    """
    place, suffix = path.name, path.suffix.lower()
    if part or suffix in _TABLES or is_python(path):
        return {"tests": _named(path, part)}
    if is_code(place) and suffix not in _SCRIPTS:
        raise no_code_here(place, "the configuration")
    try:
        if suffix in _SCRIPTS:
            held = code.call(path.resolve(), "", (), [], place)
        else:
            text = read_text(path, place)
            held = decode_json(text) if suffix == ".json" else load_yaml(text)
        if isinstance(held, list):
            return {"tests": held if suffix in _SCRIPTS else _named(path)}
        held = dereferenced(held, held)
    except FormatError:
        raise
    except ValueError as error:
        raise problem(place, str(error), "Correct the file.") from None
    except RecursionError:
        raise problem(place, "its references go too deep", "") from None
    if not isinstance(held, dict):
        raise _nothing_of_promptfoo(place, kind_of(held))
    if _PARTS & held.keys():
        return held
    if _OF_A_TEST & held.keys():
        return {"tests": [held]}
    keys = list(map(str, held))
    raise _nothing_of_promptfoo(place, ", ".join(keys[:8]) or "an empty object", keys)


def _named(path: Path, part: str = "") -> str:
    """Return how a configuration beside a file would name it for its tests."""
    # Code is named as it stands, and of anything else a name may be a pattern.
    name = path.name if is_code(path.name) else glob.escape(path.name)
    return f"{SCHEME}{name}{part}"


def _nothing_of_promptfoo(place: str, got: str, keys: Iterable[str] = ()) -> FormatError:
    usual = (
        "Give a configuration of promptfoo, a file of tests, or an eval file of AgentV; conversations come "
        "in by turnwise import."
    )
    near = (did_you_mean(key, (*_PARTS, *_OF_A_TEST), alike=A_SLIP) for key in keys)
    return problem(place, f"expected prompts and tests; got {got}", next(filter(None, near), usual))
