"""The form of AgentV 5: prompts, providers and tests with vars, as cases of the later form before it.

It is promptfoo's form with other names. Every test is written once for each prompt, with its variables filled
in and what default_test says of all; the rest of the reading goes on as with files of the later form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    decode_json,
    is_pattern,
    kind_of,
    load_yaml,
    problem,
    without_place,
)
from turnwise.conversations.formats.agentv.metadata import merged, of_all_cases
from turnwise.conversations.formats.agentv.newest_keys import (
    EVALUATE_OPTIONS,
    EXECUTION,
    OPTIONS,
    RUN,
    SCENARIO,
    tell_of_defaults,
    tell_of_some,
    tell_of_test,
    tell_of_top,
)
from turnwise.conversations.formats.agentv.newest_prompts import (
    NO_PROMPT,
    NewestPrompt,
    is_chat,
    newest_prompts,
)
from turnwise.conversations.formats.agentv.newest_variables import Filling, plain_object
from turnwise.conversations.formats.agentv.targets import provider_entry
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading, WrittenCase, listed_cases
from turnwise.conversations.formats.known_keys import refused, slips
from turnwise.conversations.formats.suite_files import is_newer_agentv
from turnwise.conversations.words import did_you_mean

_REMOVED = {
    "evalcases": "tests",
    "eval_cases": "tests",
    "target": "providers",
    "targets": "providers",
    "graders": "providers, and defaults.grader",
    "imports": "tests: file://... or scenarios: [file://...]",
    "input": "prompts, and vars of the tests",
    "expected_output": "vars.expected_output and a check that names it",
    "experiment": "tags.experiment",
    "execution": "evaluate_options",
    "policy": "evaluate_options",
    "repeat": "evaluate_options.repeat",
    "runs": "evaluate_options.repeat",
    "budget_usd": "evaluate_options.budget_usd",
    "workers": "evaluate_options.max_concurrency",
    "workspace": "environment",
    "preprocessors": "transform",
}
"""What AgentV 5 reads no more at the top of a file, and what stands for it."""
_KEPT = ("conversation_id", "mode", "aggregation", "on_turn_failure", "window_size", "criteria")
_NEWEST_ONLY = frozenset(("providers", "default_test", "evaluate_options", "scenarios"))


@dataclass(frozen=True, slots=True)
class NewestFile:
    """A file of AgentV 5 as one of the later form. document: its top level, without cases. targets: those
    that it defines itself, by name.
    """

    document: dict[str, Any]
    cases: Iterator[WrittenCase]
    targets: dict[str, Mapping[str, Any]]


def is_newest(document: Mapping[str, Any]) -> bool:
    """Whether a document that is meant for AgentV has the form of its version 5."""
    if is_newer_agentv(document):
        return True
    has_cases = "tests" in document or "scenarios" in document
    return has_cases and "prompts" not in document and bool(_NEWEST_ONLY & document.keys())


def newest_file(
    document: Mapping[str, Any],
    reading: EvalFileReading,
    place: str,
    environment: Mapping[str, str] | None,
) -> NewestFile:
    """Return a document of AgentV 5 as one of the later form.

    What it asks for and cannot have, in all its cases, is lost. Raises FormatError where it says what AgentV
    5 does not read.
    """
    for key, other in _REMOVED.items():
        if document.get(key) is not None:
            raise problem(place, f"AgentV 5 reads no {key} at the top of a file", f"Write {other}.")
    tell_of_top(document, reading, place)
    filling = Filling(reading, environment)
    cases_of = ("tests", "scenarios")
    top = filling.environment({key: item for key, item in document.items() if key not in cases_of}, place)
    defaults = _default_test(top.get("default_test"), reading, place, filling)
    tell_of_defaults(defaults, reading, f"{place}, default_test")
    if isinstance(options := defaults.get("options"), dict):
        reading.rubric_prompt = options.get("rubric_prompt")
    targets: dict[str, Mapping[str, Any]] = {}
    named = _providers(top.get("providers"), targets, reading, place)
    if not named and isinstance(usual := plain_object(top.get("defaults")).get("provider"), str):
        named = [usual]
    maker = _Maker(
        reading=reading,
        filling=filling,
        defaults=defaults,
        of_all=_grouped([*_list(defaults.get("assert")), *_list(top.get("assert"))]),
        prompts=newest_prompts(top.get("prompts"), reading, f"{place}, prompts"),
        metadata=merged(plain_object(defaults.get("metadata")), of_all_cases(top, tags=True)),
    )
    lowered: dict[str, Any] = {
        key: top[key] for key in ("name", "description", "version", "tags") if top.get(key) is not None
    }
    lowered |= {"threshold": top["threshold"]} if top.get("threshold") is not None else {}
    lowered |= {"execution": {"targets": named}} if named else {}
    lowered |= _pace(plain_object(top.get("evaluate_options")), reading, place)
    written = _written(document, reading, place, filling)
    return NewestFile(lowered, maker.cases(written), targets)


def _written(
    document: Mapping[str, Any], reading: EvalFileReading, place: str, filling: Filling
) -> Iterator[WrittenCase]:
    tests = document.get("tests")
    if isinstance(tests, str):
        yield from listed_cases(tests, reading, place)
    elif isinstance(tests, list):
        entries = [_as_reference(entry) for entry in tests]
        yield from listed_cases(entries, reading, place)
    elif tests is not None:
        raise problem(place, f"tests: expected a list or the name of a file; got {kind_of(tests)}", "")
    for number, scenario in enumerate(_scenarios(document.get("scenarios"), reading, place), start=1):
        try:
            yield from _of_scenario(scenario, number, place, filling)
        except FormatError as error:
            reading.reject(error)


def _as_reference(entry: Any) -> Any:
    if isinstance(entry, str) and not entry.startswith(SCHEME):
        return f"{SCHEME}{entry}"
    if isinstance(entry, dict) and isinstance(entry.get("include"), str):
        # Deprecated in AgentV 5, with one meaning that still stands for cases alone.
        is_plain = entry.get("type") == "tests" and not {"select", "run"} & entry.keys()
        return f"{SCHEME}{entry['include'].removeprefix(SCHEME)}" if is_plain else entry
    return entry


def _scenarios(listed: Any, reading: EvalFileReading, place: str) -> Iterator[Any]:
    """Yield the scenarios of a file, those of the files that it names in their places."""
    if listed is None:
        return
    if not isinstance(listed, list):
        raise problem(place, f"scenarios: expected a list; got {kind_of(listed)}", "")
    for entry in listed:
        if not isinstance(entry, str):
            yield entry
            continue
        name = entry.removeprefix(SCHEME)
        folder = reading.files.folder
        paths = folder.matching(name, place) if is_pattern(name) else [folder.file(name, place)]
        if not paths:
            reading.reject(problem(place, f"scenarios: no file matches {name}", "Check the pattern."))
        for path in paths:
            try:
                document = load_yaml(reading.files.texts.text(path, place))
            except ValueError as error:
                raise problem(place, f"{path.name}: {error}", "") from None
            inside = document.get("scenarios") if isinstance(document, dict) else document
            if not isinstance(inside, list):
                raise problem(place, f"{path.name}: expected a list of scenarios; got {kind_of(inside)}", "")
            yield from inside


def _of_scenario(scenario: Any, number: int, place: str, filling: Filling) -> Iterator[WrittenCase]:
    """Yield each test of a scenario for each of its configurations."""
    here = f"{place}, scenario {number}"
    given = scenario if isinstance(scenario, dict) else {}
    configs, tests = given.get("config"), given.get("tests")
    if error := refused(slips(given, SCENARIO, here, "a scenario")):
        raise error
    if not isinstance(configs, list) or not isinstance(tests, list):
        raise problem(here, "expected a list config and a list tests", "Write both.")
    for (row, config), (column, test) in product(enumerate(configs, 1), enumerate(tests, 1)):
        if not isinstance(config, dict) or not isinstance(test, dict):
            raise problem(here, "expected objects in config and tests", "")
        fields = {**config, **test}
        for key in ("vars", "metadata", "options", "run"):
            if both := {**plain_object(config.get(key)), **plain_object(test.get(key))}:
                fields[key] = both
        if checks := [*_list(config.get("assert")), *_list(test.get("assert"))]:
            fields["assert"] = checks
        own, shared = test.get("id"), config.get("id")
        if isinstance(shared, str) and shared.strip() and len(tests) > 1:
            shared = f"{shared}__scenario_test_{column}"
        names = (name for name in (own, shared) if isinstance(name, str) and name.strip())
        fields["id"] = next(names, f"scenario-{number}-{row}-{column}")
        yield WrittenCase(fields, f"{here}, case {fields['id']}", fields["id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    """Makes cases of the later form out of tests. of_all: the checks of every case, after its own."""

    reading: EvalFileReading
    filling: Filling
    defaults: Mapping[str, Any]
    of_all: list[Any]
    prompts: list[NewestPrompt]
    metadata: Mapping[str, Any]

    def cases(self, written: Iterable[WrittenCase]) -> Iterator[WrittenCase]:
        for test in written:
            try:
                yield from list(self._of_test(test))
            except FormatError as error:
                self.reading.reject(error)

    def _of_test(self, test: WrittenCase) -> Iterator[WrittenCase]:
        if "include" in test.fields and "vars" not in test.fields:
            raise problem(
                test.place, "include: another eval file is not read into this one", "Run both files."
            )
        self.reading.take_lost()
        tell_of_test(test.fields, self.reading, test.place)
        fields = self.filling.environment(test.fields, test.place)
        lost = self.reading.take_lost()
        variables = {**plain_object(self.defaults.get("vars")), **plain_object(fields.get("vars"))}
        if "input" in fields and self.prompts != [NO_PROMPT]:
            variables["input"] = fields.pop("input")
            fields.pop("input_files", None)
        for prompt in self.prompts:
            for combination in _combinations(variables):
                yield self._case(test, fields, prompt, combination, lost)

    def _case(
        self,
        test: WrittenCase,
        fields: Mapping[str, Any],
        prompt: NewestPrompt,
        variables: dict[str, Any],
        lost: tuple[str, ...],
    ) -> WrittenCase:
        place, fill = test.place, self.filling
        execution = plain_object(fields.get("execution"))
        case: dict[str, Any] = {key: fields[key] for key in _KEPT if fields.get(key) is not None}
        if isinstance(name := fields.get("id"), str) and name:
            named = fill.variables(name, variables, f"{place}, id")
            case["id"] = f"{named}__prompt_{prompt.short}" if len(self.prompts) > 1 else named
        if isinstance(told := fields.get("description"), str):
            case["description"] = fill.variables(told, variables, f"{place}, description")
        if (input_ := self._input(fields, prompt, variables, place)) is not None:
            case["input"] = input_
        if fields.get("input_files") is not None and prompt is NO_PROMPT:
            case["input_files"] = fields["input_files"]
        own = fields.get("assert", execution.get("assert"))
        if own is not None and not isinstance(own, list):
            raise problem(f"{place}, assert", f"expected a list; got {kind_of(own)}", "")
        checks = [*_list(own), *([] if execution.get("skip_defaults") is True else self.of_all)]
        if own is not None or checks:
            case["assertions"] = fill.checks(checks, variables, f"{place}, assert")
        if isinstance(turns := fields.get("turns"), list):
            case["turns"] = [self._turn(turn, variables, f"{place}, turns") for turn in turns]
        case["execution"] = self._execution(fields, execution, place)
        case["metadata"] = merged(plain_object(fields.get("metadata")), self.metadata)
        self._options(fields, place)
        lost = (*lost, *self.reading.take_lost(), *((prompt.problem,) if prompt.problem else ()))
        return WrittenCase(
            case,
            place,
            test.name,
            variables=variables,
            prompt_label=prompt.label if len(self.prompts) > 1 else "",
            lost=lost,
        )

    def _input(
        self, fields: Mapping[str, Any], prompt: NewestPrompt, variables: dict[str, Any], place: str
    ) -> Any:
        if prompt is NO_PROMPT:
            return fields.get("input", self._beside())
        once = self.filling.variables(prompt.input, variables, f"{place}, prompt")
        return _as_chat(self.filling.once_more(once, variables))

    def _beside(self) -> str | None:
        """Return what PROMPT.md beside the eval file says, which stands for a prompt that no other gives."""
        path = self.reading.files.folder.path / "PROMPT.md"
        root = self.reading.files.folder.root
        if not path.is_file() or not path.resolve().is_relative_to(root):
            return None
        return self.reading.files.texts.text(path, path.name)

    def _turn(self, turn: Any, variables: dict[str, Any], place: str) -> Any:
        if not isinstance(turn, dict):
            return turn
        filled = {key: item for key, item in turn.items() if key != "assert"}
        for key in ("input", "expected_output"):
            if key in filled:
                filled[key] = self.filling.variables(filled[key], variables, f"{place}, {key}")
        if "assert" in turn:
            filled["assertions"] = self.filling.checks(_list(turn["assert"]), variables, f"{place}, assert")
        return filled

    def _execution(
        self, fields: Mapping[str, Any], execution: Mapping[str, Any], place: str
    ) -> dict[str, Any]:
        given: dict[str, Any] = {}
        run = plain_object(fields.get("run"))
        for holder in (execution, run, fields, self.defaults):
            if holder.get("threshold") is not None:
                given["threshold"] = holder["threshold"]
                break
        targets: dict[str, Mapping[str, Any]] = {}
        named = _providers(
            fields.get("providers", fields.get("provider")), targets, self.reading, place, defines=False
        )
        if named:
            given["targets"] = named
        tell_of_some(execution, EXECUTION, self.reading, place, "execution")
        tell_of_some(run, RUN, self.reading, place, "run")
        return given

    def _options(self, fields: Mapping[str, Any], place: str) -> None:
        """Tell what of the options of a case is not followed; without a transform an answer is another."""
        options = {**plain_object(self.defaults.get("options")), **plain_object(fields.get("options"))}
        if options.get("transform") is not None:
            self.reading.lose(place, "options, transform: answers of AgentV's files are not transformed")
        if fields.get("assert_scoring_function", self.defaults.get("assert_scoring_function")) is not None:
            self.reading.lose(place, "assert_scoring_function: a script does not score AgentV's cases")
        tell_of_some(options, OPTIONS, self.reading, place, "options")


def _default_test(value: Any, reading: EvalFileReading, place: str, filling: Filling) -> dict[str, Any]:
    """Return what default_test says, also where it names a file, or a name of .agentv/config.yaml."""
    here = f"{place}, default_test"
    if value is None:
        return {}
    if isinstance(value, str):
        named = _reference(value.strip(), reading, here)
        if not named.startswith(SCHEME):
            raise problem(here, f"expected file://... or ref://NAME; got {named}", "")
        found = reading.files.find(named.removeprefix(SCHEME))
        if found.path is None:
            raise problem(here, f"the file {found.shown} cannot be read: {found.reason}", "Check the name.")
        try:
            loaded = load_yaml(reading.files.texts.text(found.path, here))
        except ValueError as error:
            raise problem(here, f"{found.shown}: {error}", "") from None
        value = filling.environment(loaded, here) if isinstance(loaded, dict) else loaded
    if not isinstance(value, dict):
        raise problem(here, f"expected an object; got {kind_of(value)}", "")
    return value


def _reference(name: str, reading: EvalFileReading, place: str) -> str:
    """Return what ref://NAME stands for, as refs of .agentv/config.yaml says."""
    if not name.startswith("ref://"):
        return name
    wanted = name.removeprefix("ref://").strip()
    found = reading.files.find(".agentv/config.yaml")
    refs: dict[str, Any] = {}
    if found.path is not None:
        try:
            refs = plain_object(
                plain_object(load_yaml(reading.files.texts.text(found.path, place))).get("refs")
            )
        except (FormatError, ValueError) as error:
            told = without_place(error) if isinstance(error, FormatError) else str(error)
            raise problem(place, f".agentv/config.yaml cannot be read: {told}", "") from None
    if not isinstance(refs.get(wanted), str):
        likely = did_you_mean(wanted, refs) or "Define it there."
        raise problem(place, f"refs of .agentv/config.yaml names no {wanted}", likely)
    return str(refs[wanted]).strip()


def _providers(
    written: Any,
    targets: dict[str, Mapping[str, Any]],
    reading: EvalFileReading,
    place: str,
    *,
    defines: bool = True,
) -> list[str]:
    """Return the names of providers; what they say of themselves goes among the targets."""
    named: list[str] = []
    for entry in written if isinstance(written, list) else [] if written is None else [written]:
        found = list(provider_entry(entry))
        if not found:
            reading.leave_out(
                f"{place}, providers", f"expected a name or an object with id; got {kind_of(entry)}"
            )
        for name, definition in found:
            named.append(name)
            if not isinstance(entry, str):
                targets[name] = definition
                if not defines:
                    reading.lose(f"{place}, providers", f"{name}: a test names a provider, and defines none")
    return named


def _pace(options: Mapping[str, Any], reading: EvalFileReading, place: str) -> dict[str, Any]:
    """Return how often and how fast cases run, under promptfoo's names."""
    names = EVALUATE_OPTIONS
    tell_of_some(options, EVALUATE_OPTIONS, reading, place, "evaluate_options")
    found = {names[key]: item for key, item in options.items() if key in names}
    return {"evaluateOptions": found} if found else {}


def _as_chat(prompt: Any) -> Any:
    """Return the messages that a prompt lists as JSON, else the prompt."""
    if not isinstance(prompt, str) or not prompt.lstrip().startswith("["):
        return prompt
    try:
        listed = decode_json(prompt)
    except ValueError:
        return prompt
    return listed if is_chat(listed) else prompt


def _combinations(variables: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the variables once for each of the texts that one of them lists."""
    lists = [
        item if isinstance(item, list) and (not item or isinstance(item[0], str)) else [item]
        for item in variables.values()
    ]
    for values in product(*lists):
        yield dict(zip(variables, values, strict=True))


def _grouped(checks: list[Any]) -> list[Any]:
    """Return checks with all texts among them as one rubric, where the first of them stands."""
    texts = [check.strip() for check in checks if isinstance(check, str) and check.strip()]
    first = next((place for place, check in enumerate(checks) if isinstance(check, str)), None)
    if first is None or not texts:
        return [check for check in checks if not isinstance(check, str)]
    rubric = {"type": "llm-rubric", "value": texts, "weight": len(texts)}
    rest = [check for check in checks[first:] if not isinstance(check, str)]
    return [*checks[:first], rubric, *rest]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
