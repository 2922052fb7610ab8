"""SortDialog: by what a list of sessions is sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.store.orders import Order, order_of
from turnwise.tui.actions import Place, bindings
from turnwise.tui.order_words import WORDS, order_name, order_words, turned
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.widgets.choice_list import Choice, ChoiceList
from turnwise.tui.widgets.key_line import KeyLine


class SortDialog(Dialog[Order | None]):
    """Pick an order; ends with it, or None."""

    PLACE: ClassVar[Place] = "sort"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("sort"))
    DEFAULT_CSS = """
    SortDialog #panel { width: 60; }
    SortDialog ChoiceList { max-height: 16; }
    """

    def __init__(self, current: Order, metrics: Sequence[str], *, with_match: bool) -> None:
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
        columns = [by for by in WORDS if by != "metric" and (by != "match" or self._with_match)]
        orders = [*(Order(by) for by in columns), *(Order("metric", metric) for metric in self._metrics)]
        self.query_one(ChoiceList).show([self._choice(order) for order in orders])
        plain = replace(self._current, reverse=False)
        if plain in orders:
            self.query_one(ChoiceList).highlighted = orders.index(plain)

    def _choice(self, order: Order) -> Choice:
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
