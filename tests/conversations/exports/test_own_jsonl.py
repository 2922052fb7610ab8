"""Our own JSON Lines: what goes out comes in again, and everything else is beside it."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shared_data import SHARED

from turnwise.conversations import ConversationalTestCase, LLMTestCase, RetrievedContext, ToolCall, Turn
from turnwise.conversations.exports import export_sessions
from turnwise.conversations.formats import Loaded, load
from turnwise.conversations.importing import import_file
from turnwise.conversations.store import Store

FIXTURES = SHARED / "fixtures"

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["\x1b[0m\x07", "\u202eevil", "a\u2028b\u2029c\x85d", "👩‍👩‍👧", "\r\n\t", "\ufeff", '"\\u0041']
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)
objects = st.none() | st.dictionaries(words, json_values, max_size=2)
passages = st.lists(words | st.builds(RetrievedContext, context=words, source=st.none() | words), max_size=2)
calls = st.builds(
    ToolCall,
    name=words,
    input_parameters=objects,
    output=json_values,
    id=st.none() | words,
    seconds=st.none() | st.floats(0, 9),
)
turns = st.builds(
    Turn,
    role=st.sampled_from(["user", "assistant", "system", "tool", "developer"]),
    content=words,
    name=st.none() | words,
    retrieval_context=st.none() | passages,
    tools_called=st.none() | st.lists(calls, max_size=2),
    tool_call_id=st.none() | words,
    metadata=objects,
    latency_ms=st.none() | st.floats(0, 1e6),
    interrupted=st.none() | st.booleans(),
)
exchanges = st.builds(
    LLMTestCase,
    input=words,
    actual_output=st.none() | words,
    expected_output=st.none() | words,
    context=st.none() | st.lists(words, max_size=2),
    retrieval_context=st.none() | passages,
    tools_called=st.none() | st.lists(calls, max_size=1),
    expected_tools=st.none() | st.lists(calls, max_size=1),
    token_cost=st.none() | st.floats(0, 9),
    name=st.none() | words,
    tags=st.none() | st.lists(words, max_size=2),
    metadata=objects,
    expected_labels=json_values,
)
conversations = st.builds(
    ConversationalTestCase,
    turns=st.lists(turns | exchanges, min_size=1, max_size=4),
    chatbot_role=st.none() | words,
    scenario=st.none() | words,
    expected_outcome=st.none() | words,
    context=st.none() | st.lists(words, max_size=2),
    name=st.none() | words,
    tags=st.none() | st.lists(words, max_size=3),
    comments=st.none() | words,
    metadata=objects,
    flaky=st.booleans(),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(st.lists(conversations | exchanges, min_size=1, max_size=3))
def test_every_case_comes_back_as_it_is_stored(store, cases):
    ids = [store.sessions.add(case, source="s", format="f").session_id for case in cases]
    stored = [store.sessions.case(session) for session in ids]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        export_sessions(store, ids, to="jsonl", output=path)
        records = list(load(path))
    assert all(isinstance(record, Loaded) and record.format == "turnwise" for record in records)
    back = [record.case for record in records]
    for case, before in zip(back, stored, strict=True):
        assert type(case) is type(before)
        # Equality of tool calls leaves out ids; what is written of both says everything.
        assert case.data() == before.data()


@pytest.mark.fixtures
@pytest.mark.skipif(not FIXTURES.is_dir(), reason="needs ../shared/fixtures")
def test_real_conversations_come_back(store, tmp_path):
    import_file(store, FIXTURES / "tau-bench" / "gpt-4o-airline.json", messages_key="traj")
    import_file(store, FIXTURES / "deepeval" / "convo_goldens.json")
    ids = sorted(store.sessions.ids())
    path = tmp_path / "out.jsonl"
    assert export_sessions(store, ids, to="jsonl", output=path) == len(ids) > 100
    with Store.open(tmp_path / "other.db") as other:
        report = import_file(other, path)
        assert (report.imported, report.failed) == (len(ids), 0)
        for before, after in zip(ids, report.sessions, strict=True):
            assert other.sessions.case(after).data() == store.sessions.case(before).data()
    again = import_file(store, path)
    assert (again.imported, again.unchanged) == (0, len(ids))


def test_scores_labels_and_source_stand_beside_the_case(exported, judged):
    record = json.loads(exported("jsonl"))
    assert record["name"] == "Bag"
    assert [turn["content"] for turn in record["turns"]] == ["Where is my bag?", "In Oslo."]
    beside = record["turnwise"]
    assert (beside["form"], beside["kind"], beside["name"]) == (1, "conversation", "Bag")
    assert (beside["source"], beside["tags"], beside["turn_times"]) == ("test", ["lost"], [None, None])
    assert [(one["metric"], one["outcome"]) for one in beside["scores"]] == [
        ("politeness", "score"),
        ("faith", "skipped"),
        ("goal", "failure"),
    ]
    [verdict] = beside["scores"][0]["verdicts"]
    assert (verdict["turn"], verdict["passed"], verdict["about"]) == (2, False, "In Oslo.")
    [label] = beside["labels"]
    assert (label["label"], label["author"], label["blind"]) == ("fail", "Ana", True)
    [run] = beside["runs"]
    assert (run["judge"], run["metrics"]) == ("scripted-1", ["politeness", "faith", "goal"])
    assert [one["runs"] for one in beside["scores"]] == [[0], [0], [0]]


def test_recorded_times_stand_beside_the_case(store, exported):
    session = store.sessions.begin(name="n", role="", source="recorded", data={}, created_at=5.0)
    store.turns.append(session, Turn(role="user", content="hi"), at=1.5)
    store.turns.append(session, Turn(role="assistant", content="ho"), at=2.25)
    beside = json.loads(exported("jsonl"))["turnwise"]
    assert (beside["turn_times"], beside["created_at"]) == ([1.5, 2.25], 5.0)


def test_tags_that_were_changed_go_out(store, exported):
    session = store.sessions.add(LLMTestCase(input="a"), source="s", format="f").session_id
    store.tags.change([session], give=["new"])
    assert json.loads(exported("jsonl"))["tags"] == ["new"]


def test_every_line_is_plain_text_that_no_terminal_obeys(exported, hostile):
    text = exported("jsonl")
    assert text.removesuffix("\n").isprintable()
