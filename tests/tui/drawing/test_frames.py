"""Frames: panes bear their title in a border where a window has room for it, and lose no row where not."""

from __future__ import annotations

import pytest
from scored_sessions import add_outcomes, add_talk, retention
from textual.widget import Widget
from tui_driver import settled, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.review.review_screen import ReviewScreen

TITLES = {
    "1": ("Sessions", "Preview"),
    "4": ("Notes", "Details"),
    "5": (),
    "6": ("Metrics, most labels first", "Judge and people", "How far they agree", "Where they differ"),
    "7": ("All runs", "Details"),
}


def fill(store: Store) -> int:
    talk = add_talk(store)
    add_outcomes(store, talk, retention(4))
    store.labels.add(talk, "fail", author="ann", blind=True, note="It forgets.")
    return talk


def heads(app: TurnwiseApp) -> list[str]:
    """The upper edges that are drawn."""
    return [line for line in shown(app).splitlines() if "╭" in line]


@pytest.mark.parametrize("place", TITLES)
async def test_a_large_window_names_its_panes_in_their_borders(store: Store, place: str) -> None:
    fill(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.press(place)
        await settled(pilot)
        drawn = "\n".join(heads(app))
        assert all(f"╭─ {title} ─" in drawn for title in TITLES[place])


@pytest.mark.parametrize("size", [(80, 24), (119, 50), (160, 35)])
@pytest.mark.parametrize("place", TITLES)
async def test_a_small_one_gives_no_row_to_frames(store: Store, place: str, size: tuple[int, int]) -> None:
    fill(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await pilot.press(place)
        await settled(pilot)
        framed = app.screen.query(".framed").results(Widget)
        assert all(pane.region.size == pane.size or pane.styles.padding for pane in framed)
        assert heads(app) == []


async def test_a_review_has_frames_once_the_window_grows_and_names_what_is_known(store: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.push_screen(ReviewScreen(fill(store)))
        await settled(pilot)
        assert heads(app) == []
        await pilot.resize_terminal(140, 40)
        await settled(pilot)
        assert "╭─ Transcript ─" in shown(app)
        assert "╭─ Scores and label ─" in shown(app)
        await pilot.press("i")
        await settled(pilot)
        assert "╭─ Information ─" in shown(app)


async def test_a_click_in_a_frame_hits_the_row_under_it(store: Store) -> None:
    fill(store)
    second = add_talk(store, name="Flight")
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 40)) as pilot:
        await settled(pilot)
        lines = shown(app).splitlines()
        y = next(place for place, line in enumerate(lines) if "Refund" in line.partition("│")[2][:60])
        await pilot.click(offset=(20, y), times=2)
        await settled(pilot)
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.session_id != second


async def test_the_title_of_a_pane_stands_on_its_own_ground(store: Store) -> None:
    session = fill(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=(160, 50)) as pilot:
        screen = ReviewScreen(session)
        await app.push_screen(screen)
        await settled(pilot)
        assert screen.pane.styles.border_title_background == screen.pane.styles.background


@pytest.mark.parametrize("place", ["3", "4", "7"])
async def test_without_grounds_a_line_parts_the_lower_pane_from_the_upper(store: Store, place: str) -> None:
    fill(store)
    store.queues.add("mine", store.sessions.ids(), sampler="random")
    app = TurnwiseApp(store, theme="turnwise-ansi")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(place)
        await until(pilot, lambda: "─Details──" in shown(app))
        # Beside each other the panes need none.
        await pilot.resize_terminal(230, 30)
        await until(pilot, lambda: ("─Details──" in shown(app)) is (place == "3"))


async def test_in_a_narrow_review_without_grounds_no_line_of_the_scores_is_lost(store: Store) -> None:
    session = fill(store)
    assert await scores_under(store, session, "turnwise-ansi") == await scores_under(
        store, session, "turnwise-dark"
    )


async def scores_under(store: Store, session: int, theme: str) -> list[str]:
    """Return the lines of the scores and labels under a transcript."""
    app = TurnwiseApp(store, theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(ReviewScreen(session))
        await settled(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "h history" in shown(app))
        await settled(pilot)
        lines = shown(app).splitlines()
        first = next(at for at, line in enumerate(lines) if line.startswith("  ✗ knowledge"))
        assert lines[first - 1].startswith("─Scores and label──") is (theme == "turnwise-ansi")
        return lines[first:-1]
