"""Files that are known and not read: each is called by its name, with the way there."""

import io
import json
import re
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import load
from turnwise.conversations.formats.mapped import parse_path
from turnwise.conversations.formats.unread import UNREAD

SAMPLES: dict[str, Any] = {
    "HAR": {"log": {"version": "1.2", "entries": [{"request": {"url": "https://a.example"}}]}},
    "Postman": {"info": {"_postman_id": "1", "name": "calls", "schema": "x"}, "item": [{"name": "chat"}]},
    "OpenAPI": {"openapi": "3.1.0", "info": {"title": "t"}, "paths": {"/chat": {}}},
    "file of labels": {"turnwise": "labels", "version": 1, "page": "p", "labels": []},
    "Jupyter": {"cells": [{"cell_type": "code", "source": ["1"]}], "nbformat": 4, "metadata": {}},
    "n8n": {"nodes": [{"name": "chat", "typeVersion": 1}], "connections": {}},
    "Flowise": {"nodes": [{"id": "a", "data": {"label": "chat"}}], "edges": [{"source": "a"}]},
    "Dialogflow ES": {"id": "1", "name": "greet", "userSays": [{"data": [{"text": "hello"}]}]},
    "Dialogflow CX": {"displayName": "greet", "trainingPhrases": [{"parts": [{"text": "hello"}]}]},
    "Watson": {"intents": [{"intent": "a"}], "entities": [], "dialog_nodes": [{"output": {"text": "hello"}}]},
    "LUIS": {"luis_schema_version": "7.0.0", "utterances": [{"text": "hello", "intent": "greet"}]},
    "Rasa": {"rasa_nlu_data": {"common_examples": [{"text": "hello", "intent": "greet"}]}},
    "fine-tuning": {"object": "list", "data": [{"object": "fine_tuning.job", "id": "f", "model": "m"}]},
    "batch": {"id": "b", "object": "batch", "endpoint": "/v1/chat/completions", "status": "completed"},
    "list of models": {"object": "list", "data": [{"object": "model", "id": "m"}]},
    "embeddings": {"object": "list", "data": [{"object": "embedding", "embedding": [0.1], "index": 0}]},
    "Elasticsearch": {"took": 1, "hits": {"hits": [{"_id": "1", "_source": {"who": "a", "text": "b c"}}]}},
    "CloudWatch": {"events": [{"ingestionTime": 1, "message": "a line", "timestamp": 1}]},
    "JSON schema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {}}},
    "messages that Langfuse read": {
        "1f883bb9668167c0": {"input": {"success": True, "data": [{"role": "user", "content": "hi"}]}}
    },
    "SARIF": {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": []}]},
}
SAMPLES |= {
    "AgentV": {
        "assertions": [{"text": "is kind", "passed": True}],
        "summary": {"passed": 1, "pass_rate": 1.0},
    },
    "MT-Bench": {
        "question_id": 81,
        "model_1": "a",
        "model_2": "b",
        "g1_winner": "tie",
        "g1_user_prompt": "...",
    },
}
REPORT = """<!doctype html>
<html><head><title>Eval Output</title></head><body>[PASS] Paris</body></html>
"""
TEXTS = {
    "report of promptfoo": REPORT,
    "promptfoo for people": 'country,"[openai:small] Capital?"\nFrance,"[PASS] (1.00)\n\nParis"\n',
    "a report of promptfoo": "<promptfoo>\n  <evalId>e</evalId>\n</promptfoo>\n",
    "promptfoo": "evalId: eval-1\nresults:\n  version: 3\n  results: []\n",
    "training data of Rasa": "version: '3.1'\n\nnlu:\n- intent: greet\n  examples: |\n    - hello\n",
    "web page": "<!DOCTYPE html><html><body>User: hi</body></html>\n",
    "XML": '<?xml version="1.0"?>\n<log><turn/></log>\n',
    "SQL": "-- a dump\nCREATE TABLE messages (who text);\nINSERT INTO messages VALUES ('a');\n",
    "Dify": "app:\n  name: helper\nkind: app\nversion: 0.1\n",
}


def refused(content: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        list(load(io.BytesIO(content)))
    return caught.value


@pytest.mark.parametrize("name", SAMPLES)
def test_a_known_file_is_called_by_its_name(name: str) -> None:
    error = refused(json.dumps(SAMPLES[name]).encode())
    assert name in error.title
    assert error.next_step
    # Written over many lines, as programs do, it is the same file.
    assert refused(json.dumps(SAMPLES[name], indent=1).encode()).title == error.title


@pytest.mark.parametrize("name", TEXTS)
def test_a_known_text_is_called_by_its_name(name: str) -> None:
    error = refused(TEXTS[name].encode())
    assert name in error.title
    assert error.next_step


def test_a_database_and_documents_too(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    with sqlite3.connect(path) as database:
        database.execute("create table messages (who text)")
    database.close()
    with pytest.raises(FormatError, match="SQLite database") as caught:
        load(path)
    assert f"sqlite3 -header -csv {path}" in caught.value.next_step
    assert "PDF" in refused(b"%PDF-1.7\n\xff\xfe\0").title
    word = tmp_path / "talk.docx"
    with zipfile.ZipFile(word, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(FormatError, match="Word document"):
        load(word)


@pytest.mark.parametrize("known", UNREAD, ids=lambda known: known.title)
def test_every_row_can_be_told_and_says_what_to_do(known: Any) -> None:
    assert known.starts or known.has or known.text or known.begins or known.inside
    assert known.way.strip()
    re.compile(known.text)
    for paths in known.has:
        for text in paths:
            assert parse_path(text.partition("=")[0])


def test_what_is_said_to_do_with_a_hit_of_a_search_works() -> None:
    told = "role=hits.hits[]._source.who,content=hits.hits[]._source.text,assistant=b,user=a"
    from turnwise.conversations.formats import read_mapping

    hits = [{"_source": {"who": who, "text": "words"}} for who in "ab"]
    stream = io.BytesIO(json.dumps({"hits": {"hits": hits}}).encode())
    [record] = load(stream, mapping=read_mapping([told]))
    assert [turn.role for turn in record.case.turns] == ["user", "assistant"]  # type: ignore[union-attr]
