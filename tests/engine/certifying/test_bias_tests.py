"""The tests behind a bias: exact, and held together, so that chance accuses nobody."""

import random

import pytest

from turnwise.engine.certifying.bias_tests import (
    BiasTest,
    binomial_tail,
    held_together,
    more_often,
    sign_test,
)


def test_figures_known_by_hand():
    assert binomial_tail(0, 5, 0.5) == 1.0
    assert binomial_tail(5, 5, 0.5) == pytest.approx(1 / 32)
    assert more_often(3, 3, 0, 3) == pytest.approx(1 / 20)
    assert more_often(0, 0, 0, 3) == 1.0
    assert sign_test([0.2, 0.3, 0.0, -0.2], 0.1) == (2, 1, pytest.approx(0.5))


def suspicion(chance: float, move: float = 1.0) -> BiasTest:
    return BiasTest("k", 10, 10, move, chance)


def test_many_suspicions_make_each_harder_to_prove():
    sure, doubtful = suspicion(0.0001), suspicion(0.004)
    assert held_together([doubtful]) == [doubtful]
    assert held_together([sure, doubtful, suspicion(0.9)]) == [sure]


def test_a_move_too_small_to_matter_is_no_bias():
    assert held_together([suspicion(0.0001, move=0.01)]) == []


def test_noise_alone_accuses_far_less_often_than_one_in_a_hundred():
    draw = random.Random(5)
    accused = 0
    for _ in range(300):
        tests = []
        for _ in range(12):
            moves = [draw.choice([-0.1, 0.0, 0.1]) for _ in range(16)]
            up, _, chance = sign_test(moves, 0.05)
            tests.append(BiasTest("k", 16, up, 0.1, chance))
        accused += bool(held_together(tests))
    assert accused <= 3
