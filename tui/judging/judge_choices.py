"""Which judges there are to choose from, found and never assumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from turnwise.engine.models.choose import spec_of
from turnwise.engine.models.providers import model_forms
from turnwise.tui.judging.judge_words import gigabytes

if TYPE_CHECKING:
    from turnwise.engine.models.embedded.catalogue import KnownModel
    from turnwise.engine.models.settings import ModelSettings

ALIVE, DEAD = "● answers", "○ does not answer"
Kind = Literal["ready", "named", "fetch", "typed", "none"]


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """One judge to choose.

    kind: ready (settings are there), named (by `spec`, to be asked), fetch (`model`, to be fetched first),
    typed (by the user), none (checks only). missing: why it cannot be chosen now. in_use: it judges now.
    is_dead: it was asked, and does not answer.
    """

    kind: Kind
    name: str
    note: str
    spec: str = ""
    settings: ModelSettings | None = None
    model: KnownModel | None = None
    missing: str = ""
    in_use: bool = False
    is_dead: bool = False

    @property
    def id(self) -> str:
        """What tells it from the others."""
        return f"{self.kind}:{self.spec}:{self.name}"


def used_choices(specs: Sequence[str], present: ModelSettings | None) -> list[JudgeChoice]:
    """Return the judges that were chosen before, the newest first, and the present one where it is none.

    specs: as `--judge` takes them.
    """
    now = None if present is None else spec_of(present)
    choices = [
        JudgeChoice("named", _name_in(spec), _used_note(spec, now), spec=spec, in_use=spec == now)
        for spec in specs
    ]
    if present is not None and now not in specs:
        address = "" if present.model_file is not None else f" · {present.address}"
        first = JudgeChoice("ready", present.model, f"in use{address}", settings=present, in_use=True)
        choices.insert(0, first)
    return choices


def without_used(choices: Iterable[JudgeChoice], used: Sequence[JudgeChoice]) -> list[JudgeChoice]:
    """Return the choices that are none of those used before."""
    known = {choice.spec or spec_of(choice.settings) for choice in used}
    return [one for one in choices if (one.spec or (one.settings and spec_of(one.settings))) not in known]


def with_answers(choices: Iterable[JudgeChoice], answers: Mapping[str, bool]) -> list[JudgeChoice]:
    """Say of those that were used before whether they answer. answers: of those that are known, by spec."""
    return [
        replace(
            one,
            note=f"{ALIVE if answers[one.spec] else DEAD} · {one.note}",
            is_dead=not answers[one.spec],
        )
        if one.spec in answers
        else one
        for one in choices
    ]


def first_place(choices: Sequence[JudgeChoice], *, wanted: bool) -> int:
    """Return at which choice the cursor starts: at the one in use, else at one that is there, else at none.

    wanted: whether something waits for a judge, for which none is no answer to begin with.
    """
    order: Sequence[Callable[[JudgeChoice], bool]] = (
        lambda one: one.in_use,
        lambda one: one.kind in ("ready", "named") and not one.missing and not one.is_dead,
        lambda one: one.kind == "none" and not wanted,
        lambda one: not one.missing,
    )
    return next((place for fits in order for place, one in enumerate(choices) if fits(one)), 0)


def _name_in(spec: str) -> str:
    """Return the model that a spec names, or its address where it names none."""
    url, _, model = spec.partition("#")
    return model or url


def _used_note(spec: str, now: str | None) -> str:
    address = spec.partition("#")[0] if "#" in spec else ""
    told = "in use" if spec == now else "used before"
    return f"{told} · {address}" if address else told


def choices_at_hand(environment: Mapping[str, str] | None = None) -> list[JudgeChoice]:
    """Return the judges that are known without asking: named ones, models here, models to fetch."""
    variables = os.environ if environment is None else environment
    return [*_named(variables), *_installed(), *_to_fetch()]


TYPED_FORMS = model_forms(without=("embedded", "offline"))
"""How a model of a provider is typed, beside those that lists offer."""
_TYPED = f"{TYPED_FORMS}, URL, .gguf file"


def last_choices(none: str) -> tuple[JudgeChoice, ...]:
    """Return what is offered below all judges. none: what goes on without one; empty where nothing does."""
    another = JudgeChoice("typed", "another", _TYPED)
    return (another, JudgeChoice("none", "none", none)) if none else (another,)


LAST_OF_A_METRIC = (
    JudgeChoice("typed", "another", _TYPED),
    JudgeChoice("none", "none of its own", "the judge of all others judges by it, too"),
)
"""The same where a judge is chosen for one metric."""


def _named(variables: Mapping[str, str]) -> Iterator[JudgeChoice]:
    from turnwise.engine.models.openai_compatible import DEFAULT_OPENAI_MODEL
    from turnwise.engine.models.settings import shown_address

    model = variables.get("OPENAI_MODEL", "")
    if address := variables.get("OPENAI_BASE_URL"):
        spec = f"{address}#{model}" if model else address
        yield JudgeChoice(
            "named", shown_address(address), f"{model}  named by OPENAI_BASE_URL".strip(), spec=spec
        )
    elif variables.get("OPENAI_API_KEY"):
        model = model or DEFAULT_OPENAI_MODEL
        note = "OpenAI, by your OPENAI_API_KEY; it costs money and sees the conversations"
        yield JudgeChoice("named", model, note, spec=f"openai:{model}")


def _installed() -> Iterator[JudgeChoice]:
    from turnwise.engine.models.embedded.folder import installed
    from turnwise.engine.models.embedded.provider import embedded_model

    for model in installed():
        if model.known is not None and not model.known.can_judge:
            continue
        quality = f"a {model.known.quality} judge" if model.known else "a model file of yours"
        yield JudgeChoice(
            "ready",
            model.name,
            f"embedded: runs on this machine; {quality}",
            settings=embedded_model(model.name if model.known else str(model.path)),
            missing=_embedded_missing(),
        )


def _to_fetch() -> Iterator[JudgeChoice]:
    from turnwise.engine.models.embedded.catalogue import KNOWN_MODELS
    from turnwise.engine.models.embedded.folder import installed

    here = {model.name for model in installed()}
    for model in KNOWN_MODELS:
        if model.can_judge and model.name not in here:
            yield JudgeChoice(
                "fetch",
                model.name,
                f"{gigabytes(model.size_bytes)} to fetch; runs here; a {model.quality} judge",
                model=model,
                missing=_embedded_missing(),
            )


async def local_choices() -> list[JudgeChoice]:
    """Ask the servers on this machine; those that answer are choices."""
    from turnwise.engine.models.served import local_models

    return [
        JudgeChoice("ready", settings.model, f"answers at {settings.address}", settings=settings)
        for settings in await local_models()
    ]


def _embedded_missing() -> str:
    return "" if find_spec("xllamacpp") else "needs: pip install 'turnwise[embedded]'"
