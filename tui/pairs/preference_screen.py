"""PreferenceScreen: two sessions side by side without names, and a key each for left, right and neither."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import PairedSessions, PairQueueRow, Preference, PreferenceRow, Store
from turnwise.engine.people.blind_pairs import blind_turns
from turnwise.engine.people.preferring import group_strengths, notes_of, preferences_of, say_of_pair
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.lines import BAR, Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.pairs.preference_end import PreferenceEndDialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.side_transcript import (
    Differences,
    SideTranscript,
    SideTurns,
    differing,
    join_sides,
)
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import ShellOfApp

BESIDE_FROM = 100
"""From so many cells up both sides are seen; below, the one that has the keys."""
SIDES: tuple[Preference, Preference] = ("left", "right")


@dataclass(frozen=True, slots=True)
class QueueRead:
    """What is read of a queue of pairs when it is opened.

    said: what its reader says by now, by place. notes: theirs on pairs of which they say no side yet.
    """

    row: PairQueueRow
    pairs: Sequence[PairedSessions]
    said: Mapping[int, PreferenceRow]
    notes: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class PairChange:
    """What was said of the pair at an index before something else was said of it."""

    index: int
    preferred: Preference | None
    written: str


@dataclass(frozen=True, slots=True)
class SidesRead:
    """What is read of the pair at an index of its queue. differing: the slots whose turns differ."""

    index: int
    sides: tuple[SideTurns, SideTurns]
    differing: Sequence[int] = field(default=())


class PreferenceScreen(StillScreen[None]):
    """Asks of one pair after another which side is better; what is said is kept at once."""

    PLACE: ClassVar[Place] = "preferring"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("preferring"))
    AUTO_FOCUS = "#transcript-left"
    CSS = """
    PreferenceScreen {
        & #heads { height: 2; margin: 1 0 0 0; }
        & #sides { height: 1fr; }
        & .side { width: 1fr; height: 1fr; }
        & FittedLines { height: 2; background: $background; }
        & .side-left { padding-right: 1; }
        & .side-right { border-left: vkey $text-muted; }
        & SideTranscript { height: 1fr; }
        &:ansi .side-right { border-left: vkey ansi_default; }
        &.-one .side-left { padding-right: 0; }
        &.-one .side-right { border-left: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, name: str) -> None:
        """name: of the queue of pairs."""
        super().__init__()
        self._pairs_name = name
        self._pairs: Sequence[PairedSessions] = ()
        self._said: dict[int, PreferenceRow] = {}
        self._index = 0
        self._shown = -1
        """The pair whose turns are on the screen; a key that comes before the next one is meant for none."""
        self._current = 0
        self._differences = Differences(self, lambda: self.transcript)
        self._notes: dict[int, str] = {}
        """What was written of pairs of which no side was said, by place."""
        self._changes: list[PairChange] = []
        """What was said here, the newest last, as undo takes it back."""
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar(make_safe_line(self._pairs_name), right="reading the pairs …")
        with Horizontal(id="heads"):
            for side in SIDES:
                with Vertical(id=f"head-{side}", classes=f"side side-{side}"):
                    yield FittedLines()
        with Horizontal(id="sides"):
            for side in SIDES:
                with Vertical(id=f"side-{side}", classes=f"side side-{side}"):
                    opener = key_of(self.shell.actions, "preferring", "fold")
                    yield SideTranscript(opener, id=f"transcript-{side}")
        yield KeyLine("preferring")

    def on_mount(self) -> None:
        """Let the transcripts go together, and read the pairs off the loop."""
        first, second = self.transcripts
        first.join(second)
        self._place_sides()
        self._reading.ask(
            partial(_read_queue, self.shell.store, self._pairs_name, self._author), self._take_queue
        )

    def on_resize(self) -> None:
        """Show both sides or one."""
        self._place_sides()
        self._tell()

    @property
    def _author(self) -> str:
        return author_of(self.shell.settings)

    @property
    def transcripts(self) -> tuple[SideTranscript, SideTranscript]:
        """Both transcripts, the left one first."""
        return (
            self.query_one("#transcript-left", SideTranscript),
            self.query_one("#transcript-right", SideTranscript),
        )

    @property
    def differences(self) -> Differences:
        """The turns that differ, and the keys that go from one to the next."""
        return self._differences

    @property
    def transcript(self) -> SideTranscript:
        """The transcript that has the keys."""
        return self.transcripts[self._current]

    @property
    def pair(self) -> PairedSessions | None:
        """The pair that is on the screen; None while none is."""
        return self._pairs[self._shown] if 0 <= self._shown == self._index < len(self._pairs) else None

    # Reading

    def _take_queue(self, read: QueueRead | NotFoundError) -> None:
        if isinstance(read, NotFoundError):
            self.shell.tell_error(read)
            self.dismiss(None)
            return
        self._pairs, self._said, self._notes = read.pairs, dict(read.said), dict(read.notes)
        waiting = self._waiting_from(0)
        self._go_to(0 if waiting is None else waiting)
        if waiting is None:
            self._end()

    def _waiting_from(self, index: int) -> int | None:
        """Return the next pair of which its reader said nothing, from one on and then from the first."""
        order = [*range(index, len(self._pairs)), *range(index)]
        return next((place for place in order if self._pairs[place].place not in self._said), None)

    def _go_to(self, index: int) -> None:
        self._index = index
        if not self._pairs:
            self._tell()
        else:
            # It is told with its turns: until they are there, no key says anything of it.
            self._reading.ask(partial(_read_sides, self.shell.store, index, self._pairs[index]), self._show)

    def _show(self, read: SidesRead) -> None:
        self._shown, self._differences.slots = read.index, read.differing
        self._place_sides()
        for transcript, turns in zip(self.transcripts, read.sides, strict=True):
            transcript.show_side(turns, {})
        if read.differing:
            # What both say alike was read once: the first turn that differs is where choosing begins.
            self.transcript.move_cursor(read.differing[0])
        self._tell()

    def _tell(self) -> None:
        bar = self.query_one(TitleBar)
        same = self._shown == self._index and not self._differences.slots
        bar.detail = "both sides say the same" if same else "which side is better?"
        done, count = len(self._said), len(self._pairs)
        if count:
            bar.right = f"pair {self._index + 1:,} of {count:,}   {done:,} compared"
        place = self._pairs[self._index].place if count else 0
        said, written = self._said.get(place), self._written(place)
        for number, side in enumerate(SIDES):
            write = partial(self._head_lines, side, said, written, current=number == self._current)
            self.query_one(f"#head-{side} FittedLines", FittedLines).show(write)
        self.refresh_bindings()

    def _head_lines(
        self,
        side: Preference,
        said: PreferenceRow | None,
        written: str,
        size: Size,
        tones: Tones,
        *,
        current: bool,
    ) -> list[Line]:
        """Write the name of a side, what was said of the pair, and the note with it."""
        told = ""
        if said is not None and said.preferred == side:
            told = "✓ you prefer this one"
        elif said is not None and said.preferred == "tie":
            told = "= neither is better"
        elif said is None and self.has_class("-one"):
            told = f"{key_of(self.shell.actions, 'preferring', 'other_side')} shows the other side"
        name = "The left one" if side == "left" else "The right one"
        first: Line = [
            Segment(BAR if current else " ", tones.bar),
            Segment(f"{name}   ", tones.heading if current else tones.text),
            Segment(told, tones.passed if told.startswith("✓") else tones.muted),
        ]
        words = f" “{make_safe_line(written)}”" if written and side == "left" else ""
        return [first, [Segment(fit(words, max(1, size.width)).rstrip(), tones.muted)]]

    # Both sides or one

    def _place_sides(self) -> None:
        alone = self.app.size.width < BESIDE_FROM
        self.set_class(alone, "-one")
        for number, (side, transcript) in enumerate(zip(SIDES, self.transcripts, strict=True)):
            seen = number == self._current or not alone
            self.query_one(f"#head-{side}").display = seen
            self.query_one(f"#side-{side}").display = seen
            transcript.set_class(not alone and number == 0, "-beside")
            transcript.set_shown(seen, alone=alone)

    def action_other_side(self) -> None:
        """Give the keys to the other side, and show it where only one has room."""
        self._take_side(1 - self._current)
        self.transcript.focus()

    def _take_side(self, number: int) -> None:
        self._current = number
        self._place_sides()
        self._tell()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Take the side that was clicked."""
        if isinstance(event.widget, SideTranscript) and event.widget is not self.transcript:
            self._take_side(1 - self._current)

    # Saying

    async def action_prefer_left(self) -> None:
        """Say that the left one is better."""
        await self._say("left")

    async def action_prefer_right(self) -> None:
        """Say that the right one is better."""
        await self._say("right")

    async def action_tie(self) -> None:
        """Say that neither is better."""
        await self._say("tie")

    async def _say(self, preferred: Preference) -> None:
        if (pair := self.pair) is None:
            return
        if not await self._change(pair, preferred, self._written(pair.place)):
            return
        following = self._waiting_from(self._index + 1)
        if following is None:
            self._tell()
            self._end()
        else:
            self._go_to(following)

    def _written(self, place: int) -> str:
        """Return the note on a pair, be a side said or not."""
        said = self._said.get(place)
        return said.note if said is not None else self._notes.get(place, "")

    async def _change(self, pair: PairedSessions, preferred: Preference | None, written: str) -> bool:
        """Keep what is said of the pair on the screen, for undo to take back; return whether it is kept."""
        said, index = self._said.get(pair.place), self._index
        before = PairChange(index, said.preferred if said else None, self._written(pair.place))
        if not await self._keep(pair, preferred, written):
            return False
        self._changes.append(before)
        return True

    async def _keep(self, pair: PairedSessions, preferred: Preference | None, written: str) -> bool:
        """Keep what is said of a pair, and show it; return whether that went well."""
        store, author = self.shell.store, self._author
        keep = partial(say_of_pair, store, self._pairs_name, pair.place, author, preferred, note=written)
        try:
            await asyncio.to_thread(keep)
        except NotFoundError as error:
            self.shell.tell_error(error)
            return False
        self._said.pop(pair.place, None)
        self._notes.pop(pair.place, None)
        if preferred is None:
            self._notes[pair.place] = written
        else:
            self._said[pair.place] = PreferenceRow(pair.place, author, preferred, written, 0.0)
        return True

    async def action_undo(self) -> None:
        """Take back what was said or written last, and go to its pair."""
        back = self._changes.pop() if self._changes else PairChange(self._index, None, "")
        pair = self._pairs[back.index] if back.index < len(self._pairs) else None
        if pair is None or not (pair.place in self._said or self._written(pair.place)):
            note(self, "You said nothing of this pair that could be taken back.")
            return
        said = self._said.get(pair.place)
        what = "the note on " if (said.preferred if said else None) == back.preferred else ""
        if await self._keep(pair, back.preferred, back.written):
            note(self, f"Taken back: {what}pair {pair.place:,}.")
            self._go_to(back.index)

    @work(group="ask", exclusive=True)
    async def action_note(self) -> None:
        """Write why; it is kept at once, be a side said yet or not."""
        if (pair := self.pair) is None:
            return
        said = self._said.get(pair.place)
        about = "It goes with the side that you say." if said is None else "It is kept with what you said."
        before = self._written(pair.place)
        title, kept = "Why, in your own words", self.shell.kept_dialogs
        asked = kept.of(NamingDialog, title, about, before, what="a reason")
        written = await self.app.push_screen_wait(asked)
        if written is None or written == before or pair is not self.pair:
            return
        await self._change(pair, said.preferred if said else None, written)
        self._tell()

    @work(group="ask", exclusive=True)
    async def _end(self) -> None:
        """Show what the pairs came to."""
        strengths = await asyncio.to_thread(group_strengths, self.shell.store, self._pairs_name)
        if await self.app.push_screen_wait(PreferenceEndDialog(strengths, done=True)) == "leave":
            self.dismiss(None)

    # Moving

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something once a pair is there."""
        if action in ("prefer_left", "prefer_right", "tie", "note"):
            return bool(self._pairs)
        return bool(self._said or any(self._notes.values())) if action == "undo" else True

    def action_next_pair(self) -> None:
        """Go to the next pair, be something said of it or not."""
        self._step(1, "This is the last pair.")

    def action_previous_pair(self) -> None:
        """Go to the pair before."""
        self._step(-1, "This is the first pair.")

    def _step(self, by: int, otherwise: str) -> None:
        index = self._index + by
        if 0 <= index < len(self._pairs):
            self._go_to(index)
        else:
            note(self, otherwise)

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn, on both sides."""
        for transcript in self.transcripts:
            transcript.action_fold()

    def action_back(self) -> None:
        """Go back; what was said is kept."""
        self.dismiss(None)


def _read_queue(store: Store, name: str, author: str) -> QueueRead | NotFoundError:
    try:
        row = store.pairs.get(name)
    except NotFoundError as error:
        return error
    said, notes = preferences_of(store, row.id, author), notes_of(store, row.id, author)
    return QueueRead(row, store.pairs.pairs(row.id), said, notes)


def _read_sides(store: Store, index: int, pair: PairedSessions) -> SidesRead:
    sides = join_sides(*(blind_turns(store, session) for session in (pair.left, pair.right)))
    return SidesRead(index, sides, differing(*sides))
