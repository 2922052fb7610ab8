"""EmptyWords: what stands where a screen has nothing to show: a title, and what to do about it."""

from __future__ import annotations

import re

from textual.content import Content
from textual.widgets import Static

from turnwise.tui.actions import ACTIONS, Table
from turnwise.tui.settings.keymap import fill_keys

WIDTH = 76
"""Cells of a line, so that it is read without turning the head."""
WIDE = 110
"""From so many cells on a screen has a middle to stand in."""
_HOW_TO_BEGIN = (
    "`{overview.library}` goes to the library, and there `{library.import}` imports some; `turnwise demo` in "
    "a shell opens some that are scored and labelled, to look around."
)
NO_SESSIONS = "No sessions yet.", _HOW_TO_BEGIN
"""What a screen says that shows sessions, where there are none: as `EmptyWords` takes it."""
NOTHING_SCORED = (
    "Nothing is scored yet.",
    "`{overview.library}` goes to the library, where `{library.score}` scores what is listed.",
)
"""What one says that shows scores."""


def with_beginning(text: str, *, sessions: int) -> str:
    """Return what a screen says of what it has none of yet, after how to come by sessions if there are none.

    sessions: how many there are.
    """
    return text if sessions else f"There are no sessions yet: {_HOW_TO_BEGIN}\n\n{text}"


_KEY_ROW = re.compile(r"(`[^`]+`) {2,}(.+)")


class EmptyWords(Static):
    """Hidden until its screen has the class -empty. What stands in backticks is a key or a command: bold."""

    # The screen's class is told of outside the widget.
    SCOPED_CSS = False
    DEFAULT_CSS = """
    EmptyWords {
        display: none;
        height: 1fr;
        padding: 2 4;
        color: $text;
    }
    Screen.-empty > EmptyWords { display: block; }
    """

    def __init__(self, title: str = "", text: str | Content = "") -> None:
        """text: where it names a key, by its action, as in `{library.score}`."""
        super().__init__(markup=False)
        self._words = title, text

    def on_mount(self) -> None:
        """Name the keys that hold, at the place where they stay."""
        self._place()
        self.tell(*self._words)

    def on_resize(self) -> None:
        """Keep to the place."""
        self._place()

    def _place(self) -> None:
        """Stand in the upper left corner, and towards the middle where there is much room."""
        # By the window's size: one's own is told of only after the first frame, and the words would jump.
        width, height = self.app.size
        left = max(4, (width - WIDTH) // 2) if width >= WIDE else 4
        above = max(2, (height - 15) // 3) if width >= WIDE else 2
        self.styles.padding = (above, max(4, width - left - WIDTH), 1, left)

    def tell(self, title: str, text: str | Content) -> None:
        """Say something else."""
        actions: Table = getattr(self.app, "actions", ACTIONS)
        named = aligned(fill_keys(text, actions)) if isinstance(text, str) else text
        self.update(_content(title, named))


def aligned(text: str) -> str:
    """Return a text in which keys that begin lines, and what they do, stand in two columns."""
    lines = text.split("\n")
    rows = [_KEY_ROW.fullmatch(line) for line in lines]
    width = max((len(row[1]) for row in rows if row), default=0)
    return "\n".join(
        f"{row[1]:<{width}}  {row[2]}" if row else line for row, line in zip(rows, lines, strict=True)
    )


def with_keys(text: str) -> Content:
    """Return a text in which what stood in backticks is bold."""
    pieces = text.split("`")
    return Content.assemble(*((piece, "bold" if place % 2 else "") for place, piece in enumerate(pieces)))


def _content(title: str, text: str | Content) -> Content:
    body = with_keys(text) if isinstance(text, str) else text
    return Content.assemble((f"{title}\n\n", "bold"), body) if title else body
