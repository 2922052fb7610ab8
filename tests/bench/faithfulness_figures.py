"""What words tell of a reply's faithfulness on MT-RAG, for `faithfulness_bench.py`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from turnwise.engine.metrics.deterministic.content_words import content_words
from turnwise.engine.metrics.deterministic.knowledge_precision import _DENIAL, NOTHING_CLAIMED
from turnwise.engine.metrics.statements import split_sentences

PRECISION = "knowledge_precision"


@dataclass(frozen=True)
class RatedReply:
    """A reply with its passages, the question and what was said before it, and each person's rating.

    before: what was said before the question. asked_before: the question before it, empty for the first.
    """

    conversation: str
    model: str
    reply: str
    passages: tuple[str, ...]
    question: str
    before: str
    asked_before: str
    ratings: tuple[float, ...]


def replies_in(path: Path) -> list[RatedReply]:
    """Read the rated replies of a file of MT-RAG."""
    held = json.loads(path.read_text(encoding="utf-8"))
    texts = {one["document_id"]: one["text"] for one in held["documents"]}
    tasks = {one["task_id"]: one for one in held["tasks"]}
    return [_reply(one, tasks[one["task_id"]], texts) for one in held["evaluations"]]


def _reply(one: dict[str, Any], task: dict[str, Any], texts: dict[str, str]) -> RatedReply:
    earlier = task["input"][:-1]
    asked = [turn["text"] for turn in earlier if turn["speaker"] == "user"]
    return RatedReply(
        conversation=one["task_id"].partition("<")[0],
        model=one["model_id"],
        reply=one["model_response"],
        passages=tuple(texts[passage["document_id"]] for passage in task["contexts"]),
        question=task["input"][-1]["text"],
        before=" ".join(turn["text"] for turn in earlier),
        asked_before=asked[-1] if asked else "",
        ratings=tuple(float(said["value"]) for said in one["annotations"]["faithfulness"].values()),
    )


def words(text: str) -> list[str]:
    """Return the content words of a text."""
    return [word for word, _ in content_words(text)]


def declines(sentence: str) -> bool:
    """Tell whether a sentence says that the answer is not known."""
    return bool(_DENIAL.search(sentence))


def claims_in(reply: str) -> list[str]:
    """Return the sentences of a reply that claim something."""
    return [one for one in split_sentences(reply) if not declines(one) and words(one)]


def share_declined(reply: str) -> float:
    """Return the share of a reply's sentences that say that the answer is not known."""
    return fmean([declines(one) for one in split_sentences(reply)] or [True])


def figures(one: RatedReply) -> dict[str, float]:
    """Return what words tell of a reply."""
    passages = [words(passage) for passage in one.passages]
    held = {word for passage in passages for word in passage}
    claims = claims_in(one.reply)
    said = [word for claim in claims for word in words(claim)]
    asked = set(words(one.question))
    names = [found.casefold() for claim in claims for found in re.findall(r"(?<=\s)[A-Z][\w-]+", claim)]
    sources = " ".join((*one.passages, one.question, one.before)).casefold()
    precision = share(said, held.__contains__, NOTHING_CLAIMED)
    runs = {count: {run for passage in passages for run in runs_of(passage, count)} for count in (2, 3)}
    return {
        PRECISION: precision,
        "different words": share(sorted(set(said)), held.__contains__, NOTHING_CLAIMED),
        "words that the question lacks": share(
            [word for word in said if word not in asked], held.__contains__, NOTHING_CLAIMED
        ),
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
        "longest missing run": -math.log1p(
            max((missing_run(words(claim), held) for claim in claims), default=0)
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
        "says it does not know": share_declined(one.reply),
        "passage length": math.log1p(sum(map(len, passages))),
        "reply length": math.log1p(len(said)),
    }


def share(items: Sequence[Any], holds: Callable[[Any], bool], empty: float) -> float:
    """Return the share of items for which something holds; `empty` for none."""
    return sum(map(holds, items)) / len(items) if items else empty


def missing_run(said: Sequence[str], held: set[str]) -> int:
    """Return how many words in a row the passages lack at most."""
    longest = run = 0
    for word in said:
        run = 0 if word in held else run + 1
        longest = max(longest, run)
    return longest


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
