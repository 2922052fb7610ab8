"""ScorePane: the scores of a session beside its transcript, and the verdicts about the turn being read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive

from turnwise.conversations.marks import WORST_FIRST
from turnwise.conversations.store import LabelRow, ScoreRow
from turnwise.engine.people.labelling import CurrentLabel, LabelSubject
from turnwise.tui.actions import ACTIONS, Table
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.drawing.own_styles import give_display, give_height
from turnwise.tui.drawing.still import laid_out_once
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.labels.label_lines import SHORT_LINES
from turnwise.tui.labels.label_pane import LabelPane
from turnwise.tui.reading.info_pane import InfoPane
from turnwise.tui.reading.margin import TurnMarks
from turnwise.tui.reading.quoted_lines import QuoteMarks
from turnwise.tui.reading.score_groups import NO_SCORES, ScoreGroup, SessionScores
from turnwise.tui.reading.score_lines import MORE, chips, short_turn_lines, turn_lines
from turnwise.tui.reading.score_list import ScoreList, is_reveal, link_words
from turnwise.tui.reading.turn_links import link_turns, turn_at
from turnwise.tui.settings.keymap import key_of

FURTHER_LINES = 3
VERDICTS_UNDER = 2
"""Lines that the verdicts about a turn have under a transcript at the most."""
NO_VERDICTS_UNDER = 10
"""In a window of so many lines they have none: the turn itself is to be read. Each further line is theirs."""
SLACK = 3
"""Lines that the list has to spare: the labels take as many more while a score is looked at."""
LEAST_OF_TURN = 6
"""Lines that the verdicts about a turn keep where the list of scores has more than there is room for."""


class TurnVerdicts(DrawnLines):
    """The verdicts about one turn, in which other turns may be named."""

    @dataclass
    class Resized(Message):
        """The verdicts have room for more lines, or fewer, than before."""

    last = 0
    """The number of the last turn."""

    def on_resize(self) -> None:
        """Ask for what fits."""
        self.post_message(self.Resized())

    def on_click(self, event: events.Click) -> None:
        """Go to the turn that was clicked."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y < len(self.lines):
            turn = turn_at(self.lines[offset.y], offset.x, self.last)
            if turn is not None:
                self.post_message(ScoreList.Chosen(turn))


class ScoreChips(DrawnLines):
    """All outcomes in a line or two, or why there are none."""

    def on_click(self, event: events.Click) -> None:
        """Show what is hidden, or all outcomes."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y < len(self.lines):
            hidden = is_reveal(self.lines[offset.y], offset.x)
            self.post_message(ScoreList.RevealAsked() if hidden else ScorePane.ListAsked())


class ScorePane(Vertical):
    """Shows the list of scores, below it the verdicts about the present turn, and at the bottom the labels.

    Where it stands under a transcript (class -under) it shows the scores as one or two lines of signs until
    it is opened. What is known of the session stands in their place where that is asked for and one labels;
    beside a transcript it also fills the room that hidden scores, or none, leave. empty: what to say where
    there are no scores. labels: whether one labels here. clock: seconds since 1970.
    """

    @dataclass
    class ListAsked(Message):
        """The signs were clicked, which stand for all outcomes."""

    virtual_size: Reactive[Size] = laid_out_once()
    DEFAULT_CSS = """
    ScorePane {
        background: $surface;
        border-title-background: $surface !important;
        padding: 1 0 0 0;
        & > ScoreList { height: 1fr; }
        & > #score-chips { display: none; height: auto; }
        & > #turn-verdicts { height: 0; }
        &.-under {
            padding: 0;
            & > ScoreList { height: 0; }
            & > #score-chips { display: block; }
            & > #turn-verdicts { height: 1fr; }
        }
        & > InfoPane { height: 1fr; display: none; }
    }
    """

    def __init__(
        self,
        *,
        empty: str = "No scores yet.",
        labels: bool = False,
        clock: Callable[[], float] = time.time,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self._empty = empty
        self._labels = labels
        self._clock = clock
        self._shown = NO_SCORES
        self._turn: int | None = None
        self._hidden = ""
        self._turn_room = 0
        self._listed = 0
        """Lines of the list, where what is known of the session stands under it; 0 where it does not."""
        self._opened = False
        self._names_keys = True
        self.shows_info = False
        """Whether what is known of the session stands in the place of the scores."""
        self._measured_covered = False
        """Whether the room was shared while the list stood behind what is known of the session."""

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield ScoreChips(id="score-chips")
        key = key_of(self._table, "review", "other_pane") if self._labels else ""
        yield ScoreList(self._clock, self._empty, key=key, id="score-list")
        yield TurnVerdicts(id="turn-verdicts")
        if self._labels:
            yield InfoPane(id="info")
            yield LabelPane(self._clock, id="labels")

    @property
    def score_list(self) -> ScoreList:
        """The list of outcomes, which takes the focus."""
        return self.query_one(ScoreList)

    @property
    def turn_verdicts(self) -> TurnVerdicts:
        """What was found about the present turn."""
        return self.query_one(TurnVerdicts)

    @property
    def label_pane(self) -> LabelPane:
        """Where one labels, in a pane that has it."""
        return self.query_one(LabelPane)

    @property
    def info(self) -> InfoPane:
        """What is known of the session beside its words, in a pane where one labels."""
        return self.query_one(InfoPane)

    @property
    def groups(self) -> Sequence[ScoreGroup]:
        """The outcomes that are shown, by metric."""
        return self._shown.groups

    @property
    def counted_signs(self) -> str:
        """How many metrics came out how, the worst first: "✗ 1  ✓ 5"."""
        counts = Counter(group.sign for group in self.groups)
        return "  ".join(f"{sign} {counts[sign]:,}" for sign in WORST_FIRST if counts[sign])

    def show(
        self,
        scores: SessionScores,
        labels: Sequence[LabelRow] = (),
        *,
        mine: Mapping[LabelSubject, CurrentLabel] | None = None,
        last: int = 0,
        hidden: str = "",
    ) -> None:
        """Show these outcomes, and what people say of metrics.

        labels: the newest of the whole is shown, and how many say what of a metric. mine: what the one who
        labels says. last: the number of the last turn. hidden: why nothing is shown, in words; empty where
        all is.
        """
        self._hidden = hidden
        if self._labels:
            self.info.cover(covered=bool(hidden))
        self._shown = NO_SCORES if hidden else scores
        self.turn_verdicts.last = last
        self.score_list.show(self.groups, () if hidden else labels, mine or {}, last, hidden or self._empty)
        self._draw()

    @property
    def marks(self) -> Mapping[int, TurnMarks]:
        """What the margin of the transcript shows for these outcomes."""
        return self._shown.marks

    @property
    def quotes(self) -> Mapping[int, QuoteMarks]:
        """The words of turns that failed verdicts rest on."""
        return self._shown.quotes

    def show_turn(self, number: int | None) -> None:
        """Show the verdicts about the turn of this number; None for a message that has no number."""
        if number != self._turn:
            self._turn = number
            self._draw_turn()

    def row_for_turn(self) -> ScoreRow | None:
        """Return the outcome whose verdict about the present turn asks most to be looked at."""
        verdicts = self._shown.by_turn.get(self._turn or 0)
        return verdicts[0][1] if verdicts else None

    def look_at_turn(self) -> None:
        """Put the cursor of the list on what fails about the present turn, where anything does."""
        for group, _, verdict in self._shown.by_turn.get(self._turn or 0, ())[:1]:
            if verdict.passed is False and self._turn is not None:
                self.score_list.go_to(group.letter, self._turn)

    def show_info(self) -> None:
        """Show what is known of the session in the place of the scores."""
        self.shows_info = True
        self._give_places()
        self._give_room()

    def show_scores(self) -> None:
        """Show the scores again in their place."""
        self.shows_info = False
        self._give_places()
        self._give_room()
        if self._measured_covered:
            # What is not displayed has no size: how many lines the list takes is known once it stands there.
            self.screen.call_after_refresh(self._draw)

    def _give_places(self) -> None:
        # A class would do it too, but would have the styles of all that lies in the pane read anew.
        give_display(self.info, "block" if self.shows_info or self._listed else None)
        # What was taken while it was not seen; a place as large as before says nothing as it comes back.
        self.info.show_taken()
        for part in (self.score_list, self.query_one(ScoreChips), self.turn_verdicts):
            give_display(part, "none" if self.shows_info else None)

    def stand(self, *, under: bool) -> None:
        """Stand under the turns, or beside them, in a window that has another size."""
        self.set_class(under, "-under")
        self._give_room()

    def open(self) -> None:
        """Give the list of scores all the room that there is."""
        self._opened = True
        self._give_room()

    def close(self) -> None:
        """Show what stands here while one reads the turns."""
        self._opened = False
        self._give_room()

    def _give_room(self) -> None:
        # A class would do it too, but would work out all that lies in the pane anew, at each press of a key.
        # Without height, and not taken away: what is shown is laid out once more for each part that comes.
        under = self.has_class("-under")
        open_under = under and self._opened
        give_height(self.score_list, "1fr" if open_under else self._listed or None)
        give_height(self.query_one(ScoreChips), 0 if open_under else 1)
        verdicts = self.turn_verdicts
        # A share of no room at all would still be a line, which the labels would lack.
        is_empty = under and not self._verdicts_under
        give_height(verdicts, 0 if self._opened or is_empty else None if under else self._turn_room)
        opened = open_under or (under and self.shows_info)
        give_height(self, "2fr" if opened else self._lines_under if under else None)

    @property
    def _lines_under(self) -> int | None:
        """How many lines it takes under a transcript; None where the style sheet says it.

        As many as it may hold at any turn and with any label, for at each key the turns would move; what no
        turn of the session needs is theirs.
        """
        if not self._labels:
            return None
        return 1 + self._verdicts_under + max(SHORT_LINES, self._label_lines) + self.gutter.height

    @property
    def _verdicts_under(self) -> int:
        """How many lines the verdicts about a turn have under a transcript."""
        return max(0, min(VERDICTS_UNDER, self._shown.most, self.app.size.height - NO_VERDICTS_UNDER))

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def on_turn_verdicts_resized(self) -> None:
        """Show as much as fits; what stood there stays while there is no room for any."""
        if self.turn_verdicts.size.height:
            self._draw_turn()

    def name_keys(self, *, do_something: bool) -> None:
        """Name keys, or none of them: while one writes they would be typed."""
        self._names_keys = do_something
        self.label_pane.name_keys(do_something=do_something)
        self._draw_turn()

    def on_label_pane_resized(self) -> None:
        """Share the room anew that the labels leave; while a score is looked at, nothing moves."""
        if self.is_mounted and not self.score_list.has_focus:
            if not self.has_class("-under"):
                self._share_room()
            self._give_room()
            self._draw_turn()

    def _draw(self) -> None:
        width = self.size.width
        if not self.is_mounted or not width:
            return
        head = self.query_one(ScoreChips)
        tones = head.tones
        said = (self._hidden or self._empty).replace("\n", ". ", 1)
        empty = link_words([Segment(f"  {fit(said, width - 2)}", tones.muted)], tones.link)
        under = self.has_class("-under")
        if self._labels and self.label_pane.has_class("-short") is not under:
            self.label_pane.set_class(under, "-short")
            # It may have its size already, and would keep the lines that it has room for elsewhere.
            self.label_pane.redraw()
        head.set_lines([chips(self.groups, width, tones) if self.groups else empty])
        if under:
            self.score_list.draw_in_place()
            self._fill_in(0)
        else:
            self._share_room()
        self._give_room()
        self._draw_turn()

    def _draw_turn(self) -> None:
        verdicts = self.turn_verdicts
        width = self.size.width
        under = self.has_class("-under")
        turn = self._turn or 0
        # Where nothing is said of the turn, what is said of the next one stands in the lines kept for it.
        about = self._shown.next_about(turn) or turn
        found = self._shown.by_turn.get(about)
        fails_first = not turn and found and found[0][2].passed is False
        ahead = "" if about == turn else "First fail, at turn" if fails_first else "Next verdicts, at turn"
        lines: list[Line] = []
        if found and width and under:
            room = max(1, verdicts.size.height)
            which = f"{ahead} {about}" if ahead else ""
            lines = short_turn_lines(found, width, verdicts.tones, room, self._more, ahead=which)
        elif found and width:
            room = self._turn_room - 1
            lines = [[], *turn_lines(about, found, width, verdicts.tones, room, self._more, ahead=ahead)]
        verdicts.set_lines([link_turns(line, verdicts.tones.link, verdicts.last) for line in lines])

    @property
    def _more(self) -> str:
        """What stands where not all verdicts have room; the key that shows all is one of the review's."""
        named = self._labels and self._names_keys
        return f"{key_of(self._table, 'review', 'why')} shows more" if named else MORE

    @property
    def _table(self) -> Table:
        table: Table = getattr(self.app, "actions", ACTIONS)
        return table

    def _share_room(self) -> None:
        """Share the lines between the list and the verdicts about the turn, whatever turn it is.

        A change at every turn would lay all out anew. What the list does not need the verdicts may have.
        """
        room = self.size.height - self._label_lines
        most = self._shown.most
        wanted = min(FURTHER_LINES + most, room // 3) if most else 0
        self._measured_covered = self.shows_info
        listed = self.score_list.draw_in(room - wanted)
        # The list is not to scroll beside lines that most turns leave empty.
        wanted = max(min(wanted, LEAST_OF_TURN), min(wanted, room - listed))
        self._fill_in(listed)
        self._turn_room = max(wanted, room - listed - SLACK) if most else 0

    def _fill_in(self, listed: int) -> None:
        """Show what is known of the session under so many lines that say why there are no scores.

        listed: 0 where it has no room.
        """
        if self._labels:
            self._listed = listed + 1 if listed and not self.groups else 0
            self._give_places()

    @property
    def _label_lines(self) -> int:
        """How many lines the labels take."""
        height = self.label_pane.styles.height if self._labels else None
        return int(height.value) if height is not None and height.is_cells else 0
