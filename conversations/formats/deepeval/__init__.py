"""deepeval's files: test cases and goldens, and the results of its test runs."""

from turnwise.conversations.formats.deepeval.files import FORMAT as TEST_CASES
from turnwise.conversations.formats.deepeval.goldens import (
    CONVERSATIONAL_GOLDEN,
    golden_text,
    read_goldens,
    write_goldens,
)
from turnwise.conversations.formats.deepeval.results import FORMAT as RESULTS

__all__ = [
    "CONVERSATIONAL_GOLDEN",
    "RESULTS",
    "TEST_CASES",
    "golden_text",
    "read_goldens",
    "write_goldens",
]
