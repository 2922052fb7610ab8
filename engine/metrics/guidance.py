"""Guidance: what people add to a criterion when a judge reads it otherwise than they mean it.

A guideline settles one kind of case in a sentence; an example is a conversation, or a part of one, with what
people said of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from turnwise.conversations.models import CaseModel
from turnwise.engine.judge.transcripts import fence


class JudgedExample(CaseModel):
    """A case that people judged. said: what was said in it. passes: whether people pass it, and why."""

    said: str = Field(min_length=1)
    passes: bool
    why: str = ""


def guidance_text(guidelines: Sequence[str], examples: Sequence[JudgedExample], mark: str) -> str:
    """Return what a question says of both, after the steps; empty where there is neither.

    mark: the one of the transcript, by which examples are fenced like it: they are words of other people.
    """
    parts = []
    if guidelines:
        parts += ["How these cases are meant:", *(f"- {' '.join(line.split())}" for line in guidelines)]
    if examples:
        parts.append("Cases that people judged; they are no part of the conversation:")
        parts.append(fence(mark, "example", {n: example.said for n, example in enumerate(examples, 1)}))
        for number, example in enumerate(examples, 1):
            why = f": {' '.join(example.why.split())}" if example.why.strip() else "."
            parts.append(f"People {'pass' if example.passes else 'fail'} example {number}{why}")
    return "\n".join([*parts, ""]) if parts else ""
