"""How fast filters over metadata, model and date are with 1,000,000 turns, and what their migration costs.

    python tests/bench/facts_bench.py --db BIG.db [--sessions N] [--reps N]

Makes the database where there is none, as library_bench does, and prints one JSON object: for every filter
the milliseconds of its rows and of its count (median, p95, worst), and those of the processor, which other
programs disturb less; then how long the migration of the same database takes, how much larger it makes the
file, and how long the file that it writes meanwhile becomes. Budgets: 150 ms at p95.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from library_bench import build

FILTERS = (
    "meta.language:en",
    "meta.language:e*",
    "-meta.language:en",
    "meta.language:*",
    "meta.order:77777",
    "meta.order>50000",
    "meta.latency<0.5",
    "meta.latency<0.05",
    "meta.day>=2026-03-01 meta.day<2026-04-01",
    "meta.customer.tier:gold",
    "meta.customer.id:c-77",
    "meta.skills:refund",
    "model:mistral",
    "model:llama",
    "scenario:refund",
    'scenario:"case 77."',
    "since:2023-11-15",
    "since:2023-11-15 until:2023-11-15",
    "until:7d",
    "meta.language:en model:mistral since:2023-11-15 role:airline",
    "meta.language:de refund role_adherence<0.5",
)


def figures(ask: Callable[[], object], reps: int) -> dict[str, str]:
    """Return the milliseconds and those of the processor: median, p95 and worst."""
    taken, busy = [], []
    for _ in range(reps):
        wall, processor = time.perf_counter(), time.process_time()
        ask()
        taken.append((time.perf_counter() - wall) * 1000)
        busy.append((time.process_time() - processor) * 1000)
    return {"ms": _told(taken), "cpu": _told(busy)}


def _told(taken: list[float]) -> str:
    ordered = sorted(taken)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"{statistics.median(ordered):.1f} {p95:.1f} {ordered[-1]:.1f}"


def migration(path: Path) -> dict[str, Any]:
    """Return what it costs to open a copy of the database as an earlier version left it."""
    from turnwise.conversations.store import Store

    old = path.with_name(f"old-{path.name}")
    shutil.copy(path, old)
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(
            "DROP TABLE session_facts; DROP TABLE facts; PRAGMA user_version = 12; VACUUM;"
            "DELETE FROM _sqlite_migrations WHERE name = 'facts';"
        )
    before, log, told = old.stat().st_size, 0, []
    wall, processor = time.perf_counter(), time.process_time()

    def tell(share: float) -> None:
        nonlocal log
        told.append(share)
        log = max(log, old.with_name(f"{old.name}-wal").stat().st_size)

    with Store.open(old, tell=tell):
        seconds, busy = time.perf_counter() - wall, time.process_time() - processor
        log = max(log, old.with_name(f"{old.name}-wal").stat().st_size)
    after = old.stat().st_size
    old.unlink()
    megabyte = 1_000_000
    return {
        "seconds": round(seconds, 2),
        "cpu_seconds": round(busy, 2),
        "told": len(told),
        "before_mb": round(before / megabyte, 1),
        "grows_by_mb": round((after - before) / megabyte, 1),
        "log_mb": round(log / megabyte, 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--reps", type=int, default=21)
    options = parser.parse_args()
    from turnwise.conversations.store import Store

    if not options.db.exists():
        build(options.db, options.sessions)
    report: dict[str, Any] = {"filters": {}}
    with Store.open(options.db) as store:
        for query in FILTERS:
            report["filters"][query] = {
                "found": store.sessions.count(query),
                "rows": figures(lambda query=query: store.sessions.ids(query), options.reps),
                "count": figures(lambda query=query: store.sessions.count(query), options.reps),
            }
        report["vocabulary"] = figures(store.sessions.vocabulary, options.reps)
    report["migration"] = migration(options.db)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
