"""A conversation of which everything is said that can be said beside its words."""

from __future__ import annotations

from stored import land, score

from turnwise.conversations import ConversationalTestCase, LLMTestCase, ToolCall, Turn
from turnwise.conversations.store import Store

SAID = (
    "Ask for a refund in Spanish.",
    "The refund is under way.",
    "An impatient customer",
    "Refunds take five days.",
    "Looks odd to Ana.",
    "gold",
    "Five days, in words.",
    "Policy 7 holds.",
    "$0.0132",
    "2.5 s",
    "billing",
    "bot-7b",
    "0.2",
)
"""Texts of which each stands where people read of the session."""


def keep_told(store: Store) -> int:
    """Store it, judged by a run that remembers hyperparameters, and return its id."""
    first = LLMTestCase(
        input="¿Mi reembolso?",
        actual_output="En cinco días.",
        expected_output="Five days, in words.",
        context=["Policy 7 holds."],
        expected_tools=[ToolCall(name="find_order", input_parameters={"id": 7})],
        token_cost=0.0132,
        completion_time=2.5,
        comments="Short.",
        metadata={"topic": "billing"},
    )
    case = ConversationalTestCase(
        turns=[
            first,
            Turn(
                role="user", content="Gracias.", metadata={"mood": "calm", "parts": [{"type": "image_url"}]}
            ),
            Turn(role="assistant", content="De nada."),
        ],
        name="Reembolso",
        chatbot_role="A clerk",
        tags=["spanish", "vip"],
        scenario="Ask for a refund in Spanish.",
        expected_outcome="The refund is under way.",
        user_description="An impatient customer",
        context=["Refunds take five days.", "Returns are free."],
        comments="Looks odd to Ana.",
        metadata={"customer": {"tier": "gold"}, "skills": ["refunds", "mail"], "note": "one\ntwo"},
    )
    session = store.sessions.add(case, source="told.json", format="deepeval").session_id
    run = store.runs.begin(
        judge="j", metrics=["politeness"], name="nightly", parameters={"model": "bot-7b", "temperature": 0.2}
    )
    land(store, session, score(0.7), run=run)
    return session
