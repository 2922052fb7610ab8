"""The road in and out again for a real file of another project, where it is present."""

import json
from itertools import pairwise
from typing import Any

import pytest
from shared_data import SHARED

FIXTURES = SHARED / "fixtures"
AIRLINE = FIXTURES / "tau-bench" / "gpt-4o-airline.json"
pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not AIRLINE.is_file(), reason="the folder ../shared/fixtures is not here"),
]


def calls_made(message: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message.get("tool_calls") or []
    ]


def test_every_message_call_output_and_reward_of_the_file_is_shown_again(turnwise):
    ran = turnwise("import", AIRLINE, "--role", "An airline's customer service agent", "--json")
    assert ran.code == 0
    assert (ran.row["imported"], ran.row["failed"], len(ran.row["sessions"])) == (100, 0, 100)
    records = json.loads(AIRLINE.read_text())
    for session, record in zip(ran.row["sessions"], records, strict=True):
        shown = turnwise("show", session, "--json").row
        assert shown["chatbot_role"] == "An airline's customer service agent"
        assert shown["metadata"]["reward"] == record["reward"]
        assert shown["metadata"]["task_id"] == record["task_id"]
        messages, turns = record["traj"], shown["turns"]
        assert [(turn["role"], turn["content"], turn.get("tool_call_id")) for turn in turns] == [
            (message["role"], message["content"] or "", message.get("tool_call_id")) for message in messages
        ]
        assert [turn["number"] for turn in turns if turn["number"]] == list(
            range(1, sum(message["role"] in ("user", "assistant") for message in messages) + 1)
        )
        made = [
            (call["id"], call["name"], call.get("input_parameters", {}))
            for turn in turns
            for call in turn["tools_called"]
        ]
        assert made == [call for message in messages for call in calls_made(message)]
        outputs = {message["tool_call_id"] for message in messages if message["role"] == "tool"}
        for turn, after in pairwise(turns):
            for call in turn["tools_called"]:
                if call["id"] in outputs and after["role"] == "tool":
                    assert call["output"] == after["content"]
    again = turnwise("import", AIRLINE, "--json")
    assert (again.row["imported"], again.row["unchanged"]) == (0, 100)
    assert again.row["sessions"] == ran.row["sessions"]


def test_the_list_and_the_replay_hold_all_of_it_too(turnwise):
    turnwise("import", AIRLINE)
    rows = turnwise("sessions", "--json").rows
    assert len(rows) == 100
    assert {row["source"] for row in rows} == {"gpt-4o-airline.json"}
    record = json.loads(AIRLINE.read_text())[0]
    events = turnwise("replay", rows[0]["id"], "--json").rows
    assert [event["content"] for event in events if event["event"] == "turn"] == [
        message["content"] or "" for message in record["traj"]
    ]
