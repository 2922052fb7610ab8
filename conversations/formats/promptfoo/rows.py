"""Rows: a test for every combination of its variables, every prompt and every target."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import (
    SCHEME,
    CodeRunner,
    NoCode,
    located,
    problem,
    script_of,
)
from turnwise.conversations.formats.promptfoo.checks import CheckReader, texts_of
from turnwise.conversations.formats.promptfoo.configurations import DEFAULT_PROMPT
from turnwise.conversations.formats.promptfoo.documents import WrittenTest
from turnwise.conversations.formats.promptfoo.prompts import PromptText
from turnwise.conversations.formats.promptfoo.targets import is_named, target_of
from turnwise.conversations.formats.promptfoo.undefined import meant_instead, names_shown
from turnwise.conversations.formats.promptfoo.variables import (
    combinations,
    fill_prompt,
    filled_variables,
    has_code,
)
from turnwise.conversations.suites import SuiteCase, TargetSpec
from turnwise.conversations.templates import Templates, stays_as_written

_MOST_CASES = 1_000_000


@dataclass(frozen=True, slots=True)
class PromptColumn:
    """One prompt for one target: what promptfoo numbers as promptIdx.

    number: of the prompt in the file, from 0. answers_all: the target answers whatever tests say of targets.
    """

    prompt: PromptText
    target: TargetSpec | None
    index: int
    number: int
    answers_all: bool = False

    def target_of(self, fields: Mapping[str, Any], place: str) -> TargetSpec | None:
        """Return who answers a test: the target that it names for itself, else that of the column."""
        own = None if self.answers_all else fields.get("provider")
        return target_of(own, place) if own else self.target

    def is_for(self, fields: Mapping[str, Any]) -> bool:
        """Whether a test is asked by this prompt, and of this target."""
        named = self.answers_all or self.target is None or is_named(self.target, fields.get("providers"))
        return named and self.prompt.is_named(fields.get("prompts"))


@dataclass(slots=True)
class Rows:
    """Makes the rows of tests, counting them."""

    columns: tuple[PromptColumn, ...]
    templates: Templates
    checks: CheckReader
    code: CodeRunner = field(default_factory=NoCode)
    compat: bool = False
    warn: Callable[[str], None] = lambda text: None
    """Keeps what a person should know."""
    count: int = 0
    stored: set[str] = field(default_factory=set)
    """The names under which answers are kept for the tests behind them."""

    def of(self, test: WrittenTest, fields: dict[str, Any]) -> Iterator[SuiteCase]:
        """Yield a test's rows: for every combination of variables, for every prompt and target."""
        expand = fields["options"].get("disableVarExpansion") is not True
        columns = [column for column in self.columns if column.is_for(fields)]
        if isinstance(kept := fields["options"].get("storeOutputAs"), str):
            self.stored.add(kept)
        given, problems = fields["vars"], list(test.problems)
        if transform := fields["options"].get("transformVars"):
            # What it adds may be a list, which then stands for several rows like any other.
            try:
                given = self._transformed(transform, given, test)
            except FormatError as error:
                problems.append(str(error))
        for variables in combinations(given, self.checks.folder, test.place, expand=expand):
            if self.count >= _MOST_CASES:
                raise problem(test.place, f"expected at most {_MOST_CASES:,} rows", "Split the file.")
            yield from self._row(test, fields, variables, columns, problems)
            self.count += 1

    def _row(
        self,
        test: WrittenTest,
        fields: dict[str, Any],
        variables: dict[str, Any],
        columns: list[PromptColumn],
        problems: list[str],
    ) -> Iterator[SuiteCase]:
        # A script that makes a variable is told which prompt it is for, so it is asked once for each.
        groups = [[column] for column in columns] if has_code(variables) else [columns]
        for group in groups:
            yield from self._cases(test, fields, variables, group, problems)

    def _transformed(self, transform: Any, variables: dict[str, Any], test: WrittenTest) -> dict[str, Any]:
        """Return the variables with what a script or an expression adds to them."""
        place = f"{test.place}, transformVars"
        context = {"prompt": {}, "uuid": str(uuid4())}
        if not isinstance(transform, str):
            raise problem(place, "expected JavaScript or the name of a script", "Write it as text.")
        if transform.startswith(SCHEME):
            script, function = script_of(transform, self.checks.folder, place)
            given = [variables, context]
            made = self.code.call(script, function, ("get_transform",), given, place)
        else:
            made = self.code.evaluate(transform, {"vars": variables, "context": context}, place)
        if not isinstance(made, dict):
            raise problem(place, "expected an object of variables; got none", "Let it return one.")
        return {**variables, **made}

    def _cases(
        self,
        test: WrittenTest,
        fields: dict[str, Any],
        variables: dict[str, Any],
        columns: list[PromptColumn],
        known: list[str],
    ) -> Iterator[SuiteCase]:
        options = dict(fields["options"])
        problems = list(known)
        raw = columns[0].prompt.raw if columns else ""
        try:
            filled = filled_variables(
                variables, self.checks.folder, test.place, self.templates, self.code, raw
            )
        except FormatError as error:
            filled = variables
            problems.append(str(error))
        # A conversation begins empty; whoever runs it fills the prompt again, turn by turn.
        seen = {**filled, "_conversation": filled.get("_conversation", [])}
        checks = []
        for number, assertion in enumerate(fields["assert"], start=1):
            here = f"{test.place}, assert {number}"
            try:
                checks.append(self.checks.check(assertion, seen, here))
            except FormatError as error:
                problems.append(str(error))
            told = (self._undefined(text, seen, here) for text in texts_of(assertion))
            problems += [one for one in told if one]
        if "rubricPrompt" in options:
            try:
                options["rubricPrompt"] = self.checks.rubric_prompt(options["rubricPrompt"], test.place)
            except FormatError as error:
                problems.append(str(error))
        if isinstance(fields.get("assertScoringFunction"), str):
            options["assertScoringFunction"] = fields["assertScoringFunction"]
        for column in columns:
            prompt, failure = self._prompt(column, fields, seen, test.place)
            found = [*([failure] if failure else []), *problems]
            yield SuiteCase(
                index=self.count,
                description=_words(fields.get("description")),
                vars=variables,
                prompt=prompt,
                prompt_index=column.index,
                prompt_label=column.prompt.label,
                target=column.target_of(fields, test.place),
                output=fields.get("providerOutput") or None,
                checks=tuple(checks),
                threshold=fields.get("threshold"),
                metadata=fields["metadata"],
                options=options,
                problem="\n".join(found),
                filled_vars=filled if filled != variables else None,
            )

    def _prompt(
        self, column: PromptColumn, fields: Mapping[str, Any], variables: Mapping[str, Any], place: str
    ) -> tuple[str, str]:
        if column.prompt.problem:
            return "", column.prompt.problem
        try:
            raw = f"{fields['_prefix']}{column.prompt.raw}{fields['_suffix']}"
            if column.prompt.made_by:
                target = column.target_of(fields, place)
                about = {"id": target.id, "label": target.label} if target else {}
                told = {"vars": dict(variables), "provider": about}
                raw = column.prompt.text(self.code, told, self.checks.folder, place)
            elif found := self._undefined(raw, variables, f"{place}, prompt {column.prompt.label[:40]}"):
                return "", found
            return fill_prompt(self.templates, raw, variables, compat=self.compat), ""
        except FormatError as error:
            return "", str(located(error, f"{place}, prompt {column.prompt.label[:40]}"))

    def _undefined(self, raw: str, variables: Mapping[str, Any], here: str) -> str:
        """Return why a text with a misspelt variable cannot be used; warn of one that is not there."""
        if "{{" not in raw or stays_as_written(raw):
            return ""
        for name in names_shown(raw):
            if name in variables or name in self.stored:
                continue
            near, is_slip = meant_instead(name, raw, variables)
            told = f"no variable is called {name}, so that nothing stands in its place"
            advice = f"Did you mean {near}?" if near else "Give it under vars."
            if is_slip and not self.compat:
                return str(problem(here, told, advice))
            if raw != DEFAULT_PROMPT:
                # Of the prompt that nobody wrote it is told once for the whole file.
                self.warn(f"{here}: {told}. {advice}")
        return ""


def _words(description: Any) -> str:
    if isinstance(description, str):
        return description
    return "" if description is None else json.dumps(description, ensure_ascii=False)
