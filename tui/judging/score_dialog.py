"""ScoreDialog: by what some sessions are to be judged."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.errors import SettingError
from turnwise.engine.scoring.progress import duration
from turnwise.tui.actions import Place, bindings
from turnwise.tui.judging.judge_words import judge_words, seconds_a_session, trouble_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.settings.keymap import fill_keys
from turnwise.tui.shell.runs import ScoreRequest

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings

USUAL_METRICS = ("role_adherence", "answer_relevancy")
"""Ticked where nobody chose before."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A metric that may be ticked. about: what it asks, in one line."""

    metric: Metric
    about: str

    @property
    def name(self) -> str:
        """What identifies it."""
        return self.metric.name


class ScoreDialog(Dialog[ScoreRequest | None]):
    """Ask for metrics; the result is the request, or None where it was cancelled."""

    PLACE: ClassVar[Place] = "score"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("score"))
    DEFAULT_CSS = """
    ScoreDialog #panel { width: 112; }
    ScoreDialog ChoiceList { min-height: 4; }
    """

    def __init__(self, session_ids: Sequence[int], *, ticked: Sequence[str] = ()) -> None:
        """session_ids: what is to be judged. ticked: the metrics that are ticked at first."""
        super().__init__()
        self._session_ids = session_ids
        self._offers: Sequence[Offer] = ()
        self._given = tuple(ticked)
        self._ticked: set[str] = set()
        self._each_turn = False

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        count = len(self._session_ids)
        with Vertical(id="panel"):
            yield Static(
                f"Judge {count:,} {'session' if count == 1 else 'sessions'} by", classes="title", markup=False
            )
            yield ChoiceList()
            yield Static("", id="each", classes="words", markup=False)
            yield Static("", id="plan", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("score")

    def on_mount(self) -> None:
        """Load the metrics, and follow the judge."""
        self.shell.followers.follow(self, self.shell.judge.changed, lambda _: self._show_plan())
        self._load()

    def on_resize(self) -> None:
        """Keep the list to half of the screen."""
        # In cells: a share of the screen does not count where the panel measures what it holds.
        self.query_one(ChoiceList).styles.max_height = max(4, self.size.height // 2)

    @work(thread=True)
    def _load(self) -> None:
        # Metrics bring pydantic along: a quarter of a second, in which the dialog is there already.
        offers = [*criteria_offers(Path.cwd()), *metric_offers()]
        hand_over(self, self._take_offers, offers)

    def _take_offers(self, offers: Sequence[Offer]) -> None:
        names = {offer.name for offer in offers}
        self._ticked = names & set(self._given or self.shell.last_metrics or USUAL_METRICS)
        # What is judged is seen without scrolling; a tick given now moves nothing.
        self._offers = sorted(offers, key=lambda offer: offer.name not in self._ticked)
        self._show_offers()

    def _show_offers(self) -> None:
        self.query_one(ChoiceList).show(
            [
                Choice(
                    offer.name,
                    offer.name.replace("_", " "),
                    offer.about if offer.metric.uses_judge else f"no judge · {offer.about}",
                    sign="✓" if offer.name in self._ticked else "·",
                )
                for offer in self._offers
            ]
        )
        self._show_plan()

    @property
    def _chosen(self) -> list[Metric]:
        return [offer.metric for offer in self._offers if offer.name in self._ticked]

    def _show_plan(self) -> None:
        if not self._offers:
            return
        metrics, count = self._chosen, len(self._session_ids)
        each = "every exchange" if self._each_turn else "the last exchange"
        self.query_one("#each", Static).update(f"\nLast-turn metrics judge {each}.")
        request = ScoreRequest(self._session_ids, metrics, self._each_turn)
        judge, trouble = self.shell.judge.settings, self.shell.judge.trouble
        words, skipped = [f"Judge: {judge_words(judge)}."], False
        if request.needs_judge and judge is None:
            skipped = self.shell.judge.chosen
            words = [
                f"Judge: {'none yet' if trouble is None else trouble_words(trouble)}; you are asked for one."
                if not skipped
                else "Judge: none, so metrics that need one are skipped."
            ]
        judged = [metric for metric in metrics if not (skipped and metric.uses_judge)]
        if judged:
            units = units_words(ScoreRequest(self._session_ids, judged, self._each_turn))
            words.append(f"{units}; what is judged already is kept.")
        elif metrics:
            words.append("Nothing else is ticked.")
        else:
            words.append("Nothing is ticked.")
        if judge is not None and request.needs_judge:
            by_exchange = self._each_turn and any(metric.scope == "exchange" for metric in metrics)
            said = "" if by_exchange else time_words(self.shell.store, judge, metrics, count)
            words.append(fill_keys(said, self.shell.actions))
        self.query_one("#plan", Static).update(" ".join(words))

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def action_tick(self) -> None:
        """Take the metric under the cursor, or leave it out."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self._ticked ^= {choice.id}
            self._show_offers()

    def action_tick_all(self) -> None:
        """Take all metrics, or none."""
        names = {offer.name for offer in self._offers}
        self._ticked = set() if self._ticked == names else names
        self._show_offers()

    def action_each_turn(self) -> None:
        """Judge every exchange by last-turn metrics, or only the last."""
        self._each_turn = not self._each_turn
        self._show_plan()

    def action_judge(self) -> None:
        """Choose another judge."""
        self.shell.action_choose_judge()

    def action_start(self) -> None:
        """Give the request back."""
        metrics = self._chosen
        if not metrics:
            self._say("Tick at least one metric: space.")
            return
        self.shell.last_metrics = tuple(metric.name for metric in metrics)
        self.dismiss(ScoreRequest(tuple(self._session_ids), tuple(metrics), self._each_turn))

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
        f"{count:,} × {whole} = {count * whole:,} to judge" if count > 1 or whole > 1 else "1 to judge"
    )
    sessions = "the session" if count == 1 else f"all {count:,} sessions"
    of_exchanges = f"every exchange of {sessions}" + (f" × {by_exchange}" if by_exchange > 1 else "")
    if not by_exchange:
        return of_wholes
    return f"{of_wholes}, and {of_exchanges}" if whole else f"{of_exchanges} to judge"


def time_words(store: Store, judge: ModelSettings, metrics: Sequence[Metric], count: int) -> str:
    """Say how long it will take, where that is known; empty where it is not."""
    asking = [metric.name for metric in metrics if metric.uses_judge]
    seconds = seconds_a_session(store, judge, asking)
    if seconds is not None:
        return f"About {duration(seconds * count)}, as of late."
    if judge.model_file is not None:
        return "That can be minutes a session; {library.stop} stops it, what is scored is kept."
    return ""


def metric_offers() -> list[Offer]:
    """Return the metrics that can be ticked as they are: checks first.

    One that means nothing without settings is for `turnwise score`, which takes them.
    """
    from turnwise.engine.metrics.registry import make_metric, metric_keys

    offers = []
    for key in metric_keys():
        with suppress(SettingError):
            metric = make_metric(key)
            offers.append(Offer(metric, _about(type(metric))))
    return sorted(offers, key=lambda offer: offer.metric.uses_judge)


def _about(kind: type[Metric]) -> str:
    line = (inspect.getdoc(kind) or "").splitlines()[0].rstrip(".")
    line = line.removeprefix("Whether ").removeprefix("Whether, ")
    # An acronym keeps its capitals.
    return line[:1].lower() + line[1:] if line[1:2].islower() else line


def criteria_offers(folder: Path) -> list[Offer]:
    """Return the criteria of the YAML files in a folder and its folder `criteria`, each name once."""
    from turnwise.engine.criteria.criteria_files import find_criteria

    offers: dict[str, Offer] = {}
    for file in find_criteria(folder).files:
        offer = Offer(file.criterion.metric(), f"your criterion in {file.path.name}")
        offers.setdefault(offer.name, offer)
    return list(offers.values())
