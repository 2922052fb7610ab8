"""turnwise backup: a copy of the database, whole and as it was at one moment."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.files import whole_file
from turnwise.conversations.store import copy_database, default_path, file_problems
from turnwise.tui.cli.options import json_option
from turnwise.tui.cli.output import emit, narrate

_EPILOG = """\b
Examples:
  turnwise backup monday.db
  turnwise --db other.db backup /media/disk/other.db --force
  turnwise --db monday.db sessions

\b
Other programs may go on with the database meanwhile. To go back to a copy, close them, and put it in
the database's place (`turnwise doctor` says where that is), or name it with --db.
"""


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@click.pass_context
def command(context: click.Context, file: Path, force: bool, as_json: bool) -> None:
    """Copy the database to FILE, all of it, as it is at one moment. FILE appears when it is whole."""
    path = context.find_root().obj or default_path()
    if not path.exists():
        raise NotFoundError(
            "There is no database to copy", detail=str(path), next_step="`turnwise import` makes one."
        )
    with whole_file(file, force=force) as out, TemporaryDirectory(dir=file.parent, prefix=".backup-") as made:
        # SQLite writes to a name, and the file's own is taken when it is whole.
        copy = Path(made) / "copy.db"
        copy_database(path, copy)
        found = file_problems(copy)
        with copy.open("rb") as whole:
            shutil.copyfileobj(whole, out)
    file.chmod(0o600)
    size = file.stat().st_size
    if as_json:
        emit({"file": str(file), "bytes": size, "sound": not found})
    narrate(f"{path} is copied to {file}: {size / 1_000_000:,.1f} MB.")
    if found:
        narrate(f"! The copy is as damaged as the database: {found[0]}")
        narrate("  → `turnwise doctor --repair` copies what can be read into a new file.")
        context.exit(1)
