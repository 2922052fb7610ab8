"""The one way in: what `load` takes, tells and refuses."""

import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import FormatError, NotFoundError, SettingError
from turnwise.conversations.formats import (
    FORMATS,
    Format,
    Loaded,
    Options,
    Place,
    Rejected,
    load,
    registry,
    sources,
)
from turnwise.conversations.formats.sources import Source

CHAT = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}
TURNS = {"turns": CHAT["messages"], "name": "talk"}
EXCHANGE = {"input": "hi", "actual_output": "ho"}


def loaded(content: str | bytes, **options: Any) -> list[Loaded]:
    records = list(load(io.BytesIO(content.encode() if isinstance(content, str) else content), **options))
    assert all(isinstance(record, Loaded) for record in records), records
    return [record for record in records if isinstance(record, Loaded)]


def lines(*values: Any) -> str:
    return "\n".join(json.dumps(value) for value in values)


@pytest.mark.parametrize(
    ("content", "name", "count"),
    [
        (json.dumps(CHAT), "openai-chat", 1),
        (json.dumps(CHAT["messages"]), "openai-chat", 1),
        (json.dumps([CHAT, CHAT]), "openai-chat", 2),
        (json.dumps([CHAT, CHAT], indent=1), "openai-chat", 2),
        (lines(CHAT, CHAT, CHAT), "openai-chat", 3),
        (lines(CHAT["messages"], CHAT["messages"]), "openai-chat", 2),
        (json.dumps({"task_id": 3, "traj": CHAT["messages"]}), "openai-chat", 1),
        (json.dumps({"input": "x", "messages": CHAT["messages"]}), "openai-chat", 1),
        (json.dumps(TURNS), "deepeval", 1),
        (json.dumps([TURNS, EXCHANGE]), "deepeval", 2),
        (lines(EXCHANGE, TURNS), "deepeval", 2),
        (json.dumps({"goldens": [EXCHANGE]}), "deepeval", 1),
        ("input,actual_output\na,b\nc,d\n", "deepeval", 2),
        ("input,output\na,b\nc,d\n", "table", 2),
        (json.dumps({"testCases": [{**EXCHANGE, "metricsData": []}]}), "deepeval-results", 1),
        (lines({"system": "s", **CHAT}, CHAT), "anthropic", 2),
        (lines({"conversations": [{"from": "human", "value": "a"}]}), "sharegpt", 1),
        ("User: a\nAssistant: b\n---\nUser: c\nAssistant: d\n", "transcript", 2),
        ("[12:03] User: a\n[12:04] Assistant: b\n", "transcript", 1),
        ("conversation_id,role,content\n1,user,a\n2,user,b\n", "table", 2),
    ],
)
def test_the_format_is_told_by_the_content(content: str, name: str, count: int) -> None:
    for mark in ("", "\ufeff"):
        records = loaded(mark + content)
        assert [record.format for record in records] == [name] * count


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".txt", ""])
def test_the_name_of_the_file_does_not_decide(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    for content in (json.dumps([CHAT, CHAT], indent=2), lines(CHAT, CHAT), lines(CHAT, CHAT) + "\r\n\r\n"):
        path.write_text(content)
        assert len(list(load(path))) == 2


def test_places_name_file_and_case_or_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([TURNS, TURNS]))
    assert [str(record.place) for record in load(path)] == [f"{path}, case 1", f"{path}, case 2"]
    path.write_text(json.dumps({"testCases": [EXCHANGE], "conversationalTestCases": [TURNS]}))
    assert [str(record.place) for record in load(path)] == [
        f"{path}, testCases, case 1",
        f"{path}, conversationalTestCases, case 2",
    ]
    path.write_text("\n" + lines(TURNS, TURNS))
    assert [str(record.place) for record in load(path)] == [f"{path}, line 2", f"{path}, line 3"]


def test_a_bad_line_is_rejected_and_the_others_load() -> None:
    bad = [b"{", b"[1, 2", b'{"turns": [], "name": "\xff"}', b"7", b"[" * 50_000, b'{"turns": "\x00"}']
    good = json.dumps(TURNS).encode()
    records = list(load(io.BytesIO(b"\r\n".join([good, *bad, b"", good]))))
    assert [type(record) for record in records] == [Loaded, *[Rejected] * len(bad), Loaded]
    for number, record in enumerate(records[1:-1], start=2):
        assert isinstance(record, Rejected)
        assert f"line {number}, " in record.error.detail
        assert record.error.next_step


def test_a_bad_first_line_does_not_hide_that_these_are_lines(tmp_path: Path) -> None:
    for first in ('{"messages": [', "garbage"):
        records = list(load(io.BytesIO(f"{first}\n{lines(CHAT, CHAT)}".encode())))
        assert [type(record) for record in records] == [Rejected, Loaded, Loaded]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        (" \n\t\n", "is empty"),
        ("[]", "holds no records|no format"),
        ("just some words\nand more\n", "neither JSON nor a table"),
        (b"\x00\x01\x02\x03\x00binary", "not text"),
        (b"PK\x03\x04\x00\x00\x00binary", "ends in the middle"),
        ('[{"input": "a"},\n {"input": }]', "line 2, column 12"),
        ('[{"input": "a"}, {"inp', "ends in the middle"),
        ('{"a": 1, "b": null, "c": [], "d": {}}', "a .a number., b .null., c .a list., d .an object."),
        ("[" * 100_000, "nested more than"),
        ('"text"', "neither JSON"),
        ("\ufeff[1, 2]".encode("utf-16"), "no format that turnwise can tell"),
        ("input,actual_output\n", "holds no records"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_what_is_wrong(content: str | bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        list(load(io.BytesIO(content.encode() if isinstance(content, str) else content)))
    assert "standard input" in str(caught.value)
    assert caught.value.next_step


def test_an_unknown_file_is_told_which_formats_there_are() -> None:
    with pytest.raises(FormatError) as caught:
        load(io.BytesIO(b'{"messages_display": "user: hi"}'))
    assert "messages_display (a text)" in caught.value.detail
    assert all(known.name in caught.value.detail for known in FORMATS)


def test_an_empty_list_in_a_named_format_holds_no_records() -> None:
    with pytest.raises(FormatError, match="holds no records"):
        list(load(io.BytesIO(b"[]"), format="deepeval"))


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"nowhere\.json"):
        load(tmp_path / "nowhere.json")
    with pytest.raises(FormatError, match="directory"):
        load(tmp_path)


def zipped(**files: str) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return written.getvalue()


def test_a_zip_is_one_file_of_the_format_that_claims_it_by_the_names_in_it(monkeypatch) -> None:
    def read(source: Source, options: Options) -> Iterator[Loaded]:
        assert source.archive is not None
        for number, name in enumerate(source.archive.names, start=1):
            if name.startswith("samples/"):
                with source.archive.open(name) as file:
                    turns = [{"role": "user", "content": file.read().decode()}]
                yield Loaded(ConversationalTestCase(turns=turns), Place(source.name, None, number))

    bundle = Format("bundle", "a zip", lambda source: 0.0, read, claims=lambda names: "head.json" in names)
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, bundle))
    records = loaded(zipped(**{"head.json": "{}", "samples__1.txt": "one", "samples__2.txt": "two"}))
    assert [record.format for record in records] == ["bundle"] * 2
    assert [record.case.turns[0].content for record in records] == ["one", "two"]


def test_options_that_mean_nothing_are_refused() -> None:
    with pytest.raises(SettingError, match="deepeval"):
        load(io.BytesIO(b"[]"), format="deepevla")
    with pytest.raises(SettingError, match="no name for its messages"):
        load(io.BytesIO(b"[]"), format="deepeval", messages_key="traj")
    with pytest.raises(SettingError, match="names of its own"):
        load(io.BytesIO(b"[]"), format="deepeval", mapping={"user": ("Anna",)})


def test_a_file_of_which_names_were_told_is_a_transcript_or_a_table() -> None:
    told = {"user": ("Anna",), "assistant": ("Bot",)}
    [record] = load(io.BytesIO(b"Anna: hi\nBot: ho\n"), mapping=told)
    assert isinstance(record, Loaded)
    assert record.format == "transcript"
    [record] = load(io.BytesIO(b"Anna,Bot\nhi,ho\n"), mapping=told)
    assert isinstance(record, Loaded)
    assert record.format == "table"
    with pytest.raises(FormatError, match="user=Anna leads to nothing"):
        list(load(io.BytesIO(json.dumps(CHAT).encode()), mapping=told))


def test_large_documents_are_streamed_to_the_same_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents: list[Any] = [
        [CHAT, CHAT],
        CHAT["messages"],
        {"traj": CHAT["messages"], "reward": 0.5},
        {"data": [CHAT, CHAT], "version": 1},
        [TURNS, EXCHANGE, {"input": None}],
        {"goldens": [EXCHANGE] * 3, "other": []},
    ]
    for document in documents:
        path = tmp_path / "a.json"
        path.write_text(json.dumps(document, indent=1))
        small = list(load(path))
        with monkeypatch.context() as patch:
            patch.setattr(sources, "SMALL_FILE", 0)
            assert [str(record) for record in load(path)] == [str(record) for record in small]


def test_a_large_document_that_breaks_off_says_after_which_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "SMALL_FILE", 0)
    path = tmp_path / "a.json"
    path.write_text(json.dumps([TURNS] * 9_000)[:-10])
    records = load(path)
    assert isinstance(next(records), Loaded)
    with pytest.raises(FormatError, match=r"after case 8999, .* ends in the middle"):
        list(records)


def test_a_line_without_end_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONGEST_LINE", 1_000)
    content = lines(TURNS, {"turns": ["x" * 5_000]}, TURNS).encode()
    assert [type(record) for record in load(io.BytesIO(content))] == [Loaded, Rejected, Loaded]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices")
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_is_refused_before_it_is_read(name: str) -> None:
    with pytest.raises(FormatError, match=f"{name} is a device, not a file"):
        load(name)


def test_a_stream_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            return len(buffer)

    monkeypatch.setattr("turnwise.conversations.containers.contents.LARGEST_STREAM", 10_000_000)
    with pytest.raises(FormatError, match="standard input") as caught:
        load(io.BufferedReader(Endless()))
    assert "more than 10,000,000 bytes" in caught.value.detail


def test_a_dash_is_standard_input() -> None:
    program = (
        "from turnwise.conversations.formats import load; print(sum('turns' in str(r) for r in load('-')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=lines(TURNS, TURNS).encode(), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"2"


def test_a_pipe_is_read_once_and_told_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(lines(CHAT, CHAT),))
    writer.start()
    assert len(list(load(path))) == 2
    writer.join()


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.binary().map(lambda tail: b"input,name\n" + tail)
    | st.binary().map(lambda tail: b'{"turns": [' + tail)
)
def test_whatever_the_bytes_only_a_format_error_is_raised(content: bytes) -> None:
    for name in (None, *(known.name for known in FORMATS)):
        with suppress(FormatError):
            assert list(load(io.BytesIO(content), format=name))


_words = st.sampled_from(
    [
        *("turns", "messages", "input", "scenario", "role", "content", "tool_calls", "metadata"),
        *("conversations", "from", "value", "system", "type", "text", "name", "preferred_output"),
    ]
)
_odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["user"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(_words, _odd, max_size=5), min_size=1, max_size=3))
def test_whatever_the_values_every_record_loads_or_is_rejected(values: list[dict[str, Any]]) -> None:
    for name in ("deepeval", "openai-chat", "sharegpt", "anthropic", "openai-preferences"):
        records = list(load(io.BytesIO(lines(*values).encode()), format=name))
        assert len(records) == len(values)
        for record in records:
            if isinstance(record, Loaded):
                json.dumps(record.case.data(), ensure_ascii=False).encode()
            else:
                assert record.error.detail


def test_json_lines_of_which_none_can_be_read_are_told_as_broken(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text('{"messages": [{"role": "us\n{"messages": [{"role": "us\n')
    with pytest.raises(FormatError) as caught:
        list(load(path))
    assert "none of its first lines can be read as that" in caught.value.detail
    assert "had finished" in caught.value.next_step
