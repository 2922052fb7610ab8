"""Words about a judge's calls: a call as text, or why there is none."""

from __future__ import annotations

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import CallRow, ScoreRow
from turnwise.engine.checks.findings import WHOLE
from turnwise.tui.reading.score_lines import is_yes_or_no


def without_call(row: ScoreRow) -> str:
    """Return why there is no call behind an outcome."""
    if row.metric == WHOLE and not row.came_from:
        return "It sums up the checks of the test; each of them shows the calls that it rests on."
    if row.outcome == "skipped":
        return "No judge was asked, because the metric does not apply."
    if row.outcome == "failure":
        return "No call of the judge was kept: it could not be reached, or did not answer."
    if row.came_from:
        return f"Calls of judges do not come along: this score came with the file {row.came_from}."
    if row.judge:
        if row.calls:
            return "Its calls are not in this database."
        judge = make_safe_line(row.judge)
        return f"No prompt or reply to show: the score is by “{judge}”, which turnwise did not ask itself."
    return "No judge was asked: this is a check, which compares and counts."


def question_of(row: ScoreRow) -> str:
    """Return the question that the verdicts yes and no of an outcome answer; empty where none is known.

    It is known of the version of a metric that is at hand, and of no score that came with a file.
    """
    if row.came_from or not any(is_yes_or_no(verdict.word) for verdict in row.verdicts):
        return ""
    from turnwise.engine.metrics.registry import metric_class

    try:
        kind = metric_class(row.metric)
    except TurnwiseError:
        return ""
    return kind.account.asks if kind.version == row.version else ""


def call_text(call: CallRow) -> str:
    """Return a call as text to copy: the prompt and the reply as they were sent, not made safe."""
    parts = [f"[{role}]\n{content}" for role, content in call.messages]
    return "\n\n".join([*parts, f"[reply, {call.model}]\n{call.reply}"])
