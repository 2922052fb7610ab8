"""Metric names: the metric that is meant by what was typed, whatever its case, hyphens or spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.conversations.words import A_SLIP, nearest


def spelled(name: str) -> str:
    """Return a name as names are compared: in small letters, with _ for - and space."""
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())


def same_name(text: str, names: Iterable[str]) -> str | None:
    """Return the name that a text spells, an exactly equal one first; None where there is none."""
    known = list(names)
    if text in known:
        return text
    return next((name for name in known if spelled(name) == spelled(text)), None)


def meant_metric(text: str, names: Sequence[str]) -> list[str]:
    """Return the metric that a text names, or else all metrics whose names contain the text."""
    if (whole := same_name(text, names)) is not None:
        return [whole]
    wanted = spelled(text)
    return [name for name in names if wanted and wanted in spelled(name)]


def near_name(text: str, names: Iterable[str], *, alike: float = 0.6) -> str | None:
    """Return the name that is most like a text; None where none is. alike: the least likeness, 0 to 1."""
    by_spelling = {spelled(name): name for name in names}
    near = nearest(spelled(text), by_spelling, alike=alike)
    return by_spelling[near] if near else None


def metric_to_label(store: Store, text: str) -> tuple[str, bool]:
    """Return the metric or criterion that a label is about, and whether anything is known by that name.

    A name that nothing has yet is a criterion still to be written. Settings are taken as `score` takes them.
    Raises NotFoundError where the name is a slip of one that is known, SettingError for wrong settings.
    """
    from turnwise.engine.metrics.registry import make_metric, metric_keys

    keys = metric_keys()
    names = [*store.sessions.metrics(), *store.criteria.names(), *keys]
    if (found := same_name(text, names)) is not None:
        return found, True
    key, sign, settings = text.partition(":")
    if sign and (kind := same_name(key, keys)) is not None:
        return make_metric(f"{kind}:{settings}").name, True
    if (near := near_name(text, names, alike=A_SLIP)) is not None:
        raise NotFoundError(
            f"There is no metric {text}",
            detail="A label is about a metric, or a criterion, by its name.",
            next_step=f"Did you mean {near}?",
        )
    return text, False
