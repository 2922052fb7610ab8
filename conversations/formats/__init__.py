"""File formats: how conversations come in from the files of other tools.

    for record in load(Path("conversations.jsonl")):
        match record:
            case Loaded(case, place): ...
            case Rejected(error, place): ...

To add a format, write a module with a FORMAT and add it to FORMATS in registry.py.
"""

from turnwise.conversations.formats.format import Format, Options
from turnwise.conversations.formats.records import Case, Loaded, Place, Record, Rejected
from turnwise.conversations.formats.registry import FORMATS, load
from turnwise.conversations.formats.roles import with_role

__all__ = [
    "FORMATS",
    "Case",
    "Format",
    "Loaded",
    "Options",
    "Place",
    "Record",
    "Rejected",
    "load",
    "with_role",
]
