"""Tables of conversations in CSV and Parquet."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase, ToolCall
from turnwise.conversations.errors import FormatError, SettingError
from turnwise.conversations.formats import Loaded, Rejected, load
from turnwise.conversations.formats.speakers import read_mapping

Write = Callable[[list[dict[str, Any]]], bytes]
"""Writes rows as Parquet."""


def written(*rows: Any) -> bytes:
    """Write rows of CSV; the first is the header."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def read(content: bytes, *maps: str, **options: Any) -> list[Loaded | Rejected]:
    return list(load(io.BytesIO(content), mapping=read_mapping(maps), **options))


def cases(content: bytes, *maps: str) -> list[ConversationalTestCase]:
    found = read(content, *maps)
    assert all(isinstance(record, Loaded) and record.format == "table" for record in found), found
    return [record.case for record in found if isinstance(record, Loaded)]  # type: ignore[misc]


def said(content: bytes, *maps: str) -> list[list[tuple[str, str]]]:
    return [[(turn.role, turn.content) for turn in case.turns] for case in cases(content, *maps)]


@pytest.mark.parametrize("beside", ["scenario", "turns"])
def test_a_column_of_test_cases_beside_who_speaks_makes_none_of_a_table(beside: str) -> None:
    assert said(written(("question", "answer", beside), ("hi", "ho", "1"))) == [
        [("user", "hi"), ("assistant", "ho")]
    ]
    by_turn = written(
        ("chat_id", "role", "content", beside), (1, "user", "hi", "1"), (1, "assistant", "ho", "1")
    )
    assert said(by_turn) == [[("user", "hi"), ("assistant", "ho")]]


class TestARowATurn:
    def test_rows_of_a_conversation_may_lie_between_others(self) -> None:
        content = written(
            ("conversation_id", "role", "content"),
            ("a", "user", "hi"),
            ("b", "user", "yo"),
            ("a", "assistant", "ho"),
            ("b", "assistant", "oh"),
        )
        found = cases(content)
        assert [(case.name, case.metadata) for case in found] == [
            ("a", {"conversation_id": "a"}),
            ("b", {"conversation_id": "b"}),
        ]
        assert said(content) == [
            [("user", "hi"), ("assistant", "ho")],
            [("user", "yo"), ("assistant", "oh")],
        ]

    def test_without_ids_the_table_is_one_conversation(self) -> None:
        assert said(written(("speaker", "text"), ("Customer", "hi"), ("Agent", "ho"))) == [
            [("user", "hi"), ("assistant", "ho")]
        ]

    def test_an_id_counts_where_one_comes_twice(self) -> None:
        turns = [("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d")]
        of_rows = written(
            ("id", "role", "content"), *((str(place), *turn) for place, turn in enumerate(turns))
        )
        of_chats = written(
            ("id", "role", "content"), *(("12"[place > 1], *t) for place, t in enumerate(turns))
        )
        assert [len(case) for case in said(of_rows)] == [4]
        assert [len(case) for case in said(of_chats)] == [2, 2]

    @pytest.mark.parametrize(
        ("column", "first", "second"),
        [
            ("turn_index", "2", "10"),
            ("timestamp", "2024-05-01T09:00:00+00:00", "2024-05-01T09:30:00Z"),
            ("timestamp", "1714554000", "1714554001.5"),
        ],
    )
    def test_turns_stand_in_the_order_of_their_numbers_or_times(
        self, column: str, first: str, second: str
    ) -> None:
        content = written(("role", "content", column), ("assistant", "ho", second), ("user", "hi", first))
        assert said(content) == [[("user", "hi"), ("assistant", "ho")]]
        [case] = cases(content)
        time = {"time": "2024-05-01T09:00:00+00:00"} if column == "timestamp" else {}
        assert case.turns[0].metadata == {column: first, **time}

    def test_where_a_time_cannot_be_read_the_order_of_the_file_stands(self) -> None:
        content = written(("role", "content", "time"), ("user", "hi", "soon"), ("assistant", "ho", "09:00"))
        assert said(content) == [[("user", "hi"), ("assistant", "ho")]]

    def test_what_else_a_row_holds_stays_with_its_turn_and_calls_get_their_outputs(self) -> None:
        calls = json.dumps([{"id": "1", "function": {"name": "find", "arguments": "{}"}}])
        content = written(
            ("role", "content", "tool_calls", "tool_call_id", "rating"),
            ("user", "hi", "", "", "5"),
            ("assistant", "", calls, "", ""),
            ("tool", "here", "", "1", ""),
        )
        [case] = cases(content)
        assert case.turns[0].metadata == {"rating": "5"}
        assert case.turns[1].tools_called == [ToolCall(name="find", input_parameters={}, output="here")]

    def test_columns_and_speakers_may_be_told(self) -> None:
        content = written(("chat", "who", "what"), ("1", "Anna", "hi"), ("1", "Max", "ho"))
        told = "id=chat,role=who,content=what,user=Anna,assistant=Max"
        [case] = cases(content, told)
        assert [(turn.role, turn.name, turn.content) for turn in case.turns] == [
            ("user", "Anna", "hi"),
            ("assistant", "Max", "ho"),
        ]

    def test_strangers_are_an_error_that_names_them(self) -> None:
        content = written(("role", "content"), ("Anna", "hi"), ("Max", "ho"))
        with pytest.raises(FormatError) as caught:
            read(content)
        assert "column role: " in caught.value.detail
        assert "--map user=Anna,assistant=Max" in caught.value.next_step

    def test_names_that_nobody_has_are_refused_with_those_there_are(self) -> None:
        content = written(("role", "content"), ("user", "hi"), ("assistant", "ho"))
        with pytest.raises(FormatError, match="got user, assistant"):
            read(content, "user=Ana")

    def test_a_bad_row_spoils_its_own_conversation_only(self) -> None:
        content = written(
            ("conversation_id", "role", "content"),
            ("a", "user", "hi"),
            ("b", "waiter", "yo"),
            ("c", "", "yo"),
            ("d", "bot", "yo"),
            ("e", "cook", "yo"),
        )
        problems = [record.error.detail for record in read(content) if isinstance(record, Rejected)]
        assert "role: expected speakers whose role is known" in problems[0]
        assert "row 3, line 4, role: expected who speaks; got an empty cell" in problems[1]
        assert len(problems) == 3

    def test_the_row_that_is_wrong_is_named_and_what_goes_with_it(self) -> None:
        content = written(
            ("conv", "who", "text"),
            ("7", "user", "hi"),
            ("7", "", "lost?"),
            ("7", "bot", "ho"),
            ("8", "bot", "b"),
        )
        spoilt, whole = read(content)
        assert isinstance(spoilt, Rejected)
        assert "row 2, line 3, who: expected who speaks; got an empty cell" in spoilt.error.detail
        assert 'so conversation "7", 3 rows, is left out' in spoilt.error.detail
        assert isinstance(whole, Loaded)


def told(content: bytes, *maps: str) -> tuple[list[str | None], list[str]]:
    """Return the names of the conversations that come in, and why others do not."""
    found = read(content, *maps)
    names = [record.case.name for record in found if isinstance(record, Loaded)]
    return names, [record.error.detail for record in found if isinstance(record, Rejected)]


class TestARowThatCannotBeRead:
    @pytest.mark.parametrize(
        ("row", "problem"),
        [
            (b'1,user,"a "broken" quote"', "expected a row of CSV; "),
            (b'1,user,"a quote without end', "expected a row of CSV; a quote opens in it that never ends"),
            (b"1,user,one, two", "expected 3 cells, as in the header; got 4"),
            (b"1,user", "expected 3 cells, as in the header; got 2"),
            (b"1,user,\xff\xc3\xa9", "text: expected text in UTF-8; got other bytes"),
            (b",user,whose is it?", "conv: expected the id of a conversation; got an empty cell"),
        ],
    )
    def test_its_conversation_is_left_out_and_the_rest_comes_in(self, row: bytes, problem: str) -> None:
        content = b"conv,who,text\n1,user,hi\n1,bot,ho\n%b\n1,bot,oh\n2,user,\xc3\xa9\n2,bot,b\n" % row
        names, [why] = told(content)
        assert names == ["2"]
        assert f"row 3, line 4, {problem}" in why
        assert 'conversation "1" is left out' in why

    def test_a_quote_without_end_takes_no_later_rows_with_it(self) -> None:
        content = b'conv,who,text\n1,user,"hi\n2,user,"yo"\n2,bot,oh\n3,user,yo\n3,bot,oh\n'
        names, [why] = told(content)
        assert names == ["2", "3"]
        assert "row 1, line 2, expected a row of CSV" in why

    def test_what_is_all_of_its_conversation_takes_no_other_with_it(self) -> None:
        content = b"conv,who,text\n1,user,hi\n1,bot,ho\n2,user,one, two\n3,user,hi\n3,bot,ho\n"
        names, [why] = told(content)
        assert names == ["1", "3"]
        assert why.endswith("got 4")

    def test_an_id_in_the_last_column_is_found_too(self) -> None:
        content = b"who,text,conv\nuser,hi,1\nbot,ho,1\nuser,one, two,1\nuser,hi,2\nbot,ho,2\n"
        names, [why] = told(content)
        assert names == ["2"]
        assert 'so conversation "1" is left out, which would lack a turn' in why

    def test_lines_of_a_text_without_quotes_are_of_the_conversation_they_stand_in(self) -> None:
        content = b"conv,who,text\n1,user,hi\n1,bot,one\ntwo\nthree, and four\n2,user,hi\n2,bot,ho\n"
        names, why = told(content)
        assert names == []
        assert "nothing tells which conversation it is of" in why[0]
        assert 'conversations "1" and "2" are left out' in why[0]
        assert "left out" not in why[1]
        inside = content.replace(b"2,user", b"1,user").replace(b"2,bot", b"1,bot")
        assert 'conversation "1" is left out' in told(inside)[1][0]

    def test_without_ids_the_table_is_the_conversation_that_is_left_out(self) -> None:
        names, [why] = told(b"who,text\nuser,hi\nbot,ho\nuser,one, two\nbot,oh\n")
        assert names == []
        assert why.endswith("got 3; so the conversation is left out, which would lack a turn")

    def test_an_exchange_of_several_goes_with_them(self) -> None:
        content = b"conv,user,assistant\n1,hi,ho\n1,a,b,c\n2,hi,ho\n2,,\n3,hi,ho\n"
        names, why = told(content)
        assert names == ["3"]
        assert "row 2, line 3, expected 3 cells, as in the header; got 4; so conversation" in why[0]
        assert "row 4, line 5, user, assistant: expected a text in one of them" in why[1]
        assert 'conversation "2", 2 rows, is left out' in why[1]

    def test_a_row_that_is_a_conversation_takes_no_other_with_it(self) -> None:
        names, [why] = told(b"question,answer\nhi,ho\na,b,c\nyo,oh\n")
        assert len(names) == 2
        assert why.endswith("got 3")


class TestARowAConversation:
    def test_a_row_is_an_exchange(self) -> None:
        content = written(("question", "answer", "topic"), ("Why?", "So.", "t"), ("Who?", "", "u"))
        assert said(content) == [[("user", "Why?"), ("assistant", "So.")], [("user", "Who?")]]
        assert [case.metadata for case in cases(content)] == [{"topic": "t"}, {"topic": "u"}]

    def test_rows_of_the_same_id_are_one_conversation_and_a_prompt_is_said_once(self) -> None:
        content = written(
            ("chat_id", "system", "user", "assistant"),
            ("1", "s", "a", "b"),
            ("1", "s", "c", "d"),
            ("2", "s", "e", "f"),
        )
        assert [[text for _, text in turns] for turns in said(content)] == [
            ["s", "a", "b", "c", "d"],
            ["s", "e", "f"],
        ]

    def test_columns_may_be_told(self) -> None:
        content = written(("q", "a"), ("hi", "ho"))
        assert said(content, "user=q,assistant=a") == [[("user", "hi"), ("assistant", "ho")]]

    def test_a_row_without_words_is_rejected(self) -> None:
        content = written(("question", "answer", "n"), ("a", "b", "1"), ("", "", "2"))
        [good, bad] = read(content)
        assert isinstance(good, Loaded)
        assert isinstance(bad, Rejected)
        assert "row 2, line 3, question, answer: expected a text in one of them" in bad.error.detail

    @pytest.mark.parametrize(
        ("name", "cell"),
        [
            (
                "messages",
                json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]),
            ),
            ("conversations", json.dumps([{"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}])),
            ("transcript", "User: hi\nBot: ho"),
        ],
    )
    def test_a_cell_may_hold_all_of_it(self, name: str, cell: str) -> None:
        content = written(("id", name, "score"), ("7", cell, "1"), ("8", cell, "2"))
        assert said(content) == [[("user", "hi"), ("assistant", "ho")]] * 2
        assert [case.metadata for case in cases(content)] == [
            {"id": "7", "score": "1"},
            {"id": "8", "score": "2"},
        ]

    def test_a_cell_that_holds_no_conversation_is_rejected(self) -> None:
        content = written(
            ("id", "messages"), ("1", '[{"role": "user", "content": "a"}]'), ("2", "[1"), ("3", "x")
        )
        [good, *bad] = read(content)
        assert isinstance(good, Loaded)
        assert all(isinstance(record, Rejected) for record in bad)


def test_a_column_that_is_not_there_is_told_with_those_there_are() -> None:
    with pytest.raises(FormatError) as caught:
        read(written(("a", "b"), ("1", "2")), "role=who,content=b")
    assert "--map names a column who; the table holds" in caught.value.detail
    assert "--map id=chat_id" in caught.value.next_step


def test_tables_of_other_things_are_left_alone() -> None:
    for header in (("month", "revenue"), ("name", "question", "__expected"), ("transcript", "length")):
        with pytest.raises(FormatError, match="no format"):
            read(written(header, *[("x",) * len(header)] * 2))


class TestParquet:
    @pytest.fixture
    def parquet(self) -> Write:
        arrow = pytest.importorskip("pyarrow")
        file = pytest.importorskip("pyarrow.parquet")

        def write(rows: list[dict[str, Any]]) -> bytes:
            sink = io.BytesIO()
            file.write_table(arrow.Table.from_pylist(rows), sink)
            return sink.getvalue()

        return write

    def test_a_row_a_turn(self, parquet: Write) -> None:
        rows = [
            {"chat_id": number // 2, "role": ("user", "assistant")[number % 2], "content": f"said {number}"}
            for number in range(2_000)
        ]
        found = said(parquet(rows))
        assert len(found) == 1_000
        assert [text for turns in found for _, text in turns] == [row["content"] for row in rows]

    def test_a_row_a_conversation_with_lists_of_messages(self, parquet: Write) -> None:
        messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
        told = [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}]
        for name, value in (("messages", messages), ("conversations", told)):
            content = parquet([{"id": 1, name: value, "score": 0.5}])
            assert said(content) == [[("user", "hi"), ("assistant", "ho")]]
            assert cases(content)[0].metadata == {"id": 1, "score": 0.5}

    def test_columns_may_be_told(self, parquet: Write) -> None:
        assert said(parquet([{"q": "hi", "a": "ho"}]), "user=q,assistant=a") == [
            [("user", "hi"), ("assistant", "ho")]
        ]

    def test_a_damaged_file_is_told(self, parquet: Write) -> None:
        content = parquet([{"question": "hi", "answer": "ho"}] * 50)
        for cut in range(4, len(content), 37):
            with pytest.raises(FormatError) as caught:
                read(content[:cut])
            assert "expected Parquet" in caught.value.detail

    def test_without_the_package_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing(name: str) -> Any:
            raise ImportError(name)

        monkeypatch.setattr("importlib.import_module", missing)
        with pytest.raises(SettingError) as caught:
            read(b"PAR1\x00\x00PAR1")
        assert "pip install 'turnwise[parquet]'" in caught.value.next_step


_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1)
_rows = st.lists(
    st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["user", "assistant"]), _cells), min_size=1
)


@given(_rows)
def test_nothing_said_is_lost(rows: list[tuple[str, str, str]]) -> None:
    found = read(written(("conversation_id", "role", "content"), *rows), format="table")
    got = {
        record.case.name: [(turn.role, turn.content) for turn in record.case.turns]  # type: ignore[union-attr]
        for record in found
        if isinstance(record, Loaded)
    }
    wanted: dict[str, list[tuple[str, str]]] = {}
    for key, role, text in rows:
        wanted.setdefault(key, []).append((role, text))
    assert got == wanted


class TestSilences:
    ROWS = (
        ("sender", "text", "time"),
        ("user", "where is it?", "2026-01-05T10:00:00Z"),
        ("assistant", "in Oslo", "2026-01-05T10:01:00Z"),
        ("user", "good morning", "2026-01-06T09:30:00Z"),
        ("assistant", "hello", "2026-01-06T09:31:00Z"),
    )

    def test_in_a_table_without_ids_they_are_told(self) -> None:
        [record] = read(written(*self.ROWS))
        assert isinstance(record, Loaded)
        [silence] = record.silences
        assert (silence.before, silence.after, silence.seconds) == ("row 2", "row 3", 23 * 3600 + 29 * 60)

    def test_they_part_it_on_request_whatever_the_order_of_its_rows(self) -> None:
        head, *rows = self.ROWS
        for standing in (rows, rows[::-1]):
            first, second = read(written(head, *standing), split_after=6 * 3600.0)
            assert isinstance(first, Loaded)
            assert isinstance(second, Loaded)
            assert [turn.content for turn in first.case.turns] == ["where is it?", "in Oslo"]  # type: ignore[union-attr]
            assert [turn.content for turn in second.case.turns] == ["good morning", "hello"]  # type: ignore[union-attr]
            assert (first.silences, second.silences, first.remarks) == ((), (), ())

    def test_moments_in_milliseconds_are_no_seconds(self) -> None:
        head, *rows = self.ROWS
        [record] = read(written(head, *((*row[:2], 1767607200000 + n) for n, row in enumerate(rows))))
        assert isinstance(record, Loaded)
        assert not record.silences

    def test_what_an_id_holds_together_is_one_conversation(self) -> None:
        named = [("chat_id", *self.ROWS[0]), *(("a", *row) for row in self.ROWS[1:])]
        for options in ({}, {"split_after": 3600.0}):
            [record] = read(written(*named), **options)
            assert isinstance(record, Loaded)
            assert not record.silences

    def test_without_times_it_is_said_that_nothing_is_there_to_cut_by(self) -> None:
        [record] = read(written(*(row[:2] for row in self.ROWS)), split_after=3600.0)
        assert isinstance(record, Loaded)
        assert record.remarks == ("--split-after: nothing to cut by, as no column has times",)

    @pytest.mark.parametrize(
        ("early", "late"),
        [
            ("06.05.2024 10:01", "07.05.2024 18:00"),
            ("12/05/2024 10:01", "13/05/2024 18:00"),
            ("05/12/2024 10:01", "05/13/2024 18:00"),
            ("2024/05/06 10:01", "2024/05/07 18:00"),
        ],
    )
    def test_dates_of_people_part_it_too(self, early: str, late: str) -> None:
        content = written(("sender", "text", "Datum"), ("user", "hi", early), ("assistant", "ho", late))
        [record] = read(content, "time=Datum")
        assert isinstance(record, Loaded)
        assert [silence.seconds for silence in record.silences] == [32 * 3600 - 60]
        assert record.remarks == ()
        assert len(read(content, "time=Datum", split_after=6 * 3600.0)) == 2

    @pytest.mark.parametrize("split_after", [None, 3600.0])
    @pytest.mark.parametrize("example", ["06/05/2024 10:01", "in spring"])
    def test_times_that_are_not_read_are_told_with_their_column(
        self, example: str, split_after: float | None
    ) -> None:
        content = written(("sender", "text", "time"), ("user", "hi", example), ("assistant", "ho", example))
        [record] = read(content, split_after=split_after)
        assert isinstance(record, Loaded)
        [remark] = record.remarks
        for words in ("column time", example, "write it as 2024-05-06 10:01"):
            assert words in remark
        assert remark.startswith("--split-after: nothing to cut by") == (split_after is not None)


class TestADayBesideAClock:
    HEAD = ("chat_id", "sender", "text", "Date", "Time")

    @pytest.mark.parametrize(
        ("day", "clock", "time"),
        [
            ("2024-05-06", "10:01", "2024-05-06 10:01"),
            ("06.05.2024", "10:01:30", "06.05.2024 10:01:30"),
            ("2024-05-06T00:00:00", "10:01", "2024-05-06 10:01"),
            ("13/05/2024", "9:01 PM", "13/05/2024 9:01 PM"),
        ],
    )
    def test_both_are_one_time_and_that_is_told(self, day: str, clock: str, time: str) -> None:
        content = written(self.HEAD, ("a", "user", "hi", day, clock), ("a", "assistant", "ho", day, clock))
        [record] = read(content)
        assert isinstance(record, Loaded)
        assert record.remarks == ("columns Date and Time are read together as one time",)
        [case] = cases(content)
        assert case.turns[0].metadata == {"Date": day, "Time": clock, "time": time}

    def test_rows_are_put_in_order_by_both(self) -> None:
        content = written(
            self.HEAD,
            ("a", "assistant", "late", "2024-05-07", "08:00"),
            ("a", "user", "early", "2024-05-06", "23:59"),
        )
        assert said(content) == [[("user", "early"), ("assistant", "late")]]

    def test_without_ids_silences_go_over_days(self) -> None:
        content = written(
            self.HEAD[1:],
            ("user", "hi", "2024-05-06", "10:01"),
            ("assistant", "ho", "2024-05-07", "18:00"),
        )
        [record] = read(content)
        assert isinstance(record, Loaded)
        assert [silence.seconds for silence in record.silences] == [32 * 3600 - 60]
        assert len(read(content, split_after=6 * 3600.0)) == 2

    def test_their_columns_may_be_told(self) -> None:
        head = ("sender", "text", "Datum", "Uhrzeit")
        content = written(
            head, ("assistant", "late", "07.05.2024", "08:00"), ("user", "early", "06.05.2024", "23:59")
        )
        assert said(content, "date=Datum,time=Uhrzeit") == [[("user", "early"), ("assistant", "late")]]

    @pytest.mark.parametrize(
        ("day", "time"),
        [("2024-05-06", "2024-05-06T10:01:00Z"), ("in spring", "10:01"), ("2024-05-06T09:00:00Z", "10:01")],
    )
    def test_what_is_a_time_by_itself_or_no_day_is_left_as_it_is(self, day: str, time: str) -> None:
        content = written(self.HEAD, ("a", "user", "hi", day, time), ("a", "assistant", "ho", day, time))
        [record] = read(content)
        assert isinstance(record, Loaded)
        assert not any("read together" in remark for remark in record.remarks)
