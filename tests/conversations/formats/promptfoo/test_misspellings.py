"""Every key of promptfoo's files, misspelt at every place where it may stand: none passes, each is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from misspelt import misspelt

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo import keys, load_suite
from turnwise.conversations.formats.promptfoo.tables import COLUMNS
from turnwise.conversations.words import nearest

Fields = dict[str, Any]
CHECK = {"type": "contains", "value": "a"}
TEST = {"vars": {"q": "a"}, "assert": [CHECK]}
VALUES: Mapping[str, Any] = {
    "assert": [CHECK],
    "config": {},
    "defaultTest": {},
    "delay": 1,
    "env": {},
    "id": "echo",
    "name": "m",
    "options": {},
    "path": "rows.yaml",
    "prompts": ["{{q}}"],
    "providers": ["echo"],
    "raw": "{{q}}",
    "tests": [TEST],
    "type": "contains",
    "vars": {"q": "a"},
    "weight": 1,
}
"""What stands under a key that is misspelt; a text where it matters to nobody."""


def config(**fields: Any) -> Fields:
    return {"prompts": ["{{q}}"], "providers": ["echo"], "tests": [TEST], **fields}


def in_test(**fields: Any) -> Fields:
    return config(tests=[{**TEST, **fields}])


def in_scenario(**fields: Any) -> Fields:
    return config(tests=None, scenarios=[fields])


PLACES: dict[str, list[tuple[str, Callable[[Fields], Fields]]]] = {
    "TOP": [("c.json", lambda one: {**config(), **one})],
    "TEST": [
        ("c.json, test 1", lambda one: in_test(**one)),
        ("c.json, defaultTest", lambda one: config(defaultTest=one)),
        ("c.json, scenario 1, test 1", lambda one: in_scenario(config=[TEST], tests=[one])),
        ("c.json, scenario 1, config, test 1", lambda one: in_scenario(config=[one])),
    ],
    "GENERATOR": [("c.json, test 1", lambda one: config(tests=[one]))],
    "SCENARIO": [("c.json, scenario 1", lambda one: in_scenario(tests=[TEST], **one))],
    "SET_OF_CHECKS": [
        (
            "c.json, test 1, assert 1",
            lambda one: in_test(**{"assert": [{"type": "assert-set", "assert": [CHECK], **one}]}),
        ),
    ],
    "ASSERTION": [
        ("c.json, test 1, assert 1", lambda one: in_test(**{"assert": [{**CHECK, **one}]})),
        ("c.json, defaultTest, assert 1", lambda one: config(defaultTest={"assert": [{**CHECK, **one}]})),
        (
            "c.json, test 1, assert 1.1",
            lambda one: in_test(**{"assert": [{"type": "assert-set", "assert": [{**CHECK, **one}]}]}),
        ),
    ],
    "OPTIONS": [
        ("c.json, test 1, options", lambda one: in_test(options=one)),
        ("c.json, defaultTest, options", lambda one: config(defaultTest={"options": one})),
    ],
    "PROVIDER": [
        ("c.json, provider echo", lambda one: config(providers=[{"id": "echo", **one}])),
        ("c.json, provider echo", lambda one: config(providers=[{"echo": one}])),
        ("c.json, test 1, provider", lambda one: in_test(provider={"id": "echo", **one})),
    ],
    "PROMPT": [("c.json, prompt 1", lambda one: config(prompts=[{"raw": "{{q}}", **one}]))],
    "DERIVED_METRIC": [
        ("c.json, derivedMetrics 1", lambda one: config(derivedMetrics=[{"name": "m", "value": "1", **one}])),
    ],
    "COMMAND_LINE_OPTIONS": [
        ("c.json, commandLineOptions", lambda one: config(commandLineOptions=one)),
    ],
    "EVALUATE_OPTIONS": [("c.json, evaluateOptions", lambda one: config(evaluateOptions=one))],
}
"""Where the keys of each table may stand: the words for the place, and a file with one key there."""


def tables() -> dict[str, frozenset[str]]:
    """Return the tables of keys that the loader reads by."""
    found = vars(keys).items()
    return {name: value for name, value in found if isinstance(value, frozenset) and name[0] != "_"}


def slips_of(table: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield every key of a table with misspellings of it that could not have been set aside on purpose."""
    every = frozenset().union(*tables().values()) if table is keys.TEST else table
    for key in sorted(table):
        yield from ((key, slip) for slip in misspelt(key, every) if slip[0] not in "$_.")


def told(path: Path, document: Fields) -> str:
    """Return what keeps every case of a file from passing."""
    path.write_text(json.dumps(document))
    try:
        suite = load_suite(path)
    except FormatError as error:
        return str(error)
    assert all(case.problem for case in suite.cases)
    found = [*suite.settings["rejected"], *(case.problem for case in suite.cases)]
    assert found, f"{document} would pass"
    return "\n".join(found)


def test_every_table_of_keys_has_its_places_here() -> None:
    assert tables().keys() == PLACES.keys()


@pytest.mark.parametrize("table", sorted(PLACES))
def test_no_misspelt_key_passes_and_each_is_told(tmp_path: Path, table: str) -> None:
    known = tables()[table]
    for key, slip in slips_of(known):
        for place, file_with in PLACES[table]:
            found = told(tmp_path / "c.json", file_with({slip: VALUES.get(key, "a")}))
            assert f"{place}: " in found, (slip, found)
            assert f"no field {slip}" in found
            assert f"Did you mean {nearest(slip, known)}?" in found, (key, slip, found)


@pytest.mark.parametrize("column", COLUMNS)
def test_no_misspelt_column_passes(tmp_path: Path, column: str) -> None:
    for slip in misspelt(column, COLUMNS):
        if not slip.startswith("__expected"):
            (tmp_path / "t.csv").write_text(f"q,{slip}\na,x\n")
            found = told(tmp_path / "c.json", config(tests="t.csv"))
            assert f"t.csv, column {slip}: " in found
            assert f"Did you mean {column}?" in found


@pytest.mark.parametrize("key", ["test", "prompt", "provider", "assertt"])
def test_a_file_of_nothing_but_a_misspelt_key_is_told_with_the_nearest_name(tmp_path: Path, key: str) -> None:
    found = told(tmp_path / "c.json", {key: [TEST]})
    assert f"got {key}" in found
    assert f"Did you mean {key.removesuffix('t')}" in found


def test_as_promptfoo_every_misspelt_key_is_told_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    for key, slip in slips_of(keys.TEST):
        path.write_text(json.dumps(in_test(**{slip: VALUES.get(key, "a")})))
        suite = load_suite(path, compat=True)
        assert not suite.cases[0].problem
        assert any(f"no field {slip}; it is passed over" in warning for warning in suite.warnings)
