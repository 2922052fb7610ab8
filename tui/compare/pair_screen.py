"""PairScreen: the two transcripts of a pair, side by side or one at a time, always at the same turn.

A conversation that was judged twice is one transcript, with a column of verdicts for each side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.marks import verdict_sign
from turnwise.conversations.store import OutcomeRow, ScoreRow, Store
from turnwise.engine.comparing.compare import ScoredPair
from turnwise.engine.comparing.judging_changes import JudgingChange, pair_changes
from turnwise.engine.comparing.sides import Side
from turnwise.tui.actions import Place, bindings
from turnwise.tui.compare.change_lines import judging_change_lines
from turnwise.tui.compare.run_words import delta_words, pair_name, score_words, signs_words
from turnwise.tui.compare.side_head import LINES, SideFinding, head_lines
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.margin import TurnMarks, severity
from turnwise.tui.reading.score_groups import group_scores, turn_marks
from turnwise.tui.reading.side_transcript import (
    SAME_WORDS,
    Differences,
    SideTranscript,
    SideTurns,
    differing,
    join_sides,
)
from turnwise.tui.reading.strip_key import NO_MARGIN, StripKey
from turnwise.tui.reading.turn_lines import turn_name, turn_text
from turnwise.tui.session_lists.stored_sessions import FoundSessions
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.last_reading import LastReading
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight
from turnwise.tui.textual_screens import make_ready_again

LEGEND = "≠ differs · words in bold: only on this side"
BESIDE_FROM = 120
"""From so many cells up both transcripts are seen; below, the one that has the keys."""
LETTERS = ("A", "B")


@dataclass(frozen=True, slots=True)
class OneSide:
    """What is read of one side of a pair. name: of its session."""

    name: str
    turns: SideTurns
    row: ScoreRow | None
    marks: Mapping[int, TurnMarks]


@dataclass(frozen=True, slots=True)
class PairRead:
    """What is read of a pair.

    differing: the slots whose turns, or in one conversation whose verdicts, are not the same. changes: by
    what one conversation was judged otherwise; None where there are two.
    """

    sides: tuple[OneSide, OneSide]
    differing: Sequence[int]
    changes: Sequence[JudgingChange] | None = None


LOW = 30
"""In fewer lines than this what differs in how both judged stands in a line or two, for the transcript."""


class PairScreen(StillScreen[int]):
    """Reads pairs of a comparison one after another. It ends with the place of the one shown last."""

    PLACE: ClassVar[Place] = "pair"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("pair"))
    AUTO_FOCUS = "#transcript-a"
    CSS = (
        """
    PairScreen {
        & #heads { height: auto; margin: 1 0 0 0; }
        & #sides { height: 1fr; }
        & .side { width: 1fr; height: 1fr; }
        & #heads .side { height: auto; }
        & .side-a { padding-right: 1; }
        & .side-b { border-left: vkey $text-muted; }
        & SideTranscript { height: 1fr; }
        & #changed { display: none; background: $background; margin: 0 0 1 0; }
        &:ansi .side-b { border-left: vkey ansi_default; }
        &.-low #heads, &.-low #changed { margin: 0; }
        &.-one .side-a { padding-right: 0; }
        &.-one .side-b { border-left: none; }
    """
        + f"& #heads FittedLines {{ height: {LINES}; background: $background; }}"
        + "}"
    )

    shell = ShellOfApp()

    def __init__(self) -> None:
        super().__init__()
        self._compared: tuple[Side, Side] | None = None
        """Both sides; None until it is begun."""
        self._pairs: Sequence[ScoredPair] = ()
        self._index = 0
        self._ahead = LastReading()
        """The pair that was read ahead."""
        self._current = 0
        self._read: tuple[OneSide, OneSide] | None = None
        self._names: tuple[str, str] | None = None
        """What the sessions of both sides are called; None until they are read."""
        self._changes: Sequence[JudgingChange] | None = None
        self._differences = Differences(
            self,
            lambda: self.transcript,
            lambda: "Both judge every turn alike." if self.is_one_conversation else SAME_WORDS,
        )
        self._reading = NewestReading(self)

    def begin(self, a: Side, b: Side, pairs: Sequence[ScoredPair], index: int) -> None:
        """pairs: those of the list it is opened from. index: the one shown first."""
        self._compared, self._pairs, self._index = (a, b), pairs, index

    def expect(self, a: Side, b: Side, pairs: Sequence[ScoredPair], index: int) -> bool:
        """Read the pair that is opened next, most likely; return whether that was still to be done.

        It is for a screen that was made ahead.
        """
        self.begin(a, b, pairs, index)
        return self._read_outdated()

    def _read_outdated(self) -> bool:
        """Read the pair that it was begun with, unless that was done; return whether it was still to be."""
        if not self._ahead.find_outdated(self.shell, self._pairs, self._index):
            return False
        self._names = self._read = self._changes = None
        self._differences.slots = ()
        for transcript in self.transcripts:
            transcript.set_rows(())
        self._place_sides()
        self._tell_changes()
        self._tell()
        self._load(self._index)
        return True

    def open_again(self) -> None:
        """Show what it was begun with in the parts that were made ahead, at once where that was expected."""
        make_ready_again(self, self._read_outdated)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar()
        with Horizontal(id="heads"):
            for letter in ("a", "b"):
                with Vertical(id=f"head-{letter}", classes=f"side side-{letter}"):
                    yield FittedLines()
        yield FittedLines(id="changed")
        yield StripKey()
        with Horizontal(id="sides"):
            for letter in ("a", "b"):
                with Vertical(id=f"side-{letter}", classes=f"side side-{letter}"):
                    opener = key_of(self.shell.actions, "pair", "fold")
                    yield SideTranscript(opener, id=f"transcript-{letter}")
        yield KeyLine("pair")

    def on_mount(self) -> None:
        """Let the transcripts go together, and read the pair off the loop."""
        first, second = self.transcripts
        first.join(second)
        self._place_sides()
        if self._compared is not None:
            self._load(self._index)

    def on_screen_resume(self) -> None:
        """Take that what was read ahead is seen from now on."""
        if self._read is not None:
            self._see()

    def on_resize(self) -> None:
        """Show both sides or one."""
        self.set_class(self.app.size.height < LOW, "-low")
        self._place_sides()
        self._tell()
        self._tell_changes()

    @property
    def transcripts(self) -> tuple[SideTranscript, SideTranscript]:
        """Both transcripts, A's first."""
        return (
            self.query_one("#transcript-a", SideTranscript),
            self.query_one("#transcript-b", SideTranscript),
        )

    @property
    def differences(self) -> Differences:
        """The turns that differ, and the keys that go from one to the next."""
        return self._differences

    @property
    def transcript(self) -> SideTranscript:
        """The transcript that has the keys."""
        return self.transcripts[0 if self.is_one_conversation else self._current]

    @property
    def is_one_conversation(self) -> bool:
        """Whether both sides judged the same conversation, which is shown once."""
        return bool(self._pairs) and self.pair.a.session_id == self.pair.b.session_id

    @property
    def pair(self) -> ScoredPair:
        """The pair that is shown."""
        return self._pairs[self._index]

    @property
    def outcomes(self) -> tuple[OutcomeRow, OutcomeRow]:
        """What the pair is made of."""
        return self.pair.a, self.pair.b

    # Reading

    def _load(self, index: int) -> None:
        self._reading.ask(partial(_read_pair, self.shell.store, self._pairs[index]), self._show)

    def _show(self, read: PairRead | NotFoundError) -> None:
        """Show a pair that was read; go back where one of its sessions is gone."""
        if isinstance(read, NotFoundError):
            self.shell.tell_error(read)
            self.dismiss(self._index)
            return
        self._read, self._differences.slots, self._changes = read.sides, read.differing, read.changes
        self._names = read.sides[0].name, read.sides[1].name
        if is_in_sight(self):
            self._see()
        self._place_sides()
        marks = [side.marks for side in read.sides]
        if read.changes is not None:
            marks = [marks_of_both(*marks)] * 2
        for transcript, side, own in zip(self.transcripts, read.sides, marks, strict=True):
            transcript.show_side(side.turns, own)
        self._tell_changes()
        self._tell()

    def _see(self) -> None:
        # Both scores and their difference are in sight, also where one side alone has room.
        for outcome in self.outcomes:
            self.shell.sights.add(outcome.session_id, "in a pair")

    def _tell_changes(self) -> None:
        """Say by what the conversation was judged otherwise, in as many lines as that takes."""
        told, changes = self.query_one("#changed", FittedLines), self._changes
        told.display = changes is not None
        if changes is not None:
            height = self.app.size.height
            write = partial(judging_change_lines, changes, height=height, folded=height < LOW)
            told.styles.height = len(write(self.app.size.width, told.tones))
            told.show(lambda size, tones: write(size.width, tones))

    def on_transcript_view_margin_changed(self, event: SideTranscript.MarginChanged) -> None:
        """Say which column of verdicts is which side's, where one transcript has both."""
        if self.is_one_conversation:
            self.query_one(StripKey).show_margin(event.margin)

    def _tell_place(self) -> None:
        bar, pair = self.query_one(TitleBar), self.pair
        bar.title = pair_name(pair, self._names)
        bar.detail = pair.metric.replace("_", " ")
        place = f"score pair {self._index + 1:,} of {len(self._pairs):,}"
        bar.right = f"{signs_words(pair)}  {delta_words(pair.delta)}   {place}"

    def _tell(self) -> None:
        if self._compared is None:
            return
        self._tell_place()
        heads, names = self.query("#heads FittedLines").results(FittedLines), self._names
        differ = names is not None and names[0] != names[1]
        for number, head in enumerate(heads):
            row = self._read[number].row if self._read else None
            current = number == self._current
            session = names[number] if names is not None and differ else ""
            one = SideFinding(LETTERS[number], self._compared[number], row, current, session)
            one = replace(one, elsewhere=self._elsewhere(1 - number), legend=self._legend(number))
            head.show(partial(head_lines, one))

    def _elsewhere(self, number: int) -> str:
        """Say which key shows the side of this number and how it came out, where one side alone has room."""
        if not self.has_class("-one"):
            return ""
        outcome = self.outcomes[number]
        key = key_of(self.shell.actions, "pair", "other_side")
        return f"{key} shows {LETTERS[number]}: {verdict_sign(outcome.passed)} {score_words(outcome.score)}"

    def _legend(self, number: int) -> str:
        """Say what marks mean that words have which differ, once where both sides are beside each other."""
        marked = not self.is_one_conversation and bool(self._differences.slots)
        return LEGEND if marked and (number == 0 or self.has_class("-one")) else ""

    # Both sides or one

    def _place_sides(self) -> None:
        twice = self.is_one_conversation
        alone = self.app.size.width < BESIDE_FROM and not twice
        self.set_class(alone, "-one")
        if not twice:
            self.query_one(StripKey).show_margin(NO_MARGIN)
        for number, transcript in enumerate(self.transcripts):
            shown = number == self._current or not alone
            # Not by a class: styling all that is in it anew takes longer than a key may.
            self.query_one(f"#head-{'ab'[number]}").display = shown
            seen = number == 0 if twice else shown
            self.query_one(f"#side-{'ab'[number]}").display = seen
            transcript.set_class(not alone and not twice and number == 0, "-beside")
            transcript.set_shown(seen, alone=alone or twice)

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
        elsewhere = isinstance(event.widget, SideTranscript) and event.widget is not self.transcript
        if elsewhere and not self.is_one_conversation:
            self._take_side(1 - self._current)

    # Moving

    def action_next_pair(self) -> None:
        """Go to the next pair of the list."""
        self._go_to_pair(self._index + 1, "This is the last pair of the list.")

    def action_previous_pair(self) -> None:
        """Go to the pair before."""
        self._go_to_pair(self._index - 1, "This is the first pair of the list.")

    def _go_to_pair(self, index: int, otherwise: str) -> None:
        if not 0 <= index < len(self._pairs):
            note(self, otherwise)
            return
        self._index, self._names = index, None
        # Long transcripts take a moment; that the key was heard shows at once.
        self._tell_place()
        self._load(index)

    # Doing

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn, on both sides."""
        for transcript in self.transcripts:
            transcript.action_fold()

    def action_open(self) -> None:
        """Review the session of the side that has the keys."""
        from turnwise.tui.review.review_screen import ReviewScreen

        both = dict.fromkeys(outcome.session_id for outcome in self.outcomes)
        beside = FoundSessions(self.shell.store, both, tells_scores=True)
        session = self.outcomes[self._current].session_id
        self.app.push_screen(self.shell.kept_dialogs.take(ReviewScreen, session, beside))

    def action_why(self) -> None:
        """Show the very prompt and reply behind the score of this side; J shows the other's."""
        from turnwise.tui.review.why_screen import WhyScreen

        known = zip(LETTERS, self._read or (), self._compared or (), strict=False)
        sides = [
            (f"{letter} · {side.name}", side.row, of.run.id)
            for letter, side, of in known
            if side.row is not None
        ]
        if not sides:
            note(self, "The score is still being read.")
            return
        names, rows, runs = zip(*sides, strict=True)
        first = min(self._current, len(rows) - 1)
        self.app.push_screen(self.shell.kept_dialogs.of(WhyScreen, names, rows, first, runs=runs))

    def action_copy(self) -> None:
        """Copy the turn of the side that has the keys."""
        if (row := self.transcript.current) is not None and (text := turn_text(row)):
            self.app.copy_to_clipboard(text)
            note(self, f"{turn_name(row)} of {LETTERS[self._current]} copied: {len(text):,} characters.")

    def action_back(self) -> None:
        """Go back to the comparison."""
        self.dismiss(self._index)


def _read_pair(store: Store, pair: ScoredPair) -> PairRead | NotFoundError:
    try:
        names = [store.sessions.get(row.session_id).name for row in (pair.a, pair.b)]
    except NotFoundError as error:
        return error
    same = pair.a.session_id == pair.b.session_id
    turns = store.turns.of(pair.a.session_id)
    first, second = join_sides(turns, turns if same else store.turns.of(pair.b.session_id), mark=not same)
    sides = _one_side(store, names[0], first, pair.a), _one_side(store, names[1], second, pair.b)
    if not same:
        return PairRead(sides, differing(first, second))
    rows = sides[0].row, sides[1].row
    changes = pair_changes(store, rows[0], rows[1]) if rows[0] is not None and rows[1] is not None else None
    return PairRead(sides, _differing_marks(*sides), changes)


def _one_side(store: Store, name: str, turns: SideTurns, outcome: OutcomeRow) -> OneSide:
    rows = [row for row in store.scores.of(outcome.session_id) if row.id == outcome.id]
    return OneSide(name, turns, rows[0] if rows else None, turn_marks(group_scores(rows)))


def marks_of_both(a: Mapping[int, TurnMarks], b: Mapping[int, TurnMarks]) -> dict[int, TurnMarks]:
    """Return the verdicts of both sides by turn, one a side: the worst of each, under its letter."""
    return {
        number: [
            (letter, max((passed for _, passed in marks[number]), key=severity))
            for letter, marks in zip(LETTERS, (a, b), strict=True)
            if marks.get(number)
        ]
        for number in {*a, *b}
    }


def _differing_marks(a: OneSide, b: OneSide) -> list[int]:
    """Return the slots of one session whose verdicts are not the same on both sides."""
    return [
        slot
        for slot, group in enumerate(a.turns.groups)
        if (number := group.row.number) is not None
        and [passed for _, passed in a.marks.get(number, ())]
        != [passed for _, passed in b.marks.get(number, ())]
    ]
