"""The cases of an eval file as they are written: in it, in files and folders that it names, and line by line.

AgentV has had four forms of such files, which cannot be mixed; form_of tells which one a file has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    FileSearch,
    decode_json,
    is_code,
    is_pattern,
    kind_of,
    load_yaml,
    no_code_here,
    problem,
)
from turnwise.conversations.formats.agentv.newest_tables import rows_of_table
from turnwise.conversations.formats.known_keys import Slip
from turnwise.conversations.formats.suite_files import EARLY_LISTS, is_newer_agentv
from turnwise.conversations.models import shorten
from turnwise.conversations.words import A_SLIP, did_you_mean

CODE_SUFFIXES = (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".py")
_LISTS = ("tests", "cases", "eval_cases", "evalcases")
_CASE_FILES = ("case.yaml", "case.yml")
_MOST_FOLDERS = 10_000


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A case as it is written. place: for messages. name: its id, or where it stands.

    variables: what is filled in already, and under which names; None where it is not. prompt_label: which of
    several prompts it sends. lost: what it asks for and cannot have.
    """

    fields: dict[str, Any]
    place: str
    name: str
    variables: Mapping[str, Any] | None = None
    prompt_label: str = ""
    lost: tuple[str, ...] = ()


@dataclass(slots=True)
class EvalFileReading:
    """One eval file being read.

    is_later: whether it has the later form, in which a case adds to the suite's evaluators; is_newest: that
    of AgentV 5. compat: do as AgentV does: leave out what cannot be read, with a warning. lost: what the case
    being read asks for and cannot have, so that it cannot be run. rubric_prompt: what judges are asked where
    a check of the newest form says nothing itself.
    """

    files: FileSearch
    is_later: bool
    compat: bool
    is_newest: bool = False
    rubric_prompt: Any = None
    warnings: dict[str, None] = field(default_factory=dict)
    rejected: list[FormatError] = field(default_factory=list)
    lost: dict[str, None] = field(default_factory=dict)

    @property
    def is_strictly_early(self) -> bool:
        """Whether to read only what the AgentV of the early form reads: with compat, in a file of that
        form.
        """
        return self.compat and not self.is_later

    def warn(self, place: str, text: str) -> None:
        """Keep what a person should know, once."""
        self.warnings[f"{place}: {text}"] = None

    def lose(self, place: str, text: str) -> None:
        """Keep that the case being read lacks something that it asks for; AgentV runs it without."""
        if self.compat:
            self.warn(place, text)
        else:
            self.lost[f"{place}: {text}"] = None

    def tell(self, slips: Iterable[Slip]) -> None:
        """Lose what slips were written to say; tell of the others once for all places."""
        for slip in slips:
            if slip.counts and not self.compat:
                self.lose(slip.place, f"{slip.problem}. {slip.advice}")
            elif not any(warning.endswith(f": {slip.warning()}") for warning in self.warnings):
                self.warn(slip.place, slip.warning())

    def take_lost(self) -> tuple[str, ...]:
        """Return what was lost since this was asked last."""
        lost = tuple(self.lost)
        self.lost.clear()
        return lost

    def reject(self, error: FormatError) -> None:
        """Keep that something could not be read."""
        self.rejected.append(error)

    def leave_out(self, place: str, text: str, next_step: str = "") -> None:
        """Leave a part out with a warning where AgentV does; otherwise raise FormatError."""
        if not self.compat:
            raise problem(place, text, next_step)
        self.warn(place, text)


@dataclass(frozen=True, slots=True)
class EvalFileForm:
    """The key that the cases stand under, and whether the file has the later form of evaluators."""

    key: str
    is_later: bool


def form_of(document: Mapping[str, Any], place: str) -> EvalFileForm:
    """Return the form of a file. Raises FormatError that names the form where it is one of another kind."""
    if "defaultTest" in document or ("prompts" in document and not is_newer_agentv(document)):
        raise problem(place, "this is a configuration of promptfoo, not of AgentV", "Load it as promptfoo's.")
    if isinstance(document.get("evals"), list):
        raise problem(
            place,
            "this is the form of Agent Skills (evals with a prompt each), which is not read",
            "Write its evals in the form of AgentV 4: tests with input, criteria and assertions.",
        )
    for key in _LISTS:
        if isinstance(document.get(key), list) or (key == "tests" and isinstance(document.get(key), str)):
            return EvalFileForm(key, key not in EARLY_LISTS)
    got = shorten(", ".join(map(str, document)) or "an empty object")
    near = (did_you_mean(str(key), _LISTS, alike=A_SLIP) for key in document)
    raise problem(
        place,
        f"expected a list of AgentV's cases under evalcases or tests; got {got}",
        next(filter(None, near), "Give an eval file of AgentV."),
    )


def is_later_case(fields: Mapping[str, Any]) -> bool:
    """Whether a case that stands in no list, a line of JSON, has the later form."""
    early = {"expected_outcome", "outcome", "input_messages", "expected_messages"} & fields.keys()
    return not early and bool({"criteria", "assertions", "assert"} & fields.keys())


def listed_cases(cases: Any, reading: EvalFileReading, place: str) -> Iterator[WrittenCase]:
    """Yield the cases of a list, or of the file or folder that is named instead of one."""
    if isinstance(cases, str):
        yield from _outside(cases, reading, place)
        return
    for number, case in enumerate(cases):
        if isinstance(case, str) and case.startswith(SCHEME):
            try:
                yield from _outside(case, reading, place)
            except FormatError as error:
                reading.reject(error)
        else:
            yield from _written(case, number, reading, place)


def lines(text: str, reading: EvalFileReading, place: str) -> Iterator[WrittenCase]:
    """Yield the cases of JSON Lines. A broken line is rejected; with `compat` the file is."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        here = f"{place}, line {number}"
        try:
            case = decode_json(line.strip())
            if not isinstance(case, dict):
                raise ValueError(f"expected an object; got {kind_of(case)}")
        except ValueError as error:
            if reading.compat:
                raise problem(here, str(error), "") from None
            reading.reject(problem(here, str(error), ""))
            continue
        yield WrittenCase(case, here, _name(case, number - 1))


def _written(case: Any, number: int, reading: EvalFileReading, place: str) -> Iterator[WrittenCase]:
    name = _name(case, number)
    here = f"{place}, case {name}"
    if isinstance(case, dict):
        yield WrittenCase(case, here, name)
        return
    try:
        reading.leave_out(here, f"expected an object with id and input; got {kind_of(case)}")
    except FormatError as error:
        reading.reject(error)


def _name(case: Any, number: int) -> str:
    found = case.get("id") if isinstance(case, dict) else None
    return found if isinstance(found, str) and found else f"number {number + 1}"


def _outside(name: str, reading: EvalFileReading, place: str) -> Iterator[WrittenCase]:
    folder, bare = reading.files.folder, name.removeprefix(SCHEME)
    if is_code(bare):
        raise no_code_here(place, bare)
    if is_pattern(bare):
        paths = folder.matching(bare, place)
        if not paths:
            reading.leave_out(place, f"no file matches {bare}", "Check the pattern.")
    else:
        found = reading.files.find(bare, folders=True)
        path = found.path
        if path is not None and path.is_dir():
            yield from _in_folders(path, reading, place)
            return
        paths = [folder.file(bare, place)]
    for path in paths:
        yield from _in_file(path, reading, place)


def _in_file(path: Path, reading: EvalFileReading, place: str) -> Iterator[WrittenCase]:
    text = reading.files.texts.text(path, place)
    if path.suffix.lower() == ".jsonl":
        yield from lines(text, reading, path.name)
        return
    if reading.is_newest and path.suffix.lower() == ".csv":
        for number, (case, here) in enumerate(rows_of_table(text, path.name, reading.lose)):
            yield WrittenCase(case, here, _name(case, number))
        return
    kinds = (".yaml", ".yml", ".json") if reading.is_newest else (".yaml", ".yml")
    if path.suffix.lower() not in kinds:
        raise problem(place, f"expected a file of YAML or JSON Lines; got {path.name}", "")
    cases = _yaml(path, text, place)
    if reading.is_newest and isinstance(cases, dict):
        cases = cases.get("tests")
    if cases is None:
        reading.warn(place, f"{path.name} is empty")
    elif not isinstance(cases, list):
        raise problem(place, f"{path.name}: expected a list of cases; got {kind_of(cases)}", "")
    else:
        for number, case in enumerate(cases):
            yield from _written(case, number, reading, path.name)


def _in_folders(folder: Path, reading: EvalFileReading, place: str) -> Iterator[WrittenCase]:
    """Yield a case for each folder inside one; the folder's name stands in for an id."""
    try:
        inside = sorted(item for item in folder.iterdir() if item.is_dir())[:_MOST_FOLDERS]
    except OSError as error:
        raise problem(place, f"{folder.name} cannot be read: {error.strerror or error}", "") from None
    for number, one in enumerate(inside):
        path = next((one / name for name in _CASE_FILES if (one / name).is_file()), None)
        if path is None or not path.resolve().is_relative_to(reading.files.folder.root):
            reading.warn(place, f"the folder {one.name} holds no case.yaml")
            continue
        here = f"{one.name}/{path.name}"
        try:
            case = _yaml(path, reading.files.texts.text(path, here), here)
        except FormatError as error:
            reading.reject(error)
            continue
        if isinstance(case, dict) and case.get("id") is None:
            case = {**case, "id": one.name}
        yield from _written(case, number, reading, here)


def _yaml(path: Path, text: str, place: str) -> Any:
    try:
        return load_yaml(text)
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
