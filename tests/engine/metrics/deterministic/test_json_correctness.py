"""JSON correctness: 1 for JSON of the expected shape, 0 for anything else."""

import pytest
from judged import found
from pydantic import BaseModel

from turnwise.conversations import LLMTestCase, Score, Skipped
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import JsonCorrectnessMetric
from turnwise.engine.metrics.registry import make_metric


class Booking(BaseModel):
    people: int
    day: str = "Friday"


SCHEMA = {"type": "object", "properties": {"people": {"type": "integer"}}, "required": ["people"]}


async def judged(reply: str, schema=None) -> Score:
    case = LLMTestCase(input="i", actual_output=reply)
    outcome = await found(JsonCorrectnessMetric(expected_schema=schema), case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize("schema", [Booking, SCHEMA], ids=["model", "schema"])
@pytest.mark.parametrize(
    ("reply", "score", "told"),
    [
        (' {"people": 4}\n', 1, "The reply is JSON of the expected schema."),
        ('{"people": "many"}', 0, "people: "),
        ("{}", 0, "people"),
        ("[4]", 0, "it: "),
        ('Here: {"people": 4}', 0, "cannot be read as JSON"),
        ('{"people": 4', 0, "cannot be read as JSON"),
        ('{"people": NaN}', 0, "cannot be read as JSON"),
    ],
)
async def test_the_whole_reply_is_json_of_the_shape(schema, reply, score, told):
    outcome = await judged(reply, schema)
    assert outcome.score == score
    assert told in outcome.reason
    assert outcome.threshold == 1.0


@pytest.mark.parametrize(("reply", "score"), [("3", 1), ('"a"', 1), ("null", 1), ("yes", 0), ("['a']", 0)])
async def test_without_a_schema_any_json_is_right(reply, score):
    assert (await judged(reply)).score == score


async def test_an_empty_reply_is_skipped():
    outcome = await found(JsonCorrectnessMetric(), LLMTestCase(input="i", actual_output=""), None)
    assert isinstance(outcome, Skipped)


def test_a_schema_can_be_typed_after_the_name():
    metric = make_metric('json_correctness:{"type": "object", "required": ["a"]}')
    assert metric.expected_schema == {"type": "object", "required": ["a"]}
    assert metric.name == "json_correctness"


def test_the_schema_is_a_part_of_what_it_is_whichever_way_it_is_given():
    one, other, third = (JsonCorrectnessMetric(expected_schema=schema) for schema in (Booking, SCHEMA, None))
    assert len({metric.fingerprint for metric in (one, other, third)}) == 3
    assert one.fingerprint == JsonCorrectnessMetric(expected_schema=Booking).fingerprint


@pytest.mark.parametrize("schema", ["{broken", 7, ["a"], int])
def test_what_is_no_schema_is_told(schema):
    with pytest.raises(SettingError, match="json_correctness"):
        JsonCorrectnessMetric(expected_schema=schema)
