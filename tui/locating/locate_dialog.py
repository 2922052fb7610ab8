"""LocateDialog: from which turn on sessions are no longer what a criterion asks for, searched and drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static
from textual.worker import Worker

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.words import counted
from turnwise.engine.criteria.lost_sessions import LostSession, cost_of_calls, failing_sessions, read_lost
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.bars import progress
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.judging.judge_words import judge_words
from turnwise.tui.locating.lost_words import detail_lines, lost_note, plan_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over

if TYPE_CHECKING:
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.engine.criteria.lost_sessions import Sought
    from turnwise.engine.models.settings import ModelSettings

MOST_SESSIONS = 200
"""So many are searched at once; `turnwise criteria locate` takes any number."""
BAR_CELLS = 30
_PASSES = "it passes now"
"""Why no turn is found of a session that passes by this judge; there is none to go to either."""


@dataclass(frozen=True, slots=True)
class LostPlace:
    """A turn to read. among: the sessions that were searched."""

    session_id: int
    turn: int | None
    among: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read before anything is asked. of: how many sessions fail; costs: of the calls it takes."""

    lost: Sequence[LostSession]
    of: int
    calls: int
    cost: float | None
    curve_calls: int
    curve_cost: float | None


class LocateDialog(Dialog[LostPlace | None]):
    """Says what is known and what a search would ask, searches, and ends with a turn to go to, or None."""

    PLACE: ClassVar[Place] = "locate"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("locate"))
    DEFAULT_CSS = """
    LocateDialog #panel { width: 112; }
    LocateDialog ChoiceList { max-height: 10; }
    LocateDialog DrawnLines { margin-top: 1; }
    LocateDialog .words { margin-top: 1; }
    """

    def __init__(
        self, criterion: Criterion, judge: ModelSettings, session_ids: Sequence[int] | None = None
    ) -> None:
        """session_ids: those to look at; None for all that fail by the criterion as it stands."""
        super().__init__()
        self._criterion, self._judge = criterion, judge
        self._wanted = session_ids
        self._plan: _Read | None = None
        self._lost: list[LostSession] = []
        self._drawn: list[list[Line]] = []
        """The details of each of them, in the width that there is."""
        self._unlocated: dict[int, str] = {}
        """Why the search found no turn, by session."""
        self._curve = False
        self._search: Worker[None] | None = None
        self._over = False
        """Whether a search came to its end, so that nothing is asked by enter any more."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            name = make_safe_line(self._criterion.name)
            yield Static(f"From which turn on does it fail, by “{name}”?", classes="title", markup=False)
            yield ChoiceList()
            yield DrawnLines()
            yield Static("Reading the scores …", id="about", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("locate")

    def on_mount(self) -> None:
        """Read what is known by now."""
        self.choices.focus()
        self._read()

    def on_resize(self) -> None:
        """Draw anew."""
        self.call_after_refresh(self._draw)

    # What is known

    @work(thread=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        try:
            found = self._look()
        except TurnwiseError as error:
            hand_over(self, self._refuse, error)
        else:
            hand_over(self, self._take, found)

    def _look(self) -> _Read:
        store = self.shell.store
        failing = failing_sessions(store, self._criterion) if self._wanted is None else list(self._wanted)
        lost = read_lost(store, self._criterion, failing[:MOST_SESSIONS])
        judge = self._judge.fingerprint
        calls = sum(one.calls(judge) for one in lost)
        whole = sum(one.calls(judge, whole_curve=True) for one in lost)

        def cost(count: int) -> float | None:
            return cost_of_calls(store, self._criterion, lost, count, self._judge)

        return _Read(lost, len(failing), calls, cost(calls), whole, cost(whole))

    def _take(self, read: _Read) -> None:
        self._plan, self._lost = read, list(read.lost)
        for one in self._lost:
            # Whoever reads which sessions fail has seen their scores: a label given later is not blind.
            self.shell.sights.add(one.session_id, "in a list")
        self._show()
        self._say_plan()

    def _say_plan(self) -> None:
        if (plan := self._plan) is None:
            return
        if not self._lost:
            self._say("No session fails by the criterion as it stands.")
            return
        calls, cost = (plan.curve_calls, plan.curve_cost) if self._curve else (plan.calls, plan.cost)
        told = plan_words(self._lost, calls, judge_words(self._judge), cost, curve=self._curve)
        more = f" These are the first {len(self._lost):,} of {plan.of:,}." if plan.of > MOST_SESSIONS else ""
        self._say(f"{told}{more}")

    # What is shown

    def _show(self) -> None:
        self.choices.show(
            [
                Choice(
                    str(one.session_id),
                    make_safe_line(one.name) or f"session {one.session_id}",
                    lost_note(one, self._unlocated.get(one.session_id, "")),
                    sign="✗" if one.turn is not None else "·",
                )
                for one in self._lost
            ]
        )
        self._draw()
        self.refresh_bindings()

    @property
    def _current(self) -> LostSession | None:
        choice = self.choices.current
        return next((one for one in self._lost if choice and choice.id == str(one.session_id)), None)

    def _draw(self) -> None:
        """Draw the details of all sessions once, so that a move of the cursor only shows its own."""
        view, width = self.query_one(DrawnLines), self.choices.size.width
        self._drawn = [detail_lines(each, width - 1, view.tones) for each in self._lost] if width else []
        # Without a session the dialog is as low as its words.
        view.display = bool(self._drawn)
        # As high as the highest, so that nothing moves with the cursor.
        view.styles.height = max(map(len, self._drawn), default=0)
        self._show_details()

    def _show_details(self) -> None:
        one = self._current
        if one is not None and (place := self._lost.index(one)) < len(self._drawn):
            self.query_one(DrawnLines).set_lines(self._drawn[place])

    def on_option_list_option_highlighted(self) -> None:
        """Tell of the session under the cursor."""
        self._show_details()
        self.refresh_bindings()

    def on_option_list_option_selected(self) -> None:
        """Do what enter does."""
        self.action_open()

    def _say(self, text: str) -> None:
        self.query_one("#about", Static).update(make_safe(text))

    def _refuse(self, error: TurnwiseError) -> None:
        self._say("")
        self.refuse(error)

    # Keys

    @property
    def _lost_now(self) -> bool:
        """Whether the session under the cursor fails, so that there is a place to read."""
        one = self._current
        return one is not None and self._unlocated.get(one.session_id) != _PASSES

    @property
    def _asks(self) -> bool:
        """Whether enter begins a search: something is to be asked, and nothing was yet."""
        plan = self._plan
        return plan is not None and not self._over and bool(plan.curve_calls if self._curve else plan.calls)

    def _looks_in(self) -> str:
        """Say what enter does: it looks in all at once, and not only in the one under the cursor."""
        judge = self._judge.fingerprint
        count = sum(1 for one in self._lost if one.calls(judge, whole_curve=self._curve))
        return f"look in {counted(count, 'session')}" if count > 1 else "look for it"

    def key_now(self, action: Action) -> Action:
        """Say what enter does now."""
        if action.name == "open" and self._asks:
            return replace(action, title=self._looks_in())
        if action.name == "cancel" and self._search is not None:
            return replace(action, title="stop")
        if action.name == "each_turn" and self._plan is not None:
            calls = counted(self._plan.curve_calls, "call")
            return replace(action, title="only the turn" if self._curve else f"judge every reply, {calls}")
        return action

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something now."""
        if not self.is_mounted:
            return True
        if action == "open":
            return self._search is None and (self._asks or self._lost_now)
        if action == "each_turn":
            return self._search is None and bool(self._lost)
        return True

    def action_each_turn(self) -> None:
        """Judge as of every reply, for the whole curve, or only what it takes to find the turn."""
        self._curve, self._over = not self._curve, False
        self._say_plan()
        self.refresh_bindings()

    def action_open(self) -> None:
        """Begin the search; where nothing is to be asked, go to the turn of the session under the cursor."""
        if self._asks and self._search is None:
            self._search = self._seek()
            self.refresh_bindings()
        elif self._search is None and self._lost_now and (one := self._current) is not None:
            self.dismiss(LostPlace(one.session_id, one.turn, [each.session_id for each in self._lost]))

    def action_cancel(self) -> None:
        """Stop the search, or go back."""
        if self._search is not None:
            self._search.cancel()
        else:
            self.dismiss(None)

    # The search

    @work(group="locate", exclusive=True, exit_on_error=False)
    async def _seek(self) -> None:
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        from turnwise.engine.criteria.lost_sessions import seek_lost
        from turnwise.engine.judge.evidence import StoredCallBook
        from turnwise.engine.judge.judge import Judge

        store, ids = self.shell.store, [one.session_id for one in self._lost]
        self._tell("begun", 0, len(ids))
        try:
            async with Judge(self._judge, StoredCallBook(store)) as judge:
                seeking = seek_lost(
                    store, self._criterion, ids, judge, whole_curve=self._curve, tell=self._tell
                )
                async with aclosing(seeking) as found:
                    async for sought in found:
                        await self._take_sought(sought)
        except TurnwiseError as error:
            self._refuse(error)
        except asyncio.CancelledError:
            if self.is_running:
                self._end("Stopped. What was found is kept; the next search goes on from there.")
            raise
        else:
            self._end("")
        finally:
            self._search = None
            if self.is_running:
                self.refresh_bindings()
                # Other screens show the scores that were added to.
                self.shell.sessions_changed.publish(None)

    def _tell(self, words: str, done: int, of: int) -> None:
        """Say how far it is."""
        drawn = progress(done / of if of else 0.0, BAR_CELLS)
        self._say(f"{drawn}  {words}: {done:,} of {of:,}\nWhat is found is kept if you stop.")

    async def _take_sought(self, sought: Sought) -> None:
        read = await asyncio.to_thread(read_lost, self.shell.store, self._criterion, [sought.session_id])
        places = [place for place, one in enumerate(self._lost) if one.session_id == sought.session_id]
        for place in places:
            # One that passes by this judge is no longer lost, and is told as it was found before.
            self._lost[place] = read[0] if read else self._lost[place]
        if sought.trouble or not read:
            self._unlocated[sought.session_id] = sought.trouble or _PASSES
        self._show()

    def _end(self, words: str) -> None:
        self._over = True
        known = sum(one.turn is not None for one in self._lost)
        found = f"The turn is known in {known:,} of {counted(len(self._lost), 'session')}."
        count = sum(why == _PASSES for why in self._unlocated.values())
        passing = f" {count:,} pass now." if count else ""
        drawn = f"{passing} A replay of a session draws its score after each turn." if self._lost else ""
        self._say(" ".join(part for part in (words, f"{found}{drawn}") if part))
        self._show()
