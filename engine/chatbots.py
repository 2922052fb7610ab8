"""Chatbots: any that can be talked to, by what a user calls it on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from turnwise.engine.http_target import HttpTarget
from turnwise.engine.targets import Target, choose_target

Chatbot = Target | HttpTarget
_DESCRIPTIONS = (".yaml", ".yml", ".json")


async def find_chatbot(spec: str | None, *, environment: Mapping[str, str] | None = None) -> Chatbot:
    """Return the chatbot that is meant, not opened yet.

    spec: what `choose_target` takes, or FILE.yaml, which describes an HTTP chatbot: url, method, headers,
    body and response. Raises what `choose_target` raises, NotFoundError and FormatError.
    """
    if spec and spec.lower().endswith(_DESCRIPTIONS) and "://" not in spec:
        return HttpTarget.of_file(Path(spec), environment)
    return Target(await choose_target(spec, environment=environment))
