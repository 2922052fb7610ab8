"""Failure modes go out wherever labels do: which one, at which turn, and who says so."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.conversations.exports import EXPORTS, export_sessions
from turnwise.conversations.importing import import_file
from turnwise.conversations.store import Store

Exported = Callable[..., str]
TOLD = "Loses a bag, turn 2, by Ben"
METADATA = [{"name": "Loses a bag", "annotator": "Ben", "turn": 2}, {"name": "Rude", "annotator": "Ben"}]


@pytest.fixture
def with_modes(store: Store, judged: int) -> int:
    """The judged conversation with a failure mode at a turn, and one of the whole."""
    for name, turn in (("Loses a bag", 2), ("Rude", None)):
        store.modes.assign([judged], store.modes.add(name, f"{name} it is.", "Ben"), "Ben", turn=turn)
    return judged


def test_pages_and_transcripts_name_them_with_what_they_mean(exported: Exported, with_modes: int) -> None:
    lines = exported("markdown", with_modes).splitlines()
    at = lines.index("## Failure modes")
    assert lines[at + 2 : at + 4] == [f"- ✗ {TOLD}: Loses a bag it is.", "- ✗ Rude, by Ben: Rude it is."]
    page = exported("html", with_modes)
    for words in ("<h3>Failure modes</h3>", TOLD, "Loses a bag it is.", "Rude, by Ben"):
        assert words in page


def test_a_session_without_any_has_no_such_heading(exported: Exported, judged: int) -> None:
    assert "Failure modes" not in exported("markdown", judged)
    assert "Failure modes" not in exported("html", judged)


def test_what_was_taken_away_again_is_not_told(store: Store, exported: Exported, with_modes: int) -> None:
    store.modes.unassign([with_modes], store.modes.find("Rude").id, "Ben")
    assert "Rude" not in exported("markdown", with_modes)


def test_a_table_of_sessions_has_them_one_a_line(exported: Exported, with_modes: int) -> None:
    [row] = csv.DictReader(io.StringIO(exported("csv", with_modes, rows="sessions"), newline=""))
    assert row["failure_modes"] == f"{TOLD}\nRude, by Ben"


@pytest.mark.parametrize("name", ["otlp", "inspect", "langfuse", "langsmith"])
def test_other_tools_find_them_in_the_metadata(
    name: str, store: Store, tmp_path: Path, with_modes: int
) -> None:
    path = tmp_path / f"out{EXPORTS[name].ending}"
    export_sessions(store, [with_modes], to=name, output=path)
    with Store.open(tmp_path / "other.db") as other:
        report = import_file(other, path)
        assert report.failed == 0
        [back] = report.sessions
        metadata = other.sessions.case(back).metadata or {}
    # A trace keeps what is said of it with its first step.
    [held] = [one for one in (metadata, *metadata.get("steps", ())) if any(map(_is_modes, one))]
    found = next(value for key, value in held.items() if _is_modes(key))
    assert (json.loads(found) if isinstance(found, str) else found) == METADATA


def _is_modes(key: str) -> bool:
    return key.endswith("failure_modes")
