"""Every real file of AgentV's examples loads, or says what it is instead, and where, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import SHARED

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.formats.agentv import load_agentv, looks_like_agentv
from turnwise.conversations.suites import Suite

FIXTURES = SHARED / "fixtures" / "agentv"
SUFFIXES = (".yaml", ".yml", ".json", ".jsonl")

pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the fixtures are not here"),
]


def files() -> list[tuple[Path, Path]]:
    """Return each file with the folder of its version."""
    versions = [folder for folder in FIXTURES.iterdir() if folder.is_dir()] if FIXTURES.is_dir() else []
    return [
        (path, version)
        for version in sorted(versions)
        for path in sorted(version.rglob("*"))
        if path.suffix in SUFFIXES and path.is_file()
    ]


def loaded_or_told(path: Path, root: Path) -> Suite | TurnwiseError:
    try:
        return load_agentv(path, root=root)
    except TurnwiseError as error:
        return error


def test_each_loads_whole_or_says_what_it_is() -> None:
    loaded = 0
    for path, root in files():
        found = loaded_or_told(path, root)
        if isinstance(found, Suite):
            loaded += 1
            assert found.cases
            assert found.settings["rejected"] == ()
            assert looks_like_agentv(path)
        else:
            # Only what AgentV does not run itself, but for the form of Agent Skills and lists of cases.
            told = f"{found.detail} {found.next_step}"
            assert not looks_like_agentv(path) or "Agent Skills" in told or "a list of cases" in told, found
            assert path.name in found.detail
            assert found.next_step
    assert loaded >= 55
