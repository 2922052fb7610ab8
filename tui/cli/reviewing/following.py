"""What `turnwise import --follow` does: takes in what programs write to files, until ctrl+c ends it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import counted
from turnwise.tui.cli.interrupts import interrupts
from turnwise.tui.cli.output import Progress, emit, narrate

if TYPE_CHECKING:
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.live import Follower, FollowOptions, Taken
    from turnwise.conversations.store import Store

SECONDS_BETWEEN_LOOKS = 0.5
_TIMES_AS_LONG = 10
"""Where a look at all files takes long, the next one waits for so many times as long."""
_MOST_TOLD = 20
_PARTED = "They may be several conversations: --split-after 6h parts them."


def follow_files(store: Store, names: Sequence[str], options: FollowOptions, *, as_json: bool) -> int:
    """Take in what is written to files and folders, and return the exit code once ctrl+c ends it.

    as_json: a line on standard output for every file that has changed, and one at the end.
    """
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.live import Follower
    from turnwise.tui.importing.import_notes import silence_words
    from turnwise.tui.importing.import_words import report_counts, report_words

    if "-" in names:
        raise SettingError(
            "--follow takes files and folders, not standard input",
            next_step="Leave out --follow: standard input is read to its end.",
        )
    stop = Event()
    follower = Follower(store, [Path(name) for name in names], options, stopping=stop.is_set)
    total, broken, gone = ImportReport(), 0, 0
    with_silences: set[Path] = set()
    progress = Progress()
    with interrupts.stopping(stop):
        for path in follower.missing:
            narrate(f"{path} is not there yet: waiting for it.")
        narrate(f"Following {', '.join(names)}. ctrl+c ends it.")
        while not stop.is_set():
            began = time.monotonic()
            for taken in follower.look():
                progress.clear()
                _tell(taken)
                if taken.report.silences and taken.path not in with_silences:
                    # A file is read again as it grows, and one that has many would tell of each.
                    with_silences.add(taken.path)
                    narrate(f"Note: {silence_words(taken.report.silences)} {_PARTED}")
                total.take_later(taken.report)
                broken += taken.error is not None and not taken.left
                gone += taken.gone
                if as_json:
                    emit(_line_of(taken))
                    # Whoever reads along waits for it.
                    sys.stdout.flush()
            progress.show(f"{_state(follower, total)} · ctrl+c ends it")
            stop.wait(max(SECONDS_BETWEEN_LOOKS, _TIMES_AS_LONG * (time.monotonic() - began)))
    progress.clear()
    _tell_rest(follower)
    if as_json:
        emit({"event": "end", **report_counts(total), "broken": broken, "deleted": gone})
    narrate(report_words(total, broken))
    return 0


def _state(follower: Follower, total: ImportReport) -> str:
    return (
        f"{counted(follower.files, 'file')}: {total.imported:,} imported, {total.grown:,} brought up to date"
    )


def _tell(taken: Taken) -> None:
    from turnwise.tui.cli.main import tell_error
    from turnwise.tui.importing.import_words import report_words

    for rejection in taken.rejected[:_MOST_TOLD]:
        tell_error(rejection)
    if len(taken.rejected) > _MOST_TOLD:
        narrate(f"... and {len(taken.rejected) - _MOST_TOLD:,} more records of {taken.path}.")
    for remark in taken.report.remarks.values():
        narrate(f"Note: {remark}")
    if taken.error is not None:
        if not taken.left:
            tell_error(taken.error)
    elif taken.gone:
        narrate(f"{taken.path} was deleted; its sessions stay.")
    else:
        narrate(f"{taken.path.name}: {report_words(taken.report)}")


def _tell_rest(follower: Follower) -> None:
    """Say at the end what was not taken in, so that nobody takes silence for all."""
    if unfinished := follower.unfinished:
        shown = ", ".join(path.name for path in unfinished[:5])
        narrate(f"{counted(len(unfinished), 'file')} ended in a part that is not whole yet: {shown}.")
    if left := follower.left_alone:
        shown = ", ".join(path.name for path in left[:5]) + (" …" if len(left) > 5 else "")
        narrate(f"{counted(len(left), 'file')} could not be read: {shown}.")


def _line_of(taken: Taken) -> dict[str, object]:
    from turnwise.tui.importing.import_words import report_counts

    what = "deleted" if taken.gone else "unread" if taken.error else "read"
    why = {"error": taken.error.title} if taken.error else {}
    return {"event": what, "file": str(taken.path), **report_counts(taken.report), **why}
