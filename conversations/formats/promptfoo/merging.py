"""One test out of several layers: the default test, a scenario's data, the test itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.conversations.formats.promptfoo.folders import SCHEME, is_code, no_code_here, problem, read_text
from turnwise.conversations.formats.promptfoo.reading import Reading, WrittenTest
from turnwise.conversations.formats.promptfoo.references import dereferenced
from turnwise.conversations.formats.promptfoo.written_tests import written_tests
from turnwise.conversations.formats.yaml_text import load_yaml

_MERGED = ("vars", "options", "metadata")


def with_defaults(fields: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    """Return a test's fields on those of the default test.

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


def scenario_tests(scenarios: Any, reading: Reading, place: str) -> Iterator[WrittenTest]:
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


def _of_files(name: str, reading: Reading, place: str) -> Iterator[WrittenTest]:
    yield from reading.attempt(lambda: _in_files(name, reading, place))


def _in_files(name: str, reading: Reading, place: str) -> Iterator[WrittenTest]:
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


def _of_scenario(scenario: Any, reading: Reading, place: str) -> Iterator[WrittenTest]:
    if not isinstance(scenario, dict):
        reading.reject(problem(place, "expected an object with config and tests", "Correct the scenario."))
        return
    data = _data_sets(scenario.get("config"), reading, place)
    tests = list(written_tests(scenario["tests"], reading, place)) if scenario.get("tests") else None
    if tests is None and reading.compat:
        tests = []
    for layer in data:
        for test in tests if tests is not None else [WrittenTest({}, place, reading.folder)]:
            fields = with_defaults(test.fields, layer.fields)
            fields["description"] = test.fields.get("description", layer.fields.get("description"))
            for name in ("_prefix", "_suffix"):
                fields.pop(name)
            # The turns of a scenario are one conversation, if the file says nothing else.
            fields["_scenario"] = f"__scenario_{reading.data_sets}__"
            yield WrittenTest(fields, f"{test.place} with {layer.place}", test.folder)
        reading.data_sets += 1


def _data_sets(config: Any, reading: Reading, place: str) -> list[WrittenTest]:
    if config is None:
        return [WrittenTest({}, place, reading.folder)]
    return list(written_tests(config, reading, f"{place}, config"))


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
