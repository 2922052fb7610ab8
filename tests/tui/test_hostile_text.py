"""What transcripts hold is drawn and does nothing: every kind of text on every screen, and quickly."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from app_in_terminal import program
from hostile import KINDS, OBEYED
from rich.cells import cell_len
from scored_sessions import add_call, add_outcomes
from terminal import Terminal
from textual import events
from textual.pilot import Pilot
from tui_driver import shown, until

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import StoreError
from turnwise.conversations.results import Score, Verdict
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.review.why_screen import WhyScreen

SIZE = (120, 30)
SECONDS_AT_MOST = 20.0
"""Of the processor: against minutes and hangs, not against slow or busy machines."""

every_kind = pytest.mark.parametrize("text", KINDS.values(), ids=KINDS)


@pytest.fixture(autouse=True)
def _in_time() -> object:
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS_AT_MOST


def fill(store: Store, text: str) -> int:
    """Store a session that holds a text wherever one may stand."""
    case = ConversationalTestCase.model_validate(
        {
            "name": f"Refund {text}",
            "chatbot_role": text,
            "tags": [text[:200]],
            "turns": [
                {"role": "user", "content": f"needle {text}"},
                {
                    "role": "assistant",
                    "content": f"reply {text}\n\n```\n{text}\n```\n\n| {text} | b |\n|---|---|\n| c | d |",
                    "retrieval_context": [text],
                    "tools_called": [
                        {"name": text[:100] or "t", "input_parameters": {"a": text}, "output": text}
                    ],
                },
            ],
        }
    )
    session = store.sessions.add(case, source=text[:300], format="test", created_at=1.0).session_id
    verdict = Verdict(turn=2, passed=False, word="no", reason=text)
    score = Score(
        metric="politeness",
        score=0.1,
        threshold=0.5,
        reason=f"because {text}",
        verdicts=(verdict,),
        calls=("k",),
    )
    add_call(store, "k", reply=text, prompt=text)
    add_outcomes(store, session, score, judge=f"judge {text[:100]}")
    store.labels.add(session, "fail", author=text[:100] or "me", turn=2, note=text, blind=True)
    return session


@asynccontextmanager
async def running(store: Store, *, notifications: bool = False) -> AsyncIterator[Pilot[int]]:
    app = TurnwiseApp(store)
    app.judge.chosen = True
    async with app.run_test(size=SIZE, notifications=notifications) as pilot:
        yield pilot


def check(pilot: Pilot[int]) -> None:
    """All that is drawn is plain text that fills its lines to the cell."""
    strips = pilot.app.screen._compositor.render_strips()
    assert len(strips) == SIZE[1]
    for strip in strips:
        text = "".join(segment.text for segment in strip)
        assert not OBEYED & set(text), repr(text)
        assert cell_len(text) == SIZE[0], repr(text)
        assert not [s for s in strip if s.style and (s.style.link or s.style.blink)]


@every_kind
async def test_the_library_draws_it(store: Store, text: str) -> None:
    fill(store, text)
    async with running(store) as pilot:
        await until(pilot, lambda: "Refund" in shown(pilot.app))
        check(pilot)
        await pilot.press("slash", *"needle")
        await until(pilot, lambda: "1 of " in shown(pilot.app))
        check(pilot)


@every_kind
async def test_a_filter_may_be_pasted_that_holds_it(store: Store, text: str) -> None:
    fill(store, text)
    async with running(store) as pilot:
        await pilot.press("slash")
        for query in (text[:2000], f"tag:{text[:500]}", f'"{text[:500]}"'):
            pilot.app.post_message(events.Paste(query))
            await pilot.pause(0.3)
            check(pilot)
            await pilot.press("ctrl+u")


@every_kind
async def test_review_draws_it_folded_and_open(store: Store, text: str) -> None:
    session = fill(store, text)
    async with running(store) as pilot:
        pilot.app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "user" in shown(pilot.app))
        await pilot.press("j", "space")
        await pilot.pause(0.05)
        check(pilot)
        # Blind until labelled: v shows the scores.
        for key in ("v", "pagedown", "tab", "j", "j", "end", "tab", "home"):
            await pilot.press(key)
            await pilot.pause(0.02)
            check(pilot)
        await pilot.press("slash", *"need")
        await until(pilot, lambda: "1 of 1 turn" in shown(pilot.app))
        check(pilot)


@every_kind
async def test_review_in_a_narrow_terminal_draws_it(store: Store, text: str) -> None:
    session = fill(store, text)
    async with running(store) as pilot:
        await pilot.resize_terminal(80, 24)
        pilot.app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "user" in shown(pilot.app))
        for line in shown(pilot.app).splitlines():
            assert not OBEYED & set(line)
            assert cell_len(line) == 80


@every_kind
async def test_replay_draws_it(store: Store, text: str) -> None:
    session = fill(store, text)
    async with running(store) as pilot:
        pilot.app.push_screen(ReplayScreen(session, playing=False))
        await until(pilot, lambda: "of 2" in shown(pilot.app))
        for key in ("right", "full_stop", "full_stop", "end", "home"):
            await pilot.press(key)
            await pilot.pause(0.02)
            check(pilot)


@every_kind
async def test_why_draws_it(store: Store, text: str) -> None:
    session = fill(store, text)
    async with running(store) as pilot:
        rows = store.scores.newest(session)
        assert isinstance(pilot.app, TurnwiseApp)
        screen = pilot.app.kept_dialogs.of(WhyScreen, [f"Refund {text}"] * len(rows), rows)
        pilot.app.push_screen(screen)
        await until(pilot, lambda: "call 1 of 1" in shown(pilot.app))
        for key in ("pagedown", "end", "home"):
            await pilot.press(key)
            check(pilot)


@every_kind
async def test_toasts_draw_it(store: Store, text: str) -> None:
    fill(store, "plain")
    async with running(store, notifications=True) as pilot:
        app = pilot.app
        assert isinstance(app, TurnwiseApp)
        app.notify(f"told {text[:2000]}", title=text[:200], markup=True)
        app.tell_error(StoreError(f"title {text[:200]}", detail=text, next_step=text[:200]))
        await until(pilot, lambda: bool(app.screen.query("Toast")))
        await pilot.pause(0.1)
        check(pilot)


@every_kind
async def test_dialogs_draw_it(store: Store, text: str) -> None:
    fill(store, text)
    store.filters.add(f"filter {text[:30]}", "needle")
    store.queues.add(f"queue {text[:30]}", [1], sampler="random", settings={})
    async with running(store) as pilot:
        for key in ("r", "L", "b", "t", "m", "F", "Q", "o", "W", "e"):
            await pilot.press(key)
            await pilot.pause(0.1)
            check(pilot)
            await pilot.press("escape")
            await pilot.pause(0.05)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "very long" not in kind])
async def test_what_people_found_is_drawn(store: Store, kind: str) -> None:
    text = KINDS[kind]
    session = fill(store, text)
    mode = store.modes.add(f"m {text[:3]}", f"d {text[:9]}", text[:30] or "me")
    store.modes.assign([session], mode, text[:30] or "me")
    store.labels.add(session, "fail", author=text[:30] or "me", note=text, metric="politeness", blind=False)
    again = Score(metric="politeness", score=0.9, threshold=0.5, reason=f"now {text}")
    add_outcomes(store, session, again, judge=f"other {text[:100]}")
    walks = (
        *(
            ("4", "c"),
            ("4", "l"),
            ("4", "percent_sign", "ctrl+g", "ctrl+g"),
            ("6", "tab"),
            ("C", "enter", "j"),
            ("C", "A"),
            ("5",),
        ),
        *(("enter", "h"), ("enter", "m"), ("enter", "s", "w"), ("enter", "c")),
    )
    async with running(store) as pilot:
        for keys in walks:
            for key in keys:
                await pilot.press(key)
                await pilot.pause(0.05)
                # Textual may cut a joined emoji in two where a dialog begins.
                if not pilot.app.screen.is_modal or kind != "emoji":
                    check(pilot)
            while len(pilot.app.screen_stack) > 1:
                pilot.app.pop_screen()
                await pilot.pause()


@pytest.mark.parametrize("kind", list(KINDS))
async def test_palette_and_jump_letters_draw_it(store: Store, kind: str) -> None:
    fill(store, KINDS[kind])
    async with running(store) as pilot:
        await pilot.press("apostrophe")
        await pilot.pause(0.1)
        check(pilot)
        await pilot.press("escape", "ctrl+p", *"needle")
        await until(pilot, lambda: "open session 1" in shown(pilot.app))
        # Textual may cut a joined emoji in two where the palette begins.
        if kind != "emoji":
            check(pilot)


@pytest.mark.parametrize("kind", ["escape sequences", "markup", "bidi overrides", "zero-width characters"])
async def test_what_was_hidden_can_be_seen(store: Store, kind: str) -> None:
    text = KINDS[kind]
    session = fill(store, text)
    async with running(store) as pilot:
        pilot.app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: "user" in shown(pilot.app))
        seen = re.sub(r"\s+", "", shown(pilot.app))
        assert re.sub(r"\s+", "", make_safe(text))[:24] in seen


def test_no_escape_sequence_reaches_a_real_terminal(store: Store) -> None:
    fill(store, KINDS["escape sequences"])
    store.close()
    environment = {"TURNWISE_DB": str(store.path), "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    with Terminal(program(), environment, size=(120, 40)) as terminal:
        terminal.wait_for("Refund")
        for keys, shown_then in (
            ("\r", "Your label"),
            ("j \x1b[6~", "assistant"),
            ("R", "Replay"),
            ("\x1b", "user"),
        ):
            terminal.press(keys)
            terminal.wait_for(shown_then)
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        # The window's title and the pointer's shape, which are set in words of the program, end in a bell.
        written = re.sub(rb"\x1b\](?:2|22);[^\x00-\x1f]*\x07", b"", terminal.written)
        for obeyed in (b"\x1b]0;owned", b"\x07", b"\x1b[2J\x1b", b"\x1bP1$r", b"\xc2\x9b"):
            assert obeyed not in written
        assert terminal.left_as_found
