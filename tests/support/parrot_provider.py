"""The provider `parrot`: repeats what it is asked. It shows all that a new provider needs."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from turnwise.engine.models.faults import Fault
from turnwise.engine.models.provider import Choosing, Means, ModelReply, ModelRequest
from turnwise.engine.models.settings import ModelSettings


async def choose(name: str, choosing: Choosing) -> ModelSettings:
    """Return the model of that name; a parrot answers to every name."""
    return ModelSettings(provider="parrot", base_url="https://parrot.example", model=name, noun=choosing.noun)


def spec(settings: ModelSettings) -> str:
    """Return the text that chooses this model again."""
    return f"parrot:{settings.model}"


def open_provider(settings: ModelSettings, means: Means) -> Parrot:
    """Return what asks the model."""
    return Parrot(settings.model)


class Parrot:
    """Repeats what it is asked; see `Provider` for what each part is to do."""

    def __init__(self, model: str) -> None:
        """model: its name."""
        self.model = model

    async def load(self) -> None:
        """Import what a call needs; a parrot needs nothing."""

    async def open(self) -> None:
        """Connect; a parrot sits here already."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer one request as a whole."""
        said = request.messages_with()[-1]["content"]
        if "silence" in said:
            raise Fault("it sleeps", status=529, passing=False)
        text = json.dumps({"reason": said, "score": 8}) if request.schema else said
        return ModelReply(text=text, model=self.model, finish_reason="stop", usage={})

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str]:
        """Yield an answer piece by piece."""
        for word in request.messages[-1]["content"].split():
            yield word

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Post to another path of the same address; a parrot has none."""
        raise Fault("there is no such thing", status=501)

    async def leave(self) -> None:
        """Close the connections of the running event loop."""

    async def close(self) -> None:
        """Close all connections."""
