"""Calls become the conversations that programs had, however they interleave."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnwise.conversations.relay import CallSpool, TakenCalls
from turnwise.conversations.relay.relayed_call import CallNames, RelayedCall
from turnwise.conversations.store import Store

Said = list[tuple[str, str]]


def call(
    messages: Said, reply: str | None, *, interface: str = "chat", system: str = "", user: str = ""
) -> RelayedCall:
    """A call as a program makes it that sends its whole conversation."""
    sent: list[dict[str, Any]] = [{"role": role, "content": words} for role, words in messages]
    request: dict[str, Any] = {"model": "m"}
    answer: dict[str, Any] | None
    if interface == "messages":
        request |= {"messages": sent, **({"system": system} if system else {})}
        answer = {"id": "x", "type": "message", "content": [{"type": "text", "text": reply}]}
    elif interface == "responses":
        request |= {"input": sent, **({"instructions": system} if system else {})}
        part = {"type": "output_text", "text": reply}
        answer = {"id": "", "output": [{"type": "message", "role": "assistant", "content": [part]}]}
    else:
        told = [{"role": "system", "content": system}] if system else []
        request["messages"] = [*told, *sent]
        answer = {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": reply}}]}
    if reply is None:
        answer = None
    failure = "" if answer else "The server answered 503"
    return RelayedCall(interface, request, answer, 200, failure, 1.0, 0.1, names=CallNames(user=user))


def taken(calls: list[RelayedCall]) -> tuple[list[Said], list[dict[str, Any]]]:
    """What the sessions of these calls say, the oldest first, and their metadata."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "t.db") as store:
        spool = CallSpool(store.path)
        for one in calls:
            spool.add(one)
        list(TakenCalls(store, spool).take_in())
        spool.close()
        cases = [store.sessions.case(session) for session in sorted(store.sessions.ids())]
        said = [[(turn.role, turn.content) for turn in case.turns] for case in cases]
        return said, [case.metadata for case in cases]


def test_a_reply_that_is_asked_for_anew_is_a_session_beside_the_first():
    start = [("user", "hi"), ("assistant", "a"), ("user", "more")]
    said, about = taken([call(start[:1], "a"), call(start, "b"), call(start, "c")])
    assert said == [[*start, ("assistant", "b")], [*start, ("assistant", "c")]]
    assert (about[1]["forked_from"], about[1]["forked_before_turn"]) == (1, 4)


def test_an_edited_message_is_a_fork():
    first = [("user", "hi"), ("assistant", "a"), ("user", "more")]
    edited = [*first[:2], ("user", "less")]
    said, about = taken([call(first[:1], "a"), call(first, "b"), call(edited, "c")])
    assert said == [[*first, ("assistant", "b")], [*edited, ("assistant", "c")]]
    assert (about[1]["forked_from"], about[1]["forked_before_turn"]) == (1, 3)


def test_users_who_say_the_same_have_a_session_each():
    second = [("user", "hi"), ("assistant", "a"), ("user", "x")]
    third = [("user", "hi"), ("assistant", "a"), ("user", "y")]
    calls = [call(second[:1], "a", user=name) for name in ("ann", "ben")]
    said, about = taken([*calls, call(third, "y", user="ben"), call(second, "x", user="ann")])
    assert said == [[*second, ("assistant", "x")], [*third, ("assistant", "y")]]
    assert [one["user"] for one in about] == ["ann", "ben"]


def test_a_system_prompt_that_changes_stands_where_it_changed():
    second = [("user", "hi"), ("assistant", "a"), ("user", "x")]
    for interface in ("chat", "responses", "messages"):
        calls = [call(second[:1], "a", system="It is 9:00.", interface=interface)]
        calls.append(call(second, "b", system="It is 9:01.", interface=interface))
        said, _ = taken(calls)
        assert said == [
            [
                ("system", "It is 9:00."),
                *second[:2],
                ("system", "It is 9:01."),
                second[2],
                ("assistant", "b"),
            ]
        ]


def test_a_call_that_failed_and_came_again_leaves_one_session():
    start = [("user", "hi")]
    said, about = taken([call(start, None), call(start, None), call(start, "a")])
    assert said == [[("user", "hi"), ("assistant", "a")]]
    assert "failure" not in about[0]


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[RelayedCall], Counter[tuple[tuple[str, str], ...]]]:
    """Calls of several programs that interleave, and what their conversations hold in the end."""
    interface = draw(st.sampled_from(("chat", "responses", "messages")))
    open_ones: list[Said] = []
    ended: list[Said] = []
    calls: list[RelayedCall] = []
    words = st.sampled_from(("hi", "yes", "no"))
    for number in range(draw(st.integers(1, 12))):
        what = draw(st.sampled_from(("begin", "go on", "go on", "fork", "anew")))
        reply = draw(words) if draw(st.booleans()) else f"reply {number}"
        system = draw(st.sampled_from(("", "Be kind.")))
        if what == "begin" or not open_ones:
            said: Said = [("user", draw(words))]
        else:
            place = draw(st.integers(0, len(open_ones) - 1))
            earlier = open_ones[place]
            if what == "go on":
                said = [*earlier, ("user", draw(words))]
                del open_ones[place]
            elif what == "anew":
                said = earlier[:-1]
            else:
                cut = draw(st.integers(0, (len(earlier) - 2) // 2)) * 2
                said = [*earlier[:cut], ("user", f"other {number}")]
        if draw(st.integers(0, 4)) == 0:
            calls.append(call(said, None, interface=interface, system=system))
        calls.append(call(said, reply, interface=interface, system=system))
        open_ones.append([*said, ("assistant", reply)])
    return calls, Counter(tuple(said) for said in [*open_ones, *ended])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_sessions_are_the_conversations_that_programs_had(made):
    calls, expected = made
    said, _ = taken(calls)
    found = Counter(tuple(pair for pair in one if pair[0] != "system") for one in said)
    assert found == expected
