"""The dialogs that arrange the library: by what it is sorted, what has a column, saved filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import BEST_MATCH, SavedFilter, SessionOrder, order_of
from turnwise.conversations.words import in_one_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.library.arrangement import (
    SOURCE,
    Arrangement,
    order_name,
    order_words,
    orders_offered,
    turned,
)
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.findable_choices import FindableChoices, FindingDialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.session_lists.metric_keys import metric_keys, metric_words
from turnwise.tui.session_lists.session_columns import fact_title
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell


class SortDialog(FindingDialog[SessionOrder | None]):
    """Pick an order; ends with it, or None."""

    PLACE: ClassVar[Place] = "sort"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("sort"))
    DEFAULT_CSS = "SortDialog #panel { width: 60; }"

    def begin(self, current: SessionOrder, metrics: Sequence[str], *, with_match: bool) -> None:
        """with_match: words are searched for, so that there is something to match."""
        self._current = current
        self._metrics = metrics
        self._with_match = with_match

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Sort by", classes="title", markup=False)
            yield FindableChoices()
            yield KeyLine("sort")

    def on_mount(self) -> None:
        """Show what there is."""
        self.fill()

    def fill(self) -> None:
        """Show what there is; the cursor stands on the present one."""
        columns = [by for by in orders_offered() if by != "match" or self._with_match]
        orders = [
            *(SessionOrder(by) for by in columns),
            *(SessionOrder("metric", metric) for metric in self._metrics),
            *(SessionOrder("meta", key=key) for key in self.shell.store.sessions.metadata_keys()),
        ]
        self.found.show([self._choice(order) for order in orders], anew=True)
        plain = replace(self._current, reverse=False)
        if plain in orders:
            self.query_one(ChoiceList).highlighted = orders.index(plain)

    def _choice(self, order: SessionOrder) -> Choice:
        here = replace(self._current, reverse=False) == order
        shown = self._current if here else order
        return Choice(
            order.text,
            order_name(order),
            order_words(shown),
            sign=("↓" if shown.falling else "↑") if here else " ",
        )

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self.action_choose()

    def on_input_submitted(self) -> None:
        """Take what was found."""
        self.action_choose()

    def action_choose(self) -> None:
        """Give the order back; the present one the other way round."""
        if (choice := self.query_one(ChoiceList).current) is not None and not choice.disabled:
            self.dismiss(turned(self._current, order_of(choice.id, self._metrics)))


async def ask_for_order(app: App[Any], shell: Shell, arranged: Arrangement) -> SessionOrder | None:
    """Ask by what the library is to be sorted; None where that stays. Call it from a worker."""
    metrics, with_match = shell.store.sessions.metrics_by_use(), arranged.order_by_itself == BEST_MATCH
    dialog = shell.kept_dialogs.of(SortDialog, arranged.order, metrics, with_match=with_match)
    return await app.push_screen_wait(dialog)


_OF_FACTS = {
    "model": "which one answered",
    "scenario": "what it was to be about",
    SOURCE: "where it came from",
}
"""What sessions say under facts that are not their metadata."""


class ColumnsDialog(FindingDialog[tuple[str, ...] | None]):
    """Tick metrics and facts; ends with their names, without metrics for all of those, or None."""

    PLACE: ClassVar[Place] = "columns"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("columns"))
    DEFAULT_CSS = "ColumnsDialog #panel { width: 72; }"

    def begin(self, metrics: Sequence[str], facts: Sequence[str], chosen: Sequence[str]) -> None:
        """metrics: all that have outcomes, in the order of their columns. facts: what sessions say of
        themselves, by such names as `meta.language`. chosen: what was ticked the last time.
        """
        self._keys = metric_keys(metrics)
        self._facts = [*facts, SOURCE]
        self._names = [*metrics, *self._facts]
        self._ticked = {one for one in chosen if one in self._names}

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("What gets a column", classes="title", markup=False)
            yield FindableChoices()
            yield Static(Content(""), id="about", classes="words")
            yield KeyLine("columns")

    def on_mount(self) -> None:
        """Show what there is."""
        self.fill()

    def fill(self) -> None:
        """Show what there is, with what was ticked the last time."""
        self._show(anew=True)

    def _show(self, *, anew: bool = False) -> None:
        self.found.show([self._choice(name) for name in self._names], anew=anew)
        if self._takes_all:
            words = "No metric is ticked: all that have scores (○) are shown. Tick some to show only those."
        else:
            words = f"{len(self._ticked)} ticked; what has no room is counted at the right."
        rewrite(self.query_one("#about", Static), f"\n{words}")

    @property
    def _takes_all(self) -> bool:
        """Whether all metrics get a column, as none is ticked."""
        return not self._ticked.intersection(self._keys)

    def _choice(self, name: str) -> Choice:
        sign = "✓" if name in self._ticked else "·"
        if name in self._facts:
            return Choice(name, fact_title(name), _OF_FACTS.get(name, "metadata"), sign=sign)
        sign = "○" if self._takes_all else sign
        return Choice(name, metric_words(name), f"metric, as {self._keys[name]}", sign=sign)

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def action_tick(self) -> None:
        """Show what is under the cursor, or leave it out."""
        if (choice := self.query_one(ChoiceList).current) is not None and not choice.disabled:
            self._ticked ^= {choice.id}
            self._show()

    def action_usual(self) -> None:
        """Tick none, so that all metrics stand there, and no facts."""
        self._ticked = set()
        self._show()

    def action_keep(self) -> None:
        """Give what is ticked back."""
        self.dismiss(tuple(name for name in self._names if name in self._ticked))


async def ask_for_columns(app: App[Any], shell: Shell, chosen: Sequence[str]) -> tuple[str, ...] | None:
    """Ask what is to have a column; None where that stays. Call it from a worker."""
    sessions = shell.store.sessions
    offered = sessions.metrics_by_age(), sessions.facts_offered()
    return await app.push_screen_wait(shell.kept_dialogs.of(ColumnsDialog, *offered, chosen))


class FiltersDialog(Dialog[str | None]):
    """Pick a saved filter; ends with its query, or None."""

    PLACE: ClassVar[Place] = "filters"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("filters"))

    def begin(self, query: str) -> None:
        """query: the present filter, which can be saved."""
        self._query = query
        self._saved: list[SavedFilter] = []

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Saved filters", classes="title", markup=False)
            yield ChoiceList()
            yield Static(Content(""), id="about", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("filters")

    def on_mount(self) -> None:
        """Show what there is."""
        self.fill()

    def fill(self) -> None:
        """Show what there is, from the first one on."""
        self.query_one(".wrong").display = False
        self._read(anew=True)

    def _read(self, *, anew: bool = False) -> None:
        self._saved = self.shell.store.filters.all()
        choices = [Choice(one.name, one.name, one.query) for one in self._saved]
        self.query_one(ChoiceList).show(choices, anew=anew)
        actions = self.shell.actions
        save, write = key_of(actions, "filters", "save"), key_of(actions, "library", "filter")
        again = key_of(actions, "library", "filters")
        present = (
            f"{save} saves the present one: {self._query}"
            if self._query
            else f"Filter the library with {write}, press enter, then {again}: there {save} keeps the filter "
            "under a name."
        )
        words = make_safe_line(present if self._saved else f"None yet. {present}")
        rewrite(self.query_one("#about", Static), f"\n{words}" if self._saved else words)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done."""
        if action in ("take", "remove"):
            return bool(self._saved)
        return bool(self._query) if action == "save" else True

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self.action_take()

    def action_take(self) -> None:
        """Give the query back."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.dismiss(next(one.query for one in self._saved if one.name == choice.id))

    def action_save(self) -> None:
        """Ask for a name, and keep the present filter under it."""
        asked = self.shell.kept_dialogs.of(NamingDialog, "Save this filter", self._query)
        self.app.push_screen(asked, self._keep)

    def _keep(self, name: str | None) -> None:
        if name is None:
            return
        try:
            new = self.shell.store.filters.add(name, self._query)
        except TurnwiseError as error:
            line = self.query_one(".wrong", Static)
            rewrite(line, make_safe_line(in_one_line(f"{error.title}\n{error.next_step}")))
            line.display = True
            return
        self._read()
        self.notify(f"{'Saved' if new else 'Replaced'}: {name}")

    def action_remove(self) -> None:
        """Forget the filter under the cursor."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.shell.store.filters.remove(choice.id)
            self._read()


async def ask_for_filter(app: App[Any], shell: Shell, query: str) -> str | None:
    """Ask which saved filter to take, or save the present one. Call it from a worker."""
    return await app.push_screen_wait(shell.kept_dialogs.of(FiltersDialog, query))
