"""Embeddings: texts as vectors, by a model of an OpenAI-compatible server, every one kept like an answer."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import math
import sys
from array import array
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import MalformedReplyError, SettingError
from turnwise.engine.judge.calls import CallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.models.choose import choose_model
from turnwise.engine.models.openai_compatible import OPENAI_URL
from turnwise.engine.models.provider import LookUp
from turnwise.engine.models.providers import PROVIDERS

NAME_ONE = "Name a model that does: --embeddings MODEL of the judge's server, or --embeddings URL#MODEL."
_OPENAI_MODEL = "text-embedding-3-large"


@dataclass(frozen=True, slots=True)
class TextVector:
    """A text as a vector. call: the key of the call that it came in."""

    vector: tuple[float, ...]
    call: str


@dataclass(frozen=True, slots=True)
class Embedder:
    """Turns texts into vectors. judge: whose server is asked. model: empty for what is asked for, or fits."""

    judge: Judge
    model: str = ""

    async def embed(self, texts: Sequence[str], *, model: str = "") -> list[TextVector]:
        """Return the texts as vectors of one length.

        model: what the asker would like; the embedder's own goes before. Raises JudgeError, and
        MalformedReplyError where the server's answer holds no vectors.
        """
        used = self.model or model or self._fitting()
        found = await asyncio.gather(*(self._one(text, used) for text in texts))
        if len({len(one.vector) for one in found}) > 1:
            raise _malformed("its vectors are not of one length")
        return found

    def _fitting(self) -> str:
        settings = self.judge.settings
        return _OPENAI_MODEL if settings.base_url.startswith(OPENAI_URL) else settings.model

    async def _one(self, text: str, model: str) -> TextVector:
        # As numbers in digits a vector is three times as long, on the way and in the database.
        body = {"model": model, "input": text, "encoding_format": "base64"}
        noun = f"embeddings by {model}"
        call = await self.judge.look_up(
            LookUp(path="/embeddings", body=body, noun=noun, next_step=NAME_ONE, check=_vector)
        )
        return TextVector(_vector(call.reply), call.key)


@asynccontextmanager
async def open_embedder(
    name: str | None, judge: Judge | None, book: CallBook | None = None
) -> AsyncIterator[Embedder | None]:
    """Give what makes vectors, and close it afterwards if it was opened here; None where nothing can.

    name: a model of the judge's server, or URL#MODEL or openai:MODEL as for a judge; None leaves it to the
    judge's server. Raises SettingError for a name that means nothing, and what choose_model raises.
    """
    if name is None:
        yield Embedder(judge) if judge else None
    elif "://" in name or (":" in name and name.partition(":")[0] in PROVIDERS):
        offline = judge is not None and judge.settings.is_offline
        settings = await choose_model(f"offline:{name}" if offline else name)
        if settings is None:
            raise _means_nothing(name)
        async with Judge(settings, book) as own:
            yield Embedder(own, settings.model)
    elif judge is None or not name.strip():
        raise _means_nothing(name)
    else:
        yield Embedder(judge, name.strip())


def _means_nothing(name: str) -> SettingError:
    return SettingError(
        f"There is no judge whose server could have the model {name!r}",
        next_step="Name the server too, as in --embeddings http://127.0.0.1:8080/v1#MODEL.",
    )


def _vector(reply: str) -> tuple[float, ...]:
    """Return the one vector of an answer, whether it is written in base64 or in digits."""
    try:
        held: Any = json.loads(reply)["data"][0]["embedding"]
        vector = _decoded(held) if isinstance(held, str) else tuple(float(number) for number in held)
    except (ValueError, KeyError, IndexError, TypeError, RecursionError, binascii.Error):
        raise _malformed("it holds no vector") from None
    if not vector or not all(map(math.isfinite, vector)) or not any(vector):
        raise _malformed("its vector is empty, or holds no numbers")
    return vector


def _decoded(text: str) -> tuple[float, ...]:
    numbers = array("f", base64.b64decode(text, validate=True))
    if sys.byteorder == "big":
        numbers.byteswap()
    return tuple(numbers)


def _malformed(told: str) -> MalformedReplyError:
    return MalformedReplyError(
        "The answer of the judge's server is no embedding", detail=told, next_step=NAME_ONE
    )
