"""What waits for a blind label is told of nowhere in the library: no column, no place, no information."""

from __future__ import annotations

import pytest
from reviewing import drawn, press, reviewing
from stored import keep, land, score
from tui_driver import sessions, settled, shown, until

from turnwise.conversations.store import SessionOrder, Store
from turnwise.tui.actions import Place
from turnwise.tui.actions.legends import LEGENDS
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.reading.info_pane import InfoPane
from turnwise.tui.session_lists.covered import in_covered_order
from turnwise.tui.session_lists.list_totals import ListTotals
from turnwise.tui.session_lists.session_rows import HIDDEN
from turnwise.tui.settings.settings import Settings


def names(app: TurnwiseApp) -> list[str]:
    return [row.name for row in sessions(app)._pages.rows()]


LOWEST = SessionOrder("metric", "politeness")


@pytest.mark.parametrize(
    ("query", "order", "found"),
    [
        ("", SessionOrder(), [3, 1, 2]),
        ("role:clerk", SessionOrder("name"), [3, 1, 2]),
        ("", LOWEST, [3, 2, 1]),
        ("politeness<0.5", SessionOrder(), [3, 2]),
        ("label:none", SessionOrder(), [3, 1, 2]),
        ("label:fail", LOWEST, [3, 2]),
    ],
)
def test_the_place_of_a_covered_session_says_nothing(
    query: str, order: SessionOrder, found: list[int]
) -> None:
    assert in_covered_order([3, 1, 2], query, order, lambda: {1}) == found


@pytest.mark.parametrize("place", ["library", "heat_map"])
def test_help_tells_the_mark_of_what_is_covered(place: Place) -> None:
    told = {one.sign: one.words for one in LEGENDS[place]}
    assert told[HIDDEN] == "hidden until you label"


def test_what_is_covered_is_looked_for_only_where_it_counts() -> None:
    def never() -> set[int]:
        raise AssertionError

    assert in_covered_order([1], "role:clerk", SessionOrder(), never) == [1]


@pytest.fixture
def queued(store: Store) -> Store:
    """Three sessions with a reward and a score, of which the worst waits in a queue."""
    for number, value in enumerate((0.9, 0.1, 0.6)):
        session = keep(
            store, "a", "b", name=f"talk {number}", metadata={"reward": value, "task": f"t{number}"}
        )
        land(store, session, score(value))
    store.remembered.keep("library.columns", ["meta.reward", "meta.task"])
    store.queues.add("mine", store.sessions.ids("name:talk meta.task:t1"), sampler="random")
    return store


async def test_a_column_of_rewards_is_covered_and_an_order_or_filter_by_scores_gives_nothing_away(
    queued: Store,
) -> None:
    app = TurnwiseApp(queued)
    async with app.run_test(size=(160, 30)) as pilot:
        await until(pilot, lambda: "0.9" in shown(app))
        waiting = next(line for line in shown(app).splitlines() if "talk 1" in line)
        assert "t1" in waiting
        assert "0.1" not in waiting
        app.screen.show_query("politeness<0.95")
        await until(pilot, lambda: sessions(app).count == 2)
        app.screen.show_query("")
        await until(pilot, lambda: sessions(app).count == 3)
        app.library.search.sort(LOWEST)
        await until(pilot, lambda: names(app) == ["talk 2", "talk 0", "talk 1"])


async def test_in_a_narrow_window_it_is_told_which_sessions_are_hidden_though_a_judge_is_named(
    queued: Store,
) -> None:
    app = TurnwiseApp(queued, settings=Settings(judge="http://127.0.0.1:9/v1#a-model-with-a-name"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "a-model-with-a-name" in shown(app) and "1 hides scores (·)" in shown(app))


async def test_a_label_in_a_queue_brings_a_session_into_the_filter_and_into_its_totals_at_once(
    queued: Store,
) -> None:
    app = TurnwiseApp(queued)
    async with app.run_test(size=(160, 30)) as pilot:
        app.screen.show_query("politeness<0.95")
        await until(pilot, lambda: sessions(app).count == 2 and sessions(app).totals is not None)
        await press(pilot, "j")
        assert "2 of 3 · 1 waits for your label: not searched" in shown(app)
        # What the totals under the head leave out is told beside the number of all.
        assert "3 sessions, 1 hides scores (·), not in % until labelled" in shown(app)
        here = sessions(app).current
        assert here is not None
        app.open_queue(1)
        await settled(pilot)
        await press(pilot, "f", "escape")
        await until(pilot, lambda: "Library" in shown(app) and sessions(app).count == 3)
        assert "3 of 3" in shown(app)
        assert "for your label" not in shown(app)
        await until(pilot, lambda: "1 labelled: 1 ✗" in shown(app))
        assert "hides scores" not in shown(app)
        assert sessions(app).current == here


async def test_what_a_filter_was_not_asked_of_is_told_whether_or_not_it_would_be_found(queued: Store) -> None:
    app = TurnwiseApp(queued)
    async with app.run_test(size=(80, 24)) as pilot:
        # The one that waits has 0.1: neither filter may tell.
        for query in ("politeness<0.5", "politeness>0.95"):
            app.screen.show_query(query)
            told = (query, "Nothing matches this filter.", "1 waits for your label: not searched.")
            await until(pilot, lambda told=told: all(words in shown(app) for words in told))
        app.screen.show_query("meta.task:t1")
        await until(pilot, lambda: "1 of 3" in shown(app) and "for your label" not in shown(app))


async def test_totals_wait_for_the_list_that_they_are_of(queued: Store) -> None:
    app = TurnwiseApp(queued)
    async with app.run_test(size=(160, 30)) as pilot:
        app.screen.show_query("politeness<0.95")
        await until(pilot, lambda: sessions(app).count == 2 and sessions(app).totals is not None)
        before = sessions(app).totals
        app.screen._show_totals(ListTotals(hidden=frozenset()))
        assert sessions(app).totals is before
        await settled(pilot)
        assert sessions(app).totals == before


async def test_the_information_beside_a_transcript_leaves_rewards_out_until_one_labels(queued: Store) -> None:
    session = queued.sessions.ids("meta.task:t1")[0]
    async with reviewing(queued, session, (160, 50)) as (screen, pilot):
        info = screen.query_one(InfoPane)
        await press(pilot, "i")
        await settled(pilot)
        assert "task" in drawn(info)
        assert "reward" not in drawn(info)
        assert "1 thing that says how it came out: hidden until you label." in " ".join(drawn(info).split())
        await press(pilot, "escape", "p")
        await settled(pilot)
        await press(pilot, "i")
        assert "reward" in drawn(info)
