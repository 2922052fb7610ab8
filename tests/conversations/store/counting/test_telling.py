"""What says how a session came out is known by its name, so that a blind reader can be kept from it."""

from __future__ import annotations

import pytest

from turnwise.conversations.store import (
    SessionOrder,
    order_tells_outcome,
    query_tells_outcome,
    tells_outcome,
    text_tells_outcome,
)


@pytest.mark.parametrize(
    "key", ["reward", "meta.reward_info.total", "userRating", "user_rating", "thumbs", "CSAT", "is_correct"]
)
def test_keys_of_feedback_tell(key: str) -> None:
    assert tells_outcome(key)


@pytest.mark.parametrize("key", ["language", "meta.customer tier", "model", "task_id", "passenger"])
def test_other_keys_do_not(key: str) -> None:
    assert not tells_outcome(key)


def test_a_text_tells_by_any_key_in_it() -> None:
    assert text_tells_outcome('{"info": {"reward": 1.0}}')
    assert not text_tells_outcome('{"info": {"language": "en"}}')


@pytest.mark.parametrize(
    ("query", "tells"),
    [
        ("role_adherence<0.5", True),
        ("-politeness:fail", True),
        ("label:fail", True),
        ("mode:rude", True),
        ("breaks:4", True),
        ("meta.reward>0", True),
        ('meta."user rating":5', True),
        ("label:none", False),
        ("label:deferred", False),
        ("-label:deferred", False),
        ("meta.language:de role:airline turns>20", False),
        ('refund "reward: none"', False),
        ("user:reward since:7d tag:late", False),
    ],
)
def test_a_filter_tells_where_it_asks_how_sessions_came_out(query: str, tells: bool) -> None:
    assert query_tells_outcome(query) is tells


def test_an_order_tells_where_sessions_stand_as_they_came_out() -> None:
    assert order_tells_outcome(SessionOrder("metric", "politeness"))
    assert order_tells_outcome(SessionOrder("meta", key="reward"))
    assert order_tells_outcome(SessionOrder("label"))
    assert not order_tells_outcome(SessionOrder("meta", key="language"))
    assert not order_tells_outcome(SessionOrder())
