"""ScoreDialog: by what some sessions are to be judged."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from turnwise.conversations.marks import SKIPPED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.scoring.progress import duration
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.frames import HIGH
from turnwise.tui.judging.judge_words import TypicalTimes, judge_words, seconds_a_session, trouble_words
from turnwise.tui.judging.metric_offers import (
    CRITERIA,
    Offer,
    criteria_offers,
    criteria_stand,
    grouped,
    known_as,
    learned_offers,
    looked_up,
    metric_offers,
    usual_ticks,
    without_judged,
)
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import action_while_typing, fill_keys, key_of
from turnwise.tui.shell.kept_finding import KeptFinding
from turnwise.tui.shell.runs import ScoreRequest

if TYPE_CHECKING:
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings


BESIDE_LIST = 20
"""So many lines of the screen are left to what stands around the list, at the least."""
WHILE_TYPING = {"start": ("to the list", 1, "enter"), "cancel": ("show all", 2, ""), "help": ("help", 90, "")}
"""The line of keys while one types to find a metric: titles, ranks, and keys where they differ."""

_READING = "Reading the metrics …"
"""Stands there until they are: without a word the dialog would look as if nothing could be chosen."""


class ScoreDialog(Dialog[ScoreRequest | None]):
    """Ask for metrics; the result is the request, or None where it was cancelled."""

    PLACE: ClassVar[Place] = "score"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("score"))
    DEFAULT_CSS = """
    ScoreDialog #panel { width: 150; }
    ScoreDialog Input { margin-bottom: 1; }
    ScoreDialog #unlisted { margin-bottom: 1; }
    ScoreDialog #whole { height: 2; color: $text-muted; margin: 1 0; }
    ScoreDialog #plan { min-height: 2; }
    ScoreDialog #each { min-height: 1; }
    ScoreDialog KeyLine { margin-top: 0; }
    ScoreDialog.-high KeyLine { margin-top: 1; }
    """
    AUTO_FOCUS = "ChoiceList"

    def __init__(self) -> None:
        super().__init__()
        self._read = KeptFinding[Sequence[Offer]]()
        """The metrics that were offered last."""
        self._reading: Hashable = None
        """What metrics are read for."""
        self._times = TypicalTimes()

    def begin(
        self,
        session_ids: Sequence[int],
        *,
        ticked: Sequence[str] = (),
        compared: bool = False,
        told: str = "",
        unlisted: str = "",
        blind: str = "",
    ) -> None:
        """session_ids: what is to be judged. ticked: the metrics that are ticked at first.

        compared: says that what is found is then set beside what was found before. told: why it asks once
        more. unlisted: says which of the sessions are not in sight. blind: a sentence that says how to label
        before the scores are seen, where nothing is scored yet.
        """
        self._blind = blind
        self._unlisted = unlisted
        self._session_ids = session_ids
        self._asked_for: Hashable = None
        """What the metrics are asked for: how the store stands, the sessions, and the files of criteria."""
        self._offers: Sequence[Offer] = ()
        self._given = tuple(ticked)
        self._compared = compared
        self._told = told
        self._ticked: set[str] = set()
        self._at_first: frozenset[str] = frozenset()
        """Those that were ticked when the dialog opened, which stand above all but criteria of one's own."""
        self._begin_when_read = False
        """Whether the metrics were agreed to before they were there."""
        self._each_turn = False
        self._own: dict[str, ModelSettings] = {}
        """The judges of metrics that have one of their own, by their names."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(self._heading), classes="title")
            yield Static(Content(""), id="unlisted", classes="words")
            yield Input(placeholder="(/ finds a metric)", select_on_focus=False)
            yield ChoiceList()
            yield Static(Content(""), id="whole", classes="words")
            yield Static(Content(""), id="plan", classes="words")
            yield Static(Content(""), id="each", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("score")

    @property
    def _heading(self) -> str:
        count = len(self._session_ids)
        again = " again, and show what changes," if self._compared else ""
        return f"Score {count:,} {'session' if count == 1 else 'sessions'}{again} by"

    def on_mount(self) -> None:
        """Load the metrics, and follow the judge."""
        self.on_resize()
        self._ask()

    def fill(self) -> None:
        """Show the metrics for other sessions: at once where they are known."""
        rewrite(self.query_one(".title", Static), self._heading)
        self.query_one(".wrong", Static).display = False
        line = self.query_one(Input)
        line.value = ""
        if line.has_focus:
            self.query_one(ChoiceList).focus()
        self._ask()

    def on_resize(self) -> None:
        """Give the list its part of the screen, before it is read too, so that nothing jumps."""
        # In cells: a share of the screen does not count where the panel measures what it holds.
        low = not self.has_class(HIGH)
        self.query_one(ChoiceList).styles.height = max(
            4, self.size.height // 2 - (3 if low else 2), self.size.height - BESIDE_LIST
        )
        self.call_after_refresh(self._tell_whole)

    def _ask(self) -> None:
        self.shell.followers.follow(self, self.shell.judge.changed, lambda _: self._follow_judge())
        unlisted = self.query_one("#unlisted", Static)
        rewrite(unlisted, self._unlisted)
        unlisted.display = bool(self._unlisted)
        if self._told:
            self._say(self._told)
        stood = self.shell.store.growing.revision()
        self._asked_for = stood, known_as(self._session_ids), criteria_stand(Path.cwd())
        if (offers := self._read.of(self._asked_for)) is not None:
            self._take_offers(offers)
            return
        self.query_one(ChoiceList).show((), anew=True)
        for part, words in (("#whole", ""), ("#each", ""), ("#plan", _READING)):
            rewrite(self.query_one(part, Static), words)
        # It goes on where the dialog is left, so that all is there when it is opened again.
        if self._reading != self._asked_for:
            self._reading = self._asked_for
            self._load(self._session_ids, stood, self._asked_for)

    @work(thread=True, exclusive=True)
    def _load(self, session_ids: Sequence[int], stood: tuple[int, int], asked_for: Hashable) -> None:
        worker, store = get_current_worker(), self.shell.store
        # Metrics bring pydantic along: a quarter of a second, in which the dialog is there already.
        try:
            offers = [*criteria_offers(store, Path.cwd()), *learned_offers(store), *metric_offers()]
            told = looked_up(store, session_ids, offers, stop=lambda: worker.is_cancelled)
            if not worker.is_cancelled:
                ticks = self._ticks(told)
                self._seconds([one.metric for one in told if one.name in ticks], stood)
                hand_over(self, self._take_read, asked_for, told)
        finally:
            if self._reading == asked_for:
                self._reading = None

    def _take_read(self, asked_for: Hashable, offers: Sequence[Offer]) -> None:
        self._read.keep(asked_for, offers)
        if asked_for == self._asked_for and self.is_current:
            self._take_offers(offers)

    def _ticks(self, offers: Sequence[Offer]) -> set[str]:
        """Return what is ticked at first: of what is known to be meant, all that the judge of now can do."""
        with_judge = self._with_judge
        if chosen := self._given or self.shell.used.last.metrics:
            names = {offer.name for offer in offers if not self._is_barred(offer)} & set(chosen)
            ticks = names if with_judge else without_judged(offers, names)
            # What is to be judged again is that, also where it waits for a judge.
            if ticks or self._given:
                return ticks or names
        # Nobody meant these: what is ticked for them can be scored as things are.
        judge = self.shell.judge
        some = judge.settings is not None or judge.trouble is not None or not judge.known
        return usual_ticks(offers, with_judge=with_judge and some)

    @property
    def _with_judge(self) -> bool:
        """Whether there is a judge, or one is asked for where it is needed."""
        judge = self.shell.judge
        return judge.settings is not None or not judge.chosen

    def _follow_judge(self) -> None:
        """Say who judges now; what nobody has changed since it was ticked at first is ticked anew for it."""
        ticks = self._ticks(self._offers)
        if self._offers and self._ticked == self._at_first and ticks != self._ticked:
            self._tick_anew(self._offers)
        else:
            self._show_plan()

    def _seconds(self, metrics: Sequence[Metric], stood: Hashable) -> list[float | None]:
        """Return how long those that ask the judge of now took with it of late."""
        judge, store = self.shell.judge.settings, self.shell.store
        asking = [metric.name for metric in metrics if metric.uses_judge]
        return [self._times.of(store, name, judge.model, stood) for name in asking] if judge else []

    def _take_offers(self, offers: Sequence[Offer]) -> None:
        self._tick_anew(offers)
        if self._begin_when_read:
            self.action_start()

    def _tick_anew(self, offers: Sequence[Offer]) -> None:
        self._ticked = self._ticks(offers)
        # What is judged is seen without scrolling; a tick given now moves nothing.
        self._at_first = frozenset(self._ticked)
        self._offers = grouped(offers, self._ticked)
        self._show_offers(anew=True)

    @property
    def _first_group(self) -> str:
        if self._given:
            # Those that are asked for once more, as nothing came of others, judge for the first time.
            return "To begin with" if self._told else "To judge again"
        return "Used last" if self._at_first & set(self.shell.used.last.metrics) else "To begin with"

    def _show_offers(self, *, anew: bool = False) -> None:
        typed = self.query_one(Input).value
        choices: list[Choice] = []
        group = ""
        for offer in self._offers:
            if not offer.matches(typed):
                continue
            told_first = offer.name in self._at_first and offer.group != CRITERIA
            here = self._first_group if told_first else offer.group
            if here != group:
                group = here
                choices.append(Choice(f"group:{group}", group, heading=True))
            sign = SKIPPED if self._is_barred(offer) else "✓" if offer.name in self._ticked else "·"
            own = self._own.get(offer.name)
            by = f"by {judge_words(own)} · " if own is not None else ""
            # Under a heading that says that they need no judge, none of them says so once more.
            choices.append(Choice(offer.name, offer.title, f"{by}{offer.note_below(here)}", sign=sign))
        found = bool(choices)
        choices = choices or [Choice("", "no metric is like this", disabled=True)]
        listed = self.query_one(ChoiceList)
        listed.show(choices, anew=anew)
        if anew:
            # What enter scores is under the cursor, and not what happens to stand first.
            ticked = (place for place, one in enumerate(choices) if one.sign == "✓")
            listed.highlighted = next(ticked, listed.highlighted)
        if not found:
            # Nothing is under the cursor then, and the list tells of no move.
            self._tell_whole()
        self._show_plan()

    # Finding one

    def key_now(self, action: Action) -> Action:
        """Say what enter and esc do while one types."""
        if self.is_mounted and self.query_one(Input).has_focus:
            return action_while_typing(action, WHILE_TYPING)
        if action.name == "start" and (count := len(self._chosen)):
            return replace(action, title=f"score {count:,} ticked")
        if action.name == "each_turn" and self._each_turn:
            return replace(action, title="last exchange")
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
        return [
            offer.metric
            for offer in self._offers
            if offer.name in self._ticked and not self._is_barred(offer)
        ]

    def _show_plan(self) -> None:
        if not self._offers:
            return
        metrics, count = self._chosen, len(self._session_ids)
        each = "every exchange" if self._each_turn else "the last exchange"
        of_replies = ", ".join(one.name.replace("_", " ") for one in metrics if one.scope == "exchange")
        which = f" ({of_replies})" if of_replies else ""
        # Of metrics that nobody ticked there is nothing to say.
        told = f"Metrics of replies{which} judge {each}." if of_replies or self._each_turn else ""
        rewrite(self.query_one("#each", Static), told)
        request = self._request(metrics)
        judge, trouble = self.shell.judge.settings, self.shell.judge.trouble
        own = {name: one for name, one in self._own.items() if name in self._ticked}
        words, skipped = [f"Judge: {judge_words(judge)}."], False
        if judge is None and metrics and not request.needs_judge:
            key = key_of(self.shell.actions, "score", "judge")
            words = [f"No judge is needed; {key} chooses one for what needs one."]
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
            units = units_words(self._request(judged)) + self._out_of_sight(judged)
            kept = "; what the same judge scored already is not asked again."
            if self._compared:
                key = key_of(self.shell.actions, "score", "judge")
                kept = f"; only another judge ({key}) or a changed criterion is asked anew."
            words.append(f"{units}. {self._blind}" if self._blind else f"{units}{kept}")
        elif metrics:
            words.append("Nothing else is ticked.")
        else:
            words.append("Nothing is ticked.")
        # How long several judges take beside each other is not known.
        if judge is not None and request.needs_judge and not own:
            by_exchange = self._each_turn and any(metric.scope == "exchange" for metric in metrics)
            known = [] if by_exchange else self._seconds(metrics, self.shell.store.growing.revision())
            said = "" if by_exchange else time_words(known, judge, count)
            words.append(fill_keys(said, self.shell.actions))
        rewrite(self.query_one("#plan", Static), " ".join(words))
        # Drawn with the rest: what bindings tell comes a frame later.
        self.query_one(KeyLine).refresh()

    def on_option_list_option_highlighted(self) -> None:
        """Tell all of what is cut in the line under the cursor."""
        self._tell_whole()

    def _tell_whole(self) -> None:
        # Its height is fixed: a key would lay the dialog out anew.
        words = Content(make_safe_line(self.query_one(ChoiceList).cut_note))
        self.query_one("#whole", Static).update(words, layout=False)

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def action_tick(self) -> None:
        """Take the metric under the cursor, or leave it out."""
        if (offer := self._offer_to_take()) is None:
            return
        self._ticked ^= {offer.name}
        self.query_one(".wrong", Static).display = False
        self._show_offers()

    def _offer_to_take(self) -> Offer | None:
        """Return the metric under the cursor, if any; None, and why is said, where it can score nothing."""
        choice = self.query_one(ChoiceList).current
        offer = next((one for one in self._offers if choice is not None and one.name == choice.id), None)
        if offer is not None and self._is_barred(offer):
            self._say(f"{offer.title} can score none of these: {offer.lacks}.")
            return None
        return offer

    def _is_barred(self, offer: Offer) -> bool:
        return offer.is_barred(each_turn=self._each_turn)

    def action_tick_all(self) -> None:
        """Take all metrics that are shown and can judge something, or none of them."""
        typed = self.query_one(Input).value
        names = {one.name for one in self._offers if one.matches(typed) and not one.lacks}
        self._ticked = self._ticked - names if names <= self._ticked else self._ticked | names
        self._show_offers()

    def action_each_turn(self) -> None:
        """Judge every exchange by last-turn metrics, or only the last."""
        self._each_turn = not self._each_turn
        # What the last exchange lacks another one may have.
        self.query_one(".wrong", Static).display = False
        self._show_offers()
        self.refresh_bindings()

    def action_judge(self) -> None:
        """Choose another judge."""
        self.shell.action_choose_judge()

    @work(group="own judge", exclusive=True)
    async def action_own_judge(self) -> None:
        """Choose a judge for the metric under the cursor alone; it is ticked with it."""
        from turnwise.tui.judging.judge_dialog import JudgeDialog

        if (offer := self._offer_to_take()) is None:
            return
        if not offer.metric.uses_judge:
            self._say(f"{offer.title} asks no judge.")
            return
        own = self._own.get(offer.name)
        dialog = self.shell.kept_dialogs.take(JudgeDialog, own, metric=offer.title)
        if (chosen := await self.app.push_screen_wait(dialog)) is None:
            return
        if chosen.settings is None:
            self._own.pop(offer.name, None)
        else:
            self._own[offer.name] = chosen.settings
            self._ticked.add(offer.name)
        self._show_offers()

    def _out_of_sight(self, judged: Sequence[Metric]) -> str:
        """Say how many of what is ticked the words leave out of the list; empty where none is."""
        typed, names = self.query_one(Input).value, {metric.name for metric in judged}
        left = sum(1 for one in self._offers if one.name in names and not one.matches(typed))
        return f"; {left:,} ticked {'is' if left == 1 else 'are'} not in sight" if left else ""

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
        rewrite(line, text)
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


def time_words(known: Sequence[float | None], judge: ModelSettings, count: int) -> str:
    """Say how long it will take, where that is known; empty where it is not.

    known: the seconds that each metric took for a session of late.
    """
    if (seconds := seconds_a_session(known, judge)) is not None:
        return f"About {duration(seconds * count)}, going by the last runs."
    if judge.model_file is not None:
        return "That can be minutes a session; {library.stop} stops it, what is scored is kept."
    return ""
