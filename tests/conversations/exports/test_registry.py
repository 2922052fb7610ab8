"""The one way out: by a format's name, one session at a time."""

import io
import tracemalloc

import pytest
from stored import keep

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports import EXPORTS, export_sessions
from turnwise.conversations.exports.export import Export

TEXTS = [export.name for export in EXPORTS.values() if export.is_text]


def test_every_format_that_users_know_is_there_by_its_name():
    known = ["jsonl", "html", "markdown", "csv", "deepeval", "openai", "promptfoo", "parquet"]
    assert [name for name in EXPORTS if name in known] == known
    assert all(export.name == name for name, export in EXPORTS.items())


@pytest.mark.parametrize("name", TEXTS)
def test_sessions_go_out_in_the_order_asked_for(name, store, exported):
    first, second = keep(store, "AAA", "1"), keep(store, "BBB", "2")
    text = exported(name, second, first)
    assert 0 <= text.index("BBB") < text.index("AAA")


@pytest.mark.parametrize("name", TEXTS)
def test_a_session_that_is_gone_is_left_out(name, store):
    session = keep(store)
    assert export_sessions(store, [99, session], to=name, output=io.BytesIO()) == 1


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_sessions_go_out_in_every_format(name, store, hostile, exported):
    assert exported(name)


def test_what_a_csv_leaves_out_is_said_where_it_is_chosen(store, exported):
    session = keep(store)
    store.labels.add(session, "fail", author="Ana", blind=True, note="Zeppelin")
    assert "labels are in jsonl" in EXPORTS["csv"].told
    assert "Zeppelin" not in exported("csv", session)
    assert "Zeppelin" in exported("jsonl", session)


def test_a_wrong_name_is_told_with_the_nearest(store, tmp_path):
    with pytest.raises(SettingError, match="no format htlm") as caught:
        export_sessions(store, [], to="htlm", output=tmp_path / "x")
    assert caught.value.next_step == "Did you mean html?"
    assert "promptfoo" in caught.value.detail


def test_a_package_is_asked_for_only_where_it_is_not_there():
    there, away = (Export("x", ".x", "a table", "x:y", needs=(name, "extra")) for name in ("json", "no_such"))
    assert (there.told, away.told) == ("a table", "a table; needs turnwise[extra]")


def test_rows_belong_to_tables(store, tmp_path):
    with pytest.raises(SettingError, match="has no rows"):
        export_sessions(store, [], to="html", output=tmp_path / "x", rows="turns")
    with pytest.raises(SettingError, match="no rows of words"):
        export_sessions(store, [], to="csv", output=tmp_path / "x", rows="words")


def test_progress_is_told_and_may_end_the_export(store, tmp_path):
    ids = [keep(store, f"number {number}") for number in range(3)]
    told: list[int] = []
    path = tmp_path / "out.jsonl"
    assert export_sessions(store, ids, to="jsonl", output=path, on_progress=told.append) == 3
    assert told == [1, 2, 3]

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_sessions(store, ids, to="jsonl", output=path, force=True, on_progress=stop)
    assert len(path.read_text().splitlines()) == 3


@pytest.mark.parametrize("name", TEXTS)
def test_memory_does_not_grow_with_the_number_of_sessions(name, store):
    with store.writing():
        ids = [keep(store, f"{number} " + "word " * 400) for number in range(300)]

    class Nowhere(io.RawIOBase):
        def write(self, data):
            return len(data)

    def peak(sessions):
        tracemalloc.start()
        export_sessions(store, sessions, to=name, output=Nowhere())
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(ids[:10])
    assert peak(ids) < peak(ids[:20]) + 400_000
