"""How often the intervals that turnwise shows hold what is true, in simulated worlds where that is known.

    python tests/bench/coverage_bench.py [--sets 2000] [--only compare] [--seed 1] [--exact 3]

For each figure and world it draws so many sets of n cases and prints one JSON object a world: per n the share
of sets, in %, whose interval held the truth, its mean width, and the share of sets for which it was shown.
Goal: 93 % or more of those that are shown, for n = 5, 10, 20, 50 and 200.

What takes long is reckoned by `coverage_at_once.py`, beside the code that users have for so many sets of each
world and n as --exact says; it ends with an error where the two differ.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isclose, isnan, prod
from random import Random

import coverage_at_once

from turnwise.engine.people.agreement import alpha_between, kappa_between, measure
from turnwise.engine.people.drifting import measured_drift
from turnwise.engine.people.statistics.bounded_means import Group, mean_interval, mean_of
from turnwise.engine.people.statistics.bradley_terry import (
    Comparison,
    linked_groups,
    win_share_intervals,
    win_shares,
)
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.engine.people.statistics.ranks import (
    area_interval,
    area_under_curve,
    spearman,
    spearman_interval,
)
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of
from turnwise.engine.people.statistics.unseen_kinds import unseen_kinds

SIZES = (5, 10, 20, 50, 200)
LARGE = 200_000
"""So many cases tell the truth of a world that has no formula."""

World = Callable[[Random, int], list[Group]]
"""Draws n pieces of evidence: the sum of what is counted in each, and how much that is."""
Interval = tuple[float, float]
Drawn = Callable[[Random, int], Interval | None]
"""A draw of the interval that is shown of n cases; None where none is."""


@dataclass(frozen=True)
class Figure:
    """What is true, and what is shown. at_once: the same, reckoned faster; None where that needs no haste."""

    true: float
    shown: Drawn
    at_once: Drawn | None = None


def _flips(one: float, other: float, together: float, draw: Random, n: int) -> list[Group]:
    """Yes and no on both sides. together: the share of cases on which both sides are sure to agree."""
    found: list[Group] = []
    for _ in range(n):
        first = draw.random() < one
        second = first if draw.random() < together else draw.random() < other
        found.append((float(second) - float(first), 1))
    return found


def _graded(shift: float, shape: tuple[float, float], steps: int, draw: Random, n: int) -> list[Group]:
    """Skewed scores, rounded to so many steps, that move by about a shift."""
    found: list[Group] = []
    for _ in range(n):
        first = draw.betavariate(*shape)
        second = min(1.0, max(0.0, first + draw.gauss(shift, 0.15)))
        found.append((round(second * steps) / steps - round(first * steps) / steps, 1))
    return found


def _rare(share: float, loss: float, draw: Random, n: int) -> list[Group]:
    """Scores that hardly move, but now and then fall far."""
    return [(-loss if draw.random() < share else draw.choice((0.0, 0.02)), 1) for _ in range(n)]


def _turns(most: int, spread: float, draw: Random, n: int) -> list[Group]:
    """Turns within conversations of unequal length, which rise and fall together."""
    found: list[Group] = []
    for _ in range(n):
        turns = draw.randint(1, most)
        whole = draw.gauss(-0.05, spread)
        found.append((sum(min(1.0, max(-1.0, draw.gauss(whole, 0.2))) for _ in range(turns)), turns))
    return found


def _turns_that_fail(most: int, draw: Random, n: int) -> list[Group]:
    """Turns that pass or fail, most of them in few conversations."""
    found: list[Group] = []
    for _ in range(n):
        turns, chance = draw.randint(1, most), draw.betavariate(0.4, 4)
        found.append((-float(sum(draw.random() < chance for _ in range(turns))), turns))
    return found


CHANGES: Mapping[str, World] = {
    "flips, 50 to 50 %": partial(_flips, 0.5, 0.5, 0.5),
    "flips, 90 to 70 %": partial(_flips, 0.9, 0.7, 0.5),
    "flips, 98 to 95 %": partial(_flips, 0.98, 0.95, 0.0),
    "flips, 90 to 60 %, mostly agreeing": partial(_flips, 0.9, 0.6, 0.9),
    "scores, even": partial(_graded, 0.05, (2, 2), 100),
    "scores, skewed": partial(_graded, -0.1, (8, 1.2), 100),
    "scores, five steps": partial(_graded, 0.1, (4, 1.5), 4),
    "scores, a rare fall": partial(_rare, 0.05, 0.9),
    "turns, unequal": partial(_turns, 8, 0.2),
    "turns, very unequal": partial(_turns, 40, 0.1),
    "turns that fail": partial(_turns_that_fail, 10),
}


def _of_change(world: World) -> Figure:
    return Figure(
        mean_of(world(Random(99), LARGE)),
        lambda draw, n: mean_interval(world(draw, n), lowest=-1.0, highest=1.0),
    )


RATES = (0.5, 0.9, 0.98)
JUDGES: Mapping[str, tuple[float, float, float]] = {
    "even": (0.5, 0.85, 0.8),
    "skewed": (0.85, 0.9, 0.6),
    "very skewed": (0.95, 0.97, 0.5),
    "a poor judge": (0.6, 0.6, 0.5),
    "a good judge": (0.7, 0.98, 0.95),
    "a lenient judge": (0.8, 0.99, 0.2),
    "a strict judge": (0.8, 0.3, 0.99),
}
"""Worlds of judge and people: the share that people pass, TPR and TNR."""


DRIFTS = (((0.8, 0.8), (0.5, 0.5)), ((0.9, 0.6), (0.5, 0.9)), ((0.97, 0.97), (1.0, 0.0)))
MODES: Mapping[str, Sequence[float]] = {
    "8 modes, each in 5 %": (0.05,) * 8,
    "30 modes, each in 1 %": (0.01,) * 30,
    "from 20 % down by a third": tuple(0.2 * (2 / 3) ** step for step in range(15)),
}
"""Failure modes by the share of sessions that show them."""


def _rate(rate: float, draw: Random, n: int) -> Interval:
    return share_interval(sum(draw.random() < rate for _ in range(n)), n)


def _judged(world: tuple[float, float, float], draw: Random, n: int) -> Confusion:
    passing, tpr, tnr = world
    return Confusion.of(
        (draw.random() < (tpr if people else 1 - tnr), people)
        for people in (draw.random() < passing for _ in range(n))
    )


def _measured(name: str, world: tuple[float, float, float], draw: Random, n: int) -> Interval | None:
    """Return the interval of a figure of agreement; the judge scored four times as many sessions."""
    passing, tpr, tnr = world
    matrix = _judged(world, draw, n)
    if name == "kappa":
        found = kappa_between(matrix, "")
        return None if found.low is None or found.high is None else (found.low, found.high)
    rate = passing * tpr + (1 - passing) * (1 - tnr)
    more = sum(draw.random() < rate for _ in range(3 * n))
    found = getattr(measure(matrix, matrix.judge_passed + more, 4 * n), name)
    return None if found.low is None else (found.low, found.high)


def _agreements(name: str, world: tuple[float, float, float]) -> Figure:
    passing, tpr, tnr = world
    parts = (passing * tpr, (1 - passing) * (1 - tnr), passing * (1 - tpr), (1 - passing) * tnr)
    large = Confusion(*(round(LARGE * part) for part in parts))
    true = {"f1": large.f1, "kappa": kappa_of(large), "corrected_pass_rate": passing}[name]
    return Figure(true, partial(_measured, name, world))


def _two_people(same: float, passing: float, draw: Random, n: int) -> Interval | None:
    """Two people label each session: the same word in so many of them, else each by itself."""
    given = []
    for _ in range(n):
        first = draw.random() < passing
        second = first if draw.random() < same else draw.random() < passing
        given.append((first + second, 2 - first - second))
    found = alpha_between(given)
    return None if found.low is None or found.high is None else (found.low, found.high)


def _ranked(noise: float, steps: int, draw: Random, n: int) -> tuple[list[float], list[float]]:
    """Scores, and ratings in so many steps that follow them."""
    scores = [draw.betavariate(2, 1) for _ in range(n)]
    return scores, [round(min(1.0, max(0.0, one + draw.gauss(0, noise))) * steps) / steps for one in scores]


def _of_ranks(noise: float, steps: int) -> Figure:
    return Figure(
        spearman(*_ranked(noise, steps, Random(99), LARGE // 10)),
        lambda draw, n: spearman_interval(*_ranked(noise, steps, draw, n)),
        lambda draw, n: coverage_at_once.spearman_interval(*_ranked(noise, steps, draw, n)),
    )


REPLIES = 3
"""To each question: what they score and how they are rated hangs together."""


def _questions(noise: float, draw: Random, n: int) -> tuple[list[float], list[float], list[int]]:
    """Scores and ratings of n replies, both better where the question is easy; which question it was."""
    scores, ratings, asked = [], [], []
    for place in range(n):
        if place % REPLIES == 0:
            easy = draw.gauss(0, 1)
        own = draw.gauss(0, 1)
        scores.append(easy + own + draw.gauss(0, noise))
        ratings.append(float(round(easy + own + draw.gauss(0, noise))))
        asked.append(place // REPLIES)
    return scores, ratings, asked


def _of_questions(noise: float) -> Figure:
    large = _questions(noise, Random(99), LARGE // 10)
    return Figure(
        spearman(*large[:2]),
        lambda draw, n: spearman_interval(*_questions(noise, draw, n)),
        lambda draw, n: coverage_at_once.spearman_interval(*_questions(noise, draw, n)),
    )


def _of_areas_of_questions(noise: float) -> Figure:
    """Return the same where a rating above 0 is right."""

    def drawn(draw: Random, n: int) -> tuple[list[float], list[bool], list[int]]:
        scores, ratings, asked = _questions(noise, draw, n)
        return scores, [one > 0 for one in ratings], asked

    return Figure(
        area_under_curve(*drawn(Random(99), LARGE)[:2]),
        lambda draw, n: area_interval(*drawn(draw, n)),
        lambda draw, n: coverage_at_once.area_interval(*drawn(draw, n)),
    )


def _of_drift(agreed: tuple[float, float], strict: tuple[float, float]) -> Figure:
    """How much more somebody passes later. agreed, strict: of the first half and of the later one how often
    they say what others say, and how often they fail what they see otherwise.
    """

    def apart(half: int, draw: Random) -> float:
        if draw.random() < agreed[half]:
            return 0.0
        return -1.0 if draw.random() < strict[half] else 1.0

    def labels(draw: Random, n: int) -> list[float]:
        return [apart(int(place >= n / 2), draw) for place in range(n)]

    def interval(draw: Random, n: int) -> Interval | None:
        found = measured_drift("", "others", labels(draw, n))
        return None if found.low is None or found.high is None else (found.low, found.high)

    first, later = ((1 - same) * (1 - 2 * fails) for same, fails in zip(agreed, strict, strict=True))
    return Figure(later - first, interval, lambda draw, n: coverage_at_once.drift_interval(labels(draw, n)))


def _of_unseen(shares: Sequence[float]) -> Figure:
    """How often the next session shows a failure mode that none showed, less how often it truly does."""

    def interval(draw: Random, n: int) -> Interval | None:
        items = [{kind for kind, share in enumerate(shares) if draw.random() < share} for _ in range(n)]
        found = unseen_kinds(items)
        if found is None:
            return None
        known = set().union(*items)
        none_new = prod(1 - share for kind, share in enumerate(shares) if kind not in known)
        return none_new - 1, found.high - (1 - none_new)

    return Figure(0.0, interval)


def _rewarded(share: float, apart: float, draw: Random, n: int) -> tuple[list[float], list[bool]]:
    right = [draw.random() < share for _ in range(n)]
    return [round(draw.gauss(apart * one, 1), 1) for one in right], right


def _of_area(share: float, apart: float) -> Figure:
    return Figure(
        area_under_curve(*_rewarded(share, apart, Random(99), LARGE)),
        lambda draw, n: area_interval(*_rewarded(share, apart, draw, n)),
        lambda draw, n: coverage_at_once.area_interval(*_rewarded(share, apart, draw, n)),
    )


def _of_pairs(strengths: Mapping[str, float]) -> Figure:
    """How often the first of some groups is preferred, each pair of two groups drawn at random."""
    names = list(strengths)

    def preferred(draw: Random, n: int) -> list[Comparison]:
        found = []
        for place in range(n):
            one, other = draw.sample(names, 2)
            won = draw.random() < strengths[one] / (strengths[one] + strengths[other])
            found.append(Comparison(one, other, float(won), place))
        return found

    def interval(of: Callable[[list[Comparison]], Interval], draw: Random, n: int) -> Interval | None:
        found = preferred(draw, n)
        return of(found) if len(linked_groups(names, found)) == 1 else None

    return Figure(
        win_shares(strengths)[names[0]],
        partial(interval, lambda found: win_share_intervals(names, found)[names[0]]),
        partial(interval, partial(coverage_at_once.first_win_share_interval, names)),
    )


def figures() -> Iterator[tuple[str, str, Figure]]:
    """Yield what is measured: the figure, its world, and how it is drawn."""
    for name, world in CHANGES.items():
        yield "compare: change", name, _of_change(world)
    for rate in RATES:
        yield (
            "share: pass rate, TPR, TNR, precision, failure mode",
            f"{rate:.0%}",
            Figure(rate, partial(_rate, rate)),
        )
    for figure in ("f1", "kappa", "corrected_pass_rate"):
        for name, judge in JUDGES.items():
            yield f"agreement: {figure}", name, _agreements(figure, judge)
    for same, passing in ((0.6, 0.5), (0.8, 0.9), (0.0, 0.7)):
        world_name = f"{same:.0%} the same, {passing:.0%} pass"
        yield "agreement: alpha", world_name, Figure(same, partial(_two_people, same, passing))
    for first in (1.0, 3.0, 12.0):
        strengths = {"one": first, "two": 1.0, "three": 1.0}
        yield "pairs: win share", f"strength {first:g} beside two of 1", _of_pairs(strengths)
    for noise, steps in ((0.1, 100), (0.3, 4), (2.0, 4)):
        yield "bench: Spearman", f"noise {noise}, {steps} steps", _of_ranks(noise, steps)
    for part, apart in ((0.4, 0.0), (0.4, 1.2), (0.1, 1.2), (0.4, 2.5)):
        yield "bench: AUC", f"{part:.0%} right, {apart} apart", _of_area(part, apart)
    for noise in (0.5, 2.0):
        world_name = f"{REPLIES} replies to a question, noise {noise}"
        yield "clusters: Spearman", world_name, _of_questions(noise)
        yield "clusters: AUC", world_name, _of_areas_of_questions(noise)
    for agreed, strict in DRIFTS:
        told = f"agreed {agreed[0]:.0%} then {agreed[1]:.0%}, strict {strict[0]:.0%} then {strict[1]:.0%}"
        yield "people: drift", told, _of_drift(agreed, strict)
    for name, shares in MODES.items():
        yield "modes: chance of an unseen one", name, _of_unseen(shares)


def measured(figure: Figure, *, sets: int, seed: int, exact: int) -> dict[str, dict[str, float | None]]:
    """Return how often the interval held the truth, its width and how often it showed, by number of cases.

    Raises ValueError where what is reckoned at once differs from what users are shown.
    """
    found: dict[str, dict[str, float | None]] = {}
    for n in SIZES:
        draw = Random(seed * 1000 + n)
        shown = [one for number in range(sets) if (one := _interval(figure, draw, n, number < exact))]
        held = sum(low - 1e-9 <= figure.true <= high + 1e-9 for low, high in shown)
        found[str(n)] = {
            "holds": round(100 * held / len(shown), 1) if shown else None,
            "width": round(sum(high - low for low, high in shown) / len(shown), 3) if shown else None,
            "shown": round(100 * len(shown) / sets, 1),
        }
    return found


def _interval(figure: Figure, draw: Random, n: int, exact: bool) -> Interval | None:
    """Return what is shown of a set of n cases; None where nothing is. exact: by both ways, where two are."""
    if figure.at_once and not exact:
        return _shown(figure.at_once(draw, n))
    before = draw.getstate()
    usual = _shown(figure.shown(draw, n))
    if figure.at_once:
        draw.setstate(before)
        again = _shown(figure.at_once(draw, n))
        same = usual == again or (
            usual and again and all(isclose(*one, abs_tol=1e-9) for one in zip(usual, again, strict=True))
        )
        if not same:
            raise ValueError(f"users are shown {usual}, and at once it is {again}, of {n} cases")
    return usual


def _shown(interval: Interval | None) -> Interval | None:
    return None if interval is None or isnan(interval[0]) else interval


def main() -> None:
    """Print a line a world."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--only", default="", help="figures whose name holds this")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exact", type=int, default=3, help="sets reckoned in both ways")
    given = parser.parse_args()
    for name, world, figure in figures():
        if given.only in name:
            by_cases = measured(figure, sets=given.sets, seed=given.seed, exact=given.exact)
            line = {"figure": name, "world": world, "true": round(figure.true, 4), **by_cases}
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
