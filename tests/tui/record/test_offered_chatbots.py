"""Chatbots that were talked to before are offered first, each once."""

from __future__ import annotations

from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.record.offered_chatbots import offered_chatbots


def test_those_talked_to_before_stand_first_and_say_whether_they_answer() -> None:
    found = ModelSettings(base_url="http://127.0.0.1:11434/v1", model="llama")
    fresh = ModelSettings(base_url="http://127.0.0.1:8080/v1", model="qwen")
    used = ("http://bot.example/v1#b", "http://127.0.0.1:11434/v1#llama", "http://127.0.0.1:9/v1")
    offered = offered_chatbots(used, [found, fresh], {used[1]: True, used[2]: False})
    assert [(one.name, one.note) for one in offered] == [
        ("b", "talked to before · http://bot.example/v1"),
        ("llama", "● answers · talked to before · http://127.0.0.1:11434/v1"),
        ("http://127.0.0.1:9/v1", "○ does not answer · talked to before"),
        ("qwen", "http://127.0.0.1:8080/v1"),
    ]
    # What is found here is known with all its limits.
    assert [one.target for one in offered] == [used[0], found, used[2], fresh]
