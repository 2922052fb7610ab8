"""How long it takes to look for what speaks to the judge: `python tests/bench/masking_bench.py DB [N]`.

The first N sessions of a database, 40 if not given, are masked in three ways in turn: as they are when they
are scored; with no text remembered from one session to the next; and moreover with every pattern searched,
whether or not a sentence has any of its words (`engine/judge/concepts.py`). Prints a JSON object: the
sessions, their characters, and the processor's milliseconds a session in each way, best of three.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.store import Store
from turnwise.engine.judge import addressed, addressed_sentences, disguises, doubtful
from turnwise.engine.judge.concepts import Concept
from turnwise.engine.metrics.masking import mask_case

ROUNDS = 3
REMEMBERING = (
    addressed._find,
    addressed_sentences.is_worth_a_look,
    addressed_sentences.points_of_sentence,
    disguises.hidden_readings,
    doubtful._find,
)


def forget() -> None:
    """Let nothing be remembered of any text."""
    for remembering in REMEMBERING:
        remembering.cache_clear()


def seconds(cases: Sequence[ConversationalTestCase], *, forgetting: bool = False) -> float:
    """Return the processor's seconds for cases. forgetting: nothing is remembered from one to the next."""
    forget()
    began = time.process_time()
    for case in cases:
        if forgetting:
            forget()
        mask_case(mask_case(case).case, doubtful.find_doubtful)
    return time.process_time() - began


def main() -> None:
    """Measure and print."""
    path, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    with Store.open(path) as store:
        found = [store.sessions.case(session) for session in store.sessions.ids()[:count]]
    cases = [case for case in found if isinstance(case, ConversationalTestCase)]
    # The patterns are compiled once, which is no part of what is compared.
    seconds(cases)
    usual, searched, forgotten = [], [], []
    for _ in range(ROUNDS):
        usual.append(seconds(cases))
        forgotten.append(seconds(cases, forgetting=True))
        with patch.object(Concept, "_may_be_in", lambda concept, text: True):
            searched.append(seconds(cases, forgetting=True))
    ways = {"usual": usual, "nothing_remembered": forgotten, "every_pattern_searched_too": searched}
    report = {
        "sessions": len(cases),
        "characters": sum(len(turn.content) for case in cases for turn in case.turns),
        **{f"ms_{name}": round(1_000 * min(times) / len(cases), 1) for name, times in ways.items()},
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
