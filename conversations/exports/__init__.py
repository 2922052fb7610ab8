"""Exports: how stored conversations go out again, into files of our own and of other tools.

    export_sessions(store, store.sessions.ids("tag:billing"), to="html", output="billing.html")

To add a format, write a module with a function that writes it and add a line in registry.py.
"""

from turnwise.conversations.exports.export import (
    ROWS,
    Export,
    ExportOptions,
    RowsWord,
    SessionSelection,
    StoredSession,
)
from turnwise.conversations.exports.registry import EXPORTS, export_sessions

__all__ = [
    "EXPORTS",
    "ROWS",
    "Export",
    "ExportOptions",
    "RowsWord",
    "SessionSelection",
    "StoredSession",
    "export_sessions",
]
