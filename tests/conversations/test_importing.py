"""Importing: all of a file or nothing of it, every conversation once."""

import gzip
import io
import json
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from chat_exports import slack_zip
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.gathering import Gathering
from turnwise.conversations.importing import ImportReport, SessionIds, import_file
from turnwise.conversations.store import Stakes, file_source

CHATS = [
    {
        "messages": [
            {"role": "system", "content": "You are a clerk."},
            {"role": "user", "content": f"hi {number}"},
        ]
    }
    for number in range(3)
]


@pytest.fixture
def chats(tmp_path):
    path = tmp_path / "chats.jsonl"
    path.write_text("".join(json.dumps(chat) + "\n" for chat in CHATS))
    return path


def test_every_record_becomes_a_session_in_the_order_of_the_file(store, chats):
    report = import_file(store, chats)
    assert (report.imported, report.unchanged, report.updated, report.failed) == (3, 0, 0, 0)
    assert list(report.sessions) == store.sessions.ids()
    rows = store.sessions.page()
    assert [row.name for row in rows] == ["hi 0", "hi 1", "hi 2"]
    assert {row.source for row in rows} == {"chats.jsonl"}
    assert len({row.created_at for row in rows}) == 1


def test_importing_twice_adds_nothing_and_names_the_same_sessions(store, chats):
    first = import_file(store, chats)
    again = import_file(store, chats)
    assert (again.imported, again.unchanged, again.sessions) == (0, 3, first.sessions)
    assert store.sessions.count() == 3


def test_a_role_may_be_given_later(store, chats):
    import_file(store, chats)
    report = import_file(store, chats, role="A clerk")
    assert (report.imported, report.updated) == (0, 3)
    assert {row.chatbot_role for row in store.sessions.page()} == {"A clerk"}
    assert import_file(store, chats).unchanged == 3


def test_the_role_may_stand_in_the_system_prompt(store, chats):
    import_file(store, chats, role_from_system=True)
    assert {row.chatbot_role for row in store.sessions.page()} == {"You are a clerk."}


def test_a_bad_record_is_told_and_the_rest_comes_in(store, tmp_path):
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps(CHATS[0]) + "\n{broken\n" + json.dumps(CHATS[1]) + "\n")
    report = import_file(store, path)
    assert (report.imported, report.failed) == (2, 1)
    assert "chats.jsonl" in str(report.rejected[0])
    assert "line 2" in str(report.rejected[0])


def test_a_stream_and_standard_input_have_names_too(store, monkeypatch):
    import_file(store, io.BytesIO(json.dumps(CHATS[0]).encode()))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CHATS[1]).encode())))
    import_file(store, "-")
    assert {row.source for row in store.sessions.page()} == {"stream", "standard input"}


def test_an_import_that_is_stopped_keeps_nothing(store, tmp_path):
    path = tmp_path / "many.jsonl"
    many = [{"messages": [{"role": "user", "content": f"hi {number}"}]} for number in range(120)]
    path.write_text("".join(json.dumps(chat) + "\n" for chat in many))
    seen = []

    def stop(report: ImportReport) -> None:
        seen.append(report.imported)
        if report.imported >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_file(store, path, on_progress=stop)
    assert seen == [50, 100]
    assert store.sessions.count() == 0


def test_what_is_no_file_or_no_conversation_is_told(store, tmp_path):
    with pytest.raises(NotFoundError):
        import_file(store, tmp_path / "away.json")
    (tmp_path / "empty.json").write_text("")
    with pytest.raises(FormatError):
        import_file(store, tmp_path / "empty.json")


def test_a_misspelt_field_is_remarked_once_with_the_first_place(store, tmp_path):
    path = tmp_path / "cases.jsonl"
    record = {"input": "a", "actual_output": "b", "expectd_output": "c"}
    records = [record, {**record, "input": "b"}, {"input": "a", "actual_outptu": "b"}]
    path.write_text("\n".join(map(json.dumps, records)))
    report = import_file(store, path)
    assert (report.imported, report.failed) == (2, 1)
    told = "expectd_output: no such field, so it is kept as metadata; did you mean expected_output?"
    assert list(report.remarks.values()) == [f"{path}, line 1, {told}"]
    assert f"{path}, line 3, actual_outptu" in report.rejected[0].detail


@pytest.mark.parametrize(
    ("reply", "silent"),
    [
        (None, 1),
        ({"role": "assistant", "content": " "}, 1),
        ({"role": "assistant", "content": "Hello"}, 0),
        ({"role": "assistant", "content": "", "tools_called": [{"name": "search"}]}, 0),
    ],
)
def test_conversations_in_which_the_chatbot_does_nothing_are_counted(store, tmp_path, reply, silent):
    turns = [{"role": "user", "content": "Where is my parcel?"}, *([reply] if reply else [])]
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"turns": turns}))
    report = import_file(store, path)
    assert (report.imported, report.silent) == (1, silent)


def test_exchanges_without_an_answer_are_counted_too(store, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text('{"input": "hi"}\n{"input": "hi", "actual_output": "hello"}\n')
    assert import_file(store, path).silent == 1


def test_reports_of_several_files_add_up():
    total = ImportReport(imported=1, sessions=SessionIds([1]))
    total.join(
        ImportReport(
            imported=2,
            unchanged=3,
            updated=4,
            sessions=SessionIds([2, 3]),
            failed=1,
            rejected=[FormatError("x")],
        )
    )
    assert (total.imported, total.unchanged, total.updated, total.failed) == (3, 3, 4, 1)
    assert list(total.sessions) == [1, 2, 3]


def test_a_conversation_with_a_chatbot_role_and_tool_messages_comes_in_as_a_test_case(store, tmp_path):
    turns = [
        {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": "", "tools_called": [{"name": "find", "output": "here"}]},
        {"role": "tool", "content": "here", "tool_call_id": "c1"},
        {"role": "assistant", "content": "Here."},
    ]
    path = tmp_path / "case.json"
    path.write_text(json.dumps({"chatbot_role": "A finder", "name": "Lost", "turns": turns}))
    report = import_file(store, path)
    case = store.sessions.case(next(iter(report.sessions)))
    assert case.chatbot_role == "A finder"
    assert case.turns[1].tools_called[0].output == "here"
    assert case.turns[2].role == "tool"


def test_feedback_of_a_file_is_one_run_and_comes_in_once(store, tmp_path):
    path = tmp_path / "judged.jsonl"
    rows = [
        {"messages": [{"role": "assistant", "content": f"ho {number}"}], "scores": {name: 0.25 * number}}
        for number, name in enumerate(["tone", "help", "tone"])
    ]
    path.write_text("".join(json.dumps({**row, "feedback": "👍"}) + "\n" for row in rows))
    report = import_file(store, path)
    assert (report.imported, report.scores, report.labels) == (3, 3, 3)
    [run] = store.runs.all()
    assert (run.metrics, run.sessions, run.came_from) == (("tone", "help"), 3, "judged.jsonl")
    again = import_file(store, path)
    assert (again.unchanged, again.scores, again.labels) == (3, 0, 0)
    assert len(store.runs.all()) == 1


@given(st.lists(st.integers(1, 9)), st.lists(st.integers(1, 9)))
def test_they_come_back_as_they_were_added(first, second):
    ids = SessionIds(first)
    ids.extend(SessionIds(second))
    assert list(ids) == [*first, *second]
    both = [*first, *second]
    assert (len(ids), bool(ids)) == (len(both), bool(both))
    assert [ids[place] for place in range(-len(both), len(both))] == [*both, *both]
    assert (ids[1:], ids[:-2]) == (both[1:], both[:-2])
    with pytest.raises(IndexError):
        ids[len(both)]


def test_ids_that_follow_each_other_take_no_room():
    ids = SessionIds(range(1, 100_001))
    assert len(ids) == 100_000
    assert sum(sys.getsizeof(held) for held in (ids._firsts, ids._lasts)) < 1000


def test_a_session_that_is_read_twice_counts_once_and_as_it_is_now():
    total = ImportReport(imported=2, sessions=SessionIds([1, 2]), silent_sessions=SessionIds([1, 2]))
    total.take_later(ImportReport(grown=1, sessions=SessionIds([1, 2]), silent_sessions=SessionIds([2])))
    assert (total.imported, total.grown, list(total.sessions), total.silent) == (2, 1, [1, 2], 1)


LOG = [
    "[2026-01-05 10:00] User: where is it?",
    "[2026-01-05 10:01] Assistant: in Oslo",
    "[2026-01-06 09:30] User: good morning",
    "[2026-01-06 09:31] Assistant: hello",
]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.txt"

    def write(lines):
        path.write_text("\n".join(LOG[:lines]))
        return path

    return write


class TestWhatStandsBeside:
    def test_a_conversation_that_has_gone_on_names_the_earlier_session(self, store, log):
        import_file(store, log(2))
        report = import_file(store, log(4))
        assert report.beside == [(2, 1, "goes on")]
        assert [row.turns for row in store.sessions.page()] == [4, 2]

    def test_a_conversation_that_holds_several_earlier_ones_names_them_all(self, store, log):
        import_file(store, log(4), split_after=3600)
        report = import_file(store, log(4))
        assert report.beside == [(3, 1, "holds"), (3, 2, "holds")]

    def test_of_earlier_pieces_the_one_that_is_left_is_named(self, store, log):
        import_file(store, log(4), split_after=3600)
        store.forgetting.forget([1])
        assert [one.earlier for one in import_file(store, log(4)).beside] == [2]

    def test_what_was_found_of_the_earlier_session_is_counted(self, store, log):
        import_file(store, log(2))
        assert import_file(store, log(3)).at_stake == {"goes on": Stakes(sessions=1)}
        store.labels.add(2, "pass", author="anna", blind=True)
        assert import_file(store, log(4)).at_stake == {"holds": Stakes(sessions=2, labels=1)}

    def test_parts_of_what_came_in_as_one_name_it_and_come_in_once(self, store, log):
        import_file(store, log(4))
        assert import_file(store, log(4), split_after=3600).beside == [(2, 1, "part"), (3, 1, "part")]
        again = import_file(store, log(4), split_after=3600)
        assert (again.imported, again.unchanged, again.beside) == (0, 2, [])

    def test_the_same_words_in_another_form_are_told(self, store, log):
        import_file(store, log(2))
        path = log(2)
        path.write_text(path.read_text().replace("10:0", "11:0"))
        assert import_file(store, path).beside == [(2, 1, "same words")]

    def test_what_still_stands_in_the_file_is_nothing_that_another_goes_on_from(self, store, tmp_path):
        path = tmp_path / "chats.jsonl"
        short, long = ({"messages": CHATS[0]["messages"] + more} for more in ([], [LATER]))
        path.write_text(json.dumps(short))
        import_file(store, path)
        path.write_text(f"{json.dumps(long)}\n{json.dumps(short)}")
        report = import_file(store, path)
        assert (report.imported, report.beside) == (1, [])

    def test_another_file_that_begins_alike_is_not_the_same(self, store, log, tmp_path):
        import_file(store, log(2))
        other = tmp_path / "other.txt"
        other.write_text(log(4).read_text())
        assert import_file(store, other).beside == []

    def test_a_grown_conversation_of_the_same_id_in_another_file_names_the_earlier_session(
        self, store, tmp_path
    ):
        def imported(name, key, messages):
            path = tmp_path / name
            path.write_text(json.dumps({"id": key, "messages": messages}))
            return import_file(store, path)

        first = CHATS[0]["messages"]
        imported("monday.jsonl", "conv-78", first)
        assert imported("tuesday.jsonl", "conv-78", [*first, LATER]).beside == [(2, 1, "goes on elsewhere")]
        # Neither another id nor another conversation under the same one.
        assert imported("other.jsonl", "conv-79", [*first, LATER, LATER]).beside == []
        assert imported("others.jsonl", "conv-78", [LATER, *first]).beside == []

    @pytest.mark.parametrize("packed", ["zip", "tar", "gz"])
    def test_what_lies_in_a_container_is_compared_with_what_lay_there_before(
        self, store, log, tmp_path, packed, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        path = tmp_path / f"chats.{packed}"

        def imported(lines, named):
            text = log(lines).read_bytes()
            if packed == "zip":
                with zipfile.ZipFile(path, "w") as file:
                    file.writestr("old/log.txt", text)
            elif packed == "tar":
                with tarfile.open(path, "w") as file:
                    info = tarfile.TarInfo("./old/log.txt")
                    info.size = len(text)
                    file.addfile(info, io.BytesIO(text))
            else:
                path.write_bytes(gzip.compress(text))
            return Gathering([named]).run(lambda content, tell: import_file(store, content)).total

        imported(2, path)
        # However the container is named.
        assert imported(4, Path(path.name)).beside == [(2, 1, "goes on")]
        assert imported(4, path).beside == []

    def test_a_zip_that_is_one_file_of_its_format_is_compared_too(self, store, tmp_path):
        path = tmp_path / "slack.zip"
        for more, beside in (({"house/2023-11-15.json": []}, []), ({}, [(3, 1, "goes on")])):
            path.write_bytes(slack_zip(**more))
            report = Gathering([path]).run(lambda content, tell: import_file(store, content)).total
            assert report.beside == beside

    def test_what_comes_as_a_stream_is_no_file_that_was_there_before(self, store, log):
        for lines, count in ((2, 1), (4, 1)):
            with log(lines).open("rb") as stream:
                report = Gathering([stream]).run(lambda content, tell: import_file(store, content)).total
            assert (report.imported, report.beside) == (count, [])

    def test_a_file_that_was_imported_can_be_followed_from_then_on(self, store, log):
        import_file(store, log(2))
        report = import_file(store, log(4), followed=file_source(log(4)))
        assert (report.imported, report.grown) == (0, 1)
        assert [row.turns for row in store.sessions.page()] == [4]


LATER = {"role": "assistant", "content": "good day"}


def test_silences_are_counted_and_what_is_raised_at_them_leaves_nothing(store, log):
    def ask(report):
        assert len(report.silences) == 1
        raise KeyError

    with pytest.raises(KeyError):
        import_file(store, log(4), on_read=ask)
    assert store.sessions.count() == 0
    report = import_file(store, log(4))
    assert report.silences.within == str(log(4))
    assert not import_file(store, log(4), split_after=3600).silences


class TestWhenTurnsWereSaid:
    def times(self, store):
        return [turn.at for turn in store.turns.of(1)]

    def test_the_times_of_a_log_stand_beside_its_turns(self, store, log):
        import_file(store, log(4))
        assert self.times(store) == [0.0, 60.0, 84_600.0, 84_660.0]

    def test_the_times_of_messages_do_too(self, store, tmp_path):
        said = [{"role": "user", "content": "hi", "timestamp": "2026-01-05T10:00:00Z"}]
        said += [{"role": "system", "content": "joined"}]
        said += [{"role": "assistant", "content": "ho", "timestamp": "2026-01-05T10:00:30+00:00"}]
        path = tmp_path / "chat.json"
        path.write_text(json.dumps({"messages": said}))
        import_file(store, path)
        assert self.times(store) == [0.0, None, 30.0]

    @pytest.mark.parametrize(
        "times", [("2026-01-05T10:00:00Z", None), ("2026-01-05T10:00:00Z", "2026-01-04")]
    )
    def test_of_one_time_or_of_times_out_of_order_nothing_is_told(self, store, tmp_path, times):
        said = [
            {"role": role, "content": "words", **({"metadata": {"time": time}} if time else {})}
            for role, time in zip(("user", "assistant"), times, strict=True)
        ]
        path = tmp_path / "chat.json"
        path.write_text(json.dumps({"messages": said}))
        import_file(store, path)
        assert self.times(store) == [None, None]
