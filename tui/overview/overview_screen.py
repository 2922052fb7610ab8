"""OverviewScreen: how the sessions of a filter came out, for those who would rather look than read."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import terms_of
from turnwise.engine.overview import Overview, overview, overview_steps
from turnwise.tui.actions import Place, bindings
from turnwise.tui.failure_modes.mode_words import ONE_GROUP
from turnwise.tui.importing.path_choices import from_home
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.overview.overview_lines import Drawing, OverviewLine, overview_lines
from turnwise.tui.overview.overview_rows import EDGES, OverviewRows
from turnwise.tui.overview.overview_words import META, made_of, sessions_words
from turnwise.tui.parts.empty_words import NO_SESSIONS, NOTHING_SCORED, EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.newest_reading import NewestReading, hand_over
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.listing_screen import ListingScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.session_lists.covered import covered_sessions, hiding_words, open_query
from turnwise.tui.session_lists.empty_filter import nothing_found, wrong_filter
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import ShellOfApp

PAGE = "overview.html"
"""What a page is called where nobody gives it another name."""
LEAST = 50 - EDGES
"""Cells of lines at the least; what a smaller window has no room for is cut."""

COUNTED, NOT_COUNTED = "counted here, not in the library's figures", "not counted here"
NO_OVERVIEW = (
    NO_SESSIONS[0],
    f"{NO_SESSIONS[1]}\n\nThe overview then says what goes wrong most often, at which turn, how sure "
    "that is, and what to do next.",
)
_Read = tuple[Overview, str, int]
"""What was found, what is said of the sessions that wait for a blind label, and how many are left out."""


@dataclass(frozen=True, slots=True)
class OverviewView:
    """How an overview stood when it was left for the sessions of one of its lines.

    waiting: what it said of sessions that wait for a label; cursor: the line, from 0.
    """

    found: Overview
    waiting: str
    by: str | None
    drawn: bool
    cursor: int


class OverviewScreen(ListingScreen[OverviewView]):
    """Shows rates, histograms and failures by turn, each line with the sessions that it is about."""

    PLACE: ClassVar[Place] = "overview"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("overview"))
    AUTO_FOCUS = "OverviewRows"
    DEFAULT_CSS = """
    OverviewScreen.-empty OverviewRows { display: none; }
    """

    shell = ShellOfApp()

    def __init__(self, query: str = "", left: OverviewView | None = None) -> None:
        """query: of the sessions that are looked at; all for an empty one. left: how one was left that is
        gone back to.
        """
        super().__init__()
        self.asked = query
        """The query of the sessions that are looked at."""
        self._by = left.by if left is not None else None
        self._drawn = left.drawn if left is not None else True
        self._to_modes = False
        """Whether the failure modes are to come into sight once they are counted anew."""
        self._found = left.found if left is not None else None
        self._waiting = left.waiting if left is not None else ""
        """What is said of sessions that wait for a blind label; the library hides their scores."""
        self._left_out = 0
        self._begin_at = left.cursor if left is not None else None
        """The line that the cursor is to be put on once lines are there."""
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield PlacesLine("overview")
        yield TitleBar("Overview", detail=self.asked, right="counting …")
        yield OverviewRows()
        yield EmptyWords()
        yield RunLine()
        yield KeyLine("overview")

    @property
    def rows(self) -> OverviewRows:
        """The lines, which answer what moves about."""
        return self.query_one(OverviewRows)

    def on_mount(self) -> None:
        """Count, off the loop, and hear of runs."""
        self.shell.followers.follow(self, self.shell.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.shell.runs.state)
        if self.find_outdated():
            self._read()

    def on_screen_resume(self) -> None:
        """Count what changed while another screen was above this one."""
        if self.find_outdated():
            self._read()

    def on_resize(self) -> None:
        """Let bars and names take the room there is."""
        self.call_after_refresh(self._lay_out)

    def _read(self) -> None:
        store, by = self.shell.store, self._by

        def read() -> _Read | TurnwiseError:
            try:
                query, waiting, left_out = self._looked_at()
                for found in overview_steps(store, query, by=by):
                    # What was there before stays until all is read anew, so that nothing jumps.
                    if found.unread and (self._found is None or self._found.unread):
                        hand_over(self, self._show, (found, waiting, left_out))
            except TurnwiseError as error:
                return error
            return found, waiting, left_out

        self._reading.ask(read, self._show)

    def _looked_at(self) -> tuple[str, str, int]:
        """Return the query of what is counted, what is said of those that wait for a blind label, and how
        many of these are left out.

        Call it from a thread.
        """
        covered = covered_sessions(self.shell, self.shell.store)
        query, left_out = open_query(self.shell.store, self.asked, covered)
        if left_out or self.asked:
            return query, hiding_words(left_out, NOT_COUNTED), left_out
        return query, hiding_words(len(covered), COUNTED), 0

    def _show(self, read: _Read | TurnwiseError) -> None:
        if isinstance(read, TurnwiseError):
            self._found = None
            self._say_empty(*wrong_filter(read))
            return
        found, self._waiting, self._left_out = read
        self._found = found
        self._lay_out()
        over_all = self._waiting if self._tells_at_top(found) else ""
        self.query_one(TitleBar).right = found.unread or over_all
        self.refresh_bindings()

    def _tells_at_top(self, found: Overview) -> bool:
        """Whether what waits for a label is told over all figures: the first of them count it, too."""
        return bool(found.rates) and not found.unread and not self._left_out

    def _lay_out(self) -> None:
        found = self._found
        # Before there is room nothing would be in sight, and the lines would be scrolled to the cursor.
        if found is None or not self.is_mounted or not (self.rows.size or self.has_class("-empty")):
            return
        width = max(LEAST, self.rows.size.width - EDGES)
        opens = key_of(self.shell.actions, "overview", "open")
        drawing = Drawing(width, self._drawn, to_modes=f"{opens} lists them in Modes")
        if self.asked and not found.sessions:
            self._say_empty(*nothing_found(self.asked, self._left_out))
            return
        below = "" if self._tells_at_top(found) else self._waiting
        lines = list(overview_lines(found, drawing, below))
        self.set_class(not lines, "-empty")
        if lines:
            # Figures of a filter's sessions alone would else be taken for those of all.
            only = f"Only what {make_safe_line(self.asked)} finds: " if self.asked else ""
            self.rows.show(f"{only}{sessions_words(found)}", lines)
            if self._begin_at is not None:
                self.rows.move_cursor(self._begin_at)
                self._begin_at = None
            if self._to_modes and found.by == self._by:
                self._to_modes = False
                self.rows.show_part("Failure modes")
            return
        self._say_empty(*(NOTHING_SCORED if found.sessions else NO_OVERVIEW))

    def _say_empty(self, title: str, text: str) -> None:
        """Say why there is nothing to see, and what to do."""
        self.add_class("-empty")
        self.query_one(TitleBar).right = ""
        self.query_one(EmptyWords).tell(title, text)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to open only what leads to sessions."""
        if not self.is_mounted:
            return True
        if action in ("heat_map", "figures", "export"):
            return not self.has_class("-empty")
        if action == "by":
            return self._found is not None and bool(self._found.modes or self._by)
        return self.rows.chosen.leads if action == "open" else True

    def on_overview_rows_chosen(self, event: OverviewRows.Chosen) -> None:
        """Open a line that was clicked twice."""
        self._open(event.line)

    def action_open(self) -> None:
        """List the sessions that the line is about, or all failure modes."""
        self._open(self.rows.chosen)

    def _open(self, line: OverviewLine) -> None:
        if line.all_modes:
            self._list_modes()
        elif line.query:
            asked = [term.text for term in terms_of(self.asked)]
            more = [term.text for term in terms_of(line.query) if term.text not in asked]
            self._list(" ".join((self.asked, *more)).strip())

    def _list(self, query: str | None) -> None:
        if self._found is not None and query is not None:
            view = OverviewView(self._found, self._waiting, self._by, self._drawn, self.rows.cursor)
            self.list_sessions(query, view)

    def _list_modes(self) -> None:
        """Show how often every failure mode occurs, counted by what they are counted by here."""
        from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen
        from turnwise.tui.failure_modes.mode_tables import rates_by

        self.app.push_screen(FailureModesScreen(rates_by(self._by)), self._list)

    def action_heat_map(self) -> None:
        """See every session by every metric."""
        from turnwise.tui.overview.heat_map_screen import HeatMapScreen

        self.app.push_screen(self.shell.kept_dialogs.take(HeatMapScreen, self.asked))

    def action_by(self) -> None:
        """Count failure modes over all, by role, by tag, or by what the metadata say."""
        if self._found is None:
            return
        # What lies deeper in the metadata is a file's own, such as what was known to its maker.
        offered = [one for one in self._found.groupings if "." not in one.removeprefix(META)]
        if not offered and self._by is None:
            note(self, ONE_GROUP)
            return
        choices = [None, *offered]
        at = choices.index(self._by) if self._by in choices else 0
        self._by = choices[(at + 1) % len(choices)]
        self._to_modes = True
        self._read()

    def action_figures(self) -> None:
        """Show figures alone, or bars again."""
        self._drawn = not self._drawn
        self._lay_out()

    @work(group="ask", exclusive=True)
    async def action_export(self) -> None:
        """Write what is shown as one page, with what was said where failure modes show."""
        path = await self._page_named()
        if path is None:
            return
        try:
            await asyncio.to_thread(self._write, path, self._by)
        except TurnwiseError as error:
            self.shell.tell_error(error)
            return
        note(self, make_safe_line(f"Written: {path.absolute()}"))

    def _write(self, path: Path, by: str | None) -> None:
        """Count anew, and write the page; a file whose name ends in .md is written as Markdown."""
        from turnwise.engine.people.mode_occurrences import modes_in_words
        from turnwise.tui.overview.overview_markdown import markdown_pieces
        from turnwise.tui.overview.overview_page import page_pieces, write_page

        store = self.shell.store
        query, waiting, _ = self._looked_at()
        pieces = markdown_pieces if path.suffix == ".md" else page_pieces
        # What is counted all the same needs no word there: nobody has the library beside the page.
        words = [self.asked, waiting if query != self.asked else ""]
        about = made_of(store.path, ", ".join(filter(None, words)), date.today())
        write_page(pieces(overview(store, query, by=by), about, modes_in_words(store, query)), path)

    async def _page_named(self) -> Path | None:
        """Ask where to write the page; one that is there is written over where its name is given twice."""
        about, name = page_words(Path.cwd()), PAGE
        given = ""
        ask = partial(self.shell.kept_dialogs.of, NamingDialog, "Write a report", what="a path", does="write")
        while typed := await self.app.push_screen_wait(ask(about=about, name=name)):
            path, is_there = await asyncio.to_thread(_looked_up, typed)
            if typed == given or not is_there:
                return path
            name = given = typed
            about = "There is such a file already. The same name once more writes over it."
        return None

    def action_back(self) -> None:
        """Go back to the library."""
        self.dismiss(None)


def page_words(folder: Path) -> str:
    """Say what is written, and where. folder: in which turnwise was started."""
    return (
        "This overview as one HTML page, or as Markdown where the name ends in .md. A name alone is written "
        f"in {from_home(folder)}."
    )


def _looked_up(typed: str) -> tuple[Path, bool]:
    """Return the path that was typed, and whether something is there."""
    path = Path(typed).expanduser()
    return path, path.exists()
