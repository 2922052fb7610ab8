"""What a call cost, where that can be known."""

from __future__ import annotations

import pytest

from turnwise.engine.models.prices import cost_of
from turnwise.engine.models.settings import ModelSettings

USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "cached_tokens": 200}


def test_a_known_model_of_a_known_provider_has_its_listed_price():
    openai = ModelSettings(base_url="https://api.openai.com/v1", model="gpt-4o")
    cost = cost_of(USAGE, openai, "gpt-4o-2024-08-06")
    assert cost is not None
    assert 0 < cost < 1
    assert cost < (cost_of({**USAGE, "cached_tokens": 0}, openai) or 0)


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://api.openai.com/v1", "unheard-of"),
        ("https://gateway.invalid/v1", "gpt-4o"),
        ("http://127.0.0.1:8080/v1", "gpt-4o"),
    ],
)
def test_without_a_listed_price_the_cost_is_unknown_not_nothing(url, model):
    assert cost_of(USAGE, ModelSettings(base_url=url, model=model)) is None


def test_a_price_of_the_users_own_comes_first():
    settings = ModelSettings(base_url="http://127.0.0.1:8080/v1", model="m", price=(2.0, 10.0))
    assert cost_of(USAGE, settings) == pytest.approx(0.002 + 0.001)


def test_what_was_not_counted_has_no_cost():
    assert cost_of({}, ModelSettings(base_url="http://h/v1", model="m", price=(1.0, 1.0))) is None
