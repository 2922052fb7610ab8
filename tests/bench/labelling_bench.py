"""How many labels a pass rate needs with the queue `next`, and how often its interval holds while watched.

    python tests/bench/labelling_bench.py PATH/TO/human-evaluations.json PATH/TO/gpt-4o-airline.json
        [--reviewers 2000] [--only NAME] [--exact 0]

The files are the ratings of MT-RAG (Katsis et al. 2025, https://arxiv.org/abs/2501.03468; three people a
reply) and rewarded trajectories of tau-bench (Yao et al. 2024, https://arxiv.org/abs/2406.12045). Each
simulated reviewer labels sessions until the interval is 5 % to either side, and looks after each label.
Beside it: the same interval without a judge, drawn at random without replacement. A line of JSON a world:
labels needed, their ratio with its 95 % interval, and in how many of 100 the interval held at all looks.
"at hand" are the very sessions of the file; "of 3,000" are populations drawn from them with replacement.

All reviewers are computed at once, on a grid of rates; --exact lets so many label by the code that users
have, looking after each fifth label.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.engine.people.statistics.watched_rates import (
    EVEN_SHARE,
    MOST_STAKED,
    SIGNAL,
    Design,
    Draw,
    watched_rate,
)

WITHIN = 0.05
GRID = np.linspace(0, 1, 401)
LARGE = 3000
SURE = log(40)
LEAST_WEIGHT = 0.5
Array = Any


@dataclass(frozen=True)
class World:
    """Sessions with what people and a judge say of each. judge: the number of its score's stratum."""

    name: str
    people: Array
    judge: Array

    def populations(self, size: int | None, count: int, dice: Any) -> tuple[Array, Array]:
        """Return how many sessions each stratum has, and how many pass, by population.

        size: of populations drawn with replacement; None for the sessions at hand.
        """
        cells = 2 * self.judge + self.people
        width = 2 * (int(self.judge.max()) + 1)
        if size is None:
            table = np.tile(np.bincount(cells, minlength=width), (count, 1))
        else:
            table = dice.multinomial(size, np.bincount(cells, minlength=width) / len(cells), count)
        return table[:, ::2] + table[:, 1::2], table[:, 1::2]


def numbered(scores: Array) -> Array:
    """Return the number of each score among those that occur."""
    return np.unique(scores, return_inverse=True)[1]


def worlds(mt_rag: Path, tau: Path) -> Iterator[World]:
    """Yield what is measured: good judges, weaker ones, and one whose scores are dealt out anew."""
    dice = np.random.default_rng(5)
    rows = [
        [int(one["value"]) for one in row["annotations"]["faithfulness"].values()]
        for row in json.loads(mt_rag.read_text())["evaluations"]
    ]
    rated = np.array([row for row in rows if len(row) == 3])
    majority = (np.sort(rated, axis=1)[:, 1] >= 3).astype(int)
    one_of_them = rated[np.arange(len(rated)), dice.integers(0, 3, len(rated))]
    yield World("MT-RAG: the majority; judge: one of the three", majority, numbered(one_of_them))
    others = (rated[:, 1] + rated[:, 2]) / 2
    yield World("MT-RAG: one person; judge: the two others", (rated[:, 0] >= 3).astype(int), numbered(others))
    yield World("MT-RAG: the majority; judge: useless", majority, numbered(dice.permutation(one_of_them)))
    tries = json.loads(tau.read_text())
    rewards = {(one["task_id"], one["trial"]): int(one["reward"]) for one in tries}
    rewarded = np.array(list(rewards.values()))
    other = np.array([rewards[task, 1 - trial] for task, trial in rewards])
    for wrong in (0.05, 0.1):
        slips = dice.permutation(np.arange(len(rewarded)) < round(wrong * len(rewarded)))
        judge = np.where(slips, 1 - rewarded, rewarded)
        yield World(f"tau-bench: reward; judge: wrong in {wrong:.0%}", rewarded, judge)
    yield World("tau-bench: reward; judge: the other trial's", rewarded, other)
    dealt = dice.permutation(np.arange(len(rewarded)) % 4)
    yield World("tau-bench: reward; judge: useless", rewarded, dealt)


def _learned(drawn: Array, passed: Array) -> tuple[Array, Array]:
    """Return rates and variances by stratum, as `watched_rates` learns them."""
    count, passes = drawn.sum(1), passed.sum(1)
    rate = (passes + 0.5) / (count + 1)
    spread = rate * (1 - rate)
    begun = (drawn > 0).sum(1) - 1
    mean = passes / np.maximum(count, 1)
    differing = (drawn * (passed / np.maximum(drawn, 1) - mean[:, None]) ** 2).sum(1) / spread
    signal = (begun >= 1) & (differing > begun + SIGNAL * np.sqrt(2 * np.maximum(begun, 0)))
    size = np.maximum(count - (drawn**2).sum(1) / np.maximum(count, 1), 1e-9)
    between = np.where(signal, (differing - begun) * spread / size, 1.0)
    weight = np.where(signal, np.maximum(LEAST_WEIGHT, spread / between), 1e12)[:, None]
    rates = (passed + weight * rate[:, None]) / (drawn + weight)
    least = 0.5 / (drawn + weight + 1)
    return rates, np.maximum(rates * (1 - rates), least * (1 - least))


def labels_needed(sizes: Array, passes: Array, dice: Any) -> tuple[Array, Array]:
    """Return how many labels each reviewer gave, and whether the interval ever missed the truth till then."""
    total = int(sizes[0].sum())
    left, good = sizes.astype(float), passes.astype(float)
    true = good.sum(1) / total
    rates_tried = np.concatenate([np.tile(GRID, (len(left), 1)), true[:, None]], axis=1)
    drawn, passed = np.zeros_like(left), np.zeros_like(left)
    up, down = np.zeros_like(rates_tried), np.zeros_like(rates_tried)
    refuted_low, refuted_high = up > 1, up > 1
    needed, missed, going = np.full(len(left), total), np.zeros(len(left), bool), np.arange(len(left))
    for step in range(total):
        remaining, rows = total - step, np.arange(len(going))
        rates, spreads = _learned(drawn, passed)
        roots = np.sqrt(spreads)
        chances = (1 - EVEN_SHARE) * roots / (left * roots).sum(1, keepdims=True) + EVEN_SHARE / remaining
        foretold = (left * rates).sum(1) / remaining
        variance = (left * spreads / chances).sum(1) / remaining**2
        gap = total * WITHIN / remaining
        stake = (gap / (variance + gap * gap))[:, None]
        there = left > 0
        least = foretold - np.where(there, rates / (chances * remaining), 0).max(1)
        most = foretold + np.where(there, (1 - rates) / (chances * remaining), 0).max(1)
        ends = (left * chances).cumsum(1)
        stratum = (dice.random(len(rows))[:, None] * ends[:, -1:] > ends).sum(1)
        label = dice.random(len(rows)) * left[rows, stratum] < good[rows, stratum]
        found = foretold + (label - rates[rows, stratum]) / (chances[rows, stratum] * remaining)
        known = passed.sum(1)
        mean = (total * rates_tried - known[:, None]) / remaining
        possible = (mean > -1e-9) & (mean < 1 + 1e-9)
        away = (found[:, None] - mean) * possible
        up += np.log1p(np.minimum(stake, MOST_STAKED / np.maximum(mean - least[:, None], 1e-12)) * away)
        down += np.log1p(-np.minimum(stake, MOST_STAKED / np.maximum(most[:, None] - mean, 1e-12)) * away)
        for table, change in ((left, -1), (good, -1.0 * label), (drawn, 1), (passed, 1.0 * label)):
            table[rows, stratum] += change
        known = known + label
        refuted_low |= (up >= SURE) | (total * rates_tried < known[:, None] - 1e-6)
        refuted_high |= (down >= SURE) | (total * rates_tried > (known + remaining - 1)[:, None] + 1e-6)
        missed[going] |= refuted_low[:, -1] | refuted_high[:, -1]
        low = GRID[np.argmin(refuted_low[:, :-1], axis=1)]
        high = GRID[::-1][np.argmin(refuted_high[:, -2::-1], axis=1)]
        enough = high - low <= 2 * WITHIN + 1e-9
        needed[going[enough]] = step + 1
        kept = ~enough
        if not kept.any():
            break
        if not kept.all():
            going = going[kept]
            left, good, drawn, passed = (table[kept] for table in (left, good, drawn, passed))
            up, down, rates_tried = up[kept], down[kept], rates_tried[kept]
            refuted_low, refuted_high = refuted_low[kept], refuted_high[kept]
    return needed, missed


def labels_by_the_program(sizes: Array, passes: Array, dice: random.Random) -> int:
    """Return how many labels one reviewer gives by the code that users have, looking at each fifth."""
    pairs = zip(map(int, sizes), map(int, passes), strict=True)
    left = [dice.sample([True] * good + [False] * (size - good), size) for size, good in pairs]
    design, draws = Design(tuple(map(len, left)), WITHIN), list[Draw]()
    while len(draws) % 5 or watched_rate(design, draws).more:
        chances = design.chances(draws)
        weights = [len(stratum) * chance for stratum, chance in zip(left, chances, strict=True)]
        [stratum] = dice.choices(range(len(left)), weights)
        draws.append(Draw(stratum, chances, left[stratum].pop()))
        if not any(left):
            break
    return len(draws)


def figures(world: World, size: int | None, reviewers: int, exact: int) -> dict[str, Any]:
    """Measure one world with a judge and at random, on the same populations."""
    sizes, passes = world.populations(size, reviewers, np.random.default_rng(1))
    judged, judged_missed = labels_needed(sizes, passes, np.random.default_rng(2))
    together = sizes.sum(1, keepdims=True), passes.sum(1, keepdims=True)
    plain, plain_missed = labels_needed(*together, np.random.default_rng(3))
    dice = np.random.default_rng(4)
    chosen = dice.integers(0, reviewers, (500, reviewers))
    ratios = np.quantile(judged[chosen].mean(1) / plain[chosen].mean(1), (0.025, 0.975))
    found = {
        "world": world.name,
        "sessions": "at hand" if size is None else f"of {size:,}",
        "n": int(sizes[0].sum()),
        "reviewers": reviewers,
        "people_pass": round(float(world.people.mean()), 3),
        "random": round(float(plain.mean()), 1),
        "next": round(float(judged.mean()), 1),
        "ratio": round(float(judged.mean() / plain.mean()), 3),
        "ratio_interval": [round(float(one), 3) for one in ratios],
        "holds_next": round(100 * float(1 - judged_missed.mean()), 1),
        "holds_random": round(100 * float(1 - plain_missed.mean()), 1),
    }
    if exact:
        labels = [labels_by_the_program(sizes[one], passes[one], random.Random(one)) for one in range(exact)]
        found["next_by_the_program"] = round(sum(labels) / exact, 1)
    return found


def main() -> None:
    """Print a line a world."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("mt_rag", type=Path)
    parser.add_argument("tau_bench", type=Path)
    parser.add_argument("--reviewers", type=int, default=2000)
    parser.add_argument("--only", default="", help="worlds whose name holds this")
    parser.add_argument("--exact", type=int, default=0)
    given = parser.parse_args()
    for world in worlds(given.mt_rag, given.tau_bench):
        if given.only in world.name:
            for size in (None, LARGE):
                print(json.dumps(figures(world, size, given.reviewers, given.exact)), flush=True)


if __name__ == "__main__":
    main()
