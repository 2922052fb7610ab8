"""Scored sessions in a real store, and the app without its library: for tests of screens."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import CallRow
from turnwise.conversations.store.scores import Identity
from turnwise.tui.app.app import TurnwiseApp

NASTY = "\x1b]0;owned\x07\x1b[31m[red]x[/] [/nope] \u202eevil\u202c 退款 👩‍👩‍👧 end"
"""Text that a terminal, a markup parser or a width table may trip over."""


class BareApp(TurnwiseApp):
    """The app without its library, and looking for no judge."""

    def get_default_screen(self) -> Screen[Any]:
        """Return an empty screen."""
        return Screen()

    def find_judge(self) -> Any:
        """Look for none."""


def add_talk(store: Store, turns: int = 6, *, name: str = "Refund", words: str = "") -> int:
    """Store a conversation whose turns say who they are; return its id."""
    said = [
        {"role": "assistant" if index % 2 else "user", "content": f"said {index + 1} {words}".strip()}
        for index in range(turns)
    ]
    case = ConversationalTestCase.model_validate({"name": name, "chatbot_role": "an agent", "turns": said})
    return store.sessions.add(case, source="test", format="test").session_id


def add_outcomes(
    store: Store, session_id: int, *outcomes: Outcome, judge: str = "judge-1", run: int | None = None
) -> None:
    """Keep outcomes as one run, or as a part of a run that there is."""
    run = run or store.runs.begin(judge=judge, metrics=[outcome.metric for outcome in outcomes])
    found = [
        (
            Identity(session_id, outcome.exchange, outcome.metric, 1, outcome.metric, "case", judge, judge),
            outcome,
        )
        for outcome in outcomes
    ]
    store.scores.add_all(run, found)
    store.runs.finish(run)


def add_call(
    store: Store, key: str, *, reply: str = "{}", prompt: str = "Judge this.", at: float = 2e9
) -> None:
    """Keep a judge's call."""
    call = CallRow(
        key=key,
        judge="print",
        model="judge-1",
        request={"model": "judge-1", "messages": [{"role": "user", "content": prompt}], "temperature": 0},
        reply=reply,
        usage={"prompt_tokens": 1_200, "completion_tokens": 34},
        seconds=1.5,
        cost=0.0021,
        created_at=at,
    )
    store.calls.add_all([(call, True)])


def retention(*failing: int, metric: str = "knowledge_retention", turns: int = 6, **more: Any) -> Score:
    """Return a score whose verdicts fail at these turns and pass at the other replies."""
    verdicts = tuple(
        Verdict(
            turn=number,
            passed=number not in failing,
            word="no" if number in failing else "yes",
            reason=f"forgot at {number}" if number in failing else f"fine at {number}",
        )
        for number in range(2, turns + 1, 2)
    )
    named = ", ".join(map(str, failing))
    reason = f"{len(failing)} of {turns // 2} replies forget what the user said (turns {named}): forgot"
    share = 1 - len(failing) / len(verdicts)
    return Score(metric=metric, reason=reason, score=share, threshold=0.9, verdicts=verdicts, **more)


def skipped(metric: str = "faithfulness") -> Skipped:
    """Return an outcome of a metric that does not apply."""
    return Skipped(metric=metric, reason="the case has no retrieval_context")


def failure(metric: str = "goal_accuracy") -> Failure:
    """Return an outcome of a judge that was away."""
    return Failure(metric=metric, reason="The judge timed out\nparticulars", next_step="Try again.")
