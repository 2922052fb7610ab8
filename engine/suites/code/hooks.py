"""Hooks: the extensions of a suite, called before and after each of its cases, and after all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.formats.promptfoo import EXTENSION_DEFAULTS, arguments_of, changed_case, told_test
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.conversations.templates import Templates
from turnwise.engine.checks.findings import CaseOutcome
from turnwise.engine.suites.code.suite_code import SuiteCode
from turnwise.engine.suites.grouping import is_made_by_code, raw_prompt
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.messages import plain


@dataclass(slots=True)
class Hooks:
    """Calls the extensions of a suite. compat: do as promptfoo does where it is weaker."""

    names: Sequence[str]
    suite: Suite
    code: SuiteCode
    templates: Templates
    compat: bool = field(kw_only=True, default=False)
    _results: list[dict[str, Any]] = field(default_factory=list)

    async def before_each(self, case: SuiteCase) -> SuiteCase:
        """Return a case as the extensions have it before it is asked.

        Raises SettingError where one fails, FormatError where what it gives is no test.
        """
        told = plain(told_test(case))
        test = (await self._called("beforeEach", {"test": told})).get("test")
        if test == told:
            return case
        if not isinstance(test, Mapping):
            raise SettingError(
                "An extension gives no test back before it is asked", next_step="Let it return its context."
            )
        raw = None if is_made_by_code(self.suite, case) else raw_prompt(self.suite, case)
        return changed_case(case, test, raw, self.code.folder, self.templates, self.code, compat=self.compat)

    async def after_each(self, run: CaseRun) -> CaseRun:
        """Return what became of a case, with the scores and metadata that extensions add.

        One that fails makes it a failure; with promptfoo it adds nothing.
        """
        result = _told_result(run)
        try:
            found = await self._called("afterEach", {"test": plain(told_test(run.case)), "result": result})
        except TurnwiseError as error:
            if self.compat or run.result.word == "failure":
                return run
            return replace(run, result=CaseOutcome.of("failure", 0.0, f"{error.title}: {error.detail}"))
        given = found.get("result")
        if not isinstance(given, Mapping) or given == result:
            return run
        named, metadata = given.get("namedScores"), given.get("metadata")
        scores = {**run.result.named_scores, **(_numbers(named) if isinstance(named, Mapping) else {})}
        own = {**run.case.metadata, **(metadata if isinstance(metadata, Mapping) else {})}
        return replace(
            run, case=replace(run.case, metadata=own), result=replace(run.result, named_scores=scores)
        )

    def take(self, run: CaseRun) -> None:
        """Hold what became of a case for those that are called after all."""
        if any(arguments_of(name, "afterAll", {}) for name in self.names):
            self._results.append(_told_result(run))

    async def after_all(self) -> None:
        """Tell the extensions what became of all cases. Raises SettingError where one fails."""
        prompts = [dict(one) for one in self.suite.settings.get("prompts") or ()]
        about = {"description": self.suite.description, "prompts": prompts}
        await self._called(
            "afterAll", {"results": self._results, "prompts": prompts, "suite": about, "config": about}
        )

    async def _called(self, moment: Any, context: dict[str, Any]) -> dict[str, Any]:
        for name in self.names:
            called = arguments_of(name, moment, context)
            if called is None:
                continue
            arguments, kept = called
            place = f"{self.code.name}, extensions"
            found = await self.code.run_script(name, EXTENSION_DEFAULTS, arguments, place, kept=kept)
            if found.error:
                raise SettingError(
                    f"An extension failed at {moment}",
                    detail=f"{name.removeprefix('file://')}: {found.error}",
                    next_step="Mend the extension.",
                )
            if isinstance(found.value, dict) and found.value:
                context = {**context, **found.value}
        return context


def _told_result(run: CaseRun) -> dict[str, Any]:
    """Return what extensions are told of what became of a case, under promptfoo's names."""
    case, result = run.case, run.result
    checks = [
        {"pass": one.passed, "score": one.score, "reason": one.reason, "assertion": {"type": one.type}}
        for one in result.checks
    ]
    grading = {"pass": result.passed, "score": result.score, "reason": result.reason}
    told: dict[str, Any] = {
        "testIdx": case.index,
        "promptIdx": case.prompt_index,
        "description": case.description,
        "prompt": {"raw": run.prompt, "label": case.prompt_label},
        "provider": {"id": case.target.id, "label": case.target.label} if case.target else {},
        "vars": dict(case.vars),
        "response": {"output": run.output, "metadata": {}},
        "success": result.passed,
        "score": result.score,
        "namedScores": dict(result.named_scores),
        "metadata": dict(case.metadata),
        "cost": run.cost,
        "gradingResult": {**grading, "componentResults": checks, "namedScores": dict(result.named_scores)},
        **({"error": result.reason} if result.word == "failure" else {}),
    }
    found: dict[str, Any] = plain(told)
    return found


def _numbers(named: Mapping[str, Any]) -> dict[str, float]:
    return {
        str(name): float(score)
        for name, score in named.items()
        if isinstance(score, int | float) and not isinstance(score, bool) and is_finite(score)
    }
