"""EmptyWords: what stands where a screen has nothing to show: a title, and what to do about it."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from turnwise.tui.actions import ACTIONS, Table
from turnwise.tui.settings.keymap import fill_keys


class EmptyWords(Static):
    """Hidden until its screen has the class -empty. What stands in backticks is a key or a command: bold."""

    # The screen's class is told of outside the widget.
    SCOPED_CSS = False
    DEFAULT_CSS = """
    EmptyWords {
        display: none;
        height: 1fr;
        padding: 2 4;
        max-width: 90;
        color: $text;
    }
    Screen.-empty > EmptyWords { display: block; }
    """

    def __init__(self, title: str = "", text: str | Content = "") -> None:
        """text: where it names a key, by its action, as in `{library.score}`."""
        super().__init__(markup=False)
        self._words = title, text

    def on_mount(self) -> None:
        """Name the keys that hold."""
        self.tell(*self._words)

    def tell(self, title: str, text: str | Content) -> None:
        """Say something else."""
        actions: Table = getattr(self.app, "actions", ACTIONS)
        named = fill_keys(text, actions) if isinstance(text, str) else text
        self.update(_content(title, named))


def with_keys(text: str) -> Content:
    """Return a text in which what stood in backticks is bold."""
    pieces = text.split("`")
    return Content.assemble(*((piece, "bold" if place % 2 else "") for place, piece in enumerate(pieces)))


def _content(title: str, text: str | Content) -> Content:
    body = with_keys(text) if isinstance(text, str) else text
    return Content.assemble((f"{title}\n\n", "bold"), body) if title else body
