"""How fast the app is on a database of 100,000 sessions, and on a conversation of 10,000 turns.

    python tests/bench/app_bench.py --meter PATH/TO/pty_latency.py [--keep FOLDER] [--turns N] [--sessions N]

Builds the database in a folder (kept and used again with --keep), starts the app under the meter, and prints
one JSON object: for `start` (an empty library), `library`, `review` and `replay` the meter's figures, and
`opens_ms`, what a session takes from the key that opens it to the last byte of its screen. Of `start` the
first byte is that of the words that the app is opening, the last one that of the library. Budgets: first byte
in 300 ms; 100,000 sessions and 10,000 turns there in 500 ms, a key answered in 30 ms at p95, 90 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

METRICS = ("role_adherence", "knowledge_retention", "answer_relevancy")
LONG_NAME = "READYLONG"
AT_ONCE = 2_000
SECONDS_IN_THE_LIBRARY = 3.0
TURNWISE = "from turnwise.tui.cli.start import main; main()"
REVIEW_KEYS = "j,k,pgdn,pgup,G,home,n,space"
"""The scores are shown first: hidden, they would cost nothing."""


def build(path: Path, turns: int, sessions: int) -> None:
    """Fill a database through the store: short sessions, then a long one whose verdicts are many."""
    from turnwise.conversations.store import Store

    with Store.open(path) as store:
        for start in range(0, sessions, AT_ONCE):
            with store.writing():
                for number in range(start, min(sessions, start + AT_ONCE)):
                    _add_short(store, number)
        if turns:
            with store.writing():
                _add_long(store, turns)


def _add_short(store: Any, number: int) -> None:
    from turnwise.conversations.cases import ConversationalTestCase
    from turnwise.conversations.turns import Turn

    said = [
        Turn(role="user", content=f"Refund number {number}, please."),
        Turn(role="assistant", content="I can help with that. May I have your reservation number?"),
    ]
    case = ConversationalTestCase(turns=said, name=f"Refund {number}", chatbot_role="airline agent")
    store.sessions.add(case, source="bench", format="bench", created_at=1.7e9 + number)


def _add_long(store: Any, turns: int) -> None:
    from turnwise.conversations.cases import ConversationalTestCase
    from turnwise.conversations.results import Score, Verdict
    from turnwise.conversations.store.scores import Identity
    from turnwise.conversations.turns import Turn

    said = [Turn(role="assistant" if index % 2 else "user", content=_words(index)) for index in range(turns)]
    case = ConversationalTestCase(turns=said, name=LONG_NAME, chatbot_role="airline agent")
    # The newest stands first in the library.
    session = store.sessions.add(case, source="bench", format="bench", created_at=2e9).session_id
    run = store.runs.begin(judge="bench", metrics=METRICS)
    found = []
    for metric in METRICS:
        verdicts = tuple(
            Verdict(
                turn=number, passed=number % 10 != 0, word="yes", reason=f"What is said in {number} holds."
            )
            for number in range(2, turns + 1, 2)
        )
        identity = Identity(session, None, metric, 1, metric, "case", "judge", "bench")
        found.append(
            (identity, Score(metric=metric, reason="Many.", score=0.8, threshold=0.9, verdicts=verdicts))
        )
    store.scores.add_all(run, found)


def _words(index: int) -> str:
    if index % 2 == 0:
        return f"Turn {index + 1}: where is my refund? " + "I have waited for weeks. " * (index % 5)
    items = "".join(
        f"- item {line} with `code` and some words that make the line longer than the window\n"
        for line in range(index % 7)
    )
    code = "\n```python\nfor x in range(10):\n    print(x)\n```\n退款处理需要三到五个工作日。\n"
    return f"Turn {index + 1}: here is **what I found**:\n\n{items}{code if index % 20 == 19 else ''}"


def serve(path: Path, screen: str) -> None:
    """Run the app the meter looks at as the command does; another screen is opened as a key would."""
    from turnwise.tui.cli.opening import make_ready

    make_ready()
    from turnwise.conversations.store import Store
    from turnwise.tui.app.app import TurnwiseApp

    with Store.open(path) as store:
        app = TurnwiseApp(store)
        if screen in ("review", "replay"):
            session = store.sessions.ids(f"name:{LONG_NAME}")[0]
            app.call_later(_open, app, screen, session)
        app.run()


def _open(app: Any, screen: str, session: int) -> None:
    from turnwise.tui.replay.replay_screen import ReplayScreen
    from turnwise.tui.review.review_screen import ReviewScreen

    app.push_screen(ReviewScreen(session) if screen == "review" else ReplayScreen(session, playing=False))


def measure(meter: str, path: Path, screen: str, ready: str, keys: str, reps: int, before: str = "") -> Any:
    """Return the meter's figures for one screen; for "start", of the command itself."""
    command = [sys.executable, meter, "--ready", ready, "--reps", str(reps), "--json", "--keys", keys]
    command += ["--before", before, "--", sys.executable]
    command += ["-c", TURNWISE] if screen == "start" else [__file__, "--serve", screen]
    command += ["--db", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout else {"error": done.stderr[-2_000:]}


def opening_ms(path: Path, screen: str) -> dict[str, float]:
    """Return the milliseconds from pushing a screen to the frame that shows the long session, in-process."""
    import asyncio

    from turnwise.conversations.store import Store
    from turnwise.tui.app.app import TurnwiseApp
    from turnwise.tui.reading.transcript import TranscriptView

    async def run() -> dict[str, float]:
        with Store.open(path) as store:
            app = TurnwiseApp(store)
            session = store.sessions.ids(f"name:{LONG_NAME}")[0]
            async with app.run_test(size=(160, 50)) as pilot:
                # As long as one reads the list at least; what is opened most is loaded meanwhile.
                await pilot.pause(SECONDS_IN_THE_LIBRARY)
                _open(app, screen, session)
                started = time.perf_counter()
                painted = 0.0
                while True:
                    await asyncio.sleep(0.001)
                    views = app.screen.query(TranscriptView)
                    painted = painted or (time.perf_counter() if views else 0.0)
                    if views and views.first().rows:
                        break
                # Not until nothing happens anymore: what the next keys may show is drawn ahead by then.
                drawn = asyncio.Event()
                app.screen.call_after_refresh(drawn.set)
                await drawn.wait()
                over = time.perf_counter()
        return {"painted": round((painted - started) * 1000, 1), "there": round((over - started) * 1000, 1)}

    return asyncio.run(run())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--meter")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--reps", type=int, default=25)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--db", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.db, options.serve)
        return
    if not options.meter:
        parser.error("--meter: the path of pty_latency.py")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        full, empty, long = folder / "full.db", folder / "empty.db", folder / "long.db"
        for path, turns, sessions in (
            (empty, 0, 0),
            (long, options.turns, 50),
            (full, options.turns, options.sessions),
        ):
            if not path.exists():
                build(path, turns, sessions)
        keys = "j,k,pgdn,pgup,G,g"
        report = {
            "start": measure(options.meter, empty, "start", "Library", "", 1),
            "library": measure(options.meter, full, "library", LONG_NAME, keys, options.reps),
            "review": measure(options.meter, long, "review", "1:", REVIEW_KEYS, options.reps, before="s"),
            "review_in_full": measure(options.meter, full, "review", "1:", "j,n", options.reps, before="s"),
            "replay": measure(options.meter, long, "replay", "paused", "right,left,n,N,.", options.reps),
        }
        for screen in ("review", "replay"):
            report[screen]["opens_ms"] = opening_ms(long, screen)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
