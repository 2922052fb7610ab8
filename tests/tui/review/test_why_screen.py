"""Why shows the very prompt and reply behind a score, or that no judge was asked."""

from __future__ import annotations

from reviewing import press, reading
from scored_sessions import NASTY, add_call, add_outcomes, add_talk, retention, skipped
from textual.pilot import Pilot

from turnwise.conversations.results import Score, Verdict
from turnwise.conversations.store import Store
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.review.why_screen import WhyScreen


def shown(pilot: Pilot[int]) -> str:
    """All lines of the screen that says why."""
    why = pilot.app.screen
    assert isinstance(why, WhyScreen)
    return "\n".join("".join(piece.text for piece in line) for line in why.view.lines)


async def test_why_shows_the_very_prompt_and_reply_of_the_turn_that_is_read(store: Store) -> None:
    session = add_talk(store)
    add_call(store, "one", prompt=f"Prompt one {NASTY}", reply='{"verdict": "no"}')
    add_call(store, "two", prompt="Prompt two", at=1.0)
    add_outcomes(
        store, session, retention(metric="role_adherence"), retention(4, calls=("one", "two")), skipped()
    )
    async with reading(store, session) as (_, pilot):
        await press(pilot, "n", "w")
        text = shown(pilot)
        assert "knowledge retention" in text
        assert "1,200 tokens in, 34 out · 1.50 s · $0.0021" in text
        assert "Prompt one ␛]0;owned␇␛[31m[red]x[/] [/nope] ‹U+202E›evil" in text
        assert '"verdict": "no"' in text
        assert "not from the cache." in text
        await press(pilot, "y")
        assert f"Prompt one {NASTY}" in pilot.app.clipboard
        await press(pilot, "right")
        text = shown(pilot)
        assert "Prompt two" in text
        assert "From the cache" in text
        # What was skipped stands behind what passed.
        await press(pilot, "J", "J")
        text = shown(pilot)
        assert "No judge was asked" in text
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReviewScreen)


async def test_why_says_that_a_check_asks_no_judge_and_says_nothing_twice(store: Store) -> None:
    session = add_talk(store)
    found = (Verdict(turn=2, passed=True, word="17 words", reason="17 words"),)
    check = Score(metric="reply_length", reason="Short.", score=1.0, threshold=0.5, verdicts=found)
    add_outcomes(store, session, check, judge="")
    async with reading(store, session) as (_, pilot):
        await press(pilot, "j", "w")
        text = shown(pilot)
        assert "a check, no judge" in text
        assert "No judge was asked: this is a check" in text
        assert text.count("17 words") == 1


async def test_it_opens_again_with_nothing_of_the_score_before(store: Store) -> None:
    session = add_talk(store)
    add_call(store, "one", prompt="Prompt one")
    add_outcomes(store, session, retention(metric="role_adherence"), retention(4, calls=("one",)), skipped())
    async with reading(store, session) as (_, pilot):
        await press(pilot, "n", "w")
        first = pilot.app.screen
        assert "Prompt one" in shown(pilot)
        await press(pilot, "J", "J", "escape", "n", "w")
        assert pilot.app.screen is first
        assert "Prompt one" in shown(pilot)
        await press(pilot, "escape", "tab", "end", "w")
        assert pilot.app.screen is first
        assert "Prompt one" not in shown(pilot)
