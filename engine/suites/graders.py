"""Graders: the judges that cases name for their own checks, where those can be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check, Suite, TargetSpec
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.suites.asking import grader_name
from turnwise.engine.suites.comparing import COMPARISONS
from turnwise.engine.suites.providers import ChatPlan, Rules, plan_of
from turnwise.engine.suites.registry import judged_function

_TAKEN = ("temperature", "max_tokens", "seed")


def named_graders(suite: Suite, rules: Rules) -> tuple[dict[str, JudgeSettings], list[str]]:
    """Return the judges that cases name as `options.provider`, by name, and why others are not asked."""
    found: dict[str, JudgeSettings] = {}
    reasons: dict[str, str] = {}
    for name, config in _named(suite):
        if name in found or name in reasons:
            continue
        try:
            plan = plan_of(TargetSpec(id=name, config={"config": config}), rules)
        except SettingError as error:
            reasons[name] = error.title
            continue
        if isinstance(plan, ChatPlan):
            own = {key: plan.options[key] for key in _TAKEN if key in plan.options}
            found[name] = replace(plan.settings, **own)
        else:
            reasons[name] = "it is no language model"
    told = [f"The grader {name} is not asked, the judge is: {why}" for name, why in reasons.items()]
    return found, told


def needs_judge(check: Check) -> bool:
    """Whether a judge answers a check, or one of its set."""
    asked = judged_function(check.type) is not None or check.type == COMPARISONS[1]
    return asked or any(map(needs_judge, check.children))


def _named(suite: Suite) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for case in suite.cases:
        if (name := grader_name(case)) and any(map(needs_judge, case.checks)):
            given = case.options.get("provider")
            config = given.get("config") if isinstance(given, Mapping) else None
            yield name, config if isinstance(config, Mapping) else {}
