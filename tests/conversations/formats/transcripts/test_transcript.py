"""Transcripts as plain text and Markdown."""

import io
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.errors import FormatError, SettingError, UnknownChatbotError
from turnwise.conversations.formats import Loaded, Rejected, load, sources
from turnwise.conversations.formats.speakers import read_mapping


def conversations(text: str, *maps: str) -> list[ConversationalTestCase]:
    found = list(load(io.BytesIO(text.encode()), mapping=read_mapping(maps)))
    assert all(isinstance(record, Loaded) and record.format == "transcript" for record in found), found
    return [record.case for record in found if isinstance(record, Loaded)]  # type: ignore[misc]


def turns(text: str, *maps: str) -> list[tuple[str, str]]:
    [case] = conversations(text, *maps)
    return [(turn.role, turn.content) for turn in case.turns]


def refused(text: str, *maps: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        list(load(io.BytesIO(text.encode()), mapping=read_mapping(maps)))
    assert "standard input" in caught.value.detail
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "User: hi\nAssistant: ho\n",
        "User: hi\r\n\r\nAssistant: ho\r\n",
        "user:\nhi\n\nassistant:\nho\n",
        "Human: hi\nAI: ho",
        "Q: hi\nA: ho",
        "**User:** hi\n\n**Assistant:** ho\n",
        "**User**: hi\n\n**Bot**: ho\n",
        "### User\n\nhi\n\n### Assistant\n\nho\n",
        "#### You:\nhi\n\n#### ChatGPT:\nho\n",
        "[12:03] User: hi\n[12:04] Bot: ho\n",
        "12:03 Customer: hi\n12:04 Agent: ho\n",
        "\ufeffUser: hi\nAssistant: ho\n",
    ],
)
def test_the_usual_ways_to_write_who_speaks(text: str) -> None:
    assert turns(text) == [("user", "hi"), ("assistant", "ho")]


def test_text_goes_on_until_somebody_else_speaks() -> None:
    text = "User: one\n\n  two\nNote: three\n\nAssistant: four\n- five: six\n"
    assert turns(text) == [("user", "one\n\n  two\nNote: three"), ("assistant", "four\n- five: six")]


def test_what_stands_in_a_fence_of_code_is_said_by_nobody() -> None:
    text = "User: hi\nAssistant:\n```\nUser: not I\n---\n```\nUser: bye\n"
    assert turns(text)[1] == ("assistant", "```\nUser: not I\n---\n```")
    assert len(turns(text)) == 3


def test_times_and_names_are_kept_with_the_turn() -> None:
    [case] = conversations("[12:03] Anna: hi\n[12:04] Bot: ho\n")
    assert [(turn.role, turn.name, turn.metadata) for turn in case.turns] == [
        ("user", "Anna", {"time": "12:03"}),
        ("assistant", None, {"time": "12:04"}),
    ]


def test_of_two_speakers_the_one_that_is_no_bot_is_the_user() -> None:
    assert turns("Anna: hi\nBot: ho\n") == [("user", "hi"), ("assistant", "ho")]


@pytest.mark.parametrize(
    ("text", "names", "step"),
    [
        ("[12:03] Anna: hi\n[12:04] Max: ho\n", "got Anna, Max", "--map user=Anna,assistant=Max"),
        ("Anna: a\nMax: b\nAnna: c\nMax: d\n", "got Anna, Max", "--map user=Anna,assistant=Max"),
        ("User: a\nBot: b\nAnna: c\nAnna: d\n", "got Anna", "--map user=Anna"),
        ("[1:03] Bot: a\n[1:04] Anna: b\n[1:05] Max: c\n", "got Anna, Max", "--map user=Anna,assistant=Max"),
    ],
)
def test_speakers_that_nobody_knows_are_an_error_that_names_them(text: str, names: str, step: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(load(io.BytesIO(text.encode())))
    assert names in caught.value.detail
    assert step in caught.value.next_step


def test_names_may_be_told() -> None:
    text = "[12:03] Anna: hi\n[12:04] Max: ho\n[12:05] Eve: and I\n"
    assert turns(text, "user=Anna,user=Eve", "assistant=Max") == [
        ("user", "hi"),
        ("assistant", "ho"),
        ("user", "and I"),
    ]
    assert turns("Anna: hi\nMax: ho\n", "user=Anna") == [("user", "hi"), ("assistant", "ho")]


def test_where_names_are_told_other_words_are_words() -> None:
    text = "User: a\nAssistant: b\nNote: c\nNote: d\n"
    assert "Note" in refused(text).detail
    assert turns(text, "user=User,assistant=Assistant") == [
        ("user", "a"),
        ("assistant", "b\nNote: c\nNote: d"),
    ]


def test_names_that_nobody_has_are_refused_with_those_there_are() -> None:
    error = refused("Anna: hi\nMax: ho\n", "user=Ana,assistant=Mx")
    assert "got Anna, Max" in error.detail


def test_a_transcript_has_no_columns() -> None:
    with pytest.raises(SettingError, match="no column"):
        list(load(io.BytesIO(b"User: a\nBot: b\n"), format="transcript", mapping=read_mapping(["id=x"])))


class TestSeveral:
    @pytest.mark.parametrize("rule", ["---", "***", "=====", "\n---\n"])
    def test_a_rule_parts_conversations(self, rule: str) -> None:
        found = conversations(f"User: a\nBot: b\n{rule}\nUser: c\nBot: d\n")
        assert [[turn.content for turn in case.turns] for case in found] == [["a", "b"], ["c", "d"]]

    def test_a_heading_after_a_blank_line_parts_and_names_them(self) -> None:
        found = conversations("# One\n\nUser: a\nBot: b\n\n# Two\nUser: c\nBot: d\n")
        assert [(case.name, len(case.turns)) for case in found] == [("One", 2), ("Two", 2)]

    def test_headings_that_name_speakers_stand_below_those_that_name_conversations(self) -> None:
        found = conversations("# One\n### User\na\n### Bot\nb\n\n# Two\n### User\nc\n### Bot\nd\n")
        assert [(case.name, len(case.turns)) for case in found] == [("One", 2), ("Two", 2)]

    def test_rules_and_headings_in_a_reply_part_nothing(self) -> None:
        text = "**User:** a\n\n**Bot:** b\n\n---\n\n# Title\n\nmore\n\n**User:** c\n"
        assert [content for _, content in turns(text)] == ["a", "b\n\n---\n\n# Title\n\nmore", "c"]

    def test_rules_between_all_turns_part_nothing(self) -> None:
        text = "**User:** a\n\n---\n\n**Bot:** b\n\n---\n\n**User:** c\n\n---\n\n**Bot:** d\n"
        assert [role for role, _ in turns(text)] == ["user", "assistant", "user", "assistant"]

    def test_what_stands_above_the_first_turn_is_kept(self) -> None:
        [case] = conversations("# Support\nOn Monday.\n\nUser: a\nBot: b\n")
        assert case.metadata is not None
        assert "On Monday." in case.metadata["before"]

    def test_a_part_in_which_nobody_speaks_is_kept_with_what_stands_before_it(self) -> None:
        [case] = conversations("User: a\nBot: b\n---\nSigned by all.\n")
        assert case.turns[1].content == "b\n---\nSigned by all."


@pytest.mark.parametrize(
    "text",
    [
        "A report.\nIt has: words.\nAnd more.\n",
        "name: test\nsettings:\n  - user: hi\n    assistant: ho\n",
        "# Readme\n\nText.\n\nMore.\n\na\nb\nc\nd\ne\nf\nUser: hi\nAssistant: ho\n",
        "Note: one\nWarning: two\n",
        "model: m\nuser: admin\n",
    ],
)
def test_other_texts_are_no_transcripts(text: str) -> None:
    assert "no format that turnwise can tell" in refused(text).title


def test_bytes_that_are_no_text_are_told_by_line() -> None:
    with pytest.raises(FormatError, match="line 2: expected text in UTF-8"):
        list(load(io.BytesIO(b"User: a\nBot: \xff\nUser: b\n")))


def test_a_line_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONGEST_TEXT_LINE", 100)
    assert "line 2: expected a line of text" in refused("User: a\nBot: " + "b" * 200).detail


_plain_text = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"], exclude_characters=":#*_-=`~"))
_said = st.lists(st.tuples(st.sampled_from(["User", "Assistant"]), _plain_text), min_size=1, max_size=8)
_styles = st.sampled_from(["{}: {}", "{}:\n{}", "**{}:** {}", "### {}\n{}", "[12:03] {}: {}"])


@given(_said, _styles)
def test_nothing_said_is_lost(said: list[tuple[str, str]], style: str) -> None:
    said = [("User", "begin"), ("Assistant", "go on"), *said]
    text = "\n".join(style.format(name, words) for name, words in said)
    found = list(load(io.BytesIO(text.encode()), format="transcript"))
    got: list[Any] = []
    for record in found:
        assert not isinstance(record, Rejected)
        assert isinstance(record.case, ConversationalTestCase)
        got += [(turn.role, turn.content.strip()) for turn in record.case.turns]
    assert got == [(name.lower(), words.strip()) for name, words in said]


def test_who_speaks_is_listed_with_their_turns_and_the_command_that_says_who_the_chatbot_is() -> None:
    with pytest.raises(UnknownChatbotError) as caught:
        list(load(io.BytesIO(b"Anna: hi\nZed: ho\nAnna: so\nZed: yes\nAnna: bye\n")))
    assert caught.value.speakers == (("Anna", 3), ("Zed", 2))
    assert "Anna (3 turns), Zed (2 turns)" in caught.value.detail
    assert "--assistant Anna" in caught.value.next_step


def remarks_on(text: str, *maps: str) -> tuple[str, ...]:
    [record] = load(io.BytesIO(text.encode()), mapping=read_mapping(maps))
    assert isinstance(record, Loaded)
    return record.remarks


class TestOddLines:
    TURNS = "2026-11-20 09:12:04 Customer: Hi\n2026-11-20 09:15:07 Agent: Bye\n"

    def test_a_line_that_begins_with_a_time_and_is_no_turn_is_told_with_its_line(self) -> None:
        text = f"{self.TURNS}2026-11-20 09:15:10 Customer Done without colon\nmore words\n"
        assert remarks_on(text) == (
            "line 3 begins with a time but names no speaker; it was read as more of line 2",
        )

    def test_so_is_one_that_begins_with_somebody_in_brackets(self) -> None:
        assert remarks_on(f"{self.TURNS}\n[system] chat closed\n") == (
            "line 4 begins with [system] but with no time; it was read as more of line 2",
        )

    def test_so_is_one_of_a_speaker_whom_nobody_named(self) -> None:
        text = "[12:03] Anna: hi\n[12:04] Max: ho\n[12:05] Eve: and I\n"
        [told] = remarks_on(text, "user=Anna,assistant=Max")
        assert told.startswith("line 3 begins with a time, and nobody said who Eve is;")

    def test_a_time_that_is_none_is_told(self) -> None:
        [told] = remarks_on(self.TURNS.replace("09:15:07", "09:99:31"))
        assert (
            told == "line 2 begins with 2026-11-20 09:99:31, which is no time; it was kept as it is written"
        )

    def test_of_many_the_first_are_told_and_how_many_there_are(self) -> None:
        told = remarks_on(self.TURNS + "2026-11-20 09:16:00 nobody\n" * 8)
        assert [remark.partition(" begins")[0] for remark in told] == ["line 3", "line 4", "line 5"]
        assert told[-1].endswith("; so it is with 5 more lines")

    def test_a_part_between_silences_has_its_own(self) -> None:
        later = "2026-11-21 09:00:00 Customer: Hi again\n2026-11-21 09:01:00 nobody\n"
        first, second = parted(f"{self.TURNS}{later}2026-11-21 09:02:00 Agent: Yes\n", 6 * HOUR)
        assert isinstance(first, Loaded)
        assert isinstance(second, Loaded)
        assert not first.remarks
        assert [remark.partition(" begins")[0] for remark in second.remarks] == ["line 4"]

    @pytest.mark.parametrize(
        "line",
        [
            "more words",
            "12:30 suits me",
            "[this page](https://example.org) says so",
            "[Photo]",
            "```\n2026-11-20 09:16:00 started\n```",
        ],
    )
    def test_other_lines_are_words_of_the_turn(self, line: str) -> None:
        assert remarks_on(f"{self.TURNS}{line}\n") == ()

    def test_where_turns_have_no_times_times_are_words(self) -> None:
        assert remarks_on("User: when?\nAssistant: these:\n12:30\n[noon] or 13:00\n") == ()


LOG = (
    "What we noted\n"
    "[2026-01-05 10:00:00] User: where is it?\n"
    "[2026-01-05 10:00:20] Assistant: in Oslo\nand safe\n"
    "\n"
    "[2026-01-06 09:30:00] User: good morning\n"
    "[2026-01-06 09:30:20] Assistant: hello\n"
)
HOUR = 3600.0


def parted(text: str, after: float) -> list[Loaded | Rejected]:
    return list(load(io.BytesIO(text.encode()), split_after=after))


class TestSilences:
    def test_a_long_one_is_told_with_its_lines(self) -> None:
        [record] = load(io.BytesIO(LOG.encode()))
        assert isinstance(record, Loaded)
        [silence] = record.silences
        assert (silence.before, silence.after) == ("line 3", "line 6")
        assert silence.seconds == 23 * HOUR + 29 * 60 + 40

    def test_it_parts_conversations_where_that_was_asked_and_loses_nothing(self) -> None:
        first, second = parted(LOG, 6 * HOUR)
        assert isinstance(first, Loaded)
        assert isinstance(second, Loaded)
        said = [turn.content for record in (first, second) for turn in record.case.turns]  # type: ignore[union-attr]
        assert said == ["where is it?", "in Oslo\nand safe", "good morning", "hello"]
        assert (first.case.metadata, second.case.metadata) == ({"before": "What we noted"}, None)
        assert (first.place.line, second.place.line) == (1, 6)
        assert not any(record.silences for record in (first, second))

    def test_a_shorter_one_parts_nothing(self) -> None:
        assert len(parted(LOG, 48 * HOUR)) == 1

    def test_parts_of_a_conversation_with_a_title_are_numbered(self) -> None:
        first, second = parted("# Lost bag\n\n" + LOG.partition("\n")[2], 6 * HOUR)
        assert isinstance(first, Loaded)
        assert isinstance(second, Loaded)
        assert (first.case.name, second.case.name) == ("Lost bag", "Lost bag (2)")

    def test_bytes_that_are_no_text_spoil_their_own_part_only(self) -> None:
        broken = LOG.encode().replace(b"hello", b"hel\xfflo")
        first, second = load(io.BytesIO(broken), split_after=6 * HOUR)
        assert isinstance(first, Loaded)
        assert isinstance(second, Rejected)
        assert "line 7" in second.error.detail

    def test_it_is_said_where_no_line_has_a_time(self) -> None:
        [record] = parted("User: hi\nAssistant: ho\n", HOUR)
        assert isinstance(record, Loaded)
        assert any("no line begins with a time" in remark for remark in record.remarks)

    @given(st.lists(st.integers(0, 50), min_size=2, max_size=20))
    def test_all_turns_stay_in_their_order(self, hours: list[int]) -> None:
        at = [sum(hours[: place + 1]) for place in range(len(hours))]
        lines = [
            f"[2026-01-{1 + hour // 24:02} {hour % 24:02}:00] {'Bot' if place % 2 else 'User'}: {place}"
            for place, hour in enumerate(at)
            if hour < 24 * 28
        ]
        if len(lines) < 2:
            return
        records = parted("\n".join(lines), 6 * HOUR)
        assert all(isinstance(record, Loaded) for record in records)
        said = [turn.content for record in records for turn in record.case.turns]  # type: ignore[union-attr]
        assert said == [str(place) for place in range(len(lines))]
        shown = at[: len(lines)]
        cuts = sum(later - earlier >= 6 for earlier, later in pairwise(shown))
        assert len(records) == cuts + 1
