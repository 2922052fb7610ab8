"""QueuesScreen: all review queues, how far each is, and one key to go on with one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.strip import Strip

from turnwise.conversations.errors import DamageError, TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.engine.people.next_labels import more_drawn_words, rate_of
from turnwise.engine.people.unseen_modes import unseen_modes
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.frames import FRAME, LOWER, framed, has_frames
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.drawing.record_table import Cell, RecordTable
from turnwise.tui.drawing.rows_view import HEADER
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.labels.label_files import bring_in_labels, tell_of
from turnwise.tui.parts.empty_words import EmptyWords, with_beginning
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.queues.queue_dialog import ask_for_queue
from turnwise.tui.queues.queue_opening import first_to_read, open_queue, read_queue
from turnwise.tui.queues.queue_question import is_to_be_forgotten
from turnwise.tui.queues.queue_rows import ListedQueue, queue_cells, queue_columns, queue_lines
from turnwise.tui.queues.queue_words import step_words, whose_words
from turnwise.tui.queues.queued_sessions import QueuedSession, queued_sessions, session_lines
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.last_reading import LastReading
from turnwise.tui.shell.shell import ShellOfApp

TELLING_FROM = 80
"""From so many cells on, the list takes no more rows than it has, and below it stand a queue's sessions."""
NO_QUEUES = (
    "No queues yet.",
    "A queue is a handful of sessions to be labelled one after the other, with their scores hidden until you "
    "have said what you think.\n\n",
    "`{queues.add}` chooses them: at random, those that fail, or those of which scores are unsure. Twenty "
    "are enough to begin with.",
    "They are chosen here, once there are sessions: at random, those that fail, or those of which scores are "
    "unsure.",
)


class QueueDetails(LinesView):
    """What is told of a queue. Where not all of it is in sight, the last line says how much follows."""

    def render_line(self, y: int) -> Strip:
        """Draw one line of the window."""
        last = self.size.height - 1
        below = len(self.lines) - (self.scroll_offset.y + last)
        if y < last or below < 2:
            return super().render_line(y)
        words = fit(f"… {below:,} more below", self.size.width)
        return Strip([Segment(words, self.base_style + self.tones.muted)])


class QueuesScreen(PlaceScreen[int | None]):
    """Lists the review queues, the newest first. It ends with the session that was read last, or None."""

    PLACE: ClassVar[Place] = "queues"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("queues"))
    AUTO_FOCUS = "RecordTable"
    DEFAULT_CSS = """
    QueuesScreen {
        & #body { height: 1fr; layout: vertical; }
        & RecordTable { height: 1fr; }
        /* Half of what there is at most: in a low window rows of the list are needed more. */
        & LinesView { height: 7; max-height: 50%; padding: 0 2; background: $surface; }
        &.-telling RecordTable { max-height: 50%; }
        &.-telling LinesView { height: 1fr; max-height: 100%; padding: 1 2; }
        &.-empty #body { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, query: str = "") -> None:
        """query: the filter of the library, of whose sessions a new queue is made."""
        super().__init__()
        self.begin(query)
        self._queues: list[ListedQueue] = []
        self._without_sessions = False
        """Whether there is nothing to make a queue of."""
        self._session: int | None = None
        """The session that was read last."""
        self._opened: int | None = None
        """The queue that was opened here last, on which the cursor is to stand once it is listed."""
        self._reading = NewestReading(self)
        self._reading_sessions = NewestReading(self)
        self._sessions: dict[int, Sequence[QueuedSession]] = {}
        """The sessions of queues as they were read last, by the number of the queue."""
        self._reading_next = NewestReading(self)
        self._last_next = LastReading()
        """Of which queue that was read last."""
        self._next: SessionToRead | None = None
        """What that queue goes on with; None until it was read."""
        self._table_height: int | str = "1fr"

    def begin(self, query: str = "") -> None:
        """query: as where it is made."""
        self._query = query

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self.set_class(self.app.size.width >= TELLING_FROM, "-telling")
        yield PlacesLine("queues")
        yield TitleBar("Queues", right="reading the queues …")
        with Vertical(id="body"):
            yield framed(RecordTable(), "All queues")
            yield framed(QueueDetails(classes=LOWER), "Details")
        yield EmptyWords()
        yield RunLine()
        yield KeyLine("queues")

    @property
    def table(self) -> RecordTable:
        """The queues, which answer what moves about."""
        return self.query_one(RecordTable)

    @property
    def current(self) -> ListedQueue | None:
        """The queue under the cursor."""
        return self._queues[self.table.cursor] if self.table.cursor < len(self._queues) else None

    def on_mount(self) -> None:
        """Read the queues, and hear of runs."""
        self.shell.followers.follow(self, self.shell.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.shell.runs.state)
        if self.find_outdated():
            self._read()

    def on_screen_resume(self) -> None:
        """Show what was labelled while another screen was above this one."""
        if self.find_outdated():
            self._read()

    def on_resize(self) -> None:
        """Take the columns that fit, and tell of the sessions of a queue where there is room."""
        self.set_class(self.app.size.width >= TELLING_FROM, "-telling")
        self.call_after_refresh(self._show_rows)

    def _read(self) -> None:
        store = self.shell.store
        self._reading.ask(lambda: (_listed(store), store.sessions.count()), lambda came: self._show(*came))

    def _show(self, queues: list[ListedQueue], sessions: int) -> None:
        here = self.current.queue.id if self.current else None
        if self._opened in [one.queue.id for one in queues]:
            here, self._opened = self._opened, None
        self._queues, self._without_sessions = queues, not sessions
        self.set_class(not queues, "-empty")
        if not queues:
            title, about, chosen, later = NO_QUEUES
            text = f"{about}{chosen if sessions else later}"
            self.query_one(EmptyWords).tell(title, with_beginning(text, sessions=sessions))
        left = sum(one.left for one in queues)
        told = f"{left:,} to label   {counted(len(queues), 'queue')}"
        self.query_one(TitleBar).right = told if queues else ""
        place = next((n for n, one in enumerate(queues) if one.queue.id == here), self.table.cursor)
        self._show_rows(place)

    def _show_rows(self, cursor: int | None = None) -> None:
        width = self.table.size.width

        def draw(row: int) -> list[Cell]:
            return queue_cells(self._queues[row], width)

        self._fit_table()
        at = self.table.cursor if cursor is None else cursor
        self.table.show(queue_columns(width), len(self._queues), draw, cursor=at)
        self._show_details()
        self.refresh_bindings()

    def _fit_table(self) -> None:
        """Leave to what is told of a queue the rows that the list does not need."""
        frame = FRAME if has_frames(self.app.size) else 0
        rows = len(self._queues) + HEADER + frame
        # The class says at most how many; without it the list takes all that is left.
        height = rows if self.has_class("-telling") else "1fr"
        if self._table_height != height:
            self._table_height = self.table.styles.height = height

    def on_record_table_highlighted(self) -> None:
        """Tell of the queue under the cursor."""
        self._show_details()

    def _show_details(self) -> None:
        self._write_details()
        # What enter does depends on how far the queue is.
        self.refresh_bindings()
        if (listed := self.current) is not None and self.has_class("-telling"):
            store, queue_id = self.shell.store, listed.queue.id
            take = partial(self._take_sessions, queue_id)
            self._reading_sessions.ask(lambda: queued_sessions(store, queue_id), take)

    def _take_sessions(self, queue_id: int, sessions: Sequence[QueuedSession]) -> None:
        if sessions != self._sessions.get(queue_id):
            self._sessions[queue_id] = sessions
            self._write_details()

    def _write_details(self) -> None:
        view, listed = self.query_one(LinesView), self.current
        if listed is None:
            view.set_lines([])
            return
        width, tones = max(20, view.scrollable_content_region.width), view.tones
        lines = queue_lines(listed, width, tones, key_of(self.shell.actions, "queues", "open"))
        if self.has_class("-telling"):
            queue = listed.queue
            lines += session_lines(self._sessions.get(queue.id), queue.count, width, tones)
        view.set_lines(lines)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something where there are queues, or sessions to make one of."""
        if not self.is_mounted:
            return True
        if action in ("add", "import", "pairs"):
            return not self._without_sessions
        return self.current is not None if action in ("open", "remove", "export") else True

    def key_now(self, action: Action) -> Action:
        """Say what enter does now."""
        listed = self.current
        return replace(action, title=step_words(listed.queue)) if listed and action.name == "open" else action

    def on_record_table_opened(self) -> None:
        """Go on with the queue that was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """Go on with the queue under the cursor."""
        if (first := self.leads_to()) is not None:
            read_queue(self.app, self.shell, first, self._take_session)
        elif (listed := self.current) is not None:
            self._open(listed.queue.id)

    def leads_to(self) -> SessionToRead | None:
        """Return the session that the queue under the cursor goes on with, once it was read in a thread.

        None where the queue draws one for that.
        """
        if (listed := self.current) is None or not listed.left or listed.queue.sampler == "next":
            return None
        shell, queue = self.shell, listed.queue
        if self._last_next.find_outdated(shell, queue.id):
            self._next = None
            self._reading_next.ask(lambda: first_to_read(shell, queue), self._take_next)
        return self._next

    def _take_next(self, session: SessionToRead | None) -> None:
        self._next = session

    def _open(self, queue_id: int) -> None:
        self._opened = queue_id
        open_queue(self.app, self.shell, queue_id, self._take_session)

    def _take_session(self, session_id: int | None) -> None:
        self._session = session_id if session_id is not None else self._session

    @work(group="ask", exclusive=True)
    async def action_add(self) -> None:
        """Choose sessions for a queue, of those that the library lists."""
        whose = await asyncio.to_thread(self._whose)
        queue_id = await ask_for_queue(self.app, self.shell, self._query, None, whose)
        if queue_id is not None:
            self._open(queue_id)

    @work(group="ask", exclusive=True)
    async def action_remove(self) -> None:
        """Forget the queue under the cursor; its labels stay. One that is begun with is asked for first."""
        if (listed := self.current) is not None and await is_to_be_forgotten(self.app, listed.queue):
            self.shell.store.queues.remove(listed.queue.id)
            self.notify(make_safe_line(f"Forgotten: {listed.queue.name}. Its labels stay."))
            self._read()

    @work(group="ask", exclusive=True)
    async def action_pairs(self) -> None:
        """Compare two sessions that answer the same thing, pair after pair, of those in the library."""
        from turnwise.tui.pairs.pairs_dialog import PairsDialog
        from turnwise.tui.pairs.preference_screen import PreferenceScreen

        whose = await asyncio.to_thread(self._whose)
        dialog = self.shell.kept_dialogs.of(PairsDialog, self._query, whose)
        if (name := await self.app.push_screen_wait(dialog)) is not None:
            self.app.push_screen(PreferenceScreen(name))

    def _whose(self) -> str:
        """Say of which sessions a queue or pairs are made."""
        total = self.shell.store.sessions.count()
        return f"what {self._query} finds" if self._query else whose_words(None, None, total)

    @work(group="ask", exclusive=True)
    async def action_export(self) -> None:
        """Write the queue under the cursor as a page that is labelled in a browser."""
        from turnwise.engine.people.handing_out import hand_out

        if (listed := self.current) is None:
            return
        about = "It works in any browser, blind; the file of labels that it saves is brought in here."
        name = f"{'-'.join(listed.queue.name.split())}.html".replace("/", "-")
        title = "Write a page to label in a browser"
        kept = self.shell.kept_dialogs
        asked = kept.of(NamingDialog, title, about, name, what="a path", does="write")
        if (path := await self.app.push_screen_wait(asked)) is None:
            return
        damaged: list[DamageError] = []
        output = _file(path)
        write = partial(hand_out, self.shell.store, listed.queue, output)
        try:
            count = await asyncio.to_thread(write, force=False, on_damage=damaged.append)
        except (TurnwiseError, OSError) as error:
            tell_of(self, self.shell, error)
            return
        left_out = f"; {counted(len(damaged), 'session')} cannot be read and left out" if damaged else ""
        more = f" {more}" if (more := more_drawn_words(listed.queue)) else ""
        note(self, f"{counted(count, 'session')} in {make_safe_line(str(output))}{left_out}.{more}")

    @work(group="ask", exclusive=True)
    async def action_import(self) -> None:
        """Bring in the labels that somebody gave on such a page, or a file of labels."""
        if await bring_in_labels(self, self.shell):
            self._read()

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(self._session)


def _file(typed: str) -> Path:
    return Path(typed).expanduser()


def _listed(store: Store) -> list[ListedQueue]:
    unseen = unseen_modes(store)
    return [
        ListedQueue(queue, store.queues.progress(queue.id), rate_of(store, queue), unseen)
        for queue in store.queues.all()
    ]
