"""Notices: what is said in passing, and what is waited for or went wrong above an editor."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.app import App
from textual.content import Content
from textual.notifications import Notification
from textual.widget import Widget
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe
from turnwise.tui.textual_internals.apps import (
    drop_toasts,
    on_front_change,
    place_toasts,
    standing_toasts,
)

SECONDS_OF_A_NOTE = 2.5
"""Nothing else is told for so long."""
SECONDS_OF_NEWS = 6.0
"""What came about by itself, as the end of a run, is told for so long on whichever screen."""
EDGES = 3
"""Cells of a toast beside its words: its bar, and one that stands free at either side."""
_A_MOMENT = 0.1
"""Seconds after which a toast is gone for sure."""


class Notice(Static):
    """Takes no room while there is nothing to say."""

    DEFAULT_CSS = """
    Notice {
        height: auto;
        max-height: 8;
        padding: 0 1;
        background: $surface;
        color: $text-muted;
        display: none;
        &:ansi { text-style: dim; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__("", id=id, classes=classes, markup=False)

    def tell(self, text: str) -> None:
        """Say something; nothing takes the notice away."""
        self.update(Content(make_safe(text)))
        self.display = bool(text)

    def tell_error(self, error: TurnwiseError, then: str = "") -> None:
        """Say what went wrong, where, and the next step. then: what can be done here besides."""
        self.update(error_content(error, then))
        self.display = True


def error_content(error: TurnwiseError, then: str = "") -> Content:
    """Return an error as lines for a person: what happened, where, and what to do now."""
    step = " ".join(part for part in (make_safe(error.next_step), then) if part)
    lines = [Content.assemble(("✗ " + make_safe(error.title), "$text-error bold"))]
    lines += [Content("  " + line) for line in make_safe(error.detail).splitlines()]
    lines += [Content.assemble(("→ " + step, "$text"))] if step else []
    return Content("\n").join(lines)


def note(part: Widget, text: str) -> None:
    """Say something in passing: a toast for a moment. part: the screen, or a widget of it."""
    part.notify(text, timeout=SECONDS_OF_A_NOTE, markup=False)


def tell_news(app: App[Any], text: str, *, warns: bool = False) -> None:
    """Tell what came about by itself, and stays told when another screen opens."""
    app.notify(text, severity="warning" if warns else "information", timeout=SECONDS_OF_NEWS, markup=False)


def make_room(app: App[Any], new: Notification) -> None:
    """Take away the toasts whose place another one takes: of equal words, or both told in passing.

    What is told in passing and fits a line stands in the line of keys, which gives way: it covers nothing.
    """

    def goes(told: Notification) -> bool:
        in_passing = told.severity == new.severity == "information"
        return in_passing or (told.severity, told.message) == (new.severity, new.message)

    drop_toasts(app, goes)
    _place(app, new)
    # A timer of the screen would measure its own line, and another screen may be above it by then.
    app.set_timer(new.time_left + _A_MOMENT, lambda: _measure_lines(app))


def drop_notes(app: App[Any]) -> None:
    """Take away what was said in passing, which would stand over another screen or session as if of that.

    The keys that it names mean something else there. Errors, news and what has a title stay.
    """
    drop_toasts(app, _is_of_its_place)
    _place(app)


def drop_notes_with_screens(app: App[Any]) -> None:
    """Let what was said in passing go with its screen."""
    # At once: what a screen tells as it closes is still on its way then, and is for the next one.
    app.screen_change_signal.subscribe(app, lambda _: drop_notes(app), immediate=True)
    # A screen that opens has a place for toasts only a moment later.
    on_front_change(app, lambda: _place(app))


def cells_told(app: App[Any]) -> int:
    """Return the cells that toasts take of the line of keys; 0 for none."""
    told, width = standing_toasts(app), app.size.width
    if not all(_fits(one, width) for one in told):
        return 0
    return max((cell_len(one.message) + EDGES for one in told), default=0)


def _fits(told: Notification, width: int) -> bool:
    """Whether it is told in passing, in a line of so many cells."""
    is_line = not (told.title or "\n" in told.message) and cell_len(told.message) + EDGES <= width
    return is_line and told.severity == "information"


def _place(app: App[Any], *new: Notification) -> None:
    width = app.size.width
    # The place of none would have styles looked up with each screen that opens.
    if told := (*standing_toasts(app), *new):
        place_toasts(app, in_line=all(_fits(one, width) for one in told))
    _measure_lines(app)


def _measure_lines(app: App[Any]) -> None:
    """Let the lines of keys take what toasts leave of them, also below a dialog that lets them be seen."""
    for screen in app.screen_stack:
        screen.refresh_bindings()


def _is_of_its_place(told: Notification) -> bool:
    return told.severity == "information" and not told.title and told.timeout != SECONDS_OF_NEWS
