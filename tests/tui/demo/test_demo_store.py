"""The database of the demo: it shows what is worth finding, the same every time, and is filled once."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from turnwise.conversations.store import Store
from turnwise.engine.comparing.compare import compare
from turnwise.engine.comparing.sides import default_sides
from turnwise.engine.criteria.criterion_versions import compare_versions, criterion_of
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.overview import overview
from turnwise.engine.people.agreement import agreement
from turnwise.engine.scoring.scoring import score_sessions
from turnwise.tui.compare.summary_words import summary_lines
from turnwise.tui.demo.demo_store import fill
from turnwise.tui.demo.recorded_judge import JUDGE


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    with Store.open(tmp_path / "demo.db") as store:
        await fill(store)
        yield store


def contents(store: Store) -> list[object]:
    """All that people see of it: sessions with marks, labels and modes, runs, and queues."""
    rows = sorted(store.sessions.each(), key=lambda row: row.id)
    return [
        *((row.name, row.label, dict(row.marks), row.created_at, store.labels.of(row.id)) for row in rows),
        *(store.modes.of(row.id) for row in rows),
        *((run.name, run.judge, run.metrics, run.scores, run.passed) for run in store.runs.all()),
        *((queue.name, queue.done, queue.count) for queue in store.queues.all()),
    ]


async def test_it_is_filled_once(store: Store) -> None:
    before = contents(store)
    await fill(store)
    assert contents(store) == before


async def test_it_is_the_same_every_time(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "again.db") as again:
        await fill(again)
        assert contents(again) == contents(store)


async def test_no_score_of_the_recording_can_be_taken_for_a_live_one(store: Store) -> None:
    judges = {score.judge for row in store.sessions.each() for score in store.scores.of(row.id)}
    assert judges == {JUDGE, ""}
    assert "recorded" in JUDGE


async def test_no_score_is_of_the_day_on_which_the_demo_was_opened(store: Store) -> None:
    found = [score for row in store.sessions.each() for score in store.scores.of(row.id)]
    days = {time.strftime("%d %b", time.gmtime(score.created_at)) for score in found}
    assert days == {"20 May", "21 May"}


async def test_what_the_check_found_is_not_judged_anew(store: Store) -> None:
    sessions = [row.id for row in store.sessions.each()]
    again = score_sessions(store, sessions, [make_metric("language_switch")], None)
    assert all([scored.kept async for scored in again])


async def test_every_verdict_that_failed_rests_on_words_that_stand_in_its_turn(store: Store) -> None:
    quoted = {}
    for row in store.sessions.each():
        said = {turn.number: turn.content for turn in store.turns.of(row.id)}
        for score in store.scores.of(row.id):
            for verdict in score.verdicts:
                if score.judge == JUDGE and verdict.passed is False:
                    quote = verdict.quote
                    assert quote is not None
                    assert quote.turn == verdict.turn
                    assert said[quote.turn][quote.start : quote.end] == quote.text
                    quoted[row.name, quote.turn] = quote.text
    assert quoted["v4 Dog in the cabin", 2] == "What does the bag weigh?"
    assert quoted["v4 Surfboard to Agadir", 2] == "Skis and snowboards are free in winter, up to 20 kilos."
    assert len(quoted) == 23


async def test_labels_and_modes_stand_at_the_turn_of_what_they_speak_of(store: Store) -> None:
    session = next(row.id for row in store.sessions.each() if row.name == "v5 Rückerstattung nach Storno")
    label = next(one for one in store.labels.of(session) if not one.metric)
    assert (label.note, label.turn) == ("Begins in German and then slips into English.", 4)
    assert {mode.name: mode.turn for mode in store.modes.of(session)} == {
        "Answers in English": 4,
        "Leaves it open": 8,
    }
    [complete] = [one for one in store.scores.of(session) if one.metric == "conversation_completeness"]
    assert [verdict.turn for verdict in complete.verdicts if not verdict.passed] == [8]


async def test_the_overview_leads_to_a_chatbot_that_forgets_in_long_conversations(store: Store) -> None:
    found = overview(store)
    assert found.rates[0].tally.metric == "knowledge_retention"
    broken = max(found.turns, key=lambda one: one.failed / one.sessions)
    assert broken.turn == 10
    assert found.modes[0].name == "Asks again"


async def test_version_5_remembers_more_and_leaves_german_alone(store: Store) -> None:
    sides = default_sides(store)
    assert sides is not None
    assert [side.run.name for side in sides] == ["help desk, version 4", "help desk, version 5"]
    changes = {change.metric: change for change in compare(store, *sides).metrics}
    better, worse = changes["knowledge_retention"], changes["language_switch"]
    assert (better.direction, better.is_sure) == (1, True)
    # Five of five got worse, and six metrics are compared at once: it may be chance.
    assert (worse.direction, worse.is_sure) == (-1, False)
    clear, perhaps, *_ = summary_lines(compare(store, *sides), 80)
    assert clear.startswith("Clearly better  knowledge retention (22 → 30 of 32 pass")
    assert perhaps == "Perhaps worse   language switch (32 → 27 of 32 pass) and 1 more: may be chance"
    assert better.pairs == worse.pairs == 32
    switched = store.sessions.ids("language_switch:fail")
    about = [store.sessions.case(session).metadata or {} for session in switched]
    assert {(one["language"], one["version"]) for one in about} == {("de", 5)}


async def test_two_people_labelled_mostly_blind_and_do_not_always_agree(store: Store) -> None:
    found = agreement(store, "knowledge_retention")
    assert [person.author for person in found.people] == ["Mia", "Ben"]
    assert agreement(store, "Keeps to the fare rules").undecided == 1
    assert found.false_passes
    assert found.false_fails
    assert 0.5 < found.measures.kappa.value < 1
    labels = [label for row in store.sessions.each() for label in store.labels.of(row.id)]
    assert {label.blind for label in labels} == {True, False}
    assert {label.label for label in labels} == {"pass", "fail"}
    assert all(label.note for label in labels if label.label == "fail" and not label.metric)


async def test_the_second_wording_of_the_criterion_agrees_more_with_people(store: Store) -> None:
    versions = store.criteria.versions("Keeps to the fare rules")
    tried = [run.created_at for run in store.runs.all() if run.name.startswith("Keeps to the fare rules")]
    assert [one.created_at for one in versions] == sorted(tried)
    first, second = compare_versions(store, *(criterion_of(version) for version in versions))
    assert first.measures.kappa.value < second.measures.kappa.value


async def test_a_queue_is_half_done_and_its_rest_has_no_label(store: Store) -> None:
    [queue] = store.queues.all()
    assert queue.done * 2 == queue.count
    rest = [item.session_id for item in store.queues.items(queue.id) if not item.done]
    assert not any(store.labels.of(session) for session in rest)
