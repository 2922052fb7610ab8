"""A screen that is drawn whole once more draws only those of its parts that have changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.filter import NoColor
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static
from tui_driver import shown, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.textual_internals import kept_frames
from turnwise.tui.textual_internals.kept_frames import keep_frames, look_changed, pieces_of
from turnwise.tui.textual_internals.light_drawing import make_textual_light


@pytest.fixture(autouse=True)
def _frames_checked() -> None:
    """To hold a frame beside one drawn anew asks all parts for their lines."""


class Part(Static):
    """Knows how often it was asked for its lines."""

    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.asked += 1
        return super().render_lines(crop)


class Beside(Part):
    """Something that the terminal has drawn beside what Textual draws."""

    DRAWN_IN_EACH_FRAME = True


class Whole(Screen[None]):
    CSS = "Part { width: 1fr; }"

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Part("left", id="left")
            yield Part("right", id="right")
            yield Beside("beside", id="beside")

    def part(self, name: str) -> Part:
        return self.query_one(f"#{name}", Part)


class Over(ModalScreen[None]):
    CSS = "Over { background: $background 50%; }"

    def compose(self) -> ComposeResult:
        yield Static("over", id="over")


class Small(App[int]):
    def __init__(self) -> None:
        super().__init__()
        make_textual_light()
        keep_frames()

    def on_mount(self) -> None:
        self.push_screen(Whole())


@asynccontextmanager
async def drawn() -> AsyncIterator[tuple[Pilot[int], Whole]]:
    """A screen of three parts that was drawn whole."""
    app = Small()
    async with app.run_test(size=(60, 10)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Whole) and app.screen.part("left").asked > 0)
        assert isinstance(app.screen, Whole)
        await pilot.pause()
        text_of(app.screen)
        yield pilot, app.screen


def asked_for(screen: Whole, change: Callable[[], object]) -> list[str]:
    """Which parts a whole frame asks for their lines after a change."""
    parts = list(screen.query(Part))
    before = [part.asked for part in parts]
    change()
    text_of(screen)
    return [part.id or "" for part, asked in zip(parts, before, strict=True) if part.asked > asked]


def text_of(screen: Screen[None]) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in pieces_of(screen))


async def test_a_part_that_stayed_as_it_was_is_not_drawn_again() -> None:
    async with drawn() as (_, screen):
        assert asked_for(screen, lambda: None) == ["beside"]


async def test_a_part_that_changed_is_drawn_and_no_other() -> None:
    async with drawn() as (_, screen):
        assert asked_for(screen, lambda: screen.part("right").update("other")) == ["right", "beside"]
        assert "other" in text_of(screen)
        assert "left" in text_of(screen)


async def test_what_a_frame_of_a_part_alone_showed_is_in_the_next_whole_one() -> None:
    async with drawn() as (pilot, screen):
        screen.part("left").update("first")
        await pilot.pause()
        screen.part("left").update("second")
        assert "second" in text_of(screen)
        assert "first" not in text_of(screen)


async def test_a_part_that_says_so_itself_is_drawn() -> None:
    async with drawn() as (_, screen):
        assert asked_for(screen, lambda: look_changed(screen.part("left"))) == ["left", "beside"]


async def test_all_parts_are_drawn_where_one_has_another_place() -> None:
    async with drawn() as (pilot, screen):
        screen.part("left").styles.width = 10
        await pilot.pause()
        assert screen._compositor.visible_widgets[screen.part("right")][0].x == 10
        before = screen.part("right").asked
        text_of(screen)
        assert screen.part("right").asked >= before
        assert text_of(screen).startswith("left      right")


async def test_all_parts_are_drawn_where_colours_are_taken_away() -> None:
    async with drawn() as (pilot, screen):
        all_of_them = ["left", "right", "beside"]
        assert asked_for(screen, lambda: pilot.app._filters.append(NoColor())) == all_of_them
        assert asked_for(screen, lambda: setattr(pilot.app, "theme", "nord")) == all_of_them


async def test_a_screen_that_comes_back_shows_what_changed_below_the_other() -> None:
    async with drawn() as (pilot, screen):
        await pilot.app.push_screen(Over())
        screen.part("left").update("changed below")
        await pilot.pause()
        pilot.app.pop_screen()
        await pilot.pause()
        assert "changed below" in text_of(screen)


async def test_what_is_drawn_beside_frames_is_drawn_again_with_a_screen_that_comes_back() -> None:
    async with drawn() as (pilot, screen):
        await pilot.app.push_screen(Over())
        await pilot.pause()
        left, beside = screen.part("left").asked, screen.part("beside").asked
        pilot.app.pop_screen()
        await pilot.pause()
        assert screen.part("beside").asked > beside
        assert screen.part("left").asked == left


async def test_the_key_that_redraws_takes_nothing_of_the_frame_that_is_kept(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.place == "library")
        await until(pilot, lambda: "no judge in use" in shown(app))
        before = text_of(app.screen)
        for line in app.screen._compositor.__dict__["_kept_frame"].lines:
            line.update((start, Strip.blank(piece.cell_length)) for start, piece in line.items())
        assert not text_of(app.screen).strip()
        await pilot.press("ctrl+l")
        assert text_of(app.screen) == before


async def test_nothing_is_kept_where_nothing_tells_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with drawn() as (_, screen):
        monkeypatch.setattr(Widget, "_set_dirty", kept_frames._usual_set_dirty)
        screen.part("left").update("other")
        assert "other" in text_of(screen)
