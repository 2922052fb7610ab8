"""Following files: what a program writes comes in as it is written, each conversation once."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.findings import Label
from turnwise.conversations.importing import ImportReport
from turnwise.conversations.live import Follower, FollowOptions, Taken
from turnwise.conversations.store import Store

LONG = 10.0
"""Seconds after which a file is at rest."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "kept" / "t.db") as store:
        yield store


class Followed:
    """A follower with a clock that tests set forward."""

    def __init__(self, store: Store, *paths: Path, **options: object) -> None:
        self.now = 100.0
        self.store = store
        self.stopped = False
        self.follower = Follower(
            store,
            paths,
            FollowOptions(**options),  # type: ignore[arg-type]
            stopping=lambda: self.stopped,
            clock=lambda: self.now,
            wall_clock=lambda: 0.0,
        )
        self.taken: list[Taken] = []

    def look(self, after: float = 0.5) -> ImportReport:
        """Go round once and return what came in."""
        self.now += after
        self.taken = list(self.follower.look())
        total = ImportReport()
        for taken in self.taken:
            total.join(taken.report)
        return total

    def said(self) -> list[list[str]]:
        """Return what was said in all sessions, in the order in which they came."""
        ids = sorted(self.store.sessions.ids())
        return [[turn.content for turn in self.store.turns.of(session_id)] for session_id in ids]


def chat(*texts: str, **fields: object) -> str:
    roles = ["user", "assistant"] * len(texts)
    messages = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]
    return json.dumps({"messages": messages, **fields})


def test_lines_come_in_as_they_are_written(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(chat("hi", "hello") + "\n" + chat("ho", "hey") + "\n")
    followed = Followed(store, log)
    assert followed.look().imported == 2
    assert followed.look().imported == 0
    with log.open("a") as file:
        file.write(chat("more", "yes") + "\n")
    report = followed.look()
    assert (report.imported, report.unchanged) == (1, 0)  # What was read is not read again.
    assert followed.said() == [["hi", "hello"], ["ho", "hey"], ["more", "yes"]]


def test_half_a_line_waits(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    line = chat("a question", "an answer")
    log.write_text(chat("hi", "hello") + "\n" + line[:30])
    followed = Followed(store, log)
    assert followed.look().imported == 1
    assert followed.look(LONG).failed == 0
    assert followed.follower.unfinished == [log]
    with log.open("a") as file:
        file.write(line[30:])
    assert followed.look().imported == 1  # Its end came without an end of line: it is whole all the same.
    with log.open("a") as file:
        file.write("\n" + chat("next", "one") + "\n")
    assert followed.look().imported == 1
    assert followed.said() == [["hi", "hello"], ["a question", "an answer"], ["next", "one"]]
    assert followed.follower.unfinished == []


def test_a_line_that_cannot_be_read_is_named_by_its_number_in_the_file(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(chat("hi", "hello") + "\n" + chat("ho", "hey") + "\n")
    followed = Followed(store, log)
    assert followed.look().imported == 2
    for number in (3, 4):
        with log.open("a") as file:
            file.write('{"messages": [\n')
        assert followed.look(LONG).failed == 1
        [error] = followed.taken[0].rejected
        assert f"log.jsonl, line {number}, expected JSON" in error.detail
    log.write_text(chat("another", "file") + "\n")
    followed.look(LONG)
    with log.open("a") as file:
        file.write('{"messages": [\n')
    followed.look(LONG)
    assert "log.jsonl, line 2, expected JSON" in followed.taken[0].rejected[0].detail


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(1, 400), max_size=6), data=st.data())
def test_wherever_writing_pauses_each_conversation_comes_once(
    cuts: list[int], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    text = "".join(chat(f"frage {n} ü", f"antwort {n} 🙂") + "\n" for n in range(4)).encode()
    log = folder / "log.jsonl"
    with Store.open(folder / "kept" / "t.db") as store:
        followed = Followed(store, log)
        for end in [*sorted(cut for cut in cuts if cut < len(text)), len(text)]:
            log.write_bytes(text[:end])
            assert followed.look(data.draw(st.sampled_from([0.5, LONG]))).grown == 0
        followed.look(LONG)
        followed.look(LONG)
        assert followed.said() == [[f"frage {n} ü", f"antwort {n} 🙂"] for n in range(4)]


def test_a_file_that_is_written_anew_as_its_conversation_grows(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(chat("hi", "hello"))
    followed = Followed(store, tmp_path)
    followed.look()
    (session_id,) = store.sessions.ids()
    store.labels.add_new(session_id, [Label(word="pass", author="ann", turn=2)], at=1.0, came_from="x")
    file.write_text(chat("hi", "hello", "and now?", "this"))
    report = followed.look()
    assert (report.imported, report.grown) == (0, 1)
    assert followed.said() == [["hi", "hello", "and now?", "this"]]
    assert store.sessions.ids() == [session_id]
    assert [(label.author, label.turn) for label in store.labels.of(session_id)] == [("ann", 2)]
    assert store.sessions.ids("this") == [session_id]  # What was added is found by its words.


def test_words_that_were_on_their_way_are_brought_up_to_date(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    followed = Followed(store, tmp_path)
    for reply in ("It is", "It is in Oslo", "It is in Oslo, at gate 4."):
        file.write_text(chat("Where is my bag?", reply))
        followed.look()
    assert followed.said() == [["Where is my bag?", "It is in Oslo, at gate 4."]]


def test_growth_is_seen_although_nobody_followed_meanwhile(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(chat("hi", "hello"))
    Followed(store, tmp_path).look()
    file.write_text(chat("hi", "hello", "again", "yes"))
    assert Followed(store, tmp_path).look().grown == 1
    assert len(store.sessions.ids()) == 1


def test_conversations_that_only_begin_alike_are_two(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chats.json"
    file.write_text(f"[{chat('hi', 'hello')}]")
    followed = Followed(store, file)
    followed.look()
    file.write_text(f"[{chat('hi', 'hello')}, {chat('hi', 'hello', 'bye', 'bye')}]")
    report = followed.look()
    assert (report.imported, report.unchanged, report.grown) == (1, 1, 0)
    file.write_text(f"[{chat('hi', 'hello')}, {chat('ho', 'hello')}]")
    assert followed.look().imported == 1
    assert len(store.sessions.ids()) == 3  # What is no longer in the file stays in the database.


def test_a_document_that_is_half_written_waits_and_is_told_when_it_stays_so(
    store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "chat.json"
    whole = json.dumps(json.loads(chat("hi", "hello")), indent=2)
    file.write_text(whole[:60])
    followed = Followed(store, file)
    followed.look()
    assert followed.taken == []
    followed.look(LONG)
    (told,) = followed.taken
    assert told.error is not None
    followed.look(LONG)
    assert followed.taken == []  # It is told once.
    file.write_text(whole)
    assert followed.look().imported == 1
    assert followed.follower.left_alone == []


def test_a_log_that_is_rotated_goes_on_under_both_names(store: Store, tmp_path: Path) -> None:
    log, old = tmp_path / "log.jsonl", tmp_path / "log.jsonl.1"
    log.write_text(chat("one", "1") + "\n" + chat("two", "2") + "\n")
    followed = Followed(store, log)
    followed.look()
    with log.open("a") as file:
        file.write(chat("last before", "3") + "\n")
    log.rename(old)
    log.write_text(chat("first after", "4") + "\n" + chat("then", "5") + "\n")
    report = followed.look()
    assert (report.imported, report.unchanged) == (3, 0)
    with old.open("a") as file:
        file.write(chat("late", "6") + "\n")
    assert followed.look().imported == 1
    assert len(store.sessions.ids()) == 6


def test_a_log_that_is_emptied_begins_anew(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(chat(f"question {n}", "yes") + "\n" for n in range(5)))
    followed = Followed(store, log)
    followed.look()
    log.write_text(chat("new", "yes") + "\n" + chat("newer", "yes") + "\n")
    assert followed.look().imported == 2
    log.write_text("")
    followed.look()
    log.write_text("".join(chat(f"other {n}", "yes") + "\n" for n in range(9)))  # Longer than before.
    assert followed.look().imported == 9


def test_a_file_that_is_replaced_by_another_is_the_same_file(store: Store, tmp_path: Path) -> None:
    file, beside = tmp_path / "chat.json", tmp_path / "chat.json.tmp"
    file.write_text(chat("hi", "hello"))
    followed = Followed(store, tmp_path)
    followed.look()
    beside.write_text(chat("hi", "hello", "more", "yes"))
    beside.replace(file)
    assert followed.look().grown == 1
    assert not any(taken.gone for taken in followed.taken)


def test_a_file_that_is_deleted_is_told_and_its_sessions_stay(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(chat("hi", "hello"))
    followed = Followed(store, tmp_path)
    followed.look()
    file.unlink()
    followed.look()
    assert [taken.gone for taken in followed.taken] == [True]
    assert len(store.sessions.ids()) == 1
    file.write_text(chat("hi", "hello", "back", "yes"))
    assert followed.look().grown == 1


def test_a_folder_is_followed_with_all_below_it(store: Store, tmp_path: Path) -> None:
    followed = Followed(store, tmp_path)
    followed.look()
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "chat.json").write_text(chat("deep", "down"))
    (tmp_path / "a" / "notes.bin").write_bytes(b"\0\1\2")
    (tmp_path / "a" / ".hidden.json").write_text(chat("not", "me"))
    assert followed.look().imported == 1
    followed.look(LONG)
    assert [taken.left for taken in followed.taken] == [True]
    assert [path.name for path in followed.follower.left_alone] == ["notes.bin"]


def test_the_database_itself_is_not_followed(tmp_path: Path) -> None:
    with Store.open(tmp_path / "t.db") as store:
        followed = Followed(store, tmp_path)
        followed.look(LONG)
        assert followed.follower.files == 0


def test_a_file_that_is_not_there_yet_is_waited_for(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "later.jsonl"
    followed = Followed(store, file)
    followed.look()
    assert followed.follower.missing == [file]
    file.write_text(chat("here", "now") + "\n")
    assert followed.look().imported == 1
    with pytest.raises(NotFoundError):
        Followed(store, tmp_path / "nowhere" / "at" / "all.jsonl")


def test_what_cannot_be_read_is_told_once_and_the_rest_comes_in(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(chat("hi", "hello") + "\n{broken}\n" + chat("ho", "hey") + "\n")
    followed = Followed(store, log)
    told = 0
    for after in (0.5, LONG, LONG):
        followed.look(after)
        told += sum(len(taken.rejected) for taken in followed.taken)
    assert told == 1
    assert len(store.sessions.ids()) == 2


def test_stopping_while_a_file_is_read_keeps_nothing_of_it(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(chat(f"question {n}", "yes") + "\n" for n in range(500)))
    followed = Followed(store, log)
    asked = iter([False, True])
    followed.follower._stopping = lambda: next(asked, True)
    assert followed.look().imported == 0
    assert store.sessions.ids() == []
    assert Followed(store, log).look().imported == 500


def test_what_is_packed_is_unpacked(store: Store, tmp_path: Path) -> None:
    followed = Followed(store, tmp_path)
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("a/one.jsonl", chat("one", "1") + "\n")
        archive.writestr("two.json", chat("two", "2"))
    (tmp_path / "three.jsonl.gz").write_bytes(gzip.compress(chat("three", "3").encode()))
    assert followed.look().imported == 3
    whole = (tmp_path / "export.zip").read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[:100])
    followed.look()
    assert followed.taken == []
    followed.look(LONG)
    assert [taken.error is not None for taken in followed.taken] == [True]
    with zipfile.ZipFile(tmp_path / "half.zip", "w") as archive:
        archive.writestr("two.json", chat("two", "2", "more", "yes"))
    assert followed.look().imported == 1


def test_a_text_is_read_up_to_its_last_whole_line(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "chat.txt"
    file.write_text("User: where is my bag?\nAssistant: it is in Oslo.\nUser: tha")
    followed = Followed(store, file)
    followed.look()
    assert followed.said() == [["where is my bag?", "it is in Oslo."]]
    with file.open("a") as out:
        out.write("nks a lot")
    followed.look()
    followed.look(LONG)  # Nobody writes on: the last line is whole.
    assert followed.said() == [["where is my bag?", "it is in Oslo.", "thanks a lot"]]


def test_a_number_of_a_file_that_is_given_again_is_another_file(store: Store, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text(chat("hi", "hello"))
    followed = Followed(store, tmp_path)
    followed.look()
    (file,) = followed.follower._files.values()
    first.unlink()
    second.write_text(chat("quite", "another", "file", "here"))
    followed.follower._files = {(second.stat().st_dev, second.stat().st_ino): file}
    assert followed.look().imported == 1


def test_a_log_is_parted_where_nobody_wrote_for_long_and_its_last_part_grows(
    store: Store, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    followed = Followed(store, log, split_after=3600.0)
    told = [
        "[2026-01-05 10:00] User: where is it?\n[2026-01-05 10:01] Assistant: in Oslo\n",
        "[2026-01-05 10:02] User: thanks\n",
        "[2026-01-06 09:30] User: good morning\n[2026-01-06 09:31] Assistant: hello\n",
        "[2026-01-06 09:32] User: is it still there?\n",
    ]
    counts = []
    for lines in told:
        with log.open("a") as file:
            file.write(lines)
        report = followed.look(LONG)
        counts.append((report.imported, report.grown))
        assert not report.silences
    assert counts == [(1, 0), (0, 1), (1, 0), (0, 1)]
    assert followed.said() == [
        ["where is it?", "in Oslo", "thanks"],
        ["good morning", "hello", "is it still there?"],
    ]
    # The times of what came later stand beside it, too.
    assert [turn.at for turn in store.turns.of(2)] == [0.0, 60.0, 120.0]
