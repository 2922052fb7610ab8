"""Offered chatbots: those that were talked to before, then those that are found on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.engine.models.choose import spec_of

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class OfferedChatbot:
    """A chatbot to choose. target: its settings, or how it was named before."""

    id: str
    name: str
    note: str
    target: ModelSettings | str


def offered_chatbots(
    used: Sequence[str], found: Sequence[ModelSettings], answers: Mapping[str, bool]
) -> list[OfferedChatbot]:
    """Return what is offered, the chatbot that was talked to last first.

    used: as `--target` takes them. found: on this machine. answers: whether a server answers, by how it is
    named, where that is known.
    """
    by_spec = {spec_of(settings): settings for settings in found}
    offered = [
        OfferedChatbot(spec, *_words_of(spec, answers.get(spec)), by_spec.get(spec, spec)) for spec in used
    ]
    offered += [
        OfferedChatbot(str(place), *_words(settings), settings)
        for place, settings in enumerate(found)
        if spec_of(settings) not in used
    ]
    return offered


def _words_of(spec: str, answers: bool | None) -> tuple[str, str]:
    address, _, model = spec.partition("#")
    living = "" if answers is None else "● answers · " if answers else "○ does not answer · "
    return model or address, f"{living}talked to before{f' · {address}' if model else ''}"


def _words(settings: ModelSettings) -> tuple[str, str]:
    if settings.model_file is not None:
        return settings.model, "embedded: runs in this program"
    return settings.model, settings.address
