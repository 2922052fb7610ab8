"""Trust: whose code runs, what is remembered of it, and what is not believed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.suites.code import Trust, TrustMemory


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "suite.yaml"
    path.write_text("prompts: [x]")
    return path


@pytest.fixture
def memory(tmp_path: Path) -> TrustMemory:
    return TrustMemory(tmp_path / "kept" / "trusted.json", tmp_path / "data" / "trust.key")


def trusted_once(suite: Path, memory: TrustMemory, *contents: bytes) -> None:
    trust = Trust.of(suite, given=True, memory=memory)
    trust.require("gen.py (Python)", "suite.yaml", *contents)
    trust.keep()


def test_without_trust_the_error_says_what_would_run_and_how(suite: Path, memory: TrustMemory) -> None:
    with pytest.raises(NotFoundError) as caught:
        Trust.of(suite, given=False, memory=memory).require("gen.py (Python)", "suite.yaml, test 1", b"x")
    error = caught.value
    assert error.title == "suite.yaml needs code to run"
    assert "suite.yaml, test 1: gen.py (Python) is code" in error.detail
    assert "--trust" in error.next_step
    assert not memory.path.exists()
    assert not memory.key_path.exists()


def test_what_was_trusted_runs_again_and_what_changed_asks_again(suite: Path, memory: TrustMemory) -> None:
    trusted_once(suite, memory, b"one")
    again = Trust.of(suite, given=False, memory=memory)
    assert again.remembered
    again.require("gen.py (Python)", "suite.yaml", b"one")
    with pytest.raises(NotFoundError, match="needs code") as caught:
        again.require("gen.py (Python)", "suite.yaml", b"two")
    assert "has changed" in caught.value.detail


def test_a_changed_suite_and_a_copy_elsewhere_ask_again(suite: Path, memory: TrustMemory) -> None:
    trusted_once(suite, memory, b"one")
    copy = suite.parent / "elsewhere" / suite.name
    copy.parent.mkdir()
    copy.write_bytes(suite.read_bytes())
    assert not Trust.of(copy, given=False, memory=memory).remembered
    suite.write_text("prompts: [y]")
    assert not Trust.of(suite, given=False, memory=memory).remembered


def test_parts_of_code_cannot_be_moved_between_one_another(suite: Path, memory: TrustMemory) -> None:
    trusted_once(suite, memory, b"ab", b"c")
    with pytest.raises(NotFoundError):
        Trust.of(suite, given=False, memory=memory).require("x", "suite.yaml", b"a", b"bc")


def test_the_memory_and_its_key_are_private_and_grow(suite: Path, memory: TrustMemory) -> None:
    trusted_once(suite, memory, b"one")
    trusted_once(suite, memory, b"two")
    again = Trust.of(suite, given=False, memory=memory)
    again.require("x", "suite.yaml", b"one")
    again.require("x", "suite.yaml", b"two")
    assert [path.stat().st_mode & 0o777 for path in (memory.path, memory.key_path)] == [0o600, 0o600]
    assert b"one" not in memory.path.read_bytes()


def test_a_memory_that_others_can_write_is_not_believed(suite: Path, memory: TrustMemory) -> None:
    trusted_once(suite, memory, b"one")
    memory.path.chmod(0o666)
    assert not Trust.of(suite, given=False, memory=memory).remembered


def test_a_memory_that_came_with_a_suite_is_not_believed(suite: Path, memory: TrustMemory) -> None:
    theirs = TrustMemory(memory.path, memory.key_path.with_name("their.key"))
    trusted_once(suite, theirs, b"one")
    trusted_once(suite.with_name("other.yaml"), memory, b"mine")
    assert not Trust.of(suite, given=False, memory=memory).remembered


@pytest.mark.parametrize("content", ["", "[]", "{", '{"suites": []}', '{"suites": {"x": 1}}', "\x00"])
def test_a_damaged_memory_remembers_nothing(suite: Path, memory: TrustMemory, content: str) -> None:
    trusted_once(suite, memory, b"one")
    memory.path.write_text(content)
    assert not Trust.of(suite, given=False, memory=memory).remembered
    trusted_once(suite, memory, b"one")
    assert json.loads(memory.path.read_text())["version"] == 1


def test_where_nothing_can_be_remembered_trust_is_for_this_once(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = TrustMemory(tmp_path / "file" / "trusted.json", tmp_path / "file" / "trust.key")
    trusted_once(suite, memory, b"one")
    assert not Trust.of(suite, given=False, memory=memory).remembered
