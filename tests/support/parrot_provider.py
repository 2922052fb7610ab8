"""The provider `parrot`: repeats what it is asked. It shows all that a new provider needs."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from turnwise.engine.models.faults import Fault
from turnwise.engine.models.provider import Choosing, Means, ModelReply, ModelRequest
from turnwise.engine.models.settings import ModelSettings


async def choose(name: str, choosing: Choosing) -> ModelSettings:
    return ModelSettings(provider="parrot", base_url="https://parrot.example", model=name, noun=choosing.noun)


def spec(settings: ModelSettings) -> str:
    return f"parrot:{settings.model}"


def open_provider(settings: ModelSettings, means: Means) -> Parrot:
    return Parrot(settings.model)


class Parrot:
    def __init__(self, model: str) -> None:
        self.model = model

    async def open(self) -> None:
        pass

    async def complete(self, request: ModelRequest) -> ModelReply:
        said = request.messages_with()[-1]["content"]
        if "silence" in said:
            raise Fault("it sleeps", status=529, passing=False)
        text = json.dumps({"reason": said, "score": 8}) if request.schema else said
        return ModelReply(text=text, model=self.model, finish_reason="stop", usage={})

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str]:
        for word in request.messages[-1]["content"].split():
            yield word

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        raise Fault("there is no such thing", status=501)

    async def leave(self) -> None:
        pass

    async def close(self) -> None:
        pass
