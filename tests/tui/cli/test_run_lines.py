"""What a run of a suite looks like to a person: lines that fit, what went wrong, how often checks passed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from turnwise.conversations.suites import Suite, SuiteCase, TargetSpec
from turnwise.engine.suites.results import CaseResult, CheckResult
from turnwise.engine.suites.running import CaseRun
from turnwise.tui.cli.run_lines import Lines, Tally

GOOD = CheckResult(passed=True, score=1.0, reason="", type="contains")
BAD = CheckResult(passed=False, score=0.0, reason="Expected more " * 20, type="contains")
LEFT_OUT = CheckResult(passed=False, score=0.0, reason="It needs a judge", skipped=True, type="llm-rubric")


def run(outcome: Any = "pass", *checks: CheckResult, **case: Any) -> CaseRun:
    result = CaseResult(outcome=outcome, score=0.5, reason="why", checks=checks)
    return CaseRun(
        case=SuiteCase(**{"index": 0, "prompt": "said", **case}), prompt="said", output="x", result=result
    )


def lines_of(*runs: CaseRun, width: int = 80) -> list[str]:
    suite = Suite(format="promptfoo", source=Path("s.yaml"), cases=tuple(one.case for one in runs))
    lines = Lines(suite, width=width)
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


def test_targets_and_prompts_are_told_where_there_are_several():
    first, second = TargetSpec(id="openai:a", label="A"), TargetSpec(id="openai:b")
    several = lines_of(
        run(description="d", target=first, prompt_label="p1"),
        run(description="d", target=second, prompt_label="p2"),
    )
    assert ["[A · p1]" in several[0], "[openai:b · p2]" in several[1]] == [True, True]
    assert "[" not in lines_of(run(description="d", target=first))[0]


def test_checks_are_counted_by_kind_once_one_did_not_pass():
    tally = Tally(3)
    tally.add(run("pass", GOOD))
    assert tally.check_lines() == []
    tally.add(run("fail", BAD, LEFT_OUT))
    assert [line.split() for line in tally.check_lines()] == [
        ["check", "passed", "failed", "skipped"],
        ["contains", "1", "1", "0"],
        ["llm-rubric", "0", "0", "1"],
    ]
    assert tally.summary() == "1 passed, 1 failed."
