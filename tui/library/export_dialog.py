"""ExportDialog: writes sessions to a file, with how far it is, and a way to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.errors import DamageError, TurnwiseError
from turnwise.conversations.exports import EXPORTS, Export, export_sessions
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.bars import progress
from turnwise.tui.importing.path_choices import folder_of, from_home
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import key_of

_STEM = "turnwise-export"
_SECONDS_BETWEEN_WORDS = 0.1
_MOST_NAMED = 10


class _StoppedError(Exception):
    """The export was stopped by a person."""


class ExportDialog(Dialog[int | None]):
    """Ask for format and file, and write; ends with how many sessions were written, or None."""

    PLACE: ClassVar[Place] = "export"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("export"))
    DEFAULT_CSS = """
    ExportDialog .field { height: 1; margin-top: 1; }
    ExportDialog .label { width: 8; padding: 0 1; color: $text-muted; }
    ExportDialog Input { width: 1fr; }
    ExportDialog #unlisted { margin-bottom: 1; }
    """

    def begin(self, session_ids: Sequence[int], *, unlisted: str = "") -> None:
        """unlisted: says which of the sessions are not in sight."""
        self._unlisted = unlisted
        self._session_ids = session_ids
        self._stop = threading.Event()
        self._at_work = False
        self._path_offered = _path_of(next(iter(EXPORTS.values())))
        self._refused: Path | None = None
        """The file that was there already; the same once more writes over it."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield Static(Content(""), id="unlisted", classes="words")
            yield ChoiceList()
            with Horizontal(classes="field"):
                yield Static("file", classes="label")
                yield Input(select_on_focus=False)
            yield Static(Content(""), id="far", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("export")

    def on_mount(self) -> None:
        """Offer the formats, and a name."""
        self.query_one(ChoiceList).can_focus = False
        self.fill()

    def fill(self) -> None:
        """Say what is exported; offer the formats, and a name, as nobody has changed them yet."""
        count = len(self._session_ids)
        title = f"Export {count:,} {'session' if count == 1 else 'sessions'} as"
        rewrite(self.query_one(".title", Static), title)
        unlisted = self.query_one("#unlisted", Static)
        rewrite(unlisted, self._unlisted)
        unlisted.display = bool(self._unlisted)
        formats = [Choice(export.name, export.name, export.told) for export in EXPORTS.values()]
        self.query_one(ChoiceList).show(formats, anew=True)
        self._set_path(self._path_offered)
        self.set_focus(self.query_one(Input))
        self.query_one(".wrong").display = False
        self._tell_folder()

    def on_option_list_option_highlighted(self) -> None:
        """Let the file's name follow the format until somebody writes another."""
        if self.query_one(Input).value == self._path_offered:
            self._path_offered = _path_of(self._format)
            self._set_path(self._path_offered)

    def _set_path(self, text: str) -> None:
        field = self.query_one(Input)
        field.value = text
        field.cursor_position = len(text)

    @property
    def _format(self) -> Export:
        choice = self.query_one(ChoiceList).current
        return next(one for one in EXPORTS.values() if choice is None or one.name == choice.id)

    def on_input_changed(self) -> None:
        """Say in which folder the file will be."""
        self._tell_folder()

    def _tell_folder(self) -> None:
        if not self._at_work:
            folder = from_home(folder_of(self.query_one(Input).value.strip(), Path.cwd()))
            rewrite(self.query_one("#far", Static), make_safe_line(f"in {folder}"))

    def on_input_submitted(self) -> None:
        """Begin."""
        self.action_start()

    def action_start(self) -> None:
        """Write the file."""
        text = self.query_one(Input).value.strip()
        if self._at_work:
            return
        if not text:
            self._say("Type where to write it.")
            return
        path = Path(text).expanduser()
        # A file is written over by whoever has read that it is there.
        force = path == self._refused and self.shows_what_is_wrong
        self._refused = None
        self._at_work = True
        self._stop.clear()
        rewrite(self.query_one("#far", Static), "")
        self.query_one(".wrong").display = False
        self._write(path, self._format.name, force=force)

    @work(thread=True, group="export", exit_on_error=False)
    def _write(self, path: Path, name: str, *, force: bool) -> None:
        told = 0.0

        def go_on(done: int) -> None:
            nonlocal told
            if self._stop.is_set():
                raise _StoppedError
            if (now := time.monotonic()) - told > _SECONDS_BETWEEN_WORDS:
                told = now
                hand_over(self, self._show_far, done)

        count: int | None = None
        damaged: list[DamageError] = []
        error: TurnwiseError | None = None
        try:
            count = export_sessions(
                self.shell.store,
                self._session_ids,
                to=name,
                output=path,
                force=force,
                on_progress=go_on,
                on_damage=damaged.append,
            )
        except _StoppedError:
            pass
        except TurnwiseError as trouble:
            error = trouble
        hand_over(self, self._end, path, count, error, damaged, forced=force)

    def _show_far(self, done: int) -> None:
        whole = len(self._session_ids)
        bar = progress(done / max(1, whole), 20)
        stop = key_of(self.shell.actions, "export", "cancel")
        rewrite(self.query_one("#far", Static), f"{done:,} of {whole:,}  {bar}  {stop} stops")

    def _end(
        self,
        path: Path,
        count: int | None,
        error: TurnwiseError | None,
        damaged: Sequence[DamageError],
        *,
        forced: bool,
    ) -> None:
        self._at_work = False
        if error is None and count is None:
            self.app.notify("The export was stopped; no file was written.")
            self.dismiss(None)
        elif error is None:
            self.app.notify(f"{count:,} {'session' if count == 1 else 'sessions'} exported to {path}.")
            if damaged:
                numbers = ", ".join(str(one.session) for one in damaged[:_MOST_NAMED])
                more = f" and {len(damaged) - _MOST_NAMED:,} more" if len(damaged) > _MOST_NAMED else ""
                self.app.notify(
                    f"Damaged and left out: {numbers}{more}. {damaged[0].next_step}",
                    title=f"{len(damaged):,} not exported",
                    severity="error",
                )
            self.dismiss(count)
        elif path.is_file() and not forced:
            self._refused = path
            start = key_of(self.shell.actions, "export", "start")
            self._say(f"There is a file {path} already. {start} writes over it.")
        else:
            self._say(". ".join(part for part in (error.title, error.next_step or error.detail) if part))

    def _say(self, text: str) -> None:
        self._tell_folder()
        line = self.query_one(".wrong", Static)
        rewrite(line, make_safe(text))
        line.display = True

    def action_cancel(self) -> None:
        """Stop the export that is under way, or go back."""
        if self._at_work:
            self._stop.set()
        else:
            self.dismiss(None)


def _path_of(export: Export) -> str:
    """Return the name of the file that is offered for a format."""
    return _STEM + export.ending
