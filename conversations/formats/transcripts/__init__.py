"""Transcripts as people write and copy them: lines that begin with who speaks."""

from turnwise.conversations.formats.transcripts.lines import label_of
from turnwise.conversations.formats.transcripts.time_column import JOINED, TimeColumn, joined_time
from turnwise.conversations.formats.transcripts.transcript import FORMAT as TRANSCRIPT
from turnwise.conversations.formats.transcripts.transcript import case_of_text, is_transcript
from turnwise.conversations.formats.transcripts.written_times import (
    DateOrder,
    WrittenTime,
    date_numbers,
    date_order,
)

__all__ = [
    "JOINED",
    "TRANSCRIPT",
    "DateOrder",
    "TimeColumn",
    "WrittenTime",
    "case_of_text",
    "date_numbers",
    "date_order",
    "is_transcript",
    "joined_time",
    "label_of",
]
