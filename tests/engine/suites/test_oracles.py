"""promptfoo's own verdicts on hundreds of rows: whether turnwise, asked to be compatible, says the same."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from differences import documented
from judge_server import JudgeServer, Request, Step, says
from judged import judge_at
from shared_data import SHARED

from turnwise.conversations.suites import Check
from turnwise.engine.checks.registry import STRICT
from turnwise.engine.suites import Answer, CaseOutcome, grade_case
from turnwise.engine.suites.grading import judge_case
from turnwise.engine.suites.rules import AS_PROMPTFOO, rules_of
from turnwise.engine.suites.totals import derive_metrics, total_metrics

ORACLES = SHARED / "oracles" / "promptfoo"
pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not ORACLES.is_dir(), reason="the folder ../shared/oracles is not here"),
]

BEFORE_GRADING = ("Error: Transform failed", "Template render error", "Error: ENOENT")
"""How errors begin that come before there is an answer to grade: transforms, templates, files."""
ELSEWHERE = (*BEFORE_GRADING, "Error: Failed to fetch")
CLEARER = {"13-judge#20 two json objects (first or last wins?)", "13-judge#21 think tag then json"}
"""Rows on which turnwise reads the judge's last word: an object it thought or wrote before is no verdict."""
NEEDS_TRUST = {"python", "ruby"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an oracle."""

    group: str
    source: Path
    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.group}#{self.data['testIdx']} {self.data.get('description') or ''}".strip()

    @property
    def kinds(self) -> set[str]:
        return set(_kinds(self.data["assert"] or []))


def _kinds(checks: list[Any]) -> Iterator[str]:
    for check in checks:
        yield check["type"].removeprefix("not-")
        yield from _kinds(check.get("assert", []))


def rows() -> list[Row]:
    found = []
    for path in sorted(ORACLES.rglob("*.json")):
        data = json.loads(path.read_text())
        if isinstance(data, dict) and "rows" in data:
            group = path.relative_to(ORACLES).parts[0]
            found += [Row(group, path, row) for row in data["rows"]]
    return found


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Fill the plain {{name}} in a value: the oracles hold the checks as they were before rendering."""
    if isinstance(value, str):
        return re.sub(r"{{\s*(\w+)\s*}}", lambda match: str(values.get(match[1], "")), value)
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    return value


def loaded(value: Any, folder: Path) -> Any:
    """Read the files that a value names, as the loader does: a text as it stands, JSON as data."""
    if isinstance(value, list):
        return [loaded(item, folder) for item in value]
    if isinstance(value, str) and value.startswith("file://") and value.endswith((".json", ".txt")):
        text = (folder / value.removeprefix("file://")).read_text()
        return json.loads(text) if value.endswith(".json") else text.strip()
    return value


def check_of(source: Mapping[str, Any], row: Row) -> Check:
    kind = source["type"]
    value = filled(loaded(source.get("value"), row.source.parent), row.data["vars"])
    return Check(
        type=kind.removeprefix("not-"),
        negate=kind.startswith("not-"),
        value=value,
        threshold=source.get("threshold"),
        weight=source.get("weight", 1.0),
        metric=filled(source.get("metric"), row.data["vars"]) or None,
        config=source.get("config", {}),
        options={name: source[name] for name in ("transform", "contextTransform") if name in source},
        children=tuple(check_of(child, row) for child in source.get("assert", [])),
    )


def answer_of(row: Row) -> Answer:
    """Return the answer of a row: where the oracle holds none, the target said the prompt back."""
    prompt, output = row.data["prompt"], row.data.get("output")
    said = prompt if output is None else output
    return Answer(output=said, prompt=prompt, vars=row.data["vars"], latency=1.0, cost=0.0)


def checks_of(row: Row) -> list[Check]:
    return [check_of(check, row) for check in row.data["assert"] or []]


def graded(row: Row, *, compat: bool) -> CaseOutcome:
    return grade_case(
        checks_of(row), row.data["threshold"], answer_of(row), rules=rules_of("promptfoo", compat=compat)
    )


def differences(row: Row, result: CaseOutcome) -> list[str]:
    expected = row.data
    found = []
    if result.passed != expected["pass"]:
        found.append(f"pass {result.passed}, not {expected['pass']}")
    if (result.word == "failure") != (expected["failureReason"] == "error"):
        found.append(f"{result.outcome}, not {expected['failureReason']}")
    if result.score != pytest.approx(expected["score"], abs=1e-6):
        found.append(f"score {result.score}, not {expected['score']}")
    if dict(result.named_scores) != pytest.approx(expected["namedScores"] or {}, abs=1e-6):
        found.append(f"named {result.named_scores}, not {expected['namedScores']}")
    if expected["failureReason"] != "error":
        ours = [(check.type, check.passed, check.score) for check in result.checks]
        theirs = [(part.get("type"), part["pass"], part["score"]) for part in expected["components"] or []]
        if [part[:2] for part in ours] != [part[:2] for part in theirs] or [part[2] for part in ours] != (
            pytest.approx([part[2] for part in theirs], abs=1e-6)
        ):
            found.append(f"checks {ours}, not {theirs}")
    return found


def test_the_verdicts_on_what_needs_no_judge_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    agreed, total, left = Counter[str](), Counter[str](), Counter[str]()
    remaining = []
    for row in rows():
        error = row.data.get("error") or ""
        if row.data["failureReason"] == "error" and error.startswith(BEFORE_GRADING):
            left["decided before grading"] += 1
        elif any(STRICT.lacks(kind) for kind in row.kinds):
            left["needs code that is trusted" if row.kinds & NEEDS_TRUST else "needs a judge"] += 1
        else:
            total[row.group] += 1
            if found := differences(row, result := graded(row, compat=True)):
                remaining.append(f"{row.name} ({row.source.name}): {'; '.join(found)} [{result.reason}]")
            else:
                agreed[row.group] += 1
    with capsys.disabled():
        print()
        for group in total:
            print(f"{group:32} {agreed[group]:4} of {total[group]:4}  {agreed[group] / total[group]:.1%}")
        print(f"{'all':32} {agreed.total():4} of {total.total():4}; left out: {dict(left)}")
        print("\n".join(remaining))
    assert agreed.total() >= 0.99 * total.total()


def scripted(request: Request) -> Step:
    """Answer as the oracles' judge did: what the last mark in the question holds, else always the same."""
    marks = re.findall(r"<<J:([A-Za-z0-9+/=]*)>>", request.text)
    return says(base64.b64decode(marks[-1]).decode() if marks else '{"reason":"ok","pass":true,"score":1}')


@pytest.fixture
def unmasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the marks in answers through to the scripted judge: they are orders to it, and hidden ones."""
    for finding in ("masked_words.find_addressed", "doubtful.find_doubtful"):
        monkeypatch.setattr(f"turnwise.engine.judge.{finding}", lambda text, **more: [])


@pytest.mark.usefixtures("unmasked")
async def test_the_verdicts_of_the_judge_are_read_the_same(
    judge_server: JudgeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    judge_server.default = scripted
    agreed, total, remaining = Counter[str](), Counter[str](), []
    async with judge_at(judge_server) as judge:
        for row in rows():
            error = row.data.get("error") or ""
            asked = [STRICT.asks_judge(kind) for kind in row.kinds]
            others = [STRICT.lacks(kind) for kind in row.kinds if not STRICT.asks_judge(kind)]
            if (
                not any(asked)
                or any(others)
                or (row.data["failureReason"] == "error" and error.startswith(ELSEWHERE))
            ):
                continue
            total[row.group] += 1
            options = row.data.get("options") or {}
            threshold, answer = row.data["threshold"], answer_of(row)
            result = await judge_case(
                checks_of(row), threshold, answer, judge, options=options, rules=AS_PROMPTFOO
            )
            if found := differences(row, result):
                remaining.append(f"{row.name} ({row.source.name}): {'; '.join(found)} [{result.reason}]")
            else:
                agreed[row.group] += 1
    with capsys.disabled():
        print()
        for group in total:
            print(f"{group:32} {agreed[group]:4} of {total[group]:4} with a judge")
        print("\n".join(remaining))
    assert agreed.total() >= 0.98 * total.total()


def difference_of(row: Row, result: CaseOutcome) -> str:
    """Return the documented difference that a row's other verdict is; empty where there is none."""
    if any(check.word == "failure" and "judge" in check.reason for check in result.checks):
        return "garbled-reply"
    if row.name in CLEARER:
        return "last-object"
    return "meteor" if row.kinds == {"meteor"} else ""


@pytest.mark.usefixtures("unmasked")
async def test_strictly_every_difference_is_a_documented_one(judge_server: JudgeServer) -> None:
    judge_server.default = scripted
    seen: set[str] = set()
    async with judge_at(judge_server) as judge:
        for row in rows():
            error = row.data.get("error") or ""
            kinds = row.kinds
            if any(STRICT.lacks(kind) and not STRICT.asks_judge(kind) for kind in kinds) or error.startswith(
                ELSEWHERE
            ):
                continue
            options, threshold = row.data.get("options") or {}, row.data["threshold"]
            result = await judge_case(checks_of(row), threshold, answer_of(row), judge, options=options)
            if differences(row, result):
                seen.add(difference_of(row, result))
                assert difference_of(row, result), row.name
    assert seen == {"garbled-reply", "last-object", "meteor"} <= set(documented())


def test_the_metrics_derived_from_sums_are_the_same() -> None:
    definitions = [{"name": "sum12", "value": "m1 + m2"}, {"name": "avg1", "value": "m1 / __count"}]
    results = [graded(row, compat=True) for row in rows() if row.group == "04-scoring"]
    sums = total_metrics(results)
    found = {**sums, **derive_metrics(definitions, sums, cases=len(results))}
    verdicts = json.loads((ORACLES / "04-scoring" / "verdicts.json").read_text())
    assert found == pytest.approx(verdicts["prompts"][0]["metrics"]["namedScores"])


def test_what_needs_a_judge_or_trust_is_skipped_and_never_passes() -> None:
    for row in rows():
        if any(STRICT.lacks(kind) for kind in row.kinds):
            result = graded(row, compat=True)
            assert not result.passed, row.name
            assert any(check.word == "skipped" for check in result.checks) or result.word == "failure", (
                row.name
            )
