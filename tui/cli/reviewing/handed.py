"""Files of labels, for `turnwise label --from` and `--to`: label sets, and what comes back from a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnwise.conversations.errors import InputError, SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.engine.people.handed_labels import read_labels, take_labels
from turnwise.engine.people.label_set_files import SUFFIXES, read_label_set, write_label_set
from turnwise.engine.people.label_sets import label_set_of, take_label_set
from turnwise.tui.cli.output import emit, narrate


def take_files(store: Store, files: Sequence[Path], author: str | None, *, as_json: bool) -> int:
    """Take in files of labels, one by one, tell what became of each, and return the exit code.

    1 where not all of it could be taken, 2 where nothing could be.
    """
    from turnwise.tui.cli.main import tell_error

    kept = failed = 0
    for path in files:
        if path.suffix.lower() in SUFFIXES:
            there, wrong = _take_set(store, path, author, as_json=as_json)
            kept, failed = kept + there, failed + wrong
            continue
        try:
            taken = take_labels(store, read_labels(path), author or "")
        except InputError as error:
            tell_error(error)
            failed += 1
            if as_json:
                nothing = {"labelled": 0, "put_off": 0, "unchanged": 0, "refused": 0}
                emit({"file": str(path), **nothing, "read": False})
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
                    "labelled": taken.labelled,
                    "put_off": len(taken.put_off),
                    "unchanged": len(taken.unchanged),
                    "refused": len(taken.refused),
                    "read": True,
                    "sessions": list(taken.new),
                }
            )
        known = f", {len(taken.unchanged):,} known already" if taken.unchanged else ""
        refused = f", {len(taken.refused):,} refused" if taken.refused else ""
        narrate(f"{path.name}: {taken.words}{known}{refused}.")
    return 0 if not failed else 1 if kept else 2


def _take_set(store: Store, path: Path, author: str | None, *, as_json: bool) -> tuple[int, int]:
    """Take in a label set and tell what became of it; return how many labels are in, and how many are not."""
    from turnwise.tui.cli.main import tell_error

    try:
        if author is not None:
            raise SettingError(
                f"{path.name} says itself who labelled", next_step="Leave --author out, or mend the file."
            )
        taken = take_label_set(store, read_label_set(path))
    except InputError as error:
        tell_error(error)
        if as_json:
            emit({"file": str(path), "labels": 0, "unchanged": 0, "refused": 0, "read": False})
        return 0, 1
    for refusal in taken.refused:
        tell_error(refusal)
    if as_json:
        emit(
            {
                "file": str(path),
                "labels": taken.new,
                "unchanged": taken.unchanged,
                "refused": len(taken.refused),
                "read": True,
                "sessions": list(taken.sessions),
                "authors": list(taken.authors),
            }
        )
    by = f" by {', '.join(taken.authors)}" if taken.authors else ""
    known = f", {taken.unchanged:,} known already" if taken.unchanged else ""
    refused = f", {len(taken.refused):,} refused" if taken.refused else ""
    sessions = counted(len(taken.sessions), "session")
    narrate(f"{path.name}: {counted(taken.new, 'new label')} of {sessions}{by}{known}{refused}.")
    return taken.new + taken.unchanged, len(taken.refused)


def write_file(store: Store, path: Path, query: str, *, force: bool, as_json: bool) -> None:
    """Write the labels of the sessions of a query into a file and say how many there are."""
    count = write_label_set(label_set_of(store, query), path, force=force)
    if as_json:
        emit({"file": str(path), "labels": count})
    narrate(f"{counted(count, 'label')} in {path}.")
