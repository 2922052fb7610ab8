"""Scores now and before: what another judge, threshold or prompt found, as a review shows it."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from reviewing import drawn, press, reading, reviewing, told
from rich.cells import cell_len
from rich.style import Style
from scored_sessions import NASTY, add_outcomes, add_talk, failure, retention
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.comparing.score_history import score_histories
from turnwise.tui.drawing.lines_view import LinesView, Tones
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.review.score_history import ScoreHistoryDialog, score_history_lines

TONES = Tones(**{tone.name: Style.null() for tone in fields(Tones)})


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_key_shows_what_flipped_and_by_what(store: Store, size: tuple[int, int]) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(), judge="one")
    add_outcomes(store, session, retention(4), failure(), judge="two")
    async with reviewing(store, session, size) as (_, pilot):
        await press(pilot, "C")
        assert "Not while the scores are hidden" in told(pilot)[-1]
        await press(pilot, "s", "C")
        dialog = pilot.app.screen
        assert isinstance(dialog, ScoreHistoryDialog)
        lines = [line.strip() for line in drawn(dialog.query_one(LinesView)).split("\n")]
        assert lines[0] == "knowledge retention"
        assert "✓ → ✗ 0.67" in lines[1]
        assert lines[1].endswith("judge one → two")
        assert lines[2] == "turn 4: yes → no"
        assert "1 more judged once." in drawn(dialog.query_one(".words"))
        await press(pilot, "C")
        assert not isinstance(pilot.app.screen, ScoreHistoryDialog)


async def test_the_same_dialog_opens_again_with_nothing_of_the_last_time(store: Store) -> None:
    first, second = add_talk(store, name="Refund"), add_talk(store, name="Upgrade")
    for number in range(20):
        add_outcomes(store, first, retention(*[4] * (number % 2)), judge=f"judge {number}")
    add_outcomes(store, first, failure(), judge="judge 0")
    for judge in ("other 1", "other 2"):
        add_outcomes(store, second, retention(), judge=judge)
    async with reviewing(store, first, (80, 24)) as (_, pilot):
        app = pilot.app
        for _ in app.kept_dialogs.make(ScoreHistoryDialog, lambda one: one.begin("", (), 0)):
            await pilot.pause()
        await press(pilot, "s", "C")
        dialog = app.screen
        assert isinstance(dialog, ScoreHistoryDialog)
        assert "Refund" in words_shown(app)
        assert dialog.lines.show_vertical_scrollbar
        await press(pilot, "j", "j")
        await until(pilot, lambda: dialog.lines.scroll_y > 0)
        await press(pilot, "C", "escape")
        await app.push_screen(ReviewScreen(second))
        await press(pilot, "s", "C")
        await until(pilot, lambda: app.screen is dialog)
        said = words_shown(app)
        assert "Scores of “Upgrade”" in said
        assert "judge other 1 → other 2" in said
        assert "judge 1" not in said.replace("judge other", "")
        assert "more judged once" not in said
        assert not dialog.lines.show_vertical_scrollbar
        assert dialog.lines.scroll_y == 0
        assert dialog.lines.size.height == len(dialog.lines.lines)


async def test_without_a_second_judgement_it_says_how_to_get_one(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, (80, 24)) as (_, pilot):
        await press(pilot, "C")
        assert "This session has no scores. r judges it" in told(pilot)[-1]


@pytest.mark.parametrize("width", [36, 40, 76, 120])
def test_no_line_is_wider_than_there_is_room(store: Store, width: int) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(), judge="one")
    add_outcomes(store, session, failure("knowledge_retention"), judge="two")
    rows = store.scores.of(session)
    rows = [replace(row, judge=f"{row.judge} {NASTY * 3}", reason=NASTY * 5) for row in rows]
    for line in score_history_lines(score_histories(rows), width, TONES):
        text = "".join(piece.text for piece in line)
        assert cell_len(text) <= width
        assert "\x1b" not in text


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("h", "Labels of “Refund”"),
        ("C", "Scores of “Refund”, now and before"),
        ("m", "Failure modes at turn 2 of “Refund”"),
    ],
)
async def test_what_opens_over_a_review_names_its_session(store: Store, key: str, title: str) -> None:
    session = add_talk(store, name="Refund")
    for judge in ("one", "two"):
        add_outcomes(store, session, retention(4), judge=judge)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "p", key)
        assert pilot.app.screen is not screen
        assert title in shown(pilot.app)
