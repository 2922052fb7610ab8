"""Script modules: what lies beside a script and is taken in by it is trusted with it, and asks again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from node_here import needs_node

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.suites.code import SuiteCode, TrustMemory
from turnwise.engine.suites.code.script_modules import take_script
from turnwise.engine.suites.code.seen import Seen


def seen_of(folder: Path, script: str, **files: str) -> Seen:
    for name, text in files.items():
        path = folder / name.replace("__", ".").replace("_of_", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    seen = Seen()
    take_script(seen, folder / script)
    return seen


def names(seen: Seen, folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in seen.files)


def test_modules_of_javascript_and_theirs_are_seen(tmp_path: Path) -> None:
    seen = seen_of(
        tmp_path,
        "x.mjs",
        x__mjs="import fs from 'fs';\nimport { a } from './lib/a.js';\nconst b = await import('./b.json')",
        lib_of_a__js="const b = require('../b'); const path = require(\"path\");",
        b__js="module.exports = 1",
        b__json="{}",
        c__js="not taken in",
    )
    assert (names(seen, tmp_path), seen.hidden) == (["b.js", "b.json", "lib/a.js", "x.mjs"], "")


def test_modules_of_typescript_are_seen_and_types_are_none(tmp_path: Path) -> None:
    seen = seen_of(
        tmp_path,
        "x.ts",
        x__ts="import type { A } from 'promptfoo';\nimport type B from 'b';\nexport type * as C from 'c';\n"
        "import { one } from './one';\nimport two from './two.js';",
        one__ts="export const one = 1",
        two__ts="export default 2",
        three__ts="not taken in",
    )
    assert (names(seen, tmp_path), seen.hidden) == (["one.ts", "two.ts", "x.ts"], "")


@pytest.mark.parametrize(
    "source", ["import type from 'x'", "import type, { a } from 'x'", "import { type A } from 'x'"]
)
def test_what_only_looks_like_types_alone_is_a_module(tmp_path: Path, source: str) -> None:
    assert "the package x" in seen_of(tmp_path, "x.ts", x__ts=source).hidden


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("require(name)", "names it makes"),
        ("await import(`./${name}.js`)", "names it makes"),
        ("import { createRequire } from 'module'", "names it makes"),
        ("const _ = require('lodash')", "the package lodash"),
        ("import x from '@scope/x'", "the package @scope/x"),
    ],
)
def test_javascript_that_takes_in_more_than_can_be_seen_says_so(
    tmp_path: Path, source: str, why: str
) -> None:
    assert why in seen_of(tmp_path, "x.js", x__js=source).hidden


def test_modules_of_python_and_theirs_are_seen(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir(exist_ok=True)
    for name, text in {
        "__init__": "from . import base",
        "part": "",
        "other": "import far",
        "base": "",
    }.items():
        (tmp_path / "pack" / f"{name}.py").write_text(text)
    (tmp_path / "far.py").write_text("")
    source = "import json\ndef f():\n    from pack import part\n    import pack.other as o"
    seen = seen_of(tmp_path, "x.py", x__py=source)
    assert names(seen, tmp_path) == [
        "far.py",
        "pack/__init__.py",
        "pack/base.py",
        "pack/other.py",
        "pack/part.py",
        "x.py",
    ]
    # A file that stands in for an installed module later is a change too.
    (tmp_path / "json.py").write_text("")
    again = Seen()
    take_script(again, tmp_path / "x.py")
    assert "json.py" in names(again, tmp_path)


def test_python_that_imports_by_a_name_it_makes_says_so(tmp_path: Path) -> None:
    source = "import importlib\nimportlib.import_module(name)"
    assert "names it makes" in seen_of(tmp_path, "x.py", x__py=source).hidden


@needs_node
async def test_a_changed_module_of_a_check_asks_again(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text("{}")
    (tmp_path / "x.cjs").write_text("module.exports = () => require('./lib.cjs')")
    (tmp_path / "lib.cjs").write_text("module.exports = 'one'")

    async def run(*, trusted: bool) -> object:
        memory = TrustMemory(tmp_path / "kept" / "trusted.json", tmp_path / "kept" / "trust.key")
        suite = tmp_path / "suite.yaml"
        with closing(SuiteCode(suite, root=tmp_path, trusted=trusted, memory=memory)) as code:
            return (await code.run_script("file://x.cjs", (), [], "suite.yaml, here")).value

    assert await run(trusted=True) == "one"
    assert await run(trusted=False) == "one"
    (tmp_path / "lib.cjs").write_text("module.exports = 'two'")
    with pytest.raises(NotFoundError, match="needs code to run"):
        await run(trusted=False)
