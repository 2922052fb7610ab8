"""Exports: how stored conversations go out again, into files of our own and of other tools.

    export_sessions(store, store.sessions.ids("tag:billing"), to="html", output="billing.html")

To add a format, write a module with a function that writes it and add a line in registry.py.
"""

from typing import TYPE_CHECKING

from turnwise.conversations.exports.export import (
    ROWS,
    Export,
    ExportOptions,
    RowsWord,
    SessionSelection,
    StoredSession,
)
from turnwise.conversations.exports.registry import EXPORTS, export_queue, export_sessions
from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.exports.html_page import page_head
    from turnwise.conversations.exports.markdown import markdown_line, markdown_quote
    from turnwise.conversations.exports.pages import LabelledQueue, seen_identity
else:
    __getattr__ = lazy_names(
        __name__,
        html_page=("page_head",),
        markdown=("markdown_line", "markdown_quote"),
        pages=("LabelledQueue", "seen_identity"),
    )

__all__ = [
    "EXPORTS",
    "ROWS",
    "Export",
    "ExportOptions",
    "LabelledQueue",
    "RowsWord",
    "SessionSelection",
    "StoredSession",
    "export_queue",
    "export_sessions",
    "markdown_line",
    "markdown_quote",
    "page_head",
    "seen_identity",
]
