"""Guidance: guidelines and examples reach the judge, and a metric without them is the one it was."""

from __future__ import annotations

from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.metrics.guidance import JudgedExample, guidance_text

PLAIN = Criterion(name="Polite", criteria="Stays polite.")


def test_without_any_nothing_is_said_and_the_fingerprint_stays() -> None:
    assert guidance_text([], [], "abc") == ""
    told = PLAIN.metric().settings()
    assert "guidelines" not in told
    assert "examples" not in told


def test_with_some_it_is_another_metric() -> None:
    guided = PLAIN.model_copy(update={"guidelines": ["Irony is no rudeness."]})
    shown = PLAIN.model_copy(update={"examples": [JudgedExample(said="user: hi", passes=True)]})
    assert len({one.metric().fingerprint for one in (PLAIN, guided, shown)}) == 3


def test_examples_stand_within_the_mark_and_what_people_said_after_it() -> None:
    text = guidance_text(
        ["Irony is\nno rudeness."],
        [
            JudgedExample(said="assistant: How nice.", passes=False, why="sneers"),
            JudgedExample(said="assistant: Gladly.", passes=True),
        ],
        "abc",
    )
    assert "- Irony is no rudeness.\n" in text
    assert "[abc example 1] assistant: How nice.\n" in text
    assert "People fail example 1: sneers\n" in text
    assert "People pass example 2.\n" in text
