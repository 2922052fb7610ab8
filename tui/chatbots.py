"""Chatbots: which model is talked to where none, or any embedded one, was asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from turnwise.conversations.errors import NotFoundError, SettingError

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings


async def choose_chatbot(spec: str | None, *, environment: Mapping[str, str] | None = None) -> JudgeSettings:
    """Return what `choose_target` does; any installed model will do, also one that cannot judge.

    Raises what `choose_target` raises.
    """
    from turnwise.engine.targets import choose_target

    try:
        return await choose_target(spec, environment=environment)
    except (NotFoundError, SettingError):
        variables = os.environ if environment is None else environment
        named = variables.get("OPENAI_BASE_URL") or variables.get("OPENAI_API_KEY")
        any_will_do = spec == "embedded" or (not spec and not named)
        if any_will_do and (settings := _installed()) is not None:
            return settings
        raise


def _installed() -> JudgeSettings | None:
    from turnwise.engine.judge.choose import embedded_judge
    from turnwise.engine.judge.embedded.folder import installed

    models = installed()
    return embedded_judge(str(models[0].path)) if models else None
