"""GatheredReport: what became of many files, by format and by what was passed over."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwise.conversations.errors import InputError
from turnwise.conversations.formats import TextAccount
from turnwise.conversations.importing import ImportReport

MOST_NAMED = 3
"""So many files of a kind are named."""
MOST_UNREAD = 1_000


@dataclass(slots=True)
class FormatCount:
    """What came in of one format: how many files, sessions that are there now, and records not readable."""

    files: int = 0
    sessions: int = 0
    rejected: int = 0


@dataclass(slots=True)
class PassedOver:
    """How many files were passed over for one reason, and the first of their names."""

    count: int = 0
    names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class GatheredReport:
    """What became of all files.

    total: of all files together. formats: by the names of formats. passed_over: by what the files are.
    unread: why files could not be read, the first thousand of `failed_files`. files: how many were read.
    has_containers: whether any of them lay in another.
    """

    total: ImportReport = field(default_factory=ImportReport)
    formats: dict[str, FormatCount] = field(default_factory=dict)
    passed_over: dict[str, PassedOver] = field(default_factory=dict)
    unread: list[InputError] = field(default_factory=list)
    failed_files: int = 0
    files: int = 0
    has_containers: bool = False

    @property
    def is_of_many(self) -> bool:
        """Whether there is more to say than of one file."""
        return self.has_containers or self.files + self.failed_files > 1

    def add(self, report: ImportReport) -> None:
        """Count a file that came in."""
        self.files += 1
        self.total.join(report)
        count = self.formats.setdefault(report.format, FormatCount())
        count.files += 1
        count.sessions += len(report.sessions)
        count.rejected += report.failed

    def pass_over(self, name: str, what: str) -> None:
        """Count a file that is something else than conversations."""
        passed = self.passed_over.setdefault(what, PassedOver())
        passed.count += 1
        if len(passed.names) < MOST_NAMED:
            passed.names.append(name)

    def fail(self, error: InputError, account: TextAccount | None = None) -> None:
        """Count a file that cannot be read. account: what is left out with it, where that was asked for."""
        self.failed_files += 1
        if account is not None:
            self.total.join(ImportReport(account=account))
        if len(self.unread) < MOST_UNREAD:
            self.unread.append(error)
