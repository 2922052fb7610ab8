"""PairsDialog: goes on with pairs that were made, or makes some of sessions that answer the same thing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import PairQueueRow, Store
from turnwise.conversations.words import counted
from turnwise.engine.people.pairing import (
    MOST_GROUPS,
    USUAL_PAIRS,
    PairingWay,
    PairPlan,
    choose_pairs,
    ways_to_pair,
)
from turnwise.engine.people.preferring import group_strengths
from turnwise.tui.actions import Place, bindings
from turnwise.tui.pairs.preference_end import PreferenceEndDialog
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading, hand_over
from turnwise.tui.parts.question_dialog import ask
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.parts.whole_field import WholeField
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.kept_finding import KeptFinding

_MADE, _NEW, _META = "made:", "new:", "meta."


@dataclass(frozen=True, slots=True)
class PairsRead:
    """What there is to choose from. own: how many pairs its reader compared, by the queue's number.

    said: how many preferences people gave, by the same. ways: by what sessions can be grouped, with the
    groups and how many pairs they make.
    """

    rows: Sequence[PairQueueRow]
    own: Mapping[int, int]
    said: Mapping[int, int]
    ways: Mapping[str, PairingWay]


class PairsDialog(Dialog[str | None]):
    """Pick pairs to compare, or make some; ends with their name, or None."""

    PLACE: ClassVar[Place] = "pairs"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("pairs"))
    DEFAULT_CSS = """
    PairsDialog ChoiceList { max-height: 12; }
    PairsDialog .field { height: 1; margin-top: 1; }
    PairsDialog .label { width: 8; padding: 0 1; color: $text-muted; }
    PairsDialog #size { width: 10; }
    PairsDialog #name { width: 1fr; }
    PairsDialog #name_label { margin-left: 2; }
    PairsDialog #about { margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._reading = NewestReading(self)
        self._found = KeptFinding[PairsRead]()
        """What there was to choose from, as long as nothing was written since."""

    def begin(self, query: str, whose: str) -> None:
        """query: the filter of the library, of whose sessions pairs are made. whose: the same in words."""
        self._opening = object()
        """Stands for this opening: pairs that were asked for in another one do not end it."""
        self._query, self._whose = query, whose
        self._read = PairsRead((), {}, {}, {})
        self._is_read = False
        self._begins = False
        """Whether enter was pressed before it was read what there is."""
        self._name_offered, self._size_offered = "", str(USUAL_PAIRS)
        self._at_work = False

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Compare sessions in pairs: which is better?", classes="title", markup=False)
            yield ChoiceList()
            with Horizontal(classes="field"):
                yield Static("pairs", classes="label")
                yield WholeField(str(USUAL_PAIRS), id="size", type="integer", max_length=6)
                yield Static("name", id="name_label", classes="label")
                yield WholeField(id="name")
            yield Static(Content(""), id="about", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("pairs")

    def on_mount(self) -> None:
        """Show what there is."""
        self.fill()

    def fill(self) -> None:
        """Show what there is, with fields as nobody has typed in them yet, once it is known."""
        self.query_one("#name", Input).value = self._name_offered
        self.query_one("#size", Input).value = self._size_offered
        self._say("")
        self.set_focus(self.choices)
        self._read_again()
        if not self._is_read:
            self.choices.show([], anew=True)

    def _read_again(self) -> None:
        store, author, query = self.shell.store, author_of(self.shell.settings), self._query
        found_for = store.growing.revision(), author, query
        if (found := self._found.of(found_for)) is not None:
            self._reading.drop()
            self._show(found, anew=True)
            return

        def show(read: PairsRead) -> None:
            self._found.keep(found_for, read)
            self._show(read)

        self._reading.ask(lambda: _read_pairs(store, author, query), show)

    def _show(self, read: PairsRead, *, anew: bool = False) -> None:
        self._read, self._is_read = read, True
        made = [
            Choice(
                f"{_MADE}{row.name}",
                row.name,
                f"{read.own[row.id]:,} of {row.count:,} compared, by {_by_words(row)}",
                sign="▸",
            )
            for row in read.rows
        ]
        new = [
            Choice(f"{_NEW}{way}", f"new: by {way.removeprefix(_META)}", _way_words(told), sign="+")
            for way, told in read.ways.items()
        ]
        self.choices.show([*made, *new], anew=anew)
        self._tell()
        if self._begins:
            self._begins = False
            self.action_begin()

    @property
    def _made(self) -> PairQueueRow | None:
        """The pairs under the cursor, None where that makes new ones."""
        choice = self.choices.current
        return next((row for row in self._read.rows if choice and choice.id == f"{_MADE}{row.name}"), None)

    @property
    def _way(self) -> str:
        """By what new pairs are grouped; empty where made ones stand under the cursor."""
        choice = self.choices.current
        return choice.id.removeprefix(_NEW) if choice is not None and choice.id.startswith(_NEW) else ""

    def on_option_list_option_highlighted(self) -> None:
        """Tell of what is under the cursor."""
        self._tell()

    def _tell(self) -> None:
        row, way = self._made, self._way
        for field in self.query(".field"):
            field.display = bool(way)
        if row is not None:
            query = str(row.settings.get("query", ""))
            of = f" of {query}" if query else ""
            said = counted(self._read.said[row.id], "preference")
            self._say(f"Groups by {_by_words(row)}{of}; {said} by all who compared.")
        elif way:
            known, most = way.removeprefix(_META), self._read.ways[way].pairs
            self._say(
                f"{counted(most, 'pair')} can be made of {self._whose}: each two answer the same (scenario, "
                f"or first words of the user) and differ in {known}. You say which is better, without seeing "
                f"which is which; it comes out which {known} is preferred."
            )
            self._offer(way, most)
        else:
            self._say(
                f"Pairs need sessions of 2 to {MOST_GROUPS} groups, such as two models, or two versions in "
                f"their metadata, and two sessions of different groups that answer the same thing. Nothing "
                f"that is known of {self._whose} makes such groups."
            )
        self.refresh_bindings()

    def _offer(self, way: str, most: int) -> None:
        """Put a number and a name into the fields, where nobody typed others."""
        name, size = self.query_one("#name", Input), self.query_one("#size", Input)
        if name.value == self._name_offered:
            self._name_offered = name.value = self._new_name(way)
        if size.value == self._size_offered:
            self._size_offered = size.value = str(min(most, USUAL_PAIRS))

    def _new_name(self, way: str) -> str:
        taken = {row.name.casefold() for row in self._read.rows}
        name = way.removeprefix(_META)
        numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
        return next(one for one in (name, *numbered) if one.casefold() not in taken)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something to what is under the cursor."""
        if not self.is_mounted:
            return True
        if action in ("remove", "rates"):
            return self._made is not None
        return bool(self._way) if action == "next_field" else True

    def on_option_list_option_selected(self) -> None:
        """Go on with the pairs that were clicked; new ones are made by enter, once size and name are said."""
        if self._made is not None:
            self.action_begin()

    def on_input_submitted(self) -> None:
        """Begin."""
        self.action_begin()

    def action_next_field(self) -> None:
        """Go on to size, name, and back to the list."""
        self.focus_next()

    @work(group="ask", exclusive=True)
    async def action_rates(self) -> None:
        """Show how strong each group of the pairs under the cursor is."""
        if (row := self._made) is None:
            return
        strengths = await asyncio.to_thread(group_strengths, self.shell.store, row.name)
        await self.app.push_screen_wait(PreferenceEndDialog(strengths, done=False))

    @work(group="ask", exclusive=True)
    async def action_remove(self) -> None:
        """Forget the pairs under the cursor; where people said something of them, that is asked first."""
        if (row := self._made) is None:
            return
        if said := self._read.said[row.id]:
            words = f"{counted(said, 'preference')} of them would be forgotten, too; the sessions stay."
            answers = [Choice("keep", "Keep them"), Choice("forget", "Forget them")]
            if await ask(self.app, f"Forget the pairs {row.name}?", answers, words=words) != "forget":
                return
        self.shell.store.pairs.remove(row.id)
        self.notify(make_safe(f"Forgotten: {row.name}. Its sessions stay."))
        self._read_again()

    def action_begin(self) -> None:
        """Go on with the pairs under the cursor, or make some; as soon as it is read which there are."""
        if not self._is_read:
            self._begins = True
            return
        if (row := self._made) is not None:
            self.dismiss(row.name)
            return
        way, size = self._way, self.query_one("#size", Input).value
        if not way or self._at_work:
            return
        if not size or int(size) < 1:
            self._say("Say how many pairs there are to be at the most, from 1 on.", wrong=True)
            return
        self._at_work = True
        self._say("Choosing …")
        self._make(PairPlan(way, self._query, int(size), random.randrange(1_000_000)), self._opening)

    @work(thread=True, group="pairs", exit_on_error=False)
    def _make(self, plan: PairPlan, opening: object) -> None:
        store = self.shell.store
        name = " ".join(self.query_one("#name", Input).value.split())
        try:
            store.pairs.add(name, choose_pairs(store, plan), plan.settings())
        except TurnwiseError as error:
            hand_over(self, self._refuse, error, opening)
        else:
            hand_over(self, self._end, name, opening)

    def _end(self, name: str, opening: object) -> None:
        if opening is self._opening:
            self.dismiss(name)

    def _refuse(self, error: TurnwiseError, opening: object) -> None:
        if opening is not self._opening:
            return
        self._at_work = False
        self._say(". ".join(part for part in (error.title, error.next_step) if part), wrong=True)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        rewrite(self.query_one("#about", Static), "" if wrong else make_safe_line(text))
        line = self.query_one(".wrong", Static)
        rewrite(line, make_safe(text) if wrong else "")
        line.display = wrong


def _by_words(row: PairQueueRow) -> str:
    return str(row.settings.get("by", "")).removeprefix(_META)


def _way_words(way: PairingWay) -> str:
    return f"{counted(way.pairs, 'pair')}, {' with '.join(way.groups)}"


def _read_pairs(store: Store, author: str, query: str) -> PairsRead:
    rows = store.pairs.all()
    said = {row.id: store.pairs.preferences(row.id) for row in rows}
    return PairsRead(
        rows,
        {number: sum(one.author == author for one in found) for number, found in said.items()},
        {number: len(found) for number, found in said.items()},
        ways_to_pair(store, query),
    )
