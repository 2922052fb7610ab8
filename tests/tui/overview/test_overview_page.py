"""The overview as a page: every figure in it, and nothing of a name but as text."""

from __future__ import annotations

from dataclasses import replace

from scored_sessions import NASTY, add_outcomes, add_talk
from stored import keep

from turnwise.conversations.results import Score, Verdict
from turnwise.conversations.store import Store
from turnwise.engine.overview import overview
from turnwise.engine.people.labelled_scores import MetricAgreement, measured_in_short
from turnwise.engine.people.mode_occurrences import modes_in_words
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.overview.overview_markdown import markdown_pieces
from turnwise.tui.overview.overview_page import page_pieces

HOSTILE = f"</title><script>alert(1)</script><img src=x onerror=alert(1)> {NASTY}"


def page(store: Store, query: str = "", by: str | None = None) -> str:
    return "".join(page_pieces(overview(store, query, by=by), query))


def fill(store: Store, metric: str) -> list[int]:
    failed = (Verdict(turn=2, passed=False, word="no", reason=""),)
    talks = [add_talk(store, name=f"talk {number}") for number in range(3)]
    for talk, value in zip(talks, (0.1, 0.2, 0.9), strict=True):
        add_outcomes(
            store, talk, Score(metric=metric, reason="", score=value, threshold=0.5, verdicts=failed)
        )
        store.labels.add(talk, "pass" if value > 0.5 else "fail", author="ann", blind=True)
    return talks


def test_every_part_has_a_table_with_its_figures(store: Store) -> None:
    talks = fill(store, "warmth")
    store.modes.assign(talks[:1], store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    store.queues.add("by chance", talks, sampler="random")
    text = page(store)
    for part in ("Metrics", "Where sessions break", "Failure modes", "Labels", "Metrics against", "Runs"):
        assert f"<caption>{part}" in text
    assert "33 % (1 to 91 %)" in text
    assert "2 of 3" in text
    assert "67 % (9 to 99 %)" in text, "two of three break at turn 2, and how sure that is stands beside it"
    assert "queue by chance" in text


def test_too_few_labels_and_doubtful_metrics_are_told_as_in_the_app(store: Store) -> None:
    fill(store, "warmth")
    found = overview(store)
    text = "".join(page_pieces(found, ""))
    assert text.count("(too few labels)") >= 2
    assert "to be doubted" not in text
    weak = measured_in_short(MetricAgreement("warmth", Confusion(10, 1, 9, 2), 0.1))
    for pieces in (page_pieces, markdown_pieces):
        told = "".join(pieces(replace(found, judged=(weak,)), ""))
        assert "to be doubted, as they hardly agree with people: warmth" in told


def test_its_tables_have_the_metrics_in_one_order_the_worst_first(store: Store) -> None:
    talks = fill(store, "warmth")
    for talk in talks:
        add_outcomes(store, talk, Score(metric="care", reason="", score=1.0, threshold=0.5))
    text = page(store)
    assert "<caption>Metrics over all runs, worst first" in text
    assert "newest score counts, whichever run it is of" in text
    for part in ("Metrics", "Metrics against", "Runs"):
        table = text[text.index(f"<caption>{part}") :]
        assert table.index("warmth") < table.index("care")


def test_fails_of_whole_sessions_that_metrics_missed_are_no_ground_to_doubt_them(store: Store) -> None:
    for number in range(14):
        talk = add_talk(store, name=f"talk {number}")
        add_outcomes(store, talk, Score(metric="warmth", reason="", score=0.9, threshold=0.5))
        store.labels.add(talk, "fail" if number < 2 else "pass", author="ann", blind=True)
    found = overview(store)
    assert [one["doubted"] for one in found.data()["judged"]] == [False]
    text = page(store)
    assert "both fails that metrics missed name no metric: perhaps for another reason" in text
    assert "Doubt" not in text


def test_a_group_alone_stands_over_the_failure_modes_and_not_beside_each(store: Store) -> None:
    mode = store.modes.add("rude", "", author="ann")
    for role in ("a clerk", "an agent"):
        store.modes.assign([keep(store, "Hi", name=role, chatbot_role=role)], mode, author="ann")
    both, one = page(store, by="role"), page(store, 'role:"a clerk"', by="role")
    assert "Failure modes, by role<" in both
    assert both.count('<span class="quiet">a clerk</span>') == 1
    assert "Failure modes, by role, all of one<" in one
    assert '<span class="quiet">a clerk</span>' not in one


def test_what_judging_cost_is_told_run_by_run(store: Store) -> None:
    talk = add_talk(store)
    add_outcomes(store, talk, Score(metric="warmth", reason="", score=1.0, threshold=0.5, cost=0.25))
    add_outcomes(store, talk, Score(metric="honesty", reason="", score=1.0, threshold=0.5), judge="away")
    text = page(store)
    assert "<caption>What judging cost" in text
    assert "$0.2500, and 1 score of unknown price" in text
    assert "not known for 1 score" in text


def test_nothing_of_a_name_is_obeyed(store: Store) -> None:
    talks = fill(store, HOSTILE)
    store.modes.assign(talks[:1], store.modes.add("rude", "x", author="ann"), author="ann")
    text = page(store, f'"{HOSTILE}" role:agent', by="role")
    assert "<script" not in text
    assert "<img" not in text
    assert "\x1b" not in text
    assert "default-src 'none'" in text


def test_where_nothing_is_scored_there_is_still_a_page(store: Store) -> None:
    add_talk(store)
    assert "1 session" in page(store)


def test_failure_modes_are_told_in_the_words_of_their_sessions_as_text_alone(store: Store) -> None:
    talk = add_talk(store, name=HOSTILE)
    store.modes.assign([talk], store.modes.add("rude", HOSTILE, author="ann"), author="ann", turn={talk: 2})
    store.labels.add(talk, "fail", author="ann", blind=True, turn=2, note=f"unkind {HOSTILE}")
    text = "".join(page_pieces(overview(store), "", modes_in_words(store)))
    assert '<h2 dir="auto">rude</h2>' in text
    assert f"session {talk}, turn 2:" in text
    assert "ann noted: unkind" in text
    assert "<blockquote" in text
    assert "<script>" not in text
    assert "<img" not in text
