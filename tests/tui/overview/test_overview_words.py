"""The overview's words: what is wrong with a chatbot, how sure that is, and what to do next."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from overviews import MEMORY_FIRST, RUNS, found, tally

from turnwise.conversations.store import ModeRate, QueueRow, TurnTally
from turnwise.engine.overview import NewestRun, Overview, PassRate, RunRate
from turnwise.engine.people.labelled_scores import MetricAgreement, measured_in_short
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.overview.overview_lines import overview_lines
from turnwise.tui.overview.overview_words import (
    few_words,
    in_short,
    kappa_words,
    made_of,
    otherwise_words,
    sessions_words,
)


def test_the_head_says_how_many_are_labelled_and_what_judging_cost():
    assert sessions_words(found()) == "10 sessions · none labelled"
    told = found(labels={"pass": 4, "fail": 1}, cost=1.234)
    assert sessions_words(told) == ("10 sessions · 5 labelled: 4 pass, 1 fail · judging cost $1.23")


def told(overview: Overview) -> dict[str, str]:
    return {words.about: words.said for words in in_short(overview)}


def sureness(matrix: Confusion, whole: int = 0, otherwise: int = 0) -> str:
    """Return how sure it is said to be where people labelled so. whole, otherwise: as MetricAgreement has."""
    judged = measured_in_short(MetricAgreement("warmth", matrix, 0.4, whole, failed_otherwise=otherwise))
    labels = {"pass": matrix.people_passed, "fail": matrix.people_failed + otherwise}
    return told(found(PassRate(tally("warmth", 2, 8)), labels=labels, judged=(judged,)))["How sure"]


def test_what_kappas_and_passes_as_to_a_metric_rest_on_is_said() -> None:
    few, many = (
        measured_in_short(MetricAgreement(name, Confusion(40, 0, 0, fails), 1.0, 0, failed_otherwise=other))
        for name, fails, other in (("warmth", 3, 9), ("tact", 4, 16))
    )
    assert [kappa_words(one) for one in (few, many)] == ["1.00?", "1.00"]
    assert few_words(found(judged=(many,))) == ""
    assert few_words(found(judged=(few, many))).startswith("? fewer than 4 fails, or passes")
    assert otherwise_words(found(judged=(few, many))) == (
        "among people's ✓ are sessions that failed for another reason: up to 16 of a metric"
    )
    assert otherwise_words(found()) == ""


def test_the_first_lines_say_what_is_wrong_in_plain_words():
    turns = (TurnTally(1, 10, 0), TurnTally(2, 10, 3), TurnTally(4, 5, 1))
    modes = (ModeRate(1, "Asks again", None, 4, 8), ModeRate(2, "Lies", None, 1, 8))
    words = told(
        found(PassRate(tally("warmth", 2, 8)), PassRate(tally("tact", 8, 8)), turns=turns, modes=modes)
    )
    assert words["Weakest"] == "warmth passes 25 % of 8 sessions (3 to 65 %)."
    assert words["Breaks"] == "Metrics fail most at turn 2: 30 % of 10 sessions (7 to 65 %)."
    assert words["Goes wrong"].startswith("“Asks again” most often: 50 % of 8 sessions reviewed (16 to 84 %)")


def test_another_turn_than_that_of_most_is_named_only_where_its_share_is_surely_higher():
    rate = PassRate(tally("warmth", 2, 8))
    words = told(found(rate, turns=(TurnTally(4, 7, 4), TurnTally(8, 3, 2))))
    assert words["Breaks"] == "Metrics fail most at turn 4: 57 % of 7 sessions (18 to 90 %)."
    words = told(found(rate, turns=(TurnTally(4, 90, 12), TurnTally(8, 12, 10))))
    assert words["Breaks"].endswith("(7 to 22 %); surely a higher share: turn 8, 10 of 12.")


def test_a_turn_at_which_one_session_breaks_is_not_said_to_break_most():
    turns = (TurnTally(1, 13, 1), TurnTally(3, 7, 1), TurnTally(4, 6, 1))
    words = told(found(PassRate(tally("warmth", 2, 8)), turns=turns))
    assert words["Breaks"] == "At no turn more than one session."


def test_without_labels_it_says_that_nobody_knows_whether_the_judge_is_right():
    words = list(in_short(found(PassRate(tally("warmth", 2, 8)))))
    assert words[-1].about == "How sure"
    assert "Nobody has said yet whether the scores are right: label 10 sessions" in words[-1].said
    assert words[-1].query == "label:none"


def test_with_labels_it_says_what_the_judge_finds_of_what_people_failed():
    said = sureness(Confusion(5, 1, 2, 3))
    assert "11 of 10 sessions; warmth caught 3 of 4 that people failed (19 to 99 %);" in said
    assert said.endswith("Fewer than 20 labels tell little.")


@pytest.mark.parametrize(
    ("of_whole", "expected"),
    [
        (0, "that people failed (too few labels); it failed"),
        (
            1,
            "; 1 of the 2 that it passed perhaps failed for another reason: "
            "without it 1 of 2 (too few labels); “is right” in Agreement settles it; it failed",
        ),
        (
            2,
            "; 2 that it passed perhaps failed for another reason: "
            "without them 1 of 1 (too few labels); “is right” in Agreement settles them; it failed",
        ),
    ],
)
def test_what_a_metric_missed_that_may_be_about_something_else_is_told(of_whole: int, expected: str) -> None:
    assert expected in sureness(Confusion(5, 2, 2, 1), of_whole)


def test_a_judge_that_fails_what_people_pass_is_told_of_beside_what_it_caught() -> None:
    harsh, just = sureness(Confusion(3, 0, 8, 4)), sureness(Confusion(11, 0, 0, 4))
    assert "caught 4 of 4 that people failed (40 to 100 %); it failed 8 of 11 that they passed." in harsh
    assert "that they passed" not in just


def test_where_people_failed_nothing_that_a_metric_scored_it_says_so_in_a_sentence():
    said = sureness(Confusion(5, 0, 0, 0))
    assert "labelled 5 of 10 sessions; they failed none of those that warmth scored." in said


def test_it_says_what_to_do_next():
    begun, done = QueueRow(1, "by chance", "random", 0.0, 12, 5), QueueRow(2, "all", "random", 0.0, 3, 3)
    mode = ModeRate(1, "Asks again", None, 4, 8)
    mend = ("Mend “Asks again” in the chatbot and compare a new run.", 'mode:"Asks again"')

    def said(**facts: object) -> list[tuple[str, str]]:
        words = [one for one in in_short(found(**facts)) if one.about in ("Next", "Then")]
        return [(one.said, one.query) for one in words]

    few, many = {"pass": 4, "fail": 3}, {"pass": 14, "fail": 8}
    assert said(labels=few, queues=(begun, done), modes=(mode,)) == [
        ("Label the 7 left in the queue “by chance”.", ""),
        mend,
    ]
    assert said(labels=few, queues=(done,), modes=(mode,)) == [("Label 3 more.", "label:none"), mend]
    assert said(labels=many, modes=(mode,)) == [mend]
    assert said(labels=many) == [
        ("Give failure modes to what people failed, to see what goes wrong most often.", "label:fail")
    ]
    # Without a label the line above says that these come first; while more is read it would jump.
    assert "Next" not in told(found(queues=(begun,)))
    assert "Next" not in told(found(labels=few, modes=(mode,), unread="counting scores …"))


def test_labels_are_counted_in_a_line_and_what_people_dispute_is_told_with_them():
    labels = {"pass": 7, "fail": 2}
    assert sessions_words(found(labels=labels)) == "10 sessions · 9 labelled: 7 pass, 2 fail"
    assert sessions_words(found(labels=labels | {"defer": 1})).endswith("7 pass, 2 fail · 1 deferred")
    assert sessions_words(found(labels={"pass": 4, "fail": 2}, disputed=4)).endswith(
        "10 labelled: 4 pass (40 %), 2 fail (20 %), 4 disputed"
    )


def test_a_report_says_what_it_is_of_and_when_it_was_made():
    day = date(2026, 5, 8)
    assert made_of(Path("talks/help.db"), "tag:billing", day) == "help.db, tag:billing, 8 May 2026"
    assert made_of(Path("help.db"), "", day) == "help.db, 8 May 2026"


def test_a_metric_that_fails_nowhere_is_no_weakest_one():
    words = told(found(PassRate(tally("tact", 8, 8))))
    assert words["Weakest"] == "No metric fails anywhere: tact passes all of 8 sessions."


def test_where_the_newest_run_has_another_weakest_metric_what_it_tells_comes_first():
    newest = NewestRun(2, 32, (TurnTally(4, 32, 6),), (ModeRate(2, "English", None, 4, 20),))
    judged = measured_in_short(MetricAgreement("language", Confusion(30, 0, 0, 4), 0.4))
    overview = found(
        *MEMORY_FIRST,
        runs=RUNS,
        newest=newest,
        turns=(TurnTally(10, 18, 9),),
        modes=(ModeRate(1, "Asks again", None, 10, 46), ModeRate(2, "English", None, 4, 46)),
        labels={"pass": 20, "fail": 26},
        judged=(judged,),
    )
    lines = {words.about: words for words in in_short(overview)}
    assert list(lines) == ["Weakest", "All runs", "Breaks", "Goes wrong", "How sure", "Next"]
    texts = [line.text for line in overview_lines(overview)]
    assert any(text.endswith("get there, over all runs") for text in texts)
    assert lines["Weakest"].said == ("In run 2, the newest: language passes 84 % (67 to 95 %).")
    assert lines["All runs"].said == ("Lowest: memory, 81 % (70 to 90 %); 94 % in run 2.")
    assert any(line.text.startswith("All runs, worst first") for line in overview_lines(overview))
    counts = "  of each session a metric's newest score counts, whichever run it is of"
    assert counts in texts
    # The chart below is of all runs, and would seem to say otherwise.
    assert lines["Breaks"].said == (
        "In run 2 metrics fail most at turn 4: 19 % of 32 (7 to 36 %); over all runs at turn 10: 50 % of 18."
    )
    assert lines["Goes wrong"].said == (
        "“English” most often in run 2: 20 % of 20 reviewed (6 to 44 %); "
        "over all runs “Asks again”: 22 % of 46."
    )
    assert any(text.endswith("share of those reviewed, most sessions first, over all runs") for text in texts)
    assert "46 of all 10 are labelled; language caught 4 of 4 that people failed" in lines["How sure"].said
    assert lines["Next"].said.startswith("Mend “English” in the chatbot")
    assert {about: words.query for about, words in lines.items()} == {
        "Weakest": "run:2 language:fail",
        "All runs": "memory:fail",
        "Breaks": "run:2 breaks:4",
        "Goes wrong": "run:2 mode:English",
        "How sure": "label:none",
        "Next": "run:2 mode:English",
    }


@pytest.mark.parametrize(
    ("later", "ended", "said"),
    [
        ([], {2: True, 1: True}, "the newest"),
        ([], {3: False, 2: True}, "the newest that ended"),
        ([RunRate(3, "version 6", 3.0, "memory", 4, 4)], {3: False, 2: True}, "the newest that ended"),
        ([], {3: True, 2: True}, "the newest with scores"),
        ([RunRate(3, "check", 3.0, "links", 9, 9)], {3: True, 2: True}, "the newest that can be compared"),
        (
            [RunRate(3, "again", 3.0, "memory", 64, 64)],
            {3: True, 2: True},
            "the newest of some sessions only",
        ),
    ],
)
def test_in_which_sense_a_run_is_the_newest_is_said(
    later: list[RunRate], ended: dict[int, bool], said: str
) -> None:
    words = told(found(*MEMORY_FIRST, runs=(*later, *RUNS), newest=NewestRun(2, 32), ended=ended))
    assert words["Weakest"].startswith(f"In run 2, {said}: language passes 84 %")


@pytest.mark.parametrize("runs", [RUNS[1:], (RUNS[0], *RUNS[2:])])
def test_a_run_that_did_not_judge_by_the_weakest_of_all_tells_nothing_of_it(
    runs: tuple[RunRate, ...],
) -> None:
    words = told(found(*MEMORY_FIRST, runs=runs))
    assert words["Weakest"].startswith("memory passes 81 % of 64 sessions")
    assert "All runs" not in words


def test_of_the_sessions_of_one_run_nothing_is_told_of_all_runs() -> None:
    newest = NewestRun(2, 16, (TurnTally(4, 16, 3),), (ModeRate(2, "English", None, 4, 8),))
    modes = (ModeRate(1, "Asks again", None, 4, 8),)
    turns = (TurnTally(10, 18, 9),)
    overview = found(*MEMORY_FIRST, runs=RUNS, newest=newest, modes=modes, turns=turns, labels={"fail": 4})
    of_run = replace(overview, of_run=True)
    assert any("all runs" in line.text for line in overview_lines(overview))
    assert not any("all runs" in line.text.lower() for line in overview_lines(of_run))
    words = told(of_run)
    assert words["Weakest"] == "memory passes 81 % of 64 sessions (70 to 90 %)."
    assert words["Breaks"].startswith("Metrics fail most at turn 10: 50 % of 18")


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((4, 2), "“A” most often: 50 % of 8 sessions reviewed"),
        ((4, 4), "“A” and “B” most often, each 50 % of 8 sessions reviewed"),
        ((4, 4, 4, 1), "“A” and 2 others most often, each 50 % of 8 sessions reviewed"),
    ],
)
def test_what_goes_wrong_as_often_is_named_with_what_goes_wrong_most(
    counts: tuple[int, ...], said: str
) -> None:
    modes = [ModeRate(place, "ABCD"[place], None, count, 8) for place, count in enumerate(counts)]
    assert told(found(*MEMORY_FIRST, modes=modes))["Goes wrong"].startswith(said)


def test_a_turn_at_which_as_many_break_is_told() -> None:
    words = [
        told(found(*MEMORY_FIRST, turns=[TurnTally(turn, 20, 5) for turn in range(1, 2 + others)]))["Breaks"]
        for others in (0, 1, 2)
    ]
    assert [one.partition(":")[0] for one in words] == [
        "Metrics fail most at turn 1",
        "Metrics fail most at turn 1, as many as at turn 2",
        "Metrics fail most at turn 1, as many as at 2 others",
    ]


def test_what_is_told_of_several_runs_says_so() -> None:
    modes = (ModeRate(1, "Asks again", None, 4, 8),)
    words = told(found(*MEMORY_FIRST, runs=RUNS[1:], modes=modes))
    assert words["Goes wrong"].startswith("“Asks again” most often over all runs: 50 % of 8 reviewed")
    assert words["Weakest"] == "memory passes 81 % of 64 sessions (70 to 90 %), over all runs."
    assert "over all runs" not in told(found(*MEMORY_FIRST, runs=RUNS[:2]))["Weakest"]


WEAK = measured_in_short(MetricAgreement("memory", Confusion(10, 1, 9, 2), 0.1))


def test_a_metric_that_hardly_agrees_with_people_is_doubted_and_no_weakness_of_the_chatbot() -> None:
    rates, labels = MEMORY_FIRST, {"pass": 19, "fail": 3}
    overview = found(*rates, labels=labels, judged=(WEAK,))
    words = told(overview)
    doubt = "it agreed with people little beyond chance (kappa 0.09)."
    assert "Weakest" not in words
    assert words["Lowest"] == (
        f"memory passes 81 % of 64 sessions (70 to 90 %). Doubt this figure, as {doubt}"
    )
    texts = [line.text for line in overview_lines(overview)]
    assert "  to be doubted, as they hardly agree with people: memory" in texts
    among_runs = told(found(*rates, labels=labels, judged=(WEAK,), runs=RUNS))
    assert among_runs["All runs"].endswith(f"94 % in run 2. Doubt this figure, as {doubt}")
    assert "Doubt" not in among_runs["Weakest"]


def test_a_few_labels_make_no_judge_a_weak_one() -> None:
    few = measured_in_short(MetricAgreement("memory", Confusion(1, 0, 3, 0), 0.0))
    assert "Weakest" in told(found(*MEMORY_FIRST, labels={"pass": 4}, judged=(few,)))


def test_what_people_failed_for_something_else_is_told_apart_from_what_a_metric_was_to_catch():
    said = sureness(Confusion(5, 1, 2, 3), otherwise=5)
    assert "caught 3 of 4 that people failed (19 to 99 %)" in said
    assert "; 5 more failed for other reasons" in said


def test_a_fail_at_a_turn_that_names_no_metric_leaves_the_share_of_what_is_surely_meant_in_sight():
    said = sureness(Confusion(5, 1, 0, 4), 1)
    assert "caught 4 of 5 that people failed (28 to 99 %)" in said
    assert "; 1 that it passed perhaps failed for another reason: without it 4 of 4 (40 to 100 %)" in said
    assert said.count("; “is right” in Agreement settles it") == 1
    assert "as a whole" not in said
