"""Measures of how near an output is to a reference text: edit distance and shared word sequences."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import measured, yes_or_no
from turnwise.engine.suites.packages import package
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import words

_ABBREVIATION = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z]\.[A-Za-z]\.\s*\Z")
_NO_SHARED_SEQUENCE = 1e-7
"""What stands for a precision of 0 in BLEU, so that one missing length does not make the product 0."""


def levenshtein(check: Check, answer: Answer) -> CheckResult:
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


def rouge_n(check: Check, answer: Answer) -> CheckResult:
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


def bleu(check: Check, answer: Answer) -> CheckResult:
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


def gleu(check: Check, answer: Answer) -> CheckResult:
    """Google's BLEU: of sequences of one to four words, the lesser of precision and recall. Threshold 0.5."""
    module: Any = package("nltk.translate.gleu_score", extra="checks")
    references = [_without_full_stops(text.lower()) for text in _references(check)]
    ours = _without_full_stops(answer.text.lower())
    # Full stops alone are no words, and share nothing with each other.
    score = float(module.sentence_gleu(references, ours)) if any(ours) else 0.0
    return measured(check, score, threshold=_threshold(check, 0.5), name="GLEU")


def meteor(check: Check, answer: Answer) -> CheckResult:
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
