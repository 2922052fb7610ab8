"""turnwise metrics: what can be judged."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import default_path
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say

if TYPE_CHECKING:
    from pathlib import Path

    from turnwise.conversations.store import Store
    from turnwise.engine.metrics.metric import Metric
    from turnwise.tui.judging.metric_offers import Offer

_EPILOG = """\b
Examples:
  turnwise metrics
  turnwise metrics faithfulness
  turnwise metrics learned:resolved
"""


@click.command(epilog=_EPILOG)
@click.argument("name", required=False)
@json_option
@click.pass_context
def command(context: click.Context, name: str | None, as_json: bool) -> None:
    """List the metrics, or explain NAME: its formula, its needs, its edges."""
    kinds = [_kind(context, name)] if name else _all_kinds()
    learned = [] if name else _learned(context)
    if as_json:
        for kind in kinds:
            emit(_row(kind))
        for one in learned:
            emit({**_row(type(one.metric)), "name": one.name, "description": one.about})
    elif name:
        kind = kinds[0]
        say(f"{kind.key} (version {kind.version}, judges {_judges(kind)})\n")
        say(inspect.getdoc(kind) or "")
    else:
        rows = [[kind.key, _judges(kind), _by(kind), _first_line(kind)] for kind in kinds]
        rows += [[one.name, _judges(type(one.metric)), _by(type(one.metric)), one.about] for one in learned]
        for line in columns([["name", "judges", "by", "what"], *rows], most=72):
            say(line)


def _kind(context: click.Context, name: str) -> type[Metric]:
    """Return the metric of a name; of `learned:NAME` only where that was learned. Raises NotFoundError."""
    from turnwise.engine.learning.learned_metric import LearnedMetric, is_learned, learned_version
    from turnwise.engine.metrics.registry import metric_class

    if is_learned(name):
        known = learned_version(open_store(context, to_read=True), name)
        narrate(f"What {known.name} rests on, and how well it foretells: turnwise learn show {known.name}")
        return LearnedMetric
    if name.strip().casefold() == LearnedMetric.key:
        narrate("There is one for each name that was learned: turnwise learn list")
        return LearnedMetric
    try:
        return metric_class(name)
    except NotFoundError as error:
        from turnwise.tui.cli.own_criteria import pointing_to_own

        raise pointing_to_own(error, name, _kept(context)) from None


def _kept(context: click.Context) -> Store | None:
    """Return the database at hand; None where there is none: to look for something makes no file."""
    named: Path | None = context.find_root().obj
    return open_store(context) if (named or default_path()).exists() else None


def _all_kinds() -> list[type[Metric]]:
    """Return all metrics; one of another package that cannot be loaded is told and left out."""
    from turnwise.engine.metrics.registry import metric_class, metric_keys

    kinds = []
    for key in metric_keys():
        try:
            kinds.append(metric_class(key))
        except SettingError as error:
            narrate(str(error))
    return kinds


def _learned(context: click.Context) -> list[Offer]:
    """Return what was learned in the database at hand; nothing where there is none: a list makes no file."""
    from turnwise.tui.judging.metric_offers import learned_offers  # the command line starts without it

    store = _kept(context)
    return learned_offers(store) if store is not None else []


def _row(kind: type[Metric]) -> dict[str, Any]:
    """Return a metric as JSON-ready values; `values` says in words which scores between 0 and 1 it gives."""
    account = kind.account
    return {
        "name": kind.key,
        "scope": kind.scope,
        "needs": list(kind.needs),
        "by": _by(kind),
        "judge": kind.uses_judge,
        "images": kind.sees_images,
        "calls": account.calls,
        "range": [0, 1],
        "direction": "higher is better",
        "values": account.range,
        "version": kind.version,
        "formula": account.formula,
        "source": account.source,
        "empty": account.empty,
        "settings": _settings(kind),
        "description": inspect.getdoc(kind),
    }


def _settings(kind: type[Metric]) -> list[str]:
    """Return the settings that are a metric's own."""
    from turnwise.engine.metrics.metric import Metric  # the command line starts without it

    shared = {item.name for item in fields(Metric)}
    return [item.name for item in fields(kind) if item.init and item.name not in shared]


def _judges(kind: type[Metric]) -> str:
    return "images" if kind.sees_images else _SCOPES[kind.scope]


def _by(kind: type[Metric]) -> str:
    return "judge" if kind.uses_judge else "check"


_SCOPES = {"conversation": "whole conversations", "exchange": "the last exchange"}


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").splitlines()[0]
