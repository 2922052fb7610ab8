"""Exports: how stored conversations go out again, into files of our own and of other tools.

    export_sessions(store, store.sessions.ids("tag:billing"), to="html", output="billing.html")

To add a format, write a module with an EXPORT and add it to EXPORTS in registry.py.
"""

from turnwise.conversations.exports.export import ROWS, Export, ExportOptions, RowsWord
from turnwise.conversations.exports.registry import EXPORTS, export_sessions
from turnwise.conversations.exports.stored import Selection, StoredSession

__all__ = [
    "EXPORTS",
    "ROWS",
    "Export",
    "ExportOptions",
    "RowsWord",
    "Selection",
    "StoredSession",
    "export_sessions",
]
