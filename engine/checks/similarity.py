"""Checks of how like an output is to a text: by letters, by words in common, by embeddings."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text, words
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, measured, yes_or_no
from turnwise.engine.packages import package

_ABBREVIATION = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]\.[A-Za-z]\.\s*\Z")
_NO_SHARED_SEQUENCE = 1e-7
"""What stands for a precision of 0 in BLEU, so that one missing length does not make the product 0."""


def levenshtein(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether so many edits (5) make the output the value; an edit is of one UTF-16 unit."""
    distance_module = package("rapidfuzz.distance", extra="checks")
    (expected,) = _references(check, several=False)
    threshold = 5 if check.threshold is None else check.threshold
    distance = distance_module.Levenshtein.distance(_units(answer.text), _units(expected))
    return yes_or_no(
        check,
        distance <= threshold,
        expected=f"be at most {threshold:g} edits from the value; it is {distance}",
    )


def _units(text: str) -> str | array[int]:
    if text.isascii() or max(text) <= "\uffff":
        return text
    return array("H", text.encode("utf-16-le", "surrogatepass"))


def rouge_n(check: Check, answer: Answer, asker: Asker) -> Finding:
    """ROUGE-1: the F1 of the words that output and value share, in small letters. Threshold 0.75.

    Source: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"; words are cut as in the
    Penn Treebank.
    """
    # The package cuts words as the Treebank does; it counts no ROUGE, and rouge-score cuts words otherwise.
    treebank = package("nltk.tokenize.treebank", extra="checks").TreebankWordTokenizer()
    (reference,) = _references(check, several=False)
    ours, theirs = (Counter(_cut(treebank, text.lower())) for text in (answer.text, reference))
    total = ours.total() + theirs.total()
    score = 2 * (ours & theirs).total() / total if total else 0.0
    return measured(check, score, threshold=_threshold(check, 0.75), name="ROUGE-1")


def _cut(treebank: Any, text: str) -> list[str]:
    """Return the words of a text; an abbreviation like e.g. at its end keeps its full stop."""
    words_of: list[str] = treebank.tokenize(text)
    if words_of and words_of[-1] == "." and _ABBREVIATION.search(text):
        words_of[-2:] = ["".join(words_of[-2:])]
    return words_of


def bleu(check: Check, answer: Answer, asker: Asker) -> Finding:
    """BLEU of one sentence against one or more values, sequences of up to four words. Threshold 0.5.

    Source: Papineni and others 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation", with
    the brevity penalty against the nearest reference length, over the lengths that the output has. A
    precision of 0 counts as 1e-7. sacrebleu divides that by the number of sequences, and so does not agree.
    """
    ours = words(answer.text.lower())
    theirs = [words(text.lower()) for text in _references(check)]
    return measured(check, bleu_score(ours, theirs), threshold=_threshold(check, 0.5), name="BLEU")


def bleu_score(ours: Sequence[str], theirs: Sequence[Sequence[str]]) -> float:
    """Return the BLEU of words against references, 0 to 1."""
    if not ours:
        return 0.0
    logs: list[float] = []
    for length in range(1, min(4, len(ours)) + 1):
        counts = _sequences(ours, length)
        shared = max((counts & _sequences(reference, length)).total() for reference in theirs)
        logs.append(math.log(shared / counts.total() or _NO_SHARED_SEQUENCE))
    nearest = min((len(reference) for reference in theirs), key=lambda size: (abs(size - len(ours)), size))
    penalty = min(0.0, 1 - nearest / len(ours))
    return math.exp(penalty + math.fsum(logs) / len(logs))


def _sequences(tokens: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + length]) for start in range(len(tokens) - length + 1))


def gleu(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Google's BLEU: of sequences of one to four words, the lesser of precision and recall. Threshold 0.5."""
    module: Any = package("nltk.translate.gleu_score", extra="checks")
    references = [_without_full_stops(text.lower()) for text in _references(check)]
    ours = _without_full_stops(answer.text.lower())
    # Full stops alone are no words, and share nothing with each other.
    score = float(module.sentence_gleu(references, ours)) if any(ours) else 0.0
    return measured(check, score, threshold=_threshold(check, 0.5), name="GLEU")


def meteor(check: Check, answer: Answer, asker: Asker) -> Finding:
    """METEOR by words and their stems; synonyms are not counted, as no word net is here. Threshold 0.5."""
    module: Any = package("nltk.translate.meteor_score", extra="checks")
    settings = {
        name: float(check.options[name]) for name in ("alpha", "beta", "gamma") if name in check.options
    }
    ours = _without_full_stops(answer.text)
    scores = [
        module.single_meteor_score(_without_full_stops(text), ours, wordnet=_NoSynonyms(), **settings)
        for text in _references(check)
    ]
    return measured(check, float(max(scores)), threshold=_threshold(check, 0.5), name="METEOR")


def no_meteor(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Raise SettingError: promptfoo looks for its stemmer before it has loaded it."""
    raise SettingError("promptfoo cannot compute METEOR", next_step="Leave out --compat.")


class _NoSynonyms:
    """A word net without words."""

    def synsets(self, word: str) -> list[Any]:
        """Return the meanings of a word: none."""
        return []


def _without_full_stops(text: str) -> list[str]:
    return [word.rstrip(".") for word in words(text)]


def _references(check: Check, *, several: bool = True) -> list[str]:
    if isinstance(check.value, str):
        return [check.value]
    listed = check.value if several and isinstance(check.value, (list, tuple)) else ()
    if listed and all(isinstance(item, str) for item in listed):
        return list(listed)
    raise SettingError(
        f"{check.type} needs a text{' or a list of texts' if several else ''} to compare with",
        next_step="Give it a value.",
    )


def _threshold(check: Check, default: float) -> float:
    return default if check.threshold is None else check.threshold


_NEAR = 0.75
TOLERANCE = 1e-9
"""What rounding may take from a likeness that reaches its threshold exactly."""
_KINDS = ("embedding", "embeddings")

Vector = Sequence[float]


async def similar(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the answer is near enough to the value, or to one of its texts, by the cosine. Threshold 0.75.

    similar:dot goes by the dot product, similar:euclidean by the distance, of which the threshold is then the
    most and the score 1 / (1 + distance). Negated, it must not be near to any; the score is 1 minus that.
    """
    value = check.value if isinstance(check.value, (list, tuple)) else [check.value]
    texts = [as_text(text) for text in value if text not in (None, "")]
    if not texts:
        raise SettingError(f"{check.type} needs a text to compare with", next_step="Give it a value.")
    if not answer.text.strip():
        return nothing_said(check)
    own, *others = await asker.embed([answer.text, *texts], model=embedding_model(check, asker))
    threshold = _NEAR if check.threshold is None else check.threshold
    by_distance = check.type.endswith(":euclidean")
    if by_distance:
        nearest = min(math.dist(own, other) for other in others)
        holds, score, name = nearest <= threshold + TOLERANCE, 1 / (1 + nearest), "Distance"
    else:
        measure = dot_product if check.type.endswith(":dot") else cosine
        nearest = max(measure(own, other) for other in others)
        holds, score, name = nearest >= threshold - TOLERANCE, nearest, "Similarity"
    relation = ("is within" if holds else "is above") if by_distance else relation_of(holds)
    return Finding(
        passed=holds != check.negate,
        score=1 - score if check.negate else score,
        reason=f"{name} {nearest:.4f} {relation} the threshold {threshold:g}",
    )


def embedding_model(check: Check, asker: Asker) -> str:
    """Return the model that a file wants vectors from; empty where it names none, or the user names another.

    Raises NotFoundError where it names one that no OpenAI-compatible server has.
    """
    if asker.reach.embedder is not None:
        return ""
    provider = check.options.get("provider")
    if isinstance(provider, Mapping) and "embedding" in provider:
        provider = provider["embedding"]
    elif isinstance(provider, Mapping) and "id" not in provider:
        return ""
    name = provider.get("id") if isinstance(provider, Mapping) else provider
    if not isinstance(name, str) or not name:
        return ""
    parts = name.split(":")
    if parts[0] == "openai" and len(parts) > 1:
        named = parts[2:] if parts[1] in _KINDS else parts[1:]
        # A chat model that is named for the questions gives no vectors.
        return ":".join(named) if parts[1] in _KINDS or "embedding" in parts[1] else ""
    raise NotFoundError(
        f"The file wants embeddings of {name}, which turnwise does not ask",
        next_step="Leave out its provider, and name a model with --embeddings.",
    )


def nothing_said(check: Check) -> Finding:
    """Return what is found in an empty answer, of which servers refuse to make a vector."""
    return Finding(passed=check.negate, score=float(check.negate), reason="The answer is empty")


def relation_of(holds: bool) -> str:
    """Return how a score stands to its threshold, in words."""
    return "reaches" if holds else "is below"


def dot_product(left: Vector, right: Vector) -> float:
    """Return the dot product of two vectors."""
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def cosine(left: Vector, right: Vector) -> float:
    """Return the cosine of the angle between two vectors, -1 to 1."""
    return dot_product(left, right) / (math.hypot(*left) * math.hypot(*right))
