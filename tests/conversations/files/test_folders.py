"""Folders: nothing outside of the file's own folder or repository is read."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from suite_files import Load

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo import load_suite


@pytest.mark.parametrize(
    "fields",
    [
        {"tests": "file://../outside.yaml"},
        {"tests": ["file://../*.yaml"]},
        {"prompts": ["file://../outside.txt"]},
        {"defaultTest": "file://../outside.yaml"},
        {"providers": ["file://../outside.yaml"]},
        {"tests": [{"vars": "../outside.yaml"}]},
        {"tests": ["/etc/*.yaml"]},
    ],
)
def test_no_file_outside_is_read(load: Load, tmp_path: Path, fields: dict[str, Any]) -> None:
    for name in ("outside.yaml", "outside.txt"):
        (tmp_path.parent / name).write_text("secret: 1")
    with pytest.raises(FormatError, match="inside"):
        load(**fields)


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/hostname", "link.txt", "../*.txt"])
def test_no_variable_or_value_lies_outside(load: Load, tmp_path: Path, name: str) -> None:
    (tmp_path.parent / "outside.txt").write_text("secret")
    with suppress(FileExistsError):
        (tmp_path / "link.txt").symlink_to(tmp_path.parent / "outside.txt")
    test = {"vars": {"q": 1}, "assert": [{"type": "contains", "value": f"file://{name}"}]}
    suite = load(tests=[test, {"vars": {"q": "x"}}])
    assert suite.cases[0].problem
    with suppress(FormatError):
        assert "secret" not in load(tests=[{"vars": {"q": f"file://{name}"}}]).cases[0].prompt


def test_a_repository_is_the_border_of_what_lies_in_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "prompt.txt").write_text("Hi")
    (tmp_path / "evals").mkdir()
    path = tmp_path / "evals" / "c.yaml"
    path.write_text("prompts: [file://../prompt.txt]")
    assert load_suite(path).cases[0].prompt == "Hi"
