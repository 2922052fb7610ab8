"""Targets: the providers that a configuration names, whatever form it names them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnwise.conversations.files import SCHEME, Folder, is_code, load_yaml, problem, read_text
from turnwise.conversations.suites import TargetSpec

_DATA = (".yaml", ".yml", ".json")


def read_targets(providers: Any, folder: Folder, place: str) -> tuple[TargetSpec, ...]:
    """Return the targets under `providers` (or `targets`). Raises FormatError where one has no id."""
    if providers is None:
        return ()
    entries = providers if isinstance(providers, list) else [providers]
    return tuple(
        target
        for number, entry in enumerate(entries, start=1)
        for target in _of_entry(entry, folder, f"{place}, provider {number}", 0)
    )


def answering(name: str, targets: Sequence[TargetSpec]) -> TargetSpec:
    """Return who answers all prompts by this name: the first target of a file that has it as its id, or a new
    one.
    """
    own = next((target.config for target in targets if target.id == name), {})
    return TargetSpec(id=name, config={key: item for key, item in own.items() if key != "prompts"})


def target_of(provider: Any, place: str) -> TargetSpec:
    """Return the target that one object or name means. Raises FormatError where it has no id."""
    if isinstance(provider, str) and provider:
        return TargetSpec(id=provider)
    if isinstance(provider, dict):
        identifier = provider.get("id")
        if isinstance(identifier, str) and identifier:
            return _spec(identifier, provider)
        if len(provider) == 1:
            # The short form is an object with one key, the id, and the settings as its value.
            name, settings = next(iter(provider.items()))
            if isinstance(settings, dict):
                return _spec(str(settings.get("id") or name), settings)
    raise problem(
        place, "id: expected the name of a target; got none", "Name the target, as in openai:gpt-4.1."
    )


def is_named(target: TargetSpec, names: Any) -> bool:
    """Whether a test's list of providers lets a target through, by its id or label; see matches."""
    if not isinstance(names, list):
        return True
    own = [name for name in (target.id, target.label) if name]
    return any(matches(name, one) for name in names if isinstance(name, str) and name for one in own)


def matches(wanted: str, name: str) -> bool:
    """Whether a name is the wanted one, matches it up to a `*` at its end, or continues it after a colon."""
    begins = wanted.endswith("*") and name.startswith(wanted[:-1])
    return name == wanted or begins or name.startswith(f"{wanted}:")


def _spec(identifier: str, fields: dict[str, Any]) -> TargetSpec:
    label = fields.get("label")
    config = {name: item for name, item in fields.items() if name not in ("id", "label")}
    return TargetSpec(id=identifier, label=label if isinstance(label, str) else "", config=config)


def _of_entry(entry: Any, folder: Folder, place: str, depth: int) -> Iterator[TargetSpec]:
    is_file = isinstance(entry, str) and entry.startswith(SCHEME) and not is_code(entry)
    if not is_file or not entry.endswith(_DATA) or depth:
        yield target_of(entry, place)
        return
    path = folder.file(entry, place)
    try:
        document = load_yaml(read_text(path, place))
    except ValueError as error:
        raise problem(place, f"{path.name}: {error}", "") from None
    for one in document if isinstance(document, list) else [document]:
        yield from _of_entry(one, folder, f"{place}, {path.name}", depth + 1)
