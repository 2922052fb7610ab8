"""The page that plays conversations: its data are the events, and nothing of a conversation is its markup."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import keep, land, said, score

from turnwise.conversations import Turn
from turnwise.conversations.exports import (
    LabelledQueue,
    export_queue,
    export_sessions,
    seen_identity,
)
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import Store

Exported = Callable[..., str]


class Parts(HTMLParser):
    """What a browser makes of a page: its policy, and what each script and style holds, as text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.policy = self._open = ""
        self.held: dict[str, list[str]] = {"script": [], "style": [], "island": []}
        self.names: set[str] = set()
        self.handlers: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.names.add(tag)
        self.handlers += [name for name in given if name.startswith("on") or name in ("style", "src", "href")]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self._open = "island" if given.get("id") == "island" else tag
        if self._open in self.held:
            self.held[self._open].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in self.held:
            self.held[self._open][-1] += data


def island(page: str) -> dict[str, Any]:
    """Return what a page holds, as its script finds it."""
    [text] = Parts(page).held["island"]
    found: dict[str, Any] = json.loads(text)
    return found


def queue_page(store: Store, path: Path, *sessions: int, modes: tuple[tuple[str, str], ...] = ()) -> str:
    """Write a queue of sessions as a page and return it."""
    export_queue(store, sessions, LabelledQueue("tuesday", modes), output=path, force=True)
    return path.read_text(encoding="utf-8")


def test_its_sessions_are_the_events_with_the_time_between_them(store: Store, exported: Exported) -> None:
    session = store.sessions.begin(name="talk", role="a clerk", source="rec", data={}, created_at=1000.0)
    store.turns.append(session, Turn(role="user", content="Hello"), at=1.0)
    land(store, session, score(0.2))
    store.turns.append(session, Turn(role="assistant", content="Hi"), at=3.5)
    store.labels.add(session, "fail", author="ada", blind=True, turn=2, note="rude")
    [held] = island(exported("replay", session))["sessions"]
    assert held["events"] == json.loads(json.dumps([event.data() for event in store.events(session)]))
    kinds = [event["event"] for event in held["events"]]
    assert kinds == ["session", "turn", "turn", "score", "label"]
    assert held["pauses"] == [0.0, 1.0, 2.5, 0.0, 0.0]


def test_a_failure_mode_is_seen_once_it_was_given(store: Store, exported: Exported) -> None:
    session = keep(store)
    mode = store.modes.add("Rude", "It is rude.", "ada")
    early = store.labels.add(session, "fail", author="ada", blind=True)
    store.modes.assign([session], mode, "ada", turn=2)
    store.labels.add(session, "pass", author="bo", blind=True)
    [held] = island(exported("replay", session))["sessions"]
    kinds = [event["event"] for event in held["events"]]
    assert kinds == ["session", "turn", "turn", "label", "mode", "label"]
    assert held["events"][3]["id"] == early
    assert held["modes"] == [{"told": "Rude, turn 2, by ada", "definition": "It is rude.", "place": 5}]


def test_no_two_parts_of_the_page_have_one_id(exported: Exported) -> None:
    ids = re.findall(r'<[a-z][^>]* id="([^"]+)"', exported("replay"))
    assert sorted(ids) == sorted(set(ids))


def test_the_same_sessions_give_the_same_bytes(exported: Exported, judged: int) -> None:
    assert exported("replay", judged) == exported("replay", judged)


def test_its_policy_lets_in_our_script_and_style_alone(exported: Exported, judged: int) -> None:
    parts = Parts(exported("replay", judged))
    [script], [style] = parts.held["script"], parts.held["style"]
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (script, style)
    ]
    assert parts.policy == (
        f"default-src 'none'; script-src {hashes[0]}; style-src {hashes[1]}; "
        "base-uri 'none'; form-action 'none'"
    )
    assert set(parts.handlers) <= {"href"}
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
    ):
        assert word not in script


def test_nothing_of_a_hostile_session_leaves_the_island(exported: Exported, hostile: int) -> None:
    page = exported("replay", hostile)
    parts = Parts(page)
    assert len(parts.held["script"]) == len(parts.held["island"]) == 1
    assert "<script>alert" not in page
    assert make_safe(page) == page
    [held] = island(page)["sessions"]
    assert "<script>alert('x')</script>" in held["events"][2]["content"]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(alphabet=st.sampled_from("</script>!-\u2028\u2029&\"'\\\x00\ud800 x"), min_size=1, max_size=40)
)
def test_no_text_ends_the_island(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    with Store.open(tmp_path_factory.mktemp("page") / "turnwise.db") as store:
        session = store.sessions.add(said(text, "yes"), source="test", format="test").session_id
        out = io.BytesIO()
        export_sessions(store, [session], to="replay", output=out)
        page = out.getvalue().decode()
        turns = [event for event in island(page)["sessions"][0]["events"] if event["event"] == "turn"]
        assert turns[0]["content"] == make_safe(store.turns.of(session)[0].content)
        inside = re.search(r'id="island">(.*?)</script>', page, re.DOTALL)
        assert inside
        assert not re.search("[<>&\u2028\u2029]", inside[1])


def test_no_sessions_make_a_page_too(exported: Exported) -> None:
    held = island(exported("replay"))
    assert (held["sessions"], held["head"]["title"]) == ([], "0 conversations")


def test_a_queue_holds_nothing_that_was_found(store: Store, tmp_path: Path, judged: int) -> None:
    store.modes.assign([judged], store.modes.add("Guesses", "It guesses.", "Cleo"), "Cleo")
    page = queue_page(store, tmp_path / "q.html", judged, modes=(("lost bag", "It loses a bag."),))
    held = island(page)
    assert held["head"] == {"kind": "labels", "title": "tuesday", "modes": [["lost bag", "It loses a bag."]]}
    assert {event["event"] for event in held["sessions"][0]["events"]} == {"session", "turn"}
    for found in ("politeness", "Oslo was ruled out", "Bergen", "Ana", "Guesses", "Cleo"):
        assert found not in page


def test_a_page_written_anew_is_found_again_by_the_browser(store: Store, tmp_path: Path) -> None:
    first, second = keep(store, "one", "yes"), keep(store, "two", "yes")
    one = island(queue_page(store, tmp_path / "q.html", first, second))
    assert island(queue_page(store, tmp_path / "q.html", first, second))["page"] == one["page"]
    assert island(queue_page(store, tmp_path / "q.html", second))["page"] != one["page"]


def test_an_identity_is_of_what_is_seen_and_of_nothing_else(store: Store) -> None:
    session = keep(store, "one", "yes", name="first")
    before = seen_identity(store.turns.of(session))
    store.labels.add(session, "pass", author="ada", blind=True)
    assert seen_identity(store.turns.of(session)) == before
    assert seen_identity(store.turns.of(keep(store, "one", "no"))) != before
