"""Nothing in a loaded file runs code without trust: one test a way, and the proof that trust would run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attacks import Attack
from node_here import needs_typescript

PYTHON = "open('CANARY', 'w').write('ran')\n"
NODE = "require('fs').writeFileSync('CANARY', 'ran');\n"
SHELL = "#!/bin/sh\ntouch CANARY\n"
FILES = {
    "x.py": f"{PYTHON}def generate_tests(c=None): return [{{'vars': {{'q': 'x'}}}}]\n"
    "def get_var(n, p, o): return {'output': 'x'}\n"
    "def get_assert(o, c): return True\n"
    "def get_transform(o, c): return o if isinstance(o, str) else {}\n"
    "def get_score(n, c): return {'pass': True, 'score': 1, 'reason': ''}\n"
    "def call_api(p, o, c): return {'output': p}\n"
    "def f(c): return 'x'\nprint('x')\n",
    "x.js": f"{NODE}module.exports = () => 'x'\n",
    "x.mjs": "import fs from 'fs';\nfs.writeFileSync('CANARY', 'ran');\nexport default () => 'x'\n",
    "x.rb": "File.write('CANARY', 'ran')\n",
    "x.ts": "require('fs').writeFileSync('CANARY', 'ran')\n",
    "x.sh": SHELL,
}


def asserts(*checks: dict[str, Any], **test: Any) -> dict[str, Any]:
    return {"tests": [{"vars": {"q": "x"}, "assert": list(checks), **test}]}


TRUSTED: dict[str, dict[str, Any]] = {
    "a generator": {"tests": "file://x.py"},
    "a generator in a list": {"tests": ["x.py:generate_tests"]},
    "a generator with settings": {"tests": {"path": "file://x.py", "config": {}}},
    "a pattern that means a generator": {"tests": ["file://*.py"]},
    "a generator in JavaScript": {"tests": "file://x.js"},
    "a variable": {"tests": [{"vars": {"q": "file://x.py"}}]},
    "a variable in JavaScript": {"tests": [{"vars": {"q": "file://x.mjs"}}]},
    "a prompt": {"prompts": ["file://x.py:f"]},
    "a prompt that is a whole script": {"prompts": ["file://x.py"]},
    "a prompt in JavaScript": {"prompts": ["x.js"]},
    "a pattern that means prompts": {"prompts": ["file://*.mjs"]},
    "a prompt that is a command": {"prompts": ["exec:sh x.sh"]},
    "a target": {"providers": ["file://x.py"]},
    "a target by its language": {"providers": ["python:x.py"]},
    "a target in JavaScript": {"providers": ["file://x.js"]},
    "a target that is a command": {"providers": ["exec:sh x.sh"]},
    "a test's own target": asserts(provider="python:x.py"),
    "a transform of a target": {"providers": [{"id": "echo", "transform": "file://x.py"}]},
    "a transform of a test": asserts(options={"transform": "file://x.py"}),
    "a transform of variables": asserts(options={"transformVars": "file://x.py"}),
    "a transform of a check": asserts({"type": "contains", "value": "x", "transform": "file://x.py"}),
    "a check written in Python": asserts({"type": "python", "value": "open('CANARY', 'w') and True"}),
    "a check in several lines": asserts({"type": "python", "value": "open('CANARY', 'w')\nreturn True"}),
    "a check in a file": asserts({"type": "python", "value": "file://x.py"}),
    "a check in JavaScript": asserts({"type": "javascript", "value": "file://x.js"}),
    "a check in a set": asserts(
        {"type": "assert-set", "assert": [{"type": "python", "value": "file://x.py"}]}
    ),
    "the value of another check": asserts({"type": "contains", "value": "file://x.py"}),
    "a scoring function": asserts(assertScoringFunction="file://x.py"),
    "a check of the default test": {"defaultTest": {"assert": [{"type": "python", "value": "file://x.py"}]}},
    "a cell of a table": {"tests": "file://python.csv"},
    "a file in a cell of a table": {"tests": "file://file.csv"},
    "a test in another file": {"tests": ["file://tests.yaml"]},
    "a line of JSON": {"tests": "file://tests.jsonl"},
    "a script in a cell of a table": {"tests": "file://script.csv"},
    "a template that makes the name of a script": asserts(
        {"type": "python", "value": "file://{{n}}.py"}, vars={"q": "x", "n": "x"}
    ),
}
"""Where a file may name code, and --trust runs it."""

IN_TYPESCRIPT: dict[str, dict[str, Any]] = {
    "a generator": {"tests": "file://x.ts"},
    "a variable": {"tests": [{"vars": {"q": "file://x.ts"}}]},
    "a prompt": {"prompts": ["file://x.ts"]},
    "a target": {"providers": ["file://x.ts"]},
    "a check": asserts({"type": "javascript", "value": "file://x.ts"}),
}

NEVER: dict[str, dict[str, Any]] = {
    "Ruby in a file": asserts({"type": "ruby", "value": "file://x.rb"}),
    "Ruby in the suite": asserts({"type": "ruby", "value": "File.write('CANARY', 'ran')"}),
    "a default test that is code": {"defaultTest": "file://x.py"},
    "a scenario that is code": {"scenarios": ["file://x.py"]},
    "a prompt for judges that is code": asserts(
        {"type": "llm-rubric", "value": "x", "rubricPrompt": "file://x.py"}
    ),
    "an inline script that requires": asserts({"type": "javascript", "value": f"{NODE}return true"}),
    "an inline script with a process": asserts(
        {"type": "javascript", "value": "process.binding('fs').open('CANARY', 1, 0)"}
    ),
    "an inline script that imports": asserts(
        {"type": "javascript", "value": "const f = await import('fs')\nreturn true"}
    ),
    "a constructor of a script": asserts(
        {
            "type": "javascript",
            "value": "this.constructor.constructor('return process')().mainModule.require('fs')",
        }
    ),
    "an inline transform": asserts(options={"transform": f"{NODE}return output"}),
    "an inline transform of variables": asserts(options={"transformVars": f"{NODE}return {{}}"}),
    "a derived metric": {
        "derivedMetrics": [{"name": "m", "value": "__import__('os').system('touch CANARY')"}]
    },
    "a metric's name": asserts({"type": "contains", "value": "x", "metric": "{{ ''.__class__.__mro__ }}"}),
    "an attribute in a template": asserts(vars={"q": "{{ ''.__class__.__mro__[1].__subclasses__() }}"}),
    "a template that is a prompt": {
        "prompts": ["{{ cycler.__init__.__globals__.os.system('touch CANARY') }}"]
    },
    "the constructor in a template": {"prompts": ["{{ range.constructor('return process')().exit() }}"]},
    "a filter in a template": {
        "prompts": ["{{ q | attr('__class__') }} {{ q | map(attribute='__class__') }}"]
    },
    "a template's import": {"prompts": ["{% import 'os' as os %}{{ os.system('touch CANARY') }}"]},
    "a shell in a variable": asserts(vars={"q": "$(touch CANARY) `touch CANARY` ; touch CANARY"}),
}
"""What no trust is asked for, because nothing of the kind is there to be run."""


@pytest.fixture
def armed(attack: Attack) -> Attack:
    for name, text in FILES.items():
        attack.write(name, text)
    attack.write("python.csv", "q,__expected\nx,\"python: open('CANARY', 'w') and True\"\n")
    attack.write("file.csv", "q,__expected\nx,file://x.py\n")
    attack.write("script.csv", "q,__expected\nx,file://x.js\n")
    test = {"vars": {"q": "x"}, "assert": [{"type": "python", "value": "file://x.py"}]}
    attack.write("tests.yaml", json.dumps([test]))
    attack.write("tests.jsonl", json.dumps(test))
    return attack


@pytest.mark.parametrize("way", TRUSTED)
def test_code_that_a_suite_names_waits_for_trust(armed: Attack, way: str) -> None:
    suite = armed.suite(TRUSTED[way])
    ran = armed.run("run", suite, "--json", "--judge", "none")
    assert not armed.canary.exists()
    assert ran.code in (1, 2)
    assert "without --trust" in ran.told
    armed.run("run", suite, "--trust", "--judge", "none")
    assert armed.canary.exists(), "the way is blocked by something else"


@needs_typescript
@pytest.mark.parametrize("way", IN_TYPESCRIPT)
def test_so_does_typescript(armed: Attack, way: str) -> None:
    suite = armed.suite(IN_TYPESCRIPT[way])
    ran = armed.run("run", suite, "--json", "--judge", "none")
    assert not armed.canary.exists()
    assert "without --trust" in ran.told
    armed.run("run", suite, "--trust", "--judge", "none")
    assert armed.canary.exists(), "the way is blocked by something else"


@pytest.mark.parametrize("way", NEVER)
def test_what_may_not_run_does_not_run(armed: Attack, way: str) -> None:
    suite = armed.suite(NEVER[way])
    ran = armed.run("run", suite, "--json", "--judge", "none")
    assert not armed.canary.exists()
    assert ran.code in (0, 1, 2)
    assert "Traceback" not in ran.told


@pytest.mark.parametrize("name", ["suite.js", "suite.mjs", "suite.py", "suite.ts"])
def test_a_configuration_that_is_code_waits_for_trust(armed: Attack, name: str) -> None:
    source = FILES.get(f"x{Path(name).suffix}", "")
    ran = armed.run("run", armed.write(name, source))
    assert (ran.code, armed.canary.exists()) == (2, False)
    assert "code" in ran.told


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['touch CANARY']",
        "!!python/object/new:os.system ['touch CANARY']",
        "!!python/name:os.system",
        "!!python/module:os",
        "!!js/function 'function () { return 1 }'",
        "!!java.lang.Runtime {}",
        "!<tag:yaml.org,2002:python/object/apply:os.system> ['touch CANARY']",
    ],
)
@pytest.mark.parametrize("place", ["suite", "tests", "vars", "criteria"])
def test_a_tag_of_yaml_makes_no_object(armed: Attack, tag: str, place: str) -> None:
    if place == "suite":
        path = armed.write(
            "s.yaml", f"prompts: ['{{{{q}}}}']\nproviders: [echo]\ntests:\n- vars:\n    q: {tag}\n"
        )
    elif place == "criteria":
        path = armed.write("c.yaml", f"criteria:\n- name: a\n  criterion: {tag}\n")
    else:
        armed.write("t.yaml", f"- vars:\n    q: {tag}\n" if place == "tests" else f"q: {tag}\n")
        tests = ["file://t.yaml"] if place == "tests" else [{"vars": "file://t.yaml"}]
        path = armed.suite({"tests": tests})
    command = (
        ["score", "--all", "--criteria", path, "--metric", "geval"] if place == "criteria" else ["run", path]
    )
    ran = armed.run(*command)
    assert not armed.canary.exists()
    assert "Traceback" not in ran.told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat.json", '[{"role": "user", "content": "{{ \'\'.__class__ }} $(touch CANARY)"}]'),
        ("chat.jsonl", '{"__reduce__": ["os.system", ["touch CANARY"]], "messages": []}\n'),
        ("chat.txt", "User: !!python/object/apply:os.system ['touch CANARY']\nAssistant: ok\n"),
        ("chat.csv", "id,role,content\n1,user,=cmd|'/C touch CANARY'!A0\n1,assistant,@SUM(1)\n"),
        ("cases.yaml", "turns: !!python/object/apply:os.system ['touch CANARY']\n"),
        ("cases.pkl", "cos\nsystem\n(S'touch CANARY'\ntR."),
        ("cases.json", "cos\nsystem\n(S'touch CANARY'\ntR."),
        ("chat.py", PYTHON),
    ],
)
def test_a_conversation_runs_nothing(armed: Attack, name: str, text: str) -> None:
    ran = armed.run("import", armed.write(name, text))
    armed.run("show", "1")
    assert not armed.canary.exists()
    assert "Traceback" not in ran.told


def test_a_memory_of_trust_that_comes_with_the_suite_is_not_believed(
    armed: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNWISE_DB", str(armed.folder / "turnwise.db"))
    suite = armed.suite(TRUSTED["a generator"])
    monkeypatch.setenv("XDG_DATA_HOME", str(armed.folder / "theirs"))
    armed.run("run", suite, "--trust")
    armed.canary.unlink()
    assert armed.run("run", suite).code == 0
    assert armed.canary.exists()
    armed.canary.unlink()
    monkeypatch.setenv("XDG_DATA_HOME", str(armed.folder.parent / "mine"))
    assert armed.run("run", suite).code == 2
    assert not armed.canary.exists()


@pytest.mark.parametrize("script", [["sh", "x.sh"], "touch CANARY"])
def test_a_judge_of_agentv_that_is_a_command_waits_for_trust(armed: Attack, script: Any) -> None:
    case = {
        "id": "a",
        "outcome": "x",
        "input_messages": [{"role": "user", "content": "x"}],
        "expected_messages": [{"role": "assistant", "content": "x"}],
        "execution": {"evaluators": [{"name": "words", "type": "code_judge", "script": script}]},
    }
    path = armed.write("dataset.yaml", json.dumps({"evalcases": [case], "execution": {"target": "echo"}}))
    ran = armed.run("run", path, "--json")
    assert not armed.canary.exists()
    assert ran.code == 1
    assert "without --trust" in ran.told
    armed.run("run", path, "--trust")
    assert armed.canary.exists()
