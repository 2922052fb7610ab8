"""Gathering: all conversations of many files, each file whole, with one report."""

import gzip
import io
import json
import zipfile
from functools import partial

import pytest

from turnwise.conversations.gathering import Gathering
from turnwise.conversations.importing import import_file


def chat(text):
    return {"messages": [{"role": "user", "content": text}, {"role": "assistant", "content": "yes"}]}


def zipped(files):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return written.getvalue()


@pytest.fixture
def export(tmp_path):
    """An export as chat programs give it: conversations among what else they know of a person."""
    path = tmp_path / "in" / "export.zip"
    path.parent.mkdir()
    files = {
        "conversations.json": json.dumps([chat("one"), chat("two"), {"messages": 7}]),
        "user.json": '{"id": "u", "email": "ada@example.org"}',
        "pictures/cat.png": b"\x89PNG\r\n\x1a\n\0\0",
        "pictures/dog.webp": b"RIFF\x24\0\0\0WEBPVP8 ",
        "chat.html": "<html>all of it once more</html>",
        "more.jsonl": json.dumps(chat("three")),
        "empty.json": "",
        "broken.json": '[{"messages": ',
    }
    path.write_bytes(zipped(files))
    return path


def run(store, *sources, on_progress=lambda: None):
    gathering = Gathering(sources)
    return gathering.run(
        lambda content, tell: import_file(store, content, at=0.0, on_progress=tell), on_progress
    )


def test_the_conversations_of_a_zip_come_in_and_the_rest_is_passed_over_with_the_reason(store, export):
    report = run(store, export)
    assert [row.name for row in store.sessions.page()] == ["one", "two", "three"]
    assert {row.source for row in store.sessions.page()} == {
        "export.zip/conversations.json",
        "export.zip/more.jsonl",
    }
    count = report.formats["openai-chat"]
    assert (count.files, count.sessions, count.rejected) == (2, 3, 1)
    assert {what: passed.count for what, passed in report.passed_over.items()} == {
        "JSON in no known format": 1,
        "a picture": 2,
        "a web page": 1,
        "an empty file": 1,
    }
    assert report.passed_over["a picture"].names == [
        f"{export}/pictures/cat.png",
        f"{export}/pictures/dog.webp",
    ]
    [error] = report.unread
    assert "broken.json" in error.title
    assert "case 3" in report.total.rejected[0].detail


def test_importing_a_container_again_adds_nothing(store, export):
    first = run(store, export)
    again = run(store, export)
    assert (again.total.imported, again.total.unchanged) == (0, 3)
    assert again.total.sessions == first.total.sessions


def test_a_file_that_is_named_is_not_passed_over(store, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "notes.txt").write_text("no conversation at all")
    report = run(store, folder / "notes.txt")
    assert (report.passed_over, report.failed_files) == ({}, 1)
    assert "no format that turnwise can tell" in str(report.unread[0])
    assert run(store, folder).passed_over["text that is no transcript"].count == 1


def test_whoever_stops_keeps_the_files_that_were_finished(store, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.jsonl").write_text(json.dumps(chat(f"talk {number}")))
    many = "".join(json.dumps(chat(f"other {number}")) + "\n" for number in range(120))
    (folder / "4.jsonl").write_text(many)
    gathering = Gathering([folder])

    def stop():
        if gathering.sessions > 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gathering.run(lambda content, tell: import_file(store, content, on_progress=tell), stop)
    assert {row.name for row in store.sessions.page()} == {f"talk {number}" for number in range(4)}
    assert gathering.report.files == 4
    run(store, folder)
    assert store.sessions.count() == 125


def test_progress_goes_up_to_all_files_and_bytes(store, export):
    folder = export.parent
    (folder / "more.jsonl.gz").write_bytes(
        gzip.compress("".join(json.dumps(chat(f"talk {number}")) + "\n" for number in range(200)).encode())
    )
    gathering = Gathering([folder])
    seen = []
    gathering.run(
        partial(lambda content, tell: import_file(store, content, on_progress=tell)),
        lambda: seen.append((gathering.walk.files_done, gathering.walk.done)),
    )
    walk = gathering.walk
    assert seen == sorted(seen)
    assert (walk.files_done, walk.done) == (walk.files, walk.size) == (9, walk.size)


def test_documents_of_programs_are_told_and_not_taken_apart(store, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    letter = {"[Content_Types].xml": b"", "word/document.xml": b"", "word/s.xml": b""}
    (folder / "a.docx").write_bytes(zipped(letter))
    assert list(run(store, folder).passed_over) == ["a Word document"]
    [error] = run(store, folder / "a.docx").unread
    assert "User:" in error.next_step


def test_accounts_count_files_that_cannot_be_opened_or_read(store, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "good.json").write_text(json.dumps(chat("one")))
    (folder / "broken.json").write_text('[{"messages": ')
    (folder / "cut.json.gz").write_bytes(gzip.compress(json.dumps(chat("two")).encode())[:30])
    gathering = Gathering([folder, tmp_path / "gone.json"], accounting=True)
    report = gathering.run(
        lambda content, tell: import_file(store, content, account=gathering.account_of(content))
    )
    assert report.failed_files == 3
    left_out = {
        name.rpartition("/")[2]: account.largest("left out")[0].characters
        for name, account in gathering.accounts.items()
        if account.largest("left out")
    }
    assert left_out == {"broken.json": 14, "cut.json.gz": 30, "gone.json": 1}
    assert report.total.account is not None
    assert report.total.account.characters == sum(left_out.values()) + len("one") + len("yes")


def test_without_being_asked_nothing_is_accounted_for(store, tmp_path):
    (tmp_path / "broken.json").write_text('[{"messages": ')
    gathering = Gathering([tmp_path])
    report = gathering.run(
        lambda content, tell: import_file(store, content, account=gathering.account_of(content))
    )
    assert (gathering.accounts, report.total.account, report.failed_files) == ({}, None, 1)
