"""How many planted ways to go wrong the order of novelty meets, beside a random order.

    PYTHONPATH=tests/support python tests/bench/novelty_bench.py [--seeds 50] [--sessions 100000] [--first 1]

Each seed is another corpus of `planted_modes`: eight modes of 1 % each among varied talks. As `turnwise queue
new --sample new` does, it draws a sample, looks at it and takes one conversation after the other; a mode is
met once a conversation that has it is taken. Only conversations of the sample are made: each is the same
whether the others are made or not. Prints a line for each seed as it is done, and one object with figures at
the end.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import Counter
from itertools import islice
from typing import Any

from planted_modes import MODES, PlantedCorpus

from turnwise.engine.metrics.subject import Subject
from turnwise.engine.novelty.novel_order import novel_order
from turnwise.engine.novelty.novel_sessions import LOOKED_AT
from turnwise.engine.novelty.signs import sighting_of

ENOUGH = 7
"""So many of the eight modes are to be met."""


def measure(seed: int, sessions: int, reviews: int) -> dict[str, Any]:
    """Review a corpus in both orders."""
    corpus, draw = PlantedCorpus(seed), random.Random(seed)
    sample = draw.sample(range(sessions), min(sessions, LOOKED_AT))
    cases = [corpus.session(number).case for number in sample]
    began = time.perf_counter()
    sightings = [sighting_of(Subject.of(case)) for case in cases]
    looked = time.perf_counter()
    order, taken, steps = novel_order(sightings), [], []
    for _ in range(reviews):
        before = time.perf_counter()
        taken += islice(order, 1)
        steps.append((time.perf_counter() - before) * 1000)
    met = [corpus.mode(sample[place]) for place in taken]
    by_chance = [corpus.mode(number) for number in draw.sample(range(sessions), min(sessions, reviews))]
    return {
        "seed": seed,
        "met": len(set(met) - {""}),
        "missed": sorted(set(MODES) - set(met)),
        "reviews_to_enough": _reviews_to(met),
        "random_met": len(set(by_chance) - {""}),
        "looking_seconds": round(looked - began, 2),
        "first_seconds": round(steps[0] / 1000, 2),
        "next_ms": [round(step, 2) for step in steps[1:]],
    }


def _reviews_to(met: list[str]) -> int | None:
    known: set[str] = set()
    for count, mode in enumerate(met, start=1):
        known |= {mode} - {""}
        if len(known) >= ENOUGH:
            return count
    return None


def main() -> None:
    """Measure seed by seed, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--reviews", type=int, default=60)
    options = parser.parse_args()
    found = []
    for seed in range(options.first, options.first + options.seeds):
        found.append(measure(seed, options.sessions, options.reviews))
        print(json.dumps({name: value for name, value in found[-1].items() if name != "next_ms"}), flush=True)
    steps = sorted(step for one in found for step in one["next_ms"])
    print(
        json.dumps(
            {
                "seeds": len(found),
                "met_enough": statistics.fmean(one["met"] >= ENOUGH for one in found),
                "met_mean": statistics.fmean(one["met"] for one in found),
                "random_met_mean": statistics.fmean(one["random_met"] for one in found),
                "missed": Counter(mode for one in found for mode in one["missed"]),
                "next_ms_median": statistics.median(steps),
                "next_ms_95": steps[int(0.95 * len(steps))],
            }
        )
    )


if __name__ == "__main__":
    main()
