"""Transcripts as people write and copy them: lines that begin with who speaks."""

from turnwise.conversations.formats.transcripts.lines import label_of
from turnwise.conversations.formats.transcripts.transcript import FORMAT as TRANSCRIPT
from turnwise.conversations.formats.transcripts.transcript import case_of_text

__all__ = [
    "TRANSCRIPT",
    "case_of_text",
    "label_of",
]
