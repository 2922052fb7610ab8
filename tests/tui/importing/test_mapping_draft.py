"""What is said of an unknown file, without a screen."""

import json
from pathlib import Path
from typing import ClassVar

import pytest

from turnwise.conversations.errors import InputError
from turnwise.tui.importing.mapping_draft import MappingDraft

TALK = {
    "chat": {"no": 7, "title": "Lost bag"},
    "log": {
        "events": [
            {"who": "customer", "data": {"text": "Where is my bag?"}, "ts": 1700000000},
            {"who": "agent_bot", "data": {"text": "It is in Oslo."}, "ts": 1700000060},
        ]
    },
}


def draft(value: object) -> MappingDraft:
    return MappingDraft("a.json", value if isinstance(value, list) else [value])


def test_what_the_shape_tells_is_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([TALK, TALK]))
    found = MappingDraft.of_file(path)
    assert found is not None
    assert found.parts == {
        "messages": "log.events",
        "role": "who",
        "content": "data.text",
        "time": "ts",
        "id": "chat.no",
        "name": "chat.title",
    }
    first = found.first_turns()
    assert [(turn.role, turn.content) for turn in first.turns] == [
        ("user", "Where is my bag?"),
        ("assistant", "It is in Oslo."),
    ]
    assert first.name == "Lost bag"


def test_a_text_that_is_a_transcript_holds_the_messages(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    shown = "User: Where is it?\nBot: In Oslo.\nUser: Oh."
    talk = {"id": "k7", "about": "Note: a bag", "log": {"text": shown}}
    path.write_text(f"{json.dumps(talk)}\n{json.dumps(talk)}\n")
    found = MappingDraft.of_file(path)
    assert found is not None
    assert found.parts == {"messages": "log.text", "id": "id"}
    assert [turn.role for turn in found.first_turns().turns] == ["user", "assistant", "user"]


def test_a_file_that_is_no_data_has_none(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("some words\n")
    assert MappingDraft.of_file(path) is None
    path.write_text("")
    with pytest.raises(InputError):
        MappingDraft.of_file(path)


def test_paths_are_offered_with_what_stands_there() -> None:
    said = draft(TALK)
    assert [tuple(choice) for choice in said.choices("messages")] == [("log.events", "2 items")]
    said.parts["messages"] = "log.events"
    assert ("data.text", "Where is my bag?") in [tuple(choice) for choice in said.choices("content")]
    assert ("chat.title", "Lost bag") in [tuple(choice) for choice in said.choices("name")]


def test_a_path_from_the_record_becomes_one_from_the_message() -> None:
    said = draft(TALK)
    assert said.relative("role", "log.events[].who") == "log.events[].who"
    said.parts["messages"] = "log.events"
    assert said.relative("role", "log.events[].who") == "who"
    assert said.relative("id", "chat.no") == "chat.no"


def test_parts_that_were_found_give_way_to_those_of_another_list() -> None:
    other = {"a": [{"user": "x", "text": "two words"}], "b": [{"sender": "y", "body": "more words here"}]}
    said = draft(other)
    said.parts["messages"] = "a"
    said.find_parts()
    assert said.parts["content"] == "text"
    said.parts["messages"] = "b"
    said.find_parts()
    assert (said.parts["role"], said.parts["content"]) == ("sender", "body")


def test_who_the_chatbot_is_is_asked_where_nobody_knows() -> None:
    talk = {"m": [{"by": "Ann", "text": "hi you"}, {"by": "Zed", "text": "ho"}, {"by": "Ann", "text": "so"}]}
    said = draft(talk)
    said.take("messages=m,role=by,content=text")
    assert said.first_turns().asks_chatbot
    assert [tuple(choice) for choice in said.choices("assistant")] == [("Ann", "2 turns"), ("Zed", "1 turn")]
    said.parts["assistant"] = "Zed"
    assert [turn.role for turn in said.first_turns().turns] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("messages=log.event,role=who", "Did you mean log.events?"),
        ("messages=log.events,role=who,content=data.txt", "Did you mean content=data.text?"),
        ("messages=log..events", "is no path"),
    ],
)
def test_what_is_wrong_is_said_without_the_options_of_the_command_line(text: str, words: str) -> None:
    said = draft(TALK)
    said.take(text)
    wrong = said.first_turns().wrong
    assert words in wrong
    assert "--" not in wrong


def test_calls_of_tools_are_lists_in_the_messages() -> None:
    talk = {
        "m": [{"who": "bot", "text": "I look.", "used": [{"tool": "find"}]}, {"who": "user", "text": "ok"}]
    }
    said = draft(talk)
    said.take("messages=m,role=who,content=text")
    assert [tuple(choice) for choice in said.choices("tool_calls")] == [("used", "1 item")]
    said.parts["tool_calls"] = "used"
    [call] = said.first_turns().turns[0].tools_called or []
    assert call.name == "find"


class TestKeptMappings:
    ROWS: ClassVar = [{"wrote": "Ann", "what": "Is it open?"}, {"wrote": "Robo", "what": "Until six."}]

    def test_those_by_which_the_records_read_are_offered(self) -> None:
        kept = {
            "other": "role=from,content=text",
            "desk": "role=wrote,content=what,assistant=Robo",
            "again": "role=wrote,content=what",
            "spoilt": "no mapping at all",
        }
        assert draft(self.ROWS).fitting(kept) == ["desk", "again"]

    def test_what_has_no_line_cannot_be_said_here(self) -> None:
        found = draft(self.ROWS)
        assert found.can_say("role=wrote,content=what")
        assert not found.can_say("role=wrote,content=what,order=at")
        assert not found.can_say("role=wrote,content=what,assistant=Robo,assistant=Zed")


def test_a_question_and_its_answer_are_columns_where_nobody_is_said_to_speak() -> None:
    found = draft([{"Customer question": "Is it open?", "Bot answer": "Until six."}])
    found.parts = {"user": "Customer question", "assistant": "Bot answer"}
    assert [(turn.role, turn.content) for turn in found.first_turns().turns] == [
        ("user", "Is it open?"),
        ("assistant", "Until six."),
    ]
    assert [choice.text for choice in found.choices("assistant")] == ["Customer question", "Bot answer"]
    found.parts = {"role": "Bot answer"}
    assert [choice.text for choice in found.choices("assistant")] == ["Until six."]


@pytest.mark.parametrize(("time", "is_read"), [("06.05.2024 10:01", True), ("06/05/2024 10:01", False)])
def test_times_that_cannot_be_read_are_told_beside_the_first_turns(time: str, is_read: bool) -> None:
    rows = [{"who": who, "text": "hi", "Datum": time} for who in ("user", "assistant")]
    found = draft(rows)
    found.parts = {"role": "who", "content": "text", "time": "Datum"}
    first = found.first_turns()
    assert len(first.turns) == 2
    assert [("time Datum" in remark and time in remark) for remark in first.remarks] == [True] * (not is_read)


@pytest.mark.parametrize(("clock", "date"), [("10:01", "date"), ("2024-05-06T10:01:00Z", None)])
def test_the_day_is_found_where_the_time_is_a_clock_without_it(
    tmp_path: Path, clock: str, date: str | None
) -> None:
    path = tmp_path / "a.json"
    said = [{"sender": who, "text": "hi", "date": "2024-05-06", "time": clock} for who in ("user", "bot")]
    path.write_text(json.dumps([{"talk": said}]))
    found = MappingDraft.of_file(path)
    assert found is not None
    assert found.parts.get("time") == "time"
    assert found.parts.get("date") == date
    told = [remark for remark in found.first_turns().remarks if "read together as one time" in remark]
    assert len(told) == (date is not None)
