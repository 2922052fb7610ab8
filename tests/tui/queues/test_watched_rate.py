"""A queue that draws whom to label next: made in the app, labelled, its rate looked at at any time."""

from __future__ import annotations

import re

import pytest
from scored_sessions import add_outcomes
from stored import keep
from textual.widgets import Input
from tui_driver import shown, until, words_shown

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.queues.queue_dialog import QueueDialog
from turnwise.tui.review.review_screen import ReviewScreen


@pytest.fixture
def scored(store: Store) -> Store:
    """Twelve sessions with scores of a metric."""
    for number in range(12):
        session = keep(store, f"question {number}", "answer")
        add_outcomes(store, session, Score(metric="m", reason="x", score=number % 2, threshold=0.5))
    return store


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_each_label_draws_the_next_session_and_the_rate_is_there_at_any_time(
    scored: Store, size: tuple[int, int]
) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=size) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "most informative" in shown(app))
        choices = app.screen.query_one(ChoiceList)
        choices.highlighted = choices.get_option_index("next")
        # What a draw by chance is for stands above; here the metric that was used last tells more.
        await until(pilot, lambda: "by the scores of m (W takes another metric)." in words_shown(app))
        assert not app.screen.query_one("#size", Input).display
        # Whoever comes labels what is drawn.
        assert not app.screen.query_one("#people", Input).parent.display
        await pilot.press("W")
        await until(pilot, lambda: "by no metric and so at random (W takes one metric)." in words_shown(app))
        await pilot.press("W")
        await until(pilot, lambda: "by the scores of m (W takes another metric)." in words_shown(app))
        app.screen.query_one("#name", Input).value = "rate"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 2 done" in shown(app))
        for done in (1, 2, 3):
            await pilot.press("p")
            await until(pilot, lambda done=done: f"no. {done + 1} · {done} of {done + 2} done" in shown(app))  # type: ignore[misc]
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, ReviewScreen))
        await pilot.press("3")
        await until(pilot, lambda: "pass rate by people" in words_shown(app))
        words = words_shown(app)
        # All labels are passes; what the sessions still to be labelled are held to be is up to the draw.
        assert re.search(r"pass rate by people (9\d|100) %", words)
        assert "to 100 % at any time you look; about" in words
        assert "more labels for ±5" in words
    [queue] = scored.queues.all()
    assert (queue.sampler, queue.settings["judged"]) == ("next", 12)
    assert len(scored.draws.drawn(queue.id)) == 5


async def test_at_its_end_the_queue_says_the_rate(scored: Store) -> None:
    from turnwise.engine.people.next_labels import make_queue, rate_of, rate_words
    from turnwise.engine.people.queues import QueuePlan

    number = make_queue(scored, "rate", QueuePlan("next", size=2, metric="m"))
    app = TurnwiseApp(scored)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog) and "rate" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 2 done" in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: "1 of 2 done" in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: "The queue “rate” is done" in shown(app))
        rate = rate_of(scored, scored.queues.get(number))
        assert rate is not None
        assert rate.labels == 2
        assert rate_words(rate) in words_shown(app)
