"""Scenarios in files of other tools: deepeval's conversational goldens, AgentV's conversations, promptfoo's
simulated users.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.formats.deepeval import CONVERSATIONAL_GOLDEN, read_goldens
from turnwise.conversations.goldens import ConversationalGolden
from turnwise.conversations.models import shorten
from turnwise.conversations.scenarios.problems import Problems
from turnwise.conversations.scenarios.scenario import Scenario, UserScript
from turnwise.conversations.suites import SuiteCase

SIMULATED_USER = "promptfoo:simulated-user"
_ENVELOPES = ("goldens", "conversational_goldens", "conversationalGoldens")
_ABOUT = ("context", "tags", "comments", "custom_column_key_values", "expectations")
_TESTED = ("assert", "threshold", "metadata", "options")
"""What a test of promptfoo holds besides, which says nothing of the talk."""
_TEST = ("vars", "description", "provider", *_TESTED)
_CONFIG = ("instructions", "maxTurns", "initialMessages")


def goldens_as_scenarios(path: Path, text: str) -> list[Scenario]:
    """Return deepeval's conversational goldens: a scenario, who the user is, and what should come of it.

    Raises FormatError that names all that is wrong.
    """
    problems = Problems(path.name, text if path.suffix.lower() == ".json" else "")
    _check_golden_fields(path, text, problems)
    problems.check()
    found = []
    for number, golden in enumerate(read_goldens(path), start=1):
        case = f"golden {number}"
        if not isinstance(golden, ConversationalGolden) or not golden.scenario.strip():
            problems.add((), "a golden of one exchange; a user is played by a scenario", case=case)
            continue
        found.append(_of_golden(golden, f"{path.name}, {case}"))
    problems.check()
    return found


def _check_golden_fields(path: Path, text: str, problems: Problems) -> None:
    match path.suffix.lower():
        case ".csv":
            import csv

            head = next(csv.reader(text.splitlines()), [])
            problems.check_fields((), dict.fromkeys(head), CONVERSATIONAL_GOLDEN, "line 1")
        case ".jsonl" | ".ndjson":
            for number, line in enumerate(text.splitlines(), start=1):
                if line.strip():
                    _check_golden((), _loaded(line), f"line {number}", problems)
        case _:
            document = _loaded(text)
            named = next(
                (name for name in _ENVELOPES if isinstance(document, Mapping) and name in document), ""
            )
            listed = document[named] if named else document
            for number, record in enumerate(listed if isinstance(listed, list) else [listed]):
                at = (named, number) if named else (number,)
                _check_golden(at, record, f"golden {number + 1}", problems)


def _check_golden(at: tuple[str | int, ...], record: Any, case: str, problems: Problems) -> None:
    # What is no object at all, the reader of goldens refuses in its own words.
    if isinstance(record, Mapping):
        problems.check_fields(at, record, CONVERSATIONAL_GOLDEN, case)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_golden(golden: ConversationalGolden, place: str) -> Scenario:
    metadata = dict(golden.metadata or {})
    persona = metadata.pop("persona", None)
    told = [golden.user_description or "", persona if isinstance(persona, str) else json.dumps(persona or "")]
    about = {name: given for name in _ABOUT if (given := getattr(golden, name)) is not None}
    return Scenario(
        name=golden.name or golden.scenario,
        situation=golden.scenario,
        persona="\n".join(part for part in told if part.strip('"')),
        expected_outcome=golden.expected_outcome or "",
        stop=_outcome_is_there(golden.expected_outcome),
        role=golden.chatbot_role or "",
        opening=tuple((turn.role, turn.content) for turn in golden.turns or ()),
        about={**about, **({"metadata": metadata} if metadata else {})},
        place=place,
    )


def goldens_of(scenarios: Sequence[Scenario], notes: Sequence[str] = ()) -> list[ConversationalGolden]:
    """Return scenarios as deepeval's goldens. notes: a comment for each, where there are any.

    What a golden has no field for, such as facts and manner, stands in the description of its user.
    """
    return [
        _golden_of(one, note) for one, note in zip(scenarios, notes or [""] * len(scenarios), strict=True)
    ]


def _golden_of(one: Scenario, note: str) -> ConversationalGolden:
    knows = " ".join(fact.tell + (f" (only when {fact.when})" if fact.when else "") for fact in one.facts)
    wants = f"Wants: {one.goal}" if one.situation and one.goal not in ("", one.situation) else ""
    told = [one.persona, wants, one.manner, f"Knows: {knows}" if knows else ""]
    return ConversationalGolden(
        scenario=one.situation or one.goal,
        expected_outcome=one.expected_outcome or None,
        user_description="\n".join(part for part in told if part) or None,
        chatbot_role=one.role or None,
        name=one.name,
        comments=note or None,
        metadata=dict(one.about.get("metadata") or {}) or None,
        tags=list(one.about.get("tags") or ()) or None,
    )


def _outcome_is_there(outcome: str | None) -> str:
    return f"This has come about, or clearly will not: {outcome}" if outcome else ""


def conversations_as_scenarios(path: Path) -> tuple[list[Scenario], tuple[str, ...]]:
    """Return AgentV's conversations as scripts, and what is to be told of the file.

    Raises what `load_agentv` raises, and FormatError where a case cannot be read.
    """
    suite = load_agentv(path)
    if rejected := suite.settings.get("rejected"):
        raise FormatError(f"{path.name} cannot be played as it stands", detail="\n".join(map(str, rejected)))
    problems = Problems(path.name)
    talks = [case for case in suite.cases if case.turn_by_turn is not None]
    found = [_of_talk(case, path.name, problems) for case in talks]
    problems.check()
    remarks = []
    if others := len(suite.cases) - len(talks):
        remarks.append(f"{path.name}: {others} of its cases have one answer; `turnwise run` runs those.")
    if any(case.checks or any(turn.checks for turn in _turns(case)) for case in talks):
        remarks.append(
            f"{path.name}: its evaluators are left to `turnwise run`; --metric scores the sessions."
        )
    return found, tuple(remarks)


def _turns(case: SuiteCase) -> Sequence[Any]:
    return case.turn_by_turn.turns if case.turn_by_turn is not None else ()


def _of_talk(case: SuiteCase, name: str, problems: Problems) -> Scenario:
    label = case.id or f"case {case.index + 1}"
    lines = [
        _said(turn.input, f"turn {number}", label, problems)
        for number, turn in enumerate(_turns(case), start=1)
    ]
    opening = tuple(
        (str(one.get("role", "user")), _said(one.get("content"), "input", label, problems))
        for one in case.messages
    )
    return Scenario(
        name=label,
        situation=case.description,
        expected_outcome=case.criterion,
        script=UserScript(lines=tuple(lines)),
        opening=opening,
        max_turns=len(lines) or None,
        place=f"{name}, {label}",
    )


def _said(given: Any, field: str, case: str, problems: Problems) -> str:
    if isinstance(given, str):
        return given
    parts = list(given) if isinstance(given, list | tuple) else []
    texts = [
        part.get("content", part.get("value", part.get("text"))) if isinstance(part, Mapping) else part
        for part in parts
    ]
    if not texts or not all(isinstance(text, str) for text in texts):
        problems.add((field,), f"expected text that a user says; got {shorten(given)}", case=case)
        return ""
    return "\n\n".join(texts)


def is_simulated_users(document: Any) -> bool:
    """Whether a document of promptfoo has its simulated user talk."""
    return isinstance(document, Mapping) and SIMULATED_USER in json.dumps(
        [document.get("defaultTest"), document.get("tests"), document.get("providers")], default=str
    )


def simulated_users_as_scenarios(
    document: Mapping[str, Any], problems: Problems
) -> tuple[list[Scenario], tuple[str, ...]]:
    """Return the users that promptfoo would simulate, and what is to be told of the file.

    Raises FormatError that names all that is wrong.
    """
    from turnwise.conversations.templates import Templates

    usual = document.get("defaultTest")
    shared = usual if isinstance(usual, Mapping) else {}
    prompts = document.get("prompts")
    listed = [prompts] if isinstance(prompts, str) else prompts if isinstance(prompts, list) else []
    tests = document.get("tests")
    if not isinstance(tests, list) or not tests:
        problems.add(("tests",), f"expected a list of tests; got {shorten(tests)}")
        tests = []
    found = []
    for number, test in enumerate(tests):
        at, case = ("tests", number), f"test {number + 1}"
        if not isinstance(test, Mapping):
            problems.add(at, f"expected an object; got {shorten(test)}", case=case)
            continue
        problems.check_fields(at, test, _TEST, case)
        config = {**_config(shared.get("provider")), **_config(test.get("provider"))}
        problems.check_fields((*at, "provider", "config"), config, _CONFIG, case)
        variables = {**(shared.get("vars") or {}), **(test.get("vars") or {})}
        instructions = str(config.get("instructions") or "{{instructions}}")
        fill = Templates({}).fill
        goal = fill(instructions, variables).strip()
        if not goal:
            problems.add((*at, "vars", "instructions"), "a simulated user needs instructions", case=case)
        system = listed[0] if listed and isinstance(listed[0], str) else ""
        most = config.get("maxTurns")
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
            problems.add((*at, "provider", "config", "maxTurns"), "expected a whole number from 1", case=case)
            most = None
        found.append(
            Scenario(
                name=str(test.get("description") or goal or case),
                goal=goal,
                system=None if system.startswith("file://") else fill(system, variables),
                opening=_opening(
                    variables.get("initialMessages", config.get("initialMessages")), at, case, problems
                ),
                max_turns=most,
                place=problems.place(at, case),
            )
        )
    problems.check()
    tells = (
        [f"{problems.name}: its first prompt alone is the chatbot's system prompt."]
        if len(listed) > 1
        else []
    )
    if any(isinstance(test, Mapping) and test.get("assert") for test in [*tests, shared]):
        tells.append(f"{problems.name}: its assertions are not checked; --metric scores the sessions.")
    return found, tuple(tells)


def _config(provider: Any) -> Mapping[str, Any]:
    config = provider.get("config") if isinstance(provider, Mapping) else None
    return config if isinstance(config, Mapping) else {}


def _opening(
    given: Any, at: tuple[str | int, ...], case: str, problems: Problems
) -> tuple[tuple[str, str], ...]:
    if isinstance(given, str) and given.strip().startswith("["):
        given = _loaded(given)
    if given is None:
        return ()
    read = []
    for one in given if isinstance(given, list) else [given]:
        role, content = (one.get("role"), one.get("content")) if isinstance(one, Mapping) else (None, None)
        if role not in ("user", "assistant", "system") or not isinstance(content, str):
            problems.add((*at, "initialMessages"), f"expected messages; got {shorten(one)}", case=case)
            return ()
        read.append((str(role), content))
    return tuple(read)
