"""ScoreDialog: by what some sessions are to be judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from turnwise.engine.scoring.progress import duration
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.judging.judge_words import judge_words, seconds_a_session, trouble_words
from turnwise.tui.judging.metric_offers import (
    Offer,
    criteria_offers,
    grouped,
    learned_offers,
    looked_up_once,
    metric_offers,
    usual_ticks,
)
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.settings.keymap import action_while_typing, fill_keys
from turnwise.tui.shell.runs import ScoreRequest

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings


WHILE_TYPING = {"start": ("to the list", 1, "enter"), "cancel": ("show all", 2, ""), "help": ("help", 90, "")}
"""The line of keys while one types to find a metric: titles, ranks, and keys where they differ."""


class ScoreDialog(Dialog[ScoreRequest | None]):
    """Ask for metrics; the result is the request, or None where it was cancelled."""

    PLACE: ClassVar[Place] = "score"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("score"))
    DEFAULT_CSS = """
    ScoreDialog #panel { width: 112; }
    ScoreDialog Input { margin-bottom: 1; }
    ScoreDialog #each, ScoreDialog #plan { min-height: 2; }
    """
    AUTO_FOCUS = "ChoiceList"

    def __init__(
        self,
        session_ids: Sequence[int],
        *,
        ticked: Sequence[str] = (),
        compared: bool = False,
        told: str = "",
    ) -> None:
        """session_ids: what is to be judged. ticked: the metrics that are ticked at first.

        compared: says that what is found is then set beside what was found before. told: why it asks once
        more.
        """
        super().__init__()
        self._session_ids = session_ids
        self._offers: Sequence[Offer] = ()
        self._given = tuple(ticked)
        self._compared = compared
        self._told = told
        self._ticked: set[str] = set()
        self._at_first: frozenset[str] = frozenset()
        """Those that were ticked when the dialog opened, which stand above all other groups."""
        self._begin_when_read = False
        """Whether the metrics were agreed to before they were there."""
        self._each_turn = False
        self._own: dict[str, ModelSettings] = {}
        """The judges of metrics that have one of their own, by their names."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        count = len(self._session_ids)
        with Vertical(id="panel"):
            again = " again, and show what changes," if self._compared else ""
            title = f"Judge {count:,} {'session' if count == 1 else 'sessions'}{again} by"
            yield Static(title, classes="title", markup=False)
            yield Input(placeholder="/ finds a metric", select_on_focus=False)
            yield ChoiceList()
            yield Static("", id="each", classes="words", markup=False)
            yield Static("", id="plan", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("score")

    def on_mount(self) -> None:
        """Load the metrics, and follow the judge."""
        self.shell.followers.follow(self, self.shell.judge.changed, lambda _: self._show_plan())
        if self._told:
            self._say(self._told)
        self._load(self.shell.store.growing.revision())

    def on_resize(self) -> None:
        """Give the list half of the screen, before it is read too, so that nothing jumps."""
        # In cells: a share of the screen does not count where the panel measures what it holds.
        self.query_one(ChoiceList).styles.height = max(4, self.size.height // 2 - 2)

    @work(thread=True)
    def _load(self, stood: tuple[int, int]) -> None:
        worker = get_current_worker()
        # Metrics bring pydantic along: a quarter of a second, in which the dialog is there already.
        store = self.shell.store
        offers = [*criteria_offers(Path.cwd()), *learned_offers(store), *metric_offers()]
        # Who leaves the dialog waits for nothing that it would have shown.
        kept, ids = self.shell.looked_up, self._session_ids
        told = looked_up_once(kept, store, ids, offers, stood=stood, stop=lambda: worker.is_cancelled)
        if told is not None:
            hand_over(self, self._take_offers, told)

    def _take_offers(self, offers: Sequence[Offer]) -> None:
        judge = self.shell.judge
        chosen = self._given or self.shell.used.last.metrics
        usual = usual_ticks(offers, with_judge=judge.settings is not None or not judge.chosen)
        self._ticked = {offer.name for offer in offers} & set(chosen) if chosen else usual
        # What is judged is seen without scrolling; a tick given now moves nothing.
        self._at_first = frozenset(self._ticked)
        self._offers = grouped(offers, self._ticked)
        self._show_offers()
        if self._begin_when_read:
            self.action_start()

    @property
    def _first_group(self) -> str:
        if self._given:
            # Those that are asked for once more, as nothing came of others, judge for the first time.
            return "To begin with" if self._told else "To judge again"
        return "Used last" if self.shell.used.last.metrics else "To begin with"

    def _show_offers(self) -> None:
        typed = self.query_one(Input).value
        choices: list[Choice] = []
        group = ""
        for offer in self._offers:
            if not offer.matches(typed):
                continue
            here = self._first_group if offer.name in self._at_first else offer.group
            if here != group:
                group = here
                choices.append(Choice(f"group:{group}", group, heading=True))
            sign = "✓" if offer.name in self._ticked else "·"
            own = self._own.get(offer.name)
            by = f"by {judge_words(own)} · " if own is not None else ""
            choices.append(Choice(offer.name, offer.title, f"{by}{offer.note}", sign=sign))
        self.query_one(ChoiceList).show(choices or [Choice("", "no metric is like this", disabled=True)])
        self._show_plan()

    # Finding one

    def key_now(self, action: Action) -> Action:
        """Say what enter and esc do while one types."""
        if self.is_mounted and self.query_one(Input).has_focus:
            return action_while_typing(action, WHILE_TYPING)
        return action

    def action_find(self) -> None:
        """Type what a metric is called, or does."""
        self.query_one(Input).focus()

    def on_input_changed(self) -> None:
        """Show those that are like what is typed."""
        self._show_offers()

    def on_input_submitted(self) -> None:
        """Go to those that were found."""
        self.query_one(ChoiceList).focus()

    def action_cancel(self) -> None:
        """Show all metrics again, or go back."""
        line = self.query_one(Input)
        if line.value or line.has_focus:
            line.value = ""
            self.query_one(ChoiceList).focus()
        else:
            self.dismiss(None)

    @property
    def _chosen(self) -> list[Metric]:
        return [offer.metric for offer in self._offers if offer.name in self._ticked]

    def _show_plan(self) -> None:
        if not self._offers:
            return
        metrics, count = self._chosen, len(self._session_ids)
        each = "every exchange" if self._each_turn else "the last exchange"
        self.query_one("#each", Static).update(f"\nLast-turn metrics judge {each}.")
        request = self._request(metrics)
        judge, trouble = self.shell.judge.settings, self.shell.judge.trouble
        own = {name: one for name, one in self._own.items() if name in self._ticked}
        words, skipped = [f"Judge: {judge_words(judge)}."], False
        if request.needs_judge and judge is None:
            skipped = self.shell.judge.chosen
            words = [
                f"Judge: {'none yet' if trouble is None else trouble_words(trouble)}; you are asked for one."
                if not skipped
                else "Judge: none, so metrics that need one are skipped."
            ]
        words += [f"{name.replace('_', ' ')}: {judge_words(one)}." for name, one in own.items()]
        judged = [one for one in metrics if not (skipped and one.uses_judge and one.name not in own)]
        if judged:
            units = units_words(self._request(judged))
            words.append(f"{units}; what is scored already is kept.")
        elif metrics:
            words.append("Nothing else is ticked.")
        else:
            words.append("Nothing is ticked.")
        # How long several judges take beside each other is not known.
        if judge is not None and request.needs_judge and not own:
            by_exchange = self._each_turn and any(metric.scope == "exchange" for metric in metrics)
            said = "" if by_exchange else time_words(self.shell.store, judge, metrics, count)
            words.append(fill_keys(said, self.shell.actions))
        self.query_one("#plan", Static).update(" ".join(words))

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def action_tick(self) -> None:
        """Take the metric under the cursor, or leave it out."""
        choice = self.query_one(ChoiceList).current
        if choice is not None and not (choice.disabled or choice.heading):
            self._ticked ^= {choice.id}
            self.query_one(".wrong", Static).display = False
            self._show_offers()

    def action_tick_all(self) -> None:
        """Take all metrics that are shown and can judge something, or none of them."""
        typed = self.query_one(Input).value
        names = {one.name for one in self._offers if one.matches(typed) and not one.lacks}
        self._ticked = self._ticked - names if names <= self._ticked else self._ticked | names
        self._show_offers()

    def action_each_turn(self) -> None:
        """Judge every exchange by last-turn metrics, or only the last."""
        self._each_turn = not self._each_turn
        self._show_plan()

    def action_judge(self) -> None:
        """Choose another judge."""
        self.shell.action_choose_judge()

    @work(group="own judge", exclusive=True)
    async def action_own_judge(self) -> None:
        """Choose a judge for the metric under the cursor alone; it is ticked with it."""
        from turnwise.tui.judging.judge_dialog import JudgeDialog

        choice = self.query_one(ChoiceList).current
        offer = next((one for one in self._offers if choice is not None and one.name == choice.id), None)
        if offer is None:
            return
        if not offer.metric.uses_judge:
            self._say(f"{offer.title} asks no judge.")
            return
        dialog = JudgeDialog(self._own.get(offer.name), metric=offer.title)
        if (chosen := await self.app.push_screen_wait(dialog)) is None:
            return
        if chosen.settings is None:
            self._own.pop(offer.name, None)
        else:
            self._own[offer.name] = chosen.settings
            self._ticked.add(offer.name)
        self._show_offers()

    def _request(self, metrics: Sequence[Metric]) -> ScoreRequest:
        """Return what is asked for with these metrics."""
        names = {metric.name for metric in metrics}
        own = {name: judge for name, judge in self._own.items() if name in names}
        return ScoreRequest(self._session_ids, tuple(metrics), self._each_turn, own)

    def action_start(self) -> None:
        """Give the request back; what is agreed to while the metrics are read is done once they are there."""
        if not self._offers:
            self._begin_when_read = True
            return
        metrics = self._chosen
        if not metrics:
            self._say("Tick at least one metric: space.")
            return
        self.shell.used.metrics([metric.name for metric in metrics])
        # Those of a list that are read when they are asked for are the ones that it has now.
        self.dismiss(replace(self._request(metrics), session_ids=tuple(self._session_ids)))

    def _say(self, text: str) -> None:
        line = self.query_one(".wrong", Static)
        line.update(text)
        line.display = True


def units_words(request: ScoreRequest) -> str:
    """Say how much is to be judged; how many exchanges there are is not known before they are read."""
    count, metrics = len(request.session_ids), len(request.metrics)
    by_exchange = sum(metric.scope == "exchange" for metric in request.metrics) if request.each_turn else 0
    whole = metrics - by_exchange
    of_wholes = (
        f"{count:,} × {whole} = {count * whole:,} to score" if count > 1 or whole > 1 else "1 to score"
    )
    sessions = "the session" if count == 1 else f"all {count:,} sessions"
    of_exchanges = f"every exchange of {sessions}" + (f" × {by_exchange}" if by_exchange > 1 else "")
    if not by_exchange:
        return of_wholes
    return f"{of_wholes}, and {of_exchanges}" if whole else f"{of_exchanges} to score"


def time_words(store: Store, judge: ModelSettings, metrics: Sequence[Metric], count: int) -> str:
    """Say how long it will take, where that is known; empty where it is not."""
    asking = [metric.name for metric in metrics if metric.uses_judge]
    seconds = seconds_a_session(store, judge, asking)
    if seconds is not None:
        return f"About {duration(seconds * count)}, going by the last runs."
    if judge.model_file is not None:
        return "That can be minutes a session; {library.stop} stops it, what is scored is kept."
    return ""
