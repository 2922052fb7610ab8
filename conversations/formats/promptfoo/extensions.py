"""Extensions: code of a configuration that is called around its tests, and what it makes of them.

A function that is called beforeAll, beforeEach, afterEach or afterAll is called there alone, with what it may
change; any other is called each time, with the name of the moment before that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from turnwise.conversations.files import SCHEME, CodeRunner, Folder, kind_of, problem, script_of
from turnwise.conversations.formats.promptfoo.checks import CheckReader, written_assertion
from turnwise.conversations.formats.promptfoo.documents import ConfigReading
from turnwise.conversations.formats.promptfoo.prompts import PromptText
from turnwise.conversations.formats.promptfoo.variables import fill_prompt, filled_variables
from turnwise.conversations.formats.promptfoo.written_tests import written_tests
from turnwise.conversations.suites import SuiteCase
from turnwise.conversations.templates import Templates

Moment = Literal["beforeAll", "beforeEach", "afterEach", "afterAll"]
_MOMENTS: tuple[Moment, ...] = get_args(Moment)
EXTENSION_DEFAULTS = ("get_transform",)
"""The function of Python where an extension names none."""


def extensions_to_run(config: Mapping[str, Any], reading: ConfigReading, place: str) -> tuple[str, ...]:
    """Return the extensions that the user lets run, and warn of the others.

    Raises FormatError for one that is no script, or is not there.
    """
    given = config.get("extensions")
    listed = given if isinstance(given, list) else [] if given is None else [given]
    here = f"{place}, extensions"
    allowed: list[str] = []
    for name in listed:
        if not isinstance(name, str) or not name.startswith(SCHEME):
            shown = name if isinstance(name, str) else kind_of(name)
            raise problem(here, f"expected the name of a script, as in file://hooks.js; got {shown}", "")
        script, _ = script_of(name, reading.folder, here)
        if reading.code.may_run(script, here):
            allowed.append(name)
        else:
            what = f"{name.removeprefix(SCHEME)} is code, which is not run without --trust"
            reading.warn(f"{here}: {what}; what it does around the tests is left out")
    return tuple(allowed)


def arguments_of(name: str, moment: Moment, context: Any) -> tuple[list[Any], int] | None:
    """Return what an extension is called with, and which of it is what it may change; None where it is not
    called at this moment.
    """
    function = name.removeprefix(SCHEME).rpartition(":")[2]
    if function not in _MOMENTS:
        return [moment, context], 1
    return ([context, {"hookName": moment}], 0) if function == moment else None


def before_all(
    extensions: Sequence[str],
    config: dict[str, Any],
    prompts: list[PromptText],
    reading: ConfigReading,
    place: str,
) -> tuple[dict[str, Any], list[PromptText]]:
    """Return a configuration and its prompts as extensions have them before all tests.

    Raises FormatError where one fails, or gives something else.
    """
    if not any(arguments_of(name, "beforeAll", {}) for name in extensions):
        return config, prompts
    # Read once: what makes tests may not make the same ones again.
    tests = [test.fields for test in written_tests(config.get("tests"), reading, place)]
    held = {
        "prompts": [{"raw": prompt.raw, "label": prompt.label} for prompt in prompts],
        "tests": tests,
        **{name: config.get(name) for name in ("scenarios", "defaultTest", "description")},
    }
    suite = given = json.loads(json.dumps(held, default=str))
    for name in extensions:
        suite = _called(name, {"suite": suite}, reading.folder, reading.code, f"{place}, extensions")["suite"]
    if suite == given:
        return {**config, "tests": tests} if tests else config, prompts
    known = {(prompt.raw, prompt.label): prompt for prompt in prompts}
    asked = [_prompt(one, known, f"{place}, extensions") for one in suite.get("prompts") or ()]
    parts = ("tests", "scenarios", "defaultTest")
    changed = {name: suite.get(name) for name in parts if suite.get(name) or name in config}
    return {**config, **changed}, asked


def _called(name: str, context: dict[str, Any], folder: Folder, code: CodeRunner, place: str) -> Any:
    called = arguments_of(name, "beforeAll", json.loads(json.dumps(context)))
    if called is None:
        return context
    arguments, kept = called
    script, function = script_of(name, folder, place)
    made = code.call(script, function, EXTENSION_DEFAULTS, arguments, place, kept=kept)
    if not made:
        return context
    if not isinstance(made, dict) or not isinstance(made.get("suite"), dict):
        raise problem(place, f"{script.name}: expected what it was given, with suite", "Let it return that.")
    return made


def _prompt(one: Any, known: Mapping[tuple[str, str], PromptText], place: str) -> PromptText:
    raw = one.get("raw") if isinstance(one, dict) else one
    if not isinstance(raw, str):
        raise problem(place, "expected prompts with raw and label", "Let the extension return such.")
    label = one.get("label") if isinstance(one, dict) else raw
    label = label if isinstance(label, str) else raw
    return known.get((raw, label)) or PromptText(raw, label)


def told_test(case: SuiteCase) -> dict[str, Any]:
    """Return a case as extensions are told of its test."""
    told: dict[str, Any] = {
        "description": case.description,
        "vars": dict(case.vars),
        "assert": [written_assertion(check) for check in case.checks],
        "options": dict(case.options),
        "metadata": dict(case.metadata),
    }
    told |= {} if case.threshold is None else {"threshold": case.threshold}
    return told | ({"providerOutput": case.output} if case.output else {})


def changed_case(
    case: SuiteCase,
    test: Mapping[str, Any],
    raw: str | None,
    folder: Folder,
    templates: Templates,
    code: CodeRunner,
    *,
    compat: bool,
) -> SuiteCase:
    """Return a case as an extension has it: what it was told of the test, changed.

    raw: the prompt before it is filled; None where code made it, and it stays. Raises FormatError.
    """
    place = case.description or f"test {case.index + 1}"
    variables = test.get("vars") or {}
    asserted, threshold = test.get("assert") or [], test.get("threshold")
    if not isinstance(variables, dict) or not isinstance(asserted, list):
        raise problem(place, "expected vars and assert of a test from an extension", "Mend the extension.")
    if raw is None and variables != case.vars:
        text = "an extension changes the variables of a prompt that code makes"
        raise problem(place, text, "Write the prompt as text.")
    filled = filled_variables(variables, folder, place, templates, code, raw or "")
    seen = {**filled, "_conversation": filled.get("_conversation", [])}
    reader = CheckReader(templates, folder)
    checks = [
        reader.check(one, seen, f"{place}, assert {number}") for number, one in enumerate(asserted, start=1)
    ]
    if threshold is not None and (isinstance(threshold, bool) or not isinstance(threshold, int | float)):
        raise problem(place, f"threshold: expected a number; got {kind_of(threshold)}", "Mend the extension.")
    return replace(
        case,
        description=str(test.get("description") or ""),
        vars=variables,
        filled_vars=filled if filled != variables else None,
        prompt=case.prompt if raw is None else fill_prompt(templates, raw, seen, compat=compat),
        checks=tuple(checks),
        options=dict(test.get("options") or {}),
        metadata=dict(test.get("metadata") or {}),
        threshold=threshold,
        output=test.get("providerOutput") or None,
    )
