"""turnwise replay: the same events in the same order, the same bytes every time."""

import shutil
import time

import pytest
from stored import keep, land, score

from turnwise.conversations import Turn
from turnwise.conversations.store import CallRow


@pytest.fixture
def recorded(store):
    began = time.time() - 10
    session = store.sessions.begin(name="talk", role="a clerk", source="recorded", data={}, created_at=began)
    store.turns.append(session, Turn(role="user", content="Hello"), at=1.0)
    store.turns.append(session, Turn(role="assistant", content="Hi \x1b[31mthere"), at=2.0)
    land(store, session, score(0.9))
    store.turns.append(session, Turn(role="user", content="Bye"), at=100.0)
    store.labels.add(session, "pass", author="ada", blind=True, note="fine")
    return session


def test_as_json_every_event_is_an_object_on_a_line(turnwise, recorded):
    ran = turnwise("replay", recorded, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert [row["event"] for row in ran.rows] == ["session", "turn", "turn", "score", "label", "turn"]
    assert [row["at"] for row in ran.rows][:3] == [0.0, 1.0, 2.0]
    assert ran.rows[3]["verdicts"][0]["word"] == "yes"
    assert ran.out.isascii()


def test_the_same_database_gives_the_same_bytes(turnwise, store, recorded, tmp_path):
    first = turnwise("replay", recorded, "--json").out
    assert turnwise("replay", recorded, "--json").out == first
    store.close()
    copy = tmp_path / "copy.db"
    shutil.copy(store.path, copy)
    assert turnwise("--db", copy, "replay", recorded, "--json").out == first


def test_for_people_it_is_printed_in_order(turnwise, recorded):
    ran = turnwise("replay", recorded, "--instant")
    assert ran.out.splitlines() == [
        "talk, a clerk",
        "",
        "  1  user",
        "     Hello",
        "",
        "  2  assistant",
        "     Hi ␛[31mthere",
        "  ✓ politeness  0.90  So it is.",
        "  ✎ pass by ada. fine",
        "",
        "  3  user",
        "     Bye",
    ]


def test_with_a_speed_it_takes_its_time(turnwise, recorded, monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    turnwise("replay", recorded, "--speed", "2")
    assert [round(wait, 3) for wait in waits] == [0.0, 0.5, 0.5, 0.0, 0.0, 3.0]


def test_a_session_that_is_not_there_is_told(turnwise, store):
    keep(store)
    ran = turnwise("replay", 9, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "There is no session 9" in ran.err


def test_as_of_a_turn_there_is_what_there_was_when_it_was_said(turnwise, recorded, tmp_path):
    assert [row["event"] for row in turnwise("replay", recorded, "--as-of", 2, "--json").rows] == [
        "session",
        "turn",
        "turn",
    ]
    printed = turnwise("replay", recorded, "--as-of", 2)
    assert "Hi" in printed.out
    assert "politeness" not in printed.out
    assert len(turnwise("replay", recorded, "--as-of", 3, "--json").rows) == 6
    wrong = turnwise("replay", recorded, "--as-of", 4)
    assert (wrong.code, f"Session {recorded} has no turn 4" in wrong.err) == (2, True)
    assert turnwise("replay", recorded, "--as-of", 2, "--html", tmp_path / "r.html").code == 2


def test_what_a_criterion_scores_as_of_a_turn_is_told(turnwise, store):
    lost = {"lost": {"turn": 4, "sure": True, "by": "prefixes"}, "as_of": [[2, 1.0], [4, 0.25], [8, 0.0]]}
    session = keep(store, *"abcdefgh")
    land(store, session, score(0.0, "polite", details=lost))
    ran = turnwise("replay", str(session), "--as-of", "4")
    assert ran.out.splitlines()[-1] == "  polite: 0.25 as of turn 4, fails from turn 4"


def judged_by_a_call(store, prompt):
    session = keep(store, "Hi", "Hello.")
    request = {"messages": [{"role": "user", "content": prompt}]}
    call = CallRow("k", "j", "small", request, "yes", {}, 1.0, None, 0.0)
    store.calls.add_all([(call, True)])
    land(store, session, score(1.0, calls=("k",)))
    return session


def test_the_page_holds_what_the_judge_was_asked_unless_it_is_left_out(turnwise, store, tmp_path):
    session = judged_by_a_call(store, "Was the zeppelin polite?")
    page = tmp_path / "r.html"
    assert turnwise("replay", session, "--html", page).code == 0
    assert "zeppelin" in page.read_text()
    assert turnwise("replay", session, "--html", page, "--force", "--without-prompts").code == 0
    assert "zeppelin" not in page.read_text()
    ran = turnwise("replay", session, "--without-prompts")
    assert (ran.code, "--without-prompts is for the page" in ran.err) == (2, True)


def test_how_much_of_a_page_is_prompts_is_told_where_it_is_much(turnwise, store, tmp_path):
    ran = turnwise("replay", judged_by_a_call(store, "word " * 200_000), "--html", tmp_path / "r.html")
    assert "What judges were asked and answered is 1.0 MB of the page" in ran.err
    assert "--without-prompts" in ran.err


def test_an_export_without_prompts_leaves_them_out_of_the_page_alone(turnwise, store):
    judged_by_a_call(store, "Was the zeppelin polite?")
    assert "zeppelin" in turnwise("export", "--all", "--to", "replay").out
    assert "zeppelin" not in turnwise("export", "--all", "--to", "replay", "--without-prompts").out
    ran = turnwise("export", "--all", "--to", "markdown", "--without-prompts")
    assert (ran.code, "The format markdown has no such prompts to leave out" in ran.err) == (2, True)
