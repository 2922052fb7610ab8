"""Sample conversations to try things out on: good and bad ones in pairs, written for this program."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase


def load_samples() -> list[ConversationalTestCase]:
    """Return the sample conversations, sorted by file name.

    The tags of each name its domain, then `good` or `bad`, then the flaws of a bad one (`flaw:role` ...).
    Its `metadata["known"]` tells, by metric name, where it is plainly `good` or plainly `bad`.
    """
    # Cases bring pydantic along, which those who only look at this package need not wait for.
    from turnwise.conversations.cases import ConversationalTestCase

    found = (entry for entry in files(__name__).iterdir() if entry.name.endswith(".json"))
    return [
        ConversationalTestCase.model_validate(json.loads(entry.read_text(encoding="utf-8")))
        for entry in sorted(found, key=lambda entry: entry.name)
    ]
