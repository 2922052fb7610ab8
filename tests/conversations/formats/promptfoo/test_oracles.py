"""Every case of the oracles: what promptfoo itself expanded its configurations to, row by row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from differences import documented
from shared_data import SHARED

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.formats.promptfoo import fill_prompt, load_suite
from turnwise.conversations.suites import Check, Suite, SuiteCase, TargetSpec
from turnwise.conversations.templates import Templates
from turnwise.engine.suites.code import SuiteCode

ORACLES = SHARED / "oracles" / "promptfoo"
FIXTURES = SHARED / "fixtures" / "promptfoo"
ECHO = (TargetSpec(id="echo"),)
REQUIRED = 0.99

pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not ORACLES.is_dir(), reason="the oracles are not here"),
]

ABSENT = "a variable comes from a Python function whose file is not among the fixtures"
TRANSFORMED = "transformVars adds the time and a random text, which differ every time"

KNOWN: dict[str, str] = {
    **{f"real/examples+config-dynamic-var+promptfooconfig:{row}.0": ABSENT for row in range(3)},
    **{f"real/examples+config-external-defaulttest+promptfooconfig:{row}.0": TRANSFORMED for row in range(4)},
}
"""Rows that differ, by oracle and row, and why."""


def oracles() -> Iterator[tuple[str, Path, Path]]:
    for verdicts in sorted(ORACLES.rglob("verdicts.json")):
        yield str(verdicts.parent.relative_to(ORACLES)), verdicts, verdicts.parent / "promptfooconfig.yaml"
    for verdicts in sorted((ORACLES / "real").glob("*.json")):
        config = FIXTURES / verdicts.stem.replace("+", "/")
        found = [config.with_name(f"{config.name}{suffix}") for suffix in (".yaml", ".yml", ".json")]
        yield f"real/{verdicts.stem}", verdicts, next((path for path in found if path.is_file()), found[0])


def written(check: Check) -> dict[str, Any]:
    value = check.value if check.written is None else check.written
    fields: dict[str, Any] = {"type": f"not-{check.type}" if check.negate else check.type}
    fields |= {"value": value} if value is not None else {}
    fields |= {"threshold": check.threshold} if check.threshold is not None else {}
    fields |= {"weight": check.weight} if check.weight != 1 else {}
    fields |= {"metric": check.metric} if check.metric else {}
    fields |= {"config": dict(check.config)} if check.config else {}
    fields |= {"assert": [written(child) for child in check.children]} if check.children else {}
    return fields | dict(check.options)


def expected_check(assertion: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
    fields = {name: item for name, item in assertion.items() if item not in (None, "") or name == "value"}
    if "metric" in fields:
        # The rows keep the name as written; it is filled where the scores are added up.
        fields["metric"] = Templates().fill(fields["metric"], variables)
    if fields.get("weight") == 1:
        del fields["weight"]
    if fields.get("value") is None:
        fields.pop("value", None)
    if "assert" in fields:
        fields["assert"] = [expected_check(child, variables) for child in fields["assert"]]
    return fields


def differences(case: SuiteCase, prompt: str, row: dict[str, Any]) -> list[str]:
    shown = dict(case.options)
    pairs: dict[str, tuple[Any, Any]] = {
        "testIdx": (case.index, row["testIdx"]),
        "promptIdx": (case.prompt_index, row["promptIdx"]),
        "description": (case.description or None, row["description"]),
        "vars": (dict(case.vars), row["vars"]),
        "prompt": (prompt, row["prompt"]),
        "assert": (
            [written(check) for check in case.checks],
            [expected_check(one, row["vars"]) for one in row["assert"]],
        ),
        "threshold": (case.threshold, row["threshold"]),
        "metadata": (dict(case.metadata), row["metadata"]),
    }
    if "options" in row:
        pairs["options"] = (shown, row["options"])
    return [
        f"{name}: {ours!r} for {theirs!r}"
        for name, (ours, theirs) in pairs.items()
        if not agree(stored(ours), stored(theirs))
    ]


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two values are the same; what their results blacken cannot be compared."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and list(ours) == list(theirs):
        return all(agree(ours[name], theirs[name]) for name in ours)
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return all(map(agree, ours, theirs))
    return bool(theirs == "[REDACTED]" or ours == theirs)


def stored(value: Any) -> Any:
    """A value as their results keep it: every text that is JSON is read (and written again, compactly)."""
    if isinstance(value, dict):
        return {name: stored(item) for name, item in value.items()}
    if isinstance(value, list):
        return [stored(item) for item in value]
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return stored(json.loads(value, parse_constant=str))
        except ValueError:
            return value
    return value


def spoken(suite: Suite) -> Iterator[tuple[SuiteCase, str]]:
    """Every case with its prompt as an echo would be asked it, turn after turn of each conversation."""
    templates, held = Templates(), {}
    for case in suite.cases:
        raw = suite.settings["prompts"][case.prompt_index]["raw"]
        prompt = case.prompt
        if "_conversation" in raw and not case.options.get("disableConversationVar"):
            turns = held.setdefault((case.prompt_index, case.metadata.get("conversationId")), [])
            seen = {
                **(case.vars if case.filled_vars is None else case.filled_vars),
                "_conversation": list(turns),
            }
            prompt = fill_prompt(templates, raw, seen)
            turns.append({"prompt": prompt, "input": prompt, "output": prompt})
        yield case, prompt


def compare(config: Path, rows: list[dict[str, Any]], *, compat: bool = True) -> dict[str, str]:
    """What differs, by row; the rows are found by their numbers."""
    try:
        with closing(SuiteCode(config, root=SHARED, trusted=True)) as code:
            suite = load_suite(config, compat=compat, environment={}, targets=ECHO, root=SHARED, code=code)
    except TurnwiseError as error:
        return {f"{row['testIdx']}.{row['promptIdx']}": str(error) for row in rows}
    ours = {(case.index, case.prompt_index): (case, prompt) for case, prompt in spoken(suite)}
    order = [(case.index, case.prompt_index) for case in suite.cases]
    found: dict[str, str] = {}
    for row in rows:
        key = (row["testIdx"], row["promptIdx"])
        name = f"{key[0]}.{key[1]}"
        if key not in ours:
            found[name] = "the row is missing"
        elif different := differences(*ours[key], row):
            found[name] = "; ".join(different)
    if order != sorted(order):
        found["order"] = "the rows are out of order"
    extra = set(ours) - {(row["testIdx"], row["promptIdx"]) for row in rows}
    return found | {f"{index}.{prompt}": "the row is not theirs" for index, prompt in extra}


def test_every_row_is_expanded_as_promptfoo_does(capsys: pytest.CaptureFixture[str]) -> None:
    total, differing, groups = 0, {}, {}
    for name, verdicts, config in oracles():
        rows = json.loads(verdicts.read_text())["rows"]
        found = {f"{name}:{row}": why for row, why in compare(config, rows).items()}
        total += len(rows)
        differing |= found
        group = name.partition("/")[0]
        held = groups.setdefault(group, [0, 0])
        held[0] += len(rows)
        held[1] += len(rows) - len(found)
    with capsys.disabled():
        print()
        for group, (count, same) in groups.items():
            print(f"  {group:28} {same:5} of {count:5} rows  {100 * same / count:6.2f} %")
        print(f"  {'all':28} {total - len(differing):5} of {total:5} rows")
        for row, why in differing.items():
            print(f"  {row}: {KNOWN.get(row, f'UNKNOWN: {why[:300]}')}")
    assert len(differing) <= (1 - REQUIRED) * total
    assert set(differing) <= set(KNOWN)


def difference_of(config: Path, why: str) -> str:
    """Return the documented difference that a row reads otherwise for; empty where there is none."""
    parts = {part.partition(":")[0] for part in why.split("; ")}
    if parts == {"metadata"} and "threshold" in why:
        return "config-column"
    if "file://" in why and "*" in config.read_text():
        return "pattern-order"
    return ""


def test_strictly_every_row_that_is_expanded_otherwise_is_a_documented_difference() -> None:
    seen: set[str] = set()
    for name, verdicts, config in oracles():
        rows = json.loads(verdicts.read_text())["rows"]
        for row, why in compare(config, rows, compat=False).items():
            if f"{name}:{row}" not in KNOWN:
                seen.add(difference_of(config, why))
                assert difference_of(config, why), f"{name}:{row}: {why[:300]}"
    assert seen == {"config-column", "pattern-order"} <= set(documented())
