"""Targets by name: what AgentV's .agentv/targets.yaml says of them, in later versions providers.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import kind_of, load_yaml
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.suites import TargetSpec
from turnwise.conversations.words import did_you_mean

DEFAULT = "default"
_FOLDERS = ("", ".agentv/")
_NAMES = ("targets.yaml", "targets.yml", "providers.yaml", "providers.yml")
_LISTS = ("targets", "providers")
_VARIABLE = re.compile(r"\$?\{\{\s*(?:env\.)?([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_KEYS = ("api_key", "apiKey")
_IN_FILE = "(written in the file)"
_MOST_STEPS = 10
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class DefinedTargets:
    """The targets that one file defines. place: its path, for messages; empty where there is none.

    environment: what a definition may see that only stands for another. made: those that were asked for.
    """

    place: str = ""
    definitions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    environment: Mapping[str, str] | None = None
    made: dict[str, TargetSpec] = field(default_factory=dict)

    def with_own(self, own: Mapping[str, Mapping[str, Any]], place: str) -> DefinedTargets:
        """Return them with those that an eval file defines itself, which go before."""
        if not own:
            return self
        return replace(self, definitions={**self.definitions, **own}, place=self.place or place, made={})

    def default(self) -> TargetSpec | None:
        """Return the target of cases that name none, where the file defines one."""
        return self.of(TargetSpec(id=DEFAULT, label=DEFAULT)) if DEFAULT in self.definitions else None

    def of(self, spec: TargetSpec) -> TargetSpec:
        """Return a target as it is defined. One that has a meaning of its own, as openai:MODEL, stays.

        Cases that name the same target share it, so that it is opened once.
        """
        key = f"{spec.id} {spec.config!r}"
        if key not in self.made:
            self.made[key] = self._made(spec)
        return self.made[key]

    def _made(self, spec: TargetSpec) -> TargetSpec:
        aliased = spec.config.get("use_target")
        name = aliased if isinstance(aliased, str) and aliased else spec.id
        try:
            definition = self._followed(name)
        except LookupError as error:
            told = str(error)
            return replace(spec, problem=told) if told else spec
        return replace(spec, definition=definition, defined_in=self.place)

    def _followed(self, name: str) -> Mapping[str, Any]:
        """Return the definition of a name, through those that only stand for another.

        Raises LookupError with what is wrong; with nothing where the name means something by itself.
        """
        for _ in range(_MOST_STEPS):
            if name not in self.definitions:
                raise LookupError("" if _means_something(name) else self._unknown(name))
            definition = self.definitions[name]
            other = definition.get("use_target")
            if not isinstance(other, str) or not other.strip():
                return _without_secrets(definition)
            name = self._filled(other.strip(), name)
        raise LookupError(f"{self.place}: {name}: use_target leads round in a circle")

    def _filled(self, other: str, name: str) -> str:
        variable = _VARIABLE.fullmatch(other)
        if variable is None:
            return other
        if self.environment is None:
            raise LookupError(
                f"{self.place}: {name} is what the variable {variable[1]} says, which takes --trust"
            )
        found = self.environment.get(variable[1], "").strip()
        if not found:
            raise LookupError(
                f"{self.place}: {name} is what the variable {variable[1]} says, which is not set"
            )
        return found

    def _unknown(self, name: str) -> str:
        if not self.place:
            return f"there is no .agentv/targets.yaml here or above that says what {name} is"
        likely = (
            did_you_mean(name, self.definitions) or f"It defines {', '.join(self.definitions)}."[:_LONGEST]
        )
        return f"{self.place} defines no target {name}. {likely}"


def defined_targets(reading: EvalFileReading, environment: Mapping[str, str] | None = None) -> DefinedTargets:
    """Return the targets of the nearest file of such, from the eval file's folder up to the border.

    A definition that means nothing is told, and left out.
    """
    for path in _candidates(reading):
        place = path.relative_to(reading.files.folder.root).as_posix()
        try:
            document = load_yaml(reading.files.texts.text(path, place))
        except (FormatError, ValueError) as error:
            reading.warn(place, f"it cannot be read: {error}")
            continue
        listed = document
        if isinstance(document, dict):
            listed = next((document[key] for key in _LISTS if key in document), None)
        if not isinstance(listed, list):
            reading.warn(place, f"expected a list of targets; got {kind_of(listed)}")
            continue
        definitions = dict(_definitions(listed, reading, place))
        return DefinedTargets(place, definitions, environment)
    return DefinedTargets(environment=environment)


def provider_entry(entry: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the definition of an entry: {name, provider, ...}, or as later versions write it.

    These have {id: PROVIDER, label: NAME, config: {...}}, {PROVIDER: {...}}, or PROVIDER alone.
    """
    if isinstance(entry, str) and entry.strip():
        yield entry.strip(), {"provider": entry.strip()}
    elif isinstance(entry, dict) and isinstance(entry.get("name"), str) and "id" not in entry:
        yield entry["name"].strip(), dict(entry)
    elif isinstance(entry, dict) and isinstance(entry.get("id"), str):
        label = entry.get("label")
        config = entry["config"] if isinstance(entry.get("config"), dict) else {}
        own = {key: item for key, item in entry.items() if key not in ("id", "label", "config")}
        name = label.strip() if isinstance(label, str) and label.strip() else entry["id"].strip()
        yield name, {**own, **config, "provider": entry["id"].strip()}
    elif isinstance(entry, dict) and "provider" not in entry:
        for name, item in entry.items():
            yield from provider_entry({**item, "id": name}) if isinstance(item, dict) else ()


def _candidates(reading: EvalFileReading) -> Iterator[Path]:
    root = reading.files.folder.root
    for folder in reading.files.roots():
        for name in (f"{inside}{name}" for inside in _FOLDERS for name in _NAMES):
            path = folder / name
            if path.is_file() and path.resolve().is_relative_to(root):
                yield path


def _definitions(
    listed: list[Any], reading: EvalFileReading, place: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, entry in enumerate(listed):
        found = [(name, item) for name, item in provider_entry(entry) if name]
        if not found:
            reading.warn(
                f"{place}, target {number + 1}", f"expected a name and a provider; got {kind_of(entry)}"
            )
        yield from found


def _means_something(name: str) -> bool:
    """Whether a target can be asked by its name alone: echo, PROVIDER:MODEL, an address."""
    return name == "echo" or ":" in name


def _without_secrets(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a definition without a key that is written in it; such a one is not used, and not kept."""
    return {
        key: _IN_FILE if key in _KEYS and isinstance(item, str) and not _VARIABLE.search(item) else item
        for key, item in definition.items()
    }
