"""Nothing in a loaded file writes to the terminal: what would be obeyed there is shown instead."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from attacks import Attack

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x1b]52;c;b3duZWQ=\x1b\\\x9b31m\x08\r\x00\x7f\u202egnp\u2066\u200f end"
IN_NAMES = HOSTILE.replace("\x00", "").replace("/", "")
OBEYED = {
    *(chr(code) for code in range(32) if chr(code) != "\n"),
    *map(chr, range(127, 160)),
    *map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))),
}


TOOL = {"id": HOSTILE, "type": "function", "function": {"name": HOSTILE, "arguments": HOSTILE}}
OWN = {
    "turns": [{"role": "user", "content": HOSTILE}],
    "name": HOSTILE,
    "tags": [HOSTILE],
    "chatbot_role": HOSTILE,
    "metadata": {HOSTILE: HOSTILE},
}


def obeyed(text: str) -> set[str]:
    """The characters of a text that a terminal would obey, or that turn the writing round."""
    return {hex(ord(character)) for character in text if character in OBEYED}


def asserts(*checks: dict[str, Any], **test: Any) -> dict[str, Any]:
    return {"tests": [{"vars": {"q": "x"}, "assert": list(checks), **test}]}


SUITES: dict[str, dict[str, Any]] = {
    "a description": asserts(description=HOSTILE),
    "the suite's description": {"description": HOSTILE},
    "a variable": {"tests": [{"vars": {"q": HOSTILE}}]},
    "a variable's name": {"tests": [{"vars": {HOSTILE: HOSTILE}}]},
    "a prompt": {"prompts": [HOSTILE]},
    "a prompt's label": {"prompts": [{"raw": "{{q}}", "label": HOSTILE}]},
    "an answer": asserts({"type": "equals", "value": "y"}, providerOutput=HOSTILE),
    "an answer that is data": asserts({"type": "is-json"}, providerOutput={HOSTILE: [HOSTILE]}),
    "a value": asserts({"type": "contains", "value": HOSTILE}),
    "a list of values": asserts({"type": "contains-any", "value": [HOSTILE]}),
    "a type": asserts({"type": HOSTILE}),
    "a metric": asserts({"type": "contains", "value": "x", "metric": HOSTILE}),
    "a derived metric": {"derivedMetrics": [{"name": HOSTILE, "value": "1 + 1"}]},
    "a broken derived metric": {"derivedMetrics": [{"name": "m", "value": HOSTILE}]},
    "a regular expression": asserts({"type": "regex", "value": f"({HOSTILE}"}),
    "what a script throws": asserts(
        {"type": "javascript", "value": f"throw new Error({json.dumps(HOSTILE)})\nreturn 1"}
    ),
    "a script's reason": asserts(
        {"type": "javascript", "value": json.dumps({"pass": False, "score": 0, "reason": HOSTILE})}
    ),
    "a script's name": asserts({"type": "python", "value": f"file://{IN_NAMES}.py"}),
    "Python": asserts({"type": "python", "value": HOSTILE}),
    "a target": {"providers": [HOSTILE]},
    "a target's label": {"providers": [{"id": "echo", "label": HOSTILE}, {"id": "echo", "label": "b"}]},
    "a target that is code": {"providers": [f"python:{IN_NAMES}.py"]},
    "a missing file": {"tests": f"file://{IN_NAMES}.yaml"},
    "a pattern": {"tests": [f"file://{IN_NAMES}*.yaml"]},
    "a missing variable file": {"tests": [{"vars": {"q": f"file://{IN_NAMES}.txt"}}]},
    "a broken template": {"prompts": [f"{{% {HOSTILE} %}}"]},
    "metadata": asserts(metadata={HOSTILE: HOSTILE}),
    "a field that is unknown": asserts(**{HOSTILE: 1}),
    "a reference": {"tests": [{"$ref": f"#/{HOSTILE}"}]},
    "a threshold": asserts({"type": "contains", "value": "x", "threshold": HOSTILE}),
    "a table's column": {"tests": "file://t.csv"},
    "a scenario": {
        "scenarios": [{"config": [{"vars": {"q": HOSTILE}}], "tests": [{"description": HOSTILE}]}]
    },
}


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["for people", "as JSON"])
@pytest.mark.parametrize("way", SUITES)
def test_a_suite_writes_nothing_to_the_terminal(attack: Attack, way: str, form: list[str]) -> None:
    attack.write("t.csv", f'"{IN_NAMES}",__expected,__metadata,__threshold\n"{IN_NAMES}",x,"{IN_NAMES}",z\n')
    suite = attack.suite(SUITES[way])
    for command in (["run", suite, "--judge", "none"], ["sessions"], ["show", "1"]):
        ran = attack.run(*command, *form)
        assert obeyed(ran.told) == set()
        assert "Traceback" not in ran.told


def test_a_file_name_writes_nothing_to_the_terminal(attack: Attack) -> None:
    whole = {"prompts": ["{{q}}"], "providers": ["echo"], "tests": [{"vars": {"q": "x"}}]}
    good = attack.write(f"{IN_NAMES}.json", json.dumps(whole))
    bad = attack.write(f"{IN_NAMES}.yaml", "[")
    chat = attack.write(f"{IN_NAMES}.txt", "nothing")
    none = attack.folder / f"{IN_NAMES}.none"
    commands = [
        ["run", good],
        ["run", bad],
        ["run", none],
        ["import", chat],
        ["import", none],
        ["run", good, "--target", f"python:{none}.py"],
        ["run", good, "--filter-metadata", f"{IN_NAMES}={IN_NAMES}"],
        ["show", IN_NAMES],
    ]
    for command in commands:
        ran = attack.run(*command)
        assert obeyed(ran.told) == set(), command[0]
        assert "Traceback" not in ran.told


def test_what_code_prints_and_throws_with_trust_is_shown_and_not_obeyed(attack: Attack) -> None:
    script = (
        f"import os, sys\nhostile = {IN_NAMES!r}\nprint(hostile)\n"
        "sys.stderr.write(hostile)\nos.write(1, hostile.encode())\n"
        "def get_assert(o, c): raise ValueError(hostile)\n"
        "def call_api(p, o, c):\n    sys.stderr.write(hostile)\n    sys.stderr.flush()\n    os._exit(1)\n"
    )
    config = {"providers": ["echo", "file://x.py"], **asserts({"type": "python", "value": "file://x.py"})}
    suite = attack.suite(config, x__py=script)
    for form in ([], ["--json"]):
        ran = attack.run("run", suite, "--trust", *form)
        assert obeyed(ran.told) == set()
        assert "owned" in ran.told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat.json", json.dumps([{"role": "user", "content": HOSTILE}])),
        ("roles.json", json.dumps([{"role": HOSTILE, "content": "x"}])),
        ("tools.json", json.dumps([{"role": "assistant", "content": None, "tool_calls": [TOOL]}])),
        ("own.jsonl", json.dumps(OWN)),
        ("chat.txt", f"User: {HOSTILE}\nAssistant: {HOSTILE}\n{HOSTILE}: x\n"),
        ("chat.csv", f'id,role,content\n1,user,"{IN_NAMES}"\n1,"{IN_NAMES}",x\n'),
        ("broken.jsonl", f'{{"turns": [{HOSTILE}\n'),
        ("broken.yaml", f"turns: [{HOSTILE}\n"),
    ],
)
def test_a_conversation_writes_nothing_to_the_terminal(attack: Attack, name: str, text: str) -> None:
    path = attack.write(name, text)
    commands = (
        ["import", path],
        ["import", path, "--json"],
        ["sessions"],
        ["show", "1"],
        ["show", "1", "--json"],
    )
    for command in (*commands, ["replay", "1", "--instant"], ["sessions", HOSTILE]):
        ran = attack.run(*command)
        assert obeyed(ran.told) == set(), command[0]
        assert "Traceback" not in ran.told


def test_criteria_write_nothing_to_the_terminal(attack: Attack) -> None:
    attack.run("import", attack.write("chat.txt", "User: x\nAssistant: y\n"))
    text = json.dumps({"criteria": [{"name": HOSTILE, "criterion": HOSTILE, "steps": [HOSTILE], HOSTILE: 1}]})
    for name in ("c.yaml", "c.json"):
        ran = attack.run("score", "--all", "--criteria", attack.write(name, text), "--judge", "none")
        assert obeyed(ran.told) == set()


def test_a_real_process_under_a_pipe_writes_none_either(attack: Attack) -> None:
    suite = attack.suite({"description": HOSTILE, **asserts({"type": HOSTILE}, description=HOSTILE)})
    program = "import sys; from turnwise.tui.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "run", str(suite)],
        capture_output=True,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 1
    assert b"owned" in done.stdout
    assert obeyed((done.stdout + done.stderr).decode()) == set()
