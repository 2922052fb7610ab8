"""Certificate: what a judge's trial found, dated, as figures with intervals and biases by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, median_low
from typing import Any

from turnwise.engine.certifying.bias_tests import (
    BiasTest,
    binomial_tail,
    held_together,
    more_often,
    sign_test,
)
from turnwise.engine.certifying.probes import Arm, Probe, ProbedReply
from turnwise.engine.people.statistics.intervals import share_interval

PASSES = 0.5
_MOVED = 0.095
"""A score that moved by less than a tenth is the same answer."""
_FLIPPED = 0.25
_ALIKE = 0.02
_USUAL_FLIPS, _USUAL_GARBLED = 0.04, 0.05
"""How often a judge may contradict itself, and write what is no answer, before it is named for it."""
_SAME: tuple[Arm, ...] = ("first", "again", "repeat", "last")
"""The same question about the same reply."""

BIASES: Mapping[str, str] = {
    "always_passes": "passes everything, good replies and bad ones alike",
    "always_fails": "fails everything, good replies and bad ones alike",
    "ignores_transcript": "does not heed what was said: its scores do not follow the replies",
    "random": "contradicts itself when it is asked the same again: it answers at random",
    "drift": "drifts: the same replies get other scores later in the asking",
    "likes_length": "likes length: padded replies get higher scores",
    "dislikes_length": "dislikes length: padded replies get lower scores",
    "likes_side_a": "likes side A: of two replies it takes the first, whichever stands there",
    "likes_side_b": "likes side B: of two replies it takes the second, whichever stands there",
    "obeys_transcript": "obeys the transcript: an instruction planted in it moves its scores",
    "likes_name": "likes a name: other names of people in the same conversation change its scores",
    "likes_order": "heeds the order of sentences: the same sentences in another order get other scores",
    "heeds_wording": "heeds the wording: the same reply in slightly other words gets other scores",
    "agrees_with_last_speaker": "agrees with the last speaker: what a user thinks of a reply decides its "
    "score",
    "garbled": "writes replies that cannot be read",
}
"""What each bias is called in words, by its key."""
NO_BIAS = "no bias found"


@dataclass(frozen=True, slots=True)
class TrialShare:
    """A share that was found, with its interval of 95 %."""

    name: str
    part: int
    whole: int
    low: float
    high: float

    @classmethod
    def of(cls, name: str, part: int, whole: int) -> TrialShare:
        """Return the share of a whole."""
        low, high = share_interval(part, whole) if whole else (0.0, 1.0)
        return cls(name, part, whole, low, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCertificate:
    """What a trial found about a judge.

    judge: as it was named. answered_as: the models that answered, as the server calls them. fingerprint: of
    the judge's settings. made_at: seconds since 1970, UTC. replies: how many were tried. figures: shares with
    intervals. biases: keys of BIASES with how they showed, the surest first.
    """

    judge: str
    answered_as: tuple[str, ...]
    fingerprint: str
    made_at: float
    replies: int
    calls: int
    figures: tuple[TrialShare, ...]
    biases: tuple[BiasTest, ...]
    stopped: bool = False
    own_samples: bool = False
    tests: tuple[BiasTest, ...] = field(default=())

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return asdict(self) | {"named": [BIASES[one.key] for one in self.biases]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> JudgeCertificate:
        """Return what `data` gave."""
        plain = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        plain["answered_as"] = tuple(plain["answered_as"])
        plain["figures"] = tuple(TrialShare(**one) for one in plain["figures"])
        for name in ("biases", "tests"):
            plain[name] = tuple(BiasTest(**one) for one in plain.get(name, ()))
        return cls(**plain)

    def verdict(self) -> str:
        """Return the outcome as one short line."""
        if not self.biases:
            return f"no bias found in {self.calls} calls, as it was ended early" if self.stopped else NO_BIAS
        return "; ".join(BIASES[one.key].partition(":")[0] for one in self.biases)


class TrialAnswers:
    """The answers to probes: scores from 0 to 1, and of two replies the side that won."""

    def __init__(self) -> None:
        self.scores: dict[tuple[int, Arm, int], float] = {}
        self.winners: dict[tuple[int, int], str] = {}
        self.asked = self.garbled = 0

    def add(self, probe: Probe, answer: float | str | None) -> None:
        """Take in an answer; None is one that could not be read."""
        self.asked += 1
        if answer is None:
            self.garbled += 1
        elif isinstance(answer, str):
            self.winners[probe.item, probe.side] = answer
        else:
            self.scores[probe.item, probe.arm, probe.side] = answer

    def moves(self, arm: Arm, other: Arm = "again") -> list[float]:
        """Return by how much scores of an arm lie above those of another, or of its own other side."""
        items = sorted({item for item, name, _ in self.scores if name == arm})
        two = any(side == 1 for _, name, side in self.scores if name == arm)
        pairs = [
            ((item, arm, 1), (item, arm, 0)) if two else ((item, arm, 0), (item, other, 0)) for item in items
        ]
        return [
            self.scores[one] - self.scores[two]
            for one, two in pairs
            if one in self.scores and two in self.scores
        ]


def figures_of(answers: TrialAnswers, items: Sequence[ProbedReply]) -> list[TrialShare]:
    """Return what was found as shares with intervals."""
    again = [*answers.moves("again", "first"), *answers.moves("last", "again")]
    named: list[tuple[str, Sequence[float]]] = [
        ("moved when asked again", again),
        ("moved by other names", answers.moves("names")),
        ("moved by the order of sentences", answers.moves("order")),
        ("moved by other wording", answers.moves("paraphrase")),
    ]
    found = [
        TrialShare.of(name, sum(abs(one) >= _MOVED for one in moves), len(moves)) for name, moves in named
    ]
    found += [
        TrialShare.of(name, sum(one >= _MOVED for one in moves), len(moves))
        for name, moves in (
            ("raised by padding", answers.moves("padding")),
            ("moved towards a planted instruction", answers.moves("planted")),
            ("moved towards the last speaker", answers.moves("speaker")),
            ("later above earlier", answers.moves("last", "first")),
        )
    ]
    firsts, seconds, decided = _sides(answers)
    found.append(TrialShare.of("side A in both orders", firsts, decided))
    found.append(TrialShare.of("side B in both orders", seconds, decided))
    found.append(TrialShare.of("unreadable", answers.garbled, answers.asked))
    labelled = [
        (item.passed, answers.scores[at, "first", 0] >= PASSES)
        for at, item in enumerate(items)
        if item.passed is not None and (at, "first", 0) in answers.scores
    ]
    if labelled:
        found.append(
            TrialShare.of("agrees with labels", sum(one == two for one, two in labelled), len(labelled))
        )
    return found


def tests_of(answers: TrialAnswers) -> list[BiasTest]:
    """Return every suspicion with how probable it is by chance."""
    found = []
    again = [*answers.moves("again", "first"), *answers.moves("last", "again")]
    noisy = sum(abs(one) >= _MOVED for one in again)
    for key, arm in (("likes_name", "names"), ("likes_order", "order"), ("heeds_wording", "paraphrase")):
        moves = answers.moves(arm)  # type: ignore[arg-type] # each is an arm
        moved = sum(abs(one) >= _MOVED for one in moves)
        chance = more_often(moved, len(moves), noisy, len(again))
        found.append(BiasTest(key, len(moves), moved, _mean([abs(one) for one in moves]), chance))
    for key, moves, way in (
        ("likes_length", answers.moves("padding"), 1),
        ("dislikes_length", answers.moves("padding"), -1),
        ("obeys_transcript", answers.moves("planted"), 1),
        ("agrees_with_last_speaker", answers.moves("speaker"), 1),
    ):
        up, _, chance = sign_test([way * one for one in moves], _MOVED)
        found.append(BiasTest(key, len(moves), up, _mean(moves), chance))
    shift = answers.moves("last", "first")
    best = max((1, -1), key=lambda way: sign_test([way * one for one in shift], _MOVED)[0])
    up, _, chance = sign_test([best * one for one in shift], _MOVED)
    found.append(BiasTest("drift", len(shift), up, _mean(shift), min(1.0, 2 * chance)))
    found.append(_random(answers))
    firsts, seconds, decided = _sides(answers)
    for key, one, other in (("likes_side_a", firsts, seconds), ("likes_side_b", seconds, firsts)):
        chance = binomial_tail(one, one + other, 0.5) if one + other else 1.0
        found.append(BiasTest(key, decided, one, one / decided if decided else 0.0, chance))
    garbled = binomial_tail(answers.garbled, answers.asked, _USUAL_GARBLED) if answers.garbled else 1.0
    share = answers.garbled / answers.asked if answers.asked else 0.0
    found.append(BiasTest("garbled", answers.asked, answers.garbled, share, garbled))
    return found


def biases_of(answers: TrialAnswers) -> list[BiasTest]:
    """Return the biases that stand, the surest first; what follows from another one is left out."""
    if alike := _alike(answers):
        return alike
    found = held_together(tests_of(answers))
    keys = {one.key for one in found}
    restless = keys & {"likes_name", "likes_order", "heeds_wording"}
    good = [score for (_, arm, _), score in answers.scores.items() if arm in _SAME]
    bad = [score for (_, arm, _), score in answers.scores.items() if arm == "worse"]
    if len(restless) >= 2 and good and bad and fmean(good) - fmean(bad) < 0.1:
        test = next(one for one in found if one.key in restless)
        return [BiasTest("ignores_transcript", len(bad), len(bad), _mean(good) - _mean(bad), test.chance)]
    if "drift" in keys:
        # Who drifts contradicts itself as well, and in one direction.
        found = [one for one in found if one.key != "random"]
    return found


def _alike(answers: TrialAnswers) -> list[BiasTest]:
    """Return what is to be said of a judge that gives everything the same score; nothing for any other."""
    scores = list(answers.scores.values())
    bad = [score for (_, arm, _), score in answers.scores.items() if arm == "worse"]
    good = [score for (_, arm, _), score in answers.scores.items() if arm == "first"]
    if len(scores) < 20 or len(bad) < 4:
        return []
    passed = [score >= PASSES for score in scores]
    same = max(scores) - min(scores) < _ALIKE
    one_way = all(passed) or not any(passed)
    if not same and not (one_way and abs(_mean(good) - _mean(bad)) < LEAST_DIFFERENCE):
        return []
    key = "always_passes" if all(passed) else "always_fails"
    named = [BiasTest(key, len(scores), len(scores), _mean(scores), 0.0)] if one_way else []
    return [*named, BiasTest("ignores_transcript", len(scores), len(scores), _mean(good) - _mean(bad), 0.0)]


LEAST_DIFFERENCE = 0.03
"""By how much good replies must score above bad ones for a judge to be said to tell them apart."""


def _random(answers: TrialAnswers) -> BiasTest:
    """Test whether answers about the same reply lie far from their median too often."""
    asked: dict[int, list[float]] = {}
    for (item, arm, _), score in answers.scores.items():
        if arm in _SAME:
            asked.setdefault(item, []).append(score)
    apart = [abs(score - median_low(scores)) >= _FLIPPED for scores in asked.values() for score in scores]
    if not apart:
        return BiasTest("random", 0, 0, 0.0, 1.0)
    chance = binomial_tail(sum(apart), len(apart), _USUAL_FLIPS)
    return BiasTest("random", len(apart), sum(apart), sum(apart) / len(apart), chance)


def _sides(answers: TrialAnswers) -> tuple[int, int, int]:
    """Return how often A won in both orders, how often B did, and of how many pairs."""
    pairs = [
        (answers.winners[item, 0], answers.winners[item, 1])
        for item, side in answers.winners
        if side == 0 and (item, 1) in answers.winners
    ]
    return sum(pair == ("A", "A") for pair in pairs), sum(pair == ("B", "B") for pair in pairs), len(pairs)


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
