"""Branches of a talk beside each other: both are read together, each with its scores."""

from __future__ import annotations

import pytest
from reviewing import reading
from stored import identity
from tui_driver import shown, until

from turnwise.conversations.recording import Recording
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.tui.record.branches_screen import BranchesScreen
from turnwise.tui.review.review_screen import ReviewScreen


@pytest.fixture
def talk(store: Store) -> Store:
    """A talk with three branches: another second turn, and another third."""
    first = Recording(store, target="bot", name="Bread")
    for question, reply in (("What bread?", "Rye"), ("And cake?", "Plum cake")):
        first.user_says(question)
        first.assistant_says(reply, seconds=0.1)
    second = first.fork(before=2)
    second.assistant_says("Wheat, and rye", seconds=0.1)
    third = first.fork(before=3)
    third.user_says("And buns?")
    for one in (first, second, third):
        one.close()
    run = store.runs.begin(judge="none", metrics=["politeness"], judge_settings={})
    found = [
        (identity(session), Score(metric="politeness", score=value, threshold=0.5, reason="so"))
        for session, value in ((1, 0.25), (2, 0.75))
    ]
    store.scores.add_all(run, found)
    return store


async def test_a_review_shows_another_reply_beside_the_first_with_both_scores(talk: Store) -> None:
    async with reading(talk, 1, size=(140, 40)) as (screen, pilot):
        await pilot.press("f4")
        await until(
            pilot, lambda: isinstance(screen.app.screen, BranchesScreen) and "Wheat" in shown(screen.app)
        )
        seen = shown(screen.app)
        assert "A session 1   4 turns   the talk as it began" in seen
        assert "B session 2   2 turns   left session 1 at turn 2 to go another way" in seen
        assert "politeness 0.25" in seen
        assert "politeness 0.75" in seen
        assert "3 branches, 3 turns differ" in seen
        assert "no such turn" in seen
        branches = screen.app.screen
        assert isinstance(branches, BranchesScreen)
        assert branches.transcript.cursor == 1, "it begins where they part"
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "And buns?" in shown(screen.app))
        assert "no scores yet" in shown(screen.app)
        assert branches.transcript.cursor == 2


async def test_enter_reads_the_branch_that_has_the_keys(talk: Store) -> None:
    async with reading(talk, 1, size=(80, 24)) as (screen, pilot):
        await pilot.press("f4")
        await until(
            pilot, lambda: isinstance(screen.app.screen, BranchesScreen) and "Rye" in shown(screen.app)
        )
        assert "Wheat" not in shown(screen.app), "one side has room"
        await pilot.press("tab")
        await until(pilot, lambda: "Wheat" in shown(screen.app))
        await pilot.press("enter")
        await until(pilot, lambda: screen.session_id == 2 and isinstance(screen.app.screen, ReviewScreen))


async def test_a_talk_of_one_way_says_how_another_is_made(store: Store) -> None:
    alone = Recording(store, target="bot")
    alone.user_says("Hello")
    alone.close()
    async with reading(store, 1) as (screen, pilot):
        await pilot.press("f4")
        await until(pilot, lambda: any("one way only" in one.message for one in screen.app._notifications))
        assert isinstance(screen.app.screen, ReviewScreen)
