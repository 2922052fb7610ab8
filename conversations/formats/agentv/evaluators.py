"""Evaluators, which later files call assertions: each becomes a check that keeps all its settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from turnwise.conversations.files import kind_of, load_yaml, problem
from turnwise.conversations.formats.agentv.evaluator_fields import READERS, command_line, options_of
from turnwise.conversations.formats.agentv.keys import EVALUATOR, EVALUATORS, slips_of_evaluator
from turnwise.conversations.formats.agentv.newest_assertions import in_later_words
from turnwise.conversations.formats.agentv.rubrics import read_rubrics
from turnwise.conversations.formats.agentv.unfollowed import tell_of_evaluator
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.suites import Check
from turnwise.conversations.words import A_SLIP, did_you_mean

_MOST_INCLUDES = 3
EARLY_KINDS = frozenset(
    (
        "code_judge",
        "llm_judge",
        "rubric",
        "composite",
        "tool_trajectory",
        "field_accuracy",
        "latency",
        "cost",
        "token_usage",
        "execution_metrics",
    )
)
_NEWEST_KINDS = {
    "script": "code_judge",
    "llm_rubric": "llm_judge",
    "agent_rubric": "llm_judge",
    "assert_set": "composite",
}
_WITH_THRESHOLD = ("javascript", "python", "webhook", "similar")
"""Types whose threshold is the score from which they pass."""
_SAME_AS = {"code_grader": "code_judge", "llm_grader": "llm_judge"}
_JUDGED = frozenset(("llm_judge", "rubric", "rubrics"))
_MEMBERS = ("assertions", "assert", "evaluators")
_EARLY_AGGREGATORS = ("weighted_average", "code_judge", "llm_judge")
_AGGREGATORS = (*_EARLY_AGGREGATORS, "threshold")
_LATER_AGGREGATORS = {"code-grader": "code_judge", "llm-grader": "llm_judge"}
_JUDGE_SETTINGS = EVALUATOR | EVALUATORS["llm_judge"]
_EARLY_JUDGE_SETTINGS = frozenset(["name", "type", "prompt", "model", "rubrics", "weight", "config"])
_VARIABLE = re.compile(r"\{\{\s*([a-zA-Z0-9_]+)\s*\}\}")
_EARLY_ANSWERS = frozenset(("candidate_answer", "expected_messages"))
_ANSWERS = _EARLY_ANSWERS | {"output", "expected_output", "answer"}
_LONGEST_NAME = 30
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class EvaluatorEntry:
    """An evaluator as it is written, where it stands, and the reading that looks for its files."""

    value: Any
    place: str
    reading: EvalFileReading


def included(
    written: Sequence[Any], reading: EvalFileReading, place: str, chain: tuple[Path, ...] = ()
) -> Iterator[EvaluatorEntry]:
    """Yield the entries of a list, those of the files that it includes in their places.

    A name alone means a file of .agentv/templates; a path is looked for as any file is. Raises FormatError
    where there is none, and where files include each other.
    """
    for number, value in enumerate(written):
        here = f"{place}[{number}]"
        if not (
            isinstance(value, dict) and value.keys() == {"include"} and isinstance(value["include"], str)
        ):
            yield EvaluatorEntry(value, here, reading)
            continue
        name = value["include"]
        path = _found(name, reading, here)
        if path in chain or len(chain) >= _MOST_INCLUDES:
            raise problem(
                here, f"{name} is included over and over, or deeper than {_MOST_INCLUDES} files", ""
            )
        listed = _listed(path, reading, here)
        inside = replace(reading, files=replace(reading.files, first=path.parent))
        yield from included(listed, inside, f"{here}, {name}", (*chain, path))


def _found(name: str, reading: EvalFileReading, place: str) -> Path:
    is_path = name.startswith(".") or "/" in name or "\\" in name
    names = [name] if is_path else [f".agentv/templates/{name}.{suffix}" for suffix in ("yaml", "yml")]
    for one in names:
        found = reading.files.find(one)
        if found.path is not None:
            return found.path
    raise problem(place, f"include: {found.shown} cannot be used: {found.reason}", "Check the name.")


def _listed(path: Path, reading: EvalFileReading, place: str) -> list[Any]:
    try:
        document = load_yaml(reading.files.texts.text(path, place))
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    key = "assert" if reading.is_newest else "assertions"
    listed = document.get(key) if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise problem(place, f"{path.name}: expected an object with a list {key}", "")
    return listed


def read_evaluators(
    written: Any, reading: EvalFileReading, place: str, *, depth: int = 0
) -> tuple[Check, ...]:
    """Return the checks of a list of evaluators. Raises FormatError where one means nothing.

    With `compat` such a one is left out with a warning, as AgentV does it, but where AgentV leaves out the
    whole case. Texts in the list are criteria of one rubric, which weighs as much as it has criteria.
    """
    if written is None:
        return ()
    if not isinstance(written, list):
        reading.leave_out(place, f"expected a list of evaluators; got {kind_of(written)}")
        return ()
    if depth > _DEEPEST:
        raise problem(place, "evaluators are nested too deep", "")
    entries = _with_rubric(list(included(written, reading, place)))
    read = (_read(entry.value, entry.reading, entry.place, depth) for entry in entries)
    return tuple(check for check in read if check is not None)


def _with_rubric(entries: list[EvaluatorEntry]) -> list[EvaluatorEntry]:
    """Put one rubric of all texts where the first of them stands."""
    first = next((entry for entry in entries if isinstance(entry.value, str)), None)
    if first is None or first.reading.is_strictly_early:
        return entries
    texts = [entry.value.strip() for entry in entries if isinstance(entry.value, str) and entry.value.strip()]
    rubric: dict[str, Any] = {"type": "rubrics", "criteria": texts, "weight": len(texts)}
    if first.reading.is_newest:
        rubric = {"type": "llm-rubric", "value": texts, "weight": len(texts)}
    return [
        replace(entry, value=rubric) if entry is first else entry
        for entry in entries
        if not isinstance(entry.value, str) or (entry is first and texts)
    ]


def _read(fields: Any, reading: EvalFileReading, place: str, depth: int) -> Check | None:
    if not isinstance(fields, dict):
        reading.leave_out(place, f"expected an evaluator with a type; got {kind_of(fields)}")
        return None
    if reading.is_newest:
        try:
            fields = in_later_words(fields, reading, place)
        except ValueError as error:
            reading.leave_out(place, str(error), "Write what is judged.")
            return None
    written = fields.get("type")
    kind = _kind(written, reading)
    reading.tell(slips_of_evaluator(fields, kind, place))
    if kind is None:
        names = "" if reading.is_later else f" of {', '.join(sorted(EARLY_KINDS))}"
        near = did_you_mean(str(written), (*EARLY_KINDS, *READERS), alike=A_SLIP)
        reading.leave_out(f"{place}, type", f"expected a type{names}; got {kind_of(written)}", near)
        return None
    tell_of_evaluator(fields, kind, reading, place)
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        if reading.is_strictly_early:
            reading.warn(place, "it has no name")
            return None
        name = _usual_name(str(written), fields)
    children: tuple[Check, ...] = ()
    try:
        _check_settings(fields, reading)
        if kind == "composite":
            children, config = _composite(fields, reading, place, depth)
        elif kind in _JUDGED:
            config = _judge(fields, kind, reading, place)
        else:
            config = READERS[kind](fields, reading, place) if kind in READERS else {}
    except ValueError as error:
        reading.leave_out(place, str(error))
        return None
    return Check(
        type=str(written),
        negate=fields.get("negate") is True,
        value=fields.get("value"),
        threshold=_least(fields) if written not in _WITH_THRESHOLD else _share_of(fields, "threshold"),
        weight=_weight(fields, place),
        metric=name,
        config={**fields, "name": name, **config},
        children=children,
    )


def _check_settings(fields: Mapping[str, Any], reading: EvalFileReading) -> None:
    """Raise ValueError for a setting of any kind that means nothing; AgentV goes on without it."""
    if reading.compat:
        return
    negate, least = fields.get("negate"), fields.get("min_score")
    if negate is not None and not isinstance(negate, bool):
        raise ValueError(f"negate: expected true or false; got {kind_of(negate)}")
    if least is not None and _share_of(fields, "min_score") is None:
        got = least if _is_number(least) else kind_of(least)
        raise ValueError(f"min_score: expected a number over 0, up to 1; got {got}")


def _kind(written: Any, reading: EvalFileReading) -> str | None:
    """Return what is meant by a type, whichever way it is written; None where AgentV knows no such type.

    Later files may name types that code of their own defines; these stay as they are.
    """
    if not isinstance(written, str) or not written:
        return None
    if reading.is_strictly_early:
        return written if written in EARLY_KINDS else None
    kind = written.replace("-", "_")
    if reading.is_newest:
        return _NEWEST_KINDS.get(kind, kind)
    if reading.compat and kind in _SAME_AS.values():
        return None
    known = _SAME_AS.get(kind, kind)
    return known if reading.is_later or known in READERS or known in _JUDGED | {"composite"} else None


def _least(fields: Mapping[str, Any]) -> float | None:
    found = _share_of(fields, "min_score")
    return _share_of(fields, "required") if found is None else found


def _share_of(fields: Mapping[str, Any], name: str) -> float | None:
    value = fields.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1:
        return float(value)
    return None


def _weight(fields: Mapping[str, Any], place: str) -> float:
    value = fields.get("weight", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise problem(f"{place}, weight", f"expected a number; got {kind_of(value)}", "")
    if not is_finite(value) or value < 0:
        raise problem(f"{place}, weight", f"expected a number from 0 up; got {value}", "")
    return float(value)


def _usual_name(kind: str, fields: Mapping[str, Any]) -> str:
    value = fields.get("value", fields.get("skill"))
    if isinstance(value, str) and value:
        return f"{kind}-{value[:_LONGEST_NAME] if kind == 'regex' else value}"
    return f"{kind}-{len(value)}" if isinstance(value, list) else kind


def _composite(
    fields: Mapping[str, Any], reading: EvalFileReading, place: str, depth: int
) -> tuple[tuple[Check, ...], dict[str, Any]]:
    early = reading.is_strictly_early
    members = _MEMBERS[-1:] if early else _MEMBERS
    key = next((key for key in members if isinstance(fields.get(key), list)), None)
    if key is None:
        raise ValueError("evaluators: a composite needs a list of evaluators; got none")
    aggregator = fields.get("aggregator")
    if not isinstance(aggregator, dict):
        raise ValueError(f"aggregator: expected an object with a type; got {kind_of(aggregator)}")
    written = aggregator.get("type")
    kind = _LATER_AGGREGATORS.get(written, written) if isinstance(written, str) and not early else written
    if kind not in (_EARLY_AGGREGATORS if early else _AGGREGATORS) and not (
        kind == "set" and reading.is_newest
    ):
        allowed = ", ".join(_EARLY_AGGREGATORS if early else _AGGREGATORS)
        raise ValueError(f"aggregator, type: expected one of {allowed}; got {kind_of(written)}")
    children = read_evaluators(fields[key], reading, f"{place}, {key}", depth=depth + 1)
    if not children:
        raise ValueError(f"{key}: a composite needs at least one evaluator; none of its own can be used")
    own = dict(aggregator)
    if kind == "code_judge":
        if not isinstance(aggregator.get("path"), str) or not aggregator["path"]:
            raise ValueError("aggregator, path: expected the name of a program; got nothing")
        own["resolved_cwd"] = str(reading.files.folder.path)
    elif kind == "llm_judge" and isinstance(aggregator.get("prompt"), str):
        found = _prompt_file(aggregator["prompt"], reading, place)
        own.update(found)
        if not found:
            _lose_if_a_path(aggregator["prompt"], reading, f"{place}, aggregator, prompt")
    elif kind == "weighted_average" and isinstance(weights := aggregator.get("weights"), dict):
        own["weights"] = {name: share for name, share in weights.items() if _is_number(share)}
        _check_weights(weights, children, reading, f"{place}, aggregator, weights")
    return children, {"aggregator": own}


def _check_weights(
    weights: Mapping[str, Any], children: Sequence[Check], reading: EvalFileReading, place: str
) -> None:
    """Tell which weights are none, or of no member; AgentV lets both weigh 1."""
    names = [child.metric or child.type for child in children]
    for name, share in weights.items():
        if not _is_number(share):
            reading.leave_out(place, f"{name}: expected a number; got {kind_of(share)}")
        elif name not in names:
            near = did_you_mean(str(name), names) or f"It has {', '.join(names)}."
            reading.leave_out(place, f"there is no member {name}", near)


def _judge(fields: Mapping[str, Any], kind: str, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """Return the prompt and the criteria of a judged evaluator."""
    config: dict[str, Any] = {}
    prompt = fields.get("prompt")
    if isinstance(prompt, dict):
        words = prompt.get("command", prompt.get("script"))
        config["prompt_argv"] = _with_path(command_line(words, f"{place}, prompt"), reading, place)
        config["options"] = prompt["config"] if isinstance(prompt.get("config"), dict) else {}
    elif kind == "llm_judge":
        if isinstance(prompt, str):
            config.update(_prompt(prompt, reading, place))
        config["options"] = options_of(fields, _JUDGE_SETTINGS if reading.is_later else _EARLY_JUDGE_SETTINGS)
    written = fields.get("criteria", fields.get("rubrics")) if kind == "rubrics" else fields.get("rubrics")
    if isinstance(written, list):
        key = "criteria" if kind == "rubrics" and "criteria" in fields else "rubrics"
        config["rubrics"] = read_rubrics(written, reading, f"{place}, {key}")
    if kind != "llm_judge" and not config.get("rubrics"):
        raise ValueError(f"rubrics: expected a list of criteria; got {kind_of(written)}")
    return config


def _prompt(prompt: str, reading: EvalFileReading, place: str) -> dict[str, Any]:
    here = f"{place}, prompt"
    if reading.compat and reading.is_later and not prompt.startswith("file://"):
        return {"prompt_text": prompt}
    found = _prompt_file(prompt, reading, here)
    if not found:
        if reading.compat and prompt.startswith("file://"):
            raise problem(here, f"{prompt} is not there", "Check the path.")
        if reading.compat:
            reading.warn(here, f"there is no file {prompt!r}, so it is taken as the prompt itself")
        else:
            _lose_if_a_path(prompt, reading, here)
        return {"prompt_text": prompt}
    held = set(_VARIABLE.findall(found["prompt_text"]))
    allowed = _ANSWERS if reading.is_later or not reading.compat else _EARLY_ANSWERS
    if not held & allowed and (reading.compat or not reading.is_later):
        raise problem(
            here,
            f"{prompt} does not show the judge the answer; expected one of {', '.join(sorted(allowed))}"
            " in double braces",
            "Put the answer into the prompt.",
        )
    return found


def _prompt_file(prompt: str, reading: EvalFileReading, place: str) -> dict[str, Any]:
    found = reading.files.find(prompt)
    if found.path is None:
        return {}
    return {
        "prompt_text": reading.files.texts.text(found.path, place),
        "prompt_path": str(found.path),
    }


def _with_path(words: list[str], reading: EvalFileReading, place: str) -> list[str]:
    """Return a command whose last word is the path of its program, as it would be called."""
    found = reading.files.find(words[-1])
    if found.path is not None:
        return [*words[:-1], str(found.path)]
    told = f"prompt: the program {found.shown} cannot be used: {found.reason}"
    if reading.compat and reading.is_later:
        raise problem(place, told, "Check the path.")
    reading.lose(place, told)
    return [*words[:-1], os.path.normpath(reading.files.folder.path / found.shown)]


def _lose_if_a_path(prompt: str, reading: EvalFileReading, place: str) -> None:
    """Keep that a prompt is missing which can hardly be anything but the name of a file."""
    if prompt.startswith("file://") or re.fullmatch(r"\S*/\S*|\S+\.(md|txt|prompt)", prompt):
        reading.lose(place, f"the file {prompt} cannot be read: {reading.files.find(prompt).reason}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
