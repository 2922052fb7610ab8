"""Node: TypeScript runs where the node at hand runs it, and else what to install is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from node_here import needs_typescript
from scripts_of_suites import Write, run

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.suites.code.node import node_words


def put_node(folder: Path, monkeypatch: pytest.MonkeyPatch, *told: object) -> None:
    """Put a node on the path that tells these things of itself."""
    node = folder / "bin" / "node"
    node.parent.mkdir()
    node.write_text(f"#!/bin/sh\necho '{json.dumps(told)}'\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(node.parent))


class TestTypescript:
    @needs_typescript
    @pytest.mark.parametrize(
        ("name", "source"),
        [
            ("x.ts", "const sum = (a: number, b: number): number => a + b;\nexport default sum;"),
            (
                "x.ts",
                "type Sum = (a: number, b: number) => number;\nmodule.exports = ((a, b) => a + b) as Sum;",
            ),
            ("x.mts", "export default async function (a: number, b: number) { return a + b }"),
            ("x.cts", "module.exports = (a: number, b: number) => a + b;"),
            (
                "x.ts:f",
                "import type { Sum } from './none';\nexport const f = (a: number, b: number) => a + b;",
            ),
            ("x.ts", "enum Start { At = 0 }\nexport default (a: number, b: number) => Start.At + a + b;"),
        ],
    )
    async def test_what_a_file_exports_is_called(self, write: Write, name: str, source: str) -> None:
        code = write(**{name.partition(":")[0].replace(".", "__"): source})
        assert await run(code, f"file://{name}", 1, 2) == 3

    @needs_typescript
    @pytest.mark.parametrize("name", ["./lib/two", "./lib/two.ts", "./lib/two.js", "./lib"])
    async def test_what_lies_beside_it_is_found_with_or_without_an_ending(
        self, write: Write, name: str
    ) -> None:
        code = write(
            x__ts=f"import {{ two }} from '{name}';\nexport default (a: number) => a + two;",
            lib_of_two__ts="export const two: number = 2;",
            lib_of_index__ts="export { two } from './two';",
        )
        assert await run(code, "file://x.ts", 1) == 3

    @needs_typescript
    @pytest.mark.parametrize("named", ["{ A, type B as C }", "A, { B }", "* as A"])
    async def test_a_package_that_is_not_there_may_be_taken_in_for_its_types(
        self, write: Write, named: str
    ) -> None:
        code = write(x__ts=f"import {named} from 'none';\nexport default (a: number, b?: A): number => a;")
        assert await run(code, "file://x.ts", 1) == 1

    @needs_typescript
    async def test_but_not_for_more(self, write: Write) -> None:
        code = write(x__ts="import { one } from '@none/at-all';\nexport default () => one();")
        returned = await code.run_script("file://x.ts", (), [], "s")
        assert returned.error == "it needs the package @none/at-all, which is not installed"

    @needs_typescript
    async def test_what_it_cannot_find_is_told(self, write: Write) -> None:
        code = write(x__ts="import { a } from './none';\nexport default () => a;")
        returned = await code.run_script("file://x.ts", (), [], "s")
        assert "none" in returned.error

    @pytest.mark.parametrize("suffix", ["ts", "cts", "mts"])
    async def test_without_node_what_to_install_is_told(
        self, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
        with pytest.raises(NotFoundError, match=rf"x\.{suffix} is TypeScript") as caught:
            await run(write(**{f"x__{suffix}": "export default () => 1"}), f"file://x.{suffix}")
        assert "Install node 22.18 or newer" in caught.value.next_step

    def test_an_older_node_is_named_by_its_version(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put_node(tmp_path, monkeypatch, "v20.11.1", False, False)
        with pytest.raises(NotFoundError, match=r"takes node 22\.18") as caught:
            node_words(Path("x.ts"))
        assert "the node here is v20.11.1" in caught.value.detail

    @pytest.mark.parametrize(("transforms", "count"), [(True, 2), (False, 1)])
    def test_a_newer_one_is_asked_for_all_of_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, transforms: bool, count: int
    ) -> None:
        put_node(tmp_path, monkeypatch, "v26.0.0", True, transforms)
        assert len(node_words(Path("x.ts"))) == count
        assert len(node_words(Path("x.js"), "fs")) == 1

    def test_a_node_that_does_not_run_counts_for_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put_node(tmp_path, monkeypatch)
        with pytest.raises(NotFoundError, match="TypeScript"):
            node_words(Path("x.ts"))
