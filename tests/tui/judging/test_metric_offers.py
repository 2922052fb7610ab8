"""What metrics are offered for some sessions: in groups, and those that can judge none of them say why."""

from __future__ import annotations

from functools import partial

from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.judging.metric_offers import (
    CHECKS,
    NOT_HERE,
    REPLIES,
    USUAL_CHECKS,
    USUAL_METRICS,
    WHOLE,
    Offer,
    grouped,
    looked_up,
    looked_up_once,
    metric_offers,
    usual_ticks,
)
from turnwise.tui.shell.kept_finding import KeptFinding


def by_name(offers: list[Offer]) -> dict[str, Offer]:
    return {offer.name: offer for offer in offers}


def test_metrics_stand_in_groups_by_what_they_judge_and_who_is_asked() -> None:
    offers = by_name(metric_offers())
    assert offers["knowledge_retention"].group == WHOLE
    assert offers["answer_relevancy"].group == REPLIES
    assert offers["repetition"].group == CHECKS
    assert grouped(offers.values(), ["repetition"])[0].name == "repetition"


def test_one_that_can_judge_none_of_the_sessions_says_what_it_needs(store: Store) -> None:
    sessions = [keep(store, f"question {number}", "answer") for number in range(3)]
    offers = by_name(looked_up(store, sessions, metric_offers()))
    assert offers["tool_correctness"].lacks == "needs expected tools: 0 of 3 have them"
    assert offers["tool_correctness"].group == NOT_HERE
    assert offers["role_adherence"].lacks == "needs chatbot role: 0 of 3 have them"
    assert not offers["answer_relevancy"].lacks


def test_one_that_can_judge_a_single_session_is_offered(store: Store) -> None:
    sessions = [keep(store, "question", "answer"), keep(store, "another", "one", chatbot_role="a clerk")]
    assert not by_name(looked_up(store, sessions, metric_offers()))["role_adherence"].lacks


def test_what_is_ticked_by_itself_can_be_judged(store: Store) -> None:
    offers = looked_up(store, [keep(store)], metric_offers())
    assert usual_ticks(offers, with_judge=True) == {"answer_relevancy"}
    assert usual_ticks(offers, with_judge=False) == set(USUAL_CHECKS)
    with_role = looked_up(store, [keep(store, chatbot_role="a clerk")], metric_offers())
    assert usual_ticks(with_role, with_judge=True) == set(USUAL_METRICS)


def test_typed_words_find_a_metric_by_its_name_and_by_what_it_does() -> None:
    offers = by_name(metric_offers())
    assert offers["knowledge_retention"].matches("retent")
    assert offers["knowledge_retention"].matches("KEEPS mind")
    assert offers["repetition"].matches("no judge")
    assert not offers["repetition"].matches("retent")


def test_what_metrics_lack_is_found_once_until_something_is_written_and_not_where_nobody_waits(
    store: Store,
) -> None:
    session, offers = keep(store, chatbot_role="a clerk"), metric_offers()
    found = partial(looked_up_once, KeptFinding(), store, [session], offers)
    assert found(stood=1, stop=lambda: True) is None
    first = found(stood=1, stop=lambda: False)
    assert first == looked_up(store, [session], offers)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return False

    assert found(stood=1, stop=stop) == first
    assert asked == []
    assert found(stood=2, stop=stop) == first
    assert asked != []
