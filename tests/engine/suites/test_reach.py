"""Running a suite with what its checks may reach: traces of its cases, vectors, and who is written down."""

from __future__ import annotations

import json
from contextlib import aclosing
from pathlib import Path
from typing import Any

from judge_server import JudgeServer, embeds
from judged import judge_at

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.engine.checks.asker import Reach
from turnwise.engine.judge.embeddings import Embedder
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.running import run_suite


async def ran(folder: Path, *tests: dict[str, Any], **rest: Any) -> list[CaseRun]:
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": list(tests)}))
    async with (
        Answerer(environment={}) as answerer,
        aclosing(run_suite(load_suite(path), answerer, **rest)) as runs,
    ):
        return [run async for run in runs]


async def test_the_tool_calls_of_a_case_are_checked_with_its_variables_in_the_arguments(
    tmp_path: Path,
) -> None:
    called = [{"name": "search_orders", "input": {"order_id": "123", "page": 1}}]
    wanted = {"name": "search_orders", "args": {"order_id": "{{ order }}"}}
    checks = [
        {"type": "trajectory:tool-args-match", "value": wanted},
        {"type": "trajectory:tool-used", "value": "search_orders"},
        {"type": "not-trajectory:tool-used", "value": "delete_orders"},
    ]
    outcomes = []
    for order in ("123", "124"):
        case = {"vars": {"q": "Where?", "order": order}, "metadata": {"toolCalls": called}, "assert": checks}
        [run] = await ran(tmp_path, case)
        outcomes.append(run.result.word)
    assert outcomes == ["pass", "fail"]


async def test_an_answer_in_the_file_may_bring_its_own_report(tmp_path: Path) -> None:
    answer = {"text": "I cannot.", "guardrails": {"flagged": True, "flaggedOutput": True, "reason": "harm"}}
    case = {"vars": {"q": "x"}, "providerOutput": answer, "assert": [{"type": "guardrails"}]}
    [run] = await ran(tmp_path, case)
    assert (run.result.word, run.result.reason) == ("fail", "The guardrails flagged the output: harm")


async def test_vectors_without_a_judge_are_kept_like_its_answers(
    tmp_path: Path, judge_server: JudgeServer, store: Store
) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [1.0, 0.0]})
    cases = [{"vars": {"q": word}, "assert": [{"type": "similar", "value": "c"}]} for word in "ab"]
    async with judge_at(judge_server, StoredCallBook(store)) as server:
        reach = Reach(embedder=Embedder(server))
        runs = await ran(tmp_path, *cases, reach=reach, store=store)
    assert [run.result.word for run in runs] == ["pass", "fail"]
    assert len(judge_server.requests) == 3
    for run in runs:
        for key in run.result.checks[0].calls:
            assert store.calls.get(key).request["input"] in "abc"
