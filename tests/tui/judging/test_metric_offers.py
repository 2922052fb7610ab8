"""What metrics are offered for some sessions: in groups, and those that can judge none of them say why."""

from __future__ import annotations

from pathlib import Path

import pytest
from stored import identity, keep

from turnwise.conversations import Failure, Score
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.tui.judging import metric_offers as offering
from turnwise.tui.judging.metric_offers import (
    CHECKS,
    CRITERIA,
    NOT_HERE,
    REPLIES,
    USUAL_CHECKS,
    USUAL_METRICS,
    WHOLE,
    Offer,
    criteria_offers,
    criteria_stand,
    grouped,
    known_as,
    looked_up,
    metric_offers,
    usual_ticks,
)
from turnwise.tui.session_lists.ids_when_asked import IdsWhenAsked
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions


def by_name(offers: list[Offer]) -> dict[str, Offer]:
    return {offer.name: offer for offer in offers}


def test_metrics_stand_in_groups_by_what_they_judge_and_who_is_asked() -> None:
    offers = by_name(metric_offers())
    assert offers["knowledge_retention"].group == WHOLE
    assert offers["answer_relevancy"].group == REPLIES
    assert offers["repetition"].group == CHECKS
    assert grouped(offers.values(), ["repetition"])[0].name == "repetition"


def test_criteria_of_a_file_or_of_the_database_come_before_what_is_ticked(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "kind.yaml").write_text("name: Kind\ncriteria: It is kind.\n", encoding="utf-8")
    for name, words in (("Kind", "It was meant otherwise."), ("Brief", "Short."), ("Brief", "Brief.")):
        keep_version(store, Criterion(name=name, criteria=words), author="ada")
    store.criteria.keep(
        name="Odd", fingerprint="a", metric_fingerprint="b", text="name: Odd\nlater: 1\n", author="ada"
    )
    offers = criteria_offers(store, tmp_path)
    # What a file says stands for a criterion; what another turnwise wrote cannot be judged by.
    assert [(one.name, one.note) for one in offers] == [
        ("Kind", "in kind.yaml"),
        ("Brief", "v2, kept without a file"),
    ]
    listed = grouped([*metric_offers(), *offers], ["repetition", "Brief"])
    assert [one.name for one in listed[:3]] == ["Brief", "Kind", "repetition"]
    assert {one.group for one in listed[:2]} == {CRITERIA}


def test_one_that_can_judge_none_of_the_sessions_says_what_it_needs(store: Store) -> None:
    sessions = [keep(store, f"question {number}", "answer") for number in range(3)]
    offers = by_name(looked_up(store, sessions, metric_offers()))
    assert offers["tool_correctness"].lacks == "needs expected tools: 0 of 3 have them"
    assert offers["tool_correctness"].group == NOT_HERE
    assert offers["role_adherence"].lacks == "needs chatbot role: 0 of 3 have them; import again with a role"
    assert not offers["answer_relevancy"].lacks


def test_one_that_can_judge_none_for_certain_is_barred(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = [keep(store, f"question {number}", "answer") for number in range(3)]
    offers = by_name(looked_up(store, sessions, metric_offers()))
    role, tools = offers["role_adherence"], offers["tool_correctness"]
    assert role.is_barred(each_turn=False)
    assert role.is_barred(each_turn=True)
    assert tools.is_barred(each_turn=False)
    # Only the last exchange was looked at: an earlier one may have what it needs.
    assert not tools.is_barred(each_turn=True)
    assert not offers["answer_relevancy"].is_barred(each_turn=False)
    monkeypatch.setattr(offering, "LOOKED_AT", 2)
    some = by_name(looked_up(store, sessions, metric_offers()))
    assert some["role_adherence"].lacks
    assert not some["role_adherence"].is_barred(each_turn=False)


def test_one_that_can_judge_a_single_session_is_offered(store: Store) -> None:
    sessions = [keep(store, "question", "answer"), keep(store, "another", "one", chatbot_role="a clerk")]
    assert not by_name(looked_up(store, sessions, metric_offers()))["role_adherence"].lacks


def test_how_many_were_scored_before_is_said_of_each_metric(store: Store) -> None:
    sessions = [keep(store, f"question {number}", "answer") for number in range(3)]
    run = store.runs.begin(judge="", metrics=["repetition"])
    score = Score(metric="", reason="", score=0.2, threshold=0.5)
    failure = Failure(metric="", reason="", kind="timeout", next_step="")
    # Scored twice, and no score the last time: it is one session, and was scored.
    judged = [(one, "repetition", score) for one in (*sessions, sessions[0])]
    judged += [(sessions[0], "answer_relevancy", score), (sessions[0], "knowledge_retention", failure)]
    store.scores.add_all(run, [(identity(one, metric), found) for one, metric, found in judged])
    store.scores.add_all(run, [(identity(sessions[0], "repetition"), failure)])
    offers = by_name(looked_up(store, sessions, metric_offers()))
    assert offers["repetition"].note.startswith("all 3 scored before · needs no judge · ")
    assert offers["repetition"].note_below(CHECKS).startswith("all 3 scored before · ")
    assert "needs no judge" not in offers["repetition"].note_below(CHECKS)
    assert offers["answer_relevancy"].note.startswith("1 of 3 scored before · ")
    assert {one.name for one in offers.values() if one.scored} == {"repetition", "answer_relevancy"}
    assert by_name(looked_up(store, sessions[1:], metric_offers()))["answer_relevancy"].scored == ""
    assert (
        by_name(looked_up(store, sessions[:1], metric_offers()))["answer_relevancy"].scored == "scored before"
    )


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


def test_nothing_more_is_looked_at_once_nobody_waits(store: Store) -> None:
    offers = metric_offers()
    assert looked_up(store, [keep(store)], offers, stop=lambda: True) == offers


def test_sessions_are_told_apart_without_reading_all_that_there_are(store: Store) -> None:
    first, second = keep(store), keep(store, "Another question?", "An answer.")
    everything = IdsWhenAsked(AllSessions(store))
    assert known_as(everything) == known_as(IdsWhenAsked(AllSessions(store)))
    found = FoundSessions(store, [first, second])
    assert known_as(IdsWhenAsked(found)) == known_as([first, second]) == (first, second)
    assert known_as(everything) != known_as([first, second])
    assert known_as([first]) != known_as([second])
    # Those that begin alike are others too: how many of them were scored is told.
    assert known_as([*range(1_000), first]) != known_as([*range(1_000), second])


def test_a_criterion_that_is_written_changed_or_gone_is_noticed(tmp_path: Path) -> None:
    seen = [criteria_stand(tmp_path)]
    file = tmp_path / "criteria" / "kind.yaml"
    file.parent.mkdir()
    file.write_text("name: Kind\n", encoding="utf-8")
    seen.append(criteria_stand(tmp_path))
    assert criteria_stand(tmp_path) == seen[-1]
    file.write_text("name: Kinder\n", encoding="utf-8")
    seen.append(criteria_stand(tmp_path))
    assert len(set(seen)) == 3
    file.unlink()
    assert criteria_stand(tmp_path) == seen[0]
