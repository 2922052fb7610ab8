"""Tables of cases in CSV, as AgentV 5 reads them: id, vars.NAME, __expected, __metadata:KEY and the like."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

from turnwise.conversations.files import problem

_EXPECTED = re.compile(r"__expected\d*")
_CHECK = re.compile(r"(not-)?([a-z][a-z0-9-]*)(?:\((\d+(?:\.\d+)?)\))?(?::(.*))?", re.DOTALL)
_LISTS = ("contains-any", "contains-all", "icontains-any", "icontains-all")
_TEXTS = ("contains", "icontains", "starts-with", "ends-with", "regex", "equals", "is-json", "similar")
_LIMITS = {"latency": "threshold", "cost": "budget"}
_JUDGED = ("grade:", "llm-rubric:")
_CODE = ("javascript:", "fn:", "eval:")
_NOT_A_SEPARATOR = re.compile(r"(?<!\\),")
_AROUND = ("__prefix", "__suffix")


def rows_of_table(
    text: str, place: str, lose: Callable[[str, str], None]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the fields of the case in each row, and its place. Raises FormatError where it is no table.

    lose: told the place and the reason where a row cannot have what it asks for.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True))
    except csv.Error as error:
        raise problem(place, f"it is no table: {error}", "Correct the file.") from None
    for number, row in enumerate(rows, start=1):
        here = f"{place}, row {number}"
        yield _case({key.strip(): value or "" for key, value in row.items() if key}, here, lose), here


def _case(row: dict[str, str], place: str, lose: Callable[[str, str], None]) -> dict[str, Any]:
    variables: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    case: dict[str, Any] = {}
    checks: list[dict[str, Any]] = []
    for name, text in row.items():
        if name == "id" or name == "input":
            case[name] = text
        elif _EXPECTED.fullmatch(name):
            checks += [_check(text.strip(), place)] if text.strip() else []
        elif name == "__description":
            case["criteria"] = text
        elif name.startswith("__metadata:"):
            _take_metadata(metadata, name.removeprefix("__metadata:"), text)
        elif name == "__threshold":
            case.setdefault("execution", {}).update(_threshold(text, place))
        elif name in (*_AROUND, "__metric"):
            continue
        elif name.startswith("__"):
            lose(place, f"there is no column {name}")
        else:
            _take_variable(variables, name, text)
    if "input" in case:
        case["input"] = f"{row.get('__prefix', '')}{case['input']}{row.get('__suffix', '')}"
    elif any(row.get(name) for name in _AROUND):
        lose(place, "__prefix and __suffix stand around a column input, and there is none")
    if row.get("__metric"):
        checks = [{**check, "metric": row["__metric"]} for check in checks]
    found = {**case, "vars": variables, "assert": checks}
    return {**found, "metadata": metadata} if metadata else found


def _check(text: str, place: str) -> dict[str, Any]:
    """Return the assertion that a cell means; a word that means none is the text that is expected."""
    for prefix in _JUDGED:
        if text.startswith(prefix):
            return {"type": "llm-rubric", "value": text.removeprefix(prefix).strip()}
    for prefix in _CODE:
        if text.startswith(prefix):
            return {"type": "javascript", "value": text.removeprefix(prefix).strip()}
    if text.startswith(("python:", "file://")):
        name = text.removeprefix("python:").removeprefix("file://").strip()
        return {"type": "script", "command": ["python", name]}
    found = _CHECK.fullmatch(text)
    kind = found[2] if found else ""
    if found is None or kind not in (*_LISTS, *_TEXTS, *_LIMITS):
        if found is not None and (found[3] or found[4] is not None):
            raise problem(place, f"__expected: there is no check {kind}", "Write equals:TEXT for a text.")
        return {"type": "equals", "value": text}
    negation, _, number, value = found.groups()
    check: dict[str, Any] = {"type": kind, **({"negate": True} if negation else {})}
    if kind in _LISTS:
        check["value"] = [item.strip() for item in (value or "").split(",")]
    elif value is not None:
        check["value"] = value.strip()
    if number is not None:
        check[_LIMITS.get(kind, "min_score")] = float(number)
    elif kind in _LIMITS:
        raise problem(place, f"__expected: {kind} needs a limit", f"Write it as in {kind}(1).")
    return check


def _threshold(text: str, place: str) -> dict[str, float]:
    if not text.strip():
        return {}
    try:
        return {"threshold": float(text)}
    except ValueError:
        raise problem(place, f"__threshold: expected a number; got {text[:40]!r}", "") from None


def _take_metadata(metadata: dict[str, Any], name: str, text: str) -> None:
    if not text.strip():
        return
    if name.endswith("[]"):
        items = (item.strip().replace("\\,", ",") for item in _NOT_A_SEPARATOR.split(text))
        metadata[name.removesuffix("[]")] = [item for item in items if item]
    else:
        metadata[name] = text


def _take_variable(variables: dict[str, Any], name: str, text: str) -> None:
    """Put a cell under its name; vars.a.b is b of a."""
    steps = [step.strip() for step in name.removeprefix("vars.").split(".") if step.strip()]
    if not name.startswith("vars.") or not steps:
        variables[name] = text
        return
    inside = variables
    for step in steps[:-1]:
        if not isinstance(inside.get(step), dict):
            inside[step] = {}
        inside = inside[step]
    inside[steps[-1]] = text
