"""Our own scenarios: YAML with a persona, a goal, facts, a manner and when to stop, or a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.conversations.scenarios.problems import Path, Problems
from turnwise.conversations.scenarios.scenario import KnownFact, Scenario, ScriptRule, UserScript

SCENARIOS = "scenarios"
_OF_ALL = ("role", "system", "persona", "manner", "stop", "max_turns", "tags")
"""What may stand beside the list, for every scenario that says nothing else."""
_TOP = (SCENARIOS, "description", *_OF_ALL)
_TEXTS = ("persona", "goal", "manner", "stop", "begin", "expected_outcome", "role")
_FIELDS = ("name", "scenario", *_TEXTS, "system", "facts", "script", "max_turns", "tags", "metadata", "from")
_FACT = ("tell", "when")
_RULE = ("when", "say", "times", "end")
DRAFTED_FROM = "from"
"""The session that a scenario was drafted from; kept in its metadata."""


def is_own(document: Any) -> bool:
    """Whether a document is a file of ours: it lists scenarios, and no tests of another tool."""
    return (
        isinstance(document, Mapping)
        and SCENARIOS in document
        and not {"prompts", "providers", "tests", "defaultTest", "targets"} & document.keys()
    )


def own_scenarios(document: Mapping[str, Any], problems: Problems) -> list[Scenario]:
    """Return the scenarios of a document. Raises FormatError that names all that is wrong."""
    problems.check_fields((), document, _TOP, "")
    shared = {name: document[name] for name in _OF_ALL if name in document}
    listed = document[SCENARIOS]
    if not isinstance(listed, list) or not listed:
        problems.add((SCENARIOS,), f"expected a list of scenarios; got {shorten(listed)}")
        listed = []
    found = [_Reading(problems, number, given).scenario(shared) for number, given in enumerate(listed)]
    problems.check()
    return [one for one in found if one is not None]


class _Reading:
    """One scenario as it stands in the file."""

    def __init__(self, problems: Problems, number: int, given: Any) -> None:
        self._problems = problems
        self._path: Path = (SCENARIOS, number)
        self._given = given
        named = given.get("name") if isinstance(given, Mapping) else None
        self._case = f"scenario {number + 1}" + (f" ({named})" if isinstance(named, str) else "")

    def scenario(self, shared: Mapping[str, Any]) -> Scenario | None:
        if not isinstance(self._given, Mapping):
            self._tell((), f"expected an object; got {shorten(self._given)}")
            return None
        self._problems.check_fields(self._path, self._given, _FIELDS, self._case)
        given = {**shared, **self._given}
        texts = {name: self._text((name,), given.get(name)) for name in _TEXTS}
        situation = self._text(("scenario",), given.get("scenario"))
        script = self._script(given["script"]) if "script" in given else None
        if script is None and not (texts["goal"] or situation):
            self._tell(
                (), "a scenario says what its user wants, or what the user says", "Give goal or script."
            )
        name = self._text(("name",), given.get("name")) or texts["goal"] or situation
        return Scenario(
            name=name or self._case,
            situation=situation,
            system=None if given.get("system") is None else self._text(("system",), given["system"]),
            facts=tuple(self._facts(given.get("facts"))),
            script=script,
            max_turns=self._whole(("max_turns",), given.get("max_turns")),
            about=self._about(given),
            place=self._problems.place(self._path, self._case),
            persona=texts["persona"],
            goal=texts["goal"],
            manner=texts["manner"],
            stop=texts["stop"],
            begin=texts["begin"],
            expected_outcome=texts["expected_outcome"],
            role=texts["role"],
        )

    def _about(self, given: Mapping[str, Any]) -> dict[str, Any]:
        about: dict[str, Any] = {}
        metadata = given.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            self._tell(("metadata",), f"expected an object; got {shorten(metadata)}")
            metadata = {}
        origin = {"golden_from": given[DRAFTED_FROM]} if given.get(DRAFTED_FROM) is not None else {}
        if metadata or origin:
            about["metadata"] = {**metadata, **origin}
        if tags := self._texts(("tags",), given.get("tags")):
            about["tags"] = list(tags)
        return about

    def _facts(self, given: Any) -> list[KnownFact]:
        facts = []
        for number, one in enumerate(self._list(("facts",), given)):
            path = ("facts", number)
            if isinstance(one, Mapping):
                self._problems.check_fields((*self._path, *path), one, _FACT, self._case)
                tell, when = (self._text((*path, name), one.get(name)) for name in _FACT)
            else:
                tell, when = self._text(path, one), ""
            if not tell:
                self._tell(
                    path, "a fact says what is told", "Write it as text, or as {tell: ..., when: ...}."
                )
            facts.append(KnownFact(tell=tell, when=when))
        return facts

    def _script(self, given: Any) -> UserScript:
        lines: list[str] = []
        rules: list[ScriptRule] = []
        for number, one in enumerate(self._list(("script",), given)):
            path = ("script", number)
            if not isinstance(one, Mapping):
                lines.append(self._text(path, one))
                continue
            self._problems.check_fields((*self._path, *path), one, _RULE, self._case)
            rule = ScriptRule(
                say=self._texts((*path, "say"), one.get("say")),
                times=self._whole((*path, "times"), one.get("times")),
                ends=one.get("end") is True,
            )
            if not rule.say and not rule.ends:
                self._tell(path, "a rule says something or ends the talk", "Give say, or end: true.")
            try:
                rules.append(replace(rule, when=self._text((*path, "when"), one.get("when"))))
            except SettingError as error:
                self._tell((*path, "when"), f"{error.title}: {error.detail}")
        if not lines and not rules:
            self._tell(("script",), "expected lines and rules; got none")
        elif not lines and all(rule.when for rule in rules) and not self._given.get("begin"):
            self._tell(("script",), "nothing is said first", "Begin with a line, or give begin.")
        return UserScript(lines=tuple(lines), rules=tuple(rules))

    def _list(self, path: Path, given: Any) -> Sequence[Any]:
        if given is None:
            return ()
        if not isinstance(given, list):
            self._tell(path, f"expected a list; got {shorten(given)}")
            return ()
        return given

    def _texts(self, path: Path, given: Any) -> tuple[str, ...]:
        listed = [given] if isinstance(given, str) else self._list(path, given)
        texts = [self._text((*path, number), one) for number, one in enumerate(listed)]
        return tuple(text for text in texts if text)

    def _text(self, path: Path, given: Any) -> str:
        return self._problems.text((*self._path, *path), given, self._case)

    def _whole(self, path: Path, given: Any) -> int | None:
        if given is None:
            return None
        if isinstance(given, bool) or not isinstance(given, int) or given < 1:
            self._tell(path, f"expected a whole number from 1; got {shorten(given)}")
            return None
        return given

    def _tell(self, path: Path, problem: str, next_step: str = "") -> None:
        self._problems.add((*self._path, *path), problem, case=self._case, next_step=next_step)


def written_scenarios(scenarios: Sequence[Scenario], notes: Sequence[str] = ()) -> str:
    """Return scenarios as a file of ours. notes: a remark above each, where there are any."""
    import yaml

    parts = ["scenarios:\n"]
    for one, note in zip_longest(scenarios, notes[: len(scenarios)], fillvalue=""):
        assert isinstance(one, Scenario)  # noqa: S101 - there are no more notes than scenarios
        parts += [f"  # {line}\n" for line in note.splitlines()]
        text = yaml.safe_dump(_plain(one), allow_unicode=True, sort_keys=False, width=100)
        first, *rest = text.splitlines()
        parts.append(f"  - {first}\n" + "".join(f"    {line}\n" if line else "\n" for line in rest))
    return "".join(parts)


def _plain(one: Scenario) -> dict[str, Any]:
    about = one.about
    metadata = dict(about.get("metadata") or {})
    origin = metadata.pop("golden_from", None)
    plain = {
        "name": one.name,
        "scenario": one.situation,
        **{name: getattr(one, name) for name in _TEXTS},
        "facts": [{"tell": fact.tell, "when": fact.when} if fact.when else fact.tell for fact in one.facts],
        "tags": list(about.get("tags") or ()),
        "metadata": metadata,
        DRAFTED_FROM: origin,
    }
    return {name: item for name, item in plain.items() if item not in ("", None, [], {})}
