"""QueueDialog: makes a queue of sessions to review, or goes on with one."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import QueueRow
from turnwise.engine.people.assigning import checked_people
from turnwise.engine.people.next_labels import NO_LIMIT, make_queue
from turnwise.engine.people.queues import (
    ABOUT,
    SAMPLERS,
    TITLES,
    USUAL_SIZE,
    QueuePlan,
    SamplerWord,
    left_to_choose,
)
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.parts.whole_field import WholeField
from turnwise.tui.queues.queue_question import is_to_be_forgotten
from turnwise.tui.queues.queue_words import from_words, new_name, none_left_words, step_words
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.kept_finding import KeptFinding
from turnwise.tui.shell.shell import Shell
from turnwise.tui.shell.sights import seen_before_words

_BY_SCORES: tuple[SamplerWord, ...] = ("failures", "uncertain", "next")
_QUEUE = "queue:"
_TOLD_EVERY = 100
_COUNTED: tuple[SamplerWord, ...] = ("random", "unlabelled", "disputed")
"""Of these it is counted how many they have to choose from; all others have as many as the first."""


class _ClosedError(Exception):
    """Nobody waits any more for the sessions that are looked at."""


class QueueDialog(Dialog[int | None]):
    """Pick how sessions are chosen, or a queue that is there; ends with the queue's number, or None."""

    PLACE: ClassVar[Place] = "queue"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("queue"))
    DEFAULT_CSS = """
    QueueDialog ChoiceList { max-height: 13; }
    QueueDialog .field { height: 1; margin-top: 1; }
    QueueDialog .label { width: 8; padding: 0 1; color: $text-muted; }
    QueueDialog #size { width: 10; }
    QueueDialog #name, QueueDialog #people { width: 1fr; }
    QueueDialog #shared { margin-top: 0; }
    QueueDialog #each { width: 5; }
    QueueDialog #each_label { width: 20; }
    QueueDialog #name_label, QueueDialog #each_label { margin-left: 2; }
    QueueDialog #about { margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._found = KeptFinding[tuple[list[QueueRow], list[str]]]()
        """The queues, and what sessions can be grouped by, as they were read last."""
        self._counted_before = KeptFinding[dict[SamplerWord, tuple[int, int]]]()
        """The counts that were found last."""

    def begin(self, query: str, among: Sequence[int] | None, whose: str, metrics: Sequence[str]) -> None:
        """query: the present filter. among: the selected sessions, None for those of the filter.

        whose: from what is chosen, in words. metrics: those that have scores.
        """
        self._opening = object()
        """Stands for this opening: what is told by a thread that began in another one is not taken."""
        self._query, self._among, self._whose = query, among, whose
        self._metrics = ["", *metrics]
        self._chosen_metric: str | None = None
        """The metric whose scores count, empty for all or none; None until somebody chose."""
        self._ways: list[str] = [""]
        self._by = ""
        """Of what as many are taken of each; empty for nothing."""
        self._queues: list[QueueRow] = []
        self._name_offered = ""
        self._size_offered = str(USUAL_SIZE)
        self._counts: dict[SamplerWord, tuple[int, int]] = {}
        """How many sessions there are to choose from, and of how many of these the scores were seen.

        For each of those that are counted, as yet known.
        """
        self._at_work = False
        self._clicked: SamplerWord | None = None
        """The sampler that was clicked last."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Review a queue", classes="title", markup=False)
            yield ChoiceList()
            with Horizontal(classes="field"):
                yield Static("size", id="size_label", classes="label")
                yield WholeField(str(USUAL_SIZE), id="size", type="integer", max_length=6)
                yield Static("name", id="name_label", classes="label")
                yield WholeField(id="name")
            with Horizontal(classes="field", id="shared"):
                yield Static("for", classes="label")
                yield WholeField(id="people", placeholder="(who labels, such as ada, ben)")
                yield Static("people a session", id="each_label", classes="label")
                yield WholeField("1", id="each", type="integer", max_length=2)
            yield Static(Content(""), id="about", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("queue")

    def on_mount(self) -> None:
        """Show what there is."""
        self.fill()

    def fill(self) -> None:
        """Show what there is, with fields as nobody has typed in them yet; count what is not known."""
        for field, value in (("#size", self._size_offered), ("#name", ""), ("#people", ""), ("#each", "1")):
            self.query_one(field, Input).value = value
        self.set_focus(self.query_one(ChoiceList))
        asked_for = self._counted_for()
        self._counts = self._counted_before.of(asked_for) or {}
        if not self._counts:
            self._count(self._opening, asked_for)
        self._read(anew=True)

    def _counted_for(self) -> Hashable:
        """Return all that the counts come from: they are the same as long as this is."""
        shell = self.shell
        whose = shell.settings.blind, author_of(shell.settings), shell.sights.count
        among = None if self._among is None else tuple(self._among)
        return shell.store.growing.revision(), whose, self._query, among

    @work(thread=True, group="count", exit_on_error=False)
    def _count(self, opening: object, asked_for: Hashable) -> None:
        # Where there are many sessions the dialog is there long before they are counted.
        for sampler in _COUNTED:
            try:
                left = left_to_choose(self.shell.store, sampler, self._query, self._among)
                # Whoever settles has the others' labels in sight, so that there nothing is blind.
                blind = self.shell.settings.blind and sampler != "disputed"
                seen = len(self.shell.sights.among(left)) if blind else 0
            except TurnwiseError:
                return
            hand_over(self, self._counted, opening, asked_for, sampler, (len(left), seen))

    def _counted(
        self, opening: object, asked_for: Hashable, sampler: SamplerWord, counts: tuple[int, int]
    ) -> None:
        if opening is not self._opening:
            return
        self._counts[sampler] = counts
        if len(self._counts) == len(_COUNTED):
            self._counted_before.keep(asked_for, self._counts)
        self._tell()

    def _read(self, *, anew: bool = False) -> None:
        """Show the queues and the ways to make one. anew: the cursor stands where it is at first."""
        store = self.shell.store
        stood = store.growing.revision()
        if (found := self._found.of(stood)) is None:
            found = store.queues.all(), store.sessions.groupings()
            self._found.keep(stood, found)
        self._queues, self._ways = found[0], ["", *found[1]]
        new = [Choice(sampler, TITLES[sampler], ABOUT[sampler], sign="+") for sampler in SAMPLERS]
        # Finished ones are seldom wanted, and stand behind all that there is to do.
        parts = (
            ("Go on with", [_choice(row) for row in self._queues if row.done < row.count]),
            ("A new queue", new),
            ("Finished", [_choice(row) for row in self._queues if row.done >= row.count]),
        )
        with_heads = [
            one
            for title, choices in parts
            if choices
            for one in (Choice(title, title, heading=True), *choices)
        ]
        self.query_one(ChoiceList).show(with_heads if self._queues else new, anew=anew)
        self._tell()

    @property
    def _queue(self) -> QueueRow | None:
        """The queue under the cursor, None where that is a new one."""
        choice = self.query_one(ChoiceList).current
        return next((row for row in self._queues if choice and choice.id == f"{_QUEUE}{row.id}"), None)

    @property
    def _sampler(self) -> SamplerWord | None:
        choice = self.query_one(ChoiceList).current
        known = choice is not None and choice.id in SAMPLERS
        return cast("SamplerWord", choice.id) if choice is not None and known else None

    @property
    def _metric(self) -> str:
        """The metric whose scores count; empty for all, or for none where sessions are drawn one by one."""
        if self._chosen_metric is not None:
            return self._chosen_metric
        # Without a metric they would be drawn at random, which another choice offers.
        return next(iter(self._metrics[1:]), "") if self._sampler == "next" else ""

    def on_option_list_option_highlighted(self) -> None:
        """Let the name follow the sampler until somebody writes another."""
        self._tell()

    def on_descendant_focus(self) -> None:
        """Name only keys that do something where one is."""
        self._tell()

    def _tell(self) -> None:
        sampler, row = self._sampler, self._queue
        left = self._left_of(sampler)
        for field in self.query(".field"):
            field.display = sampler is not None and left != 0
        # A rate needs as many labels as it needs, and is of all sessions alike.
        self.query_one("#size").display = self.query_one("#size_label").display = sampler != "next"
        if sampler == "next":
            # Whoever comes labels what is drawn.
            self.query_one("#shared").display = False
        if row is not None:
            query = str(row.settings.get("query", ""))
            waiting = row.count - row.done
            words = f"{waiting:,} left" if waiting else "all done"
            how = TITLES.get(cast("SamplerWord", row.sampler), row.sampler)
            self._say(f"Chosen: {how}{f', of {query}' if query else ''}; {words}.")
        elif sampler is not None and left == 0:
            self._say(none_left_words(sampler, self._whose, self._query))
        elif sampler is not None:
            chosen = from_words(sampler, self._whose, self._query, left)
            each = f", as many of each {self._by}" if self._by and sampler != "next" else ""
            by = self._by_words(sampler)
            self._say(f"It chooses from {chosen}{by}{each}.{self._seen_words(sampler)}{self._shared_words}")
            name = self.query_one("#name", Input)
            if name.value == self._name_offered:
                self._name_offered = name.value = new_name(sampler, self._queues)
            size = self.query_one("#size", Input)
            if size.value == self._size_offered:
                offered = USUAL_SIZE if left is None else min(left, USUAL_SIZE)
                self._size_offered = size.value = str(offered)
        self.refresh_bindings()

    def _by_words(self, sampler: SamplerWord) -> str:
        """Say by whose scores is chosen, and what the key does that takes others; empty where none count."""
        if sampler not in _BY_SCORES:
            return ""
        metric = self._metric.replace("_", " ")
        all_or_none = "no metric and so at random" if sampler == "next" else "the scores of all metrics"
        told = f"the scores of {metric}" if metric else all_or_none
        change = key_of(self.shell.actions, "queue", "metric")
        takes = f" ({change} takes {'another' if metric else 'one'} metric)"
        # In a field the key would be a letter of what is typed.
        return f", by {told}{takes if isinstance(self.focused, ChoiceList) else ''}"

    def key_now(self, action: Action) -> Action:
        """Say what enter does now."""
        row = self._queue
        if action.name == "by":
            following = self._way_after
            return replace(action, title=f"evenly by {following}" if following else "not evenly")
        return replace(action, title=step_words(row)) if row and action.name == "begin" else action

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something to what is under the cursor."""
        if not self.is_mounted:
            return True
        if action == "remove":
            return self._queue is not None
        if self._left_of(self._sampler) == 0 and action in ("by", "next_field", "metric"):
            return False
        if action == "by":
            return self._sampler not in (None, "next")
        if action == "next_field":
            return self._sampler is not None
        return self._sampler in _BY_SCORES if action == "metric" else True

    def _left_of(self, sampler: SamplerWord | None) -> int | None:
        """How many sessions a sampler has to choose from; None where it is not known yet."""
        counts = None if sampler is None else self._counts.get(_counted_as(sampler))
        return None if counts is None else counts[0]

    def _seen_words(self, sampler: SamplerWord) -> str:
        """Say of how many sessions the scores were seen, where that is known and one labels oneself."""
        people, counts = self._named, self._counts.get(_counted_as(sampler))
        if counts is None or (people and author_of(self.shell.settings) not in people):
            return ""
        left, seen = counts
        words = seen_before_words(seen, left)
        return f" {words}" if words else ""

    def on_option_list_option_selected(self) -> None:
        """Go on with the queue that was clicked; a new one begins at the second click."""
        # Between the two its size, its name and its metric can be said.
        sampler = self._sampler
        if sampler is None or sampler == self._clicked:
            self.action_begin()
        self._clicked = sampler

    def on_input_changed(self) -> None:
        """Say what the fields come to."""
        self._tell()

    def on_input_submitted(self) -> None:
        """Begin."""
        self.action_begin()

    def action_next_field(self) -> None:
        """Go on to size, name, and back to the list."""
        self.focus_next()

    def action_metric(self) -> None:
        """Let the scores of the next metric count."""
        place = self._metrics.index(self._metric)
        self._chosen_metric = self._metrics[(place + 1) % len(self._metrics)]
        self._tell()

    def action_by(self) -> None:
        """Take as many of each of the next thing that sessions can be grouped by."""
        self._by = self._way_after
        self._tell()

    @property
    def _way_after(self) -> str:
        """By what the key that groups takes sessions evenly; empty where it ends that."""
        place = self._ways.index(self._by) if self._by in self._ways else 0
        return self._ways[(place + 1) % len(self._ways)]

    @work(group="ask", exclusive=True)
    async def action_remove(self) -> None:
        """Forget the queue under the cursor; where somebody has begun with it, that is asked first."""
        if (row := self._queue) is not None and await is_to_be_forgotten(self.app, row):
            self.shell.store.queues.remove(row.id)
            self._read()
            self.notify(make_safe_line(f"Forgotten: {row.name}. Its labels stay."))

    def action_begin(self) -> None:
        """Go on with the queue under the cursor, or make one."""
        if (row := self._queue) is not None:
            self.dismiss(row.id)
            return
        # The name and the size that are offered follow the cursor, which a key may have moved just now.
        self._tell()
        sampler = self._sampler
        size, name = self.query_one("#size", Input).value, self.query_one("#name", Input).value
        if sampler is None or self._at_work:
            return
        try:
            seed = random.randrange(1_000_000)
            metric = self._metric if sampler in _BY_SCORES else ""
            drawn = sampler == "next"
            most, by = (NO_LIMIT, "") if drawn else (int(size or 0), self._by)
            plan = QueuePlan(sampler, most, self._query, metric, seed, by)
            people, each = self._shared()
        except (TurnwiseError, ValueError) as error:
            self._say(str(error), wrong=True)
            return
        self._at_work = True
        self._say("Choosing …")
        self._make(self._opening, plan, name, people, each)

    @property
    def _named(self) -> Sequence[str]:
        """Who is named to label."""
        return [one.strip() for one in self.query_one("#people", Input).value.split(",") if one.strip()]

    @property
    def _each(self) -> int:
        """How many of them label each session."""
        value = self.query_one("#each", Input).value
        return int(value) if value.isdecimal() else 1

    @property
    def _shared_words(self) -> str:
        """How many people label each session, where that is said."""
        people = len(set(self._named))
        if people < 2 or not 1 <= self._each <= people or self._sampler == "next":
            return ""
        return f" Each session is labelled by {self._each:,} of {people:,}."

    def _shared(self) -> tuple[Sequence[str], int]:
        """Return who labels, and how many of them each session. Raises SettingError where that cannot be."""
        named, each = self._named, self._each
        drawn = self._sampler == "next"
        return (checked_people(named, each), each) if not drawn and (named or each > 1) else ((), 1)

    @work(thread=True, group="queue", exit_on_error=False)
    def _make(self, opening: object, plan: QueuePlan, name: str, people: Sequence[str], each: int) -> None:
        def tell(done: int, of: int) -> None:
            """Say how many sessions were looked at, and look at no more once the dialog is closed."""
            if not self._is_open(opening):
                raise _ClosedError
            if done % _TOLD_EVERY == 0:
                hand_over(self, self._say, f"Looking at {done:,} of {of:,} sessions …")

        store, queue_id, wrong = self.shell.store, 0, None
        try:
            queue_id = make_queue(store, name, plan, self._among, people=people, each=each, told=tell)
        except TurnwiseError as error:
            wrong = error
        except _ClosedError:
            return
        hand_over(self, self._take_made, opening, queue_id, wrong)

    def _is_open(self, opening: object) -> bool:
        return opening is self._opening and self in self.app.screen_stack

    def _take_made(self, opening: object, queue_id: int, wrong: TurnwiseError | None) -> None:
        if not self._is_open(opening):
            return
        self._at_work = False
        if wrong is None:
            self.dismiss(queue_id)
        else:
            self._say(". ".join(part for part in (wrong.title, wrong.next_step) if part), wrong=True)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        rewrite(self.query_one("#about", Static), "" if wrong else make_safe_line(text))
        line = self.query_one(".wrong", Static)
        rewrite(line, make_safe(text) if wrong else "")
        line.display = wrong


def _counted_as(sampler: SamplerWord) -> SamplerWord:
    """Return which sampler, of those counted, has as many sessions to choose from."""
    return sampler if sampler in _COUNTED else _COUNTED[0]


def _choice(row: QueueRow) -> Choice:
    off = f", {row.put_off:,} put off" if row.put_off else ""
    return Choice(f"{_QUEUE}{row.id}", row.name, f"{row.done:,} of {row.count:,} done{off}", sign="▸")


async def ask_for_queue(
    app: App[Any], shell: Shell, query: str, among: Sequence[int] | None, whose: str
) -> int | None:
    """Ask which queue to review, and return its number, or None. `QueueDialog` says what it is given."""
    metrics = shell.store.sessions.metrics_by_use()
    return await app.push_screen_wait(shell.kept_dialogs.of(QueueDialog, query, among, whose, metrics))
