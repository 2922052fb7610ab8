"""How much work the frames of a key are, in one process without a terminal.

    python tests/bench/frames_bench.py --db BIG.db [--size 160x50] [--times 4] [WALK,KEY ...]

BIG.db: as screens_bench makes it. A walk is keys joined by dots, pressed once from the library; KEY is what
is timed, and `esc` closes what it opened. Prints a line a key, for the first press and each later one: the
milliseconds to the end of its first frame and of its last, those of the processor, which other programs
disturb less, and the number of frames.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

KEYS = (
    *(",Q", ",e", ",b", ",F", ",f9", ",L", ",r", ",W", ",o", ",t", ",m", ",question_mark", ",ctrl+p"),
    *(",ctrl+f", ",f2", ",ctrl+n", ",R", ",C"),
)
REST = 2.0
"""Seconds before each key, as where somebody reads."""
LEAST_FRAME = 40
"""Characters of what is sent; less is none."""
QUIET = 0.25
"""Seconds without a frame after which a key is answered."""


Frames = list[tuple[float, float]]
"""When each frame was done, in seconds: by the clock, and of the processor."""


def counting_driver(frames: Frames) -> type[Any]:
    """Return a driver that draws to nowhere, and notes each frame. To be called after `make_ready`."""
    from textual.drivers.headless_driver import HeadlessDriver

    class Counting(HeadlessDriver):
        @property
        def is_headless(self) -> bool:
            return False

        def write(self, data: str) -> None:
            if len(data) > LEAST_FRAME:
                frames.append((time.perf_counter(), time.process_time()))

    return Counting


async def press(app: Any, key: str, frames: Frames) -> str:
    """Press a key and return what its frames took, in words."""
    from textual import events
    from textual.keys import key_to_character

    frames.clear()
    began, spent = time.perf_counter(), time.process_time()
    app.post_message(events.Key(key, key_to_character(key)))
    while True:
        last = frames[-1][0] if frames else began
        if time.perf_counter() - last > QUIET:
            break
        await asyncio.sleep(0.01)
    if not frames:
        return "none"
    (first, _), (last, used) = frames[0], frames[-1]
    return " ".join(
        (
            f"{(first - began) * 1000:.0f}",
            f"{(last - began) * 1000:.0f}",
            f"[{(used - spent) * 1000:.0f}]",
            f"{len(frames)}f",
        )
    )


async def measure(path: Path, size: tuple[int, int], walks: list[str], times: int, first: float) -> None:
    """Print a line for each walk and key."""
    from turnwise.tui.cli.opening import make_ready

    for walk in walks:
        before, key = walk.rsplit(",", 1)
        # As the command begins: garbage is collected between the keys.
        make_ready()
        from turnwise.conversations.store import Store
        from turnwise.tui.app.app import TurnwiseApp

        with Store.open(path) as store:
            app, frames = TurnwiseApp(store), Frames()
            app.driver_class = counting_driver(frames)
            running = asyncio.create_task(app.run_async(size=size))
            await asyncio.sleep(first)
            for one in filter(None, before.split(".")):
                await press(app, one, frames)
            told = []
            for _ in range(times):
                await asyncio.sleep(REST)
                told.append(await press(app, key, frames))
                await asyncio.sleep(0.3)
                await press(app, "escape", frames)
            # The app takes what is printed while it runs.
            print(f"{walk:<14} {' · '.join(told)}", flush=True, file=sys.__stdout__)
            app.exit()
            await running


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--size", default="160x50")
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--first", type=float, default=8.0, help="seconds before the first key")
    parser.add_argument("walks", nargs="*", default=list(KEYS))
    options = parser.parse_args()
    os.environ.setdefault("COLORTERM", "truecolor")
    columns, lines = map(int, options.size.split("x"))
    asyncio.run(measure(options.db, (columns, lines), options.walks, options.times, options.first))


if __name__ == "__main__":
    main()
