"""What an import of many files says: how far it is, and in the end what became of all of them."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from turnwise.conversations.words import counted, percent
from turnwise.tui.importing.import_words import report_words

if TYPE_CHECKING:
    from turnwise.conversations.gathering import GatheredReport, Gathering

_BAR = 20
"""Cells of a bar."""
_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def progress_words(gathering: Gathering) -> str:
    """Say how far an import is: "━━━━────  40 %  2 of 5 files  80 of 200 MB  1,200 conversations"."""
    walk = gathering.walk
    parts: list[str] = []
    if walk.size:
        share = min(walk.done / walk.size, 1.0)
        full = round(share * _BAR)
        parts.append(f"{'━' * full}{'─' * (_BAR - full)} {percent(share):>5}")
    if walk.files > 1:
        parts.append(f"{walk.files_done:,} of {walk.files:,} files")
    if walk.size:
        parts.append(_bytes_of(min(walk.done, walk.size), walk.size))
    parts.append(f"{gathering.sessions:,} conversations")
    return "  ".join(parts)


def _bytes_of(done: int, size: int) -> str:
    unit, name = next(((unit, name) for unit, name in _UNITS if size >= unit), (1.0, "bytes"))
    digits = 1 if size < 10 * unit and unit > 1 else 0
    return f"{done / unit:,.{digits}f} of {size / unit:,.{digits}f} {name}"


def gathered_words(report: GatheredReport) -> str:
    """Say what an import did: a line for all, and where it was of many files, one by format and by reason."""
    return "\n".join((report_words(report.total, report.failed_files), *gathered_lines(report)))


def gathered_lines(report: GatheredReport) -> list[str]:
    """Return what became of many files, a line for each format and each reason to pass files over."""
    if not report.is_of_many:
        return []
    lines = []
    for name, count in sorted(report.formats.items()):
        parts = [counted(count.files, "file"), counted(count.sessions, "session")]
        parts += [f"{count.rejected:,} not readable"] if count.rejected else []
        lines.append(f"  {name}: {', '.join(parts)}")
    for what, passed in sorted(report.passed_over.items()):
        more = ", …" if passed.count > len(passed.names) else ""
        names = ", ".join(PurePath(name).name for name in passed.names)
        lines.append(f"  passed over as {what}: {counted(passed.count, 'file')} ({names}{more})")
    return lines


def stopped_words(report: GatheredReport) -> str:
    """Say what a stopped import leaves."""
    if not report.files:
        return "Stopped. Nothing of the file was kept."
    return f"Stopped. What was finished is kept: {report_words(report.total, report.failed_files)}"
