"""HeatMapScreen: every session by every metric, sorted by any of them, each cell a key from its turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import BindingType

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Mark, SessionOrder, SessionRow, Store
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.overview.heat_key import key_of_cells, key_of_shades, names_of_letters
from turnwise.tui.overview.heat_rows import HeatRows
from turnwise.tui.overview.overview_words import metric_words
from turnwise.tui.parts.empty_words import NOTHING_SCORED, EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.session_lists.covered import HIDDEN, covered_sessions, in_covered_order, is_covered
from turnwise.tui.session_lists.empty_filter import nothing_found, wrong_filter
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.session_lists.stored_sessions import FoundSessions
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight

_ROOMY_FROM = 30
"""In a window of so many lines all of the key has room beside the sessions."""


class HeatMapScreen(PlaceScreen[None]):
    """Shows sessions by metrics, in pages, so that there may be any number of them."""

    PLACE: ClassVar[Place] = "heat_map"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("heat_map"))
    AUTO_FOCUS = "HeatRows"
    DEFAULT_CSS = """
    HeatMapScreen {
        & FittedLines { height: 2; padding: 0 2; }
        &.-empty HeatRows, &.-empty FittedLines { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, query: str = "") -> None:
        """query: of the sessions that are shown; all for an empty one."""
        super().__init__()
        self.begin(query)
        self._order = SessionOrder()
        self._reading = NewestReading(self)
        self._metrics: list[str] = []

    def begin(self, query: str = "") -> None:
        """query: as where it is made."""
        self.take_query(query)

    def clear(self) -> None:
        """Show nothing of other sessions than are asked for now."""
        bar = self.query_one(TitleBar)
        bar.detail, bar.right = self._asked, "reading …"
        self.remove_class("-empty")
        self.rows.show(FoundSessions(self.shell.store, ()), [], self._order)
        self._say()

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield PlacesLine("heat_map")
        yield TitleBar("Heat map", detail=self._asked, right="reading …")
        yield HeatRows()
        yield EmptyWords()
        yield FittedLines(grows=True)
        yield RunLine()
        yield KeyLine("heat_map")

    @property
    def rows(self) -> HeatRows:
        """The cells, which answer what moves about."""
        return self.query_one(HeatRows)

    def on_mount(self) -> None:
        """Read off the loop, and hear of runs."""
        self.shell.followers.follow(self, self.shell.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.shell.runs.state)
        self.rows.hides = partial(is_covered, self.shell)
        if self.find_outdated():
            self._read()

    def on_screen_resume(self) -> None:
        """Read what changed while another screen was above this one, and stay at the session."""
        if self.find_outdated():
            self._read(self.rows.current)
        else:
            # What it told as it was made ahead is seen from now on.
            self._say()

    def _read(self, at: SessionRow | None = None) -> None:
        """Read off the loop. at: the session that the cursor is on then; without it on the first one."""
        store, asked, order = self.shell.store, self._asked, self._order

        def read() -> tuple[list[str], FoundSessions, int] | TurnwiseError:
            try:
                ids = store.sessions.ids(asked, order)
            except TurnwiseError as error:
                return error
            found = in_covered_order(ids, asked, order, lambda: covered_sessions(self.shell, store))
            sessions = FoundSessions(store, found)
            cursor = sessions.index_of(at.id) if at is not None else None
            return store.sessions.metrics_by_age(), sessions, cursor or 0

        self._reading.ask(read, self._show)

    def _show(self, read: tuple[list[str], FoundSessions, int] | TurnwiseError) -> None:
        if isinstance(read, TurnwiseError):
            self.query_one(TitleBar).right = ""
            self.add_class("-empty")
            self.query_one(EmptyWords).tell(*wrong_filter(read))
            return
        metrics, sessions, cursor = read
        self._metrics = metrics
        self.set_class(not metrics or not sessions.count(), "-empty")
        self.query_one(TitleBar).right = counted(sessions.count(), "session")
        if self.has_class("-empty"):
            unmatched = self._asked and metrics
            self.query_one(EmptyWords).tell(*nothing_found(self._asked) if unmatched else NOTHING_SCORED)
        self.rows.show(sessions, metrics, self._order, cursor=cursor)
        self.refresh_bindings()

    def on_heat_rows_moved(self) -> None:
        """Say what is under the cursor."""
        self._say()

    def after_move(self) -> None:
        """Say what is under the cursor, in the frame in which it moved."""
        self._say()

    def _say(self) -> None:
        row, metric = self.rows.current, self.rows.metric
        name = ""
        facts: Sequence[str] = ()
        if row is not None and metric:
            name = make_safe_line(row.name[:400])
            mark, letters = row.marks.get(metric), self.rows.letters.get(metric, "")
            facts = cell_facts(metric, mark, letters)
            if is_covered(self.shell, row):
                facts = (HIDDEN.rstrip("."), HIDDEN.partition(":")[0])
        self._see()
        self.query_one(FittedLines).show(
            lambda size, tones: [
                [Segment(fit(with_name(name, facts, size.width), size.width), tones.text)],
                *names_of_letters(self.rows.letters, size.width, tones),
                key_of_cells(size.width, tones),
                *key_of_shades(self._told_thresholds, self.rows.letters, size.width, tones),
            ]
        )

    @property
    def _told_thresholds(self) -> Mapping[str, Sequence[float]]:
        """From which scores on metrics pass, as far as the key tells it.

        A low window needs the line for a session; that of the cell under the cursor stands above the key.
        """
        return self.rows.thresholds if self.app.size.height >= _ROOMY_FROM or not self.rows.letters else {}

    def on_rows_view_other_rows(self) -> None:
        """Remember whose scores are seen now."""
        self._see()

    def _see(self) -> None:
        """Remember whose scores are seen, once the screen is."""
        for row in self.rows.rows_in_sight() if is_in_sight(self) else ():
            if row.marks and not is_covered(self.shell, row):
                self.shell.sights.add(row.id, "in the heat map")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something where there are cells."""
        if not self.is_mounted or action not in ("open", "sort", "reverse"):
            return True
        return bool(self.rows.count and self.rows.metric)

    def on_heat_rows_chosen(self) -> None:
        """Read the session of a cell that was clicked twice."""
        self.action_open()

    def leads_to(self) -> SessionToRead | None:
        """Return the session under the cursor, in the list."""
        row, sessions = self.rows.current, self.rows.provider
        return SessionToRead(row.id, sessions) if row is not None and sessions is not None else None

    def action_open(self) -> None:
        """Read the session from the first turn at which the metric fails."""
        row = self.rows.current
        if row is None or self.rows.provider is None:
            return
        from turnwise.tui.review.review_screen import ReviewScreen

        # Where it fails is as good as told to whoever is led there.
        covered = is_covered(self.shell, row)
        turn = None if covered else first_failed_turn(self.shell.store, row, self.rows.metric)
        self.app.push_screen(
            self.shell.kept_dialogs.take(ReviewScreen, row.id, self.rows.provider, turn=turn)
        )

    def action_sort(self) -> None:
        """Sort by the metric under the cursor, the lowest score first; once more turns it round."""
        reverse = self._order.metric == self.rows.metric and not self._order.reverse
        self._order = SessionOrder("metric", self.rows.metric, reverse)
        self._read()

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self._order = SessionOrder(self._order.by, self._order.metric, not self._order.reverse)
        self._read()

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)


def with_name(name: str, facts: Sequence[str], width: int) -> str:
    """Say the first of some facts that leaves room for the whole name, or the name alone.

    In the list there may be no room for it: nowhere else is it told whole.
    """
    told = (" · ".join(part for part in (fact, name) if part) for fact in facts)
    return next((words for words in told if cell_len(words) <= width), name)


def cell_facts(metric: str, mark: Mark | None, letters: str = "") -> Sequence[str]:
    """Say what a cell shows, and what it needs to pass, then the same in fewer and fewer words.

    "role adherence: 0.20, fails (needs 0.50)". letters: that stand over the column; the key tells of what.
    """
    names = [metric_words(metric), *([letters] if letters else [])]
    if mark is None:
        return [f"{name}: not scored" for name in names]
    if mark.score is None:
        why = "skipped" if mark.outcome == "skipped" else "no score: judge failed"
        return [f"{name}: {why}" for name in names]
    how = {True: ", passes", False: ", fails", None: ""}[mark.passed]
    needs = f" (needs {mark.threshold:.2f})" if mark.threshold is not None else ""
    told = [f"{name}: {mark.score:.2f}{how}{needs}" for name in names]
    # The sign in the cell says whether it passes.
    return [*told, f"{names[-1]}: {mark.score:.2f}{needs}", f"{names[-1]}: {mark.score:.2f}"]


def first_failed_turn(store: Store, row: SessionRow, metric: str) -> int | None:
    """Return the first turn at which the newest score of a metric fails; None where it fails at none."""
    turns = [
        verdict.turn
        for score in store.scores.newest(row.id)
        if score.metric == metric
        for verdict in score.verdicts
        if verdict.passed is False and verdict.turn is not None
    ]
    return min(turns, default=None)
