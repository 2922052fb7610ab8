"""Explaining: how a score is told in lines of text, and how it is shown that one is under way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from turnwise.conversations.results import Score

NAME_A_JUDGE = (
    "Name a judge: `turnwise judge use JUDGE` keeps one for always, TURNWISE_JUDGE for this shell; in Python "
    "judge= or model=, with `turnwise test run` --judge. An OPENAI_API_KEY or OPENAI_BASE_URL is found too."
)
"""What to do where a metric needs a judge and there is none."""


def step_to_field(lacking: str) -> str:
    """Return what to do about a case that lacks a field, as a metric words it."""
    field = lacking.removeprefix("the case has no ")
    return f"Give the case {field}, or leave the metric out." if field != lacking else ""


def explain(outcome: Score) -> str:
    """Write a score as a few lines of plain text: the steps it was judged by, its numbers, its verdicts."""
    mark = "passes" if outcome.passed else "does not pass"
    bar = "" if outcome.threshold is None else f" at {outcome.threshold:g}"
    lines = [f"{outcome.metric}: {outcome.score:.2f}, {mark}{bar}. {outcome.reason}".rstrip()]
    lines += _steps_and_numbers(outcome.details)
    for verdict in outcome.verdicts:
        place = f"turn {verdict.turn}" if verdict.turn else "conversation"
        about = f" «{verdict.about}»" if verdict.about else ""
        lines.append(f"  {place}{about}: {verdict.word}. {verdict.reason}".rstrip())
    return "\n".join(lines)


def _steps_and_numbers(details: Mapping[str, Any]) -> list[str]:
    steps = details.get("steps")
    lines = [f"  step {count}: {step}" for count, step in enumerate(steps, 1)] if steps else []
    if "raw" not in details:
        return lines
    low, high = details.get("range") or (0, 10)
    weighted = details.get("weighted")
    told = f", weighted by token probability {weighted:.4f}" if weighted is not None else ""
    return [*lines, f"  the judge wrote {details['raw']:g} of {low} to {high}{told}"]


@contextmanager
def indicator(expected: int, *, shown: bool) -> Iterator[Callable[[], None]]:
    """Give what counts a thing that is done, on standard error, or shows nothing."""
    if not shown:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(file=sys.stderr)
    # In a file or a pipe a bar is noise.
    seen = console.is_terminal or console.is_jupyter
    with Progress(console=console, transient=True, disable=not seen) as progress:
        task = progress.add_task("judging", total=expected)
        yield lambda: progress.advance(task)
