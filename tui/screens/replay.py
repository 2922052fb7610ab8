"""ReplayScreen: a session played again, with turns, scores and labels as they came."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.events import Event
from turnwise.conversations.store.rows import LabelRow, ScoreRow, SessionRow, TurnRow
from turnwise.engine.replay import Replay, pause_before
from turnwise.tui.actions import Place, bindings
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.lines_view import DrawnLines
from turnwise.tui.widgets.prompt_line import PromptLine
from turnwise.tui.widgets.replay_lines import Later, as_of_line, moment_line
from turnwise.tui.widgets.score_groups import SessionScores, group_scores, newest_scores, turn_marks
from turnwise.tui.widgets.score_list import ScoreList
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


class ReplayScreen(Screen[None]):
    """Plays a session. The machine says what is visible and how long to wait; the waiting is done here."""

    PLACE: ClassVar[Place] = "replay"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("replay"))
    AUTO_FOCUS = "TranscriptView"
    CSS = """
    ReplayScreen {
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
        self._clock = clock
        self._ticked = 0.0
        self._progress = 0.0
        """How much of the wait for the next event has passed, 0 to 1."""
        self._typed = -1
        """How many characters of the turn being said are seen; -1 where none is being said."""
        self._follows = True
        """Whether the transcript keeps its end in sight."""
        self._name_shown = ""
        self._last_number = 0
        self._scores: list[tuple[int, ScoreRow]] = []
        self._failing: list[int] = []
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
        self.call_after_refresh(self._show_moment)

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

    def on_replay_screen_missing(self, event: Missing) -> None:
        """Say so and go back."""
        self.app.tell_error(event.error)
        self.dismiss()

    def on_replay_screen_loaded(self, event: Loaded) -> None:
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
        self._failing = [place for place, e in enumerate(happened) if _fails(e, failing)]
        self.query_one(Timeline).set_events(happened, failing)
        turns = [e.row for e in happened if isinstance(e.row, TurnRow)]
        self._last_number = max((row.number or 0 for row in turns), default=0)
        self.transcript.set_rows(turns)
        self._ticked = self._clock()
        self._show()

    # Playing

    def _tick(self) -> None:
        now = self._clock()
        passed, self._ticked = now - self._ticked, now
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
            self._show()
        if self.replay.playing:
            self._type()

    def _type(self) -> None:
        """Show as much of the next turn as has been said."""
        place = self.replay.shown
        row = self.replay.events[place].row
        if not isinstance(row, TurnRow) or self._progress <= 0:
            return
        typed = typed_characters(len(row.content), pause_before(self.replay.events, place), self._progress)
        if self._typed < 0:
            self.transcript.show_until(self.replay.turns_shown + 1, follow=self._follows)
        if typed != self._typed:
            self._typed = typed
            self.transcript.type_last(typed, follow=self._follows)

    def _show(self) -> None:
        """Show what is visible now."""
        self._typed = -1
        self.transcript.show_until(self.replay.turns_shown, follow=self._follows)
        shown = bisect_left(self._scores, self.replay.shown, key=lambda pair: pair[0])
        if shown != self._scores_shown:
            self._scores_shown = shown
            rows = newest_scores([row for _, row in self._scores[:shown]])
            pane = self.query_one(ScorePane)
            pane.show(SessionScores.of(rows), self._labels(), last=self._last_number)
            self.transcript.set_verdicts({**self._room, **pane.marks})
        self._show_moment()

    def _labels(self) -> list[LabelRow]:
        return [e.row for e in self.replay.events[: self.replay.shown] if isinstance(e.row, LabelRow)]

    def _show_moment(self) -> None:
        replay = self.replay
        if not replay.events:
            return
        bar = self.query_one(TitleBar)
        bar.title = f"Replay · {self._name_shown}"
        bar.right = f"turn {replay.turn_number} of {self._last_number}"
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

    def _go(self, move: Callable[[], object], *, pause: bool) -> None:
        """Move to another place. pause: whether playing ends with it."""
        self._progress = 0.0
        self._follows = True
        move()
        if pause or self.replay.at_end:
            self.replay.playing = False
        self._show()

    def action_play(self) -> None:
        """Play or pause; at the end play from the start."""
        replay = self.replay
        if replay.playing:
            replay.playing = False
        else:
            if replay.at_end:
                replay.shown = min(1, len(replay.events))
                self._show()
            replay.playing, self._follows = True, True
            self._ticked = self._clock()
        self._show_moment()

    def action_forward(self) -> None:
        """Show the next turn, all of it; if it plays, it plays on from there."""
        self._go(self.replay.step_turn, pause=False)

    def action_back_step(self) -> None:
        """Go back by a turn, or to the start of the one that is being said."""
        if self._typed >= 0:
            self._go(lambda: None, pause=True)
        else:
            self._go(lambda: self.replay.step_turn(-1), pause=True)

    def action_event_forward(self) -> None:
        """Show the next event."""
        self._go(self.replay.step, pause=True)

    def action_event_back(self) -> None:
        """Go back by an event."""
        self._go(lambda: self.replay.step(-1), pause=True)

    def action_slower(self) -> None:
        """Play at half the speed."""
        self.replay.faster(-1)
        self._show_moment()

    def action_faster(self) -> None:
        """Play at twice the speed."""
        self.replay.faster()
        self._show_moment()

    def action_next_failed(self) -> None:
        """Go on to the next turn or score that failed."""
        place = next((place for place in self._failing if place >= self.replay.shown), None)
        self._seek(place, "Nothing fails after this.")

    def action_previous_failed(self) -> None:
        """Go back to the turn or score that failed before."""
        place = next((place for place in reversed(self._failing) if place < self.replay.shown - 1), None)
        self._seek(place, "Nothing fails before this.")

    def _seek(self, place: int | None, otherwise: str) -> None:
        if place is None:
            self.notify(otherwise, timeout=SECONDS_OF_A_NOTE)
        else:
            self._go(lambda: setattr(self.replay, "shown", place + 1), pause=True)

    def on_timeline_sought(self, event: Timeline.Sought) -> None:
        """Go to what was clicked on the line."""
        self._go(lambda: setattr(self.replay, "shown", event.shown), pause=True)

    def on_score_list_chosen(self, event: ScoreList.Chosen) -> None:
        """Look at the turn of a verdict that was clicked."""
        self._follows = False
        self.transcript.jump_to(event.turn)

    def action_home(self) -> None:
        """Go back to the start."""
        self._go(lambda: setattr(self.replay, "shown", min(1, len(self.replay.events))), pause=True)

    def action_end(self) -> None:
        """Show all."""
        self._go(lambda: setattr(self.replay, "shown", len(self.replay.events)), pause=True)

    def action_turn(self) -> None:
        """Ask for a turn's number."""
        self.prompt.ask("turn", "turn", placeholder=f"1 to {self._last_number}", text="")

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Go to the turn."""
        self._close_prompt()
        number = event.text.strip()
        if number and not (number.isdecimal() and self._seek_turn(int(number))):
            self.notify(f"There is no turn {number[:20]}.", timeout=SECONDS_OF_A_NOTE, markup=False)

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        if not self._seek_turn(number):
            self.notify(f"There is no turn {number}.", timeout=SECONDS_OF_A_NOTE)

    def _seek_turn(self, number: int) -> bool:
        there = self.replay.seek_turn(number)
        if there:
            self._go(lambda: None, pause=True)
        return there

    def on_prompt_line_cancelled(self) -> None:
        """Close the line."""
        self._close_prompt()

    def _close_prompt(self) -> None:
        self.prompt.close()
        self._ticked = self._clock()
        self.transcript.focus()

    # Looking around while it plays

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn that is looked at."""
        self.query_one(ScorePane).show_turn(event.row.number)

    def action_cursor_down(self) -> None:
        """Look at the next turn."""
        self._look(self.transcript.cursor_down)

    def action_cursor_up(self) -> None:
        """Look at the turn before."""
        self._look(self.transcript.cursor_up)

    def action_page_down(self) -> None:
        """Look down by a page."""
        self._look(self.transcript.page_down)

    def action_page_up(self) -> None:
        """Look up by a page."""
        self._look(self.transcript.page_up)

    def _look(self, move: Callable[[], None]) -> None:
        move()
        # Who comes back to the last turn wants to see what comes next.
        self._follows = self.transcript.cursor_is_last

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn."""
        self.transcript.toggle_fold()

    def action_back(self) -> None:
        """Leave."""
        self.dismiss()


def _fails(event: Event, failing: set[int]) -> bool:
    """Return whether an event is a score that failed, or a turn with a verdict that failed."""
    if isinstance(event.row, TurnRow):
        return event.row.number in failing
    return isinstance(event.row, ScoreRow) and event.row.passed is False
