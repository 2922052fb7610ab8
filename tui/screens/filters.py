"""FiltersDialog: the saved filters, to take one, save the present one, or forget one."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.saved_filters import SavedFilter
from turnwise.tui.actions import Place, bindings
from turnwise.tui.key_words import key_of
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.screens.naming import NamingDialog
from turnwise.tui.widgets.choice_list import Choice, ChoiceList
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.safe_text import make_safe_line


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
        self._saved = self.app.store.filters.all()
        self.query_one(ChoiceList).show([Choice(one.name, one.name, one.query) for one in self._saved])
        actions = self.app.actions
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
            new = self.app.store.filters.add(name, self._query)
        except TurnwiseError as error:
            line = self.query_one(".wrong", Static)
            line.update(make_safe_line(error.title))
            line.display = True
            return
        self._read()
        self.notify(f"{'Saved' if new else 'Replaced'}: {name}")

    def action_remove(self) -> None:
        """Forget the filter under the cursor."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.app.store.filters.remove(choice.id)
            self._read()
