"""A judge's call in words: what was sent, what came back, or why there was none."""

from __future__ import annotations

from turnwise.tui.review.call_words import messages_of


def test_a_part_that_is_no_text_is_named() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:..."}}
    request = {"messages": [{"role": "system", "content": "Be fair."}, {"content": ["x"][:0]}]}
    assert list(messages_of(request)) == [("system", "Be fair."), ("user", "")]
    mixed = {"messages": [{"role": "user", "content": [{"type": "text", "text": "Look:"}, picture]}]}
    assert list(messages_of(mixed)) == [("user", "Look:\n(image_url)")]
    assert list(messages_of({})) == []
