"""Notices: what is said in passing, and what is waited for or went wrong above an editor."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe

SECONDS_OF_A_NOTE = 2.5


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
