"""What `tests` holds or names, as one list, and one test out of several layers.

Tests stand inline, in files of every form and behind patterns, and keep their order. The layers of a test
are the default test, a scenario's data, and the test itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    Folder,
    is_code,
    is_pattern,
    kind_of,
    load_yaml,
    no_code_here,
    problem,
    read_text,
    script_of,
)
from turnwise.conversations.formats.known_keys import holds_checks, refused, slips
from turnwise.conversations.formats.promptfoo.documents import (
    ConfigReading,
    WrittenTest,
    dereferenced,
    json_documents,
    yaml_document,
)
from turnwise.conversations.formats.promptfoo.keys import (
    GENERATOR,
    TEST_PARTS,
    slips_of_scenario,
    slips_of_test,
)
from turnwise.conversations.formats.promptfoo.remote_tests import (
    DATA_SET,
    data_set_rows,
    google_sheet_rows,
    is_remote,
    refuse_reaching,
)
from turnwise.conversations.formats.promptfoo.tables import check_columns, csv_rows, sheet_rows, test_of_row
from turnwise.conversations.numbers import is_finite

_SHEETS = (".xlsx", ".xls")
_MERGED = ("vars", "options", "metadata")


def written_tests(tests: Any, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
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


def _of_entry(entry: Any, reading: ConfigReading, place: str, number: int) -> Iterator[WrittenTest]:
    here = f"{place}, test {number}"
    if isinstance(entry, str):
        name = entry.partition("#")[0]
        alone = is_code(entry) or name.endswith(_SHEETS) or ":" in entry.removeprefix(SCHEME)
        yield from (_standalone if alone else _by_glob)(entry, reading, here)
    elif isinstance(entry, dict) and "path" in entry:
        yield from _of_path(entry, reading, here)
    else:
        yield _checked(entry, reading, here, reading.folder)


def _of_path(entry: dict[str, Any], reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    reading.refuse(slips(entry, GENERATOR, place, "a file of tests"))
    path = entry.get("path")
    if not isinstance(path, str):
        raise problem(place, f"path: expected the name of a file; got {kind_of(path)}", "")
    if is_code(path):
        yield from _generated(path, reading, place, entry.get("config"))
    else:
        yield from _standalone(path, reading, place)


def _standalone(name: str, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
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
        yield from _of_rows(csv_rows(path, path.name, reading.delimiter), reading, path.name)
    elif path.suffix in _SHEETS:
        yield from _of_rows(sheet_rows(path, sheet, path.name), reading, path.name)
    elif path.suffix in (".json", ".jsonl"):
        for number, test in enumerate(json_documents(path, reading, place), start=1):
            if isinstance(test, dict):
                test = {**test, "description": test.get("description") or f"Row #{number}"}
            yield from _each(test, reading, f"{path.name}, test {number}", reading.folder)
    else:
        raise problem(place, f"expected YAML, JSON, JSONL, CSV or XLSX; got {path.name}", "")


def _by_glob(name: str, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    """Yield the tests of all files that a pattern means."""
    if is_remote(name):
        yield from _fetched(name, reading, place)
        return
    files = reading.folder.matching(name, place)
    if not files:
        _nothing_matches(name, reading, place)
    for path in files:
        yield from reading.attempt(partial(_of_file, path, reading, place))


def _fetched(name: str, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    """Yield tests fetched from another computer; a row that refuse_reaching refuses is rejected."""
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


def _harmless(
    rows: Iterator[tuple[int, Any]], reading: ConfigReading, name: str
) -> Iterator[tuple[int, Any]]:
    for number, row in rows:
        try:
            refuse_reaching(row if isinstance(row, dict) else {}, f"{name}, row {number}")
        except FormatError as error:
            reading.reject(error)
        else:
            yield number, row


def _of_file(path: Path, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    if path.suffix == ".csv":
        yield from _of_rows(csv_rows(path, path.name, reading.delimiter), reading, path.name)
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


def _generated(name: str, reading: ConfigReading, place: str, config: Any = None) -> Iterator[WrittenTest]:
    """Yield the tests that a function makes. config: what the file gives it; None is nothing."""
    script, function = script_of(name, reading.folder, place)
    arguments = [] if config is None else [config]
    made = reading.code.call(script, function, ("generate_tests",), arguments, place)
    if not isinstance(made, list):
        raise problem(place, f"{script.name}: expected a list of tests; got {kind_of(made)}", "")
    for number, test in enumerate(made, start=1):
        yield from _each(test, reading, f"{script.name}, test {number}", reading.folder)


def _of_rows(rows: Iterator[tuple[int, Any]], reading: ConfigReading, name: str) -> Iterator[WrittenTest]:
    if reading.compat:
        # All rows of a table or none, so a bad row must be found before the first is given.
        held = list(rows)
        for number, row in held:
            if not isinstance(row, dict):
                raise _not_a_row(row, f"{name}, row {number}")
        rows = iter(held)
    columns: set[str] = set()
    for number, row in rows:
        place = f"{name}, row {number}"
        try:
            if not isinstance(row, dict):
                raise _not_a_row(row, place)
            if row.keys() - columns:
                check_columns(row, name, compat=reading.compat, warnings=reading.warnings)
                columns.update(row)
            test = test_of_row(row, number, place, compat=reading.compat, warnings=reading.warnings)
        except FormatError as error:
            if isinstance(row, dict) and not columns:
                # A table has the same columns in every row, so that it is told once.
                raise
            reading.reject(error)
            continue
        yield from _each(test, reading, place, reading.folder)


def _not_a_row(row: Any, place: str) -> FormatError:
    return problem(place, row if isinstance(row, str) else f"expected a row; got {kind_of(row)}", "")


def _each(test: Any, reading: ConfigReading, place: str, folder: Folder) -> Iterator[WrittenTest]:
    yield from reading.attempt(lambda: iter((_checked(test, reading, place, folder),)))


def _checked(test: Any, reading: ConfigReading, place: str, folder: Folder) -> WrittenTest:
    """Return a test. folder: where the names of files of variables start; what these say starts elsewhere."""
    if not isinstance(test, dict):
        raise problem(place, f"expected a test with vars and assert; got {kind_of(test)}", "")
    variables = test.get("vars")
    if isinstance(variables, str) or (isinstance(variables, list) and variables):
        test = {**test, "vars": _variable_files(variables, reading, f"{place}, vars", folder)}
    elif variables is not None and not isinstance(variables, dict | list):
        raise problem(place, f"vars: expected names and values; got {kind_of(variables)}", "")
    found = list(slips_of_test(test, place))
    asserted = test.get("assert")
    if asserted is not None and not isinstance(asserted, list):
        raise problem(place, f"assert: expected a list; got {kind_of(asserted)}", "")
    for name in ("options", "metadata"):
        if test.get(name) is not None and not isinstance(test[name], dict):
            raise problem(place, f"{name}: expected names and values; got {kind_of(test[name])}", "")
    check_threshold(test, place)
    if all(test.get(name) in (None, "", False) for name in TEST_PARTS):
        got = ", ".join(test) or "nothing"
        raise refused(found) or problem(place, f"expected one of {', '.join(TEST_PARTS)}; got {got}", "")
    return WrittenTest(test, place, (*reading.problems_of(found), *_unused_checks(test, place, reading)))


def _unused_checks(test: Mapping[str, Any], place: str, reading: ConfigReading) -> Iterator[str]:
    """Yield the problem of a test whose checks stand among its variables."""
    variables = _mapping(test.get("vars"))
    if "assert" not in variables:
        return
    error = problem(
        f"{place}, vars", "assert stands under vars, where it checks nothing", "Indent it like vars."
    )
    if reading.compat or not holds_checks(variables["assert"]):
        reading.warn(error.detail)
    else:
        yield str(error)


def check_threshold(test: Mapping[str, Any], place: str) -> None:
    """Raise FormatError where the threshold of a test, or of the default test, is no number."""
    given = test.get("threshold")
    if given is None:
        return
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise problem(place, f"threshold: expected a number; got {kind_of(given)}", "")
    if not is_finite(given):
        raise problem(place, "threshold: expected a number; got one that is too large", "")


def _variable_files(names: Any, reading: ConfigReading, place: str, folder: Folder) -> dict[str, Any]:
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


def _file(name: str, reading: ConfigReading, place: str) -> Path | None:
    found = reading.folder.matching(name, place)
    if not found:
        raise problem(
            place, f"expected a file that is there; got {name.removeprefix(SCHEME)}", "Check the path."
        )
    return found[0]


def _nothing_matches(name: str, reading: ConfigReading, place: str) -> None:
    words = f"no file matches {name.removeprefix(SCHEME)}"
    if not reading.compat:
        raise problem(place, words, "Correct the pattern: it would mean that nothing is tested.")
    reading.warnings.append(f"{place}: {words}, so it brings no tests")


def with_defaults(fields: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    """Return a test's fields laid over those of the default test.

    Variables, options and metadata are merged name by name, and the test wins; the default's assertions come
    first; a threshold of the test wins, 0 too.
    """
    merged = {**{name: item for name, item in default.items() if name != "description"}, **fields}
    for name in _MERGED:
        merged[name] = {**_mapping(default.get(name)), **_mapping(fields.get(name))}
    skips = _mapping(fields.get("options")).get("disableDefaultAsserts") is True
    merged["assert"] = [*([] if skips else _list(default.get("assert"))), *_list(fields.get("assert"))]
    if fields.get("threshold") is None:
        merged["threshold"] = default.get("threshold")
    scenario = merged.pop("_scenario", None)
    if scenario is not None:
        merged["metadata"].setdefault("conversationId", scenario)
    # An empty text of the test does not take a default's away, though it is what the options then show.
    for name in ("prefix", "suffix"):
        texts = [_mapping(layer.get("options")).get(name) for layer in (fields, default)]
        merged[f"_{name}"] = next((text for text in texts if isinstance(text, str) and text), "")
    return merged


def scenario_tests(scenarios: Any, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    """Yield every test of every scenario, once for each of the scenario's data sets, data set by data set."""
    if scenarios is None:
        return
    if not isinstance(scenarios, list):
        reading.reject(problem(place, "scenarios: expected a list", "Write a list of scenarios."))
        return
    for number, scenario in enumerate(scenarios, start=1):
        here = f"{place}, scenario {number}"
        if isinstance(scenario, str):
            yield from _of_files(scenario, reading, here)
        else:
            yield from _of_scenario(scenario, reading, here)


def _of_files(name: str, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    yield from reading.attempt(lambda: _in_files(name, reading, place))


def _in_files(name: str, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    if is_code(name):
        raise no_code_here(place, name)
    files = reading.folder.matching(name, place)
    if not files:
        raise problem(place, f"no file matches {name.removeprefix(SCHEME)}", "Correct the pattern.")
    for path in files:
        try:
            document = load_yaml(read_text(path, place))
            document = dereferenced(document, document)
        except ValueError as error:
            raise problem(place, f"{path.name}: {error}", "") from None
        for one in document if isinstance(document, list) else [document]:
            yield from _of_scenario(one, reading, f"{place}, {path.name}")


def _of_scenario(scenario: Any, reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    if not isinstance(scenario, dict):
        reading.reject(problem(place, "expected an object with config and tests", "Correct the scenario."))
        return
    try:
        reading.refuse(slips_of_scenario(scenario, place))
    except FormatError as error:
        reading.reject(error)
        return
    data = _data_sets(scenario.get("config"), reading, place)
    tests = list(written_tests(scenario["tests"], reading, place)) if scenario.get("tests") else None
    if tests is None and reading.compat:
        tests = []
    for layer in data:
        for test in tests if tests is not None else [WrittenTest({}, place)]:
            fields = with_defaults(test.fields, layer.fields)
            fields["description"] = test.fields.get("description", layer.fields.get("description"))
            for name in ("_prefix", "_suffix"):
                fields.pop(name)
            # The turns of a scenario are one conversation, if the file says nothing else.
            fields["_scenario"] = f"__scenario_{reading.data_sets}__"
            problems = (*layer.problems, *test.problems)
            yield WrittenTest(fields, f"{test.place} with {layer.place}", problems)
        reading.data_sets += 1


def _data_sets(config: Any, reading: ConfigReading, place: str) -> list[WrittenTest]:
    if config is None:
        return [WrittenTest({}, place)]
    return list(written_tests(config, reading, f"{place}, config"))


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
