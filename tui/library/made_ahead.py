"""The dialogs of the library that are opened most, made before anybody asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.tui.shell.dialogs_ahead import Step
    from turnwise.tui.shell.shell import Shell


def library_dialogs(shell: Shell) -> Iterator[Step]:
    """Make them, a little at a time: a key that comes meanwhile is not to wait."""
    from turnwise.conversations.store import USUAL_ORDER
    from turnwise.tui.library.arrangement_dialogs import ColumnsDialog, SortDialog

    yield None
    sessions, kept = shell.store.sessions, shell.kept_dialogs

    def begin_columns(dialog: ColumnsDialog) -> None:
        dialog.begin(sessions.metrics_by_age(), sessions.facts_offered(), ())

    yield from kept.make(
        SortDialog, lambda one: one.begin(USUAL_ORDER, sessions.metrics_by_use(), with_match=False)
    )
    yield from kept.make(ColumnsDialog, begin_columns)
    from turnwise.tui.library.tags_dialog import TagsDialog

    yield None
    yield from kept.make(TagsDialog, lambda one: one.begin(()))
