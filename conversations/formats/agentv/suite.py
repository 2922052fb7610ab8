"""load_agentv: an eval file of AgentV as a Suite, whichever of its forms it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.files import (
    FileSearch,
    Folder,
    GitFiles,
    decode_json,
    kind_of,
    load_yaml,
    no_code_here,
    problem,
    read_text,
)
from turnwise.conversations.formats.agentv.cases import (
    Defaults,
    lose_what_is_no_object,
    read_case,
    targets_of,
)
from turnwise.conversations.formats.agentv.contents import guideline_patterns
from turnwise.conversations.formats.agentv.interpolation import with_environment
from turnwise.conversations.formats.agentv.keys import slips_of_suite
from turnwise.conversations.formats.agentv.newest_form import is_newest, newest_file
from turnwise.conversations.formats.agentv.targets import defined_targets
from turnwise.conversations.formats.agentv.unfollowed import tell_of_file
from turnwise.conversations.formats.agentv.written_cases import (
    CODE_SUFFIXES,
    EvalFileReading,
    WrittenCase,
    form_of,
    is_later_case,
    lines,
    listed_cases,
)
from turnwise.conversations.suites import Suite, SuiteCase, TargetSpec

FORMAT = "agentv"
_SETTINGS = ("name", "version", "threshold", "tags", "execution", "evaluateOptions")


def load_agentv(
    path: Path,
    *,
    compat: bool = False,
    environment: Mapping[str, str] | None = None,
    root: Path | None = None,
    network: bool = False,
    cache: Path | None = None,
    rewrite: Callable[[str], str] | None = None,
) -> Suite:
    """Read an eval file of AgentV: YAML, JSON, or JSON Lines with a YAML file of its name beside it.

    compat: do as AgentV does where turnwise is stricter. Then what is wrong in an evaluator leaves the
    evaluator out with a warning, an object is no input, and a broken line of JSON ends the file.
    environment: what ${{ VAR }} sees. root: the folder that no file may lie outside; otherwise the repository
    that the file lies in, else its folder. network: whether files on GitHub, GitLab and Bitbucket are
    fetched, with git. cache: where their repositories are kept; rewrite: what turns the address of a
    repository into the one that is fetched.

    A case's prompt is the text of its messages on one line; its messages hold the files that it names, and
    its options what else the file says. Without an evaluator it has one check, llm_judge on its criterion.
    A case that is incomplete is told in `settings["rejected"]` and in the warnings, and the rest loads.

    Raises NotFoundError where there is no file, FormatError where it is no such file, or one of a form that
    is not read, or where no case is left.
    """
    if not path.is_file():
        raise NotFoundError(f"There is no file {path}", next_step="Check the path.")
    place = path.name
    if path.suffix.lower() in CODE_SUFFIXES:
        raise no_code_here(place, "an eval file in TypeScript, JavaScript or Python")
    files = FileSearch(
        folder=Folder.of(path, root),
        # What a file names must not depend on where a person stands.
        working=Path.cwd() if compat else None,
        strict_root=not compat,
        git=GitFiles(cache or _usual_cache(), rewrite=rewrite) if network else None,
    )
    opened = _opened(path, place, files, environment, compat=compat)
    reading, document, key = opened.reading, opened.document, opened.key
    targets = defined_targets(reading, environment).with_own(opened.targets, place)
    if not reading.is_newest:
        # That form tells of its own fields.
        reading.tell(slips_of_suite(document, place))
    tell_of_file(document, reading, place)
    lose_what_is_no_object(document, ("execution", "metadata"), reading, place)
    _lose_what_is_no_share(document, reading, place)
    defaults = Defaults(
        document,
        place,
        _dataset(path, document, reading, key),
        by_line=not key,
        # AgentV 5 has no guidelines.
        patterns=() if reading.is_newest else guideline_patterns(reading),
        targets=targets,
        lost=reading.take_lost(),
    )
    cases = tuple(_cases(opened.cases, defaults, reading, environment))
    rejected = tuple(map(str, reading.rejected))
    if not cases and rejected:
        raise _all_rejected(place, reading.rejected, by_line=not key)
    settings = {name: document[name] for name in _SETTINGS if document.get(name) is not None}
    description = document.get("description")
    return Suite(
        format=FORMAT,
        source=path,
        root=root,
        description=description if isinstance(description, str) else "",
        targets=_targets(document, defaults, cases, reading),
        cases=cases,
        settings={**settings, "form": key or "jsonl", "dataset": defaults.dataset, "rejected": rejected},
        known_targets={name: targets.of(TargetSpec(id=name, label=name)) for name in targets.definitions},
        warnings=(*reading.warnings, *rejected),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """An eval file whose form is known. key: of its cases; empty for lines. targets: its own."""

    reading: EvalFileReading
    document: dict[str, Any]
    cases: Iterator[WrittenCase]
    key: str
    targets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def _opened(
    path: Path, place: str, files: FileSearch, environment: Mapping[str, str] | None, *, compat: bool
) -> _Opened:
    text = read_text(path, place)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        reading = EvalFileReading(files, is_later=False, compat=compat)
        cases = lines(text, reading, place)
        return _Opened(reading=reading, document=_beside(path, reading), cases=cases, key="")
    document = _document(path, text, place)
    if is_newest(document):
        reading = EvalFileReading(files, is_later=True, compat=compat, is_newest=True)
        newest = newest_file(document, reading, place, environment)
        return _Opened(
            reading=reading,
            document=newest.document,
            cases=newest.cases,
            key="tests",
            targets=newest.targets,
        )
    form = form_of(document, place)
    reading, key = EvalFileReading(files, is_later=form.is_later, compat=compat), form.key
    listed = document[key]
    if form.is_later:
        # The variables of a case are filled with it, so that one that is not set is that case's own.
        document = _filled({**document, key: None}, environment, reading, place)
        if isinstance(listed, str):
            listed = _filled({key: listed}, environment, reading, place)[key]
    return _Opened(reading=reading, document=document, cases=listed_cases(listed, reading, place), key=key)


def _lose_what_is_no_share(document: Mapping[str, Any], reading: EvalFileReading, place: str) -> None:
    """Keep that a threshold for all cases is none."""
    execution = document.get("execution")
    found = {"threshold": document.get("threshold")}
    found["execution, threshold"] = execution.get("threshold") if isinstance(execution, dict) else None
    for name, value in found.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 <= value <= 1):
            reading.lose(f"{place}, {name}", f"expected a number from 0 to 1; got {kind_of(value)}")


def _targets(
    document: Mapping[str, Any], defaults: Defaults, cases: Sequence[SuiteCase], reading: EvalFileReading
) -> tuple[TargetSpec, ...]:
    """Return the targets that a suite names, or its cases; each once."""
    of_suite = targets_of(document, defaults.execution, reading, defaults.place)
    named = [defaults.targets.of(target) for target in of_suite]
    found = {
        id(target): target for target in [*named, *(case.target for case in cases)] if target is not None
    }
    return tuple(found.values())


def _cases(
    written: Iterable[WrittenCase],
    defaults: Defaults,
    reading: EvalFileReading,
    environment: Mapping[str, str] | None,
) -> Iterator[SuiteCase]:
    names: set[str] = set()
    by_form = {later: replace(reading, is_later=later) for later in (False, True)}
    for index, case in enumerate(written):
        # A line of JSON says by its own fields which form it has.
        later = is_later_case(case.fields) if defaults.by_line else reading.is_later
        own = by_form[later]
        own.take_lost()
        try:
            is_filled = case.variables is not None or not later
            fields = case.fields if is_filled else _filled(case.fields, environment, own, case.place)
            read = list(read_case(replace(case, fields=fields), index, defaults, own))
        except FormatError as error:
            reading.reject(_with_lost(error, own.take_lost()))
            continue
        except RecursionError:
            reading.reject(problem(case.place, "it goes too deep", ""))
            continue
        if read[0].id in names:
            reading.warn(case.place, f"another case before it has the id {read[0].id}")
        names.add(read[0].id)
        yield from read


def _with_lost(error: FormatError, lost: Iterable[str]) -> FormatError:
    """Return the error of a case with what the case lost: that may be why."""
    return FormatError(error.title, detail="\n".join((error.detail, *lost)), next_step=error.next_step)


def _filled(
    fields: dict[str, Any], environment: Mapping[str, str] | None, reading: EvalFileReading, place: str
) -> dict[str, Any]:
    """Return fields with the variables of the environment filled; one that is not there is lost, and stays.

    The name of a target may be empty: another may be named on the command line.
    """

    def missing(name: str) -> str:
        why = "is not set" if environment is not None else "of the environment is seen with --trust alone"
        mark = f"${{{{ {name} }}}}"
        (reading.warn if is_target else reading.lose)(place, f"{mark}: the variable {name} {why}")
        return "" if is_target or reading.compat else mark

    filled: dict[str, Any] = {}
    for key, value in fields.items():
        is_target = key in ("target", "targets")
        if key == "execution" and isinstance(value, dict):
            filled[key] = _filled(value, environment, reading, f"{place}, {key}")
        else:
            filled[key] = with_environment(value, environment or {}, missing)
    return filled


def _document(path: Path, text: str, place: str) -> dict[str, Any]:
    try:
        document = decode_json(text) if path.suffix.lower() == ".json" else load_yaml(text)
    except ValueError as error:
        raise problem(place, str(error), "Correct the file.") from None
    except RecursionError:
        raise problem(place, "it goes too deep", "") from None
    if not isinstance(document, dict):
        got = kind_of(document)
        raise problem(
            place,
            f"expected an object with evalcases or tests; got {got}",
            f"Give an eval file; one may name a list of cases, as in tests: ./{place}.",
        )
    return document


def _beside(path: Path, reading: EvalFileReading) -> dict[str, Any]:
    """Return the settings for all lines of a JSON Lines file, from the YAML file of the same name beside
    it.
    """
    other = path.with_suffix(".yaml")
    if not other.is_file() or not other.resolve().is_relative_to(reading.files.folder.root):
        return {}
    try:
        document = load_yaml(read_text(other, other.name))
    except (FormatError, ValueError) as error:
        reading.leave_out(other.name, f"it cannot be read: {error}", "Correct the file.")
        return {}
    if not isinstance(document, dict):
        reading.leave_out(other.name, f"expected an object; got {kind_of(document)}", "Correct the file.")
        return {}
    return document


def _dataset(path: Path, document: Mapping[str, Any], reading: EvalFileReading, key: str) -> str:
    names = ("dataset",) if reading.is_strictly_early else ("dataset", "name")
    for name in names:
        value = document.get(name)
        if isinstance(value, str) and value.strip():
            # AgentV takes the name beside a file of lines with the blanks around it.
            return value if reading.is_strictly_early and not key else value.strip()
    stem = path.name.removesuffix(path.suffix)
    return (stem if reading.is_strictly_early else stem.removesuffix(".eval")) or "eval"


def _usual_cache() -> Path:
    # Only a file from the network needs it.
    from platformdirs import user_cache_path

    return user_cache_path("turnwise") / "repositories"


def _all_rejected(place: str, rejected: list[FormatError], *, by_line: bool) -> FormatError:
    if len(rejected) == 1:
        return rejected[0]
    return FormatError(
        f"{place} brings no case that can be read",
        detail="\n".join(map(str, rejected[:5])),
        next_step="Give a file of cases, each line with id, input and criteria; results are none."
        if by_line
        else "Correct the first of these; the rest may follow from it.",
    )
