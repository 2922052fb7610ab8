"""How fast filters, orders and keys of the library are with 100,000 sessions and 1,000,000 turns.

    python tests/bench/library_bench.py --db BIG.db [--meter PATH/TO/pty_latency.py] [--sessions N]

Makes the database where there is none, of made-up words that are as frequent as words are, and prints one
JSON object: milliseconds of each filter and order in the store, the best of three, and the meter's figures.
Budgets: a filter's result in 150 ms, a key answered in 30 ms at p95, 120 MB.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WORDS = [
    "refund",
    "flight",
    "cancelled",
    "reservation",
    "certificate",
    "upgrade",
    "baggage",
    "passenger",
    "change",
    "weather",
    "policy",
]
METRICS = ("role_adherence", "knowledge_retention", "answer_relevancy", "faithfulness", "turn_relevancy")
ROLES = ("airline agent", "retail support", "clinic assistant", "bank helper", "")
TAGS = ("good", "bad", "vip", "spanish", "urgent")
FILTERS = (
    "role:airline",
    "tag:good",
    "label:pass",
    "label:none",
    "role_adherence<0.5",
    "role_adherence:fail",
    "turns>12",
    "source:file3",
    "run:1",
    "refund",
    '"refund flight"',
    "refund certificate",
    "role:airline role_adherence<0.5 label:none",
    "meta.language:en",
    "meta.order:77777",
    "meta.latency<0.5",
    "meta.day>=2026-03-01",
    "model:mistral",
    "scenario:refund",
    "since:2023-11-15",
)
ORDERS = ("-when", "name", "role", "turns", "tags", "label", "role_adherence", "meta.latency", "scenario")
MODELS = ("gpt-4o", "gpt-4o-mini", "mistral-large", "mistral-small", "llama-3.3-70b")
LANGUAGES = ("en", "en", "en", "de", "es", "fr")
TURNS = 10
LEXICON = 12_000


def build(path: Path, sessions: int) -> None:
    """Fill a database row by row: through the store it would take ten times as long."""
    from turnwise.conversations.store import Store
    from turnwise.conversations.store.facts.index import index_all

    chance = random.Random(5)
    lexicon = [f"{chance.choice('bdfgklmnprstv')}{number:x}" for number in range(LEXICON)]
    for place, word in enumerate(WORDS):
        lexicon.insert(40 + place * 9, word)
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(lexicon))))
    with Store.open(path) as store, store.writing():
        run = store.runs.begin(judge="bench", metrics=METRICS)
        connection = store._database.connection
        for number in range(1, sessions + 1):
            _add(connection, chance, number, run, [lexicon, weights])
        index_all(connection)


def _add(connection: Any, chance: random.Random, number: int, run: int, words: Any) -> None:
    lexicon, weights = words
    name = f"{chance.choice(WORDS).title()} {chance.choice(WORDS)} {number}"
    connection.execute(
        "INSERT INTO main.sessions "
        "(id, fingerprint, chatbot_role, name, kind, source, format, created_at, data) "
        "VALUES (?, ?, ?, ?, 'conversation', ?, 'bench', ?, ?)",
        (
            number,
            f"f{number}",
            chance.choice(ROLES),
            name,
            f"file{number % 40}.jsonl",
            1.7e9 + number,
            json.dumps(_data(random.Random(number), number)),
        ),
    )
    turns = TURNS + chance.choice((-4, -2, 0, 2, 4))
    said = (" ".join(chance.choices(lexicon, cum_weights=weights, k=18)) for _ in range(turns))
    connection.executemany(
        "INSERT INTO turns (session_id, position, number, role, content) VALUES (?, ?, ?, ?, ?)",
        [(number, at, at + 1, "assistant" if at % 2 else "user", text) for at, text in enumerate(said)],
    )
    if number % 3 == 0:
        connection.execute("INSERT INTO main.session_tags VALUES (?, ?)", (number, chance.choice(TAGS)))
    if number % 10 == 0:
        connection.execute(
            "INSERT INTO labels (session_id, label, author, blind, created_at) VALUES (?, ?, 'ann', 1, 0)",
            (number, chance.choice(("pass", "fail", "defer"))),
        )
    for metric in METRICS if number % 2 else ():
        cursor = connection.execute(
            "INSERT INTO scores (session_id, run_id, metric, version, metric_fingerprint, case_fingerprint, "
            "judge_fingerprint, judge, outcome, score, threshold, reason, created_at) "
            "VALUES (?, ?, ?, 1, ?, ?, 'j', 'bench', 'score', ?, 0.5, 'Because of turn 2.', 0)",
            (number, run, metric, metric, f"c{number}", round(chance.random(), 2)),
        )
        connection.execute("INSERT INTO run_scores VALUES (?, ?)", (run, cursor.lastrowid))


def _data(chance: random.Random, number: int) -> dict[str, Any]:
    """Return what a session says of itself: of some keys all say the same, of others each its own."""
    day = datetime.date(2026, 1, 1) + datetime.timedelta(days=number % 365)
    metadata = {
        "language": chance.choice(LANGUAGES),
        "model": chance.choice(MODELS),
        "customer": {"tier": chance.choice(("gold", "silver", "basic")), "id": f"C-{number % 30_000}"},
        "order": number,
        "latency": round(chance.expovariate(1), 3),
        "day": day.isoformat(),
        "skills": chance.sample(WORDS, 2),
    }
    about = f"A customer asks about {chance.choice(WORDS)} {chance.choice(WORDS)}, case {number % 5_000}."
    return {"scenario": about, "metadata": metadata}


def best_ms(ask: Callable[[], object]) -> float:
    """Return the least milliseconds of three."""
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        ask()
        taken.append((time.perf_counter() - started) * 1000)
    return round(min(taken), 1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--meter")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    from turnwise.conversations.store import Store
    from turnwise.conversations.store.orders import BEST_MATCH, USUAL_ORDER, order_of
    from turnwise.conversations.store.queries import words_of

    if not options.db.exists():
        build(options.db, options.sessions)
    with Store.open(options.db) as store:
        if options.serve:
            from turnwise.tui.app.app import TurnwiseApp

            TurnwiseApp(store).run()
            return
        ids, metrics = store.sessions.ids, store.sessions.metrics()
        report: dict[str, Any] = {
            "filters_ms": {
                query: best_ms(lambda query=query: ids(query, BEST_MATCH if words_of(query) else USUAL_ORDER))
                for query in FILTERS
            },
            "orders_ms": {
                text: best_ms(lambda text=text: ids("", order_of(text, metrics))) for text in ORDERS
            },
            "vocabulary_ms": best_ms(store.sessions.vocabulary),
        }
    if options.meter:
        keys = "j,k,pgdn,pgup,G,g,space"
        command = [sys.executable, options.meter, "--ready", "sessions", "--json", "--keys", keys, "--"]
        command += [sys.executable, __file__, "--serve", "--db", str(options.db)]
        report["keys"] = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
