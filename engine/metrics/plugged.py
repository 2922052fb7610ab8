"""Plugged metrics: what other installed packages offer under the entry point group `turnwise.metrics`."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics.metric import Metric

GROUP = "turnwise.metrics"


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
