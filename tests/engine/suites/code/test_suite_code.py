"""The code of a suite: which script and function a name means, in Python, here in the engine, or in node."""

from __future__ import annotations

from pathlib import Path

import pytest
from node_here import needs_node
from scripts_of_suites import Write, run

from turnwise.conversations.errors import FormatError, NotFoundError, SettingError
from turnwise.engine.suites.code import node


class TestPython:
    async def test_the_default_and_a_named_function(self, write: Write) -> None:
        source = (
            "def get_assert(a, b): return a + b\nclass K:\n    @staticmethod\n    def f(a): return a * 2\n"
        )
        code = write(x__py=source)
        assert await run(code, "file://x.py", 1, 2) == 3
        assert await run(code, "file://x.py:K.f", 4) == 8
        assert await run(code, "python:x.py:K.f", 5) == 10

    async def test_a_coroutine_is_awaited(self, write: Write) -> None:
        source = "import asyncio\nasync def get_assert(a):\n    await asyncio.sleep(0)\n    return a"
        assert await run(write(x__py=source), "file://x.py", "é") == "é"

    async def test_a_script_imports_what_lies_beside_it_and_keeps_its_state(self, write: Write) -> None:
        source = (
            "import beside\nseen = []\n"
            "def get_assert(a):\n    seen.append(a)\n    return beside.ONE + len(seen)"
        )
        code = write(x__py=source, beside__py="ONE = 1")
        assert [await run(code, "file://x.py", "a") for _ in range(2)] == [2, 3]

    async def test_a_missing_function_names_those_there_are(self, write: Write) -> None:
        returned = await write(x__py="def other(): pass").run_script("file://x.py", ("get_assert",), [], "s")
        assert "get_assert" in returned.error
        assert "other" in returned.error

    async def test_an_error_names_the_line_of_the_script(self, write: Write) -> None:
        source = "def get_assert():\n    return 1 / 0"
        returned = await write(x__py=source).run_script("file://x.py", ("get_assert",), [], "s")
        assert returned.error == "ZeroDivisionError: division by zero (line 2 of x.py)"


class TestJavaScript:
    @pytest.mark.parametrize(
        ("name", "source"),
        [
            ("x.js", "module.exports = (a, b) => a + b;"),
            ("x.js:f", "module.exports = { f: (a, b) => a + b };"),
            ("x.js:f", "function f(a, b) { return a + b }\nmodule.exports.f = f"),
            ("x.cjs", "module.exports = async (a, b) => a + b;"),
            ("x.mjs", "export default (a, b) => a + b;"),
            ("x.mjs", "export default async function sum(a, b) {\n  return a + b;\n}"),
            ("x.mjs:f", "export function f(a, b) { return a + b }"),
            ("x.mjs:f", "export const f = (a, b) => a + b;"),
            ("x.mjs:f", "const g = (a, b) => a + b;\nexport { g as f };"),
        ],
    )
    async def test_what_a_file_exports_is_called(self, write: Write, name: str, source: str) -> None:
        file = name.partition(":")[0].replace(".", "__")
        assert await run(write(**{file: source}), f"file://{name}", 1, 2) == 3

    async def test_what_is_no_function_is_given_as_it_is(self, write: Write) -> None:
        assert await run(write(x__js="module.exports = {a: [1]}"), "file://x.js") == {"a": [1]}

    async def test_what_it_throws_is_told(self, write: Write) -> None:
        code = write(x__js="module.exports = () => { throw new Error('no') }")
        assert (await code.run_script("file://x.js", (), [], "s")).error == "no"
        assert "no g in it" in (await code.run_script("file://x.js:g", (), [], "s")).error

    @pytest.mark.parametrize(
        ("source", "named"),
        [
            ("const fs = require('fs'); module.exports = () => 1", "fs"),
            ("import x from 'lodash';\nexport default () => 1", "lodash"),
            ("module.exports = () => process.env.HOME", "process"),
        ],
    )
    async def test_without_node_what_it_needs_is_named(
        self, write: Write, monkeypatch: pytest.MonkeyPatch, source: str, named: str
    ) -> None:
        monkeypatch.setattr(node.shutil, "which", lambda name: None)
        with pytest.raises(NotFoundError, match=rf"x\.js needs {named}, and node"):
            await run(write(x__js=source), "file://x.js")

    async def test_a_module_that_is_asked_for_in_another_way_is_named(self, write: Write) -> None:
        code = write(x__js="const r = require; module.exports = () => r('fs')")
        assert "fs" in (await code.run_script("file://x.js", (), [], "s")).error

    async def test_a_loop_without_end_is_stopped(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("turnwise.engine.javascript.SECONDS", 0.3)
        with pytest.raises(SettingError, match="ran for more"):
            await run(write(x__js="module.exports = () => { for (;;) {} }"), "file://x.js")

    @needs_node
    async def test_with_node_it_may_require(self, write: Write) -> None:
        source = (
            "const path = require('path');\nconsole.log('noise');\n"
            "module.exports = async (a) => path.basename(a);\nmodule.exports.big = () => 'x'.repeat(300000);"
        )
        code = write(x__js=source)
        assert await run(code, "file://x.js", "/a/b") == "b"
        assert await run(code, "file://x.js:big") == "x" * 300_000


@pytest.mark.parametrize(("name", "kind"), [("x.rb", "Ruby"), ("x.go", "Go")])
async def test_other_languages_are_not_run(write: Write, name: str, kind: str) -> None:
    with pytest.raises(NotFoundError, match=kind):
        await run(write(**{name.replace(".", "__"): ""}), f"file://{name}")


async def test_a_script_lies_in_the_folder_of_the_suite(write: Write, tmp_path: Path) -> None:
    (tmp_path.parent / "outside.py").write_text("def get_assert(): return 1")
    for name in ("file://../outside.py", f"file://{tmp_path.parent}/outside.py", "file://none.py"):
        with pytest.raises(FormatError):
            await run(write(), name)


async def test_what_was_trusted_runs_again_until_it_changes(write: Write) -> None:
    code = write(x__py="def get_assert(): return 1")
    assert await run(code, "file://x.py") == 1
    assert (await code.run_python("1 + 1", {}, "s")).value == 2
    code.close()
    again = write(trusted=False)
    assert await run(again, "file://x.py") == 1
    assert (await again.run_python("1 + 1", {}, "s")).value == 2
    with pytest.raises(NotFoundError):
        await again.run_python("1 + 2", {}, "s")
    again.close()
    changed = write(trusted=False, x__py="def get_assert(): return 2")
    with pytest.raises(NotFoundError, match="needs code"):
        await run(changed, "file://x.py")


async def test_several_lines_of_python_return(write: Write) -> None:
    body = "n = len(output)\nif n > 2:\n    return {'pass': True, 'score': n}\nreturn False"
    returned = await write().run_python(body, {"output": "abc", "context": {}}, "s")
    assert returned.value == {"pass": True, "score": 3}
