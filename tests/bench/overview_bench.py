"""How fast the overview is read of 100,000 sessions that eight metrics scored, with failed verdicts by turn.

    python tests/bench/overview_bench.py --db BIG.db [--sessions N]

Makes the database where there is none: that of library_bench.py, each session scored by eight metrics.
Prints one JSON object: seconds of the clock and of the processor until each step of the overview is there,
the best of three, and how many times as long as a plain scan of all scores in the same run that takes, as
machines differ.
Budget: bars and turns in 0.5 s on two free cores.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from library_bench import build

RATES = {
    "role_adherence": 0.97,
    "knowledge_retention": 0.81,
    "answer_relevancy": 0.9,
    "faithfulness": 0.7,
    "turn_relevancy": 0.93,
    "conversation_completeness": 0.6,
    "toxicity": 0.99,
    "bias": 0.98,
}
"""The metrics, and which share of the sessions passes each."""
_SCORE = (
    "INSERT INTO scores (id, session_id, run_id, metric, version, metric_fingerprint, case_fingerprint, "
    "judge_fingerprint, judge, outcome, score, threshold, reason, created_at) "
    "VALUES (?, ?, 1, ?, 1, ?, ?, 'j', 'bench', 'score', ?, 0.5, 'Because of turn 2.', 0)"
)
_VERDICT = "INSERT INTO verdicts (score_id, place, turn, passed, word, reason) VALUES (?, ?, ?, ?, ?, ?)"
_REASON = "It forgets what the user said in turn one."


def score_all(connection: Any) -> None:
    """Put scores of eight metrics in the place of all scores, with verdicts about the replies."""
    chance = random.Random(3)
    lengths = connection.execute(
        "SELECT session_id, max(number) FROM turns GROUP BY session_id ORDER BY session_id"
    ).fetchall()
    connection.execute("DELETE FROM run_scores")
    connection.execute("DELETE FROM scores")
    number = 0
    for session, turns in lengths:
        for metric, rate in RATES.items():
            number += 1
            passes = chance.random() < rate
            value = 0.5 + chance.randrange(51) / 100 if passes else chance.randrange(50) / 100
            connection.execute(_SCORE, (number, session, metric, metric, f"c{session}", value))
            connection.execute("INSERT INTO run_scores VALUES (1, ?)", (number,))
            connection.executemany(_VERDICT, _verdicts(chance, number, turns or 0, passes=passes))


def _verdicts(chance: random.Random, score: int, turns: int, *, passes: bool) -> Iterator[tuple[Any, ...]]:
    for place, turn in enumerate(range(2, turns + 1, 2)):
        good = passes or chance.random() < 0.6
        yield score, place, turn, good, "yes" if good else "no", _REASON


def measured(store: Any) -> dict[str, dict[str, float]]:
    """Return the seconds of a plain scan, and until each step of the overview."""
    from turnwise.engine.overview import overview_steps

    best: dict[str, dict[str, float]] = {}

    def note(step: str, began: tuple[float, float]) -> None:
        taken = {"clock": time.perf_counter() - began[0], "processor": time.process_time() - began[1]}
        known = best.setdefault(step, taken)
        best[step] = {name: round(min(known[name], seconds), 3) for name, seconds in taken.items()}

    scan = "SELECT metric, count(*), sum(passed) FROM scores INDEXED BY scores_newest GROUP BY metric"
    for _ in range(3):
        began = time.perf_counter(), time.process_time()
        store._database.connection.execute(scan).fetchall()
        note("a plain scan", began)
        began = time.perf_counter(), time.process_time()
        for found in overview_steps(store):
            note(f"until {found.unread or 'all is there'}", began)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--sessions", type=int, default=100_000)
    options = parser.parse_args()
    from turnwise.conversations.store import Store

    if not options.db.exists():
        build(options.db, options.sessions)
        with Store.open(options.db) as store, store.writing():
            score_all(store._database.connection)
    with Store.open(options.db) as store:
        report = measured(store)
    scan = report["a plain scan"]["processor"]
    for taken in report.values():
        taken["times a scan"] = round(taken["processor"] / scan, 1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
