"""What is replayed is the same everywhere: JSON, film, page and screen, event by event."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from scored_sessions import BareApp
from stored import land, score, skipped

from turnwise.conversations import Turn, Verdict
from turnwise.conversations.store import Store, TurnRow
from turnwise.tui.cli.main import run
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.replay.replay_screen import ReplayScreen

SAID = (
    ("system", "You are a clerk.", 0.0),
    ("user", "Where is my bag?", 1.0),
    ("assistant", "One moment.", 2.0),
    ("tool", "Oslo", 2.5),
    ("assistant", "It is in Oslo.", 3.0),
    ("user", "Bye", 4.0),
)


@pytest.fixture
def recorded(store: Store) -> int:
    """A recorded talk in which scores and labels came while it went on, and after it."""
    session = store.sessions.begin(name="talk", role="a clerk", source="rec", data={}, created_at=1000.0)
    for place, (role, content, at) in enumerate(SAID):
        store.turns.append(session, Turn.model_validate({"role": role, "content": content}), at=at)
        if place == 4:
            wrong = Verdict(turn=2, passed=False, word="no", reason="It was not")
            land(store, session, score(0.25, "honesty", verdicts=(wrong,)), skipped("tact"))
            store.labels.add(session, "fail", author="ada", blind=True, turn=2, note="not in Oslo")
    store.labels.add(session, "pass", author="bo", blind=False)
    mode = store.modes.add("Loses bags", "It loses a bag.", "cy")
    store.modes.assign([session], mode, "cy", turn=2)
    store.modes.unassign([session], mode, "dan")
    return session


async def test_all_four_show_the_same_events_in_the_same_order(
    store: Store, recorded: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = ["--db", str(store.path)]
    assert run([*database, "replay", str(recorded), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(events) == 1 + len(SAID) + 6
    assert [event["given"] for event in events if event["event"] == "mode"] == [True, False]

    assert run([*database, "replay", str(recorded), "--html", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    island = re.search(r'id="island">(.*?)</script>', page, re.DOTALL)
    assert island
    assert json.loads(island[1])["sessions"][0]["events"] == events

    assert run([*database, "replay", str(recorded), "--cast", str(tmp_path / "r.cast")]) == 0
    pieces = [json.loads(line) for line in (tmp_path / "r.cast").read_text(encoding="utf-8").splitlines()[1:]]
    # The last piece is empty: it keeps the film on its end.
    drawn = [text for _, kind, text in pieces if kind == "o"][:-1]
    assert len(drawn) == len(events)

    app = BareApp(store)
    async with app.run_test(size=(140, 40)) as pilot:
        screen = ReplayScreen(recorded, playing=False)
        app.push_screen(screen)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        for place, (event, film) in enumerate(zip(events, drawn, strict=True)):
            assert screen.replay.shown == place + 1
            here = screen.replay.events[place]
            assert json.loads(json.dumps(here.data())) == event
            words = _words(event)
            assert words in film
            if isinstance(here.row, TurnRow):
                assert screen.replay.turns_shown == sum(one["event"] == "turn" for one in events[: place + 1])
            elif event["event"] != "session":
                assert words in str(screen.query_one("#moment", DrawnLines).lines)
            await pilot.press("full_stop")
            await pilot.pause()
        assert screen.replay.at_end


def _words(event: dict[str, object]) -> str:
    """Return words by which an event is known wherever it is shown."""
    key = {"session": "name", "turn": "content", "score": "metric", "label": "author", "mode": "author"}[
        str(event["event"])
    ]
    return str(event[key])
