"""Folders: nothing outside of the file's own folder or repository is read."""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from suite_files import Load

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import Folder, read_text
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


@pytest.mark.parametrize("pattern", ["<![CDATA[" + "x[" * 50_000, "*" * 5_000, "{a,b}" * 5_000])
def test_a_pattern_that_is_longer_than_any_path_is_told(load: Load, pattern: str) -> None:
    with pytest.raises(FormatError, match="a pattern of at most 1,000 characters"):
        load(tests=f"{pattern}.yaml")


def test_any_folders_many_times_are_any_folders(load: Load, tmp_path: Path) -> None:
    deep = tmp_path
    for number in range(12):
        deep = deep / str(number)
    deep.mkdir(parents=True)
    (deep / "t.yaml").write_text("vars: {q: x}")
    assert len(Folder(tmp_path, tmp_path).matching("**/" * 30 + "*.yaml", "here")) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices")
def test_a_device_is_no_text() -> None:
    with pytest.raises(FormatError, match="zero is a device"):
        read_text(Path("/dev/zero"), "here")


def test_a_pipe_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("turnwise.conversations.files.folders.LARGEST_FILE", 1_000_000)

    def fill() -> None:
        with suppress(BrokenPipeError), pipe.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65_536)

    writer = threading.Thread(target=fill)
    writer.start()
    with pytest.raises(FormatError, match="a file under 1,000,000 bytes"):
        read_text(pipe, "here")
    writer.join(20)
    assert not writer.is_alive()


class TestHomeFolder:
    """A repository of settings in the home folder opens none of it to the suites below."""

    def suite(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        folder = home / "work" / "suite"
        folder.mkdir(parents=True)
        (home / ".git").mkdir()
        (home / "secret.txt").write_text("secret")
        (folder / "inside.txt").write_text("Say {{q}}")
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("USERPROFILE", str(home))
        return folder / "suite.json"

    def test_its_files_are_refused_with_words(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.suite(tmp_path, monkeypatch)
        path.write_text(json.dumps({"prompts": ["file://../../secret.txt"], "tests": [{"vars": {"q": 1}}]}))
        with pytest.raises(FormatError, match="inside suite") as caught:
            load_suite(path)
        assert "holds all of your home folder" in caught.value.next_step

    def test_a_suite_beside_its_own_files_runs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.suite(tmp_path, monkeypatch)
        path.write_text(json.dumps({"prompts": ["file://inside.txt"], "tests": [{"vars": {"q": 1}}]}))
        assert load_suite(path).cases[0].prompt == "Say 1"

    def test_a_repository_below_it_is_a_border_as_ever(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = self.suite(tmp_path, monkeypatch)
        (tmp_path / "work" / ".git").mkdir()
        (tmp_path / "work" / "shared.txt").write_text("Say {{q}}")
        path.write_text(json.dumps({"prompts": ["file://../shared.txt"], "tests": [{"vars": {"q": 1}}]}))
        assert load_suite(path).cases[0].prompt == "Say 1"

    def test_who_names_the_folder_opens_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.suite(tmp_path, monkeypatch)
        (tmp_path / "work" / "shared.txt").write_text("Say {{q}}")
        path.write_text(json.dumps({"prompts": ["file://../shared.txt"], "tests": [{"vars": {"q": 1}}]}))
        with pytest.raises(FormatError) as caught:
            load_suite(path)
        assert "--root" in caught.value.next_step
        assert load_suite(path, root=tmp_path / "work").cases[0].prompt == "Say 1"
