"""Labelled sessions and a judge that scores them by their words, for tests of trying criteria."""

from __future__ import annotations

import re

from judge_server import JudgeServer, Request, Step, says
from stored import keep

from turnwise.conversations.store import Store


def labelled(store: Store, count: int = 20, *, author: str = "ann") -> list[int]:
    """Store sessions of which every second is rude, label them so, and return their ids."""
    ids = []
    for number in range(count):
        rude = number % 2 == 1
        words = "You are a nuisance." if rude else "Gladly."
        session = keep(store, f"Question {number}?", f"{words} Answer {number}.", name=f"talk {number}")
        store.labels.add(session, "fail" if rude else "pass", author=author, blind=True)
        ids.append(session)
    return ids


def by_words(request: Request) -> Step:
    """Score 2 what is rude and 9 the rest; by steps that say "lenient" all 9. Steps are drafted as two."""
    if "Write the steps" in request.text:
        return says({"steps": ["Find what the assistant says.", "Judge its tone."]})
    rude = bool(re.search("nuisance", request.text)) and "lenient" not in request.text
    return says({"reason": "It is rude." if rude else "It is kind.", "turns": [], "score": 2 if rude else 9})


def knows_manners(server: JudgeServer) -> JudgeServer:
    """Let a server judge so."""
    server.default = by_words
    return server
