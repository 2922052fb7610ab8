"""TrialDialog: what sways a judge: a trial that asks it, and the certificates that were kept before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import KeptCertificate, Store
from turnwise.conversations.words import counted
from turnwise.engine.certifying.certificate import JudgeCertificate
from turnwise.engine.certifying.trial import (
    MOST_CALLS,
    TrialPlan,
    hold_trial,
    keep_certificate,
    plan_trial,
    trial_cost,
)
from turnwise.engine.scoring.progress import Rate, pace_words
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.bars import progress
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.judging.certificate_drawn import certificate_drawing
from turnwise.tui.judging.certificate_words import other_model_words
from turnwise.tui.judging.judge_words import judge_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.words import moment

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings

BAR_CELLS = 30
MOST_LISTED = 40
_NEW = "new"
ABOUT = (
    "Replies of your sessions are judged as they are, again and again, and changed in one thing: other "
    "names, another order, an instruction planted, padding, other wording, sides swapped. "
    "Nothing of it becomes a score."
)


@dataclass(frozen=True, slots=True)
class _Read:
    """What there is. own, others: the certificates of this judge and of others, the newest first."""

    plan: TrialPlan
    cost: float | None
    own: Sequence[KeptCertificate]
    others: Sequence[KeptCertificate]


class TrialDialog(Dialog[None]):
    """Says what a trial asks, holds it, and shows its certificate beside the earlier ones."""

    PLACE: ClassVar[Place] = "trial"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("trial"))
    DEFAULT_CSS = """
    TrialDialog #panel { width: 112; }
    TrialDialog .wrong { margin-top: 1; }
    TrialDialog ChoiceList { max-height: 7; }
    TrialDialog LinesView { height: auto; margin: 1 1 0 1; background: $surface; }
    TrialDialog .words { margin-top: 1; }
    """

    def __init__(self, judge: ModelSettings) -> None:
        """judge: the one that is to be tried."""
        super().__init__()
        self._judge = judge
        self._read_so_far: _Read | None = None
        self._stop: asyncio.Event | None = None
        """Ends the trial under way, and keeps what was answered; None where none is."""
        self._answered = 0
        self._rate = Rate()

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            name = make_safe_line(judge_words(self._judge))
            yield Static(f"What sways the judge “{name}”?", classes="title", markup=False)
            yield ChoiceList()
            yield LinesView()
            yield Static("Reading your sessions …", id="about", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("trial")

    def on_mount(self) -> None:
        """Read what could be asked, and what was found before."""
        self.choices.focus()
        self._read()

    def on_resize(self) -> None:
        """Draw anew."""
        self.call_after_refresh(self._show_current)

    @property
    def lines(self) -> LinesView:
        """The certificate, which the keys scroll."""
        return self.query_one(LinesView)

    # What there is

    @work(thread=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        store = self.shell.store
        try:
            plan = plan_trial(store, store.sessions.ids())
            read = _with_kept(_Read(plan, trial_cost(plan, self._judge), (), ()), store, self._judge)
        except TurnwiseError as error:
            hand_over(self, self._refuse, error)
        else:
            hand_over(self, self._take, read)

    def _take(self, read: _Read, *, newest: bool = False) -> None:
        """Show what there is. newest: with the cursor on the certificate that came last."""
        self._read_so_far = read
        again = "try it again" if read.own else "try it"
        price = f", about ${read.cost:.2f}" if read.cost is not None else ""
        asks = f"{counted(len(read.plan.items), 'reply', 'replies')}, {read.plan.probes:,} calls{price}"
        listed = [Choice(_NEW, again, asks, sign="+")]
        listed += [self._choice(one, f"own:{place}") for place, one in enumerate(read.own)]
        if read.others:
            listed.append(Choice("group:others", "Other judges", heading=True))
            listed += [self._choice(one, f"other:{place}") for place, one in enumerate(read.others)]
        self.choices.show(listed)
        if newest and read.own:
            self.choices.highlighted = 1
        self._show_current()
        self.refresh_bindings()

    def _choice(self, one: KeptCertificate, name: str) -> Choice:
        when = moment(one.made_at)
        whose = f"{one.judge}, {when}" if name.startswith("other") else when
        return Choice(name, whose, JudgeCertificate.from_data(one.data).verdict(), sign="▸")

    @property
    def _current(self) -> KeptCertificate | None:
        """The certificate under the cursor; None where that begins a trial."""
        choice, read = self.choices.current, self._read_so_far
        kind, _, place = choice.id.partition(":") if choice is not None else ("", "", "")
        if read is None or not place.isdigit():
            return None
        return (read.own if kind == "own" else read.others)[int(place)]

    def on_option_list_option_highlighted(self) -> None:
        """Show the certificate under the cursor."""
        self._show_current()
        self.refresh_bindings()

    def on_option_list_option_selected(self) -> None:
        """Begin, where that was clicked."""
        if self._current is None:
            self.action_start()

    def _show_current(self) -> None:
        view, kept = self.lines, self._current
        width = self.choices.size.width
        if not width or self._read_so_far is None:
            return
        view.display = kept is not None
        if kept is not None:
            # A cell stands free at either side, and one is the scroll bar's.
            drawn = certificate_drawing(JudgeCertificate.from_data(kept.data), width - 3, view.tones)
            # What the list, the title, the words and the keys leave.
            room = self.size.height - self.choices.size.height - 11
            view.styles.height = max(3, min(len(drawn), room))
            view.set_lines(drawn)
        if self._stop is None:
            begins = f"{ABOUT} No trial makes more than {MOST_CALLS} calls."
            told = other_model_words(kept).lstrip("; ") if kept is not None else begins
            own = self._read_so_far.plan.own_samples and kept is None
            few = " Too few of your sessions have a short reply, so that turnwise's own samples serve, too."
            self._say(f"{told}{few if own else ''}")

    def _refuse(self, error: TurnwiseError) -> None:
        self._say("")
        self.refuse(error)

    def _say(self, text: str) -> None:
        line = self.query_one("#about", Static)
        line.update(make_safe(text))
        line.display = bool(text)

    # Keys

    def key_now(self, action: Action) -> Action:
        """Say what escape does now."""
        running = action.name == "cancel" and self._stop is not None
        return replace(action, title="stop") if running else action

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something now."""
        if not self.is_mounted:
            return True
        if action == "start":
            return self._stop is None and self._read_so_far is not None and self._current is None
        return self._current is not None if action in ("page_down", "page_up") else True

    def action_start(self) -> None:
        """Begin the trial."""
        if self._stop is None and self._read_so_far is not None:
            self._stop = asyncio.Event()
            self._answered, self._rate = 0, Rate()
            self._hold(self._read_so_far, self._stop)
            self.refresh_bindings()

    def action_cancel(self) -> None:
        """Stop the trial and keep what was answered, or go back."""
        if self._stop is None:
            self.dismiss(None)
        elif self._answered:
            self._stop.set()
        else:
            # Nothing was answered, so that there is nothing to wait for and nothing to keep.
            self.workers.cancel_group(self, "trial")

    # The trial

    @work(group="trial", exclusive=True, exit_on_error=False)
    async def _hold(self, read: _Read, stop: asyncio.Event) -> None:
        self._tell(0, read.plan.probes)
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        store, newest = self.shell.store, False
        self.query_one(".wrong", Static).display = False
        try:
            found = await hold_trial(read.plan, self._judge, on_progress=self._tell, stop=stop)
            await asyncio.to_thread(keep_certificate, store, found)
            newest = True
        except TurnwiseError as error:
            self._refuse(error)
        finally:
            self._stop = None
            if self.is_running:
                self._show_current()
                self.refresh_bindings()
        read = await asyncio.to_thread(_with_kept, read, store, self._judge)
        self._take(read, newest=newest)
        self.shell.judge.read_trial()

    def _tell(self, done: int, of: int) -> None:
        for _ in range(done - self._answered):
            self._rate.count()
        self._answered = done
        pace = pace_words(self._rate, done=done, left=of - done)
        drawn = progress(done / of if of else 0.0, BAR_CELLS)
        far = f"answered {done:,} of {of:,}{f', {pace}' if pace else ''}"
        self._say(f"{drawn}  {far}\nWhat was answered is kept if you stop.")


def _with_kept(read: _Read, store: Store, judge: ModelSettings) -> _Read:
    kept = store.certificates.all()[:MOST_LISTED]
    return replace(
        read,
        own=[one for one in kept if one.fingerprint == judge.fingerprint],
        others=[one for one in kept if one.fingerprint != judge.fingerprint],
    )
