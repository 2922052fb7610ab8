"""Notices: what is said in passing, and what is waited for or went wrong above an editor."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.content import Content
from textual.notifications import Notification
from textual.widget import Widget
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe
from turnwise.tui.textual_internals.apps import drop_toasts

SECONDS_OF_A_NOTE = 2.5
"""Nothing else is told for so long."""


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

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__("", id=id, markup=False)

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


def drop_told(app: App[Any], new: Notification) -> None:
    """Take away the toasts whose place another one takes: of equal words, or both told in passing."""

    def goes(told: Notification) -> bool:
        in_passing = told.severity == new.severity == "information"
        return in_passing or (told.severity, told.message) == (new.severity, new.message)

    drop_toasts(app, goes)


def drop_notes(app: App[Any]) -> None:
    """Take away what was said in passing, which would stand over another screen or session as if of that."""
    drop_toasts(app, _is_note)


def _is_note(told: Notification) -> bool:
    return told.severity == "information" and told.timeout == SECONDS_OF_A_NOTE
