"""Usual judge: the one that is taken where a command or the app is given none, and who named it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from turnwise.tui.settings.settings import Settings

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings

JUDGE_VARIABLE = "TURNWISE_JUDGE"
"""The environment variable that names a judge, as --judge takes it."""
_HIDDEN = re.compile(r"(?<=//)[^/#]*@|\?[^#]*")
"""What of an address may be a secret: a user's name and password, and a query."""
BY_OPTION = "by --judge"
BY_SETTINGS = "from your settings"


def usual_judge(settings: Settings, environment: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the judge that is meant, None for whatever `choose_model` finds, and who named it, in words.

    TURNWISE_JUDGE goes before the settings. What the environment says to all clients of OpenAI's API goes
    after them: a key that is there for another program must not send conversations anywhere.
    """
    if named := environment.get(JUDGE_VARIABLE, "").strip():
        return named, f"by {JUDGE_VARIABLE}, which goes before your settings"
    if settings.judge:
        return settings.judge, BY_SETTINGS
    if environment.get("OPENAI_BASE_URL"):
        return None, "by OPENAI_BASE_URL"
    if environment.get("OPENAI_API_KEY"):
        return None, "by your OPENAI_API_KEY"
    return None, "found on this machine"


def within_limits(judge: ModelSettings, settings: Settings) -> ModelSettings:
    """Return a judge that is waited for as the settings say; what they leave open stays the judge's own."""
    wanted: dict[str, Any] = {
        "timeout": settings.judge_timeout,
        "tries": settings.judge_tries,
        "longest_wait": settings.judge_longest_wait,
    }
    return replace(judge, **{name: value for name, value in wanted.items() if value is not None})


def shown_judge(named: str) -> str:
    """Return a judge as it was named, without what its address may hide."""
    return _HIDDEN.sub("", named)
