"""load_suite: a promptfoo configuration as a Suite, every row of it in the order promptfoo has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.files import (
    CodeRunner,
    Folder,
    NoCode,
    is_code,
    load_yaml,
    no_code_here,
    problem,
)
from turnwise.conversations.formats.promptfoo.checks import CheckReader
from turnwise.conversations.formats.promptfoo.configurations import DEFAULT_PROMPT, read_configuration
from turnwise.conversations.formats.promptfoo.documents import ConfigReading, WrittenTest, dereferenced
from turnwise.conversations.formats.promptfoo.extensions import before_all, extensions_to_run
from turnwise.conversations.formats.promptfoo.keys import slips_of_config, slips_of_target, slips_of_test
from turnwise.conversations.formats.promptfoo.prompts import PromptText, read_prompts
from turnwise.conversations.formats.promptfoo.remote_tests import Network
from turnwise.conversations.formats.promptfoo.rows import PromptColumn, Rows
from turnwise.conversations.formats.promptfoo.tables import delimiter_of
from turnwise.conversations.formats.promptfoo.targets import answering, read_targets
from turnwise.conversations.formats.promptfoo.written_tests import (
    check_threshold,
    scenario_tests,
    with_defaults,
    written_tests,
)
from turnwise.conversations.suites import Suite, SuiteCase, TargetSpec
from turnwise.conversations.templates import Templates, string_of

FORMAT = "promptfoo"
_ENVIRONMENT = re.compile(r"\{\{(?:[^}]|\}(?!\}))*\}\}")
_ENVIRONMENT_NAME = re.compile(r"""\benv\.(\w+)|\benv\[['"]([^'"]+)['"]\]""")
_TARGETS = ("provider", "providers", "targets")
_SETTINGS = (
    "derivedMetrics",
    "evaluateOptions",
    "commandLineOptions",
    "outputPath",
    "tags",
)


def load_suite(
    path: Path,
    *,
    compat: bool = False,
    environment: Mapping[str, str] | None = None,
    targets: tuple[TargetSpec, ...] | None = None,
    target: str = "",
    root: Path | None = None,
    network: Network | None = None,
    code: CodeRunner | None = None,
    prompts: Sequence[PromptText] = (),
    part: str = "",
) -> Suite:
    """Read a promptfoo configuration, or a file of tests that stands by itself.

    No file outside its folder is read, and only `code` runs what it names.

    compat: do as promptfoo 0.123.1 does where it is weaker: a pattern that matches no file is a warning, a
    table with one bad row does not load at all, the files of a pattern come in the order Z to A, and a
    column `__config:...:threshold` is written into the metadata as well. environment: what templates see as
    `env`, beside the file's own; None where the file may not see it, so that a template which asks for it
    is an error. targets: instead of those that the file names. target: the one who answers every case in
    their place; one that the file names keeps its settings. root: the folder that file names may not leave;
    otherwise the repository that the file lies in, else its folder. network: the user's yes to fetching
    tests that lie on other computers; without it they are rejected. code: who runs scripts that make tests,
    prompts and variables; without it they are errors of the tests that need them. prompts: instead of those
    that the file names; where there are none at all, the prompt is {{prompt}}. part: which function or
    sheet makes or holds tests, where the file is no configuration: see read_configuration.

    A case's index counts the rows, as lists in variables stand for several; its prompt_index counts prompts
    for each target, and `settings["prompts"]` holds the raw prompt, label and target of each. Its vars are as
    written; `filled_vars` is there where templates see others, with files read and references put
    in. `problem` says why a case cannot be run. `settings["rejected"]` tells what became no case.

    Raises NotFoundError where there is no file, FormatError where it is no such configuration, or where
    something in it cannot be read and no case is left.
    """
    if not path.is_file():
        raise NotFoundError(f"There is no file {path}", next_step="Check the path.")
    place = path.name
    runner = code or NoCode()
    config = read_configuration(path, part, runner)
    own_environment = _own_environment(config.get("env"))
    templates = Templates(environment, own_environment)
    config = _with_environment(config, templates, Templates(None, own_environment))
    folder = Folder.of(path, root, last_first=compat)
    delimiter = delimiter_of({**os.environ, **(environment or {}), **own_environment})
    reading = ConfigReading(folder, compat, network=network, code=runner, delimiter=delimiter)
    reading.refuse(slips_of_config(config, place))
    own = config.get("targets") if config.get("providers") is None else config.get("providers")
    used = targets if targets is not None else read_targets(own, folder, place)
    for one in used if targets is None else ():
        reading.refuse(slips_of_target(one.config, f"{place}, provider {one.name}"))
    if target:
        used = (answering(target, used),)
    asked, is_asked = _prompts(prompts, config, reading, place)
    extensions = extensions_to_run(config, reading, place)
    config, asked = before_all(extensions, config, asked, reading, place)
    columns = _columns(asked, used, answers_all=bool(target))
    if not (reading.compat or _holds_tests(config, is_asked=is_asked)):
        raise problem(place, "expected at least one test; got none", "Give it tests.")
    cases = tuple(_cases(config, columns, reading, templates, place))
    if not cases and reading.rejected:
        raise _all_rejected(place, reading.rejected)
    if not is_asked and not any("prompt" in case.vars for case in cases):
        reading.warn(
            f"{place}: it names no prompts and no test has a variable prompt, so the chatbot is asked "
            "nothing; give the prompt with --prompt"
        )
    settings: dict[str, Any] = {name: config[name] for name in _SETTINGS if config.get(name) is not None}
    settings["extensions"] = extensions
    settings["env"] = own_environment
    settings["prompts"] = tuple(_shown(column) for column in columns)
    rejected = tuple(map(str, reading.rejected))
    settings["rejected"] = rejected
    description = config.get("description")
    return Suite(
        format=FORMAT,
        source=path,
        root=root,
        description=description if isinstance(description, str) else "",
        targets=used,
        cases=cases,
        settings=settings,
        warnings=(*reading.warnings, *rejected),
    )


def _prompts(
    given: Sequence[PromptText], config: Mapping[str, Any], reading: ConfigReading, place: str
) -> tuple[list[PromptText], bool]:
    """Return the prompts that are asked, and whether somebody wrote them."""
    written = config.get("prompts")
    if given:
        return list(given), True
    if written is None or written == "":
        return read_prompts(DEFAULT_PROMPT, reading.folder, place), False
    return read_prompts(written, reading.folder, place, reading.delimiter), True


def _holds_tests(config: Mapping[str, Any], *, is_asked: bool) -> bool:
    """Whether a configuration has something to run. is_asked: it has prompts, which alone are one test."""
    if config.get("tests") or config.get("scenarios"):
        return True
    return "tests" not in config and bool(is_asked or config.get("defaultTest"))


def _columns(
    prompts: list[PromptText], targets: tuple[TargetSpec, ...], *, answers_all: bool
) -> tuple[PromptColumn, ...]:
    pairs = [
        (number, prompt, target)
        for target in targets or (None,)
        for number, prompt in enumerate(prompts)
        if target is None or prompt.is_named(target.config.get("prompts"))
    ]
    return tuple(
        PromptColumn(prompt, target, index, number, answers_all)
        for index, (number, prompt, target) in enumerate(pairs)
    )


def _cases(
    config: Mapping[str, Any],
    columns: tuple[PromptColumn, ...],
    reading: ConfigReading,
    templates: Templates,
    place: str,
) -> Iterator[SuiteCase]:
    default, problems = _default_test(config.get("defaultTest"), reading, place)
    checks = CheckReader(templates, reading.folder)
    rows = Rows(columns, templates, checks, reading.code, reading.compat, reading.warn)
    for test in _all_tests(config, reading, place):
        try:
            own = replace(test, problems=(*problems, *test.problems)) if problems else test
            yield from rows.of(own, with_defaults(test.fields, default))
        except FormatError as error:
            reading.reject(error)
        except RecursionError:
            reading.reject(problem(test.place, "it goes too deep", ""))


def _all_tests(config: Mapping[str, Any], reading: ConfigReading, place: str) -> Iterator[WrittenTest]:
    tests, scenarios = config.get("tests"), config.get("scenarios")
    if tests in (None, [], "") and not scenarios:
        # Prompts alone are one test of nothing but the default.
        yield WrittenTest({}, f"{place}, defaultTest")
        return
    yield from written_tests(tests, reading, place)
    yield from scenario_tests(scenarios, reading, place)


def _default_test(default: Any, reading: ConfigReading, place: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the default test, and why no test is run with it."""
    here = f"{place}, defaultTest"
    if isinstance(default, str):
        if is_code(default):
            raise no_code_here(here, default)
        text = reading.folder.text(default, here)
        try:
            default = load_yaml(text)
            default = dereferenced(default, default)
        except ValueError as error:
            raise problem(here, str(error), "") from None
    if default is None:
        return {}, ()
    if not isinstance(default, dict):
        raise problem(here, "expected an object with vars and assert", "Correct the default test.")
    problems = reading.problems_of(slips_of_test(default, here))
    check_threshold(default, here)
    variables = default.get("vars")
    if isinstance(variables, str | list):
        found = next(written_tests([default], reading, here), None)
        return (found.fields if found else {}), problems
    return default, problems


def _own_environment(env: Any) -> dict[str, str]:
    entries = env.items() if isinstance(env, dict) else ()
    return {name: string_of(value) for name, value in entries if isinstance(value, str | int | float)}


def _with_environment(value: Any, templates: Templates, of_file: Templates) -> Any:
    """Return a value with every {{env.NAME}} in it filled; one whose variable is not set stays as written.

    of_file: sees what the file gives alone. Targets are given no more: what of the system goes to which of
    them has rules of its own.
    """
    if isinstance(value, dict):
        return {
            name: _with_environment(item, of_file if name in _TARGETS else templates, of_file)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_with_environment(item, templates, of_file) for item in value]
    if not isinstance(value, str) or "env" not in value or "{{" not in value:
        return value
    return _ENVIRONMENT.sub(lambda found: _environment_text(found, templates), value)


def _environment_text(found: re.Match[str], templates: Templates) -> str:
    name = _ENVIRONMENT_NAME.search(found[0])
    if name is None or ("|" not in found[0] and (name[1] or name[2]) not in templates.environment):
        return found[0]
    try:
        return templates.fill(found[0], {})
    except FormatError:
        return found[0]


def _shown(column: PromptColumn) -> dict[str, Any]:
    return {
        "raw": column.prompt.raw,
        "label": column.prompt.label,
        "number": column.number,
        "target": column.target.name if column.target else "",
        **({"made_by_code": True} if column.prompt.made_by else {}),
    }


def _all_rejected(place: str, rejected: list[FormatError]) -> FormatError:
    if len(rejected) == 1:
        return rejected[0]
    return FormatError(
        f"{place} brings no test that can be read",
        detail="\n".join(map(str, rejected[:5])),
        next_step="Correct the first of these; the rest may follow from it.",
    )
