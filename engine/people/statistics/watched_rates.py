"""Watched rates: a pass rate whose interval holds at every look, and whose label narrows it most.

    design = Design(sizes=(600, 200, 40), within=0.05)
    chances = design.chances(draws)              # of each session that is left, by its stratum
    watched_rate(design, draws)                  # 71 %, 64 to 77 %, about 40 more labels

There is a population of N sessions, divided into strata that are alike to a judge. Sessions are drawn
without replacement, each with a chance that is known before it is drawn; what people say of the earlier ones
tells how probably those of a stratum pass (a control variate), and where drawing pays. How it works, and from
which papers: docs/explanation/watched-rates.md. A judge that tells nothing leaves all strata alike, and
drawing at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, log, log1p, sqrt

from turnwise.engine.people.statistics.fair_bets import Bet, fastest_bet
from turnwise.engine.people.statistics.stratum_rates import SeenStrata

LEVEL = 0.95
MOST_STAKED = 0.8
"""So much of what was won may be lost with one label, at the most."""
AIM = 1.25
"""The bets aim so much wider than the interval is to be: luck then closes it sooner, on the whole."""
MOST_UNEVEN = 4.0
"""One end is aimed at so many times as far from the rate as the other, at the most."""
_PASSING = log(2 / (1 - LEVEL))


@dataclass(frozen=True, slots=True)
class Draw:
    """A session that was drawn. chances: of one session of each stratum to be drawn when this one was.

    passed: what people say of it; None where they do not say.
    """

    stratum: int
    chances: tuple[float, ...]
    passed: bool | None


@dataclass(frozen=True, slots=True)
class WatchedRate:
    """The pass rate of a population, as far as labels tell.

    value: unbiased, before it is put between low and high; None without labels. low, high: hold the true rate
    at all times together in 95 of 100 populations. labels: how many sessions people passed or failed.
    undecided: how many were drawn on which they do not say either, which count as failed for the low end and
    as passed for the high end. more: about how many labels the interval still needs to be no wider than
    `within` to either side; 0 where it is. of: how many sessions the rate is of.
    """

    value: float | None
    low: float
    high: float
    labels: int
    undecided: int
    more: int
    within: float
    of: int


@dataclass(frozen=True)
class Design:
    """How a population is drawn from. sizes: of the strata. within: how wide to either side is aimed at.

    Raises ValueError where there is no session, or `within` is not above 0 and at most 0.5.
    """

    sizes: tuple[int, ...]
    within: float = 0.05

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn from."""
        if not self.sizes or min(self.sizes) < 0 or not sum(self.sizes):
            raise ValueError("no session to draw")
        if not 0 < self.within <= 0.5:
            raise ValueError("an interval is aimed at above 0 and up to 0.5 to either side")

    @cached_property
    def total(self) -> int:
        """How many sessions there are."""
        return sum(self.sizes)

    def chances(self, draws: Sequence[Draw]) -> tuple[float, ...]:
        """Return with which chance each session that is left is drawn next, by its stratum.

        More where people are less predictable. An undecided draw counts as half a pass. All sessions that are
        left have 1 together.
        """
        return _seen(self, draws).chances()


def _seen(design: Design, draws: Sequence[Draw]) -> SeenStrata:
    """Return what draws showed of each stratum. An undecided one counts as half a pass."""
    seen = SeenStrata(design.sizes)
    for one in draws:
        seen.take(one.stratum, 0.5 if one.passed is None else float(one.passed))
    return seen


@dataclass(frozen=True, slots=True)
class _Step:
    """A bet and what came of it. known: how many passed before. left: how many sessions were left.

    found: an unbiased estimate of the pass rate of those that were left. least: the least it could have been.
    """

    known: int
    left: int
    found: float
    least: float
    stake: float


def _steps(design: Design, draws: Sequence[Draw], unsaid: bool) -> Iterator[tuple[_Step, _Step]]:
    """Yield of each draw the bets on more passing and on more failing sessions; the latter counts failures.

    unsaid: what people are taken to say where they do not.
    """
    seen = SeenStrata(design.sizes)
    known, uneven = 0, 1.0
    for place, one in enumerate(draws):
        passed = unsaid if one.passed is None else one.passed
        left, rates = sum(seen.left), seen.rates()
        shares = [n / left for n in seen.left]
        chances = [n * chance for n, chance in zip(seen.left, one.chances, strict=True)]
        width = 2 * AIM * design.total * design.within / left
        below, low_gap = fastest_bet(rates, shares, chances, width * uneven / (1 + uneven))
        above, high_gap = fastest_bet([1 - rate for rate in rates], shares, chances, width / (1 + uneven))
        yield (
            _step(below, known, left, one.stratum, passed),
            _step(above, place - known, left, one.stratum, not passed),
        )
        # Both ends arrive together where a bet against either wins as fast.
        uneven = sqrt(above.stake / high_gap / (below.stake / low_gap))
        uneven = min(MOST_UNEVEN, max(1 / MOST_UNEVEN, uneven))
        seen.take(one.stratum, passed)
        known += passed


def _step(bet: Bet, known: int, left: int, stratum: int, passed: bool) -> _Step:
    return _Step(known, left, bet.found(stratum, passed), bet.least, bet.stake)


def _both_sides(design: Design, draws: Sequence[Draw]) -> tuple[list[_Step], list[_Step]]:
    """Return the bets for the low end and for the high end: what people do not say counts against both."""
    counted_as_failed = list(_steps(design, draws, False))
    said = all(one.passed is not None for one in draws)
    counted_as_passed = counted_as_failed if said else list(_steps(design, draws, True))
    return [low for low, _ in counted_as_failed], [high for _, high in counted_as_passed]


def _won(steps: Sequence[_Step], passing: float) -> Iterator[float]:
    """Yield the logarithm of what a bet that more than `passing` sessions pass made of 1, after each draw.

    If just so many pass, the mean of what it makes of 1 is at most 1 at all times (a martingale), so that it
    ever reaches 40 in one of 40 populations at the most. Infinite once more of them are known to pass.
    """
    won = 0.0
    for one in steps:
        mean = (passing - one.known) / one.left
        if mean < -1e-12:
            won = inf
        elif mean <= 1:
            stake = min(one.stake, MOST_STAKED / max(mean - one.least, 1e-12))
            won += log1p(stake * (one.found - mean))
        yield won


def _low_end(design: Design, steps: Sequence[_Step], known: float) -> int:
    """Return the least number of passing sessions that no bet against it ever refuted, by halving.

    What a bet wins falls as the number that it is against rises.
    """
    low, high = int(known), design.total
    while low < high:
        middle = (low + high) // 2
        if any(won >= _PASSING for won in _won(steps, middle)):
            low = middle + 1
        else:
            high = middle
    return low


def watched_rate(design: Design, draws: Sequence[Draw]) -> WatchedRate:
    """Return what draws tell so far, in the order in which they were made.

    Those at the end that nobody labelled yet are to be left out by who asks. Takes about 30 ms for 500 draws.
    """
    total = design.total
    low_steps, high_steps = _both_sides(design, draws)
    passed = sum(one.passed is True for one in draws)
    failed = sum(one.passed is False for one in draws)
    low = _low_end(design, low_steps, passed) / total
    high = 1 - _low_end(design, high_steps, failed) / total
    # What cannot be at all, one time in twenty, is shown as the point that is nearest to both.
    low, high = (low, high) if low <= high else ((low + high) / 2,) * 2
    value = _estimate(total, low_steps, high_steps)
    decided = passed + failed
    done = high - low <= 2 * design.within + 1e-9
    more = 0 if done else max(1, _more(design, draws, low_steps, high_steps, (low + high) / 2))
    return WatchedRate(
        None if value is None else min(high, max(low, value)),
        low,
        high,
        decided,
        len(draws) - decided,
        more,
        design.within,
        total,
    )


def unbiased_rate(design: Design, draws: Sequence[Draw]) -> float | None:
    """Return the estimate of the pass rate, whose mean over all that could have been drawn is the true rate.

    It may lie outside 0 to 1; None without draws. Undecided draws count as half a pass.
    """
    return _estimate(design.total, *_both_sides(design, draws))


def _estimate(total: int, low: Sequence[_Step], high: Sequence[_Step]) -> float | None:
    """Return the mean of the unbiased estimates that single draws give of the whole rate, from both sides.

    A later draw weighs more, because less is left unknown; its weight depends on its place alone, so that the
    mean is unbiased, too.
    """
    if not low:
        return None
    passing = sum((one.known + one.left * one.found) / one.left**2 for one in low)
    failing = sum((one.known + one.left * one.found) / one.left**2 for one in high)
    weight = sum(one.left**-2 for one in low)
    return (1 + (passing - failing) / (total * weight)) / 2


def _more(
    design: Design, draws: Sequence[Draw], low: Sequence[_Step], high: Sequence[_Step], middle: float
) -> int:
    """Return how many labels it takes, at the speed that is to be expected, to narrow the interval."""
    seen = _seen(design, draws)
    left, rates = sum(seen.left), seen.rates()
    if not left:
        return 0
    variance = sum(
        n * rate * (1 - rate) / chance
        for n, rate, chance in zip(seen.left, rates, seen.chances(), strict=True)
        if n
    ) / (left * left)
    ends = ((low, middle - design.within), (high, 1 - middle - design.within))
    won = sum(
        max(_won(steps, design.total * rate), default=0.0) if rate > 0 else _PASSING for steps, rate in ends
    )
    labels = 0
    while won < 2 * _PASSING and labels < left:
        gap = design.total * design.within / (left - labels)
        won += log1p(gap * gap / variance)
        labels += 1
    return labels
