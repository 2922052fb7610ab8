"""TextField: a text of some lines in a form; it grows with its text, takes tab to go on, and undoes."""

from __future__ import annotations

from textual import events
from textual.geometry import Size
from textual.widgets import TextArea

from turnwise.tui.widgets.safe_text import make_safe

MOST_LINES = 12
"""A longer text scrolls."""


class TextField(TextArea):
    """A text area whose text is safe to draw, however it came in."""

    DEFAULT_CSS = f"""
    TextField {{
        height: auto;
        min-height: 1;
        max-height: {MOST_LINES};
        overflow-y: hidden;
        padding: 0 1;
        background: $panel;
        scrollbar-size-vertical: 1;
        & .text-area--placeholder {{ color: $text-muted; }}
        & .text-area--gutter {{ color: $text-muted; background: $panel; }}
        & .text-area--cursor-gutter {{ color: $text; background: $panel; }}
        &:focus {{ background-tint: transparent; }}
    }}
    """

    def __init__(self, *, placeholder: str = "", numbered: bool = False, id: str | None = None) -> None:  # noqa: A002
        """numbered: every line has its number before it."""
        super().__init__(
            "",
            placeholder=placeholder,
            id=id,
            compact=True,
            highlight_cursor_line=False,
            show_line_numbers=numbered,
            tab_behavior="focus",
        )

    def watch_virtual_size(self, size: Size) -> None:
        """Scroll only what is too long for the field.

        A field that may always scroll shows its bar while it grows by a line, and lays the screen out twice.
        """
        overflow = "auto" if size.height > MOST_LINES else "hidden"
        if self.styles.overflow_y != overflow:
            self.styles.overflow_y = overflow

    def put(self, text: str) -> None:
        """Put another text here, with nothing to undo: it is another criterion's."""
        safe = make_safe(text)
        if safe != self.text:
            self.text = safe
            self.move_cursor(self.document.end)

    def write_over(self, text: str) -> None:
        """Put a text in the place of what stands here; undo brings that back."""
        self.history.checkpoint()
        self.replace(make_safe(text), self.document.start, self.document.end)
        self.history.checkpoint()

    async def _on_paste(self, event: events.Paste) -> None:
        # Drawn at once, and a terminal would obey what it holds.
        event.stop()
        event.prevent_default()
        self.move_cursor(self.replace(make_safe(event.text), *self.selection).end_location)
