"""turnwise doctor: what turnwise finds on this machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from dataclasses import asdict
from pathlib import Path

import click

from turnwise.conversations.errors import NotFoundError, TurnwiseError
from turnwise.conversations.store import (
    SCHEMA_VERSION,
    Store,
    damaged_sessions,
    default_path,
    file_problems,
    note_damage,
    repair_database,
)
from turnwise.engine.models.providers import PROVIDERS
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.options import json_option
from turnwise.tui.cli.output import columns, emit, narrate, say

_MOST_PROBLEMS = 5
_MOST_NAMED = 20
_NEXT_STEP = "turnwise backup FILE copies it as it is; turnwise doctor --repair saves what can be read"
_EPILOG = """\b
Examples:
  turnwise doctor
  turnwise --db other.db doctor --json
  turnwise doctor --repair

\b
The database is read from end to end, which takes a second for every 100 MB or so. --repair copies what
can be read of a damaged one into a new file that takes its place, and keeps the old one beside it. Close
other programs that use it first; `turnwise backup FILE` makes a copy of it as it is.
"""


@click.command(epilog=_EPILOG)
@click.option("--repair", is_flag=True, help="Copy what can be read of a damaged database into a new file.")
@json_option
@click.pass_context
def command(context: click.Context, repair: bool, as_json: bool) -> None:
    """Say where everything is, what works, what is missing or damaged, and what to do about it.

    Nothing is sent, and nothing is changed but by --repair.
    """
    if repair:
        _repair(context, as_json=as_json)
        return
    rows = [*_program(), *_database(context), *run_async(_judges()), *_terminal()]
    if as_json:
        for what, state, detail in rows:
            emit({"what": what, "state": state, "detail": detail})
    else:
        marks = {"ok": "✓", "missing": "–", "broken": "✗"}
        for line in columns([[marks[state], what, detail] for what, state, detail in rows], most=400):
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
    return [_opening(path), *_integrity(path)]


def _opening(path: Path) -> tuple[str, str, str]:
    try:
        with Store.open(path) as store:
            found = f"{store.sessions.count():,} sessions, {len(store.runs.all()):,} runs"
    except TurnwiseError as error:
        return "database", "broken", f"{error.title}: {error.detail}"
    except sqlite3.DatabaseError as error:
        return "database", "broken", f"The database is damaged: {path}: {error}"
    megabytes = path.stat().st_size / 1_000_000
    return "database", "ok", f"{path}: {found}, {megabytes:,.1f} MB, schema {SCHEMA_VERSION}"


def _integrity(path: Path) -> list[tuple[str, str, str]]:
    """Say whether the file is sound, and every session in it."""
    # What is found here holds back whoever would write to it.
    found = file_problems(path) if note_damage(path) else []
    rows = [("integrity", "broken", told) for told in found[:_MOST_PROBLEMS]]
    try:
        damaged = damaged_sessions(path)
    except sqlite3.DatabaseError as error:
        damaged = []
        rows.append(("sessions", "broken", f"not all of them can be read: {error}"))
    if damaged:
        numbers = ", ".join(map(str, damaged[:_MOST_NAMED])) + (" …" if len(damaged) > _MOST_NAMED else "")
        word = "session is" if len(damaged) == 1 else "sessions are"
        rows.append(("sessions", "broken", f"{len(damaged):,} {word} damaged: {numbers}"))
    if rows:
        return [*rows, ("next step", "missing", _NEXT_STEP)]
    return [("integrity", "ok", "every page and every text can be read")]


def _is_damaged(path: Path) -> bool:
    try:
        return bool(file_problems(path) or damaged_sessions(path))
    except sqlite3.DatabaseError:
        return True


def _repair(context: click.Context, *, as_json: bool) -> None:
    """Repair the database, and say what came of it; a sound one stays as it is."""
    path = context.find_root().obj or default_path()
    if not path.exists():
        raise NotFoundError("There is no database to repair", detail=str(path))
    if not _is_damaged(path):
        if as_json:
            emit({"repaired": False, "kept": None})
        narrate(f"{path} is sound: nothing was changed.")
        return
    done = repair_database(path)
    with Store.open(path) as store:
        sessions = store.sessions.count()
    if as_json:
        emit({"repaired": True, "sessions": sessions, **asdict(done), "kept": str(done.kept)})
    narrate(f"{path} is repaired: {sessions:,} sessions, {sum(done.copied.values()):,} rows in all.")
    for told, count in (
        ("Unreadable places", done.gaps),
        ("Rows of which only a part could be read", done.mended),
        ("Rows left out, because what they belong to is lost", done.left_out),
        ("Sessions and runs of which only a part is left, marked as (recovered)", done.recovered),
    ):
        if count:
            narrate(f"  {told}: {count:,}")
    narrate(f"The damaged file is kept as {done.kept}; delete it once nothing is missing.")


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
        if entry.key and os.environ.get(entry.key) and not entry.is_installed:
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
