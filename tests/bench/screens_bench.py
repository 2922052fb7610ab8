"""How fast the keys of the library, review, overview and other screens are where much is stored.

    python tests/bench/screens_bench.py --meter PATH/TO/pty_latency.py --db BIG.db [--only NAME ...]

Makes the database where there is none: 100,000 sessions with 1,000,000 turns as library_bench does, labels of
two people, two runs of 100,000 scores each, a case of 10,000 turns that both judged, and queues. Prints one
JSON object. For every screen and key, in milliseconds (median, p95, worst): from the key to the first and to
the last byte of its answer, and the processor time that the app took, which other programs disturb less. For
every filter: from its last letter to its result. Budgets: a key in 30 ms at p95, a filter in 150 ms, 120 MB.
"""

from __future__ import annotations

import argparse
import fcntl
import importlib.util
import json
import os
import pty
import random
import select
import signal
import statistics
import struct
import sys
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library_bench import METRICS
from library_bench import build as build_library

LONG_NAME = "READYLONG"
LONG_TURNS = 10_000
COMPARED = 20_000
"""Sessions that both runs judged by each metric."""
SECOND_PERSON = 3_000
"""Labels of a second person."""
QUEUES = 60
QUEUED = 100
"""Sessions of each queue."""
CRITERIA = ("brevity", "honesty", "patience", "politeness", "warmth")
CRITERION = """
name: {}
criteria: The assistant stays polite, also where the user is not.
steps: [Read every reply of the assistant., Find words that are rude., Score how polite it stays.]
threshold: 0.6
"""
TYPING_SECONDS = 0.12
FILTERS = (
    "role:airline",
    "tag:good",
    "label:none",
    "role_adherence<0.5",
    "turns>12",
    "refund",
    "refund certificate",
    "refund label:none",
    "role:airline role_adherence<0.5 label:none",
    "meta.language:en",
    "meta.latency<0.5",
    "model:mistral",
    "since:2023-11-15",
)
_MOVES = ("j", "k", "pgdn", "pgup", "G", "g")
_DIALOGS = (
    *("Q", "e", "b", "F", "f9", "L", "r", "W", "o", "t", "m", "?", "ctrl-p"),
    *("ctrl-f", "ctrl-n", "f2", "R"),
)
"""What opens a dialog of the library, or what else is opened from it."""
_CODES = {
    "backspace": b"\x7f",
    "ctrl-f": b"\x06",
    "ctrl-g": b"\x07",
    "ctrl-n": b"\x0e",
    "ctrl-p": b"\x10",
    "f2": b"\x1bOQ",
    "f9": b"\x1b[20~",
    "shift-f10": b"\x1b[21;2~",
}
"""What a terminal sends for keys that the meter does not name."""
_TYPED = ("a", "space", "enter", "up", "down", "left", "right", "backspace", "tab")


@dataclass(frozen=True)
class Scene:
    """A screen to measure. ready: a word on it once it is there. before: keys that bring it so far.

    keys: what is timed, several in turn where they are joined by "+". They lead back to where they began, or
    the next ones would be pressed elsewhere. rest: seconds before each. sizes: columns x lines.
    """

    screen: str
    ready: str
    keys: tuple[str, ...]
    before: tuple[str, ...] = ()
    rest: float = 0.03
    sizes: tuple[str, ...] = ("160x50", "80x24")


SCENES = {
    "library": Scene("library", "sessions", (*_MOVES, "space", "v", "a+esc")),
    "dialogs": Scene("library", "sessions", ("?+esc", "r+esc", "o+esc", "t+esc")),
    "criteria": Scene("criteria", "politeness", ("j+k",)),
    "criteria_words": Scene("criteria", "politeness", _TYPED, ("enter",)),
    "agreement": Scene("library", "sessions", (*_MOVES, "right+left", "tab"), ("6",)),
    "compare": Scene("compare", "both", (*_MOVES, "right+left")),
    "pair": Scene("compare", "both", (*_MOVES, "n", "N", "tab", "space"), ("enter",)),
    "pairs": Scene("compare", "both", ("J", "K"), ("pgdn", "pgdn", "enter")),
    "review": Scene("review", "READYLONG", ("z", "j+k", "pgdn", "pgup", "G", "g+g", "f+u", "tab"), ("s",)),
    "info": Scene("review", "READYLONG", ("j+k", "pgdn", "pgup", "f+u", "tab", "i+i"), ("s", "i", "tab")),
    "overview": Scene("library", "sessions", (*_MOVES, "#+#"), ("2",)),
    # The overview counts on for a second or two, and the library counts what the overview found.
    "overview_ways": Scene("library", "sessions", ("2+enter+esc",), rest=4),
    # The newest session is that of 10,000 turns; those below it have a few.
    # Screens are made ahead while no key is pressed, as while somebody reads.
    "reading": Scene("library", "sessions", ("enter+esc",), rest=2),
    "opening": Scene("library", "sessions", ("enter+esc",), ("j", "j", "j"), rest=2),
    "places": Scene("library", "sessions", ("2+1", "3+1", "4+1", "5+1", "6+1", "7+1"), rest=3),
    "places_on": Scene("library", "sessions", ("H+esc",), ("2",), rest=3),
    "comparing": Scene("library", "sessions", ("C+esc",), ("7",), rest=3),
    "pair_opening": Scene("library", "sessions", ("enter+esc",), ("7", "C"), rest=3),
    "queue_opening": Scene("library", "sessions", ("enter+esc",), ("3",), rest=3),
    "agreement_opening": Scene("library", "sessions", ("enter+esc",), ("6",), rest=3),
    "asking": Scene("library", "sessions", tuple(f"{key}+esc" for key in _DIALOGS), rest=3),
    "jumping": Scene("library", "sessions", ("'+esc", "shift-f10+esc"), rest=3),
    "ticking": Scene("library", "sessions", ("space+space", "a+a", "/+esc"), ("r",), rest=0.3),
    "counts": Scene("library", "sessions", ("j", "k", "right+left", "ctrl-g+esc"), ("ctrl-f",), rest=2),
    "sides": Scene("compare", "both", ("A+esc", "B+esc"), rest=3),
    "modes": Scene("library", "sessions", ("tab", "ctrl-n+esc"), ("4",), rest=2),
    "pairs_dialog": Scene("library", "sessions", ("=+esc", "D+esc"), ("3",), rest=3),
    "behind_scores": Scene(
        "library",
        "sessions",
        ("w+esc", "h+esc", "c+esc", "/+esc", "g+esc"),
        ("j", "j", "j", "enter", "s"),
        rest=2,
    ),
    "writing": Scene("criteria", "politeness", ("tab", "enter+esc"), rest=1),
    "reading_on": Scene("library", "sessions", ("i+i", "m+esc", "R+esc"), ("j", "j", "j", "enter"), rest=3),
    "walking": Scene("library", "sessions", ("J+K",), ("j", "j", "j", "enter"), rest=0.3),
    "heat_map": Scene("library", "sessions", (*_MOVES, "right+left"), ("2", "H")),
    "runs": Scene("library", "sessions", _MOVES, ("7",)),
    "queues": Scene("library", "sessions", _MOVES, ("3",)),
}


def build(path: Path) -> None:
    """Fill a database: what library_bench makes, and what is compared and labelled."""
    from turnwise.conversations.store import Store

    if not path.exists():
        build_library(path, 100_000)
    with Store.open(path) as store:
        _add_queues(store)
        if long := store.sessions.ids(f"name:{LONG_NAME}"):
            # Each run labels it some hundred times, and a label is kept for good: no person's session has so
            # many, and each is read where one more is given.
            with store._database.writing() as connection:
                connection.execute("DELETE FROM labels WHERE session_id = ?", (long[0],))
            return
        chance = random.Random(7)
        with store._database.writing() as connection:
            connection.executemany(
                "INSERT INTO labels (session_id, label, author, blind, created_at) "
                "VALUES (?, ?, 'ben', 1, 0)",
                ((number * 10, chance.choice(("pass", "fail"))) for number in range(1, SECOND_PERSON + 1)),
            )
            for number in range(2):
                run = store.runs.begin(judge=f"judge-{number}", metrics=METRICS)
                _add_scores(connection, chance, run, (_add_long(store, chance, number), 1 - number))
                store.runs.finish(run)


def _add_queues(store: Any) -> None:
    for number in range(len(store.queues.all()), QUEUES):
        first = number * QUEUED + 1
        store.queues.add(f"queue {number}", range(first, first + QUEUED), sampler="random", at=float(number))


def _add_long(store: Any, chance: random.Random, number: int) -> int:
    from turnwise.conversations.cases import ConversationalTestCase
    from turnwise.conversations.turns import Turn

    words = ("it", "goes", "back", "to", "your", "card", "within", "five", "days", "we", "send", "a", "mail")
    said = [
        Turn(
            role="assistant" if place % 2 else "user",
            content=" ".join(chance.choices(words, k=60)) if place % 2 else f"Where is refund {place}?",
        )
        for place in range(LONG_TURNS)
    ]
    case = ConversationalTestCase(turns=said, name=LONG_NAME, chatbot_role="airline agent")
    return int(store.sessions.add(case, source="bench", format=f"bench-{number}", created_at=2e9).session_id)


def _add_scores(connection: Any, chance: random.Random, run: int, long: tuple[int, int]) -> None:
    """Score as many sessions by each metric; the long one moves furthest, so its pairs come first."""
    session, value = long
    for metric in METRICS:
        scores = [(number, round(chance.uniform(0.05, 0.95), 2)) for number in range(1, COMPARED)]
        for number, score in [(session, float(value)), *scores]:
            cursor = connection.execute(
                "INSERT INTO scores (session_id, run_id, metric, version, metric_fingerprint, "
                "case_fingerprint, judge_fingerprint, judge, outcome, score, threshold, reason, created_at) "
                "VALUES (?, ?, ?, 1, ?, ?, ?, 'bench', 'score', ?, 0.5, 'Because of turn 2.', 0)",
                (number, run, metric, metric, f"c{number}", f"j{run}", score),
            )
            connection.execute("INSERT INTO run_scores VALUES (?, ?)", (run, cursor.lastrowid))


def serve(path: Path, screen: str) -> None:
    """Run the app that is measured as the command does, with a screen opened as a key would."""
    from turnwise.tui.cli.opening import make_ready

    make_ready()
    from turnwise.conversations.store import Store
    from turnwise.tui.app.app import TurnwiseApp

    with Store.open(path) as store:
        app = TurnwiseApp(store)
        if screen != "library":
            app.call_later(_open, app, screen)
        app.run()


def _open(app: Any, screen: str) -> None:
    if screen == "criteria":
        from turnwise.tui.criteria.criteria_screen import CriteriaScreen

        app.push_screen(CriteriaScreen())
    elif screen == "review":
        from turnwise.tui.review.review_screen import ReviewScreen

        app.push_screen(ReviewScreen(app.store.sessions.ids(f"name:{LONG_NAME}")[0]))
    else:
        getattr(app, f"action_{screen}")()


class Terminal:
    """The app in a pty of a size such as 80x24, read by the meter's own functions."""

    def __init__(self, meter: Any, path: Path, screen: str, size: str) -> None:
        self._meter = meter
        self._pid, self._screen = pty.fork()
        if self._pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            # Criteria are found in the folder where the app runs.
            os.chdir(path.parent)
            command = [sys.executable, __file__, "--serve", screen, "--db", str(path)]
            os.execv(sys.executable, command)  # noqa: S606
        columns, lines = map(int, size.split("x"))
        fcntl.ioctl(self._screen, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait(self, quiet: float, limit: float, word: str = "") -> tuple[float, float]:
        """Read until a word was seen and the app is quiet; return the seconds to the first and last byte."""
        first, last, _ = self._meter.read_until_quiet(self._screen, quiet, limit, word.encode())
        return first or 0.0, last or 0.0

    def seen(self, word: str, limit: float) -> float:
        """Read until a word was seen; return the seconds that took, `limit` where it was not."""
        data, started = b"", time.perf_counter()
        while (taken := time.perf_counter() - started) < limit:
            if select.select([self._screen], [], [], 0.002)[0]:
                data += os.read(self._screen, 1 << 20)
                if word.encode() in self._meter.CODES.sub(b"", data):
                    return time.perf_counter() - started
        return taken

    def press(self, key: str) -> None:
        """Send a key by its name."""
        names = {**self._meter.KEYS, **_CODES}
        os.write(self._screen, names.get(key, key.encode()))

    def time(self, key: str, rest: float) -> tuple[float, float, float]:
        """Press a key after a rest; return the seconds to the first and last byte of its answer, and the
        processor's.
        """
        # What is drawn meanwhile is no answer to the key.
        self.wait(rest, rest)
        before = self._processor_seconds()
        self.press(key)
        return *self.wait(0.12, 3), self._processor_seconds() - before

    def _processor_seconds(self) -> float:
        tasks = Path(f"/proc/{self._pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    @property
    def megabytes(self) -> float:
        """The memory of the app and its children."""
        return round(self._meter.tree_rss(self._pid), 1)

    def close(self) -> None:
        """End the app."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._screen)


def measure(terminal: Terminal, scene: Scene, reps: int) -> dict[str, Any]:
    """Return the figures of one scene in one size."""
    _, there = terminal.wait(1.0, 60, scene.ready)
    for key in scene.before:
        terminal.press(key)
        terminal.wait(0.5, 10)
    keys = {}
    for key in scene.keys:
        several = key.split("+")
        taken = [[terminal.time(one, scene.rest) for one in several] for _ in range(reps)]
        for one, times in zip(several, zip(*taken, strict=True), strict=True):
            first, last, processor = zip(*times, strict=True)
            name = one if one == key else f"{one} ({key})"
            keys[name] = {"first": _figures(first), "last": _figures(last), "cpu": _figures(processor)}
    return {"there_ms": round(there * 1000, 1), "keys": keys, "mb": terminal.megabytes}


def _figures(seconds: Sequence[float]) -> str:
    taken = sorted(second * 1000 for second in seconds)
    p95 = taken[max(0, int(len(taken) * 0.95) - 1)]
    return f"{statistics.median(taken):.1f} {p95:.1f} {taken[-1]:.1f}"


def measure_filters(meter: Any, path: Path, reps: int) -> dict[str, str]:
    """Return from the last letter typed to the result on the screen, for every filter."""
    from turnwise.conversations.store import Store

    with Store.open(path) as store:
        counts = {query: store.sessions.count(query) for query in FILTERS}
    terminal = Terminal(meter, path, "library", "160x50")
    terminal.wait(1.0, 60, "sessions")
    taken: dict[str, list[float]] = {query: [] for query in FILTERS}
    for _ in range(reps):
        for query, count in counts.items():
            terminal.press("/")
            terminal.wait(0.3, 2)
            for letter in query[:-1]:
                terminal.press(letter)
                terminal.wait(TYPING_SECONDS, TYPING_SECONDS)
            terminal.press(query[-1])
            taken[query].append(terminal.seen(f"{count:,} of ", 3))
            terminal.wait(0.2, 1)
            terminal.press("esc")
            terminal.wait(0.5, 3)
    terminal.close()
    return {query: _figures(times) for query, times in taken.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--meter", type=Path)
    parser.add_argument("--db", type=Path)
    parser.add_argument("--only", nargs="*", choices=[*SCENES, "filters"], default=[*SCENES, "filters"])
    parser.add_argument("--reps", type=int, default=25)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.db, options.serve)
        return
    if not options.meter or not options.db:
        parser.error("--meter: the path of pty_latency.py; --db: the database's")
    loaded = importlib.util.spec_from_file_location("meter", options.meter)
    assert loaded is not None
    assert loaded.loader is not None
    meter = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(meter)
    build(options.db)
    folder = options.db.parent / "criteria"
    folder.mkdir(exist_ok=True)
    for name in CRITERIA:
        (folder / f"{name}.yaml").write_text(CRITERION.format(name))
    report: dict[str, Any] = {}
    for name in options.only:
        if name == "filters":
            report[name] = measure_filters(meter, options.db, max(3, options.reps // 5))
            continue
        for size in SCENES[name].sizes:
            terminal = Terminal(meter, options.db, SCENES[name].screen, size)
            try:
                report[f"{name} {size}"] = measure(terminal, SCENES[name], options.reps)
            finally:
                terminal.close()
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
