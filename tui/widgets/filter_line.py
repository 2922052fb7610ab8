"""FilterLine: where a list is searched and filtered, with the number of matches, and errors in words."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from turnwise.tui.widgets.safe_text import make_safe_line

SECONDS_OF_QUIET = 0.12
"""A query is asked when nothing was typed for so long."""
HINT = "words, role:… tag:… turns>20 role_adherence<0.5 label:none"


class FilterLine(Widget):
    """A line to type a query in: tells the query when typing pauses, shows what came of it."""

    DEFAULT_CSS = """
    FilterLine {
        height: auto;
        background: $background;
        & Horizontal { height: 1; }
        & .filter--sign { width: 3; padding: 0 1; color: $text-muted; }
        & Input {
            width: 1fr; height: 1; border: none; padding: 0; background: $background;
            &:focus { border: none; background: $background; background-tint: transparent; }
            &>.input--placeholder, &>.input--suggestion { color: $text-muted; }
        }
        & .filter--count { width: auto; padding: 0 1; color: $text-muted; }
        & .filter--error { display: none; height: auto; padding: 0 1 0 3; color: $text-error; }
        &.-wrong .filter--error { display: block; }
        &:focus-within .filter--sign { color: $accent; text-style: bold; }
    }
    """

    @dataclass
    class Asked(Message):
        """Typing paused, or enter was pressed, at this query."""

        query: str

    @dataclass
    class Left(Message):
        """The list is wanted again."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._timer: Timer | None = None
        self._asked = ""

    def compose(self) -> ComposeResult:
        """Lay the line out."""
        with Horizontal():
            yield Static("/", classes="filter--sign", markup=False)
            yield Input(placeholder=HINT, select_on_focus=False, compact=True)
            yield Static("", classes="filter--count", markup=False)
        yield Static("", classes="filter--error", markup=False)

    @property
    def query_text(self) -> str:
        """The query as it is typed."""
        return self.query_one(Input).value

    def focus_input(self) -> None:
        """Let a query be typed."""
        self.query_one(Input).focus()

    def clear(self) -> None:
        """Take the query away, and tell so."""
        self.query_one(Input).value = ""
        self._ask()

    def show_count(self, text: str) -> None:
        """Say how many sessions match."""
        self.query_one(".filter--count", Static).update(text)
        self.set_class(False, "-wrong")

    def show_error(self, text: str) -> None:
        """Say what is wrong with the query, under it."""
        self.query_one(".filter--count", Static).update("")
        self.query_one(".filter--error", Static).update(make_safe_line(text))
        self.set_class(True, "-wrong")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Wait for a pause in typing."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(SECONDS_OF_QUIET, self._ask)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask at once, and give the keys back to the list."""
        event.stop()
        self._ask()
        self.post_message(self.Left())

    def _ask(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if (query := self.query_text.strip()) != self._asked:
            self._asked = query
            self.post_message(self.Asked(query))
