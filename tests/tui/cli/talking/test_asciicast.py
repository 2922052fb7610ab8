"""`turnwise replay --cast`: the events of a replay as a film that asciinema plays."""

from __future__ import annotations

import json

import pytest
from stored import keep, land, score

from turnwise.conversations import Turn


@pytest.fixture
def recorded(store):
    session = store.sessions.begin(name="talk", role="a clerk", source="recorded", data={}, created_at=1000.0)
    store.turns.append(session, Turn(role="user", content="Hello"), at=1.0)
    store.turns.append(session, Turn(role="assistant", content="Hi \x1b[31mthere. " + "word " * 40), at=3.0)
    land(store, session, score(0.9))
    store.labels.add(session, "pass", author="ada", blind=True, note="fine")
    return session


def film(path):
    head, *pieces = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return head, pieces


def test_it_holds_the_events_of_the_replay_one_by_one_in_order(turnwise, recorded, tmp_path):
    ran = turnwise("replay", recorded, "--cast", tmp_path / "talk.cast")
    assert ran.code == 0
    head, pieces = film(tmp_path / "talk.cast")
    assert head == {"version": 2, "width": 100, "height": 30, "title": "talk"}
    events = turnwise("replay", recorded, "--json").rows
    drawn = [text for _, kind, text in pieces if kind == "o"]
    assert len(drawn) == len(events) + 1
    for event, text in zip(events, drawn, strict=False):
        words = {"session": "talk", "score": "0.90", "label": "pass by ada"}
        expected = words.get(event["event"]) or event["content"].split()[0]
        assert expected in text
    times = [at for at, _, _ in pieces]
    assert times == sorted(times)
    assert [(at, text) for at, kind, text in pieces if kind == "m"] == [(1.0, "turn 1"), (3.0, "turn 2")]


def test_lines_are_as_a_terminal_takes_them_and_no_text_reaches_it_as_a_command(turnwise, recorded, tmp_path):
    turnwise("replay", recorded, "--cast", tmp_path / "talk.cast")
    drawn = "".join(text for _, kind, text in film(tmp_path / "talk.cast")[1] if kind == "o")
    assert "\x1b" not in drawn
    assert "\n" not in drawn.replace("\r\n", "")
    assert max(len(line) for line in drawn.split("\r\n")) <= 100


def test_twice_it_is_the_same_and_at_four_times_the_speed_it_is_shorter(turnwise, recorded, tmp_path):
    for name, more in (("a", ()), ("b", ()), ("c", ("--speed", "4"))):
        turnwise("replay", recorded, "--cast", tmp_path / name, *more)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert film(tmp_path / "c")[1][-2][0] == pytest.approx(film(tmp_path / "a")[1][-2][0] / 4)


def test_a_file_that_is_there_stays(turnwise, recorded, tmp_path):
    (tmp_path / "a").write_text("mine")
    ran = turnwise("replay", recorded, "--cast", tmp_path / "a")
    assert (ran.code, (tmp_path / "a").read_text()) == (2, "mine")
    assert turnwise("replay", recorded, "--cast", tmp_path / "a", "--force").code == 0


def test_an_empty_session_is_a_film_of_its_head(turnwise, store, tmp_path):
    session = keep(store, "Hello")
    assert turnwise("replay", session, "--cast", tmp_path / "a").code == 0
    assert film(tmp_path / "a")[1][0][1] == "o"
