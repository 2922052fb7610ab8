"""Outcomes in a line or a few: what is wanting comes first, and what says nothing is left out."""

from __future__ import annotations

import re
from dataclasses import replace

from rich.cells import cell_len
from rich.style import Style

from turnwise.conversations.results import Quote
from turnwise.conversations.store.rows import ScoreRow, VerdictRow
from turnwise.tui.drawing.lines import line_text
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.reading.score_groups import SessionScores, group_scores
from turnwise.tui.reading.score_lines import chips, score_lines, short_turn_lines, turn_lines, verdict_text

TONES = Tones(**dict.fromkeys(Tones.__dataclass_fields__, Style()))
PASSED = ScoreRow(1, 1, "relevancy", "score", 1.0, 0.5, True, "All is well.", None, 0.0, "judge", 1, 1)
FAILED = replace(PASSED, metric="retention", score=0.2, passed=False)
SKIPPED = replace(PASSED, metric="faithfulness", outcome="skipped", score=None, passed=None)
ALL = [PASSED, replace(PASSED, metric="role"), SKIPPED, FAILED, replace(FAILED, metric="safety")]


def chips_in(width: int) -> str:
    return line_text(chips(group_scores(ALL), width, TONES))


def test_what_is_wanting_stands_first_and_the_others_are_counted_after_it() -> None:
    assert chips_in(64).split("   ") == ["  ✗ retention 0.20", "✗ safety 0.20", "✓ 2 pass", "– 1 skipped  "]


def test_a_score_that_fails_says_what_it_needed_where_nothing_is_cut_for_it() -> None:
    told = ["✗ retention 0.20, needs 0.50", "✗ safety 0.20, needs 0.50", "✓ 2 pass", "– 1 skipped"]
    assert chips_in(90).split("   ") == [f"  {told[0]}", *told[1:3], f"{told[3]}  "]
    # Of several the first does, as far as there is room.
    assert chips_in(80).split("   ") == [f"  {told[0]}", "✗ safety 0.20", told[2], f"{told[3]}  "]
    titles = [line_text(line) for line in score_lines(group_scores(ALL), [], 46, TONES, 0.0).lines]
    assert [line.split()[-3:] for line in titles if line.startswith("  ✗ ")] == [
        ["0.20,", "needs", "0.50"]
    ] * 2
    assert not any("needs" in line for line in titles if not line.startswith("  ✗ "))
    for width in range(10, 46):
        lines = [line_text(one) for one in score_lines(group_scores(ALL), [], width, TONES, 0.0).lines]
        assert not any("needs" in line and "…" in line for line in lines)
    several = [replace(FAILED, exchange=1), replace(FAILED, exchange=2, threshold=0.9)]
    assert "needs" not in line_text(chips(group_scores(several), 80, TONES))


def test_of_several_that_fail_the_highest_says_first_what_it_needed() -> None:
    low = replace(FAILED, metric="language_switch", score=0.0)
    high = replace(FAILED, metric="conversation_completeness", score=0.8, threshold=0.9)
    many = group_scores([low, high, *(replace(PASSED, metric=f"metric_{number}") for number in range(4))])
    said = "✗ language switch 0.00   ✗ conversation completeness 0.80, needs 0.90   ✓ 4"
    assert said.removesuffix("4") + "4 pass" in line_text(chips(many, 90, TONES))
    # What passes gives way to it.
    assert line_text(chips(many, 80, TONES)).strip() == said
    assert "needs" not in line_text(chips(many, 76, TONES))


def test_what_a_score_needed_stands_before_its_reason_where_a_long_name_leaves_it_no_room() -> None:
    long = replace(FAILED, metric="conversation_completeness")
    lines = [line_text(one) for one in score_lines(group_scores([long]), [], 46, TONES, 0.0).lines]
    at = next(place for place, line in enumerate(lines) if "conversation completeness" in line)
    assert lines[at].rstrip().endswith("0.20")
    assert lines[at + 1].strip() == "needs 0.50 · All is well."


def test_of_what_passes_it_is_said_how_much_has_marks_at_turns_where_there_is_room() -> None:
    at_turn = VerdictRow(turn=2, passed=True, reason="", word="yes")
    marked = [replace(PASSED, metric=name, verdicts=(at_turn,)) for name in ("tone", "role")]
    groups = group_scores([*marked, PASSED])
    letters = "".join(sorted(group.letter for group in groups if group.metric in ("tone", "role")))
    assert line_text(chips(groups, 60, TONES)).strip() == f"✓ 3 pass, 2 of them in the margin ({letters})"
    assert line_text(chips(groups, 30, TONES)).strip() == "✓ 3 pass"
    # Where all have marks, or none has, there is nothing to tell apart.
    assert line_text(chips(group_scores(marked), 60, TONES)).strip() == "✓ 2 pass"
    assert line_text(chips(group_scores([PASSED]), 60, TONES)).strip() == "✓ 1 pass"


def test_what_alone_was_skipped_is_named_where_nothing_gives_way_to_it() -> None:
    assert chips_in(120).rstrip().endswith("✓ 2 pass   – faithfulness skipped")
    two = [*ALL, replace(SKIPPED, metric="tone")]
    assert line_text(chips(group_scores(two), 120, TONES)).rstrip().endswith("– 2 skipped")


def test_where_not_all_of_it_has_room_the_rest_is_counted_and_the_others_stay() -> None:
    assert chips_in(50).split("   ") == ["  ✗ retention 0.20", "+1", "✓ 2 pass", "– 1 skipped  "]
    for width in range(14, 80):
        assert cell_len(chips_in(width).rstrip()) <= width


def head_in(width: int) -> list[str]:
    return [line_text(line) for line in score_lines(group_scores([PASSED]), [], width, TONES, 0.0).lines[:2]]


def test_who_judged_stands_beside_the_heading_where_it_has_room_and_below_it_where_not() -> None:
    assert head_in(60)[0].split() == ["Scores", "judged", "by", "judge", "run", "1,", "just", "now"]
    assert [line.split()[0] for line in head_in(30)] == ["Scores", "judged"]


def test_of_what_a_judge_judged_and_what_a_check_found_both_are_told() -> None:
    check = replace(PASSED, id=2, metric="language_switch", judge="")
    drawn = score_lines(group_scores([PASSED, check]), (), 60, TONES, now=0.0)
    assert "judged by judge, 1 check" in line_text(drawn.lines[0])


def test_of_a_verdict_that_passed_no_bare_yes_is_told() -> None:
    verdicts = (VerdictRow(2, True, "yes", ""), VerdictRow(2, True, "en", ""))
    found = SessionScores.of([replace(PASSED, verdicts=verdicts)]).by_turn[2]
    for lines in (turn_lines(2, found, 60, TONES, 9)[1:], short_turn_lines(found, 60, TONES, 9)):
        told = [line_text(line).split() for line in lines]
        assert told == [["✓", "r", "relevancy"], ["✓", "r", "relevancy", "en"]]


def test_a_verdict_whose_reason_begins_with_its_word_says_it_once() -> None:
    verdicts = (
        VerdictRow(4, False, "English", "in English, and the user writes German"),
        VerdictRow(4, False, "partly", "One of two is answered, and that partly."),
    )
    found = SessionScores.of([replace(FAILED, verdicts=verdicts)]).by_turn[4]
    for lines in (turn_lines(4, found, 80, TONES, 9)[1:], short_turn_lines(found, 80, TONES, 9)):
        told = " ".join(" ".join(line_text(line).split()) for line in lines)
        assert "retention in English, and the user writes German" in told
        # What the reason does not begin with is said before it.
        assert "retention partly One of two is answered" in told


def test_in_few_lines_too_what_is_said_of_the_next_turn_names_that_turn() -> None:
    verdict = VerdictRow(4, False, "no", "It asks again.")
    found = SessionScores.of([replace(FAILED, verdicts=(verdict,))]).by_turn[4]
    ahead = [
        line_text(line) for line in short_turn_lines(found, 60, TONES, 2, ahead="Next verdicts, at turn 4")
    ]
    assert ahead == ["  Next verdicts, at turn 4  ✗ r retention  It asks again."]
    assert line_text(short_turn_lines(found, 60, TONES, 2)[0]) == "  ✗ r retention  It asks again."


def test_signs_stand_in_line_with_the_headings_and_apart_from_their_letters() -> None:
    verdicts = (VerdictRow(4, False, "no", "It asks again."),)
    groups = group_scores([replace(FAILED, verdicts=verdicts), PASSED])
    lines = [line_text(line) for line in score_lines(groups, [], 46, TONES, 0.0).lines]
    assert any(re.match(r"  ✗ \w retention", line) for line in lines)
    assert any(line.startswith("  ✓   relevancy") for line in lines)


def test_a_reason_that_was_told_of_the_whole_is_not_told_again_of_its_turn() -> None:
    reason = "The user asks in turn 7 whether there is a form in German, and gets no answer."
    told = VerdictRow(8, False, "no", reason, about="the form for it in German")
    groups = group_scores([replace(FAILED, reason=reason, verdicts=(told,))])
    for width in (40, 60):
        lines = [line_text(line) for line in score_lines(groups, [], width, TONES, 0.0).lines]
        text = " ".join(" ".join(lines).split())
        assert text.count("gets no answer.") == 1
        # Without its word what failed would seem to be so.
        assert "turn 8 the form for it in German: no" in text
        # A cell stays free beside the frame.
        assert max(cell_len(line.rstrip()) for line in lines) < width


def test_where_not_all_has_all_its_lines_a_reason_is_cut_only_while_no_further_line_is_left() -> None:
    reason = "All that the chatbot grants is allowed by the rules."
    passed = [replace(PASSED, metric=name, reason=reason) for name in ("manners", "rules")]
    groups = group_scores([FAILED, *passed, replace(PASSED, reason="Fine.")])

    def lines(spare: int | None) -> list[str]:
        return [
            line_text(line).rstrip() for line in score_lines(groups, [], 46, TONES, 0.0, spare=spare).lines
        ]

    shortest = lines(0)
    assert sum("…" in line for line in shortest) == 2
    assert any("relevancy  Fine." in line for line in shortest)
    for spare in range(1, 6):
        shown = lines(spare)
        whole = min(2, spare // 2)
        assert len(shown) == len(shortest) + 2 * whole
        assert sum("…" in line for line in shown) == 2 - whole
        assert any("relevancy  Fine." in line for line in shown)
    assert len(lines(None)) > len(lines(5))


def test_verdicts_that_have_no_room_end_with_a_whole_word() -> None:
    reason = "The user gives up at this and leaves without the booking."
    found = SessionScores.of([replace(FAILED, verdicts=(VerdictRow(2, False, "no", reason),) * 2)]).by_turn[2]
    for width in range(30, 60):
        end = line_text(turn_lines(2, found, width, TONES, 3, "w shows more")[-1]).rstrip()
        words = end.partition(" … ")[0].split()
        assert end.endswith(" … w shows more")
        assert set(words) <= set(reason.split()), end


def test_what_a_verdict_is_about_stands_in_quotation_marks_only_where_it_was_said_so() -> None:
    summary = VerdictRow(10, False, "no", "It was left open.", about="a voucher used for a booking")
    assert verdict_text(summary) == "a voucher used for a booking · It was left open."
    elsewhere = replace(summary, quote=Quote(turn=10, start=0, end=13, text="What voucher?"))
    assert verdict_text(elsewhere) == verdict_text(summary)
    said = replace(
        summary, about="It opens at ten.", quote=Quote(turn=2, start=0, end=16, text="It opens at ten.")
    )
    assert verdict_text(said) == "“It opens at ten.” It was left open."
