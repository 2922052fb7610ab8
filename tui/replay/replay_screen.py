"""ReplayScreen: a session played again, with turns, scores and labels as they came."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Event, LabelRow, TurnRow
from turnwise.conversations.words import counted
from turnwise.engine.people.labelling import PersonLabels
from turnwise.engine.replay import Replay
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.frames import framed
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.drawing.still import StillColumn, StillScreen
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.prompt_line import PromptLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.margin import failing
from turnwise.tui.reading.score_groups import SessionScores
from turnwise.tui.reading.score_list import ScoreList
from turnwise.tui.reading.score_pane import ScorePane
from turnwise.tui.reading.strip_key import StripKey
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.replay.curve_line import curve_line
from turnwise.tui.replay.curve_words import newest_curve
from turnwise.tui.replay.playback import Playback
from turnwise.tui.replay.replay_lines import as_of_line, modes_line, moment_line
from turnwise.tui.replay.replay_reading import Draw, ReplayRead
from turnwise.tui.replay.replayed_session import KINDS
from turnwise.tui.replay.timeline import Timeline
from turnwise.tui.session_lists.covered import covered_sessions
from turnwise.tui.settings.keymap import action_while_asking, fill_keys, key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.last_reading import LastReading
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight
from turnwise.tui.textual_screens import hold_frames, make_ready_again, was_laid_out

TICK = 0.05
"""Seconds between two looks at the clock while it plays."""
PANE_FROM = 120
"""From so many cells up the scores of the moment stand beside the transcript."""
SEEN_NOW = "a label is not blind now"
"""What the title says where it was scores that are seen for the first time: the keys keep their room."""
HIDDEN = "scores are hidden until you label; {replay.reveal} shows them"


class ReplayScreen(StillScreen[None]):
    """Plays a session, and goes to any moment of it, by keys or on the line of its events."""

    PLACE: ClassVar[Place] = "replay"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("replay"))
    AUTO_FOCUS = "TranscriptView"
    DEFAULT_CSS = """
    ReplayScreen {
        & #body { height: 1fr; layout: horizontal; }
        & #reading { width: 1fr; height: 1fr; margin: 1 0 0 0; }
        & TranscriptView { height: 1fr; }
        & ScorePane { width: 36%; max-width: 60; height: 1fr; display: none; }
        &.-wide.-scored ScorePane { display: block; }
        & #moment { height: 2; background: $surface; }
        & Timeline { background: $surface; }
    }
    """

    shell = ShellOfApp()

    def __init__(
        self,
        session_id: int = 0,
        *,
        hides: bool = False,
        playing: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """session_id: 0 where it is made ahead, and begun later. playing: whether it plays at once.

        hides: whether what was found is hidden where one comes from. clock: seconds, for the waiting.
        """
        super().__init__()
        self.session_id, self._hides = session_id, hides
        self.playback = Playback(clock, playing=playing)
        self._read = ReplayRead()
        self._asked = LastReading()
        """Which session was read last, or is being read."""
        self._ready: ReplayRead | None = None
        """What was read of it ahead."""
        self._is_gone = False
        """Whether it was not there as it was read ahead."""
        self._let_frames_go: Callable[[], None] = lambda: None
        self._said: int | None = None
        """How many characters of the turn being said are seen; None where none is being said."""
        self._follows = True
        """Whether the transcript keeps its end in sight."""
        self._kind = "failed"
        """Which kind of events n and N go through."""
        self._scores_shown = -1
        self._failing: Set[int] = frozenset()
        """The numbers of turns that the scores so far found to fail."""
        self._told_playing = False
        """Whether the line of keys offers to pause."""
        self._warns = False
        """Whether it is said that a label is not blind any more."""
        self._plays_on = False
        """Whether it was paused by what opened over it, and plays on once that is closed."""

    def begin(self, session_id: int, *, hides: bool = False) -> None:
        """Take which session is played, at once. hides: as it is made with."""
        self.session_id, self._hides = session_id, hides

    def expect(self, session_id: int, *, hides: bool = False) -> bool:
        """Read the session that is played next, most likely; return whether that was still to be done.

        It is for a screen that was made ahead.
        """
        self.begin(session_id, hides=hides)
        return self._read_outdated()

    def _read_outdated(self) -> bool:
        """Read the session off the loop, unless it was read as it is now, or is being read."""
        if not self._asked.find_outdated(self.shell, self.session_id, self._hides):
            return False
        self._ready, self._is_gone = None, False
        # How wide it is drawn is known once the screen was laid out.
        draw = self.transcript.drawn_ahead if was_laid_out(self) else DrawnTranscript
        self._load(self.session_id, draw, hides=self._hides)
        return True

    def open_again(self) -> None:
        """Play the session in the parts that were made ahead, at once where that was expected."""
        make_ready_again(self, self._fill)

    def _fill(self) -> None:
        self._plays_on = False
        self._let_frames_go = hold_frames(self.app)
        self._start()

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self.set_class(self.app.size.width >= PANE_FROM, "-wide")
        yield TitleBar("Replay")
        with Container(id="body"):
            with framed(StillColumn(id="reading"), "Transcript"):
                yield StripKey()
                yield TranscriptView(opener=key_of(self.shell.actions, "replay", "fold"))
            yield framed(ScorePane(empty="No scores at this point yet."), "Scores so far")
        yield DrawnLines(id="moment")
        yield Timeline()
        yield PromptLine()
        yield KeyLine("replay")

    def on_mount(self) -> None:
        """Begin, unless it is made ahead."""
        if self.session_id:
            self._start()

    def _start(self) -> None:
        self.set_interval(TICK, self._tick)
        if self._is_gone:
            self._asked.forget()
        if not self._read_outdated() and self._ready is not None:
            read = self._ready.told_now()
            self.query_one(Timeline).set_events(read.stops, read.times)
            self._play(read)

    def on_screen_resume(self) -> None:
        """Play on where it played until something opened over it, as the help."""
        if self._plays_on:
            self._plays_on = False
            self.playback.play()
            self._show_moment()

    def on_resize(self) -> None:
        """Show the scores beside the transcript where there is room."""
        self.set_class(self.size.width >= PANE_FROM, "-wide")
        self.call_after_refresh(self._show_moment)

    @property
    def transcript(self) -> TranscriptView:
        """The turns."""
        return self.query_one(TranscriptView)

    @property
    def _scores_beside(self) -> bool:
        """Whether the scores so far stand beside the transcript."""
        return self.has_class("-wide") and self.has_class("-scored")

    @property
    def prompt(self) -> PromptLine:
        """The line that asks for a turn's number."""
        return self.query_one(PromptLine)

    @property
    def replay(self) -> Replay:
        """The events, and how many of them are visible."""
        return self.playback.replay

    # Reading

    @work(thread=True, exclusive=True, group="load")
    def _load(self, session_id: int, draw: Draw, *, hides: bool) -> None:
        try:
            happened = self.shell.store.events(session_id)
            covered = session_id in covered_sessions(self.shell, self.shell.store)
            read = self._work_out(happened, draw, hides=hides or covered)
        except NotFoundError as error:
            self.call_later(self._give_up, session_id, error)
        else:
            self.call_later(self._take, session_id, read, hides=hides)

    def _take(self, session_id: int, read: ReplayRead, *, hides: bool) -> None:
        """Play what was read, or keep it until it is to be played; what is not wanted any more is dropped."""
        if (session_id, hides) != (self.session_id, self._hides):
            return
        self._lay_out(read)
        if is_in_sight(self):
            self._play(read)
        else:
            self._ready = read

    def _give_up(self, session_id: int, error: NotFoundError) -> None:
        """Say that there is no such session, and go back; of one that is only expected nothing is said."""
        if session_id != self.session_id:
            return
        if not is_in_sight(self):
            self._is_gone = True
            return
        self._let_frames_go()
        self.shell.tell_error(error)
        self.dismiss()

    def _work_out(self, happened: Sequence[Event], draw: Draw, *, hides: bool) -> ReplayRead:
        return ReplayRead.of(happened, author_of(self.shell.settings), draw, hides=hides)

    def _lay_out(self, read: ReplayRead) -> None:
        """Show what takes its place whatever is played: that takes a while where there are many turns."""
        self.set_class(bool(read.session.scores), "-scored")
        self.query_one(StripKey).keep_room(read.session.names)
        self.query_one(Timeline).set_events(read.stops, read.times)
        self.transcript.set_turns(read.drawn)

    def _play(self, read: ReplayRead) -> None:
        """Begin to play what was laid out; from now on it is seen."""
        self._let_frames_go()
        self._read, self._scores_shown = read, -1
        self._warns = False
        if read.session.scores:
            self._keep_as_seen(read.said)
        self.playback.begin(read.replay)
        self._show()

    def _keep_as_seen(self, said: Sequence[Event]) -> None:
        """Keep that the scores are seen: of a turn it is told at once what was found about it later."""
        shell = self.shell
        if shell.settings.blind and self.session_id not in shell.sights:
            labels = [event.row for event in said if isinstance(event.row, LabelRow)]
            self._warns = not PersonLabels(author_of(shell.settings), labels).whole.word
        shell.sights.add(self.session_id, "in its replay")

    # What is shown

    def _tick(self) -> None:
        if self.replay.playing and not self.is_active:
            self._plays_on = is_in_sight(self)
            self._pause()
        if self.playback.tick(held=self.prompt.typing):
            self._show()
        if (said := self._said_by_now) is not None:
            self._type(said)

    @property
    def _said_by_now(self) -> int | None:
        """How many characters of the turn being said are to be seen; None where none is seen so."""
        held = self.shell.looks.reduced_motion or self.prompt.typing
        return None if held else self.playback.said

    def _type(self, said: int) -> None:
        """Show so many characters of the next turn."""
        if self._said is None:
            self.transcript.show_until(self.replay.turns_shown + 1, follow=self._follows)
        if said != self._said:
            begins, self._said = self._said is None, said
            if begins:
                self._show_moment()
            self.transcript.type_last(said, follow=self._follows)

    def _show(self) -> None:
        """Show what is visible at this moment; what is said next begins in the same frame."""
        replay, session = self.replay, self._read.session
        self._said, said = None, self._said_by_now
        if said is None:
            self.transcript.show_until(replay.turns_shown, follow=self._follows)
        scored = session.scored_until(replay.shown)
        if scored != self._scores_shown:
            self._scores_shown = scored
            pane = self.query_one(ScorePane)
            scores = SessionScores.of(session.scores_until(replay.shown), session.letters)
            pane.show(scores, session.labels_until(replay.shown), last=session.last_number)
            self._failing = frozenset(failing(pane.marks))
            self.transcript.set_verdicts({**session.room, **pane.marks}, pane.quotes)
            self.query_one(StripKey).show_names(pane.groups)
        if said is None:
            self._show_moment()
        else:
            self._type(said)

    def _show_place(self) -> None:
        """Tell in the title which turn is the last in sight, be it whole or being said."""
        bar, session = self.query_one(TitleBar), self._read.session
        bar.title = f"Replay · {session.name}"
        parts = (f"turn {self._number:,} of {session.last_number:,}", "paused" if self._is_paused else "")
        told = "scores hidden" if self._read.hides else SEEN_NOW if self._warns else ""
        bar.right = "   ".join(filter(None, (*parts, told)))

    @property
    def _number(self) -> int:
        """The number of the last turn in sight, be it whole or being said."""
        number = self.replay.turn_number
        if self._said is not None and isinstance(row := self.replay.events[self.replay.shown].row, TurnRow):
            return row.number or number
        return number

    @property
    def _is_paused(self) -> bool:
        return not (self.replay.playing or self.replay.at_end)

    def _show_moment(self) -> None:
        """Tell which moment it is: in the title, on the line of events, and in words."""
        replay, session = self.replay, self._read.session
        if not replay.events:
            return
        self._show_place()
        is_said = self._said is not None
        state = "■ paused" if self._is_paused else "▶ playing" if replay.playing else "■ at end"
        state = f"{state:<9} {replay.speed:g}x"
        self.query_one(Timeline).show(replay.shown + is_said, state, self._failing)
        if replay.playing != self._told_playing:
            self._told_playing = replay.playing
            self.refresh_bindings()
        moment = self.query_one("#moment", DrawnLines)
        to_come = len(session.scores) - max(0, self._scores_shown)
        tones, width = moment.tones, moment.size.width
        groups = self.query_one(ScorePane).groups
        # Of what is still being said nothing is told that was found about it later.
        event = replay.events[replay.shown - 1] if replay.shown and not is_said else None
        curve = newest_curve(row for _, row in session.scores)
        came = session.scored_until(replay.shown)
        later = not any(row is curve for _, row in session.scores[:came])
        curves = [curve_line(curve, replay.turn_number, width, tones, later=later)] if curve else []
        # Kept from the start where any will come, so that nothing moves when they do.
        modes = [modes_line(session.modes_until(replay.shown), width, tones)] if session.has_modes else []
        moment.styles.height = 2 + len(curves) + len(modes)
        moment.set_lines(
            [
                as_of_line(
                    self._number,
                    groups,
                    to_come,
                    width,
                    tones,
                    beside=self._scores_beside,
                    hidden=self._hidden_words,
                    ended=replay.at_end,
                ),
                *curves,
                *modes,
                moment_line(event, session.later, width, tones) if event else [Segment("")],
            ]
        )

    # What is hidden

    @property
    def _hidden_words(self) -> str:
        """What is told in the place of scores that are hidden; empty where none are."""
        return fill_keys(HIDDEN, self.shell.actions) if self._read.hides else ""

    def action_reveal(self) -> None:
        """Show what was found, at the moment that is shown; it is recorded."""
        turn, playing = self.replay.turn_number, self.replay.playing
        read = self._work_out(self._read.happened, DrawnTranscript, hides=False)
        self._lay_out(read)
        self._play(read)
        self.shell.seen.add(self.session_id)
        self._go(lambda: self.replay.seek_turn(turn), pause=not playing)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to show the scores only while they are hidden."""
        return self._read.hides if action == "reveal" else True

    # Going to another moment

    def _go(self, move: Callable[[], object], *, pause: bool) -> None:
        """Move to another place. pause: whether playing ends with it."""
        self._follows = True
        self.playback.go(move, pause=pause)
        self._show()

    def _go_to(self, shown: int) -> None:
        """Show the first `shown` events, and pause."""
        self._go(lambda: setattr(self.replay, "shown", shown), pause=True)

    def _pause(self) -> None:
        """Stay where it is; what is being said goes on from there."""
        self.replay.playing = False
        self._show_moment()

    def action_play(self) -> None:
        """Play or pause; at the end play from the start."""
        if self.replay.playing:
            self._pause()
            return
        if self.replay.at_end:
            self.playback.rewind()
            self._show()
        self._follows = True
        self.playback.play()
        self._show()

    def action_forward(self) -> None:
        """Show the next turn, all of it, and pause: whoever steps looks at it for as long as they like."""
        self._go(self.replay.step_turn, pause=True)

    def action_back_step(self) -> None:
        """Go back by a turn, or to the start of the one that is being said."""
        if self._said is not None:
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
        """Go on to the next event of the kind that was chosen: a turn or score that failed, at first."""
        place = next((place for place in self._places if place >= self.replay.shown), None)
        self._seek(place, f"No {self._kind_words} after this.")

    def action_previous_failed(self) -> None:
        """Go back to the event of that kind before."""
        place = next((place for place in reversed(self._places) if place < self.replay.shown - 1), None)
        self._seek(place, f"No {self._kind_words} before this.")

    def action_kind(self) -> None:
        """Choose another kind of events to go through, of those that there are."""
        if not (following := self._kind_after):
            return
        self._kind = following
        self.refresh_bindings()
        note(self, f"n and N go through {counted(len(self._places), self._kind_words)}.")

    @property
    def _kind_after(self) -> str:
        """The kind of events that is chosen next; empty where there are none."""
        there = [kind for kind in KINDS if self._read.session.places.get(kind)]
        place = there.index(self._kind) + 1 if self._kind in there else 0
        return there[place % len(there)] if there else ""

    @property
    def _places(self) -> Sequence[int]:
        """The places of the events that n and N go through."""
        return self._read.session.places.get(self._kind, ())

    @property
    def _kind_words(self) -> str:
        return "failure" if self._kind == "failed" else KINDS[self._kind]

    def _seek(self, place: int | None, otherwise: str) -> None:
        if place is None:
            note(
                self,
                f"The {self._hidden_words}." if self._read.hides and self._kind == "failed" else otherwise,
            )
        else:
            self._go_to(place + 1)

    def on_timeline_sought(self, event: Timeline.Sought) -> None:
        """Go to what was clicked on the line."""
        self._go_to(event.shown)

    def on_score_list_chosen(self, event: ScoreList.Chosen) -> None:
        """Look at the turn of a verdict that was clicked."""
        self._follows = False
        self.transcript.jump_to(event.turn)

    def action_home(self) -> None:
        """Go back to the start."""
        self._go(self.playback.rewind, pause=True)

    def action_end(self) -> None:
        """Show all."""
        self._go_to(len(self.replay.events))

    def action_turn(self) -> None:
        """Ask for a turn's number."""
        hint = f"(1 to {self._read.session.last_number:,}, g for the first)"
        self.prompt.ask("turn", "turn", placeholder=hint, text="")

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Go to the start by g g."""
        if event.text.lower() == "g":
            self._close_prompt()
            self.action_home()

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Go to the turn."""
        self._close_prompt()
        number = event.text.strip()
        if number and not (number.isdecimal() and self._seek_turn(int(number))):
            note(self, f"There is no turn {number[:20]}.")

    def jump_to_turn(self, number: int) -> None:
        """Go to a turn by its number, or say that it is not there."""
        if not self._seek_turn(number):
            note(self, f"There is no turn {number}.")

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
        self.playback.wake()
        self.set_focus(self.transcript)

    # Looking around while it plays

    def on_transcript_view_margin_changed(self, event: TranscriptView.MarginChanged) -> None:
        """Say over the verdict marks what they are."""
        self.query_one(StripKey).show_margin(event.margin)

    def on_transcript_view_cursor_moved(self, event: TranscriptView.CursorMoved) -> None:
        """Show the verdicts about the turn that is looked at."""
        self.query_one(ScorePane).show_turn(event.row.number)

    def after_move(self) -> None:
        """Follow what comes next only from the last turn: who comes back to it wants to see it."""
        self._follows = self.transcript.cursor_is_last

    def action_back(self) -> None:
        """Close the line that asks for a number, or leave."""
        if self.prompt.asking:
            self._close_prompt()
        else:
            self.dismiss()

    def key_now(self, action: Action) -> Action:
        """Return an action with the words and the rank that it has now."""
        if self.prompt.typing:
            return action_while_asking(action, "go there", by="fold")
        if action.name == "next_failed":
            return replace(action, title=f"next {KINDS[self._kind]}", rank=action.rank if self._places else 0)
        if action.name == "kind" and (following := self._kind_after):
            return replace(action, title=f"find {KINDS[following]}s" if following != "failed" else "find ✗")
        return replace(action, title="pause") if action.name == "play" and self.replay.playing else action
