"""The registry of metrics: every metric by its key, loaded when it is asked for.

The metrics of this package stand in `catalogue.METRICS`; other installed packages offer theirs as entry
points of the group `turnwise.metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.words import did_you_mean
from turnwise.engine.metrics.catalogue import METRICS
from turnwise.engine.metrics.metric import Metric

GROUP = "turnwise.metrics"
"""The group of entry points under which other packages offer metrics."""


def metric_keys() -> list[str]:
    """Return the keys of all metrics, in the order they are listed: ours, then those of other packages."""
    return [*METRICS, *(key for key in plugged_metrics() if key not in METRICS)]


def metric_class(key: str) -> type[Metric]:
    """Return the metric of a key.

    Raises NotFoundError with the nearest name, SettingError where another package's metric is broken.
    """
    wanted = key.strip().lower().replace("-", "_")
    home = METRICS.get(wanted)
    if home is None:
        plugged = plugged_metrics()
        if wanted in plugged:
            return load_plugged(plugged[wanted])
        near = did_you_mean(key, [*METRICS, *plugged])
        raise NotFoundError(
            f"There is no metric {key}",
            next_step=f"{near} `turnwise metrics` lists all of them.".lstrip(),
        )
    module, name = home.split(":")
    found: type[Metric] = getattr(import_module(f"turnwise.engine.metrics.{module}"), name)
    return found


def needs_criterion(key: str) -> bool:
    """Say whether a metric means nothing without a criterion.

    Raises NotFoundError for a key that no metric has, SettingError where another package's metric is broken.
    """
    return metric_class(key).main_setting == "criteria"


def make_metric(text: str) -> Metric:
    """Make a metric from its name with settings: `contains:refund`, `turn_relevancy:window_size=5`.

    Raises NotFoundError for an unknown metric, SettingError for a setting that it does not have.
    """
    key, _, given = text.partition(":")
    kind = metric_class(key)
    settings = _settings(kind, given.strip())
    try:
        return kind(**settings)
    except SettingError as error:
        if kind.main_sample and kind.main_setting not in settings:
            # It is named by a text here, so that is how it is completed.
            error.next_step = f"For example: --metric '{kind.key}:{kind.main_sample}'"
        raise


def _settings(kind: type[Metric], given: str) -> Mapping[str, Any]:
    if not given:
        return {}
    known = {item.name: item for item in fields(kind) if item.init and item.name not in ("model", "name")}
    parts = [part.partition("=") for part in given.split(",")]
    if all(name.strip() in known for name, _, _ in parts) and all(sign for _, sign, _ in parts):
        return {
            name.strip(): _value(kind.key, known[name.strip()], value.strip()) for name, _, value in parts
        }
    main = known.get(kind.main_setting)
    # A text may hold any sign, and a number none of these.
    if main is not None and not (_types_of(main) in _READERS and "=" in given):
        return {main.name: _value(kind.key, main, given)}
    wrong = next((name.strip() for name, _, _ in parts if name.strip() not in known), "")
    raise SettingError(
        f"{kind.key} has no setting {wrong}" if wrong else f"{kind.key}: a setting has no value",
        detail=f"It has: {', '.join(known)}",
        next_step=did_you_mean(wrong, known) or "Write each as NAME=VALUE, with commas between them.",
    )


def _truth(text: str) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in words:
        raise ValueError(text)
    return words[text.lower()]


def _number(text: str) -> float:
    if not is_finite(number := float(text)):
        raise ValueError(text)
    return number


_READERS: Mapping[frozenset[str], tuple[Callable[[str], Any], str]] = {
    frozenset({"bool"}): (_truth, "yes or no"),
    frozenset({"int"}): (int, "a whole number"),
    frozenset({"float"}): (_number, "a number"),
    frozenset({"int", "float"}): (_number, "a number"),
}
"""How a setting's text is read, by the types that its field may have beside None; all others are texts."""


def _value(key: str, item: Field[Any], text: str) -> Any:
    """Read a setting's text as the type that its field has."""
    kinds = _types_of(item)
    if kinds not in _READERS:
        return text
    read, told = _READERS[kinds]
    try:
        return read(text)
    except ValueError:
        raise SettingError(f"{key}: {item.name} takes {told}", detail=f"Given: {text}") from None


def _types_of(item: Field[Any]) -> frozenset[str]:
    """Return the names of the types that a field may have beside None."""
    written = item.type if isinstance(item.type, str) else getattr(item.type, "__name__", str(item.type))
    return frozenset(part.strip() for part in written.split("|")) - {"None"}


def plugged_metrics(offered: Iterable[EntryPoint] | None = None) -> dict[str, EntryPoint]:
    """Return what installed packages offer, by the metric's key; nothing of it is loaded.

    offered: the entry points to choose from; those of this environment by default.
    """
    found = entry_points(group=GROUP) if offered is None else offered
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)}


def load_plugged(entry: EntryPoint) -> type[Metric]:
    """Return the metric class of an entry point. Raises SettingError where it is broken or is no metric."""
    origin = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
    try:
        kind = entry.load()
    except Exception as error:  # a stranger's module may raise anything while it is imported
        raise SettingError(
            f"The metric {entry.name} cannot be loaded",
            detail=f"{origin}: {type(error).__name__}: {error}",
            next_step="Mend or uninstall that package; the other metrics work without it.",
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Metric)):
        raise SettingError(
            f"{entry.name} is no metric",
            detail=f"{origin}: {entry.value} is not a class derived from turnwise.engine.metrics.Metric",
            next_step="See docs/how-to/write-a-metric.md.",
        )
    if getattr(kind, "key", "") != entry.name:
        raise SettingError(
            f"The metric {entry.name} calls itself {getattr(kind, 'key', 'nothing')}",
            detail=f"{origin}: {entry.value}",
            next_step=f'Give the class key = "{entry.name}".',
        )
    return kind
