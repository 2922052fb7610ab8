"""One case of an eval file, with what the suite says for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import kind_of, problem
from turnwise.conversations.formats.agentv.contents import (
    CaseInput,
    Messages,
    expanded_input,
    read_expected,
    read_input,
    reference_of,
    text_of,
    written_expected,
    written_input,
)
from turnwise.conversations.formats.agentv.evaluators import EARLY_KINDS, read_evaluators
from turnwise.conversations.formats.agentv.interpolation import with_variables
from turnwise.conversations.formats.agentv.keys import slips_of_case
from turnwise.conversations.formats.agentv.metadata import merged, of_all_cases
from turnwise.conversations.formats.agentv.rubrics import read_case_rubrics
from turnwise.conversations.formats.agentv.targets import DefinedTargets
from turnwise.conversations.formats.agentv.unfollowed import tell_of_case
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading, WrittenCase
from turnwise.conversations.suites import Aggregation, Check, SuiteCase, TargetSpec, TurnByTurn, TurnToAsk

_JUDGE = "llm_judge"
_FILLED = (
    "criteria",
    "expected_outcome",
    "outcome",
    "input",
    "input_files",
    "input_messages",
    "expected_output",
    "expected_messages",
    "turns",
)
_OWN_EVALUATORS = ("assertions", "assert", "execution", "evaluators")


def turn_by_turn_of(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> TurnByTurn | None:
    """Return the turns to ask and how their scores come together; None for a case of one answer.

    Each turn has its input as it is sent, its expected_output as written, and its assertions as checks.
    Raises FormatError where a turn cannot be sent.
    """
    mode = fields.get("mode")
    if mode not in (None, "conversation"):
        reading.leave_out(f"{place}, mode", f"expected conversation; got {kind_of(mode)}")
    if mode != "conversation":
        return None
    turns = fields.get("turns")
    if not isinstance(turns, list) or not turns:
        raise problem(f"{place}, turns", f"expected a list of turns; got {kind_of(turns)}", "")
    to_ask = tuple(_turn(turn, reading, f"{place}, turns[{number}]") for number, turn in enumerate(turns))
    aggregation = _chosen(fields, "aggregation", ("mean", "min", "max"), reading, place)
    on_failure = _chosen(fields, "on_turn_failure", ("continue", "stop"), reading, place)
    size = fields.get("window_size")
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        if size is not None:
            got = kind_of(size)
            reading.leave_out(f"{place}, window_size", f"expected a whole number from 1 up; got {got}")
        size = None
    return TurnByTurn(
        turns=to_ask,
        aggregation=cast("Aggregation", aggregation),
        stops_at_failure=on_failure == "stop",
        window_size=size,
    )


def _chosen(
    fields: Mapping[str, Any], name: str, allowed: tuple[str, ...], reading: EvalFileReading, place: str
) -> str:
    """Return the word that a field chooses; the first of those allowed where it chooses none of them."""
    value = fields.get(name)
    if value is not None and value not in allowed:
        reading.leave_out(f"{place}, {name}", f"expected one of {', '.join(allowed)}; got {kind_of(value)}")
    return value if isinstance(value, str) and value in allowed else allowed[0]


def _turn(turn: Any, reading: EvalFileReading, place: str) -> TurnToAsk:
    if not isinstance(turn, dict):
        raise problem(place, f"expected an object with an input; got {kind_of(turn)}", "")
    content = turn.get("input")
    if not isinstance(content, str | dict | list) or not content:
        raise problem(f"{place}, input", f"expected text, an object or parts; got {kind_of(content)}", "")
    return TurnToAsk(
        input=text_of(content, reading, place),
        expected_output=turn.get("expected_output"),
        checks=read_evaluators(turn.get("assertions"), reading, f"{place}, assertions"),
    )


@dataclass(slots=True)
class Defaults:
    """What an eval file says for all its cases.

    document: its top level, or what stands beside a file of lines. place: for messages. dataset: the name
    of the whole. by_line: whether the cases are lines of JSON. patterns: of the files that are guidelines.
    targets: those that names stand for. lost: what it asks for and no case can have.
    """

    document: Mapping[str, Any]
    place: str
    dataset: str
    by_line: bool
    patterns: Sequence[str]
    targets: DefinedTargets = field(default_factory=DefinedTargets)
    lost: tuple[str, ...] = ()
    _checks: tuple[Check, ...] | FormatError | None = field(default=None)
    _lost_checks: tuple[str, ...] = ()

    @property
    def execution(self) -> Mapping[str, Any]:
        """How the cases are run."""
        return _object(self.document, "execution")

    def checks(self, reading: EvalFileReading) -> tuple[Check, ...]:
        """Return the checks for all cases. Raises FormatError, at every call, where one of them means
        nothing.
        """
        if self._checks is None:
            before = reading.take_lost()
            try:
                self._checks = self._read(reading)
            except FormatError as error:
                self._checks = error
            self._lost_checks = reading.take_lost()
            reading.lost.update(dict.fromkeys(before))
        reading.lost.update(dict.fromkeys(self._lost_checks))
        if isinstance(self._checks, FormatError):
            raise self._checks
        return self._checks

    def _read(self, reading: EvalFileReading) -> tuple[Check, ...]:
        later = reading.is_later or not reading.compat
        listed = {key: self.document.get(key) for key in ("assertions", "assert") if later}
        for key in ("assertions", "assert", "evaluators"):
            if later or key == "evaluators":
                listed[f"execution, {key}"] = self.execution.get(key)
        given = [key for key, value in listed.items() if value is not None]
        for key in given[1:]:
            reading.lose(self.place, f"{key} counts for nothing beside {given[0]}; write one of them")
        return read_evaluators(listed[given[0]], reading, f"{self.place}, {given[0]}") if given else ()


def read_case(
    written: WrittenCase, index: int, defaults: Defaults, reading: EvalFileReading
) -> Iterator[SuiteCase]:
    """Yield a case, once for each target. Raises FormatError that names the field where it is incomplete.

    What it asks for and cannot have, such as a file, is its problem, which makes it a failure.
    """
    place = written.place
    variables = written.variables if written.variables is not None else _object(written.fields, "vars")
    is_filled = written.variables is not None or not reading.is_later
    fields = written.fields if is_filled else _filled(written, variables, reading)
    reading.tell(slips_of_case(fields, place))
    tell_of_case(fields, reading, place)
    lose_what_is_no_object(fields, ("execution", "metadata", "sidecar", "vars"), reading, place)
    execution = _object(fields, "execution")
    skips = execution.get("skip_defaults") is True
    suite_files = None if skips else _of_suite(defaults, "input_files", variables, reading)
    own = written_input(fields, reading, place, suite_files)
    expected = written_expected(fields, reading, place)
    criterion = _criterion(fields, reading, place)
    asks_turns = reading.is_later or not reading.compat
    turn_by_turn = turn_by_turn_of(fields, reading, place) if asks_turns else None
    _require(fields, own, expected, criterion, turn_by_turn, reading, place)
    before = [] if skips else _suite_input(defaults, variables, reading)
    found = read_input([*before, *own], reading, defaults.patterns, place)
    answers = read_expected(expected, reading, place)
    reference = reference_of(answers, compat=reading.compat)
    reading.files.texts.count(len(reference), place)
    options = _options(fields, [*before, *own], found, defaults)
    own_targets = targets_of(fields, execution, reading, place) or targets_of(
        defaults.document, defaults.execution, reading, defaults.place
    )
    checks = _checks(fields, execution, defaults, reading, place, turn_by_turn, criterion)
    case = SuiteCase(
        index=index,
        id=fields["id"],
        description=_text(fields, "description") or fields["id"],
        vars=variables,
        prompt=found.question,
        prompt_label=written.prompt_label,
        messages=tuple(found.sent),
        expected=answers,
        criterion=criterion,
        reference=reference,
        checks=checks,
        threshold=_share(execution.get("threshold"), reading, f"{place}, execution, threshold"),
        metadata={
            **merged(_object(fields, "metadata"), of_all_cases(defaults.document)),
            **_object(fields, "sidecar"),
        },
        options=options,
        problem="; ".join((*defaults.lost, *written.lost, *reading.take_lost())),
        turn_by_turn=turn_by_turn,
    )
    named: list[TargetSpec | None] = [defaults.targets.of(target) for target in own_targets]
    for target in named or [defaults.targets.default()]:
        yield case if target is None else _for(case, target)


def lose_what_is_no_object(
    fields: Mapping[str, Any], keys: Iterable[str], reading: EvalFileReading, place: str
) -> None:
    """Keep which fields are there and no object, so that what they were to say is lost."""
    for key in keys:
        if fields.get(key) is not None and not isinstance(fields[key], dict):
            reading.lose(f"{place}, {key}", f"expected an object; got {kind_of(fields[key])}")


def targets_of(
    fields: Mapping[str, Any], execution: Mapping[str, Any], reading: EvalFileReading, place: str
) -> list[TargetSpec]:
    """Return the targets that a case or a suite names."""
    listed = execution.get("targets")
    if listed is None:
        listed = execution.get("target", fields.get("target"))
    named = listed if isinstance(listed, list) else [] if listed in (None, "") else [listed]
    found: dict[str, TargetSpec] = {}
    for item in named:
        config = item if isinstance(item, dict) else {}
        name = config.get("name", config.get("id")) if config else item
        if isinstance(name, str) and name.strip():
            found[name.strip()] = TargetSpec(id=name.strip(), label=name.strip(), config=config)
        else:
            reading.lose(f"{place}, target", f"expected a name; got {kind_of(item)}")
    return list(found.values())


def _for(case: SuiteCase, target: TargetSpec) -> SuiteCase:
    # dataclasses.replace looks up every field, which costs more than reading a small case.
    return SuiteCase(
        **{name: getattr(case, name) for name in case.__dataclass_fields__ if name != "target"}, target=target
    )


def _filled(written: WrittenCase, variables: Mapping[str, Any], reading: EvalFileReading) -> dict[str, Any]:
    if not variables:
        return written.fields
    count = partial(reading.files.texts.count, place=written.place)
    return {
        key: with_variables(value, variables, count) if key in _FILLED else value
        for key, value in written.fields.items()
    }


def _of_suite(defaults: Defaults, key: str, variables: Mapping[str, Any], reading: EvalFileReading) -> Any:
    value = defaults.document.get(key) if reading.is_later else None
    if not variables or value is None:
        return value
    return with_variables(value, variables, partial(reading.files.texts.count, place=defaults.place))


def _suite_input(defaults: Defaults, variables: Mapping[str, Any], reading: EvalFileReading) -> Messages:
    value = _of_suite(defaults, "input", variables, reading)
    return expanded_input(value, reading, f"{defaults.place}, input")


def _criterion(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> str:
    names = ["criteria", "expected_outcome"] if reading.is_later else ["expected_outcome", "outcome"]
    if not reading.compat:
        names.append("outcome" if reading.is_later else "criteria")
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and (value or reading.is_strictly_early):
            return value
        if value is not None and not isinstance(value, str):
            reading.leave_out(f"{place}, {name}", f"expected text; got {kind_of(value)}", "Put it in quotes.")
    return ""


def _require(
    fields: Mapping[str, Any],
    own: Messages,
    expected: Messages,
    criterion: str,
    turn_by_turn: TurnByTurn | None,
    reading: EvalFileReading,
    place: str,
) -> None:
    """Raise FormatError with a line for each field that is missing."""
    missing: dict[str, str] = {}
    if not isinstance(fields.get("id"), str) or not fields["id"]:
        missing["id"] = f"expected text; got {kind_of(fields.get('id'))}"
    if not own and not (turn_by_turn and not reading.compat):
        missing["input"] = f"expected text, an object or messages; got {_given_input(fields)}"
    if not reading.is_later and not criterion:
        missing["expected_outcome"] = "expected what a good answer does, in words; got nothing"
    told = any(fields.get(key) is not None for key in ("assertions", "assert"))
    if reading.is_later and not (criterion or expected or told or turn_by_turn):
        missing["criteria"] = "expected criteria, expected_output, assertions or turns; got none"
    if missing:
        raise FormatError(
            f"{place.split(',')[0]} holds a case that is incomplete",
            detail="\n".join(f"{place}, {name}: {text}" for name, text in missing.items()),
            next_step="Write what is missing, and load the file again.",
        )


def _checks(
    fields: Mapping[str, Any],
    execution: Mapping[str, Any],
    defaults: Defaults,
    reading: EvalFileReading,
    place: str,
    turn_by_turn: TurnByTurn | None,
    criterion: str,
) -> tuple[Check, ...]:
    own_key, own = _own_evaluators(fields, execution, reading, place)
    checks = read_evaluators(own, reading, f"{place}, {own_key}")
    if reading.is_later:
        if execution.get("skip_defaults") is not True:
            checks = (*checks, *defaults.checks(reading))
    elif own is None and not (reading.compat and defaults.by_line and "execution" in fields):
        # AgentV lets the execution of a line replace all of the suite's, evaluators and all.
        checks = defaults.checks(reading)
    rubrics = fields.get("rubrics")
    if isinstance(rubrics, list):
        criteria = read_case_rubrics(rubrics, reading, f"{place}, rubrics")
        if criteria:
            checks = (
                Check(type=_JUDGE, metric="rubric", config={"name": "rubric", "rubrics": criteria}),
                *checks,
            )
    elif rubrics is not None:
        reading.leave_out(f"{place}, rubrics", f"expected a list of criteria; got {kind_of(rubrics)}")
    by_turn = turn_by_turn is not None and any(turn.checks for turn in turn_by_turn.turns)
    if checks or (by_turn and not criterion):
        return checks
    return (Check(type=_JUDGE, metric=_JUDGE, config={"name": _JUDGE}),)


def _own_evaluators(
    fields: Mapping[str, Any], execution: Mapping[str, Any], reading: EvalFileReading, place: str
) -> tuple[str, Any]:
    found = {
        "execution, evaluators": execution.get("evaluators"),
        "evaluators": fields.get("evaluators"),
        "assertions": fields.get("assertions"),
        "assert": fields.get("assert"),
    }
    order = list(found)
    if reading.is_later:
        order = [*order[2:], *order[:2]]
    elif reading.is_strictly_early:
        order = order[:2]
    if not reading.compat:
        found |= {f"execution, {key}": execution.get(key) for key in ("assertions", "assert")}
        order = [*order, "execution, assertions", "execution, assert"]
    given = [key for key in order if found[key] is not None]
    for key in given[1:]:
        reading.lose(place, f"{key} counts for nothing beside {given[0]}; write one of them")
    return (given[0], found[given[0]]) if given else (order[0], None)


def _given_input(fields: Mapping[str, Any]) -> str:
    value = fields.get("input_messages", fields.get("input"))
    return "an empty list" if value == [] else kind_of(value)


def _options(
    fields: Mapping[str, Any], written: Messages, found: CaseInput, defaults: Defaults
) -> dict[str, Any]:
    execution = _object(fields, "execution")
    kinds = (_text(fields, "evaluator"), _text(defaults.document, "evaluator"))
    options: dict[str, Any] = {
        "dataset": defaults.dataset,
        "conversation_id": _text(fields, "conversation_id"),
        "evaluator": next((kind for kind in kinds if kind in EARLY_KINDS), ""),
        "input_messages": written,
        "input_segments": found.segments,
        "input_files": [str(path) for path in found.files],
        "guideline_files": [str(path) for path in found.guidelines],
        "execution": execution,
    }
    return {name: value for name, value in options.items() if value}


def _share(value: Any, reading: EvalFileReading, place: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    reading.leave_out(place, f"expected a number from 0 to 1; got {kind_of(value)}")
    return None


def _object(fields: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = fields.get(key)
    return value if isinstance(value, dict) else {}


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""
