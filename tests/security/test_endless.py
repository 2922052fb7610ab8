"""Nothing in a loaded file takes all the time or memory there is: what has no end is ended, and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attacks import Attack

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.engine.suites.code import SuiteCode

SECONDS = 120
"""Far beyond what any of these takes, and far below what they ask for."""
LARGEST = 500_000_000
"""Bytes that a process may have held; they ask for far more."""

_RUN = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1] / "support")!r})
from peak_memory import most_memory
from turnwise.engine import javascript
from turnwise.tui.cli.main import run
javascript.SECONDS = 1.0  # as long as it takes to see that it is stopped
code = run(sys.argv[1:])
javascript._engine().close()
sys.stderr.write(f"\\nENDED {{code}} {{most_memory()}}")
"""


def asserts(*checks: dict[str, Any], **test: Any) -> dict[str, Any]:
    return {"tests": [{"vars": {"q": "x"}, "assert": list(checks), **test}]}


def script(code: str) -> dict[str, Any]:
    return asserts({"type": "javascript", "value": code})


def nested(depth: int) -> str:
    return "{% for i in range(1000) %}" * depth + "x" + "{% endfor %}" * depth


SUITES: dict[str, dict[str, Any]] = {
    "a loop in a script": script("for (;;) {}\nreturn true"),
    "a promise that is never kept": script("await new Promise(() => {})\nreturn true"),
    "a promise that makes others": script("const f = () => Promise.resolve().then(f)\nreturn f()"),
    "a script that fills the memory": script(
        "const a = []\nfor (;;) a.push(new Array(1e6).fill(1))\nreturn 1"
    ),
    "a text that fills the memory": script("let s = 'x'\nfor (;;) s += s\nreturn s"),
    "a buffer that fills the memory": script("const a = []\nfor (;;) a.push(new ArrayBuffer(1e8))\nreturn 1"),
    "bytes that fill the memory": script(
        "const a = [];\nfor (;;) { const b = new Uint8Array(5e7); b.fill(1); a.push(b) }"
    ),
    "shared memory": script(
        "const a = [];\nfor (;;) a.push(new Uint8Array(new SharedArrayBuffer(5e7)).fill(1))"
    ),
    "memory of an assembly": script(
        "const m = new WebAssembly.Memory({initial: 30000});\nnew Uint8Array(m.buffer).fill(1);\nreturn 1"
    ),
    "a script that gives too much": script("'x'.repeat(2 ** 28)"),
    "a recursion in a script": script("const f = () => f()\nreturn f()"),
    "an expression in a script": script("/^(a+)+$/.test('a'.repeat(40) + 'b')"),
    "a transform without end": asserts(options={"transform": "for (;;) {}\nreturn 1"}),
    "a transform of variables without end": asserts(options={"transformVars": "for (;;) {}\nreturn {}"}),
    "a loop in a template": {"prompts": ["{% for i in range(1000000000) %}x{% endfor %}"]},
    "loops in loops": {"prompts": [nested(6)]},
    "a text that a template repeats": {"prompts": ["{{ 'x' * 10000000000 }}"]},
    "a power in a template": {"prompts": ["{{ 9 ** 9 ** 9 ** 9 }}"]},
    "a macro that calls itself": {"prompts": ["{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}"]},
    "a width in a template": {"prompts": ["{{ 'x' | center(10000000000) }} {{ 'x' | indent(1000000000) }}"]},
    "a template that doubles": {"prompts": ["{% set s = 'x' %}" + "{% set s = s ~ s %}" * 60 + "{{ s }}"]},
    "variables that name one another": {
        "tests": [{"vars": {f"v{n}": f"{{{{v{n + 1}}}}}" * 20 for n in range(20)} | {"q": "{{v0}}"}}]
    },
    "lists of variables": {"tests": [{"vars": {f"v{n}": ["a", "b"] * 10 for n in range(20)}}]},
    "an expression": asserts({"type": "regex", "value": "^(a+)+$"}, providerOutput="a" * 60 + "b"),
    "another expression": asserts({"type": "regex", "value": "(x+x+)+y"}, providerOutput="x" * 60),
    "an expression of a schema": asserts(
        {"type": "is-json", "value": {"properties": {"a": {"pattern": "^(a+)+$"}}}},
        providerOutput=json.dumps({"a": "a" * 60 + "b"}),
    ),
    "a schema that names itself": asserts(
        {"type": "is-json", "value": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}},
        providerOutput="{}",
    ),
    "entities that name one another": asserts(
        {"type": "is-xml"},
        providerOutput="<!DOCTYPE a ["
        + "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 20}">' for n in range(12))
        + '<!ENTITY e0 "x">]><a>&e12;</a>',
    ),
    "JSON that is deep": asserts({"type": "is-json"}, providerOutput="[" * 1_000_000),
    "objects without end": asserts({"type": "contains-json"}, providerOutput="{" * 20_000),
    "markup that is deep": asserts({"type": "is-html"}, providerOutput="<b>" * 200_000),
    "SQL that is deep": asserts({"type": "is-sql"}, providerOutput="select " + "(" * 20_000),
    "a power in a metric": {"derivedMetrics": [{"name": "m", "value": "9 ** 9 ** 9 ** 9"}]},
    "a long measure": asserts({"type": "levenshtein", "value": "a" * 200_000}, providerOutput="b" * 200_000),
    "sets in sets": asserts(
        json.loads('{"type":"assert-set","assert":[' * 300 + '{"type":"contains","value":"x"}' + "]}" * 300)
    ),
    "a pattern of files": {"tests": ["file://" + "**/" * 30 + "*.yaml"]},
    "choices in a pattern": {"tests": ["file://" + "{a,b,c,d}" * 30 + ".yaml"]},
}
DEEP = "[" * 100_000
SUITES |= {
    "a deep prompt": {"prompts": [DEEP]},
    "a deep variable": {"tests": [{"vars": {"q": DEEP}}]},
    "a deep transform": asserts(
        options={"transform": "let x = [];\nfor (let i = 0; i < 5000; i++) x = [x];\nreturn x"}
    ),
    "deep variables that JavaScript makes": asserts(
        options={"transformVars": "let x = [];\nfor (let i = 0; i < 5000; i++) x = [x];\nreturn {q: x}"}
    ),
    "a threshold that is no number": {"defaultTest": {"threshold": "high"}},
    "a threshold that no float can hold": {"tests": [{"vars": {"q": "x"}, "threshold": 10**400}]},
    "a weight that no float can hold": asserts({"type": "contains", "value": "x", "weight": 10**400}),
    "a number of an answer that no float can hold": asserts(
        {"type": "is-json", "value": {"properties": {"a": {"type": "number"}}}},
        providerOutput=f'{{"a": 1{"0" * 400}}}',
    ),
    "openings in a prompt": {"prompts": ["{" * 100_000 + "}"]},
    "openings in a variable": {"prompts": ["{{q}}"], "tests": [{"vars": {"q": "{{a|" * 25_000}}]},
    "comments that stay open": {"tests": [{"vars": {"q": "{# " * 25_000 + "{{"}}]},
    "a pattern of tests": {"tests": "<![CDATA[" + "x[" * 50_000 + ".yaml"},
}
TEXTS = {
    "aliases.yaml": "a0: &a0 [x]\n"
    + "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 20)}]\n" for n in range(12)),
    "itself.yaml": "tests: &a [*a]\nprompts: [x]\n",
    "deep.yaml": "[" * 100_000,
    "deeper.yaml": "- " * 50_000 + "x",
    "deep.json": "[" * 1_000_000,
    "deep.jsonl": '{"turns": ' + "[" * 1_000_000 + "\n",
    "number.json": '{"prompts": ["x"], "tests": ' + "9" * 5_000_000 + "}",
    "references.yaml": "prompts: [x]\ntests: {$ref: '#/a'}\na: {$ref: '#/b'}\nb: {$ref: '#/a'}\n",
}


def ended(*command: object) -> tuple[int, int, str]:
    """Run a command line in a process of its own; its exit code, the most bytes it held, and what it told."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *map(str, command)],
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=dict(os.environ),
    )
    told = done.stderr.decode(errors="replace")
    ending = told.rsplit("\n", 1)[-1].split()
    assert ending[:1] == ["ENDED"], told[-2000:]
    return int(ending[1]), int(ending[2]), told


@pytest.mark.parametrize("way", SUITES)
def test_a_suite_ends(attack: Attack, way: str) -> None:
    code, most, told = ended("run", attack.suite(SUITES[way]), "--judge", "none")
    assert code in (0, 1, 2)
    assert most < LARGEST
    assert "Traceback" not in told


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("command", ["run", "import"])
def test_a_file_ends(attack: Attack, name: str, command: str) -> None:
    code, most, told = ended(command, attack.write(name, TEXTS[name]))
    assert code in (1, 2)
    assert most < LARGEST
    assert "Traceback" not in told


def test_a_script_without_end_is_stopped_with_trust_too(attack: Attack) -> None:
    suite = attack.suite({"tests": "file://x.py"}, x__py="while True: pass\n")
    with (
        closing(SuiteCode(suite, trusted=True, seconds=1.0)) as code,
        pytest.raises(FormatError, match="more than 1 seconds"),
    ):
        load_suite(suite, code=code)
