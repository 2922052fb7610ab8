"""Probabilities: a score weighted by how likely the judge found each number it could have written.

As in G-Eval (Liu et al. 2023, "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment",
arXiv:2303.16634): the score is the sum of s * p(s) over the numbers the judge could have written in that
place. The place is found by its position in the reply, so that a digit in a reason is never taken for it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from turnwise.engine.judge.replies import object_spans

LEAST_PROBABILITY = 0.01
MOST_ALTERNATIVES = 20

_LEAST_LOG = math.log(LEAST_PROBABILITY)
# A token may hold a bit of what stands around the number: `: 8`, `"8`, `8}`.
_NUMBER_TOKEN = re.compile(rb"[\s:\"]*(\d{1,4})([\s\",}\]]*)")
_VALUE = re.compile(r"\s*:\s*\"?(\d{1,4})(?![\d.eE])")
_SPACE_TO_COLON = re.compile(r"\s*:")


class Token(NamedTuple):
    """One generated token: its text, its natural log probability, and the likely alternatives to it.

    alternatives: text and log probability of each with at least 1 %, the token itself included. Bytes
    that are no UTF-8 by themselves stand as surrogates.
    """

    text: str
    log_probability: float
    alternatives: tuple[tuple[str, float], ...]


def compact_tokens(log_probabilities: object) -> tuple[Token, ...]:
    """Return what is worth keeping of a choice's `logprobs`; empty where there are none.

    Alternatives are kept for tokens with a digit in them or among their alternatives, since nothing else
    can be a score or show whether a number goes on.
    """
    content = log_probabilities.get("content") if isinstance(log_probabilities, Mapping) else None
    if not isinstance(content, list):
        return ()
    try:
        return tuple(_compact(token) for token in content)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


def _compact(token: Mapping[str, Any]) -> Token:
    top = token.get("top_logprobs") or ()
    likely = [one for one in top if one["logprob"] >= _LEAST_LOG]
    alternatives: tuple[tuple[str, float], ...] = ()
    if any(map(_has_digit, likely)) or _has_digit(token):
        alternatives = tuple((_text(one), round(one["logprob"], 6)) for one in likely)
    return Token(_text(token), round(token["logprob"], 6), alternatives)


def _has_digit(token: Mapping[str, Any]) -> bool:
    return any(char.isdecimal() for char in token["token"])


def _text(token: Mapping[str, Any]) -> str:
    exact = token.get("bytes")
    return bytes(exact).decode("utf-8", "surrogateescape") if exact else token["token"]


def weighted_score(
    tokens: Sequence[Token], text: str, key: str = "score", *, low: int, high: int
) -> float | None:
    """Return the probability-weighted number of a top-level key of a reply, from low to high.

    text: the reply. None where there are no log probabilities, where they are not about this text, where
    the value is no whole number, or where the tokens leave no choice that means anything.
    """
    number = _tokens_of_number(tokens, text, key)
    if number is None:
        return None
    weights, left_out = _weights(number[0], low, high)
    total = sum(weights.values())
    # Where more is undecidable than known, a mean of the rest would be made up.
    if total <= 0 or left_out > total:
        return None
    return sum(number * weight for number, weight in weights.items()) / total


def written_probability(tokens: Sequence[Token], text: str, key: str) -> float | None:
    """Return how likely the judge found the number that it wrote for a top-level key of a reply, 0 to 1.

    text: the reply. None where there are no log probabilities, or the value is no whole number.
    """
    number = _tokens_of_number(tokens, text, key)
    if number is None:
        return None
    following, length = number
    logs, seen = 0.0, 0
    for token in following:
        if seen >= length:
            break
        logs += token.log_probability
        seen += sum(sign.isdecimal() for sign in token.text)
    return math.exp(logs)


def _tokens_of_number(tokens: Sequence[Token], text: str, key: str) -> tuple[Sequence[Token], int] | None:
    """Return the tokens from the number of a top-level key on, and how many digits it has."""
    pieces = [token.text.encode("utf-8", "surrogateescape") for token in tokens]
    generated = b"".join(pieces)
    if not generated or text.strip().encode("utf-8", "surrogatepass") not in generated:
        return None
    # Latin-1 makes one character of each byte, so that positions in text and tokens agree.
    place = _number_span(generated.decode("latin-1"), key.encode().decode("latin-1"))
    return None if place is None else (_over(tokens, pieces, place[0]), place[1] - place[0])


def _number_span(text: str, key: str) -> tuple[int, int] | None:
    """Return start and end of the whole number that is the value of a top-level key of the last object."""
    found = None
    for start, end in object_spans(text):
        found = None
        for name, after in _top_level_strings(text, start, end if end > 0 else len(text)):
            value = _VALUE.match(text, after)
            if name == key and _SPACE_TO_COLON.match(text, after):
                found = value.span(1) if value else None
    return found


def _top_level_strings(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield each string that stands directly in an object, and the position after it."""
    depth, position = 0, start
    while position < end:
        char = text[position]
        if char == '"':
            closing = position + 1
            while closing < end and text[closing] != '"':
                closing += 2 if text[closing] == "\\" else 1
            if depth == 1:
                yield text[position + 1 : closing], closing + 1
            position = closing
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
        position += 1


def _over(tokens: Sequence[Token], pieces: Sequence[bytes], start: int) -> Sequence[Token]:
    """Return the tokens from the one that holds the byte at `start`."""
    position = 0
    for number, piece in enumerate(pieces):
        position += len(piece)
        if position > start:
            return tokens[number:]
    return ()


def _weights(tokens: Sequence[Token], low: int, high: int) -> tuple[dict[int, float], float]:
    """Return the probability of each whole number, and the probability of what cannot be told.

    A number may take several tokens ('1', '0'). Along the tokens that were written each step's
    alternatives are known; of an alternative that was not written it is unknown how it would have gone on,
    so that one that may be only the beginning of a number (1 of 10) is left out, unless the judge writes
    such numbers in one token.
    """
    weights: dict[int, float] = {}
    left_out = 0.0
    written, so_far = "", 1.0
    for step, token in enumerate(tokens):
        options = _options(token, first=step == 0)
        own = _digits(token.text, first=step == 0)
        whole_numbers = any(len(digits) > 1 for digits, _, _ in options)
        going_on = None
        for digits, ends, probability in options:
            share = so_far * probability
            number = int(written + digits) if written + digits else None
            if number is None or share < LEAST_PROBABILITY or number > high:
                continue
            if not digits or ends or whole_numbers or number == 0 or number * 10 > high:
                if number >= low:
                    weights[number] = weights.get(number, 0.0) + share
            elif own is not None and digits == own[0]:
                going_on = (digits, share)
            else:
                left_out += share
        if going_on is None:
            break
        written, so_far = written + going_on[0], going_on[1]
    return weights, left_out


def _options(token: Token, *, first: bool) -> list[tuple[str, bool, float]]:
    """Return digits, whether the number ends there, and probability of each alternative of a token."""
    options = []
    # Without kept alternatives no number was likely in this place, so what was written stands for all.
    for text, log_probability in token.alternatives or ((token.text, 0.0),):
        digits = _digits(text, first=first)
        if digits is not None:
            options.append((*digits, math.exp(log_probability)))
    return options


def _digits(text: str, *, first: bool) -> tuple[str, bool] | None:
    """Return the digits of a token and whether the number ends in it; None where it holds no number.

    After the first token of a number a token without digits ends the number.
    """
    match = _NUMBER_TOKEN.fullmatch(text.encode("utf-8", "surrogateescape"))
    if match and (first or text[0].isdecimal()):
        return match[1].decode(), bool(match[2])
    return None if first or text[:1].isdecimal() or text[:1] == "." else ("", True)
