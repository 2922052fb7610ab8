"""turnwise metrics: what can be judged."""

from __future__ import annotations

import inspect

import click

from turnwise.tui.cli.options import json_option
from turnwise.tui.cli.output import columns, emit, say

_EPILOG = """\b
Examples:
  turnwise metrics
  turnwise metrics faithfulness
"""


@click.command(epilog=_EPILOG)
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the metrics, or explain NAME: its formula, its needs, its edges."""
    from turnwise.engine.metrics.registry import metric_class, metric_keys

    kinds = [metric_class(name)] if name else [metric_class(key) for key in metric_keys()]
    if as_json:
        for kind in kinds:
            emit(
                {
                    "name": kind.key,
                    "scope": kind.scope,
                    "needs": list(kind.needs),
                    "judge": kind.uses_judge,
                    "version": kind.version,
                    "range": [0, 1],
                    "description": inspect.getdoc(kind),
                }
            )
    elif name:
        kind = kinds[0]
        say(f"{kind.key} (version {kind.version}, judges {_SCOPES[kind.scope]})\n")
        say(inspect.getdoc(kind) or "")
    else:
        rows = [
            [kind.key, _SCOPES[kind.scope], "judge" if kind.uses_judge else "check", _first_line(kind)]
            for kind in kinds
        ]
        for line in columns([["name", "judges", "by", "what"], *rows], most=72):
            say(line)


_SCOPES = {"conversation": "whole conversations", "exchange": "the last exchange"}


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").splitlines()[0]
