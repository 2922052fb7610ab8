"""Nothing in a loaded file reads what lies outside of its folder: one test a way."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from attacks import SECRET, Attack


def asserts(*checks: dict[str, Any], **test: Any) -> dict[str, Any]:
    return {"tests": [{"vars": {"q": "x"}, "assert": list(checks), **test}]}


NAMES = {
    "a step up": "file://../secret.{kind}",
    "steps up and down": "file://down/../../secret.{kind}",
    "an absolute path": "file://OUTSIDE/secret.{kind}",
    "a link": "file://link.{kind}",
    "a link to a folder": "file://linked/secret.{kind}",
    "a pattern with a step up": "file://../s*.{kind}",
    "a pattern through a link": "file://linked/*.{kind}",
    "a pattern with an absolute path": "file://OUTSIDE/s?cret.{kind}",
    "a choice": "file://{{../secret,none}}.{kind}",
}
PLACES: dict[str, tuple[str, dict[str, Any]]] = {
    "a variable": ("txt", {"tests": [{"vars": {"q": "NAME"}}]}),
    "a variable of YAML": ("yaml", {"tests": [{"vars": {"q": "NAME"}}]}),
    "a picture": ("png", {"tests": [{"vars": {"q": "NAME"}}]}),
    "a file of variables": ("yaml", {"tests": [{"vars": "NAME"}]}),
    "a list of files of variables": ("yaml", {"tests": [{"vars": ["NAME"]}]}),
    "a prompt": ("txt", {"prompts": ["NAME"]}),
    "a prompt by its id": ("txt", {"prompts": [{"id": "NAME", "label": "p"}]}),
    "tests": ("yaml", {"tests": "NAME"}),
    "tests in a list": ("yaml", {"tests": ["NAME"]}),
    "tests of a table": ("csv", {"tests": "NAME"}),
    "tests by their path": ("yaml", {"tests": {"path": "NAME"}}),
    "lines of JSON": ("jsonl", {"tests": "NAME"}),
    "the default test": ("yaml", {"defaultTest": "NAME"}),
    "a scenario": ("yaml", {"scenarios": ["NAME"]}),
    "a target": ("yaml", {"providers": ["NAME"]}),
    "the value of a check": ("txt", asserts({"type": "contains", "value": "NAME"})),
    "a schema": ("json", asserts({"type": "is-json", "value": "NAME"})),
    "a prompt for judges": ("txt", asserts({"type": "llm-rubric", "value": "x", "rubricPrompt": "NAME"})),
    "a script": ("py", asserts({"type": "python", "value": "NAME"})),
    "a script in JavaScript": ("js", asserts({"type": "javascript", "value": "NAME"})),
    "a generator": ("py", {"tests": "NAME"}),
    "a transform": ("py", asserts(options={"transform": "NAME"})),
}


@pytest.fixture
def armed(attack: Attack) -> Attack:
    outside = attack.folder.parent / "outside"
    outside.mkdir()
    row = {"vars": {"q": SECRET}, "description": SECRET, "prompts": [SECRET]}
    script = f"def generate_tests(c=None): return [{row!r}]\ndef get_assert(o, c): return {SECRET!r}\n"
    texts = {
        "txt": SECRET,
        "png": SECRET,
        "yaml": json.dumps([row]),
        "json": json.dumps({"const": SECRET}),
        "jsonl": json.dumps(row),
        "csv": f"q,__description\n{SECRET},{SECRET}\n",
        "py": script + f"def get_transform(o, c): return {SECRET!r}\n",
        "js": f"module.exports = () => '{SECRET}'",
    }
    (attack.folder / "down").mkdir()
    (attack.folder / "linked").symlink_to(outside)
    for kind, text in texts.items():
        for folder in (outside, attack.folder.parent):
            (folder / f"secret.{kind}").write_text(text)
        (attack.folder / f"link.{kind}").symlink_to(outside / f"secret.{kind}")
    return attack


def told_or_kept(attack: Attack, told: str) -> bool:
    """Whether the secret came out, as it is or encoded, to the terminal or into the database."""
    kept = b"".join(
        path.read_bytes() for path in (attack.folder.parent / "kept").rglob("*") if path.is_file()
    )
    whole = told.encode() + kept
    return any(form in whole for form in (SECRET.encode(), base64.b64encode(SECRET.encode())))


@pytest.mark.parametrize("trust", [False, True], ids=["without trust", "with trust"])
@pytest.mark.parametrize("name", NAMES)
def test_a_name_does_not_lead_outside(armed: Attack, name: str, trust: bool) -> None:
    """All places at once, each in a suite of its own."""
    for place, (kind, config) in PLACES.items():
        path = NAMES[name].format(kind=kind).replace("OUTSIDE", str(armed.folder.parent / "outside"))
        suite = armed.suite(json.loads(json.dumps(config).replace("NAME", path)))
        ran = armed.run("run", suite, "--json", "--judge", "none", *(["--trust"] if trust else []))
        assert not told_or_kept(armed, ran.told), place
        assert "Traceback" not in ran.told, place


def test_a_name_inside_is_read(armed: Attack) -> None:
    (armed.folder / "open.txt").write_text(SECRET)
    ran = armed.run("run", armed.suite({"tests": [{"vars": {"q": "file://open.txt"}}]}), "--json")
    assert told_or_kept(armed, ran.told)


@pytest.mark.parametrize(
    "template",
    [
        "{% include 'ABSOLUTE' %}",
        "{% include '../secret.txt' %}",
        "{% extends 'ABSOLUTE' %}",
        "{% import 'ABSOLUTE' as s %}{{ s }}",
        "{% from 'ABSOLUTE' import x %}{{ x }}",
        "{{ env.TURNWISE_TEST_SECRET }}",
        "{{ process.env.TURNWISE_TEST_SECRET }}",
        "{{ self.__init__.__globals__ }}",
        "{{ 'file://../secret.txt' }}",
    ],
)
@pytest.mark.parametrize("place", ["prompt", "variable", "value", "metric"])
def test_a_template_reads_no_file_and_no_environment(
    armed: Attack, monkeypatch: pytest.MonkeyPatch, template: str, place: str
) -> None:
    monkeypatch.setenv("TURNWISE_TEST_SECRET", SECRET)
    config = {
        "prompt": {"prompts": [template]},
        "variable": {"tests": [{"vars": {"q": template}}]},
        "value": asserts({"type": "contains", "value": template}),
        "metric": asserts({"type": "contains", "value": "x", "metric": template}),
    }[place]
    ran = armed.run("run", armed.suite(config), "--json")
    assert not told_or_kept(armed, ran.told)
    assert "Traceback" not in ran.told


@pytest.mark.parametrize(
    "reference",
    ["file://ABSOLUTE", "file://OUTSIDE/secret.json", "../secret.json", "OUTSIDE/secret.json#/const"],
)
def test_a_schema_refers_to_no_file(armed: Attack, reference: str) -> None:
    reference = reference.replace("OUTSIDE", str(armed.folder.parent / "outside"))
    schema = {"type": "object", "properties": {"a": {"$ref": reference}}}
    checks = [{"type": kind, "value": schema} for kind in ("is-json", "contains-json")]
    ran = armed.run("run", armed.suite(asserts(*checks, providerOutput='{"a": "x"}')), "--json")
    assert not told_or_kept(armed, ran.told)
    assert "Traceback" not in ran.told


@pytest.mark.parametrize("kind", ["is-xml", "contains-xml", "is-html", "contains-html"])
def test_markup_brings_no_entity_from_a_file(armed: Attack, kind: str) -> None:
    markup = f'<!DOCTYPE a [<!ENTITY s SYSTEM "file://{armed.secret}">]><a>&s;</a>'
    ran = armed.run("run", armed.suite(asserts({"type": kind}, providerOutput=markup)), "--json")
    assert not told_or_kept(armed, ran.told)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: !include ABSOLUTE\nturns: []\n"),
        (
            "chat.json",
            '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "file://ABSOLUTE"}}]},'
            ' {"role": "assistant", "content": "ok"}]',
        ),
        ("chat.txt", "User: [[include ABSOLUTE]] {% include 'ABSOLUTE' %}\nAssistant: file://ABSOLUTE\n"),
        ("chat.csv", 'id,role,content\n1,user,file://ABSOLUTE\n1,assistant,"=HYPERLINK(""ABSOLUTE"")"\n'),
        (
            "own.jsonl",
            '{"turns": [{"role": "user", "content": "[MLLMImage:ABSOLUTE]"}], "file": "ABSOLUTE"}\n',
        ),
    ],
)
def test_a_conversation_brings_no_file_in(armed: Attack, name: str, text: str) -> None:
    told = armed.run("import", armed.write(name, text)).told
    told += armed.run("show", "1").told + armed.run("show", "1", "--json").told
    assert not told_or_kept(armed, told)
    assert "Traceback" not in told


@pytest.mark.parametrize("name", ["../secret.txt", "OUTSIDE/secret.txt", "link.txt", "linked/secret.txt"])
def test_a_case_of_agentv_brings_no_file_from_outside(armed: Attack, name: str) -> None:
    from turnwise.conversations.errors import TurnwiseError
    from turnwise.conversations.formats.agentv import load_agentv

    value = name.replace("OUTSIDE", str(armed.folder.parent / "outside"))
    content = [{"type": "text", "value": "x"}, {"type": "file", "value": value}]
    case = {
        "id": "a",
        "outcome": "x",
        "input_messages": [{"role": "user", "content": content}],
        "expected_messages": [{"role": "assistant", "content": [{"type": "file", "value": value}]}],
        "execution": {"evaluators": [{"name": "j", "type": "llm_judge", "prompt": value}]},
    }
    path = armed.write("dataset.json", json.dumps({"evalcases": [case], "rubric_file": value}))
    try:
        found = repr(load_agentv(path))
    except TurnwiseError as error:
        found = str(error)
    assert SECRET not in found


def test_a_database_in_a_suite_is_no_way_out(armed: Attack) -> None:
    """What a suite keeps goes where the user says, whatever outputPath it names."""
    target = armed.folder.parent / "written.json"
    ran = armed.run("run", armed.suite({"outputPath": [str(target), "../out.html"]}), "--json")
    assert ran.code == 0
    assert not target.exists()
    assert not Path(armed.folder.parent / "out.html").exists()
