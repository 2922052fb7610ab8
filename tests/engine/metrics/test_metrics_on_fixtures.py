"""Every metric on a real conversation that has what it needs; the judge answers in the form asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from judge_server import Request, Step, says
from judged import judge_at
from metric_settings import SETTINGS
from shared_data import SHARED

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.formats import Loaded, load
from turnwise.conversations.importing import with_role
from turnwise.conversations.results import Score
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.registry import make_metric, metric_class, metric_keys
from turnwise.engine.metrics.subject import Subject

_FIXTURES = SHARED / "fixtures"
pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not _FIXTURES.is_dir(), reason="the folder ../shared/fixtures is not here"),
]
_FILES = ("tau-bench/*.json*", "mt-rag/*.json", "deepeval/**/*.json*")
_PER_FILE = 40
WITHOUT_A_FIXTURE = {
    "mcp_task_completion": "no fixture has MCP servers",
    "mcp_use": "no fixture has MCP servers",
    "tool_correctness": "no fixture says which tools were expected",
    "latency": "no fixture has times",
    "dag": "a graph is given in Python or YAML",
    "conversational_dag": "a graph is given in Python or YAML",
    "viescore": "no fixture has images",
    "image_coherence": "no fixture has images",
    "image_helpfulness": "no fixture has images",
    "image_reference": "no fixture has images",
}


def instance(schema: dict[str, Any]) -> Any:
    """Return the plainest value of a JSON schema."""
    if "enum" in schema:
        # That nothing is wrong stands by itself; that something is wants to be told where.
        return "no" if "no" in schema["enum"] else schema["enum"][0]
    if "anyOf" in schema:
        return instance(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            return {name: instance(part) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [instance(schema["items"]) for _ in range(schema.get("minItems", 1))]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case _:
            return "words"


def in_the_form_asked_for(request: Request) -> Step:
    """Answer as the schema of the question says."""
    return says(instance(request.body["response_format"]["json_schema"]["schema"]))


@cache
def real_cases() -> list[Any]:
    """Return conversations and exchanges of all fixtures, some of each file."""
    found = []
    for pattern in _FILES:
        for path in sorted(_FIXTURES.glob(pattern)):
            try:
                read = [r.case for r in islice(load(path), _PER_FILE) if isinstance(r, Loaded)]
            except TurnwiseError:
                continue
            found += [with_role(case, role="A service agent") for case in read]
    return found


def fitting(metric: Metric) -> Iterator[Subject]:
    """Yield what the metric can judge of the fixtures."""
    for case in real_cases():
        for subject in metric.subjects(Subject.of(case)):
            if not metric.lacks(subject):
                yield subject


@pytest.mark.parametrize("key", [key for key in metric_keys() if key not in WITHOUT_A_FIXTURE])
async def test_it_scores_a_real_conversation(key, judge_server):
    judge_server.default = in_the_form_asked_for
    metric = make_metric(SETTINGS.get(key, key))
    subject = next(fitting(metric), None)
    if subject is None:
        pytest.fail(f"no fixture has what {key} needs: {metric_class(key).needs}")
    async with judge_at(judge_server) as judge:
        outcome = await metric.judge(subject, judge if metric.uses_judge else None, secret="s")
    assert isinstance(outcome, Score), outcome.reason
    assert 0 <= outcome.score <= 1
    assert outcome.reason


def test_what_no_fixture_can_try_is_named_for_metrics_that_there_are():
    assert set(WITHOUT_A_FIXTURE) <= set(metric_keys())
