"""turnwise doctor: what turnwise finds on this machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys

import click

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store, default_path
from turnwise.engine.models.providers import PROVIDERS
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.options import json_option
from turnwise.tui.cli.output import columns, emit, say


@click.command(epilog="\b\nExamples:\n  turnwise doctor\n  turnwise --db other.db doctor --json\n")
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Say where everything is, what works and what is missing; nothing is changed or sent."""
    rows = [*_program(), *_database(context), *run_async(_judges()), *_terminal()]
    if as_json:
        for what, state, detail in rows:
            emit({"what": what, "state": state, "detail": detail})
    else:
        marks = {"ok": "✓", "missing": "–", "broken": "✗"}
        for line in columns([[marks[state], what, detail] for what, state, detail in rows], most=96):
            say(line)
    context.exit(1 if any(state == "broken" for _, state, _ in rows) else 0)


def _program() -> list[tuple[str, str, str]]:
    from importlib.metadata import version

    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return [("turnwise", "ok", f"{version('turnwise')}, {python}")]


def _database(context: click.Context) -> list[tuple[str, str, str]]:
    path = context.find_root().obj or default_path()
    if not path.exists():
        return [("database", "missing", f"{path} (made by the first import)")]
    try:
        with Store.open(path) as store:
            found = f"{store.sessions.count():,} sessions, {len(store.runs.all()):,} runs"
    except TurnwiseError as error:
        return [("database", "broken", f"{error.title}: {error.detail}")]
    megabytes = path.stat().st_size / 1_000_000
    return [("database", "ok", f"{path}: {found}, {megabytes:,.1f} MB")]


async def _judges() -> list[tuple[str, str, str]]:
    from importlib.util import find_spec

    from turnwise.engine.models.embedded.folder import installed, models_folder
    from turnwise.engine.models.served import local_models

    rows = []
    if find_spec("xllamacpp") is None:
        rows.append(("embedded judge", "missing", "pip install 'turnwise[embedded]' adds it"))
    elif models := installed():
        rows.append(
            ("embedded judge", "ok", f"{', '.join(model.name for model in models)} in {models_folder()}")
        )
    else:
        rows.append(("embedded judge", "missing", "no model yet: turnwise judge pull qwen2.5-coder-1.5b"))
    for name, entry in PROVIDERS.items():
        if entry.key and entry.package and os.environ.get(entry.key) and find_spec(entry.package) is None:
            rows.append((f"{name}:MODEL", "missing", f"pip install 'turnwise[{name}]' adds it"))
    servers = await local_models()
    found = ", ".join(f"{settings.address}#{settings.model}" for settings in servers)
    rows.append(("local servers", "ok" if servers else "missing", found or "none answers on the usual ports"))
    for name in ("OPENAI_BASE_URL", *(entry.key for entry in PROVIDERS.values() if entry.key)):
        # The value of a key is nobody's business, not even its length.
        state = ("ok", "set") if os.environ.get(name) else ("missing", "not set")
        rows.append((name, *state))
    return rows


def _terminal() -> list[tuple[str, str, str]]:
    colour = (
        "no colour (NO_COLOR)" if os.environ.get("NO_COLOR") else os.environ.get("COLORTERM") or "256 colours"
    )
    encoding = sys.stdout.encoding or "unknown"
    state = "ok" if encoding.lower().replace("-", "") == "utf8" else "broken"
    return [("terminal", state, f"{os.environ.get('TERM', 'none')}, {colour}, {encoding}")]
