"""RejectionsScreen: what became of files, and why files and records were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.actions import Place, bindings
from turnwise.tui.importing.account_words import account_told
from turnwise.tui.importing.gathered_words import gathered_lines
from turnwise.tui.importing.import_notes import notes
from turnwise.tui.importing.import_words import RejectionGroup, left_out, report_words
from turnwise.tui.importing.taken_back_words import way_back_words
from turnwise.tui.parts.dialog import Dialog, ScrolledWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.settings.keymap import key_of

if TYPE_CHECKING:
    from turnwise.conversations.gathering import GatheredReport

MOST_REJECTIONS = 200


class RejectionsScreen(Dialog[None]):
    """What became of files, and why files and records were left out."""

    PLACE: ClassVar[Place] = "rejections"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("rejections"))
    DEFAULT_CSS = """
    RejectionsScreen ScrolledWords { height: auto; max-height: 18; }
    RejectionsScreen .further { padding: 0 1 0 3; }
    RejectionsScreen .step { padding: 0 1 1 1; }
    """

    def __init__(self, gathered: GatheredReport) -> None:
        super().__init__()
        self._gathered = gathered
        self._report = gathered.total

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            words = report_words(self._report, self._gathered.failed_files)
            yield Static(words, classes="title", markup=False)
            with ScrolledWords():
                undo = key_of(self.shell.actions, "library", "undo")
                if back := way_back_words(self._report, f"{undo} in the library"):
                    yield Static(make_safe(back), classes="words", markup=False)
                for line in gathered_lines(self._gathered):
                    yield _line(line)
                map_key = key_of(self.shell.actions, "import", "map")
                for unread in left_out(self._gathered.unread[:MOST_REJECTIONS], map_key):
                    yield from _left_out(unread)
                noted = notes(self._report, forget=key_of(self.shell.actions, "library", "remove"))
                for remark in [*self._report.remarks.values(), *noted]:
                    yield Static(make_safe(remark), classes="words", markup=False)
                for records in left_out(self._report.rejected[:MOST_REJECTIONS], map_key):
                    yield from _left_out(records)
                if (more := self._report.failed - MOST_REJECTIONS) > 0:
                    yield Static(f"and {more:,} more", classes="words", markup=False)
                for line in account_told(self._report):
                    yield _line(line)
            yield KeyLine("rejections")

    @property
    def words(self) -> ScrolledWords:
        """The words that the keys scroll."""
        return self.query_one(ScrolledWords)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _line(told: str) -> Static:
    """Return a line as a whole; one that stands further in does so in all its rows."""
    text = told.lstrip()
    return Static(make_safe(text), classes="words" if text == told else "words further", markup=False)


def _left_out(one: RejectionGroup) -> ComposeResult:
    """Say what was left out, and why further in: all lines of it, however long they are."""
    yield Static(make_safe(one.head), classes="words", markup=False)
    for line in one.lines:
        yield _line(f"  {line}")
    yield Static(make_safe(one.next_step), classes="words step", markup=False)
