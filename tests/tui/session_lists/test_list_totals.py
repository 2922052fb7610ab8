"""The row under the head says how all that is shown came out."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from rich.style import Style
from stored import failure, keep, land, score
from textual.app import App
from textual.timer import Timer
from tui_driver import until

from turnwise.conversations.store import ScoreTally, Store
from turnwise.tui.session_lists import list_totals
from turnwise.tui.session_lists.list_totals import (
    SECONDS_OF_QUIET,
    ListCounting,
    ListTotals,
    rate_words,
    totals_segments,
)
from turnwise.tui.session_lists.session_columns import columns_for


@pytest.fixture
def totals(store: Store) -> ListTotals:
    """Three sessions, of which two are judged and labelled; one judgement failed."""
    sessions = [keep(store, f"Where is bag {number}?", "Here.") for number in range(3)]
    land(store, sessions[0], score(0.9, "role_adherence"), score(0.1, "knowledge_retention"))
    land(store, sessions[1], score(0.2, "role_adherence"), failure("knowledge_retention"))
    store.labels.add(sessions[0], "pass", author="ada", blind=True)
    store.labels.add(sessions[1], "fail", author="ada", blind=True)
    return ListTotals.read(store, "bag")


def line(totals: ListTotals | None, width: int = 100) -> str:
    columns = columns_for(width, ["role_adherence", "knowledge_retention"], without={"role", "tags", "when"})
    return "".join(piece.text for piece in totals_segments(totals, columns, lambda name: Style.null()))


def test_labels_are_counted_and_each_metric_says_what_share_passed(totals: ListTotals) -> None:
    assert line(totals).split() == ["2", "labelled:", "1", "✓", "1", "✗", "passed", "%", "→", "50", "0"]


def test_what_people_dispute_is_counted_apart(store: Store, totals: ListTotals) -> None:
    [session] = store.sessions.ids("label:pass")
    store.labels.add(session, "fail", author="ben", blind=True)
    words = line(ListTotals.read(store, "bag")).split()
    assert words[:6] == ["2", "labelled:", "1", "✗", "1", "✓✗"]


def test_what_was_put_off_is_not_labelled(store: Store, totals: ListTotals) -> None:
    [session] = store.sessions.ids("label:none")
    store.labels.add(session, "defer", author="ben", blind=True)
    words = line(ListTotals.read(store, "bag")).split()
    assert words[:9] == ["2", "labelled:", "1", "✓", "1", "✗", "·", "1", "~"]


def test_while_it_is_counted_a_dot_says_so_and_without_labels_words_do(store: Store) -> None:
    assert line(None).split() == ["…"]
    assert line(ListTotals.read(store, "")).split() == ["none", "labelled", "yet"]


@pytest.mark.parametrize("width", range(40, 100))
def test_how_many_fail_is_not_read_as_a_share_that_passed(totals: ListTotals, width: int) -> None:
    after = line(totals, width).partition("✗")[2]
    assert "passed" not in after or after.startswith("   ")


@pytest.mark.parametrize("width", range(10, 160, 10))
def test_it_never_passes_the_columns(totals: ListTotals, width: int) -> None:
    assert len(line(totals, max(60, width))) <= max(60, width) + 2


@pytest.mark.parametrize(
    ("scores", "passed", "words"), [(0, 0, ""), (1000, 999, "99"), (1000, 1, "1"), (3, 3, "100"), (3, 0, "0")]
)
def test_a_share_is_0_or_100_only_where_it_is_all(scores: int, passed: int, words: str) -> None:
    assert rate_words(ScoreTally("m", scores, passed, 0, 0, (0,) * 10)) == words


def test_what_is_covered_is_not_told_by_the_totals_of_a_few(store: Store) -> None:
    session = keep(store, "Where is my bag?", "Here.")
    land(store, session, score(0.1, "role_adherence"))
    store.labels.add(session, "fail", author="ben", blind=True)
    assert line(ListTotals.read(store, "bag", store.queues.waiting())).split()[1] == "labelled:"
    store.queues.add("mine", [session], sampler="random")
    for query in ("bag", ""):
        hidden = ListTotals.read(store, query, store.queues.waiting())
        assert line(hidden).split() == ["none", "labelled", "yet"]
    store.labels.add(session, "fail", author="mia", blind=True)
    assert store.queues.waiting() == set()


@pytest.mark.parametrize(
    ("width", "words"),
    [(100, "passed %, hidden left out →"), (50, "passed % of shown →")],
)
def test_where_scores_are_hidden_the_shares_say_that_they_are_of_the_others(
    store: Store, totals: ListTotals, width: int, words: str
) -> None:
    waiting = keep(store, "Where is bag 4?", "Here.")
    land(store, waiting, score(0.9, "role_adherence"))
    store.queues.add("mine", [waiting], sampler="random")
    some_hidden = ListTotals.read(store, "bag", store.queues.waiting())
    assert line(some_hidden, width).split("✗")[1].strip().startswith(f"{words}  ")
    assert line(totals, width).split("✗")[1].strip().startswith("passed % →  ")


@pytest.mark.parametrize(
    ("width", "words"),
    [(100, "passed % of 3, hidden left out →"), (60, "passed % of 3 →"), (50, "passed % of 3 →")],
)
def test_where_all_metrics_scored_the_same_sessions_it_says_how_many_those_are(
    store: Store, width: int, words: str
) -> None:
    sessions = [keep(store, f"Where is bag {number}?", "Here.") for number in range(4)]
    for session in sessions:
        land(store, session, score(0.9, "role_adherence"), score(0.1, "knowledge_retention"))
    store.queues.add("mine", sessions[:1], sampler="random")
    found = line(ListTotals.read(store, "bag", store.queues.waiting()), width)
    assert f"   {words}  " in found
    assert found.split()[-2:] == ["100", "0"]


class CountingApp(App[None]):
    """Counts one list as often as it is asked."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.reads = 0
        self.taken: list[ListTotals] = []
        self.counting = ListCounting(self, self._hidden, lambda: None)

    def _hidden(self, store: Store) -> frozenset[int]:
        self.reads += 1
        return frozenset()

    def ask(self) -> None:
        self.counting.ask(self.store, "", self.taken.append)


async def test_what_was_counted_holds_until_something_is_written(store: Store) -> None:
    session = keep(store, "Where is my bag?", "Here.")
    app = CountingApp(store)
    async with app.run_test() as pilot:
        app.ask()
        await until(pilot, lambda: len(app.taken) == 1)
        app.ask()
        assert (app.reads, len(app.taken)) == (1, 2)
        store.labels.add(session, "fail", author="ada", blind=True)
        app.ask()
        await until(pilot, lambda: len(app.taken) == 3)
        assert app.reads == 2
        assert app.taken[-1].labels == {"fail": 1}
        with sqlite3.connect(store.path) as other:
            other.execute("DELETE FROM labels")
        other.close()
        app.ask()
        await until(pilot, lambda: len(app.taken) == 4)
        assert not any(app.taken[-1].labels.values())


async def test_only_what_was_counted_a_moment_ago_is_not_counted_anew_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = keep(store, "Where is my bag?", "Here.")
    app = CountingApp(store)
    pauses: list[float] = []
    set_timer = app.set_timer

    def measured(pause: float, then: Callable[[], None]) -> Timer:
        pauses.append(pause)
        return set_timer(pause, then)

    async with app.run_test() as pilot:
        monkeypatch.setattr(list_totals, "REST", 1_000_000)
        app.ask()
        await until(pilot, lambda: len(app.taken) == 1)
        store.labels.add(session, "fail", author="ada", blind=True)
        monkeypatch.setattr(app, "set_timer", measured)
        app.ask()
        assert pauses.pop() > SECONDS_OF_QUIET
        # So long ago that the count before is no reason to wait.
        now = time.monotonic() + 10_000_000
        monkeypatch.setattr(list_totals, "time", SimpleNamespace(monotonic=lambda: now))
        app.ask()
        assert pauses == [SECONDS_OF_QUIET]
        await until(pilot, lambda: len(app.taken) == 2)
        assert app.taken[-1].labels == {"fail": 1}


async def test_a_list_is_outdated_once_something_is_written_after_it_was_asked_about(store: Store) -> None:
    session = keep(store, "Where is my bag?", "Here.")
    app = CountingApp(store)
    async with app.run_test():
        assert app.counting.is_outdated(store)
        app.ask()
        assert not app.counting.is_outdated(store)
        store.labels.add(session, "fail", author="ada", blind=True)
        assert app.counting.is_outdated(store)
        app.ask()
        assert not app.counting.is_outdated(store)
        with sqlite3.connect(store.path) as other:
            other.execute("DELETE FROM labels")
        other.close()
        assert app.counting.is_outdated(store)
