"""Any data by a mapping: both shapes, every kind of file, and what is told where a path leads nowhere."""

import csv
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import FormatError, InputError, UnknownChatbotError
from turnwise.conversations.formats import Loaded, Rejected, load, read_mapping

TALK = {
    "chat": {"no": 7, "title": "Lost bag"},
    "airport": "OSL",
    "log": {
        "events": [
            {"who": "customer", "data": {"text": "Where is my bag?"}, "ts": 1700000000, "seat": "4A"},
            {
                "who": "agent_bot",
                "data": {"text": "In Oslo."},
                "ts": 1700000060,
                "used": [{"tool": "find_bag", "params": {"tag": 4}}],
            },
        ]
    },
}
ROWS = [
    {"chat": 2, "sender": "Ann", "body": {"text": "second"}, "ts": "2026-01-01T10:05:00Z"},
    {"chat": 1, "sender": "Ann", "body": {"text": "hi"}, "ts": "2026-01-01T10:00:00Z"},
    {"chat": 2, "sender": "Zed", "body": {"text": "reply"}, "ts": "2026-01-01T10:06:00Z"},
    {"chat": 2, "sender": "Ann", "body": {"text": "first"}, "ts": "2026-01-01T10:04:00Z"},
    {"chat": 1, "sender": "Zed", "body": {"text": "ho"}, "ts": "2026-01-01T10:01:00Z"},
]
ROW_MAP = "id=chat,role=sender,content=body.text,time=ts,assistant=Zed"


def records(content: Any, told: str = "", **options: Any) -> list[Any]:
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    stream = io.BytesIO(text.encode() if isinstance(text, str) else text)
    return list(load(stream, mapping=read_mapping([told] if told else []), **options))


def cases(content: Any, told: str = "", **options: Any) -> list[ConversationalTestCase]:
    found = records(content, told, **options)
    assert all(isinstance(record, Loaded) for record in found), found
    return [record.case for record in found]


def said(case: ConversationalTestCase) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in case.turns]


def refused(content: Any, told: str = "", **options: Any) -> FormatError:
    with pytest.raises(FormatError) as caught:
        records(content, told, **options)
    return caught.value


class TestARecordThatHoldsItsMessages:
    TOLD = "role=who,content=data.text,id=chat.no,name=chat.title,time=ts,tool_calls=used"

    def test_everything_has_its_place(self) -> None:
        [case] = cases([TALK], self.TOLD, messages_key="log.events")
        assert said(case) == [("user", "Where is my bag?"), ("assistant", "In Oslo.")]
        assert case.name == "Lost bag"
        assert case.metadata == {"source_id": "7", "airport": "OSL"}
        assert case.turns[0].metadata == {"time": "2023-11-14T22:13:20+00:00", "seat": "4A"}
        [call] = case.turns[1].tools_called or []
        assert (call.name, call.input_parameters) == ("find_bag", {"tag": 4})

    def test_the_list_may_stand_in_the_paths_themselves(self) -> None:
        [case] = cases([TALK], "role=log.events[].who,content=log.events[].data.text")
        assert said(case)[0] == ("user", "Where is my bag?")

    def test_the_only_list_that_has_what_was_told_is_found(self) -> None:
        [case] = cases([TALK], "role=who,content=data.text,id=chat.no")
        assert said(case)[1] == ("assistant", "In Oslo.")

    def test_what_was_not_told_is_found_by_usual_names(self) -> None:
        talk = {"trace": [{"speaker": "human", "text": "hi"}, {"speaker": "bot", "text": "ho"}]}
        [case] = cases([talk], messages_key="trace")
        assert said(case) == [("user", "hi"), ("assistant", "ho")]

    def test_messages_in_a_known_dialect_are_read_as_such(self) -> None:
        items = [{"type": "human", "content": "hi"}, {"type": "ai", "content": "ho"}]
        [case] = cases({"state": {"values": {"history": items}}}, messages_key="state.values.history")
        assert said(case) == [("user", "hi"), ("assistant", "ho")]

    def test_lists_further_down_are_a_conversation_each(self) -> None:
        document = {"export": {"talks": [TALK, TALK, TALK]}}
        found = records(document, "role=who,content=data.text", messages_key="export.talks[].log.events")
        assert len(found) == 3
        assert "export.talks, case 2" in str(found[1].place)

    def test_the_words_for_roles_are_told_in_the_same_mapping(self) -> None:
        talk = {"m": [{"r": "x", "t": "hi"}, {"r": "y", "t": "ho"}, {"r": "z", "t": "note"}]}
        [case] = cases(talk, "messages=m,role=r,content=t,user=x,assistant=y,system=z")
        assert said(case) == [("user", "hi"), ("assistant", "ho"), ("system", "note")]

    def test_truth_values_may_say_who_speaks(self) -> None:
        talk = [{"m": [{"is_bot": False, "t": "hi"}, {"is_bot": True, "t": "ho"}]}]
        assert said(cases(talk, "messages=m,role=is_bot,content=t,assistant=true")[0]) == [
            ("user", "hi"),
            ("assistant", "ho"),
        ]

    def test_a_list_of_questions_with_answers(self) -> None:
        talk = {"turns_of_talk": [{"q": "a?", "a": {"text": "b"}}, {"q": "c?", "a": {"text": "d"}}]}
        [case] = cases(talk, "user=q,assistant=a.text", messages_key="turns_of_talk")
        assert said(case) == [("user", "a?"), ("assistant", "b"), ("user", "c?"), ("assistant", "d")]

    def test_records_that_say_nothing_are_kept_beside_the_turns(self) -> None:
        talk = {"e": [{"k": "user", "t": "hi"}, {"k": "action", "did": "listen"}, {"k": "bot", "t": "ho"}]}
        [case] = cases(talk, "messages=e,role=k,content=t")
        assert len(case.turns) == 2
        assert (case.metadata or {})["beside"] == [{"k": "action", "did": "listen"}]

    def test_texts_of_several_blocks_are_one_turn(self) -> None:
        talk = {"m": [{"r": "user", "b": [{"t": "one"}, {"t": "two"}]}, {"r": "bot", "b": [{"t": "three"}]}]}
        [case] = cases(talk, "messages=m,role=r,content=b[].t")
        assert said(case) == [("user", "one\ntwo"), ("assistant", "three")]

    def test_a_document_that_is_the_list(self) -> None:
        messages = [{"r": "user", "t": "hi"}, {"r": "bot", "t": "ho"}]
        assert said(cases(messages, "role=r,content=t", messages_key=".")[0])[0] == ("user", "hi")

    def test_a_transcript_in_a_record(self) -> None:
        [case] = cases([{"no": 1, "talk": {"text": "Ann: hi\nBot: ho"}}], "id=no", messages_key="talk.text")
        assert said(case) == [("user", "hi"), ("assistant", "ho")]

    def test_messages_that_are_json_in_a_text(self) -> None:
        row = {"payload": json.dumps({"m": [{"who": "user", "text": "hi"}, {"who": "bot", "text": "ho"}]})}
        assert len(cases([row], messages_key="payload.m")[0].turns) == 2


class TestARecordThatIsAMessage:
    def test_rows_of_an_id_are_a_conversation_in_the_order_of_time(self) -> None:
        by_id = {(case.metadata or {})["source_id"]: said(case) for case in cases(ROWS, ROW_MAP)}
        assert by_id["1"] == [("user", "hi"), ("assistant", "ho")]
        assert by_id["2"] == [("user", "first"), ("user", "second"), ("assistant", "reply")]

    def test_without_an_id_they_are_one(self) -> None:
        assert len(cases(ROWS, "role=sender,content=body.text,order=chat,assistant=Zed")[0].turns) == 5

    def test_a_list_of_messages_of_several_conversations(self) -> None:
        told = ",".join(
            f"{part}=rows[].{path}"
            for part, path in (("id", "chat"), ("role", "sender"), ("content", "body.text"), ("time", "ts"))
        )
        assert len(cases({"rows": ROWS}, f"{told},assistant=Zed")) == 2

    def test_a_record_that_is_a_question_with_its_answer(self) -> None:
        found = cases([{"q": {"text": "a?"}, "reply": "b", "lang": "en"}] * 2, "user=q.text,assistant=reply")
        assert [said(case) for case in found] == [[("user", "a?"), ("assistant", "b")]] * 2

    def test_a_record_without_an_id_is_rejected_and_the_others_load(self) -> None:
        found = records([*ROWS, {"sender": "Ann", "body": {"text": "lost"}}], ROW_MAP)
        assert [type(record) for record in found].count(Rejected) == 1

    def test_one_that_cannot_be_read_leaves_its_conversation_out(self) -> None:
        lines = [json.dumps(row) for row in (*ROWS, *({**row, "chat": 3} for row in ROWS[:3]))]
        broken = "\n".join([*lines[:4], "{broken", *lines[4:]])
        cut, *whole = records(broken, ROW_MAP)
        assert "line 5" in cut.error.detail
        assert 'of those next to it conversations "1" and "2" are left out' in cut.error.detail
        assert [record.case.name for record in whole] == ["3"]

    def test_a_row_of_a_table_that_cannot_be_read_says_of_which_it_is(self) -> None:
        content = 'no,who,what\n1,Ann,"{""t"": ""hi""}"\n1,Zed,"{""t"": ""ho""}",x\n2,Zed,"{""t"": ""yo""}"\n'
        cut, whole = records(content, "id=no,role=who,content=what.t,assistant=Zed")
        assert "row 2, line 3, expected 3 cells" in cut.error.detail
        assert 'so conversation "1" is left out' in cut.error.detail
        assert said(whole.case) == [("assistant", "yo")]

    def test_without_an_id_one_that_cannot_be_read_leaves_all_out(self) -> None:
        lines = [json.dumps({"who": who, "what": {"t": "hi"}}) for who in ("Ann", "Zed")]
        [cut] = records("\n".join([*lines, "{broken"]), "role=who,content=what.t,assistant=Zed")
        assert "so the conversation is left out" in cut.error.detail


class TestKindsOfFiles:
    def test_lines_yaml_and_csv_are_read_as_json_is(self) -> None:
        wanted = sorted(str(said(case)) for case in cases(ROWS, ROW_MAP))
        lines = "\n".join(map(json.dumps, ROWS))
        yaml = "\n".join(f"- {json.dumps(row)}" for row in ROWS)
        cells = io.StringIO()
        table = csv.DictWriter(cells, list(ROWS[0]))
        table.writeheader()
        table.writerows({**row, "body": json.dumps(row["body"])} for row in ROWS)
        for content in (lines, yaml, cells.getvalue()):
            assert sorted(str(said(case)) for case in cases(content, ROW_MAP)) == wanted

    def test_parquet(self, tmp_path: Path) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        arrow = pytest.importorskip("pyarrow")
        path = tmp_path / "rows.parquet"
        parquet.write_table(arrow.Table.from_pylist(ROWS), path)
        assert len(cases(path.read_bytes(), ROW_MAP)) == 2
        parquet.write_table(arrow.Table.from_pylist([TALK]), path)
        [case] = cases(path.read_bytes(), "role=who,content=data.text", messages_key="log.events")
        assert len(case.turns) == 2

    def test_names_alone_mean_a_transcript_but_in_a_list_of_yaml(self) -> None:
        [record] = records("Anna: hi\nMax: ho\n", "user=Anna,assistant=Max")
        assert record.format == "transcript"
        [record] = records("- {ask: {text: hi}, reply: ho}\n", "user=ask.text,assistant=reply")
        assert (record.format, said(record.case)) == ("mapped", [("user", "hi"), ("assistant", "ho")])

    def test_yaml_of_several_documents(self) -> None:
        one = "log:\n  - {who: user, say: hi}\n  - {who: bot, say: ho}\n"
        assert len(cases(f"{one}---\n{one}", "role=who,content=say", messages_key="log")) == 2

    def test_a_large_file_is_read_as_a_small_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from turnwise.conversations.formats import sources

        document = {"talks": [TALK] * 30}
        told = "role=talks[].log.events[].who,content=talks[].log.events[].data.text"
        small = [said(case) for case in cases(document, told)]
        monkeypatch.setattr(sources, "SMALL_FILE", 100)
        assert [said(case) for case in cases(document, told)] == small
        assert len(small) == 30


class TestPathsThatLeadNowhere:
    @pytest.mark.parametrize(
        ("told", "key", "near"),
        [
            ("role=who,content=data.txt", "log.events", "--map content=data.text"),
            ("role=who,content=text", "log.events", "--map content=data.text"),
            ("role=who,content=data.text", "log.event", "--messages log.events"),
            ("role=who,content=data.text,id=chat.number,name=titel", "log.events", "chat"),
        ],
    )
    def test_the_nearest_path_is_offered(self, told: str, key: str, near: str) -> None:
        error = refused([TALK], told, messages_key=key)
        assert "leads to nothing" in error.title
        assert near in f"{error.detail} {error.next_step}"

    def test_nothing_comes_in_before_that_is_known(self) -> None:
        late = [*ROWS, {"chat": 3, "sender": "Ann", "body": {"text": "x"}, "ts": 1}]
        assert "tme" in refused(late, f"{ROW_MAP},name=tme").title

    def test_who_the_chatbot_is_is_asked_with_the_command(self) -> None:
        with pytest.raises(UnknownChatbotError) as caught:
            records(ROWS, "id=chat,role=sender,content=body.text")
        assert caught.value.speakers == (("Ann", 3), ("Zed", 2))
        assert "--assistant" in caught.value.next_step
        assert len(cases(ROWS, "id=chat,role=sender,content=body.text", assistant=["Zed"])) == 2

    def test_a_word_for_a_role_that_nobody_has_is_told(self) -> None:
        error = refused(ROWS, "id=chat,role=sender,content=body.text,assistant=Zad")
        assert "Nobody speaks as Zad" in error.title
        assert "Zed" in error.next_step

    def test_an_unknown_file_is_answered_with_the_command_that_reads_it(self) -> None:
        error = refused([TALK])
        assert "--messages log.events --map role=who,content=data.text" in error.next_step

    def test_so_is_one_whose_records_are_transcripts_in_a_text(self) -> None:
        talk = {"shown": "user: Where is it?\nassistant: In Oslo.", "hint": "Note: nobody speaks here"}
        error = refused([talk, talk])
        assert error.next_step.endswith("--messages shown")
        assert said(cases([talk], messages_key="shown")[0]) == [
            ("user", "Where is it?"),
            ("assistant", "In Oslo."),
        ]

    def test_so_is_one_whose_messages_are_pairs(self) -> None:
        record = {"dialog": [["user", "Where is it?"], ["bot", "In Oslo."]]}
        assert refused([record, record]).next_step.endswith("--messages dialog")

    def test_the_text_that_is_a_transcript_is_no_id(self) -> None:
        talk = {"conversation": "user: Where is it?\nassistant: In Oslo."}
        assert refused([talk, talk]).next_step.endswith("--messages conversation")


def test_the_name_of_the_format_alone_takes_what_the_shape_tells() -> None:
    [case] = cases([TALK], format="mapped")
    assert said(case) == [("user", "Where is my bag?"), ("assistant", "In Oslo.")]
    assert "Say it: --messages PATH" in refused([{"a": 1}], format="mapped").next_step


def test_a_reply_beside_the_messages_ends_the_conversation() -> None:
    row = {"m": [{"who": "user", "text": "hi"}], "response": "ho"}
    assert said(cases([row], "messages=m,role=who,content=text")[0])[-1] == ("assistant", "ho")


def test_a_record_whose_turns_are_all_empty_is_rejected() -> None:
    talks = [{"m": [{"who": "user", "t": ""}, {"who": "bot", "t": ""}]}, {"m": [{"who": "user", "t": "x"}]}]
    first, second = records(talks, "messages=m,role=who,content=t")
    assert isinstance(first, Rejected)
    assert isinstance(second, Loaded)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=2, max_size=12)


@given(
    st.lists(st.tuples(st.sampled_from(["ann", "zed"]), WORDS, WORDS), max_size=6),
    st.dictionaries(st.sampled_from(["lang", "site", "plan"]), WORDS),
)
def test_no_text_is_lost(messages: list[tuple[str, str, str]], about: dict[str, str]) -> None:
    messages = [("ann", "hello", "first"), *messages]
    said = [{"p": {"w": who, "t": text}, "x": more} for who, text, more in messages]
    [record] = records({"d": {"m": said}, **about}, "messages=d.m,role=p.w,content=p.t,user=ann")
    assert isinstance(record, Loaded), record
    kept = json.dumps(record.case.data(), ensure_ascii=False)
    for text in [*about.values(), *(text for _, *both in messages for text in both)]:
        assert json.dumps(text, ensure_ascii=False)[1:-1] in kept


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["m", "who", "text", "id", "a"]), inner, max_size=4)
    ),
    max_leaves=12,
)
TOLD = st.sampled_from(
    [
        "role=who,content=text",
        "messages=m,role=who,content=text,id=id,time=a,tool_calls=a,name=id",
        "messages=m[].a",
        "content=m[].text,role=m[].who,id=m[].id",
        "user=who,assistant=text",
        "messages=m,user=who,assistant=text",
        "messages=.,role=who,content=text",
        "role=a[0].who,content=m[-1]",
    ]
)


@given(ANYTHING, TOLD)
def test_whatever_stands_in_a_file_is_read_rejected_or_refused(value: Any, told: str) -> None:
    for text in (
        json.dumps(value),
        json.dumps([value, value]),
        f"{json.dumps(value)}\n{json.dumps([value])}\n",
    ):
        with suppress(InputError):
            assert all(isinstance(record, Loaded | Rejected) for record in records(text, told))


def test_a_day_and_a_clock_at_two_paths_are_one_time() -> None:
    talk = {
        "log": [
            {"who": "bot", "words": "late", "on": {"day": "07.05.2024", "at": "08:00"}},
            {"who": "user", "words": "early", "on": {"day": "06.05.2024", "at": "23:59"}},
        ]
    }
    told = "messages=log,role=who,content=words,date=on.day,time=on.at"
    [record] = records(talk, told)
    assert isinstance(record, Loaded)
    assert isinstance(record.case, ConversationalTestCase)
    assert said(record.case) == [("user", "early"), ("assistant", "late")]
    metadata = record.case.turns[0].metadata or {}
    assert (metadata["time"], metadata["on"]) == ("06.05.2024 23:59", {"day": "06.05.2024"})
    assert record.remarks == ("on.day and on.at are read together as one time",)
