"""A long chat is cut where nobody wrote for a while, when that is asked for; threads never are."""

from chat_exports import TELEGRAM, slack_zip
from hypothesis import given
from hypothesis import strategies as st
from loading import about, cases, loaded, said

from turnwise.conversations.formats.format import Place
from turnwise.conversations.formats.messengers.chats import Chat, Utterance
from turnwise.conversations.formats.messengers.silence import parts_of

HOUR = 3600.0
CHAT = (
    "31/12/23, 10:00 - Ria: hello\n"
    "31/12/23, 10:05 - Bot: hello Ria\n"
    "31/12/23, 17:00 - Ria added Ben\n"
    "31/12/23, 18:00 - Ria: and I?\n"
    "31/12/23, 23:59 - Bot: you too\n"
)


def test_a_chat_is_cut_at_silences() -> None:
    first, second = cases(CHAT, split_after=6 * HOUR)
    assert [words for _, words in said(first)] == ["hello", "hello Ria"]
    assert [turn.role for turn in second.turns] == ["user", "assistant"]
    assert (first.metadata or {}).get("events") is None
    [event] = (second.metadata or {})["events"]
    assert (event["text"], event["after_turn"]) == ("Ria added Ben", 0)
    assert len(cases(CHAT)) == len(cases(CHAT, split_after=8 * HOUR)) == 1


def test_later_parts_name_the_one_before() -> None:
    later = {**TELEGRAM["messages"][1], "date_unixtime": "1715557610"}
    first, second = cases({**TELEGRAM, "messages": [*TELEGRAM["messages"], later]}, split_after=HOUR)
    assert (first.name, second.name) == ("Weather Wizard", "Weather Wizard (2)")
    assert first.metadata is not None
    assert second.metadata is not None
    assert first.metadata["source_id"] == second.metadata["continues"] == "777"
    assert second.metadata["source_id"] == "777#2"
    assert about(second, "time") == ["2024-05-12T23:46:50+00:00"]


def test_threads_stay_whole() -> None:
    thread, *_ = cases(slack_zip(), split_after=60)
    assert len(thread.turns) == 3


def test_it_is_said_where_there_is_nothing_to_cut() -> None:
    record, *_ = loaded({"messages": [{"role": "user", "content": "a"}]}, split_after=HOUR)
    assert any("--split-after" in remark for remark in record.remarks)


def test_silences_are_told_where_nobody_said_what_they_mean() -> None:
    [record] = loaded(CHAT)
    assert [(one.before, one.after, one.seconds) for one in record.silences] == [
        ("line 2", "line 4", 7 * HOUR + 55 * 60)
    ]
    assert not any(record.silences for record in loaded(CHAT, split_after=8 * HOUR))
    later = {**TELEGRAM["messages"][1], "date_unixtime": "1715657610"}
    [record] = loaded({**TELEGRAM, "messages": [*TELEGRAM["messages"], later]})
    [silence] = record.silences
    assert silence.after.startswith("message ")


def test_a_thread_is_one_conversation_however_long_nobody_wrote_in_it() -> None:
    assert not any(record.silences for record in loaded(slack_zip()) if len(record.case.turns) == 3)  # type: ignore[union-attr]


@given(st.lists(st.none() | st.integers(0, 10**6), max_size=20), st.lists(st.integers(0, 20), max_size=5))
def test_nothing_is_lost_and_nothing_moves(times: list[int | None], events: list[int]) -> None:
    chat = Chat(Place("x"), [Utterance("Ria", str(place), time) for place, time in enumerate(times)])
    chat.events = [{"at": place, "after_turn": min(place, len(times))} for place in sorted(events)]
    parts = list(parts_of(chat, HOUR))
    assert [one for part in parts for one in part.said] == chat.said
    assert [event["at"] for part in parts for event in part.events] == [event["at"] for event in chat.events]
    assert all(part.said for part in parts) or not times
    assert all(0 <= event["after_turn"] <= len(part.said) for part in parts for event in part.events)
