"""What tests of exports share: a store in which everything there is to show happens once, and `exported`."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from stored import failure, keep, land, score, skipped

from turnwise.conversations import ConversationalTestCase, Verdict
from turnwise.conversations.exports import export_sessions
from turnwise.conversations.store import Store

HOSTILE = "\x1b[31mred\x07 <script>alert('x')</script> \u202eevil\u202c & \"quoted\" \x9b1m"


@pytest.fixture
def exported(store: Store) -> Callable[..., str]:
    """Export sessions of the store, all by default, and return the text."""

    def export(to: str, *sessions: int, **options: Any) -> str:
        out = io.BytesIO()
        export_sessions(store, sessions or sorted(store.sessions.ids()), to=to, output=out, **options)
        return out.getvalue().decode()

    return export


@pytest.fixture
def judged(store: Store) -> int:
    """A conversation with a score, a skip, a failure and a label."""
    session = keep(store, "Where is my bag?", "In Oslo.", name="Bag", chatbot_role="A clerk", tags=["lost"])
    verdict = Verdict(turn=2, passed=False, word="no", reason="Oslo was ruled out", about="In Oslo.")
    land(store, session, score(0.25, reason="1 of 4", verdicts=(verdict,)), skipped("faith"), failure("goal"))
    store.labels.add(session, "fail", author="Ana", blind=True, turn=2, note="It is in Bergen")
    return session


@pytest.fixture
def hostile_text() -> str:
    """What every text of the hostile conversation ends with."""
    return HOSTILE


@pytest.fixture
def hostile(store: Store) -> int:
    """A conversation in which every text is hostile, with a score whose texts are too."""
    case = ConversationalTestCase.model_validate(
        {
            "name": f"name {HOSTILE}",
            "chatbot_role": f"role {HOSTILE}",
            "scenario": f"scenario {HOSTILE}",
            "tags": [f"tag {HOSTILE}"],
            "metadata": {f"key {HOSTILE}": f"value {HOSTILE}"},
            "turns": [
                {"role": "system", "content": f"system {HOSTILE}" + "x" * 400},
                {"role": "user", "content": HOSTILE, "name": f"user {HOSTILE}"},
                {
                    "role": "assistant",
                    "content": HOSTILE,
                    "tools_called": [
                        {"name": f"tool {HOSTILE}", "input_parameters": {"a": HOSTILE}, "output": HOSTILE}
                    ],
                    "retrieval_context": [f"passage {HOSTILE}"],
                },
            ],
        }
    )
    session = store.sessions.add(case, source=f"source {HOSTILE}", format="test").session_id
    verdicts = (
        Verdict(turn=2, passed=False, word="no", reason=f"reason {HOSTILE}", about=f"about {HOSTILE}"),
        Verdict(turn=None, passed=False, word="no", reason=f"whole {HOSTILE}"),
    )
    land(store, session, score(0.5, f"metric {HOSTILE}", reason=HOSTILE, verdicts=verdicts))
    store.labels.add(session, "defer", author=f"author {HOSTILE}", blind=False, note=f"note {HOSTILE}")
    mode = store.modes.add("Rude & short", f"definition {HOSTILE}", "Ana")
    store.modes.assign([session], mode, f"author {HOSTILE}", turn=2)
    return session
