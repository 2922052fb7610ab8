"""Cases of our own that promptfoo 0.123.1 has answered: with --compat turnwise says the same, row for row."""

from __future__ import annotations

from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, says
from judged import judge_at
from promptfoo_verdicts import ParityCase, cases

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.code import SuiteCode
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.rules import rules_of
from turnwise.engine.suites.running import run_suite

CASES = cases()
BY_NAME = {case.name: case for case in CASES}


async def ran(case: ParityCase, folder: Path, server: JudgeServer, *, compat: bool) -> list[CaseRun]:
    """Run a case as `turnwise run --trust` does, in its environment."""

    def reply(request: Request) -> Step:
        return says(case.reply(request.text))

    server.default = reply
    path = case.write(folder)
    with closing(SuiteCode(path, root=folder, trusted=case.code)) as code:
        suite = load_suite(
            path, compat=compat, environment=case.environment, target=case.target, root=folder, code=code
        )
        async with judge_at(server) as judge, Answerer(None, environment={}) as answerer:
            asked = judge if case.judge else None
            rules = rules_of("promptfoo", compat=compat)
            running = run_suite(
                suite, answerer, judge=asked, code=code, rules=rules, environment=case.environment
            )
            async with aclosing(running) as runs:
                return [run async for run in runs]


def told(run: CaseRun) -> dict[str, Any]:
    """Return what became of a row, under the names of promptfoo's verdicts."""
    case, result = run.case, run.result
    return {
        "test": case.index,
        "prompt": case.prompt_index,
        "label": case.prompt_label,
        "answer": run.output,
        "pass": result.passed,
        "error": result.word == "failure",
        "score": pytest.approx(result.score),
        "named": {name: pytest.approx(score) for name, score in result.named_scores.items()},
        "checks": [[one.passed, pytest.approx(one.score)] for one in result.checks],
    }


def expected(row: dict[str, Any]) -> dict[str, Any]:
    """Return what promptfoo said, as far as it is compared: an error of theirs has no checks."""
    return {
        name: item for name, item in row.items() if name != "asked" and not (name in LEFT and row["error"])
    }


LEFT = ("answer", "named", "checks")
"""What promptfoo does not tell of a row that ended in an error."""


@pytest.mark.parametrize("name", sorted(BY_NAME))
async def test_it_comes_out_as_with_promptfoo(name: str, tmp_path: Path, judge_server: JudgeServer) -> None:
    case = BY_NAME[name]
    runs = await ran(case, tmp_path, judge_server, compat=True)
    theirs = [expected(row) for row in case.rows]
    ours = [
        {part: item for part, item in told(run).items() if part in row}
        for run, row in zip(runs, theirs, strict=True)
    ]
    assert ours == theirs


@pytest.mark.parametrize("name", sorted(name for name, case in BY_NAME.items() if case.strictly))
async def test_strictly_it_comes_out_otherwise_where_that_is_said(
    name: str, tmp_path: Path, judge_server: JudgeServer
) -> None:
    case = BY_NAME[name]
    runs = await ran(case, tmp_path, judge_server, compat=False)
    assert {run.case.index: run.result.word for run in runs} == case.strictly
