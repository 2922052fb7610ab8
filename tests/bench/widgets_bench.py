"""How fast the transcript and the session list are, through a real pseudo-terminal.

    python tests/bench/widgets_bench.py --meter PATH/TO/pty_latency.py [--turns 10000] [--rows 100000]

Starts a tiny app with each widget under the meter and prints one JSON object: per widget the meter's figures,
and `ready_over_bare_ms`, the time to the settled first screen beyond that of an empty Textual app. Budgets: a
10,000-turn transcript and 100,000 sessions ready in 500 ms, a key answered in 30 ms at p95, 90 MB.
"""

from __future__ import annotations

import argparse
import gc
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

METRICS = ("role_adherence", "knowledge_retention", "answer_relevancy", "faithfulness")


def turns(count: int) -> Iterator[Any]:
    """Yield a generated conversation: short and long turns, lists, code, tools, wide characters."""
    from turnwise.conversations.store.rows import ToolCallRow, TurnRow

    for index in range(count):
        number = index + 1
        if index % 2 == 0:
            content = f"Turn {number}: where is my refund? " + "I have waited for weeks. " * (index % 5)
            yield TurnRow(index, number, "user", content, at=index * 4.0)
            continue
        content = f"Turn {number}: here is **what I found**:\n\n" + "".join(
            f"- item {line} with `code` and some words that make the line longer than the window\n"
            for line in range(index % 7)
        )
        if index % 20 == 19:
            content += "\n```python\nfor x in range(10):\n    print(x)\n```\n退款处理需要三到五个工作日。\n"
        calls = (
            (ToolCallRow("get_reservation", '{"reservation_id": "3RK2T9"}', '{"ok": true}', 0.4),)
            if index % 9 == 0
            else ()
        )
        yield TurnRow(index, number, "assistant", content, tools_called=calls, at=index * 4.0)


def fill(path: str, count: int) -> None:
    """Write session rows into a SQLite file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table s (id integer primary key, name text, turns int, at real)")
        connection.executemany(
            "insert into s values (?, ?, ?, ?)",
            ((index, f"Refund number {index} for a flight", index % 60, 1.7e9) for index in range(count)),
        )


class SqlitePages:
    """Pages of session rows from the file `fill` wrote; a connection a call, so any thread may ask."""

    def __init__(self, path: str) -> None:
        self.path = path

    def count(self) -> int:
        """Return the number of rows."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return int(connection.execute("select count(*) from s").fetchone()[0])

    def page(self, offset: int, limit: int) -> Sequence[Any]:
        """Return the rows of a page."""
        from turnwise.conversations.store.mending.session_rows import Mark, SessionRow

        marks = {name: Mark("score", 1.0, index % 2 == 0) for index, name in enumerate(METRICS)}
        with closing(sqlite3.connect(self.path)) as connection, connection:
            found = connection.execute(
                "select * from s order by id limit ? offset ?", (limit, offset)
            ).fetchall()
        return [
            SessionRow(r[0], r[1], "airline agent", r[2], ("bench",), "b", r[3], None, marks) for r in found
        ]


def serve(kind: str, size: int, path: str) -> None:
    """Run the tiny app the meter looks at."""
    from textual.app import App, ComposeResult
    from textual.binding import Binding
    from textual.widgets import Label

    keys = {
        "j": "cursor_down",
        "k": "cursor_up",
        "pagedown": "page_down",
        "pageup": "page_up",
        "G": "end",
        "g": "home",
    }

    class Bench(App[None]):
        BINDINGS: ClassVar[list[Any]] = [Binding(key, f"go('{name}')") for key, name in keys.items()]
        CSS = "Label { dock: bottom; }"
        ENABLE_COMMAND_PALETTE = False

        def compose(self) -> ComposeResult:
            if kind == "transcript":
                from turnwise.tui.reading.transcript import TranscriptView

                yield TranscriptView(turns(size), id="it")
            elif kind == "sessions":
                from turnwise.tui.session_lists.session_list import SessionList

                yield SessionList(SqlitePages(path), METRICS, id="it")
            yield Label("READY")

        def on_ready(self) -> None:
            # As the app does: what start-up made is not looked through by every collection that follows.
            gc.collect()
            gc.freeze()

        def action_go(self, name: str) -> None:
            getattr(self.query_one("#it"), name)()

    Bench().run()


def measure(meter: str, kind: str, size: int, path: str, keys: str, reps: int) -> dict[str, Any]:
    """Return the meter's figures for one app."""
    command = [sys.executable, meter, "--ready", "READY", "--reps", str(reps), "--json", "--keys", keys, "--"]
    command += [sys.executable, __file__, "--serve", kind, "--size", str(size), "--path", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return dict(json.loads(done.stdout)) if done.stdout else {"error": done.stderr}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--meter")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--reps", type=int, default=25)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--path", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.size, options.path)
        return
    if not options.meter:
        parser.error("--meter: the path of pty_latency.py")
    keys = "j,k,pgdn,pgup,G,g"
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "sessions.db")
        fill(path, options.rows)
        report = {
            "bare": measure(options.meter, "bare", 0, path, "", 1),
            "transcript": measure(options.meter, "transcript", options.turns, path, keys, options.reps),
            "sessions": measure(options.meter, "sessions", options.rows, path, keys, options.reps),
        }
    bare = report["bare"].get("start_settled_ms") or 0
    for kind in ("transcript", "sessions"):
        settled = report[kind].get("start_settled_ms")
        report[kind]["ready_over_bare_ms"] = None if settled is None else round(settled - bare, 1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
