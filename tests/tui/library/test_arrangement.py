"""Which sessions the library shows and in what order, what is remembered of that, and orders in words."""

import pytest
from stored import keep

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import BEST_MATCH, USUAL_ORDER, SessionOrder, Store
from turnwise.tui.library.arrangement import Arrangement, match_words, sorted_words, turned
from turnwise.tui.session_lists.session_columns import SessionColumn


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (BEST_MATCH, "best match first"),
        (SessionOrder("turns"), "turns, longest first"),
        (SessionOrder("turns", reverse=True), "turns, shortest first"),
        (SessionOrder("metric", "role_adherence"), "role adherence, lowest score first"),
        (SessionOrder("name"), "session, from A to Z"),
    ],
)
def test_what_a_list_is_sorted_by(order: SessionOrder, words: str) -> None:
    assert sorted_words(order) == words


def test_the_same_again_is_the_other_way_round() -> None:
    assert turned(SessionOrder("name"), SessionOrder("name")) == SessionOrder("name", reverse=True)
    assert turned(SessionOrder("name", reverse=True), SessionOrder("name")) == SessionOrder("name")
    assert turned(SessionOrder("name"), SessionOrder("metric", "m")) == SessionOrder("metric", "m")
    assert turned(SessionOrder("metric", "n"), SessionOrder("metric", "m")) == SessionOrder("metric", "m")


@pytest.fixture
def arranged(store: Store) -> Arrangement:
    for number in range(3):
        keep(store, "Hello.", "yes " * number or "no", created_at=9.0 - number, name=f"number {number}")
    return Arrangement(store)


def found(arranged: Arrangement, query: str) -> list[int]:
    return arranged.find(query, arranged.order, lambda: False).ids()


def test_words_are_sorted_by_their_best_match_until_somebody_chooses(arranged: Arrangement) -> None:
    assert arranged.order == USUAL_ORDER
    arranged.asked = "yes"
    assert arranged.order == BEST_MATCH
    arranged.sort_by(SessionOrder("name", reverse=True))
    assert arranged.order == arranged.chosen_order == SessionOrder("name", reverse=True)
    arranged.sort_by(BEST_MATCH)
    assert arranged.chosen_order is None


def test_what_was_chosen_is_taken_up_the_next_time(store: Store, arranged: Arrangement) -> None:
    again = Arrangement(store)
    assert not again.take_up()
    arranged.sort_by(SessionOrder("name", reverse=True))
    arranged.choose_columns(("role_adherence",))
    assert again.take_up()
    assert (again.order, again.columns) == (SessionOrder("name", reverse=True), ("role_adherence",))
    # Without an outcome a metric has no column, chosen or not.
    assert again.shown_metrics() == ([], False)


def test_a_query_finds_sessions_in_the_order_that_holds(arranged: Arrangement) -> None:
    newest = found(arranged, "")
    assert len(newest) == 3
    arranged.sort_by(SessionOrder("name", reverse=True))
    assert found(arranged, "") == newest[::-1]
    assert found(arranged, 'name:"number 1"') == [newest[1]]
    with pytest.raises(TurnwiseError):
        found(arranged, "turns>many")


def test_a_click_on_a_title_sorts_by_it_and_once_more_the_other_way(arranged: Arrangement) -> None:
    name = SessionColumn("name", "session", 0, 10)
    assert arranged.order_of_column(name) == SessionOrder("name")
    arranged.sort_by(SessionOrder("name"))
    assert arranged.order_of_column(name) == SessionOrder("name", reverse=True)
    metric = SessionColumn("metric", "role", 0, 4, metric="role_adherence")
    assert arranged.order_of_column(metric) == SessionOrder("metric", "role_adherence")
    assert arranged.order_of_column(SessionColumn("more", "+2", 0, 4)) is None


def test_the_line_says_how_many_were_found() -> None:
    assert match_words("dog", 1200, 3000, USUAL_ORDER) == "1,200 of 3,000"
    assert match_words("dog", 2, 14, SessionOrder("turns")) == "2 of 14 · turns, longest first"
    assert (
        match_words("dog", 11, 78, USUAL_ORDER, left_out=1)
        == "11 of 78 · 1 waits for your label: not searched"
    )
    assert match_words("dog", 1, 78, SessionOrder("turns"), left_out=20) == (
        "1 of 78 · 20 wait for your label: not searched · turns, longest first"
    )
    assert match_words("dog", 0, 14, USUAL_ORDER) == "0 of 14"
    assert match_words("", 14, 14, USUAL_ORDER) == ""


def test_the_sessions_of_a_run_are_told_to_have_newer_scores_than_its_own() -> None:
    found = match_words("tag:air run:4", 32, 64, USUAL_ORDER)
    assert found == "32 of 64 · newest scores, of any run"
    assert match_words("-run:4", 32, 64, USUAL_ORDER) == "32 of 64"


def test_all_sessions_are_counted_once_however_often_a_filter_is_cleared(
    store: Store, arranged: Arrangement, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    count = store.sessions.count

    def counting(query: str = "") -> int:
        counted.append(query)
        return count(query)

    monkeypatch.setattr(store.sessions, "count", counting)
    for _ in range(3):
        assert arranged.find("", USUAL_ORDER, lambda: False).count() == 3
    assert counted == [""]
    keep(store, "Hello.", "One more.", created_at=1.0)
    assert arranged.find("", USUAL_ORDER, lambda: False).count() == 4
