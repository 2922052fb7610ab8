"""BranchesScreen: two branches of a talk beside each other, turn by turn, each with its scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, cast

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.screen import Screen

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SessionRow, Store, TurnRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.lines import BAR, Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading.score_groups import SessionScores
from turnwise.tui.reading.side_transcript import Differences, SideTranscript, differing, join_sides
from turnwise.tui.record.branches import branches_of
from turnwise.tui.settings.keymap import fill_keys, key_of
from turnwise.tui.shell.shell import Shell, ShellOfApp

BESIDE_FROM = 100
"""From so many cells up both branches are seen; below, the one that has the keys."""
LETTERS = ("A", "B")
SCORE_LINES = 3
ALONE = "This talk took one way only. {record.regenerate} in a talk asks again and keeps both."


@dataclass(frozen=True, slots=True)
class ReadBranch:
    """A branch as it is kept. origin: the session that it was forked from, and before which turn."""

    row: SessionRow
    turns: Sequence[TurnRow]
    scores: SessionScores
    origin: tuple[int, int] | None = None

    @property
    def where_from(self) -> str:
        """Where it came from, in words."""
        if self.origin is None:
            return "the talk as it began"
        session, turn = self.origin
        return f"left session {session}{f' at turn {turn}' if turn else ''} to go another way"


def branch_lines(letter: str, branch: ReadBranch, current: bool, size: Size, tones: Tones) -> list[Line]:
    """Return the lines over a branch: its name, and a sign and a score a metric. current: it has the keys."""
    row, width = branch.row, size.width - 1
    told = f"session {row.id}   {counted(row.turns, 'turn')}   {branch.where_from}"
    lines: list[Line] = [
        [
            Segment(BAR if current else " ", tones.bar),
            Segment(f"{letter} ", tones.bar if current else tones.muted),
            Segment(fit(told, max(1, width - 3)), tones.heading if current else tones.text),
        ]
    ]
    groups = branch.scores.groups
    if not groups:
        return [*lines, [Segment("   no scores yet", tones.muted)]]
    scores = (
        f"{one.sign} {make_safe_line(one.name)}{'' if one.score is None else f' {one.score:.2f}'}"
        for one in groups
    )
    return lines + paragraph("   ".join(scores), width, tones.text, indent="   ", most=SCORE_LINES)


class BranchesScreen(StillScreen[int | None]):
    """Shows two branches. It ends with the session that is to be gone on with, or None."""

    PLACE: ClassVar[Place] = "branches"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("branches"))
    AUTO_FOCUS = "#branch-0"
    DEFAULT_CSS = (
        """
    BranchesScreen {
        & #branches { height: 1fr; margin-top: 1; }
        & .branch { width: 1fr; height: 1fr; padding-right: 1; }
        & SideTranscript { height: 1fr; }
    """
        + f"& FittedLines {{ height: {SCORE_LINES + 2}; background: $background; }}"
        + "}"
    )

    shell = ShellOfApp()

    def __init__(self, session_id: int, branches: Sequence[int]) -> None:
        """session_id: the branch at the left. branches: all of them, at least two."""
        super().__init__()
        self._left = session_id
        self._branches = branches
        place = branches.index(session_id)
        self._right = branches[place - 1] if place == len(branches) - 1 else branches[place + 1]
        """The newest other branch is mostly the next, or the one before the last."""
        self._current = 0
        self._read: tuple[ReadBranch, ReadBranch] | None = None
        self._differences = Differences(self, lambda: self.transcript)
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Branches", right="reading …")
        with Horizontal(id="branches"):
            for number in range(2):
                with Vertical(id=f"side-{number}", classes="branch"):
                    yield FittedLines()
                    opener = key_of(self.shell.actions, "branches", "fold")
                    yield SideTranscript(opener, id=f"branch-{number}")
        yield KeyLine("branches")

    def on_mount(self) -> None:
        """Let both be moved together, and read them off the loop."""
        self.sides[0].join(self.sides[1])
        self._place()
        self._load()

    def on_resize(self) -> None:
        """Show both or one."""
        self._place()

    @property
    def sides(self) -> tuple[SideTranscript, SideTranscript]:
        """Both transcripts."""
        first, second = (self.query_one(f"#branch-{number}", SideTranscript) for number in range(2))
        return first, second

    @property
    def differences(self) -> Differences:
        """The turns that differ, and the keys that go from one to the next."""
        return self._differences

    @property
    def transcript(self) -> SideTranscript:
        """The one that has the keys."""
        return self.sides[self._current]

    def _load(self) -> None:
        self._reading.ask(partial(_read_both, self.shell.store, self._left, self._right), self._show)

    def _show(self, read: tuple[ReadBranch, ReadBranch]) -> None:
        self._read = read
        turns = join_sides(read[0].turns, read[1].turns)
        self._differences.slots = differing(*turns)
        for side, own, branch in zip(self.sides, turns, read, strict=True):
            # Its scores are in sight: a label given now is not blind.
            if branch.scores.groups:
                self.shell.sights.add(branch.row.id, "in a list")
            side.show_side(own, branch.scores.marks)
        if self._differences.slots:
            self.transcript.move_cursor(self._differences.slots[0])
        self._tell()

    def _tell(self) -> None:
        if self._read is None:
            return
        bar = self.query_one(TitleBar)
        bar.detail = make_safe_line(self._read[0].row.name)
        branches, unlike = counted(len(self._branches), "branch", "branches"), len(self._differences.slots)
        bar.right = f"{branches}, {unlike:,} turns differ"
        for number, head in enumerate(self.query(FittedLines).results()):
            current = number == self._current
            head.show(partial(branch_lines, LETTERS[number], self._read[number], current))

    def _place(self) -> None:
        alone = self.app.size.width < BESIDE_FROM
        for number, side in enumerate(self.sides):
            shown = number == self._current or not alone
            self.query_one(f"#side-{number}").display = shown
            side.set_class(not alone and number == 0, "-beside")
            side.set_shown(shown, alone=alone)

    # Keys

    def action_other_side(self) -> None:
        """Give the keys to the other branch, and show it where only one has room."""
        self._take_side(1 - self._current)
        self.transcript.focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Take the branch that was clicked."""
        if isinstance(event.widget, SideTranscript) and event.widget is not self.transcript:
            self._take_side(1 - self._current)

    def _take_side(self, number: int) -> None:
        self._current = number
        self._place()
        self._tell()

    def action_next_branch(self) -> None:
        """Show the next branch at the right."""
        self._go_to_branch(1)

    def action_previous_branch(self) -> None:
        """Show the branch before at the right."""
        self._go_to_branch(-1)

    def _go_to_branch(self, step: int) -> None:
        others = [one for one in self._branches if one != self._left]
        if len(others) == 1:
            note(self, "There are two branches, and both are in sight.")
            return
        self._right = others[(others.index(self._right) + step) % len(others)]
        self._load()

    def action_fold(self) -> None:
        """Open or fold what is folded at the turn, in both."""
        for side in self.sides:
            side.action_fold()

    def action_open(self) -> None:
        """Go on with the branch that has the keys."""
        self.dismiss((self._left, self._right)[self._current])

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)


def show_branches(screen: Screen[Any], session_id: int, take: Callable[[int], None]) -> None:
    """Show a talk's branches beside each other over a screen; say so where there is one only.

    take: hears of the branch that is to be gone on with.
    """
    shell = cast("Shell", screen.app)

    def chosen(branch: int | None) -> None:
        if branch is not None and branch != session_id:
            take(branch)

    def found(branches: Sequence[int]) -> None:
        if len(branches) < 2:
            note(screen, fill_keys(ALONE, shell.actions))
        else:
            screen.app.push_screen(BranchesScreen(session_id, branches), chosen)

    NewestReading(screen).ask(lambda: branches_of(shell.store, session_id), found)


def _read_both(store: Store, left: int, right: int) -> tuple[ReadBranch, ReadBranch]:
    first, second = (_read_branch(store, one) for one in (left, right))
    return first, second


def _read_branch(store: Store, session_id: int) -> ReadBranch:
    metadata = getattr(store.sessions.case(session_id), "metadata", None) or {}
    origin, turn = metadata.get("forked_from"), metadata.get("forked_before_turn")
    return ReadBranch(
        store.sessions.get(session_id),
        store.turns.of(session_id),
        SessionScores.of(store.scores.newest(session_id)),
        (origin, turn if isinstance(turn, int) else 0) if isinstance(origin, int) else None,
    )
