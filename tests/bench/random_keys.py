"""Whether the app goes on whatever keys are pressed: by chance, mostly those that mean something at a place.

    python tests/bench/random_keys.py [--seeds 20] [--first 1] [--keys 400]

Each seed is a walk of its own over the demo's database, by turns in windows of 80 x 24 and 160 x 50; in every
third walk half of the keys come in bursts, before the one before is answered. Prints a line for each walk:
how many keys it took and how many screens and dialogs it saw, or what ended the app. Ends with 1 where any
walk ended the app. No judge is asked, and nothing is fetched.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from random_walk import chosen, press_by_chance

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.demo.demo_store import fill

LINES_TOLD = -6
"""Of a traceback: its last ones."""


async def walk(database: Path, seed: int, keys: int) -> str:
    """Press keys by chance; return what ended the app with the last keys before, empty where it went on."""
    chance = random.Random(seed)
    pressed: list[str] = []
    seen: set[str] = set()
    with Store.open(database) as store:
        app = TurnwiseApp(store)
        app.judge.chosen = True
        async with app.run_test(size=(80, 24) if seed % 2 else (160, 50)) as pilot:
            for key in chosen(app, chance, keys):
                seen.add(type(app.screen).__name__)
                pressed.append(f"{type(app.screen).__name__} {key}")
                await press_by_chance(pilot, key, bursts=seed % 3 == 0, chance=chance)
                if not app.is_running or app.return_code is not None:
                    return f"ended by {app._exception!r} after {', '.join(pressed[-8:])}"
    print(f"seed {seed}: {len(pressed)} keys, {len(seen)} screens and dialogs", flush=True)
    return ""


def main() -> int:
    """Walk with every seed, and say which ones ended the app."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keys", type=int, default=400)
    options = parser.parse_args()
    ended = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TURNWISE_CONFIG"] = str(Path(folder) / "settings.toml")
        os.environ["XDG_DATA_HOME"] = folder
        # What is exported or imported by chance is of this folder.
        os.chdir(folder)
        demo = Path(folder) / "demo.db"
        with Store.open(demo) as store:
            asyncio.run(fill(store))
        for seed in range(options.first, options.first + options.seeds):
            database = Path(folder) / f"walk-{seed}.db"
            shutil.copy(demo, database)
            try:
                trouble = asyncio.run(walk(database, seed, options.keys))
            except Exception as error:
                trouble = "".join(traceback.format_exception(error, limit=LINES_TOLD))
            if trouble:
                ended += 1
                print(f"seed {seed}: {trouble}", flush=True)
    return 1 if ended else 0


if __name__ == "__main__":
    sys.exit(main())
