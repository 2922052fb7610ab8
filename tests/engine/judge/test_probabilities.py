"""The score is weighted by what the judge could have written in its place."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.judge.probabilities import compact_tokens, weighted_score

EIGHT = {"8": 0.62, "7": 0.25, "9": 0.12, "10": 0.004, "eight": 0.003}


def generated(*tokens, as_bytes=False):
    def one(text, probability):
        known = list(text.encode()) if as_bytes else None
        return {"token": text, "logprob": math.log(probability), "bytes": known}

    content = []
    for token in tokens:
        text, alternatives = token if isinstance(token, tuple) else (token, {})
        top = [one(*alternative) for alternative in (alternatives or {text: 0.999}).items()]
        content.append({**one(text, 0.9), "top_logprobs": top})
    text = "".join(token if isinstance(token, str) else token[0] for token in tokens)
    return compact_tokens({"content": content}), text


def weighted(*tokens, low=0, high=10, **options):
    return weighted_score(*generated(*tokens, **options), low=low, high=high)


def test_the_mean_of_the_likely_numbers_by_their_probability():
    assert weighted('{"reason": "ok", "score": ', ("8", EIGHT), "}") == pytest.approx(7.8687, abs=5e-5)


@pytest.mark.parametrize("as_bytes", [True, False])
@pytest.mark.parametrize(
    ("before", "merged", "after"),
    [
        ('{"reason": "ok", "score":', " {}", "}"),
        ('{"reason": "ok", "score"', ": {}", "}"),
        ('{"reason": "ok", "score": ', "{}}}", ""),
        ('{"score": ', "{},", ' "reason": "ok"}'),
        ('{"reason": "zäh 🙂", "score": "', '{}"', "}"),
    ],
)
def test_tokens_may_hold_what_stands_around_the_number(before, merged, after, as_bytes):
    alternatives = {merged.format(number): share for number, share in EIGHT.items()}
    tokens = [before, (merged.format("8"), alternatives), *([after] if after else [])]
    assert weighted(*tokens, as_bytes=as_bytes) == pytest.approx(7.8687, abs=5e-5)


def test_digits_elsewhere_are_not_the_score():
    tokens = [
        '{"reason": "',
        ("8", {"8": 1.0}),
        ' of 10, \\"score\\": ',
        ("2", {"2": 1.0}),
        '", "parts": {"score": ',
        ("1", {"1": 1.0}),
        '}, "score": ',
        ("8", EIGHT),
        "}",
    ]
    assert weighted(*tokens) == pytest.approx(7.8687, abs=5e-5)


def test_a_score_in_the_thinking_is_not_the_score():
    tokens = ['<think>{"score": ', ("1", {"1": 1.0}), '}</think>{"score": ', ("8", EIGHT), "}"]
    assert weighted(*tokens) == pytest.approx(7.8687, abs=5e-5)


def test_spellings_of_one_number_count_together():
    assert weighted('{"score":', (" 8", {" 8": 0.4, "8": 0.1, " 6": 0.5}), "}") == pytest.approx(7.0)


def test_numbers_out_of_range_and_unlikely_ones_are_left_out():
    tokens = ['{"score": ', ("4", {"4": 0.5, "9": 0.4, "1": 0.009}), "}"]
    assert weighted(*tokens, low=1, high=5) == pytest.approx(4.0)


def test_a_number_of_two_tokens_is_weighted_along_both():
    tokens = ['{"score": ', ("1", {"1": 0.6, "9": 0.4}), ("0", {"0": 0.9, "}": 0.1}), "}"]
    assert weighted(*tokens) == pytest.approx(0.54 * 10 + 0.06 * 1 + 0.4 * 9)


def test_an_alternative_that_may_be_the_start_of_another_number_is_left_out():
    # Where ten is written '1', '0', an unwritten '1' may be either.
    tokens = ['{"score": ', ("8", {"8": 0.6, "9": 0.3, "1": 0.1}), "}"]
    assert weighted(*tokens) == pytest.approx((0.6 * 8 + 0.3 * 9) / 0.9)


def test_a_judge_that_writes_ten_in_one_token_means_one_by_one():
    tokens = ['{"score": ', ("8", {"8": 0.6, "10": 0.3, "1": 0.1}), "}"]
    assert weighted(*tokens) == pytest.approx(0.6 * 8 + 0.3 * 10 + 0.1 * 1)


@pytest.mark.parametrize(
    "tokens",
    [
        ['{"reason": "8"}'],
        ['{"score": ', ("8", EIGHT), ".", "5", "}"],
        ['{"score": ', ("-", {"-": 1.0}), ("8", EIGHT), "}"],
        ['{"score": "', "high", '"}'],
        ['{"score": ', ("8", {"eight": 0.9, "8": 0.001}), "}"],
        ['{"score": ', ("5", {"5": 0.2, "1": 0.8}), "}"],
        ["no object, score: ", ("8", EIGHT)],
    ],
    ids=["absent", "fraction", "negative", "word", "nothing likely", "mostly undecidable", "no object"],
)
def test_where_there_is_nothing_to_weigh_there_is_none(tokens):
    assert weighted(*tokens) is None


def test_probabilities_of_another_text_are_not_used():
    tokens, _ = generated('{"score": ', ("8", EIGHT), "}")
    assert weighted_score(tokens, '{"score": 3}', low=0, high=10) is None


@pytest.mark.parametrize(
    "missing", [None, {}, {"content": None}, {"content": [{"token": "8"}]}, {"content": [3]}]
)
def test_missing_or_strange_probabilities_are_none_at_all(missing):
    assert compact_tokens(missing) == ()
    assert weighted_score((), '{"score": 8}', low=0, high=10) is None


def test_characters_split_over_tokens_keep_positions_right():
    pieces = [b'{"reason": "\xf0\x9f', b'\x99\x82", "score": ']
    content = [{"token": "?", "logprob": -0.1, "bytes": list(piece), "top_logprobs": []} for piece in pieces]
    top = [{"token": word, "logprob": math.log(share), "bytes": None} for word, share in EIGHT.items()]
    content += [
        {"token": "8", "logprob": -0.4, "bytes": None, "top_logprobs": top},
        {"token": "}", "logprob": 0.0},
    ]
    tokens = compact_tokens({"content": content})
    assert weighted_score(tokens, '{"reason": "🙂", "score": 8}', low=0, high=10) == pytest.approx(
        7.8687, abs=5e-5
    )


@given(st.dictionaries(st.integers(0, 9), st.floats(0.011, 1.0), min_size=1, max_size=10), st.text())
def test_the_result_lies_among_the_numbers(shares, reason):
    import json

    total = sum(shares.values()) * 1.001
    alternatives = {str(number): max(share / total, 1e-9) for number, share in shares.items()}
    alternatives["10"] = 1e-12
    best = max(alternatives, key=alternatives.__getitem__)
    score = weighted('{"reason": ' + json.dumps(reason) + ', "score": ', (best, alternatives), "}", high=9)
    assert score is not None
    assert min(shares) - 1e-9 <= score <= max(shares) + 1e-9
