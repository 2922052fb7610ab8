"""The overview's lines: bars, histograms, and the sessions that each line leads to."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len
from scored_sessions import NASTY

from turnwise.conversations.store import ModeRate, QueueRow, RunSpending, ScoreTally, TurnTally
from turnwise.engine.overview import NewestRun, Overview, PassRate, RunCost, RunRate
from turnwise.engine.people.labelled_scores import MetricAgreement, measured_in_short
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.overview.overview_lines import Drawing, overview_lines
from turnwise.tui.overview.overview_words import in_short, left_words, made_of, sessions_words


def tally(metric: str, passed: int, scores: int, label: str = "") -> ScoreTally:
    histogram = (scores - passed, *(0,) * 8, passed)
    return ScoreTally(metric, scores, passed, 0, 0, histogram, label)


def found(*rates: PassRate, turns: tuple[TurnTally, ...] = (), **fields: object) -> Overview:
    shared = {"sessions": 10, **fields}
    return Overview(rates=rates, turns=turns, **shared)  # type: ignore[arg-type]


def test_a_metric_leads_to_the_sessions_that_fail_it():
    lines = overview_lines(found(PassRate(tally("warmth", 1, 4), {})))
    (line,) = (line for line in lines if line.text.startswith("  warmth"))
    assert line.query == "warmth:fail"
    assert line.text.split() == ["warmth", "▓▓▓░░░░░░░", "25", "%", "(1", "to", "81", "%)", "4", "▇", "▃"]


def test_where_there_is_room_scores_of_what_people_passed_stand_beside_those_of_what_they_failed():
    by_label = {"pass": tally("warmth", 1, 2, "pass"), "fail": tally("warmth", 0, 2, "fail")}
    overview = found(PassRate(tally("warmth", 1, 4), by_label))
    wide, narrow = (list(overview_lines(overview, Drawing(width))) for width in (150, 78))
    (head,) = (line for line in wide if line.text.startswith("Metrics"))
    (line,) = (line for line in wide if line.text.startswith("  warmth"))
    assert head.text.endswith("0  all   1  people ✓    people ✗")
    assert line.text.split()[-5:] == ["▇", "▃", "▇", "▇", "▇"]
    assert line.text.index("▇", line.text.index("▃")) == head.text.index("people ✓")
    assert any("the scores of what people passed, or failed, as to the metric" in line.text for line in wide)
    assert "people" not in "".join(line.text for line in narrow)


def test_a_metric_takes_one_line_and_what_is_left_of_all_takes_one_more():
    rates = [PassRate(tally("warmth", 1, 4)), PassRate(tally("tact", 2, 8)), PassRate(tally("wit", 9, 10))]
    lines = list(overview_lines(found(*rates, labels={"pass": 2})))
    first = next(at for at, line in enumerate(lines) if line.text.startswith("Metrics"))
    assert [line.text.split()[0] for line in lines[first + 1 : first + 4]] == ["warmth", "tact", "wit"]
    assert lines[first + 5].text == "  not scored yet: up to 6 sessions by 2 of 3 metrics"
    assert lines[first + 5].query == "warmth:none"
    assert not lines[first + 6].text


def test_the_turns_that_fail_most_are_shown_in_their_order():
    turns = tuple(TurnTally(turn, 100, 50 - turn if turn % 2 else 0) for turn in range(1, 41))
    lines = [line.text for line in overview_lines(found(turns=turns))]
    shown = [int(line.split()[1]) for line in lines if line.startswith("  turn ")]
    assert shown == list(range(1, 25, 2))
    assert lines[-1] == "  and 8 turns that fail less often"


def test_a_turn_that_no_session_has_any_more_breaks_nothing():
    turns = (TurnTally(1, 0, 1),)
    assert any(line.text.split()[-4:] == ["–", "1", "of", "0"] for line in overview_lines(found(turns=turns)))


def test_no_line_is_wider_than_a_small_terminal_and_none_is_obeyed():
    rate = PassRate(tally(f"{NASTY} {'long ' * 40}", 3_000_000, 9_000_000), {})
    texts = [line.text for line in overview_lines(found(rate, turns=(TurnTally(99_999, 9, 3),)))]
    assert all(len(text) <= 78 for text in texts)
    assert not any("\x1b" in text for text in texts)


def test_figures_by_label_stand_whole_in_a_small_terminal():
    for passed, scores in ((11, 19), (11_111, 19_000)):
        by_label = {label: tally("x", passed, scores) for label in ("pass", "fail")}
        rate = PassRate(tally("conversation_completeness", passed, scores), by_label)
        texts = [line.text.rstrip() for line in overview_lines(found(rate), Drawing(drawn=False))]
        assert all(len(text) <= 78 for text in texts)
        assert any(text.endswith(f"{passed:,} of {scores:,}") for text in texts)
        # Not "people ✗", under which "10 of 17" would be taken for people.
        assert any(text.endswith("✗ passed") for text in texts)
        assert not any("people ✗" in text for text in texts)


def test_the_head_says_how_many_are_labelled_and_what_judging_cost():
    assert sessions_words(found()) == "10 sessions · none labelled"
    told = found(labels={"pass": 4, "fail": 1}, cost=1.234)
    assert sessions_words(told) == ("10 sessions · 5 labelled: 4 pass, 1 fail · judging cost $1.23")


def spending(*spent: RunSpending) -> list[RunCost]:
    return [RunCost(f"run of judge {one.run}", one) for one in spent]


def test_the_cost_of_every_run_stands_below_that_of_all() -> None:
    costs = spending(RunSpending(3, 10, 4, 0.5), RunSpending(2, 7, 7, None), RunSpending(1, 1, 0, 1.0))
    lines = list(overview_lines(found(cost=1.5, unpriced=11, costs=costs)))
    at = [line.text for line in lines].index("What judging cost: the newest run first")
    told = [" ".join(line.text.split()) for line in lines[at + 1 :]]
    assert told == [
        "all runs $1.50, and 11 scores of unknown price",
        "3 run of judge 3 ██████▌ $0.5000 for 6 scores, 4 unpriced",
        "2 run of judge 2 not known for 7 scores",
        "1 run of judge 1 █████████████ $1.00 for 1 score",
    ]
    assert [line.query for line in lines[at + 1 :]] == ["", "run:3", "run:2", "run:1"]
    assert all(cell_len(line.text) <= 78 for line in lines)


def test_where_no_price_is_known_one_line_says_so() -> None:
    lines = [
        line.text for line in overview_lines(found(unpriced=7, costs=spending(RunSpending(2, 7, 7, None))))
    ]
    assert lines[-1] == "  not known for 7 scores: nobody has said what its judge charges"


def test_bars_stand_below_each_other_whatever_cells_a_name_takes():
    rates = [PassRate(tally(name, 4, 4), {}) for name in ("warmth", "礼貌", "礼貌" * 20)]
    lines = [line.text for line in overview_lines(found(*rates)) if line.query]
    assert {cell_len(line[: line.index("█")]) for line in lines if "█" in line} == {29}


def told(overview: Overview) -> dict[str, str]:
    return {words.about: words.said for words in in_short(overview)}


def test_the_first_lines_say_what_is_wrong_in_plain_words():
    turns = (TurnTally(1, 10, 0), TurnTally(2, 10, 3), TurnTally(4, 5, 1))
    modes = (ModeRate(1, "Asks again", None, 4, 8), ModeRate(2, "Lies", None, 1, 8))
    words = told(
        found(PassRate(tally("warmth", 2, 8)), PassRate(tally("tact", 8, 8)), turns=turns, modes=modes)
    )
    assert words["Weakest"] == "warmth passes 25 % of 8 sessions (3 to 65 %)."
    assert words["Breaks"] == "Most break at turn 2: 3 of 10 sessions there (7 to 65 %)."
    assert words["Goes wrong"].startswith("“Asks again” most often: 50 % of 8 sessions reviewed (16 to 84 %)")


def test_where_most_break_a_turn_of_fewer_that_breaks_more_often_is_named_too():
    rate = PassRate(tally("warmth", 2, 8))
    words = told(found(rate, turns=(TurnTally(4, 7, 4), TurnTally(8, 3, 2))))
    assert words["Breaks"].endswith("4 of 7 sessions there (18 to 90 %); by share at turn 8: 2 of 3.")


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
    judged = measured_in_short(MetricAgreement("warmth", Confusion(5, 1, 2, 3), 0.4))
    words = told(found(PassRate(tally("warmth", 2, 8)), labels={"pass": 7, "fail": 4}, judged=(judged,)))
    assert "11 of 10 sessions; warmth caught 3 of 4 that people failed (19 to 99 %);" in words["How sure"]
    assert words["How sure"].endswith("Fewer than 20 labels tell little.")


@pytest.mark.parametrize(
    ("of_whole", "expected"),
    [
        (0, "that people failed (too few labels); it failed"),
        (1, "1 of the 2 that it passed was failed as a whole, perhaps for something else; it failed"),
        (2, "; 2 that it passed were failed as a whole, perhaps for something else; it failed"),
    ],
)
def test_what_a_metric_missed_that_may_be_about_something_else_is_told(of_whole: int, expected: str) -> None:
    judged = measured_in_short(MetricAgreement("warmth", Confusion(5, 2, 2, 1), 0.4, of_whole))
    rate, labels = PassRate(tally("warmth", 2, 8)), {"pass": 7, "fail": 3}
    assert expected in told(found(rate, labels=labels, judged=(judged,)))["How sure"]


def test_a_judge_that_fails_what_people_pass_is_told_of_beside_what_it_caught() -> None:
    harsh = measured_in_short(MetricAgreement("warmth", Confusion(3, 0, 8, 4), 0.4))
    just = measured_in_short(MetricAgreement("warmth", Confusion(11, 0, 0, 4), 0.4))
    rate, labels = PassRate(tally("warmth", 3, 15)), {"pass": 11, "fail": 4}
    words = told(found(rate, labels=labels, judged=(harsh,)))
    assert (
        "caught 4 of 4 that people failed (40 to 100 %); it failed 8 of 11 that they passed."
        in words["How sure"]
    )
    assert "that they passed" not in told(found(rate, labels=labels, judged=(just,)))["How sure"]


def test_where_people_failed_nothing_that_a_metric_scored_it_says_so_in_a_sentence():
    judged = measured_in_short(MetricAgreement("warmth", Confusion(5, 0, 0, 0), 0.4))
    words = told(found(PassRate(tally("warmth", 2, 8)), labels={"pass": 5}, judged=(judged,)))
    assert "labelled 5 of 10 sessions; they failed none of those that warmth scored." in words["How sure"]


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
    assert sessions_words(found(labels={"pass": 4, "fail": 2}, disputed=4)).endswith(
        "10 labelled: 4 pass (40 %), 2 fail (20 %), 4 disputed"
    )


def test_a_report_says_what_it_is_of_and_when_it_was_made():
    day = date(2026, 5, 8)
    assert made_of(Path("talks/help.db"), "tag:billing", day) == "help.db, tag:billing, 8 May 2026"
    assert made_of(Path("help.db"), "", day) == "help.db, 8 May 2026"


def test_a_number_and_its_sign_stay_on_one_line():
    for width in range(60, 90):
        lines = [line.text for line in overview_lines(found(*MEMORY_FIRST, runs=RUNS), Drawing(width))]
        assert not any(line.lstrip().startswith("%") for line in lines)


def test_a_metric_that_fails_nowhere_is_no_weakest_one():
    words = told(found(PassRate(tally("tact", 8, 8))))
    assert words["Weakest"] == "No metric fails anywhere: tact passes all of 8 sessions."


def test_for_those_who_read_nothing_is_drawn_and_no_figure_is_lost():
    by_label = {"pass": tally("warmth", 1, 2, "pass"), "fail": tally("warmth", 0, 2, "fail")}
    everything = found(
        PassRate(tally("warmth", 1, 4), by_label),
        turns=(TurnTally(1, 9, 3),),
        modes=(ModeRate(1, "Asks again", None, 4, 8),),
        labels={"pass": 2, "fail": 2},
        labels_by_day=(("2026-05-18", 4),),
    )
    drawn = "\n".join(line.text for line in overview_lines(everything))
    read = "\n".join(line.text for line in overview_lines(everything, Drawing(drawn=False)))
    assert set("█▓░▁▂▃▄▅▆▇") & set(drawn)
    assert not set("█▓░▏▎▍▌▋▊▉▁▂▃▄▅▆▇") & set(read)
    assert all(
        figure in read
        for figure in (
            "25 % (1 to 81 %)",
            "33 % (7 to 70 %)",
            "3 of 9",
            "50 % (16 to 84 %)",
            "4 of 10",
            "0 of 2",
        )
    )


def test_failure_modes_can_stand_by_group_and_lead_to_the_sessions_of_it():
    modes = (ModeRate(1, "Asks again", "vip", 4, 8), ModeRate(1, "Asks again", "", 1, 8))
    lines = list(overview_lines(found(modes=modes, by="tag")))
    shown = [line for line in lines if line.text.startswith("  Asks")]
    assert ["vip" in shown[0].text, "(none)" in shown[1].text] == [True, True]
    assert shown[0].query == 'mode:"Asks again" tag:vip'


@pytest.mark.parametrize(("group", "words"), [("Help desk", "all of one"), ("", "none has any")])
def test_a_group_alone_is_said_once_and_has_no_column(group: str, words: str):
    modes = tuple(
        ModeRate(number, name, group, 4, 8) for number, name in enumerate(("Asks again", "Invents"))
    )
    lines = [line.text for line in overview_lines(found(modes=modes, by="role"), Drawing(80))]
    assert any(line.startswith(f"Failure modes, by role, {words}: ") for line in lines)
    shown = [line for line in lines if line.startswith(("  Asks again", "  Invents"))]
    assert len(shown) == 2
    assert not any("Help" in line or "(none)" in line for line in shown)
    assert all("█" in line for line in shown)


def test_a_group_with_a_long_name_stands_whole_where_no_bars_take_its_room():
    group = "Service desk of a small airline"
    modes = (ModeRate(1, "Asks again", group, 4, 8), ModeRate(1, "Asks again", "", 1, 8))
    told = found(modes=modes, by="role")
    assert not any(group in line.text for line in overview_lines(told, Drawing(80)))
    assert any(group in line.text for line in overview_lines(told, Drawing(120, drawn=False)))


@pytest.mark.parametrize("drawing", [Drawing(80), Drawing(156), Drawing(78, drawn=False)])
def test_a_group_that_is_cut_stands_two_cells_before_the_figures_and_tells_the_rows_apart(drawing: Drawing):
    start = "The help desk of Marrowby Air, a small airline that flies to the north. It is"
    roles = (f"{start} courteous, brief and exact.", f"{start} terse, formal and never jokes.", "")
    modes = tuple(ModeRate(1, "Asks again", role, 4, 8) for role in roles)
    lines = [line.text for line in overview_lines(found(modes=modes, by="role"), drawing)]
    shown = [line for line in lines if line.startswith("  Asks")]
    assert all("  50" in line for line in shown)
    assert ["courteous" in shown[0], "terse" in shown[1], "(none)" in shown[2]] == [True, True, True]
    assert all(cell_len(line) <= drawing.width for line in shown)


def test_a_group_that_stands_whole_or_apart_keeps_its_beginning():
    modes = tuple(
        ModeRate(1, "Asks again", role, 4, 8) for role in ("The desk", "The bank of a very small town")
    )
    lines = [line.text for line in overview_lines(found(modes=modes, by="role"), Drawing(80))]
    assert any("  The desk  " in line for line in lines)
    assert any("  The bank of" in line for line in lines)


def test_runs_stand_over_time_where_there_are_two_of_a_metric():
    runs = (
        RunRate(3, "newer", 2.0, "warmth", 10, 9),
        RunRate(1, "older", 1.0, "warmth", 10, 5),
        RunRate(3, "newer", 2.0, "tact", 10, 9),
    )
    lines = [line for line in overview_lines(found(runs=runs)) if line.query]
    assert [line.query for line in lines] == ["run:1 warmth:fail", "run:3 warmth:fail"]
    assert "50 % (19 to 81 %)" in lines[0].text


def test_names_of_runs_that_are_too_long_are_cut_where_they_differ() -> None:
    name = "Keeps to the fare rules of all"
    runs = [RunRate(run, f"{name} v{run}", run, "warmth", 10, 9) for run in (1, 2)]
    runs.append(RunRate(3, "nightly", 3.0, "warmth", 10, 9))
    for drawn in (True, False):
        lines = [line.text for line in overview_lines(found(runs=runs), Drawing(drawn=drawn)) if line.query]
        names = [line[:28].strip() for line in lines]
        assert all(one.startswith(f"{run} …") for run, one in zip((1, 2), names, strict=False))
        assert ["rules of all v1" in names[0], "rules of all v2" in names[1]] == [True, True]
        assert names[2].startswith("3 nightly")
    wide = [line.text for line in overview_lines(found(runs=runs), Drawing(150)) if line.query]
    assert f"1 {name} v1 " in wide[0]


JUDGED = (
    measured_in_short(MetricAgreement("conversation completeness", Confusion(34, 1, 2, 9), 0.8)),
    measured_in_short(MetricAgreement("warmth", Confusion(1_000, 0, 36, 0), 0.8)),
)


@pytest.mark.parametrize("drawing", [Drawing(), Drawing(156), Drawing(drawn=False)])
def test_of_judge_and_people_it_says_how_many_of_how_many(drawing: Drawing) -> None:
    lines = [line.text for line in overview_lines(found(judged=JUDGED), drawing)]
    at = next(at for at, line in enumerate(lines) if line.startswith("Metrics"))
    end = next(place for place, line in enumerate(lines) if line.startswith("  ✗ and ✓:"))
    heads = ["caught of people's ✗", "passed of people's ✓"]
    told = [("9 of 10 (55 to 100 %)", "34 of 36 (81 to 99 %)"), ("–", "1,000 of 1,036 (95 to 98 %)")]
    for place, head in enumerate(heads):
        for line, figures in zip(lines[at + 1 : end], told, strict=True):
            assert line[lines[at].index(head) :].startswith(figures[place])
    assert all(cell_len(line) <= drawing.width for line in lines)
    assert ("kappa" in lines[at]) == (drawing != Drawing())
    # Their totals are others than those of the sessions, of which the first line tells.
    assert " ".join(" ".join(lines[end:]).split()).startswith(
        "✗ and ✓: what people say as to the metric, else of the whole session; left out"
    )


def test_the_shades_of_bars_are_told_below_them_where_bars_are_drawn() -> None:
    told_of = {
        drawn: [line.text for line in overview_lines(found(*MEMORY_FIRST), Drawing(drawn=drawn))]
        for drawn in (True, False)
    }
    assert "  █ at least  ▓ found  ░ at most, 95 % sure" in told_of[True]
    assert not any("at least" in line for line in told_of[False])
    (legend,) = (line for line in overview_lines(found(*MEMORY_FIRST)) if "at least" in line.text)
    assert [part.text for part in legend.parts if part.meaning == "passed"] == ["█", "▓", "░"]


RUNS = (
    RunRate(2, "version 5", 2.0, "memory", 32, 30),
    RunRate(2, "version 5", 2.0, "language", 32, 27),
    RunRate(1, "version 4", 1.0, "memory", 32, 22),
    RunRate(1, "version 4", 1.0, "language", 32, 32),
)
MEMORY_FIRST = (PassRate(tally("memory", 52, 64)), PassRate(tally("language", 59, 64)))


def test_metrics_stand_in_the_same_order_in_every_table():
    judged = [measured_in_short(MetricAgreement(name, Confusion(9), 0.4)) for name in ("language", "memory")]
    texts = [line.text for line in overview_lines(found(*MEMORY_FIRST, runs=RUNS, judged=tuple(judged)))]
    for title in ("Metrics over all runs", "Metrics against people", "Runs over time"):
        below = texts[next(at for at, text in enumerate(texts) if text.startswith(title)) :]
        first, second = (
            next(at for at, text in enumerate(below) if text.startswith(f"  {name}"))
            for name in ("memory", "language")
        )
        assert first < second


def test_that_the_worst_metric_comes_first_is_told_where_figures_stand_alone():
    texts = [line.text for line in overview_lines(found(*MEMORY_FIRST, runs=RUNS), Drawing(drawn=False))]
    assert any("worst first" in text.lower() for text in texts)


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
    assert any(text.endswith("fail at a turn, over all runs") for text in texts)
    assert lines["Weakest"].said == ("In run 2, the newest: language passes 84 % (67 to 95 %).")
    assert lines["All runs"].said == ("Lowest: memory, 81 % (70 to 90 %); 94 % in run 2.")
    assert any(
        line.text.startswith("Metrics over all runs, worst first") for line in overview_lines(overview)
    )
    assert lines["Breaks"].said == (
        "In run 2 most break at turn 4: 6 of 32 there (7 to 36 %). In all runs most at turn 10: 9 of 18."
    )
    assert lines["Goes wrong"].said == (
        "“English” most often in run 2: 20 % of 20 reviewed (6 to 44 %); "
        "over all runs “Asks again”: 22 % of 46."
    )
    assert any(text.endswith("that people reviewed, over all runs") for text in texts)
    assert (
        "In all runs 46 of 10 are labelled; language caught 4 of 4 that people failed"
        in lines["How sure"].said
    )
    assert lines["Next"].said.startswith("Mend “English” in the chatbot")
    assert {about: words.query for about, words in lines.items()} == {
        "Weakest": "run:2 language:fail",
        "All runs": "memory:fail",
        "Breaks": "run:2 breaks:4",
        "Goes wrong": "run:2 mode:English",
        "How sure": "label:none",
        "Next": "run:2 mode:English",
    }


def test_where_the_same_turn_breaks_most_in_all_runs_it_is_named_with_both() -> None:
    newest = NewestRun(2, 32, (TurnTally(4, 32, 6),), ())
    words = told(found(*MEMORY_FIRST, runs=RUNS, newest=newest, turns=(TurnTally(4, 64, 9),)))
    assert words["Breaks"].endswith("there (7 to 36 %). In all runs most at turn 4: 9 of 64.")


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
    assert words["Breaks"].startswith("Most break at turn 10: 9 of 18")


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
        "Most break at turn 1",
        "Most break at turn 1, as many as at turn 2",
        "Most break at turn 1, as many as at 2 others",
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
    judged = measured_in_short(MetricAgreement("warmth", Confusion(5, 1, 2, 3), 0.4, failed_otherwise=5))
    rate = PassRate(tally("warmth", 2, 8))
    words = told(found(rate, labels={"pass": 7, "fail": 9}, judged=(judged,)))
    assert "caught 3 of 4 that people failed (19 to 99 %); 5 fail for other reasons" in words["How sure"]


def test_what_is_left_to_do_stands_beside_what_is_done():
    queue = QueueRow(1, "by chance", "random", 0.0, 12, 5)
    lines = list(overview_lines(found(labels={"pass": 4}, queues=(queue,))))
    assert any("4 of 10, 6 left" in line.text and line.query == "label:none" for line in lines)
    assert any("queue by chance" in line.text and "5 of 12, 7 left" in line.text for line in lines)


def test_while_more_is_read_it_says_so():
    assert list(overview_lines(found(unread="counting scores …")))[-1].text == "  counting scores …"


def test_what_is_left_to_do_for_a_metric_is_told_and_leads_to_what_is_not_judged():
    by_label = {"pass": tally("warmth", 1, 2, "pass")}
    one = PassRate(ScoreTally("warmth", 4, 1, failures=2, skipped=1, histogram=(0,) * 10), by_label)
    overview = found(one, labels={"pass": 2})
    words = "3 not scored, 2 not judged, 1 skipped, 2 scored without a label"
    assert left_words(one, overview) == words
    texts = [line.text for line in overview_lines(overview, Drawing(120))]
    assert (
        "  not scored yet: 3 sessions by 1 of 1 metric · not judged: 2 by warmth · skipped: 1 by warmth"
        in texts
    )
    line, *_ = (line for line in overview_lines(overview) if line.text.startswith("  not scored"))
    assert line.query == "warmth:none"
    assert overview.data()["metrics"][0]["not_judged"] == 3
    assert overview.data()["metrics"][0]["not_labelled"] == 2
    # Before the labels are read nothing is said of them.
    assert "label" not in left_words(one, found(one, labels={"pass": 2}, unread="reading"))
    done = PassRate(tally("warmth", 5, 10), {"pass": tally("warmth", 5, 10, "pass")})
    assert left_words(done, found(done, labels={"pass": 10})) == ""


def test_a_criterion_whose_name_has_spaces_leads_to_its_sessions():
    one = PassRate(tally("Keeps to the rules", 1, 4), {"fail": tally("Keeps to the rules", 1, 2, "fail")})
    queries = {line.query for line in overview_lines(found(one, labels={"fail": 2})) if line.query}
    assert '"Keeps to the rules":fail' in queries
    assert not any(query.startswith("Keeps") for query in queries)


def test_bars_take_what_names_leave() -> None:
    short, long = (
        next(
            line.text
            for line in overview_lines(found(PassRate(tally(name, 8, 8), {})), Drawing(100))
            if "▓" in line.text
        )
        for name in ("warmth", "warmth of the second reply in a row")
    )
    assert short.count("█") > long.count("█")
