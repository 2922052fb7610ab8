"""The folder where models are kept, and which models are in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.models.embedded.catalogue import KNOWN_MODELS, KnownModel, find_model

MODELS_VARIABLE = "TURNWISE_MODELS"
"""The environment variable that names another models folder."""

_SUFFIX = ".gguf"


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model file in the models folder; `known` is None for one that the user put there."""

    name: str
    path: Path
    size_bytes: int
    known: KnownModel | None


def models_folder() -> Path:
    """Return where models are kept: $TURNWISE_MODELS, else `models` in the user's data folder."""
    chosen = os.environ.get(MODELS_VARIABLE, "").strip()
    if chosen:
        return Path(chosen).expanduser()
    # platformdirs costs 14 ms, which a set variable saves.
    from platformdirs import user_data_path

    return user_data_path("turnwise", appauthor=False) / "models"


def is_complete(path: Path, model: KnownModel) -> bool:
    """Return whether the model's file is there at its full size.

    The hash is checked before a pulled file gets its name, so the size is enough afterwards.
    """
    return path.is_file() and path.stat().st_size == model.size_bytes


def installed(folder: Path | None = None) -> list[InstalledModel]:
    """Return the usable models in the folder: known ones in the catalogue's order, then others by name.

    A known model's file of the wrong size is left out. A folder that is not there holds nothing.
    """
    place = folder or models_folder()
    found = [
        InstalledModel(model.name, place / model.file_name, model.size_bytes, model)
        for model in KNOWN_MODELS
        if is_complete(place / model.file_name, model)
    ]
    known_files = {model.file_name for model in KNOWN_MODELS}
    others = sorted(place.glob(f"*{_SUFFIX}")) if place.is_dir() else []
    found += [
        InstalledModel(path.stem, path, path.stat().st_size, None)
        for path in others
        if path.name not in known_files and not path.name.startswith(".") and path.is_file()
    ]
    return found


def model_path(name_or_path: str | Path, folder: Path | None = None) -> Path:
    """Return the existing file for a known model's name, an installed model's name or a .gguf path.

    Raises NotFoundError: a known model that is not there says how to pull it, an unknown name
    names the nearest known one.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.lower().endswith(_SUFFIX) or "/" in text or "\\" in text:
        return _file_at(Path(text).expanduser())
    place = folder or models_folder()
    for model in installed(place):
        if model.known is None and model.name == text:
            return model.path
    known = find_model(text)
    path = place / known.file_name
    if is_complete(path, known):
        return path
    raise NotFoundError(
        f"The model {known.name} is not on this machine",
        detail=f"Looked for {path}.",
        next_step=f"Fetch it with: turnwise judge pull {known.name}",
    )


def _file_at(path: Path) -> Path:
    if path.is_file():
        return path
    names = ", ".join(model.name for model in KNOWN_MODELS)
    raise NotFoundError(
        f"There is no model file at {path}",
        detail="A model is given as the path of a .gguf file or as the name of a known model.",
        next_step=f"Check the path, or fetch a known model with: turnwise judge pull NAME ({names})",
    )
