"""The page that plays conversations, in a real browser: it steps, plays, finds, labels, and obeys nobody."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hostile import KINDS, LONG, PAGE_ATTACKS
from selenium.webdriver import Keys
from stored import keep, land, score

from browser import Browser, needs_browser
from turnwise.conversations import ConversationalTestCase, Turn, Verdict
from turnwise.conversations.exports import LabelledQueue, export_queue, export_sessions
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import CallRow, Store
from turnwise.engine.people.handed_labels import read_labels, take_labels

pytestmark = [needs_browser, pytest.mark.xdist_group("browser")]
SHOWN = "#turns > li:not([hidden])"
HERE = "return document.querySelector('#turns > .here')?.id"


@pytest.fixture
def recorded(store: Store) -> int:
    """A talk of six turns in six seconds, with a tool call, and with a score and a label after it."""
    session = store.sessions.begin(
        name="Lost bag", role="A clerk", source="rec", data={}, created_at=time.time() - 60
    )
    for number, (role, content) in enumerate(
        [
            ("user", "Where is my bag?"),
            ("assistant", "I look for it."),
            ("user", "It is red."),
            ("assistant", "It is in Oslo."),
            ("user", "And now?"),
            ("assistant", "It comes by plane."),
        ],
        1,
    ):
        calls = [{"name": "find", "input_parameters": {"tag": 17}, "output": "Oslo"}] if number == 4 else None
        turn = {"role": role, "content": content, **({"tools_called": calls} if calls else {})}
        store.turns.append(session, Turn.model_validate(turn), at=float(number))
    wrong = Verdict(turn=4, passed=False, word="no", reason="Oslo was ruled out", about="in Oslo")
    right = Verdict(turn=2, passed=True, word="yes", reason="fine")
    land(store, session, score(0.25, "knowledge_retention", reason="1 of 4", verdicts=(wrong, right)))
    store.labels.add(session, "fail", author="ada", blind=True, turn=4, note="not in Oslo")
    return session


def replay_page(store: Store, path: Path, *sessions: int, prompts: bool = True) -> Path:
    """Write the page of sessions."""
    export_sessions(store, sessions, to="replay", output=path, prompts=prompts, force=True)
    return path


def test_it_steps_seeks_and_jumps(browser: Browser, store: Store, tmp_path: Path, recorded: int) -> None:
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    assert browser.text("#name") == "Lost bag"
    # It opens on the first turn at once.
    assert (browser.count(SHOWN), browser.run(HERE)) == (1, "message-0")
    browser.press(Keys.ARROW_RIGHT)
    browser.click("#forward-turn")
    assert (browser.count(SHOWN), browser.text("#as-of")) == (3, "As of turn 3 of 6")
    browser.press(Keys.ARROW_LEFT)
    assert browser.text("#now") == "Turn 2, assistant: I look for it."
    # To what fails, to the tool's call, to the label, and back.
    browser.run("document.getElementById('kind').value = 'failed'")
    browser.press("n")
    assert (browser.run(HERE), browser.count(SHOWN)) == ("message-3", 4)
    browser.press("n")
    assert browser.text("#now") == "Score: knowledge retention 0.25 fail. 1 of 4"
    browser.press("N")
    assert browser.run(HERE) == "message-3"
    browser.run("document.getElementById('kind').value = 'label'")
    browser.click("#kind-next")
    assert browser.text("#now") == "Label: fail by ada. not in Oslo"
    browser.click("#kind-next")
    assert browser.text("#now") == "No label after this."
    browser.run("document.getElementById('kind').value = 'tool'")
    browser.press("N")
    assert browser.run(HERE) == "message-3"
    browser.type("#turn", f"5{Keys.ENTER}")
    assert browser.count(SHOWN) == 5
    browser.press(Keys.ESCAPE)
    browser.press(Keys.HOME)
    assert browser.count(SHOWN) == 0
    browser.press(Keys.END)
    assert browser.count(SHOWN) == 6


def test_event_by_event_it_shows_what_happened(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    browser.press(Keys.HOME)
    for event in store.events(recorded):
        data = event.data()
        key = {"session": "name", "turn": "content", "score": "reason", "label": "author"}[event.kind]
        assert data[key] in browser.text("#now")
        if event.kind == "turn":
            assert browser.run(HERE) == f"message-{data['position']}"
        browser.press(".")
    assert browser.run("return document.getElementById('moment').value") == str(len(store.events(recorded)))


def test_scores_reasons_and_evidence_stand_as_of_the_turn(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    # What came later is told beside what stood at that turn, and can be left out.
    assert "found later" in browser.text("#score-list")
    browser.click("#later")
    assert browser.text("#score-list") == "No scores yet; 1 came later."
    browser.press(Keys.END)
    told = browser.text("#score-list")
    for piece in (
        "knowledge retention",
        "0.25",
        "threshold 0.50",
        "1 of 4",
        "Oslo was ruled out",
        "«in Oslo»",
    ):
        assert piece in told
    assert "fail by ada, turn 4" in browser.text("#label-list")
    assert "Oslo was ruled out" in browser.text("#message-3 .verdicts")
    assert "knowledge retention" in browser.text("#message-1 .verdicts")
    # A verdict leads to its turn.
    browser.click("#score-list .to-turn")
    assert (browser.run(HERE), browser.text("#as-of")) == ("message-3", "As of turn 4 of 6")


def asked(store: Store, session: int, key: str, prompt: str, reply: str) -> None:
    """Let a judge score a session by one call."""
    request = {"messages": [{"role": "system", "content": "Be fair."}, {"role": "user", "content": prompt}]}
    call = CallRow(
        key=key,
        judge="j",
        model=prompt[:20],
        request=request,
        reply=reply,
        usage={},
        seconds=1.0,
        cost=None,
        created_at=0.0,
    )
    store.calls.add_all([(call, True)])
    land(store, session, score(0.5, "politeness", reason="so so", calls=(key, "gone")))


def test_failure_modes_stand_below_the_labels_once_they_were_given(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    mode = store.modes.add("Guesses", "It says what it cannot know.", "ada")
    store.modes.assign([recorded], mode, "ada", turn=4)
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    told = " ".join(browser.text("#found-modes").split())
    assert told == "✗ Guesses, turn 4, by ada It says what it cannot know."
    browser.click("#later")
    assert browser.count("#found-modes li") == 0
    browser.click("#end")
    assert browser.count("#found-modes li") == 1


def test_what_the_judge_was_asked_and_answered_is_folded_beside_the_reason(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    asked(store, recorded, "k1", "Was the zeppelin polite?", '{"verdict": "hardly"}')
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    assert browser.text("#score-list .asked summary") == "asked and answered 1 of 2: Was the zeppelin pol"
    assert "call 2 of 2: not kept any more" in browser.text("#score-list")
    assert browser.count("#score-list .asked pre") == 0
    browser.click("#score-list .asked summary")
    told = browser.text("#score-list .asked")
    for piece in ("Reply", '{"verdict": "hardly"}', "Sent as system", "Be fair.", "Sent as user"):
        assert piece in told
    # It stays open from turn to turn.
    browser.press(Keys.ARROW_RIGHT)
    assert browser.count("#score-list .asked pre") == 3


def test_its_search_finds_and_opens_what_the_judge_was_asked(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    asked(store, recorded, "k1", "Was the zeppelin polite?", '{"verdict": "hardly"}')
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    for words in ("HARDLY", "zeppelin", "so so"):
        browser.type("#query", f"{words}{Keys.ENTER}")
        assert browser.text("#score-list mark").lower() == words.lower()
        assert browser.text("#found") == "1 of 1"
    # The mark of one search is gone with the next.
    browser.type("#query", f"red{Keys.ENTER}")
    assert (browser.count("#score-list mark"), browser.text("#turns mark")) == (0, "red")


def test_a_page_can_be_handed_on_without_it(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    asked(store, recorded, "k1", "Was the zeppelin polite?", '{"verdict": "hardly"}')
    page = replay_page(store, tmp_path / "r.html", recorded, prompts=False)
    assert "zeppelin" not in page.read_text()
    browser.open(page)
    assert "so so" in browser.text("#score-list")
    assert browser.count("#score-list .asked") == 0


def test_it_plays_at_the_recorded_pace_or_another(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    browser.press("]]]]")
    assert browser.run("return document.getElementById('pace').value") == "16"
    browser.press(" ")
    browser.until(lambda: browser.text("#now").startswith("Label:"), "the last event")
    assert browser.text("#play") == "Play"
    assert browser.count(SHOWN) == 6
    # Once more from the start; at the slowest it is still on its first turns, and space stops it.
    browser.press("[" * 8)
    browser.press(" ")
    assert browser.text("#play") == "Pause"
    browser.press(" ")
    assert (browser.text("#play"), browser.count(SHOWN) < 6) == ("Play", True)


def test_it_searches_in_all_conversations(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    other = keep(store, "Is it plain (or a plane)?", "Yes.", name="Other")
    browser.open(replay_page(store, tmp_path / "r.html", recorded, other))
    assert browser.text("#session-list").split() == ["Lost", "bag", "Other"]
    browser.press("/")
    browser.press("PLANE")
    assert browser.text("#found") == "2 found"
    browser.press(Keys.ENTER)
    assert (browser.text("#found"), browser.text("#turns mark")) == ("1 of 2", "plane")
    assert browser.run(HERE) == "message-5"
    browser.press(Keys.ENTER)
    assert (browser.text("#found"), browser.text("#name")) == ("2 of 2", "Other")
    browser.type("#query", f"(or a{Keys.ENTER}")
    assert browser.text("#turns mark") == "(or a"
    browser.type("#query", "tag 17 no")
    assert browser.text("#found") == "Nothing is found."
    browser.press(Keys.ESCAPE)
    browser.press("K")
    assert browser.text("#name") == "Lost bag"


def test_it_can_be_used_by_keyboard_and_screen_reader(
    browser: Browser, store: Store, tmp_path: Path, recorded: int
) -> None:
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    nameless = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    asked = {
        "button",
        "textbox",
        "searchbox",
        "checkbox",
        "slider",
        "combobox",
        "spinbutton",
        "main",
        "toolbar",
    }
    found = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nameless
        if not node["ignored"] and node["role"]["value"] in asked
    ]
    assert {role for role, _ in found} >= {"button", "slider", "main", "toolbar", "searchbox"}
    assert [role for role, name in found if not name.strip()] == []
    assert browser.run("return document.getElementById('moment').getAttribute('aria-valuetext')").startswith(
        "turn 1 of 6"
    )
    # Tab goes through all of it, and the focus is seen.
    seen = []
    for _ in range(6):
        browser.press(Keys.TAB)
        seen.append(browser.run("return document.activeElement.id || document.activeElement.className"))
        assert browser.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert seen[:2] == ["skip", "query"]
    browser.press(Keys.ESCAPE)
    browser.run("document.activeElement.blur()")
    browser.press("?")
    assert "next turn" in browser.text("#keys")
    browser.press(Keys.ESCAPE)
    assert browser.count("#keys") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_colours_can_be_told_apart(
    browser: Browser, store: Store, tmp_path: Path, recorded: int, scheme: str
) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.open(replay_page(store, tmp_path / "r.html", recorded))
    names = ["text", "muted", "accent", "pass", "fail", "unsure"]
    script = """
        const made = document.body.appendChild(document.createElement("i"));
        const rgb = (name) => {
            made.style.color = `var(--${name})`;
            return getComputedStyle(made).color.match(/\\d+/g).map(Number);
        };
        const names = [...arguments[0], "ground", "surface", "user"];
        return Object.fromEntries(names.map((name) => [name, rgb(name)]));
    """
    colours: dict[str, list[int]] = browser.run(script, names)
    for ground in ("ground", "user", "surface"):
        for name in names:
            # The marks of outcomes stand on the ground alone.
            if ground == "ground" or name in ("text", "muted"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground, colours)


def contrast(one: list[int], other: list[int]) -> float:
    """Return how well two colours can be told apart, as the guidelines for web pages count it, 1 to 21."""

    def light(colour: list[int]) -> float:
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def hostile_session(store: Store) -> int:
    """Store a conversation whose every text attacks the page that shows it."""
    attacks = [*PAGE_ATTACKS, *(text for kind, text in KINDS.items() if len(text) < LONG)]
    turns: list[dict[str, Any]] = []
    for place, attack in enumerate(attacks):
        turns.append({"role": "user", "content": f"{place} {attack}", "name": attack})
        call = {"name": attack, "input_parameters": {"a": attack}, "output": attack}
        reply = {
            "role": "assistant",
            "content": attack,
            "retrieval_context": [attack],
            "tools_called": [call],
        }
        turns.append(reply)
    every = " ".join(PAGE_ATTACKS)
    case = ConversationalTestCase.model_validate(
        {"name": every, "chatbot_role": every, "scenario": every, "turns": turns, "metadata": {every: every}}
    )
    session = store.sessions.add(case, source=every, format="test").session_id
    found = tuple(
        Verdict(turn=number, passed=number % 2 == 0, word=attack, reason=attack, about=attack)
        for number, attack in enumerate(PAGE_ATTACKS, 1)
    )
    land(store, session, score(0.5, every, reason=every, verdicts=found))
    asked(store, session, "k", every, every)
    store.labels.add(session, "defer", author=every, blind=False, note=every)
    return session


@pytest.mark.parametrize("kind", ["replay", "labels"])
def test_no_script_of_a_transcript_runs_and_no_request_leaves(
    browser: Browser, store: Store, tmp_path: Path, kind: str
) -> None:
    session = hostile_session(store)
    path = tmp_path / "hostile.html"
    if kind == "replay":
        replay_page(store, path, session)
    else:
        every = " ".join(PAGE_ATTACKS)
        export_queue(store, [session], LabelledQueue(every, [(every[:60], every)]), output=path)
    browser.open(path)
    browser.press(Keys.END)
    for details in browser.driver.find_elements("css selector", "details:not([open]) > summary")[:5]:
        details.click()
    browser.press("/")
    browser.press(f"script{Keys.ENTER}{Keys.ENTER}")
    assert browser.count("#turns mark") > 0
    assert browser.run("return [window.owned, document.title === 'owned by it']") == [None, False]
    foreign = (
        "img, iframe, object, embed, link, svg, math, base, audio, video, a, "
        "[onerror], [onload], [onclick], [style*=url]"
    )
    assert browser.run("return document.body.querySelectorAll(arguments[0]).length", foreign) == 1
    assert browser.run("return document.scripts.length") == 2
    assert browser.requested() == [path.as_uri()]
    assert browser.complaints() == []
    # All of it is there, as text.
    first = make_safe(PAGE_ATTACKS[0])
    assert first in browser.text("#message-0 .words")


def test_what_is_put_off_is_not_labelled_and_comes_after_what_has_no_label(
    browser: Browser, store: Store, tmp_path: Path
) -> None:
    sessions = [
        keep(store, "Where?", "Here.", name=name, chatbot_role="") for name in ("One", "Two", "Three")
    ]
    page = tmp_path / "q.html"
    export_queue(store, sessions, LabelledQueue("tuesday", []), output=page)
    browser.open(page)
    browser.press(f"d{Keys.ENTER}")
    assert (browser.text("#name"), browser.text("#progress")) == ("Two", "0 of 3 labelled, 1 put off")
    browser.press(f"p{Keys.ENTER}")
    assert browser.text("#name") == "Three"
    browser.press(f"d{Keys.ENTER}")
    # Nothing is left without a label: what was put off is offered, the next one first.
    assert (browser.text("#name"), browser.text("#progress")) == ("One", "1 of 3 labelled, 2 put off")
    browser.press(f"p{Keys.ENTER}")
    assert browser.text("#name") == "Three"
    browser.press(Keys.ENTER)
    assert browser.text("#kept").startswith("Only this one is left, put off.")
    browser.press(f"f{Keys.ENTER}")
    assert browser.text("#kept").startswith("All are labelled.")
    assert browser.text("#progress") == "3 of 3 labelled"


def test_a_queue_is_labelled_on_it_and_comes_back(browser: Browser, store: Store, tmp_path: Path) -> None:
    texts = ("Where is my bag?", "In Oslo.", "No.", "In Bergen.")
    one, two, three = (keep(store, *texts, name=name, chatbot_role="") for name in ("One", "Two", "Three"))
    land(store, one, score(0.1))
    page = tmp_path / "q.html"
    export_queue(
        store, [one, two, three], LabelledQueue("tuesday", [("lost bag", "It loses it.")]), output=page
    )
    browser.open(page)
    assert browser.text("#progress") == "0 of 3 labelled"
    # The whole conversation is there to be read, and no score of it.
    assert (browser.count(SHOWN), browser.count("#scores")) == (4, 0)
    browser.press("f")
    browser.click("#message-1 .who button")
    assert browser.run("return document.getElementById('failing-turn').value") == "2"
    browser.click("#mode-list input")
    browser.type("#own-mode", f"wrong town{Keys.ENTER}")
    browser.press(Keys.ESCAPE)
    browser.press("c")
    browser.press("It is p in Bergen")
    browser.press(Keys.ESCAPE)
    browser.run("document.activeElement.blur()")
    browser.press(Keys.ENTER)
    assert (browser.text("#name"), browser.text("#progress")) == ("Two", "1 of 3 labelled")
    browser.press("p")
    # Nobody's labels are lost when the page is closed and opened again.
    browser.open(page)
    assert browser.text("#progress") == "2 of 3 labelled"
    assert browser.run("return document.getElementById('note').value") == "It is p in Bergen"
    # Without a name nothing is saved.
    browser.click("#save")
    assert browser.text("#kept") == "Say first who you are."
    browser.type("#author", "Ada <b>")
    browser.click("#save")
    path = browser.saved("labels-tuesday-Ada-b.json")
    assert "Saved: 2 of 3 labelled" in browser.text("#kept")
    taken = take_labels(store, read_labels(path))
    assert (taken.author, taken.new, taken.refused) == ("Ada <b>", [one, two], [])
    [row] = store.labels.of(one)
    assert (row.label, row.turn, row.note, row.blind) == ("fail", 2, "It is p in Bergen", True)
    assert [(mode.name, mode.turn) for mode in store.modes.of(one)] == [("lost bag", 2), ("wrong town", 2)]
    assert (store.labels.of(two)[0].label, store.labels.of(three)) == ("pass", [])
    # Where nothing was kept, the file is where one goes on.
    browser.run("localStorage.clear()")
    browser.open(page)
    assert browser.text("#progress") == "0 of 3 labelled"
    browser.driver.find_element("css selector", "#saved-file").send_keys(str(path))
    browser.until(lambda: browser.text("#progress") == "2 of 3 labelled", "the labels of the file")
    browser.driver.find_element("css selector", "#saved-file").send_keys(str(page))
    browser.until(lambda: "cannot be taken" in browser.text("#kept"), "a word on a wrong file")
    assert json.loads(path.read_text())["labels"][0]["name"] == "One"
