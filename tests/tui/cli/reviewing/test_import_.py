"""turnwise import: what it prints, and how it ends."""

import io
import json
import sys
from typing import ClassVar

import pytest
from stored import land, score

from turnwise.conversations.errors import StoreError

CHATS = [
    {
        "messages": [
            {"role": "system", "content": "You are a clerk."},
            {"role": "user", "content": f"hi {number}"},
            {"role": "assistant", "content": "hello"},
        ]
    }
    for number in range(3)
]
UNDO = "`turnwise forget --last-import` undoes it.\n"
HOSTILE = "\x1b[31mred\x07"


@pytest.fixture
def chats(tmp_path):
    path = tmp_path / "chats.jsonl"
    path.write_text("".join(json.dumps(chat) + "\n" for chat in CHATS))
    return path


def test_a_field_that_is_like_a_known_one_is_told(turnwise, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text('{"input": "a", "actual_output": "b", "expectd_output": "c"}\n' * 2)
    ran = turnwise("import", path)
    assert ran.code == 0
    assert "cases.jsonl, line 1, expectd_output: no such field, so it is kept as metadata" in ran.err
    assert "did you mean expected_output?" in ran.err


def test_as_json_it_is_one_object(turnwise, chats):
    ran = turnwise("import", chats, "--json")
    assert ran.code == 0
    nothing: dict[str, object] = dict.fromkeys(
        ("updated", "grown", "failed", "silent", "labels", "scores", "modes", "silences"), 0
    )
    nothing |= {"remarks": [], "beside": []}
    assert ran.row == {"imported": 3, "unchanged": 0, "sessions": [1, 2, 3], **nothing}
    again = turnwise("import", chats, "--json")
    assert again.row == {"imported": 0, "unchanged": 3, "sessions": [1, 2, 3], **nothing}
    assert again.code == 0


def test_for_people_it_is_a_line_on_standard_error(turnwise, chats):
    ran = turnwise("import", chats)
    assert (ran.code, ran.out, ran.err) == (0, "", f"3 imported.\n{UNDO}")
    # Nothing of it is new, so there is nothing to undo.
    assert turnwise("import", chats).err == "0 imported, 3 there already.\n"
    assert turnwise("import", chats, "--role", "A clerk").err == "0 imported, 3 given their role.\n" + UNDO


def test_what_was_found_of_our_own_sessions_is_counted_with_them(turnwise, chats, store, tmp_path):
    turnwise("import", chats)
    store.labels.add(1, "fail", author="ada", blind=True)
    for name in ("Asks again", "Gives up"):
        store.modes.assign([1], store.modes.add(name, "It does so.", "ada"), "ada")
    kept = tmp_path / "kept.jsonl"
    assert turnwise("export", "--all", "--to", "jsonl", "--output", kept).code == 0
    ran = turnwise("--db", tmp_path / "other.db", "import", kept, "--json")
    counted = "3 imported, with 1 label and 2 failure modes."
    foreign = "Scores and labels from a file carry its name: nobody gave them here."
    assert ran.err == f"{counted} {foreign}\n{UNDO}"
    assert (ran.row["labels"], ran.row["modes"]) == (1, 2)


def test_who_judged_and_labelled_in_a_file_is_told_as_that_files_word(turnwise, chats, store, tmp_path):
    turnwise("import", chats)
    land(store, 1, score(0.123, "faithfulness"))
    store.labels.add(1, "fail", author="ada", blind=True)
    kept = tmp_path / "theirs.jsonl"
    turnwise("export", "--all", "--to", "jsonl", "--output", kept)
    elsewhere = ("--db", tmp_path / "other.db")
    ran = turnwise(*elsewhere, "import", kept)
    assert "with 1 score and 1 label. Scores and labels from a file carry its name" in ran.err
    shown = turnwise(*elsewhere, "show", "1").out
    assert "It was judged by scripted-1, not here: the file theirs.jsonl says so." in shown
    assert "fail by ada (says theirs.jsonl)" in shown
    assert "came with the file theirs.jsonl" in turnwise(*elsewhere, "why", "1").out
    assert "ada (says theirs.jsonl)" in turnwise(*elsewhere, "label", "1", "--history").out
    assert "scripted-1 (says theirs.jsonl)" in turnwise(*elsewhere, "runs").out
    assert "theirs.jsonl" not in turnwise("show", "1").out


def test_the_role_is_told_or_taken_from_the_system_prompt(turnwise, chats, store):
    turnwise("import", chats, "--role", "A clerk")
    turnwise("import", chats, "--role-from", "system")
    assert {row.chatbot_role for row in store.sessions.page()} == {"A clerk", "You are a clerk."}


def test_messages_may_stand_under_another_name(turnwise, tmp_path):
    record = {
        "one": [{"role": "user", "content": "a"}],
        "two": [{"role": "user", "content": "b"}],
        "reward": 1,
    }
    path = tmp_path / "logs.json"
    path.write_text(json.dumps([record]))
    [session] = turnwise("import", path, "--messages", "two", "--json").row["sessions"]
    shown = turnwise("show", session, "--json").row
    assert [turn["content"] for turn in shown["turns"]] == ["b"]
    assert shown["metadata"]["reward"] == 1


def test_standard_input_is_a_file_too(turnwise, monkeypatch):
    text = "".join(json.dumps(chat) + "\n" for chat in CHATS)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert turnwise("import", "-", "--json").row["imported"] == 3


def test_who_speaks_in_a_transcript_may_be_told(turnwise, tmp_path):
    path = tmp_path / "chat.txt"
    path.write_text("[12:03] Anna: Where is it?\n[12:04] Max: Here.\n")
    ran = turnwise("import", path)
    assert ran.code == 2
    assert "--map user=Anna,assistant=Max" in ran.err
    [session] = turnwise("import", path, "--map", "user=Anna,assistant=Max", "--json").row["sessions"]
    shown = turnwise("show", session, "--json").row
    assert [(turn["role"], turn["content"]) for turn in shown["turns"]] == [
        ("user", "Where is it?"),
        ("assistant", "Here."),
    ]


def test_what_the_columns_of_a_table_are_may_be_told(turnwise, tmp_path):
    path = tmp_path / "chats.csv"
    path.write_text("chat_no,wrote,what\n1,bot,Hi\n1,user,Ho\n2,user,Hm\n")
    told = ("--map", "id=chat_no", "--map", "role=wrote,content=what")
    ran = turnwise("import", path, *told, "--json")
    assert (ran.code, ran.row["imported"], ran.row["failed"]) == (0, 2, 0)


class TestTrouble:
    @pytest.mark.parametrize("text", ["Anna", "usr=Anna", "user="])
    def test_a_map_that_means_nothing_is_wrong_use(self, turnwise, chats, text):
        ran = turnwise("import", chats, "--map", text)
        assert (ran.code, ran.out) == (2, "")
        assert "--map" in ran.err

    def test_a_record_that_cannot_be_read_is_told_and_the_rest_comes_in(self, turnwise, chats):
        with chats.open("a") as file:
            file.write("{broken\n")
        ran = turnwise("import", chats, "--json")
        assert ran.code == 1
        assert (ran.row["imported"], ran.row["failed"]) == (3, 1)
        assert "Error: " in ran.err
        assert "line 4" in ran.err
        assert "1 not readable" in ran.err

    def test_a_file_that_cannot_be_read_is_told_and_the_others_come_in(self, turnwise, chats, tmp_path):
        ran = turnwise("import", tmp_path / "away.json", chats, "--json")
        assert ran.code == 2
        assert (ran.row["imported"], ran.row["failed"]) == (3, 1)
        assert "away.json" in ran.err

    def test_a_file_without_a_conversation_is_bad_input(self, turnwise, tmp_path):
        path = tmp_path / "numbers.json"
        path.write_text("[1, 2, 3]")
        ran = turnwise("import", path)
        assert (ran.code, ran.out) == (2, "")
        assert "numbers.json" in ran.err

    def test_a_format_that_is_unknown_is_wrong_use(self, turnwise, chats):
        ran = turnwise("import", chats, "--format", "opnai")
        assert ran.code == 2
        assert "openai" in ran.err

    def test_a_database_that_takes_nothing_exits_with_3(self, turnwise, chats, monkeypatch):
        def full(*_: object, **__: object) -> None:
            raise StoreError("The database cannot be written", detail="disk full")

        monkeypatch.setattr("turnwise.conversations.importing.import_file", full)
        ran = turnwise("import", chats, chats, "--json")
        assert (ran.code, ran.out) == (3, "")
        assert "disk full" in ran.err

    def test_what_a_file_holds_is_never_obeyed_by_the_terminal(self, turnwise, tmp_path):
        path = tmp_path / f"bad{HOSTILE}.jsonl"
        path.write_text(json.dumps({"messages": [{"role": HOSTILE, "content": 3}]}) + f"\n{HOSTILE}\n")
        ran = turnwise("import", path)
        assert ran.code == 2
        assert not set(ran.out + ran.err) & set("\x1b\x07")


class TestWhoTheChatbotIs:
    TEXT = "".join(
        f"[12:0{n}] {who}: {what}\n"
        for n, (who, what) in enumerate([("Anna", "hi"), ("Zed", "hello"), ("Max", "me too"), ("Zed", "ok")])
    )

    def test_all_others_are_users(self, turnwise, tmp_path):
        path = tmp_path / "chat.txt"
        path.write_text(self.TEXT)
        assert "--map" in turnwise("import", path).err
        [session] = turnwise("import", path, "--assistant", "zed", "--json").row["sessions"]
        turns = turnwise("show", session, "--json").row["turns"]
        assert [turn["role"] for turn in turns] == ["user", "assistant", "user", "assistant"]

    def test_of_a_table_too(self, turnwise, tmp_path):
        path = tmp_path / "chat.csv"
        path.write_text("sender,text\nAnna,hi\nZed,hello\nMax,me too\nZed,ok\n")
        [session] = turnwise("import", path, "--assistant", "Zed", "--json").row["sessions"]
        turns = turnwise("show", session, "--json").row["turns"]
        assert [turn["role"] for turn in turns] == ["user", "assistant", "user", "assistant"]

    def test_a_long_chat_is_cut_at_silences(self, turnwise, tmp_path):
        path = tmp_path / "chat.txt"
        path.write_text("1/2/24, 10:00 - Anna: hi\n1/2/24, 10:01 - Zed: ho\n1/3/24, 10:00 - Anna: me again\n")
        ran = turnwise("import", path, "--assistant", "Zed", "--split-after", "6h", "--json")
        assert ran.row["imported"] == 2
        assert "30m" in turnwise("import", path, "--split-after", "soon").err

    def test_a_file_that_says_so_itself_needs_it_not(self, turnwise, chats):
        ran = turnwise("import", chats, "--assistant", "Zed")
        assert ran.code == 0
        assert "--assistant: not needed" in ran.err


class TestAMappingUnderAName:
    TALK: ClassVar = {"log": [{"who": "ann", "words": "hi"}, {"who": "zed", "words": "ho"}]}
    TOLD = ("--messages", "log", "--map", "role=who,content=words,assistant=zed")

    def test_it_is_kept_once_a_file_came_in_and_used_by_name(self, turnwise, tmp_path):
        path = tmp_path / "talk.json"
        path.write_text(json.dumps(self.TALK))
        assert turnwise("import", path, "--map", "role=whoo,content=words", "--save-map", "desk").code == 2
        assert "No mapping is kept yet" in turnwise("settings", "maps").err
        assert "Kept for --use-map: desk" in turnwise("import", path, *self.TOLD, "--save-map", "desk").err
        assert turnwise("import", path, "--use-map", "desk", "--json").row["unchanged"] == 1
        kept = {"name": "desk", "map": "messages=log,role=who,content=words,assistant=zed"}
        assert turnwise("settings", "maps", "--json").row == kept
        assert "maps.desk" in turnwise("settings").out
        assert turnwise("settings", "maps", "--remove", "desk").code == 0
        ran = turnwise("import", path, "--use-map", "desk")
        assert ran.code == 2
        assert "There is no mapping desk" in ran.err

    def test_it_is_named_for_another_file_that_it_fits(self, turnwise, tmp_path):
        rows = "wrote,what\nann,is it open?\nzed,until six\n"
        for name in ("one.csv", "other.csv", "odd.csv"):
            (tmp_path / name).write_text(rows.replace("what", "words") if name == "odd.csv" else rows)
        told = ("--map", "role=wrote,content=what,assistant=zed")
        turnwise("import", tmp_path / "one.csv", *told, "--save-map", "desk")
        ran = turnwise("import", tmp_path / "other.csv")
        assert "What you kept under desk fits it: turnwise import" in ran.err
        assert f"{tmp_path}/other.csv --use-map desk" in ran.err
        assert "kept under" not in turnwise("import", tmp_path / "odd.csv").err

    def test_without_a_mapping_there_is_nothing_to_keep(self, turnwise, chats):
        assert "nothing to keep" in turnwise("import", chats, "--save-map", "desk").err


def test_what_became_of_every_text_is_told_on_request(turnwise, tmp_path):
    good, odd = tmp_path / "good.jsonl", tmp_path / "odd.json"
    messages = [{"role": "user", "content": "hi there"}, {"role": "assistant", "content": "ho"}]
    good.write_text(json.dumps({"messages": messages, "channel": "web shop A"}))
    odd.write_text('{"nothing": "to read"}')
    ran = turnwise("import", good, "--account")
    assert "Of 20 characters of text 50 % in turns, 50 % in metadata and 0 % left out." in ran.err
    assert "  in metadata: channel, 10 characters (metadata.channel)" in ran.err
    told = json.loads(turnwise("import", good, odd, "--account", "--json").out)["account"]
    assert told["turns"] + told["metadata"] + told["left_out"] == pytest.approx(1)
    assert [file["left_out"] for file in told["files"]] == [0, 1]
    assert told["files"][0]["places"][0]["path"] == "channel"
    assert "account" not in json.loads(turnwise("import", good, "--json").out)


LOG = (
    "[2026-01-05 10:00] User: where is it?\n[2026-01-05 10:01] Assistant: in Oslo\n"
    "[2026-01-06 09:30] User: good morning\n[2026-01-06 09:31] Assistant: hello\n"
)


def test_a_log_of_two_days_is_told_and_parted_on_request(turnwise, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text(LOG)
    ran = turnwise("import", path)
    assert "between line 2 and line 3 lie 23 hours" in ran.err
    assert "--split-after 6h parts them there" in ran.err
    ran = turnwise("import", path, "--split-after", "6h")
    assert "2 imported." in ran.err
    assert "Sessions 2 and 3 are parts of session 1" in ran.err
    assert turnwise("forget", "1", "--yes").code == 0
    again = turnwise("import", path, "--split-after", "6h")
    assert again.err.strip() == "0 imported, 2 there already."
    kept = [turn["content"] for number in (2, 3) for turn in turnwise("show", number, "--json").row["turns"]]
    assert kept == ["where is it?", "in Oslo", "good morning", "hello"]


def test_a_log_that_grew_names_the_session_that_it_goes_on_from(turnwise, tmp_path):
    path = tmp_path / "log.txt"
    lines = LOG.splitlines()
    path.write_text("\n".join(lines[:2]))
    assert "goes on" not in turnwise("import", path).err
    path.write_text("\n".join([*lines[:2], "[2026-01-05 10:05] User: thanks"]))
    ran = turnwise("import", path, "--json")
    assert ran.row["beside"] == [{"session": 2, "earlier": 1, "is": "goes on"}]
    assert "Session 2 goes on from session 1, which stands beside it. `turnwise forget 1`" in ran.err
    assert "`turnwise import --follow FILE`" in ran.err
