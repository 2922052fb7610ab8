"""Parquet: the same tables as CSV, with types."""

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports import export_sessions


def read(store, tmp_path, rows):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / f"{rows}.parquet"
    export_sessions(store, store.sessions.ids(), to="parquet", output=path, rows=rows)
    return parquet.read_table(path)


def test_turns_keep_their_text(store, judged, hostile, tmp_path):
    table = read(store, tmp_path, "turns").to_pylist()
    said = {
        row["position"]: row["content"]
        for row in table
        if row["session_id"] == hostile and row["number"] is not None
    }
    assert said == {turn.position: turn.content for turn in store.turns.of(hostile) if turn.number}


def test_scores_have_types(store, judged, tmp_path):
    table = read(store, tmp_path, "scores")
    assert {name: str(table.schema.field(name).type) for name in ("score", "passed", "exchange")} == {
        "score": "double",
        "passed": "bool",
        "exchange": "int64",
    }
    assert table.column("score").to_pylist() == [0.25, None, None]


def test_a_metric_without_a_score_is_an_empty_cell(store, judged, tmp_path):
    [row] = read(store, tmp_path, "sessions").to_pylist()
    assert (row["politeness"], row["faith"], row["goal"]) == (0.25, None, None)


def test_without_the_package_the_extra_is_named(store, judged, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(SettingError, match="not installed") as caught:
        export_sessions(store, [judged], to="parquet", output=tmp_path / "x.parquet")
    assert "turnwise[parquet]" in caught.value.next_step
    assert [path.name for path in tmp_path.iterdir() if "parquet" in path.name] == []
