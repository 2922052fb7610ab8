"""The usual judge: what was said for turnwise goes before what is said to all programs."""

from __future__ import annotations

import pytest

from turnwise.tui.settings.settings import Settings
from turnwise.tui.settings.usual_judge import shown_judge, usual_judge

KEPT = Settings(judge="embedded")
FOR_ALL = {"OPENAI_BASE_URL": "https://llm.example", "OPENAI_API_KEY": "sk-x"}


@pytest.mark.parametrize(
    ("settings", "environment", "judge", "source"),
    [
        (KEPT, {"TURNWISE_JUDGE": "none", **FOR_ALL}, "none", "TURNWISE_JUDGE"),
        (KEPT, {"TURNWISE_JUDGE": " ", **FOR_ALL}, "embedded", "your settings"),
        (Settings(), FOR_ALL, None, "OPENAI_BASE_URL"),
        (Settings(), {"OPENAI_API_KEY": "sk-x"}, None, "OPENAI_API_KEY"),
        (Settings(), {}, None, "this machine"),
    ],
)
def test_who_names_it(
    settings: Settings, environment: dict[str, str], judge: str | None, source: str
) -> None:
    named, words = usual_judge(settings, environment)
    assert named == judge
    assert source in words


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("https://ada:secret@llm.example/v1?key=secret#m", "https://llm.example/v1#m"),
        ("m@https://ada:secret@llm.example/v1", "m@https://llm.example/v1"),
        ("https://se@cret:p@llm.example", "https://llm.example"),
        ("http://127.0.0.1:9/v1#a@b?c", "http://127.0.0.1:9/v1#a@b"),
        ("embedded:mine", "embedded:mine"),
    ],
)
def test_what_an_address_may_hide_is_not_shown(named: str, shown: str) -> None:
    assert shown_judge(named) == shown
