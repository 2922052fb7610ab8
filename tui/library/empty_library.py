"""What an empty library says: how it is filled, and which database it is that holds nothing."""

from __future__ import annotations

from pathlib import Path

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.importing.path_choices import from_home


def how_to_fill(database: Path) -> str:
    """Return the words, in which keys stand by the names of their actions."""
    return (
        "`{library.import}`   import a file: chat logs, transcripts, tables, other tools\n"
        "`{library.record}`   record a talk with a chatbot, turn by turn\n"
        "`{library.samples}`   look at the samples: fourteen conversations, good and bad\n\n"
        "`turnwise demo` in a shell opens conversations that are scored and labelled, to look around.\n\n"
        f"The database {make_safe_line(from_home(database.absolute()))} is empty. `turnwise --db FILE` opens "
        "another one."
    )
