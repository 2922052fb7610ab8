"""Gathering: all conversations of files, folders and what is packed come in, file by file, with one report.

Each file, also each in a zip or folder, comes in whole or not at all: whoever stops keeps those that were
finished, and importing the same again adds only the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from turnwise.conversations.containers import Content, FoundContent, LeftOut, Limits, Unopened, Walk
from turnwise.conversations.errors import InputError, NoConversationsError
from turnwise.conversations.formats import TextAccount, claims, stream_or_path
from turnwise.conversations.gathering.gathered_report import GatheredReport
from turnwise.conversations.importing import ImportReport

Told = Callable[[ImportReport], None]
Importing = Callable[[Content, Told], ImportReport]
"""Imports one file, and tells meanwhile how far it is."""


class Gathering:
    """An import of all that some files, folders and standard input hold.

    report: what became of them so far. walk: how far it is. accounts: what became of the texts of each file,
    by its name, where that was asked for; a file that cannot be read is left out as a whole.
    """

    def __init__(
        self,
        sources: Sequence[Path | str | BinaryIO],
        *,
        limits: Limits | None = None,
        accounting: bool = False,
    ) -> None:
        """Take paths, streams, and "-" for standard input. accounting: keep accounts."""
        self.accounts: dict[str, TextAccount] = {}
        self._accounting = accounting
        self.report = GatheredReport()
        self.walk = Walk(
            [stream_or_path(source) for source in sources], limits=limits or Limits(), claims=claims
        )
        self._reading: ImportReport | None = None

    @property
    def sessions(self) -> int:
        """How many sessions were read so far, also of the file that is coming in."""
        under_way = len(self._reading.sessions) if self._reading is not None else 0
        return len(self.report.total.sessions) + under_way

    def account_of(self, content: Content) -> TextAccount | None:
        """Return the account for a file that is about to be read; None where nobody asked for accounts."""
        if not self._accounting:
            return None
        account = self.accounts[content.name] = TextAccount()
        return account

    def run(self, importing: Importing, on_progress: Callable[[], None] = lambda: None) -> GatheredReport:
        """Import everything by `importing`, such as a partial of `import_file`.

        on_progress: called now and then; what it raises ends it, and the files that came in before stay.
        Raises what `importing` raises beside InputError.
        """

        def tell(so_far: ImportReport) -> None:
            self._reading = so_far
            on_progress()

        for step in self.walk:
            match step:
                case FoundContent(content, within):
                    self.report.has_containers |= bool(within)
                    self._read(content, within, importing, tell)
                case LeftOut(name, why):
                    self.report.has_containers = True
                    self.report.pass_over(name, why)
                case Unopened(name, error, within, size):
                    self._fail(error, within, name, size)
            self._reading = None
            on_progress()
        on_progress()
        return self.report

    def _read(self, content: Content, within: str, importing: Importing, tell: Told) -> None:
        try:
            self.report.add(importing(content, tell))
        except InputError as error:
            self._fail(error, within, content.name, content.size)

    def _fail(self, error: InputError, within: str, name: str, size: int) -> None:
        if within and isinstance(error, NoConversationsError):
            self.report.pass_over(name, error.what)
            return
        account = None
        if self._accounting:
            account = self.accounts.setdefault(name, TextAccount())
            if not account.characters:
                account.refuse(size, error.title)
        self.report.fail(error, account)
