"""How many labels a pass rate needs with the queue `next`, and how often its interval holds while watched.

    python tests/bench/labelling_bench.py PATH/TO/human-evaluations.json PATH/TO/gpt-4o-airline.json
        [--reviewers 2000] [--only NAME] [--exact 0]

The files are the ratings of MT-RAG (Katsis et al. 2025, https://arxiv.org/abs/2501.03468; three people a
reply) and rewarded trajectories of tau-bench (Yao et al. 2024, https://arxiv.org/abs/2406.12045). Worlds that
are called simulated are of no file: by them the constants of `next` were chosen. Each simulated reviewer
labels sessions until the interval is 5 % to either side, and looks after each label.

Beside it: the same interval without a judge, drawn at random without replacement (`random`); somebody who
knows from the beginning how many of each stratum pass (`all_knowing`); and about how many labels no way of
drawing and reckoning goes below, with a judge and at random, if its interval holds in 95 of 100 (`bound`,
`random_bound`: Kaufmann, Cappé and Garivier 2016). A line of JSON a world: labels needed, their ratio with
its 95 % interval, and in how many of 100 the interval held at all looks.
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

from turnwise.engine.people.next_labels import strata_of
from turnwise.engine.people.statistics.fair_bets import STEPS
from turnwise.engine.people.statistics.stratum_rates import CUT, EVEN_SHARE, PRIOR
from turnwise.engine.people.statistics.watched_rates import (
    AIM,
    MOST_STAKED,
    MOST_UNEVEN,
    Design,
    Draw,
    watched_rate,
)

WITHIN = 0.05
GRID = 200
"""The rates that are tried lie so many to 1 from each other; between them what is won is drawn straight,"""
AROUND = 32
"""and so many of them to either side of the truth are tried: an interval that is done ends there."""
LARGE = 3000
SURE = log(40)
KNOWN = 1e6
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
    """Return the stratum of each score, as the program makes them."""
    places = range(len(scores))
    strata = strata_of(places, dict(zip(places, map(float, scores), strict=True)))
    return np.array([strata[place] for place in places])


def mistaken(truth: Array, wrong: float, dice: Any) -> Array:
    """Return what a judge says who is wrong in so large a share."""
    slips = dice.permutation(np.arange(len(truth)) < round(wrong * len(truth)))
    return np.where(slips, 1 - truth, truth)


def simulated() -> Iterator[World]:
    """Yield worlds of no file: people pass by a logistic curve of a score of two to six values."""
    for place, (strata, passing) in enumerate(((2, 0.3), (3, 0.86), (4, 0.5), (6, 0.8), (5, 0.93), (6, 0.2))):
        for strength in (0.0, 1.0, 2.5, 4.0):
            dice = np.random.default_rng(place)
            shares = dice.dirichlet(np.full(strata, 3.0))
            scores = strength * np.sort(dice.normal(size=strata))
            tried = 1 / (1 + np.exp(-(scores + np.linspace(-15, 15, 6001)[:, None])))
            rates = tried[np.argmin(np.abs(tried @ shares - passing))]
            counts = np.maximum(2, np.round(20_000 * shares)).astype(int)
            judge = np.repeat(np.arange(strata), counts)
            people = np.concatenate([np.arange(n) < round(n * r) for n, r in zip(counts, rates, strict=True)])
            name = f"simulated: {strata} scores, {passing:.0%} pass; judge: of strength {strength:g}"
            yield World(name, people.astype(int), judge)


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
    for wrong in (0.05, 0.1):
        name = f"MT-RAG: the majority; judge: wrong in {wrong:.0%}"
        yield World(name, majority, mistaken(majority, wrong, dice))
    tries = json.loads(tau.read_text())
    rewards = {(one["task_id"], one["trial"]): int(one["reward"]) for one in tries}
    rewarded = np.array(list(rewards.values()))
    other = np.array([rewards[task, 1 - trial] for task, trial in rewards])
    for wrong in (0.05, 0.1):
        name = f"tau-bench: reward; judge: wrong in {wrong:.0%}"
        yield World(name, rewarded, mistaken(rewarded, wrong, dice))
    yield World("tau-bench: reward; judge: the other trial's", rewarded, other)
    dealt = dice.permutation(np.arange(len(rewarded)) % 4)
    yield World("tau-bench: reward; judge: useless", rewarded, dealt)


class Learned:
    """What every reviewer's program knows of the strata, as `stratum_rates` learns it."""

    def __init__(self, reviewers: int, strata: int) -> None:
        self.drawn, self.passed = np.zeros((reviewers, strata)), np.zeros((reviewers, strata))
        self.stretches = np.ones((reviewers, strata, strata + 1))
        self.rates = self.mean_rates()

    def of(self, start: int, end: int) -> Array:
        """Return the rate of a stretch of strata."""
        drawn, passed = self.drawn[:, start:end].sum(1), self.passed[:, start:end].sum(1)
        return (passed + PRIOR) / (drawn + 2 * PRIOR)

    def take(self, stratum: Array, label: Array) -> None:
        """Learn from one label of every reviewer."""
        rows, count = np.arange(len(label)), self.drawn.shape[1]
        own = ((self.passed + PRIOR) / (self.drawn + 2 * PRIOR))[rows, stratum]
        alone = np.where(label, own, 1 - own)
        for start in range(count):
            for end in range(start + 1, count + 1):
                rate = self.of(start, end)
                here = (stratum >= start) & (stratum < end)
                self.stretches[:, start, end] *= np.where(here, np.where(label, rate, 1 - rate) / alone, 1.0)
        self.drawn[rows, stratum] += 1
        self.passed[rows, stratum] += label
        self.rates = self.mean_rates()

    def mean_rates(self) -> Array:
        """Return the mean rate of each stratum over all ways of cutting their row."""
        reviewers, count = self.drawn.shape
        cut = [1.0] + [CUT] * count
        before, after = np.zeros((reviewers, count + 1)), np.zeros((reviewers, count + 1))
        before[:, 0], after[:, count] = 1, 1
        pairs = [(start, end) for end in range(1, count + 1) for start in range(end)]
        for start, end in pairs:
            before[:, end] += before[:, start] * self.stretches[:, start, end] * cut[start]
        for start, end in sorted(pairs, key=lambda pair: -pair[0]):
            after[:, start] += self.stretches[:, start, end] * after[:, end] * cut[start]
        found = np.zeros((reviewers, count))
        for start, end in pairs:
            share = before[:, start] * cut[start] * self.stretches[:, start, end] * after[:, end]
            found[:, start:end] += (share / before[:, count] * self.of(start, end))[:, None]
        return found

    def keep(self, kept: Array) -> None:
        """Forget the reviewers who are done."""
        self.drawn, self.passed, self.rates = self.drawn[kept], self.passed[kept], self.rates[kept]
        self.stretches = self.stretches[kept]


def fastest_bets(rates: Array, shares: Array, chances: Array, gap: Array) -> tuple[Array, Array, Array]:
    """Return stakes, what is found where a session fails, and the gaps aimed at, as `fair_bets` does."""
    worth = np.divide(shares, chances, out=np.zeros_like(shares), where=chances > 0)
    gap = np.minimum(gap, (rates * shares).sum(1) / 2)
    stake = gap / ((rates * (1 - rates) * shares * worth).sum(1) + gap * gap)

    def hardest() -> tuple[Array, Array]:
        pull = stake[:, None] * worth
        root = np.sqrt((1 + pull) ** 2 - 4 * pull * rates)
        return 2 * rates / (1 + pull + root), root

    for _ in range(STEPS):
        hard, root = hardest()
        short = gap - (shares * (rates - hard)).sum(1)
        slope = (shares * worth * hard * (1 - hard) / root).sum(1)
        stake = np.clip(stake + short / slope, stake / 4, 4 * stake)
    base = (1 - rates) / (1 - hardest()[0]) / stake[:, None]
    return stake, base - (base * chances).sum(1, keepdims=True), gap


def low_end(tried: Array, most: Array, known: Array, total: int) -> Array:
    """Return the least share of passing sessions that was never refuted. most: what was won at the most.

    tried: rising rates. known: the share of all that is known to pass.
    """
    rows, first = np.arange(len(tried)), np.argmin(most >= SURE, axis=1)
    before = np.maximum(first - 1, 0)
    above, below = most[rows, before], most[rows, first]
    part = np.where((above >= SURE) & (above < KNOWN), (above - SURE) / np.maximum(above - below, 1e-9), 0.0)
    found = tried[rows, before] + part * (tried[rows, first] - tried[rows, before])
    return np.ceil(np.maximum(found, known) * total - 1e-6) / total


def labels_needed(sizes: Array, passes: Array, dice: Any, all_knowing: bool = False) -> tuple[Array, Array]:
    """Return how many labels each reviewer gave, and whether the interval ever missed the truth till then.

    all_knowing: how many of each stratum pass is not learned, but known.
    """
    total = int(sizes[0].sum())
    left, good = sizes.astype(float), passes.astype(float)
    true = good.sum(1) / total
    first = np.clip(np.round(true * GRID).astype(int) - AROUND, 0, GRID - 2 * AROUND)
    rates_tried = np.concatenate([(first[:, None] + np.arange(2 * AROUND + 1)) / GRID, true[:, None]], axis=1)
    learned = Learned(*left.shape)
    won = [np.zeros_like(rates_tried), np.zeros_like(rates_tried)]
    most = [np.zeros_like(rates_tried), np.zeros_like(rates_tried)]
    uneven = np.ones(len(left))
    needed, missed, going = np.full(len(left), total), np.zeros(len(left), bool), np.arange(len(left))
    for step in range(total):
        remaining, rows = total - step, np.arange(len(going))
        rates = np.clip(good / np.maximum(left, 1), 1e-3, 1 - 1e-3) if all_knowing else learned.rates
        roots = np.sqrt(rates * (1 - rates))
        chances = (1 - EVEN_SHARE) * left * roots / (left * roots).sum(1, keepdims=True)
        chances += EVEN_SHARE * left / remaining
        ends = chances.cumsum(1)
        stratum = (dice.random(len(rows))[:, None] * ends[:, -1:] > ends).sum(1)
        label = dice.random(len(rows)) * left[rows, stratum] < good[rows, stratum]
        known = learned.passed.sum(1)
        width = 2 * AIM * total * WITHIN / remaining
        quick = []
        for side, (held, said, gap, counted, tried) in enumerate(
            (
                (rates, label, width * uneven / (1 + uneven), known, rates_tried),
                (1 - rates, ~label, width / (1 + uneven), step - known, 1 - rates_tried),
            )
        ):
            stake, base, gap = fastest_bets(held, left / remaining, chances, gap)
            quick.append(stake / gap)
            found = base[rows, stratum] + said * left[rows, stratum] / remaining / chances[rows, stratum]
            least = np.where(left > 0, base, np.inf).min(1)
            mean = (total * tried - counted[:, None]) / remaining
            possible = (mean > -1e-9) & (mean < 1 + 1e-9)
            stakes = np.minimum(stake[:, None], MOST_STAKED / np.maximum(mean - least[:, None], 1e-12))
            won[side] += np.log1p(stakes * (found[:, None] - mean) * possible)
            np.maximum(most[side], won[side], out=most[side])
            # More of them are known already.
            most[side][total * tried < (counted + said)[:, None] - 1e-6] = KNOWN
        uneven = np.clip(np.sqrt(quick[1] / quick[0]), 1 / MOST_UNEVEN, MOST_UNEVEN)
        left[rows, stratum] -= 1
        good[rows, stratum] -= label
        learned.take(stratum, label)
        missed[going] |= (most[0][:, -1] >= SURE) | (most[1][:, -1] >= SURE)
        passed, grid = known + label, rates_tried[:, :-1]
        low = low_end(grid, most[0][:, :-1], passed / total, total)
        high = 1 - low_end(1 - grid[:, ::-1], most[1][:, -2::-1], (step + 1 - passed) / total, total)
        kept = high - low > 2 * WITHIN + 1e-9
        needed[going[~kept]] = step + 1
        if not kept.any():
            break
        if not kept.all():
            going, left, good, uneven, rates_tried = (
                table[kept] for table in (going, left, good, uneven, rates_tried)
            )
            won, most = [one[kept] for one in won], [one[kept] for one in most]
            learned.keep(kept)
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


def least_labels(shares: Array, rates: Array, sessions: int) -> float:
    """Return about how many labels it takes at the least to know the rate, with strata of known rates.

    By the best chances, found step by step: what a label tells is concave in them.
    """
    chances, uneven = shares.copy(), np.ones(1)
    rates = np.clip(rates, 1e-3, 1 - 1e-3)
    for step in range(3000):
        told, quick, stakes = [], [], []
        for held, part in ((rates, uneven / (1 + uneven)), (1 - rates, 1 / (1 + uneven))):
            bet = fastest_bets(held[None], shares[None], chances[None], 2 * WITHIN * part)
            [stake], [base], [gap] = bet
            of_fail = 1 + stake * (base - (held @ shares - gap))
            of_pass = of_fail + stake * shares / chances
            told.append(held * np.log(of_pass) + (1 - held) * np.log(of_fail))
            quick.append(float(told[-1] @ chances) / gap**2)
            stakes.append(stake)
        uneven = np.sqrt(np.array([quick[1] / quick[0]]))
        # Where both ends arrive together, moving them both to one side gains nothing.
        growth = (stakes[1] * told[0] + stakes[0] * told[1]) / sum(stakes)
        chances = chances * np.exp(min(0.1, 10 / (step + 1)) * (growth / (growth @ chances) - 1))
        chances /= chances.sum()
    wrong = 0.05
    needed = (1 - 2 * wrong) * log((1 - wrong) / wrong) / min(float(one @ chances) for one in told)
    return needed / (1 + needed / sessions)


def figures(world: World, size: int | None, reviewers: int, exact: int) -> dict[str, Any]:
    """Measure one world with a judge and at random, on the same populations."""
    sizes, passes = world.populations(size, reviewers, np.random.default_rng(1))
    judged, judged_missed = labels_needed(sizes, passes, np.random.default_rng(2))
    together = sizes.sum(1, keepdims=True), passes.sum(1, keepdims=True)
    plain, plain_missed = labels_needed(*together, np.random.default_rng(3))
    knowing, _ = labels_needed(
        sizes[: reviewers // 2], passes[: reviewers // 2], np.random.default_rng(2), True
    )
    dice = np.random.default_rng(4)
    sessions = int(sizes[0].sum())
    counts = np.bincount(world.judge)
    rates = np.bincount(world.judge, world.people) / counts
    mean = np.array([world.people.mean()])
    chosen = dice.integers(0, reviewers, (500, reviewers))
    ratios = np.quantile(judged[chosen].mean(1) / plain[chosen].mean(1), (0.025, 0.975))
    found = {
        "world": world.name,
        "sessions": "at hand" if size is None else f"of {size:,}",
        "n": sessions,
        "reviewers": reviewers,
        "people_pass": round(float(world.people.mean()), 3),
        "random": round(float(plain.mean()), 1),
        "next": round(float(judged.mean()), 1),
        "ratio": round(float(judged.mean() / plain.mean()), 3),
        "ratio_interval": [round(float(one), 3) for one in ratios],
        "all_knowing": round(float(knowing.mean()), 1),
        "bound": round(least_labels(counts / counts.sum(), rates, sessions), 1),
        "random_bound": round(least_labels(np.ones(1), mean, sessions), 1),
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
    for world in (*worlds(given.mt_rag, given.tau_bench), *simulated()):
        if given.only in world.name:
            for size in (LARGE,) if world.name.startswith("simulated") else (None, LARGE):
                print(json.dumps(figures(world, size, given.reviewers, given.exact)), flush=True)


if __name__ == "__main__":
    main()
