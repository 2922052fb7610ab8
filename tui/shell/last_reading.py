"""LastReading: what a screen has read last, and whether it is to be read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell


class LastReading:
    """Knows what was read last, and how all stood then that may be told of it.

    A screen that was made ahead reads what it is opened with most likely. Opened, it reads that again only
    where it is about something else, or where anything has changed since.
    """

    def __init__(self) -> None:
        self._known: tuple[object, ...] | None = None

    def find_outdated(self, shell: Shell, *wanted: object) -> bool:
        """Return whether what is wanted has to be read; it counts as read from now on.

        wanted: what it is about, and what else changes what is told of it than the store and the settings.
        """
        return self._take(_standing(shell, wanted))

    def is_outdated(self, shell: Shell, *wanted: object) -> bool:
        """Return whether what is wanted has to be read."""
        return self._known != _standing(shell, wanted)

    def follow(self, other: LastReading) -> bool:
        """Take what another one knows, be it outdated or not; return whether that is something else."""
        return self._take(other._known)

    def forget(self) -> None:
        """Forget what was read."""
        self._known = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read yet."""
        return self._known is None

    def _take(self, known: tuple[object, ...] | None) -> bool:
        outdated, self._known = self._known != known, known
        return outdated


def _standing(shell: Shell, wanted: tuple[object, ...]) -> tuple[object, ...]:
    return wanted, shell.store.growing.revision(), shell.settings, shell.actions, frozenset(shell.seen)
