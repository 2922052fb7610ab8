"""The overview's lines: bars, histograms, and the sessions that each line leads to."""

import re

import pytest
from overviews import MEMORY_FIRST, RUNS, found, tally
from rich.cells import cell_len
from scored_sessions import NASTY

from turnwise.conversations.store import ModeRate, QueueRow, RunSpending, ScoreTally, TurnTally
from turnwise.engine.overview import PassRate, RunCost, RunRate
from turnwise.engine.people.labelled_scores import MetricAgreement, measured_in_short
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.agreement.agreement_words import FEW_IN_SHORT
from turnwise.tui.overview.overview_lines import Drawing, overview_lines
from turnwise.tui.overview.overview_words import left_words


def test_a_metric_leads_to_the_sessions_that_fail_it():
    lines = overview_lines(found(PassRate(tally("warmth", 1, 4), {})))
    (line,) = (line for line in lines if line.text.startswith("  warmth"))
    assert line.query == "warmth:fail"
    assert line.text.split() == ["warmth", "▓▓▓░░░░░░░", "25", "%", "(1", "to", "81", "%)", "4", "▇........▃"]


def test_where_there_is_room_scores_of_what_people_passed_stand_beside_those_of_what_they_failed():
    by_label = {"pass": tally("warmth", 1, 2, "pass"), "fail": tally("warmth", 0, 2, "fail")}
    overview = found(PassRate(tally("warmth", 1, 4), by_label))
    wide, narrow = (list(overview_lines(overview, Drawing(width))) for width in (150, 78))
    (head,) = (line for line in wide if line.text.startswith("Metrics"))
    (line,) = (line for line in wide if line.text.startswith("  warmth"))
    assert head.text.endswith("0  all   1  0   ✓    1  0   ✗    1")
    # A base line shows where each of them begins and ends.
    assert [len(one) for one in line.text.split()[-3:]] == [10, 10, 10]
    assert line.text.rindex(line.text.split()[-1]) == head.text.index("0   ✗    1")
    assert {part.text for part in line.parts if part.meaning == "muted"} <= {
        "." * cells for cells in range(11)
    }
    assert any("of what people passed (✓) and failed (✗) as to the metric" in line.text for line in wide)
    assert any("0 spread 1: how many scores lie where" in line.text for line in narrow)
    assert "people" not in "".join(line.text for line in narrow)


def test_a_metric_takes_one_line_and_what_is_left_of_all_takes_one_more():
    rates = [PassRate(tally("warmth", 1, 4)), PassRate(tally("tact", 2, 8)), PassRate(tally("wit", 9, 10))]
    lines = list(overview_lines(found(*rates, labels={"pass": 2})))
    first = next(at for at, line in enumerate(lines) if line.text.startswith("Metrics"))
    assert [line.text.split()[0] for line in lines[first + 1 : first + 4]] == ["warmth", "tact", "wit"]
    assert lines[first + 6].text == "  not scored yet: up to 6 sessions by 2 of 3 metrics"
    assert lines[first + 6].query == "warmth:none"
    assert not lines[first + 7].text


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
        [above] = [place for place, text in enumerate(texts) if text.endswith("passed of people's")]
        # Right over the two signs, so that it is told what is counted of each.
        at = texts[above].index("passed of people's")
        assert (texts[above + 1][at], texts[above + 1].endswith("✗")) == ("✓", True)


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


def test_a_number_and_its_sign_stay_on_one_line():
    for width in range(60, 90):
        lines = [line.text for line in overview_lines(found(*MEMORY_FIRST, runs=RUNS), Drawing(width))]
        assert not any(line.lstrip().startswith("%") for line in lines)


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
    # That of few labels is known before one has read to the end.
    assert (FEW_IN_SHORT in lines[at]) == (drawing.width > 80)
    # Their totals are others than those of the sessions, of which the first line tells.
    assert " ".join(" ".join(lines[end:]).split()).startswith(
        "✗ and ✓: labels of the metric, or else of the whole session; left out"
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


def test_metrics_stand_in_the_same_order_in_every_table():
    judged = [measured_in_short(MetricAgreement(name, Confusion(9), 0.4)) for name in ("language", "memory")]
    texts = [line.text for line in overview_lines(found(*MEMORY_FIRST, runs=RUNS, judged=tuple(judged)))]
    for title in ("All runs, worst first", "Metrics against people", "Runs over time"):
        below = texts[next(at for at, text in enumerate(texts) if text.startswith(title)) :]
        first, second = (
            next(at for at, text in enumerate(below) if text.startswith(f"  {name}"))
            for name in ("memory", "language")
        )
        assert first < second


def test_the_title_over_metrics_ends_with_their_names_and_the_bars_have_a_scale():
    rates = [PassRate(tally("conversation completeness", 1, 4)), PassRate(tally("turn relevancy", 2, 8))]
    for width in (78, 158):
        lines = [line.text for line in overview_lines(found(*rates), Drawing(width))]
        at = next(at for at, line in enumerate(lines) if "worst first" in line)
        over_bars = re.search(r"  (0–100 % ?|0 {3,}100 %) ", lines[at])
        assert over_bars is not None
        scale = over_bars.start(1)
        assert lines[at][:scale].rstrip().endswith("worst first")
        # The scale begins where the bars do: after a name and its gap.
        assert lines[at + 1][scale - 1] == " "
        assert lines[at + 1][scale] in "█▓"
        # And it ends where they end: a bar of all that there is reaches as far.
        assert len(over_bars[1]) == Drawing(width).bar


def test_that_the_worst_metric_comes_first_is_told_where_figures_stand_alone():
    texts = [line.text for line in overview_lines(found(*MEMORY_FIRST, runs=RUNS), Drawing(drawn=False))]
    assert any("worst first" in text.lower() for text in texts)


def test_what_is_left_to_do_stands_beside_what_is_done():
    queue = QueueRow(1, "by chance", "random", 0.0, 12, 5)
    lines = list(overview_lines(found(labels={"pass": 4}, queues=(queue,))))
    assert any("4 of 10, 6 left" in line.text and line.query == "label:none" for line in lines)
    assert any("queue by chance" in line.text and "5 of 12, 7 left" in line.text for line in lines)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (156, "18 May to 25 May 2026, 2 days with labels"),
        (78, "18 May to 25 May, 2 days with labels"),
        (60, "2 days with labels"),
    ],
)
def test_days_with_labels_are_told_under_the_figures_above_them(width: int, told: str):
    days = (("2026-05-18", 4), ("2026-05-25", 2))
    lines = [
        line.text for line in overview_lines(found(labels={"pass": 6}, labels_by_day=days), Drawing(width))
    ]
    (above,) = (line for line in lines if line.startswith("  all of these"))
    (line,) = (line for line in lines if line.startswith("  by day"))
    assert line.endswith(told)
    assert line.index(told) == above.index("6 of 10")


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
