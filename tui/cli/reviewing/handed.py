"""Files of labels that come back from a page, for `turnwise label --from`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnwise.conversations.errors import InputError
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.engine.people.handed_labels import read_labels, take_labels
from turnwise.tui.cli.output import emit, narrate


def take_files(store: Store, files: Sequence[Path], author: str | None, *, as_json: bool) -> int:
    """Take in files of labels, one by one, tell what became of each, and return the exit code.

    1 where not all of it could be taken, 2 where nothing could be.
    """
    from turnwise.tui.cli.main import tell_error

    kept = failed = 0
    for path in files:
        try:
            taken = take_labels(store, read_labels(path), author or "")
        except InputError as error:
            tell_error(error)
            failed += 1
            if as_json:
                emit({"file": str(path), "labelled": 0, "unchanged": 0, "refused": 0, "read": False})
            continue
        for refusal in taken.refused:
            tell_error(refusal)
        kept += len(taken.new) + len(taken.unchanged)
        failed += len(taken.refused)
        if as_json:
            emit(
                {
                    "file": str(path),
                    "author": taken.author,
                    "queue": taken.queue,
                    "labelled": len(taken.new),
                    "unchanged": len(taken.unchanged),
                    "refused": len(taken.refused),
                    "read": True,
                    "sessions": list(taken.new),
                }
            )
        known = f", {len(taken.unchanged):,} known already" if taken.unchanged else ""
        refused = f", {len(taken.refused):,} refused" if taken.refused else ""
        narrate(
            f"{path.name}: {counted(len(taken.new), 'session')} labelled by {taken.author}{known}{refused}."
        )
    return 0 if not failed else 1 if kept else 2
