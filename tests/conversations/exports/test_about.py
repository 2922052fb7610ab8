"""What is said about a session beside its words goes out with it, in every format that has a place for it."""

import csv
import io
import json
import re
from html import unescape

import pytest
from kept_cases import SAID, keep_told
from stored import keep


@pytest.mark.parametrize("to", ["markdown", "html", "jsonl"])
def test_all_of_it_stands_in_what_people_read(store, exported, to: str) -> None:
    keep_told(store)
    text = unescape(exported(to))
    if to == "markdown":
        text = re.sub(r"\\(?=\W)", "", text)
    wanted = [said if to != "jsonl" else said.strip("$").removesuffix(" s") for said in SAID]
    assert [said for said in wanted if said not in text] == []


def table(exported, rows: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(exported("csv", rows=rows), newline="")))


def test_a_table_of_sessions_has_columns_for_it(store, exported) -> None:
    keep_told(store)
    [row] = table(exported, "sessions")
    assert (row["scenario"], row["expected_outcome"]) == (SAID[0], SAID[1])
    assert (row["user_description"], row["comments"]) == (SAID[2], SAID[4])
    assert row["context"] == "Refunds take five days.\nReturns are free."
    assert (row["cost"], row["completion_time"]) == ("0.0132", "2.5")
    assert json.loads(row["metadata"])["customer"] == {"tier": "gold"}
    assert row["hyperparameters"] == "run 1 · nightly: model: bot-7b; temperature: 0.2"


def test_a_table_of_turns_has_what_is_said_of_each(store, exported) -> None:
    keep_told(store)
    rows = table(exported, "turns")
    assert [row["expected_output"] for row in rows] == ["", "Five days, in words.", "", ""]
    assert [row["cost"] for row in rows] == ["", "0.0132", "", ""]
    assert [row["completion_time"] for row in rows] == ["", "2.5", "", ""]
    assert [row["metadata"] for row in rows] == ["", '{"topic": "billing"}', '{"mood": "calm"}', ""]


def test_a_table_of_scores_has_the_hyperparameters_of_their_runs(store, exported) -> None:
    keep_told(store)
    [row] = table(exported, "scores")
    assert json.loads(row["hyperparameters"]) == {"model": "bot-7b", "temperature": 0.2}


def test_promptfoo_can_filter_by_it(store, exported) -> None:
    keep_told(store)
    first, second = json.loads(exported("promptfoo"))
    assert first["metadata"]["skills"] == ["refunds", "mail"]
    assert first["metadata"]["scenario"] == SAID[0]
    assert (first["metadata"]["topic"], second["metadata"].get("topic")) == ("billing", None)


def test_metadata_of_a_conversation_open_no_file_in_promptfoo_and_hide_nothing_of_ours(
    store, exported
) -> None:
    session = keep(store, metadata={"a": "file:///etc/passwd", "$ref": "x", "session": "mine"})
    [test] = json.loads(exported("promptfoo"))
    assert test["metadata"]["a"] == '{{ "file" }}:///etc/passwd'
    assert "$ref" not in test["metadata"]
    assert test["metadata"]["session"] == session


def test_deepeval_has_it_under_its_own_names(store, exported) -> None:
    keep_told(store)
    [row] = json.loads(exported("deepeval"))
    assert (row["scenario"], row["user_description"]) == (SAID[0], SAID[2])
    assert row["additional_metadata"]["customer"] == {"tier": "gold"}
