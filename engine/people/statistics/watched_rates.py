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
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, log, log1p, sqrt

LEVEL = 0.95
EVEN_SHARE = 0.3
"""So much of every chance is the same for all sessions, so that none is ever passed over."""
MOST_STAKED = 0.8
"""So much of what was won may be lost with one label, at the most."""
SIGNAL = 3.0
"""Strata count as different once they differ by so many standard deviations more than chance makes them."""
_LEAST_WEIGHT = 0.5
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
        seen = _Seen(self.sizes)
        for one in draws:
            seen.take(one.stratum, 0.5 if one.passed is None else float(one.passed))
        return seen.chances()


class _Seen:
    """What is known of each stratum after some draws."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.left = list(sizes)
        self.drawn = [0] * len(sizes)
        self.passed = [0.0] * len(sizes)

    def take(self, stratum: int, passed: float) -> None:
        """Note what one draw showed."""
        self.left[stratum] -= 1
        self.drawn[stratum] += 1
        self.passed[stratum] += passed

    def rates(self) -> list[float]:
        """Return how probably a session of each stratum passes: its own rate, drawn towards that of all.

        How far follows from how much more the strata differ than chance makes them (empirical Bayes); where
        that is no more than chance does, all have the same rate.
        """
        return self._rates_and_weight()[0]

    def _rates_and_weight(self) -> tuple[list[float], float]:
        count, passed = sum(self.drawn), sum(self.passed)
        rate = (passed + 0.5) / (count + 1)
        spread = rate * (1 - rate)
        begun = sum(n > 0 for n in self.drawn) - 1
        if begun < 1:
            return [rate] * len(self.left), inf
        mean = passed / count
        pairs = list(zip(self.drawn, self.passed, strict=True))
        differing = sum(n * (s / n - mean) ** 2 for n, s in pairs if n) / spread
        if differing <= begun + SIGNAL * sqrt(2 * begun):
            return [rate] * len(self.left), inf
        between = (differing - begun) * spread / (count - sum(n * n for n in self.drawn) / count)
        weight = max(_LEAST_WEIGHT, spread / between)
        return [(s + weight * rate) / (n + weight) for n, s in pairs], weight

    def spreads(self) -> list[float]:
        """Return the variance of a label in each stratum, never 0: what was not seen yet may come."""
        rates, weight = self._rates_and_weight()
        found = []
        for rate, n in zip(rates, self.drawn, strict=True):
            least = 0.5 / (n + weight + 1)
            found.append(max(rate * (1 - rate), least * (1 - least)))
        return found

    def chances(self) -> tuple[float, ...]:
        """Return the chance of a session of each stratum, as `Design.chances` says; source: Neyman (1934)."""
        left, roots = sum(self.left), [sqrt(one) for one in self.spreads()]
        if not left:
            return (0.0,) * len(roots)
        whole = sum(n * root for n, root in zip(self.left, roots, strict=True))
        return tuple((1 - EVEN_SHARE) * root / whole + EVEN_SHARE / left for root in roots)


@dataclass(frozen=True, slots=True)
class _Step:
    """One draw as a bet. found: an unbiased estimate of the pass rate of the sessions that were left.

    known: how many passed before. left: how many sessions were left. least, most: between which `found` could
    have been. stake: how much is bet on it. variance: of found, as was expected.
    """

    known: float
    left: int
    found: float
    least: float
    most: float
    stake: float
    variance: float

    def mirrored(self, before: int) -> _Step:
        """Return the same draw, failures counted. before: how many draws came before it."""
        return replace(
            self, known=before - self.known, found=1 - self.found, least=1 - self.most, most=1 - self.least
        )


def _steps(design: Design, draws: Sequence[Draw], unsaid: bool) -> Iterator[_Step]:
    """Yield the bets. unsaid: what people are taken to say where they do not."""
    seen = _Seen(design.sizes)
    known = 0
    for one in draws:
        passed = unsaid if one.passed is None else one.passed
        left, rates, spreads = sum(seen.left), seen.rates(), seen.spreads()
        there = [(n, *rest) for n, *rest in zip(seen.left, rates, spreads, one.chances, strict=True) if n]
        foretold = sum(n * rate for n, rate, _, _ in there) / left
        variance = sum(n * spread / chance for n, _, spread, chance in there) / left**2
        gap = design.total * design.within / left
        yield _Step(
            known,
            left,
            foretold + (passed - rates[one.stratum]) / (one.chances[one.stratum] * left),
            foretold - max(rate / (chance * left) for _, rate, _, chance in there),
            foretold + max((1 - rate) / (chance * left) for _, rate, _, chance in there),
            gap / (variance + gap * gap),
            variance,
        )
        seen.take(one.stratum, passed)
        known += passed


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
    low_steps, high_steps = (list(_steps(design, draws, unsaid)) for unsaid in (False, True))
    mirrored = [one.mirrored(place) for place, one in enumerate(high_steps)]
    passed = sum(one.passed is True for one in draws)
    failed = sum(one.passed is False for one in draws)
    low = _low_end(design, low_steps, passed) / total
    high = 1 - _low_end(design, mirrored, failed) / total
    # What cannot be at all, one time in twenty, is shown as the point that is nearest to both.
    low, high = (low, high) if low <= high else ((low + high) / 2,) * 2
    value = _estimate(total, low_steps, high_steps)
    decided = passed + failed
    more = _more(design, draws, low_steps, mirrored, (low + high) / 2)
    done = high - low <= 2 * design.within + 1e-9
    return WatchedRate(
        None if value is None else min(high, max(low, value)),
        low,
        high,
        decided,
        len(draws) - decided,
        0 if done else max(1, more),
        design.within,
        total,
    )


def unbiased_rate(design: Design, draws: Sequence[Draw]) -> float | None:
    """Return the estimate of the pass rate, whose mean over all that could have been drawn is the true rate.

    It may lie outside 0 to 1; None without draws. Undecided draws count as half a pass.
    """
    return _estimate(design.total, *(list(_steps(design, draws, unsaid)) for unsaid in (False, True)))


def _estimate(total: int, *series: Sequence[_Step]) -> float | None:
    """Return the mean of the unbiased estimates that single draws give of the whole rate.

    A later draw weighs more, because less is left unknown; its weight depends on its place alone, so that the
    mean is unbiased, too.
    """
    if not series[0]:
        return None
    found = [(one.left**-2, (one.known + one.left * one.found) / total) for steps in series for one in steps]
    return sum(weight * rate for weight, rate in found) / sum(weight for weight, _ in found)


def _more(
    design: Design, draws: Sequence[Draw], low: Sequence[_Step], high: Sequence[_Step], middle: float
) -> int:
    """Return how many labels it takes, at the speed that is to be expected, to narrow the interval."""
    seen = _Seen(design.sizes)
    for one in draws:
        seen.take(one.stratum, 0.5 if one.passed is None else float(one.passed))
    left = sum(seen.left)
    if not left:
        return 0
    variance = sum(
        n * v / q for n, v, q in zip(seen.left, seen.spreads(), seen.chances(), strict=True) if n
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
