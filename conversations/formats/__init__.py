"""File formats: how conversations come in from the files of other tools.

    for record in load(Path("conversations.jsonl")):
        match record:
            case Loaded(case, place): ...
            case Rejected(error, place): ...

To add a format, write a module with a FORMAT and add it to FORMATS in registry.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.formats.accounting import NOT_LOADED, TextAccount, TextFate, TextPlace
    from turnwise.conversations.formats.feedback_entries import TURN_OF_FEEDBACK
    from turnwise.conversations.formats.file_parts import FilePart
    from turnwise.conversations.formats.format import Case, Format, Loaded, Options, Place, Record, Rejected
    from turnwise.conversations.formats.own import OWN_FORM, OWN_KEY, written_fingerprint
    from turnwise.conversations.formats.registry import FORMATS, claims, load, stream_or_path
    from turnwise.conversations.formats.silences import LONG_SILENCE, Silence, SilencesFound, read_silence
    from turnwise.conversations.formats.speakers import Names, likeliest_chatbots, read_mapping
    from turnwise.conversations.formats.suite_files import looks_like_agentv
else:
    __getattr__ = lazy_names(
        __name__,
        accounting=("NOT_LOADED", "TextAccount", "TextFate", "TextPlace"),
        feedback_entries=("TURN_OF_FEEDBACK",),
        file_parts=("FilePart",),
        format=("Case", "Format", "Loaded", "Options", "Place", "Record", "Rejected"),
        own=("OWN_FORM", "OWN_KEY", "written_fingerprint"),
        registry=("FORMATS", "claims", "load", "stream_or_path"),
        silences=("LONG_SILENCE", "Silence", "SilencesFound", "read_silence"),
        speakers=("Names", "likeliest_chatbots", "read_mapping"),
        suite_files=("looks_like_agentv",),
    )

__all__ = [
    "FORMATS",
    "LONG_SILENCE",
    "NOT_LOADED",
    "OWN_FORM",
    "OWN_KEY",
    "TURN_OF_FEEDBACK",
    "Case",
    "FilePart",
    "Format",
    "Loaded",
    "Names",
    "Options",
    "Place",
    "Record",
    "Rejected",
    "Silence",
    "SilencesFound",
    "TextAccount",
    "TextFate",
    "TextPlace",
    "claims",
    "likeliest_chatbots",
    "load",
    "looks_like_agentv",
    "read_mapping",
    "read_silence",
    "stream_or_path",
    "written_fingerprint",
]
