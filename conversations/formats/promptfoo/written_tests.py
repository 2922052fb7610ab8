"""What `tests` holds or names, as one list: inline tests, files of every form, patterns, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo.code import script_of
from turnwise.conversations.formats.promptfoo.documents import json_documents, yaml_document
from turnwise.conversations.formats.promptfoo.folders import SCHEME, Folder, is_code, is_pattern, problem
from turnwise.conversations.formats.promptfoo.reading import Reading, WrittenTest, kind_of
from turnwise.conversations.formats.promptfoo.remote_tests import (
    DATA_SET,
    data_set_rows,
    google_sheet_rows,
    is_remote,
    refuse_reaching,
)
from turnwise.conversations.formats.promptfoo.table_tests import test_of_row
from turnwise.conversations.formats.promptfoo.tables import csv_rows, sheet_rows

_SHEETS = (".xlsx", ".xls")
_PARTS = ("assert", "vars", "options", "metadata", "provider", "providerOutput", "threshold")
_KNOWN = frozenset(
    (*_PARTS, "description", "providers", "prompts", "assertScoringFunction", "path", "config")
)


def written_tests(tests: Any, reading: Reading, place: str) -> Iterator[WrittenTest]:
    """Yield every test that `tests` holds or names; what cannot be read is rejected, the rest still comes."""
    if isinstance(tests, str):
        read = _by_glob if tests.endswith(("yaml", "yml")) else _standalone
        yield from reading.attempt(partial(read, tests, reading, place))
    elif isinstance(tests, dict):
        yield from reading.attempt(lambda: _of_path(tests, reading, place))
    elif isinstance(tests, list):
        for number, entry in enumerate(tests, start=1):
            yield from reading.attempt(partial(_of_entry, entry, reading, place, number))
    elif tests is not None:
        reading.reject(problem(place, f"tests: expected a list, a file or a path; got {kind_of(tests)}", ""))


def _of_entry(entry: Any, reading: Reading, place: str, number: int) -> Iterator[WrittenTest]:
    here = f"{place}, test {number}"
    if isinstance(entry, str):
        name = entry.partition("#")[0]
        alone = is_code(entry) or name.endswith(_SHEETS) or ":" in entry.removeprefix(SCHEME)
        yield from (_standalone if alone else _by_glob)(entry, reading, here)
    elif isinstance(entry, dict) and "path" in entry:
        yield from _of_path(entry, reading, here)
    else:
        yield _checked(entry, reading, here, reading.folder)


def _of_path(entry: dict[str, Any], reading: Reading, place: str) -> Iterator[WrittenTest]:
    path = entry.get("path")
    if not isinstance(path, str):
        raise problem(place, f"path: expected the name of a file; got {kind_of(path)}", "")
    if is_code(path):
        yield from _generated(path, reading, place, entry.get("config"))
    else:
        yield from _standalone(path, reading, place)


def _standalone(name: str, reading: Reading, place: str) -> Iterator[WrittenTest]:
    """Yield the tests of one file, every one with a description."""
    if is_remote(name):
        yield from _fetched(name, reading, place)
        return
    if is_code(name):
        yield from (_by_glob if is_pattern(name) else _generated)(name, reading, place)
        return
    bare, _, sheet = name.partition("#")
    path = _file(bare if bare.endswith(_SHEETS) else name, reading, place)
    if path is None:
        return
    if path.suffix in (".yaml", ".yml"):
        rows = yaml_document(path, reading, place)
        if not isinstance(rows, list):
            raise problem(place, f"{path.name}: expected a list of rows; got {kind_of(rows)}", "")
        numbered = ((number, row) for number, row in enumerate(rows, start=1))
        yield from _of_rows(numbered, reading, path.name)
    elif path.suffix == ".csv":
        yield from _of_rows(csv_rows(path, place), reading, path.name)
    elif path.suffix in _SHEETS:
        yield from _of_rows(sheet_rows(path, sheet, place), reading, path.name)
    elif path.suffix in (".json", ".jsonl"):
        for number, test in enumerate(json_documents(path, reading, place), start=1):
            if isinstance(test, dict):
                test = {**test, "description": test.get("description") or f"Row #{number}"}
            yield from _each(test, reading, f"{path.name}, test {number}", reading.folder)
    else:
        raise problem(place, f"expected YAML, JSON, JSONL, CSV or XLSX; got {path.name}", "")


def _by_glob(name: str, reading: Reading, place: str) -> Iterator[WrittenTest]:
    """Yield the tests of all files that a pattern means."""
    if is_remote(name):
        yield from _fetched(name, reading, place)
        return
    files = reading.folder.matching(name, place)
    if not files:
        _nothing_matches(name, reading, place)
    for path in files:
        yield from reading.attempt(partial(_of_file, path, reading, place))


def _fetched(name: str, reading: Reading, place: str) -> Iterator[WrittenTest]:
    """Yield the tests on another computer; a row that reaches for more than its words is rejected."""
    if name.startswith(DATA_SET):
        rows: Iterator[tuple[int, Any]] = (
            (number, {"vars": row, "options": {"disableVarExpansion": True}})
            for number, row in _harmless(data_set_rows(name, reading.network, place), reading, name)
        )
        for number, test in rows:
            yield from _each(test, reading, f"{name}, row {number}", reading.folder)
    else:
        rows = _harmless(google_sheet_rows(name, reading.network, place), reading, "Google sheet")
        yield from _of_rows(rows, reading, "Google sheet")


def _harmless(rows: Iterator[tuple[int, Any]], reading: Reading, name: str) -> Iterator[tuple[int, Any]]:
    for number, row in rows:
        try:
            refuse_reaching(row if isinstance(row, dict) else {}, f"{name}, row {number}")
        except FormatError as error:
            reading.reject(error)
        else:
            yield number, row


def _of_file(path: Path, reading: Reading, place: str) -> Iterator[WrittenTest]:
    if path.suffix == ".csv":
        yield from _of_rows(csv_rows(path, place), reading, path.name)
        return
    if is_code(path.name):
        yield from _generated(str(path), reading, place)
        return
    if path.suffix in (".yaml", ".yml"):
        document = yaml_document(path, reading, place)
        tests = document if isinstance(document, list) else [document]
    elif path.suffix in (".json", ".jsonl"):
        tests = json_documents(path, reading, place)
    else:
        raise problem(place, f"expected YAML, JSON, JSONL, CSV or XLSX; got {path.name}", "")
    folder = reading.folder.below(path)
    for number, test in enumerate(tests, start=1):
        yield from _each(test, reading, f"{path.name}, test {number}", folder)


def _generated(name: str, reading: Reading, place: str, config: Any = None) -> Iterator[WrittenTest]:
    """Yield the tests that a function makes. config: what the file gives it; None is nothing."""
    script, function = script_of(name, reading.folder, place)
    arguments = [] if config is None else [config]
    made = reading.code.call(script, function, ("generate_tests",), arguments, place)
    if not isinstance(made, list):
        raise problem(place, f"{script.name}: expected a list of tests; got {kind_of(made)}", "")
    for number, test in enumerate(made, start=1):
        yield from _each(test, reading, f"{script.name}, test {number}", reading.folder)


def _of_rows(rows: Iterator[tuple[int, Any]], reading: Reading, name: str) -> Iterator[WrittenTest]:
    if reading.compat:
        # All rows of a table or none, so a bad row must be found before the first is given.
        held = list(rows)
        for number, row in held:
            if not isinstance(row, dict):
                raise _not_a_row(row, f"{name}, row {number}")
        rows = iter(held)
    for number, row in rows:
        place = f"{name}, row {number}"
        try:
            if not isinstance(row, dict):
                raise _not_a_row(row, place)
            test = test_of_row(row, number, place, compat=reading.compat, warnings=reading.warnings)
        except FormatError as error:
            reading.reject(error)
            continue
        yield from _each(test, reading, place, reading.folder)


def _not_a_row(row: Any, place: str) -> FormatError:
    return problem(place, row if isinstance(row, str) else f"expected a row; got {kind_of(row)}", "")


def _each(test: Any, reading: Reading, place: str, folder: Folder) -> Iterator[WrittenTest]:
    yield from reading.attempt(lambda: iter((_checked(test, reading, place, folder),)))


def _checked(test: Any, reading: Reading, place: str, folder: Folder) -> WrittenTest:
    if not isinstance(test, dict):
        raise problem(place, f"expected a test with vars and assert; got {kind_of(test)}", "")
    variables = test.get("vars")
    if isinstance(variables, str) or (isinstance(variables, list) and variables):
        test = {**test, "vars": _variable_files(variables, reading, f"{place}, vars", folder)}
    elif variables is not None and not isinstance(variables, dict | list):
        raise problem(place, f"vars: expected names and values; got {kind_of(variables)}", "")
    if isinstance(test.get("vars"), dict) and "assert" in test["vars"]:
        reading.warn(f"{place}, vars: assert stands under vars, where it checks nothing")
    for name in sorted(test.keys() - _KNOWN):
        reading.warn(f"{place}: no test has a field {name}; it is passed over")
    asserted = test.get("assert")
    if asserted is not None and not isinstance(asserted, list):
        raise problem(place, f"assert: expected a list; got {kind_of(asserted)}", "")
    for name in ("options", "metadata"):
        if test.get(name) is not None and not isinstance(test[name], dict):
            raise problem(place, f"{name}: expected names and values; got {kind_of(test[name])}", "")
    threshold = test.get("threshold")
    if threshold is not None and (isinstance(threshold, bool) or not isinstance(threshold, int | float)):
        raise problem(place, f"threshold: expected a number; got {kind_of(threshold)}", "")
    if all(test.get(name) in (None, "", False) for name in _PARTS):
        raise problem(place, f"expected one of {', '.join(_PARTS)}; got {', '.join(test) or 'nothing'}", "")
    return WrittenTest(test, place, folder)


def _variable_files(names: Any, reading: Reading, place: str, folder: Folder) -> dict[str, Any]:
    variables: dict[str, Any] = {}
    for name in [names] if isinstance(names, str) else names:
        if not isinstance(name, str):
            raise problem(place, f"expected the name of a file; got {kind_of(name)}", "")
        if reading.compat and name.startswith(SCHEME):
            # promptfoo looks for a file of the whole name here, and finds none.
            continue
        files = folder.matching(name, place)
        if not files:
            _nothing_matches(name, reading, place)
        for path in files:
            document = yaml_document(path, reading, place, with_files=False)
            if not isinstance(document, dict):
                raise problem(place, f"{path.name}: expected names and values; got {kind_of(document)}", "")
            variables |= document
    return variables


def _file(name: str, reading: Reading, place: str) -> Path | None:
    found = reading.folder.matching(name, place)
    if not found:
        raise problem(
            place, f"expected a file that is there; got {name.removeprefix(SCHEME)}", "Check the path."
        )
    return found[0]


def _nothing_matches(name: str, reading: Reading, place: str) -> None:
    words = f"no file matches {name.removeprefix(SCHEME)}"
    if not reading.compat:
        raise problem(place, words, "Correct the pattern: it would mean that nothing is tested.")
    reading.warnings.append(f"{place}: {words}, so it brings no tests")
