"""What a run of a suite looks like to a person: lines that fit, what went wrong, how often checks passed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.conversations.suites import Check, Suite, SuiteCase, TargetSpec
from turnwise.engine.checks.findings import CaseOutcome, CheckOutcome
from turnwise.engine.suites.keeping import CaseRun
from turnwise.tui.cli.judging.run_lines import Lines, SuiteTally


def came_to(kind: str, outcome: Outcome) -> CheckOutcome:
    return CheckOutcome(check=Check(type=kind), outcome=outcome)


GOOD = came_to("contains", Score(metric="contains", reason="", score=1.0, stated=True))
BAD = came_to("contains", Score(metric="contains", reason="Expected more " * 20, score=0.0, stated=False))
LEFT_OUT = came_to("llm-rubric", Skipped(metric="llm-rubric", reason="It needs a judge"))


def run(word: Any = "pass", *checks: CheckOutcome, reason: str = "why", **case: Any) -> CaseRun:
    result = CaseOutcome.of(word, 0.5, reason, checks=checks)
    return CaseRun(
        case=SuiteCase(**{"index": 0, "prompt": "said", **case}), prompt="said", output="x", result=result
    )


def lines_of(*runs: CaseRun, width: int = 80, wraps: bool = True) -> list[str]:
    suite = Suite(format="promptfoo", source=Path("s.yaml"), cases=tuple(one.case for one in runs))
    lines = Lines(suite, width=width, wraps=wraps)
    return [line for one in runs for line in lines.of(one)]


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name", ["short", "words " * 40, "漢字" * 60, "\x1b[31mred\u202e"])
def test_every_line_fits_and_scores_stand_in_one_column(width, name):
    lines = lines_of(run(description=name), run("fail", BAD, description="other", index=12345), width=width)
    assert max(map(cell_len, lines)) <= min(width, 120)
    assert len({cell_len(line) for line in lines[:2]}) == 1
    assert not {"\x1b", "\u202e"} & set("".join(lines))


def test_what_went_wrong_is_what_made_the_outcome():
    lines = lines_of(run("fail", LEFT_OUT, BAD), run("skipped", GOOD, LEFT_OUT), run("failure"))
    assert [line.strip()[:13] for line in lines[1::2]] == ["Expected more", "It needs a ju", "why"]


STEP = "Name a chatbot to ask instead: --target URL, openai:MODEL, embedded, FILE.yaml, or echo."
AWAY = CheckOutcome(
    check=Check(type="contians"),
    outcome=Failure(metric="contians", reason="There is no check contians " * 4),
    next_step=STEP,
)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_next_step_of_what_was_not_checked_is_never_cut(width):
    for checked in (run("failure", AWAY), run("failure", reason=f"Nobody answers\n{STEP}")):
        lines = lines_of(checked, width=width)
        assert max(map(cell_len, lines)) <= width
        told = " ".join(" ".join(lines[1:]).split())
        assert told.endswith(f". {STEP}")


def test_in_a_pipe_what_went_wrong_is_one_whole_line():
    lines = lines_of(run("failure", AWAY), run("fail", BAD), wraps=False)
    assert len(lines) == 4
    assert lines[1].endswith(f". {STEP}")
    assert lines[3].strip() == "Expected more " * 19 + "Expected more"


def test_what_has_no_score_shows_none():
    ends = [line.split()[-1] for line in lines_of(run("pass"), run("skipped"), run("failure"))[::1]]
    assert [ends[0], ends[1], ends[3]] == ["0.50", "–", "–"]


def test_targets_and_prompts_are_told_where_there_are_several():
    first, second = TargetSpec(id="openai:a", label="A"), TargetSpec(id="openai:b")
    several = lines_of(
        run(description="d", target=first, prompt_label="p1"),
        run(description="d", target=second, prompt_label="p2"),
    )
    assert ["[A · p1]" in several[0], "[openai:b · p2]" in several[1]] == [True, True]
    assert "[" not in lines_of(run(description="d", target=first))[0]


def test_checks_are_counted_by_kind_once_one_did_not_pass():
    tally = SuiteTally(3)
    tally.add(run("pass", GOOD))
    assert tally.check_lines() == []
    tally.add(run("fail", BAD, LEFT_OUT))
    assert [line.split() for line in tally.check_lines()] == [
        ["check", "passed", "failed", "skipped"],
        ["contains", "1", "1", "0"],
        ["llm-rubric", "0", "0", "1"],
    ]
    assert tally.summary() == "1 passed, 1 failed."


def test_what_was_kept_and_what_it_cost_is_told_at_the_end():
    tally = SuiteTally(3)
    tally.add(replace(run("pass", GOOD), kept=True))
    tally.add(replace(run("pass", GOOD), cost=0.25))
    assert tally.summary() == "2 passed, 1 of them answered and judged before; $0.2500."
    assert tally.line().startswith("running 2 of 3")
