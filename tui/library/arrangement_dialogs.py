"""The dialogs that arrange the library: by what it is sorted, which metrics have a column, saved filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SavedFilter, SessionOrder, order_of
from turnwise.conversations.words import in_one_line
from turnwise.tui.actions import Place, bindings
from turnwise.tui.library.arrangement import order_name, order_words, orders_offered, turned
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.session_lists.session_columns import abbreviations
from turnwise.tui.settings.keymap import key_of


class SortDialog(Dialog[SessionOrder | None]):
    """Pick an order; ends with it, or None."""

    PLACE: ClassVar[Place] = "sort"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("sort"))
    DEFAULT_CSS = """
    SortDialog #panel { width: 60; }
    SortDialog ChoiceList { max-height: 16; }
    """

    def __init__(self, current: SessionOrder, metrics: Sequence[str], *, with_match: bool) -> None:
        """with_match: words are searched for, so that there is something to match."""
        super().__init__()
        self._current = current
        self._metrics = metrics
        self._with_match = with_match

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Sort by", classes="title", markup=False)
            yield ChoiceList()
            yield KeyLine("sort")

    def on_mount(self) -> None:
        """Show what there is; the cursor stands on the present one."""
        columns = [by for by in orders_offered() if by != "match" or self._with_match]
        orders = [
            *(SessionOrder(by) for by in columns),
            *(SessionOrder("metric", metric) for metric in self._metrics),
            *(SessionOrder("meta", key=key) for key in self.shell.store.sessions.metadata_keys()),
        ]
        self.query_one(ChoiceList).show([self._choice(order) for order in orders])
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

    def action_choose(self) -> None:
        """Give the order back; the present one the other way round."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.dismiss(turned(self._current, order_of(choice.id, self._metrics)))


class ColumnsDialog(Dialog[tuple[str, ...] | None]):
    """Tick metrics; ends with them in order, empty for those that were used last, or None."""

    PLACE: ClassVar[Place] = "columns"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("columns"))
    DEFAULT_CSS = """
    ColumnsDialog #panel { width: 72; }
    ColumnsDialog ChoiceList { max-height: 16; }
    """

    def __init__(self, metrics: Sequence[str], chosen: Sequence[str]) -> None:
        """metrics: all that have outcomes, those used last first. chosen: those that have a column."""
        super().__init__()
        self._metrics = [
            *(one for one in chosen if one in metrics),
            *(one for one in metrics if one not in chosen),
        ]
        self._ticked = {one for one in chosen if one in metrics}

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Metrics that have a column", classes="title", markup=False)
            yield ChoiceList()
            yield Static("", id="about", classes="words", markup=False)
            yield KeyLine("columns")

    def on_mount(self) -> None:
        """Show what there is."""
        self._show()

    def _show(self) -> None:
        self.query_one(ChoiceList).show(
            [
                Choice(metric, metric.replace("_", " "), short, sign="✓" if metric in self._ticked else "·")
                for metric, short in zip(self._metrics, abbreviations(self._metrics), strict=True)
            ]
        )
        if not self._metrics:
            words = "No metric has outcomes yet. r in the library judges."
        elif not self._ticked:
            words = "None is ticked: those used last stand there, as many as fit."
        else:
            words = f"{len(self._ticked)} ticked; what has no room is counted at the right."
        self.query_one("#about", Static).update(f"\n{words}")

    def on_option_list_option_selected(self) -> None:
        """Tick what was clicked."""
        self.action_tick()

    def action_tick(self) -> None:
        """Show the metric under the cursor, or leave it out."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self._ticked ^= {choice.id}
            self._show()

    def action_usual(self) -> None:
        """Tick none, so that those stand there that were used last."""
        self._ticked = set()
        self._show()

    def action_keep(self) -> None:
        """Give the metrics back."""
        self.dismiss(tuple(metric for metric in self._metrics if metric in self._ticked))


class FiltersDialog(Dialog[str | None]):
    """Pick a saved filter; ends with its query, or None."""

    PLACE: ClassVar[Place] = "filters"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("filters"))
    DEFAULT_CSS = """
    FiltersDialog ChoiceList { max-height: 14; }
    """

    def __init__(self, query: str) -> None:
        """query: the present filter, which can be saved."""
        super().__init__()
        self._query = query
        self._saved: list[SavedFilter] = []

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Saved filters", classes="title", markup=False)
            yield ChoiceList()
            yield Static("", id="about", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("filters")

    def on_mount(self) -> None:
        """Show what there is."""
        self._read()

    def _read(self) -> None:
        self._saved = self.shell.store.filters.all()
        self.query_one(ChoiceList).show([Choice(one.name, one.name, one.query) for one in self._saved])
        actions = self.shell.actions
        save, write = key_of(actions, "filters", "save"), key_of(actions, "library", "filter")
        present = (
            f"{save} saves the present one: {self._query}"
            if self._query
            else f"Type a filter ({write}), then save it here."
        )
        words = make_safe_line(present if self._saved else f"None yet. {present}")
        self.query_one("#about", Static).update(f"\n{words}" if self._saved else words)
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
        self.app.push_screen(NamingDialog("Save this filter", self._query), self._keep)

    def _keep(self, name: str | None) -> None:
        if name is None:
            return
        try:
            new = self.shell.store.filters.add(name, self._query)
        except TurnwiseError as error:
            line = self.query_one(".wrong", Static)
            line.update(make_safe_line(in_one_line(f"{error.title}\n{error.next_step}")))
            line.display = True
            return
        self._read()
        self.notify(f"{'Saved' if new else 'Replaced'}: {name}")

    def action_remove(self) -> None:
        """Forget the filter under the cursor."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.shell.store.filters.remove(choice.id)
            self._read()


class NamingDialog(Dialog[str | None]):
    """Ask for a name; ends with it, or with None."""

    PLACE: ClassVar[Place] = "naming"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("naming"))

    def __init__(self, title: str, about: str = "", name: str = "") -> None:
        """about: a line on what is kept. name: what stands there at first."""
        super().__init__()
        self._title, self._about, self._name_given = title, about, name

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(self._title, classes="title", markup=False)
            yield Input(self._name_given, placeholder="name")
            yield Static(make_safe_line(self._about), classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("naming")

    def on_input_submitted(self) -> None:
        """Keep it."""
        self.action_keep()

    def action_keep(self) -> None:
        """Give the name back."""
        if name := " ".join(self.query_one(Input).value.split()):
            self.dismiss(name)
            return
        line = self.query_one(".wrong", Static)
        line.update("Type a name first.")
        line.display = True
