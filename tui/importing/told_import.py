"""An import by what somebody told of its file: who answers in it, what stands where, where it is parted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.tui.importing.silence_question import Part

if TYPE_CHECKING:
    from turnwise.conversations.formats import SilencesFound
    from turnwise.conversations.gathering import GatheredReport, Gathering
    from turnwise.conversations.importing import ImportReport
    from turnwise.conversations.store import BroughtIn, Store


@dataclass(frozen=True, slots=True)
class Told:
    """What was said of a file so far."""

    role: str | None = None
    key: str | None = None
    format: str | None = None
    mapping: str = ""
    kept_as: str = ""
    assistant: tuple[str, ...] = ()
    part: Part | None = None


class HasSilences(Exception):  # noqa: N818  not an error: how an import ends that first has to ask
    """Nobody wrote for long within a conversation, and nobody has said yet whether it is one."""

    def __init__(self, silences: SilencesFound, sessions: int) -> None:
        super().__init__()
        self.silences, self.sessions = silences, sessions


def import_told(
    store: Store, path: Path, gathering: Gathering, told: Told, *, at: float, hear: Callable[[], None]
) -> GatheredReport:
    """Import a file or a folder, and return what became of it. Call it from a thread.

    gathering: of that path. at: the time of all that comes in. hear: is told now and then that it goes on.
    Raises HasSilences where it has to be asked whether a conversation is one, and why a single file cannot
    be read.
    """
    from turnwise.conversations.formats import read_mapping
    from turnwise.conversations.importing import import_file

    def ask_of_silences(report: ImportReport) -> None:
        if told.part is None and report.silences and path.is_file():
            raise HasSilences(report.silences, len(report.sessions))

    mapping = read_mapping([told.mapping] if told.mapping else [])
    report = gathering.run(
        lambda content, tell: import_file(
            store,
            content,
            format=told.format,
            role=told.role,
            messages_key=told.key,
            mapping=mapping,
            assistant=told.assistant,
            split_after=told.part.after if told.part else None,
            account=gathering.account_of(content),
            at=at,
            on_progress=tell,
            on_read=ask_of_silences,
        ),
        hear,
    )
    if report.unread and not report.is_of_many:
        raise report.unread[0]
    return report


def brought_in(store: Store, at: float) -> list[BroughtIn]:
    """Return what an import of that time brought in; nothing where it brought nothing and gave no role."""
    newest = store.taking_back.newest()
    if newest is None or newest.at != at:
        # Another program imported meanwhile.
        return []
    return [newest] if newest.spans or newest.given_roles else []
