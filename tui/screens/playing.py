"""PlayingScreen: a session as it was at a moment, which goes on by itself at the recorded pace."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.events import Event
from turnwise.conversations.store.rows import LabelRow, ScoreRow, SessionRow, TurnRow
from turnwise.engine.replay import Replay, pause_before
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.lines_view import DrawnLines
from turnwise.tui.widgets.prompt_line import PromptLine
from turnwise.tui.widgets.replay_lines import Later, as_of_line, moment_line
from turnwise.tui.widgets.score_groups import SessionScores, group_scores, newest_scores, turn_marks
from turnwise.tui.widgets.score_pane import ScorePane
from turnwise.tui.widgets.timeline import Timeline
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.transcript import TranscriptView
from turnwise.tui.widgets.typing_pace import typed_characters

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

TICK = 0.05
"""Seconds between two looks at the clock while it plays."""
PANE_FROM = 120
"""From so many cells up the scores of the moment stand beside the transcript."""
SECONDS_OF_A_NOTE = 2.5


class PlayingScreen(StillScreen[None]):
    """Plays a session. The machine says what is visible and how long to wait; the waiting is done here.

    Where to go to is for who inherits.
    """

    AUTO_FOCUS = "TranscriptView"
    DEFAULT_CSS = """
    PlayingScreen {
        & #body { height: 1fr; layout: horizontal; }
        & TranscriptView { width: 1fr; height: 1fr; margin: 1 0 0 0; }
        & ScorePane { width: 36%; max-width: 60; height: 1fr; display: none; }
        &.-wide.-scored ScorePane { display: block; }
        & #moment { height: 2; background: $surface; }
        & Timeline { background: $surface; }
    }
    """

    app: TurnwiseApp

    @dataclass
    class Loaded(Message):
        """The events of the session were read."""

        events: Sequence[Event]

    @dataclass
    class Missing(Message):
        """There is no such session."""

        error: NotFoundError

    def __init__(
        self, session_id: int, *, playing: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """playing: whether it plays at once. clock: seconds, for the waiting."""
        super().__init__()
        self.session_id = session_id
        self.replay = Replay(())
        self._plays_at_once = playing
        self.clock = clock
        self.ticked = 0.0
        self._progress = 0.0
        """How much of the wait for the next event has passed, 0 to 1."""
        self.typed = -1
        """How many characters of the turn being said are seen; -1 where none is being said."""
        self.follows = True
        """Whether the transcript keeps its end in sight."""
        self._name_shown = ""
        self.last_number = 0
        self._scores: list[tuple[int, ScoreRow]] = []
        self.failing: list[int] = []
        self._later = Later({})
        self._scores_shown = -1
        self._room: dict[int, list[tuple[str, bool | None]]] = {}
        """Marks of no turn, which keep room for all that will come, so that no text moves when they do."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self.set_class(self.app.size.width >= PANE_FROM, "-wide")
        yield TitleBar("Replay")
        with Container(id="body"):
            yield TranscriptView()
            yield ScorePane(empty="No scores at this point yet.")
        yield DrawnLines(id="moment")
        yield Timeline()
        yield PromptLine()
        yield KeyLine("replay")

    def on_mount(self) -> None:
        """Read the session off the loop."""
        self.set_interval(TICK, self._tick)
        self._load()

    def on_resize(self) -> None:
        """Show the scores beside the transcript where there is room."""
        self.set_class(self.size.width >= PANE_FROM, "-wide")
        self.call_after_refresh(self.show_moment)

    @property
    def transcript(self) -> TranscriptView:
        """The turns."""
        return self.query_one(TranscriptView)

    @property
    def prompt(self) -> PromptLine:
        """The line that asks for a turn's number."""
        return self.query_one(PromptLine)

    @work(thread=True, exclusive=True, group="load")
    def _load(self) -> None:
        try:
            self.post_message(self.Loaded(self.app.store.events(self.session_id)))
        except NotFoundError as error:
            self.post_message(self.Missing(error))

    def on_playing_screen_missing(self, event: Missing) -> None:
        """Say so and go back."""
        self.app.tell_error(event.error)
        self.dismiss()

    def on_playing_screen_loaded(self, event: Loaded) -> None:
        """Begin."""
        happened = event.events
        # The session itself is there from the start.
        self.replay = Replay(happened, shown=min(1, len(happened)), playing=self._plays_at_once)
        self._name_shown = next((e.row.name for e in happened if isinstance(e.row, SessionRow)), "")
        self._scores = [(place, e.row) for place, e in enumerate(happened) if isinstance(e.row, ScoreRow)]
        newest = group_scores(newest_scores([row for _, row in self._scores]))
        self._later = Later.of(newest)
        marks = turn_marks(newest)
        self._room = {0: [mark for found in marks.values() for mark in found]}
        self.set_class(bool(newest), "-scored")
        failing = {number for number, found in marks.items() if any(passed is False for _, passed in found)}
        self.failing = [place for place, e in enumerate(happened) if _fails(e, failing)]
        self.query_one(Timeline).set_events(happened, failing)
        turns = [e.row for e in happened if isinstance(e.row, TurnRow)]
        self.last_number = max((row.number or 0 for row in turns), default=0)
        self.transcript.set_rows(turns)
        self.ticked = self.clock()
        self.show()

    # Playing

    def _tick(self) -> None:
        now = self.clock()
        passed, self.ticked = now - self.ticked, now
        if not self.replay.playing or self.prompt.typing:
            return
        moved = False
        while self.replay.playing:
            wait = self.replay.wait()
            if wait <= 0:
                self.replay.step()
            else:
                self._progress += passed / wait
                passed = 0.0
                if self._progress < 1:
                    break
                self.replay.step()
                self._progress = 0.0
            moved = True
            self.replay.playing = not self.replay.at_end
        if moved:
            self.show()
        if self.replay.playing:
            self._type()

    def _type(self) -> None:
        """Show as much of the next turn as has been said."""
        place = self.replay.shown
        row = self.replay.events[place].row
        if not isinstance(row, TurnRow) or self._progress <= 0:
            return
        typed = typed_characters(len(row.content), pause_before(self.replay.events, place), self._progress)
        if self.typed < 0:
            self.transcript.show_until(self.replay.turns_shown + 1, follow=self.follows)
        if typed != self.typed:
            self.typed = typed
            self.transcript.type_last(typed, follow=self.follows)

    def show(self) -> None:
        """Show what is visible now."""
        self.typed = -1
        self.transcript.show_until(self.replay.turns_shown, follow=self.follows)
        shown = bisect_left(self._scores, self.replay.shown, key=lambda pair: pair[0])
        if shown != self._scores_shown:
            self._scores_shown = shown
            rows = newest_scores([row for _, row in self._scores[:shown]])
            pane = self.query_one(ScorePane)
            pane.show(SessionScores.of(rows), self._labels(), last=self.last_number)
            self.transcript.set_verdicts({**self._room, **pane.marks})
        self.show_moment()

    def _labels(self) -> list[LabelRow]:
        return [e.row for e in self.replay.events[: self.replay.shown] if isinstance(e.row, LabelRow)]

    def show_moment(self) -> None:
        """Tell which moment it is: in the title, on the line of events, and in words."""
        replay = self.replay
        if not replay.events:
            return
        bar = self.query_one(TitleBar)
        bar.title = f"Replay · {self._name_shown}"
        bar.right = f"turn {replay.turn_number} of {self.last_number}"
        state = "▶ playing" if replay.playing else "■ at end" if replay.at_end else "■ paused"
        # As wide in every state, so that the line beside it stays where it is.
        self.query_one(Timeline).show(replay.shown, f"{state:<9} {f'{replay.speed:g}x':<5}")
        moment = self.query_one("#moment", DrawnLines)
        to_come = len(self._scores) - max(0, self._scores_shown)
        tones, width = moment.tones, moment.size.width
        groups = self.query_one(ScorePane).groups
        event = replay.events[replay.shown - 1] if replay.shown else None
        moment.set_lines(
            [
                as_of_line(replay.turn_number, groups, to_come, width, tones),
                moment_line(event, self._later, width, tones) if event else [Segment("")],
            ]
        )

    def go(self, move: Callable[[], object], *, pause: bool) -> None:
        """Move to another place. pause: whether playing ends with it."""
        self._progress = 0.0
        self.follows = True
        move()
        if pause or self.replay.at_end:
            self.replay.playing = False
        self.show()


def _fails(event: Event, failing: set[int]) -> bool:
    """Return whether an event is a score that failed, or a turn with a verdict that failed."""
    if isinstance(event.row, TurnRow):
        return event.row.number in failing
    return isinstance(event.row, ScoreRow) and event.row.passed is False
