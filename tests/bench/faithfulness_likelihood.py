"""How likely a small language model finds each reply of MT-RAG with and without its passages.

    python tests/bench/faithfulness_likelihood.py PATH/TO/human-evaluations.json --weights FILE.gguf
        --out FILE.jsonl [--threads 1] [--part 0/2] [--quoted] [--tokens 110]

Asks for no text: a reply's tokens are read after its passages and question, and after its question alone.
The passages are read once for all replies to a question, cut to the sentences that are likest to the replies
and the question, and a reply is read up to so many tokens; --quoted has it stand in the user's words and not
as the model's own. One line a reply and way, written at once, so that it goes on where it stopped;
conversations take turns, so that what is there is spread evenly at any time. The
server of xllamacpp gives no probabilities of a prompt's tokens, so llama.cpp's functions in its library are
called. --part shares the questions out among processes, which serves busy machines better than threads.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy
from faithfulness_figures import RatedReply, replies_in, words

from turnwise.engine.metrics.deterministic.content_words import content_words
from turnwise.engine.metrics.statements import sentences_in, split_sentences

PASSAGE_WORDS, PASSAGE_WORDS_AT_MOST = 150, 210
"""How many words of the passages are read; how many where a sentence of the replies wants its likest."""
EARLIER_WORDS = 20
UNLIKELY = -4.0
"""The log-probability below which a word comes as a surprise."""
SHORTEST_SENTENCE = 5
WAYS = ("with", "without")
_BATCH, _CONTEXT = 512, 2048
_OPAQUE = 1024


class _Settings(ctypes.Structure):
    """Settings that llama.cpp passes by value: the first are known, the rest is passed on as it came."""

    _fields_ = [("bytes", ctypes.c_uint8 * _OPAQUE)]

    @property
    def numbers(self) -> Any:
        """The settings as whole numbers of four bytes."""
        return ctypes.cast(ctypes.byref(self), ctypes.POINTER(ctypes.c_int32))


class _Batch(ctypes.Structure):
    """Tokens to read, with the place of each and whether its probabilities are wanted."""

    _fields_ = [
        ("n_tokens", ctypes.c_int32),
        ("token", ctypes.POINTER(ctypes.c_int32)),
        ("embd", ctypes.c_void_p),
        ("pos", ctypes.POINTER(ctypes.c_int32)),
        ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
        ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
        ("logits", ctypes.POINTER(ctypes.c_int8)),
    ]


_SILENCE = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
"""What llama.cpp logs to: nothing."""


class Reader:
    """A language model that reads tokens and tells how likely each was."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._library = _library()
        settings = self._library.llama_context_default_params()
        if settings.numbers[:9] != [512, 2048, 512, 1, 0, 0, 1, 4, 4]:
            raise SystemExit("this release of xllamacpp orders its settings otherwise; 2026.10 is known")
        settings.numbers[0], settings.numbers[1] = _CONTEXT, _BATCH
        settings.numbers[7] = settings.numbers[8] = threads
        model = self._library.llama_model_load_from_file(
            str(weights).encode(), self._library.llama_model_default_params()
        )
        self._context = self._library.llama_init_from_model(model, settings) if model else None
        if not self._context:
            raise SystemExit(f"{weights}: no model")
        self._vocabulary = self._library.llama_model_get_vocab(model)
        self._size = self._library.llama_vocab_n_tokens(self._vocabulary)
        self._memory = self._library.llama_get_memory(self._context)
        self._batch = self._library.llama_batch_init(_BATCH, 0, 1)
        self._read = 0

    def tokens(self, text: str, *, marks: bool = False) -> list[int]:
        """Return the tokens of a text; marks: with those that divide a chat."""
        coded = text.encode()
        room = (ctypes.c_int32 * (len(coded) + 8))()
        count = self._library.llama_tokenize(
            self._vocabulary, coded, len(coded), room, len(room), False, marks
        )
        return list(room[:count])

    def piece(self, token: int) -> bytes:
        """Return what a token stands for."""
        room = ctypes.create_string_buffer(64)
        return room.raw[
            : self._library.llama_token_to_piece(self._vocabulary, token, room, len(room), 0, True)
        ]

    def begin(self, prompt: Sequence[int]) -> Any:
        """Read a prompt anew; return the weights of what may come after it."""
        self._forget(0)
        return next(iter(self._weights(prompt, len(prompt) - 1)))

    def likelihoods(self, first: Any, tokens: Sequence[int]) -> list[tuple[float, float]]:
        """Return each token's log-probability after the prompt, and the entropy there; forget the tokens."""
        begun, found, weights = self._read, [], first
        for token, following in zip(tokens, self._weights(tokens, 0), strict=True):
            found.append(_told(weights, token))
            weights = following
        self._forget(begun)
        return found

    def _weights(self, tokens: Sequence[int], wanted: int) -> Iterator[Any]:
        for start in range(0, len(tokens), _BATCH):
            part, batch = tokens[start : start + _BATCH], self._batch
            batch.n_tokens = len(part)
            for place, token in enumerate(part):
                batch.token[place], batch.pos[place] = token, self._read + place
                batch.n_seq_id[place], batch.seq_id[place][0] = 1, 0
                batch.logits[place] = int(start + place >= wanted)
            if self._library.llama_decode(self._context, batch):
                raise SystemExit("the model could not read so many tokens")
            self._read += len(part)
            for place in range(max(wanted - start, 0), len(part)):
                held = self._library.llama_get_logits_ith(self._context, place)
                yield numpy.ctypeslib.as_array(held, (self._size,)).copy()

    def _forget(self, kept: int) -> None:
        self._library.llama_memory_seq_rm(self._memory, 0, kept, -1)
        self._read = kept


def _library() -> Any:
    import xllamacpp.xllamacpp

    library: Any = ctypes.CDLL(xllamacpp.xllamacpp.__file__)
    pointer, number, text = ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p
    numbers = ctypes.POINTER(number)
    for name, returns, takes in (
        ("llama_model_default_params", _Settings, []),
        ("llama_context_default_params", _Settings, []),
        ("llama_model_load_from_file", pointer, [text, _Settings]),
        ("llama_init_from_model", pointer, [pointer, _Settings]),
        ("llama_model_get_vocab", pointer, [pointer]),
        ("llama_vocab_n_tokens", number, [pointer]),
        (
            "llama_tokenize",
            number,
            [pointer, text, number, numbers, number, ctypes.c_bool, ctypes.c_bool],
        ),
        ("llama_token_to_piece", number, [pointer, number, text, number, number, ctypes.c_bool]),
        ("llama_batch_init", _Batch, [number, number, number]),
        ("llama_decode", number, [pointer, _Batch]),
        ("llama_get_logits_ith", ctypes.POINTER(ctypes.c_float), [pointer, number]),
        ("llama_get_memory", pointer, [pointer]),
        ("llama_memory_seq_rm", ctypes.c_bool, [pointer, number, number, number]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = returns, takes
    library.llama_log_set(_SILENCE, None)
    return library


def _told(weights: Any, token: int) -> tuple[float, float]:
    top = float(weights.max())
    chances = numpy.exp(weights - top)
    total = float(chances.sum())
    entropy = math.log(total) - float((chances * (weights - top)).sum()) / total
    return round(float(weights[token]) - top - math.log(total), 4), round(entropy, 3)


def prompt_of(replies: Sequence[RatedReply], way: str, *, quoted: bool = False) -> str:
    """Return what a model reads before the replies to a question; empty where passages are missing."""
    first = replies[0]
    earlier = " ".join(first.asked_before.split()[:EARLIER_WORDS])
    asked = (f"Earlier question: {earlier}\n" if earlier else "") + f"Question: {first.question}"
    passages = likest_sentences(replies) if way == "with" else ""
    if way == "with" and not passages:
        return ""
    told = f"Passages:\n{passages}\n\n" if passages else ""
    turn = "\n\nReply:\n" if quoted else "<|im_end|>\n<|im_start|>assistant\n"
    return f"<|im_start|>user\n{told}{asked}{turn}"


def likest_sentences(replies: Sequence[RatedReply]) -> str:
    """Return the sentences of the passages that are likest to the replies' sentences and the question."""
    there = [
        (place, text) for place, told in enumerate(replies[0].passages) for text in split_sentences(told)
    ]
    held = [set(words(text)) for _, text in there]
    seen = Counter(word for one in held for word in one)
    sought = [set(words(text)) for one in replies for text in split_sentences(one.reply)]
    sought.append(set(words(replies[0].question)))

    def likeness(one: set[str], at: int) -> float:
        shared = sum(math.log((len(held) + 1) / (seen[word] + 0.5)) for word in one & held[at])
        return shared / math.sqrt(4 + len(held[at]))

    ranked = [sorted(range(len(there)), key=lambda at, one=one: -likeness(one, at)) for one in sought]
    kept: list[int] = []
    size = 0
    for rank in range(min(6, len(there))):
        for order in ranked:
            count = len(there[order[rank]][1].split())
            if order[rank] in kept or size + count > (PASSAGE_WORDS if rank else PASSAGE_WORDS_AT_MOST):
                continue
            kept.append(order[rank])
            size += count
    by_passage: dict[int, list[str]] = {}
    for at in sorted(kept):
        by_passage.setdefault(there[at][0], []).append(there[at][1])
    return " \n\n".join(" ".join(texts) for texts in by_passage.values())


def questions_in(replies: Sequence[RatedReply]) -> list[list[int]]:
    """Return the places of the replies to each question, conversations taking turns."""
    asked: dict[tuple[str, str, str], list[int]] = {}
    for place, one in enumerate(replies):
        asked.setdefault((one.conversation, one.before, one.question), []).append(place)
    by_conversation: dict[str, list[list[int]]] = {}
    for (conversation, _, _), places in asked.items():
        by_conversation.setdefault(conversation, []).append(places)
    rounds = zip_longest(*by_conversation.values())
    return [places for turn in rounds for places in turn if places]


def likelihood_figures(path: Path, replies: Sequence[RatedReply]) -> dict[int, dict[str, float]]:
    """Return the figures of the replies that were read, by their place; none of one without passages."""
    held: dict[int, dict[str, Any]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        held.setdefault(told["reply"], {})[told["way"]] = told
    return {
        place: figures_of(replies[place], ways) if "with" in ways else {}
        for place, ways in sorted(held.items())
        if "without" in ways and ("with" in ways or not replies[place].passages)
    }


def figures_of(one: RatedReply, ways: Mapping[str, Any]) -> dict[str, float]:
    """Return what a reply's likelihoods tell."""
    sizes = ways["with"]["bytes"]
    informed, entropy = numpy.array(ways["with"]["likelihoods"]).T
    alone, _ = numpy.array(ways["without"]["likelihoods"]).T
    content, missing, sentence = _kinds(one, sizes)
    some = content if content.any() else numpy.ones_like(content)
    gained = informed - alone
    by_sentence = [sentence == number for number in sorted(set(sentence.tolist()))]
    by_sentence = [one for one in by_sentence if one.sum() >= SHORTEST_SENTENCE] or [numpy.ones_like(content)]
    return {
        "likelihood with passages": float(informed.mean()),
        "likelihood with passages, content words": float(informed[some].mean()),
        "likelihood with passages beside what was expected": float((informed + entropy).mean()),
        "unlikely words that are missing": -float(
            ((informed < UNLIKELY) & missing).sum() / max(content.sum(), 1)
        ),
        "gain of likelihood": float(gained.mean()),
        "gain of likelihood, content words": float(gained[some].mean()),
        "gain of likelihood, worst sentence": min(float(gained[one].mean()) for one in by_sentence),
        "surprise taken away": float(gained.sum() / max(-alone.sum(), 1e-6)),
        "surprise taken away, content words": float(gained[some].sum() / max(-alone[some].sum(), 1e-6)),
    }


def _kinds(one: RatedReply, sizes: Sequence[int]) -> tuple[Any, Any, Any]:
    """Return for each token whether it is of a content word, of one that passages lack, and its sentence."""
    held = {word for passage in one.passages for word in words(passage)}
    place_of = [0]
    for character in one.reply:
        place_of.append(place_of[-1] + len(character.encode()))
    content, missing = numpy.zeros(place_of[-1] + 1, bool), numpy.zeros(place_of[-1] + 1, bool)
    sentence = numpy.full(place_of[-1] + 1, -1)
    for number, said in enumerate(sentences_in(one.reply)):
        sentence[place_of[said.start] : place_of[said.end]] = number
    place = 0
    for word, written in content_words(one.reply):
        start = one.reply.find(written, place)
        if start < 0:
            continue
        place = start + len(written)
        content[place_of[start] : place_of[place]] = True
        missing[place_of[start] : place_of[place]] = word not in held
    ends = numpy.cumsum(sizes)
    spans = list(zip(ends - numpy.array(sizes), ends, strict=True))
    return (
        numpy.array([content[start:end].any() for start, end in spans]),
        numpy.array([missing[start:end].any() for start, end in spans]),
        numpy.array([sentence[end - 1] for _, end in spans]),
    )


def main() -> None:
    """Read every reply that was not read yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--quoted", action="store_true")
    parser.add_argument("--tokens", type=int, default=110)
    options = parser.parse_args()
    replies = replies_in(options.file)
    part, parts = map(int, options.part.split("/"))
    lines = options.out.read_text(encoding="utf-8").splitlines() if options.out.exists() else []
    done = {(told["reply"], told["way"]) for told in map(json.loads, lines)}
    reader = Reader(options.weights, options.threads)
    with options.out.open("a", encoding="utf-8") as out:
        for places in questions_in(replies)[part::parts]:
            for way in WAYS:
                prompt = prompt_of([replies[place] for place in places], way, quoted=options.quoted)
                left = [place for place in places if (place, way) not in done]
                if not prompt or not left:
                    continue
                first = reader.begin(reader.tokens(prompt, marks=True))
                for place in left:
                    tokens = reader.tokens(replies[place].reply)[: options.tokens]
                    told = {
                        "reply": place,
                        "way": way,
                        "bytes": [len(reader.piece(token)) for token in tokens],
                        "likelihoods": reader.likelihoods(first, tokens),
                    }
                    out.write(json.dumps(told) + "\n")
                    out.flush()


if __name__ == "__main__":
    main()
