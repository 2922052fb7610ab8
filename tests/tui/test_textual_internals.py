"""What holds on every screen: keys, errors and words."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.color import Color
from textual.filter import NoColor
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from turnwise.tui.actions import Place, bindings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.still import StillScreen, StillView
from turnwise.tui.textual_internals import make_strips_light


class LateDialog(Dialog[None]):
    """A dialog whose parts take their time."""

    PLACE: ClassVar[Place] = "question"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("question"))

    async def _compose(self) -> None:
        await asyncio.sleep(0.1)
        await super()._compose()

    def compose(self) -> ComposeResult:
        yield Static(id="words")


async def test_a_key_waits_for_a_screen_that_is_only_just_opened(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        late = LateDialog()
        app.push_screen(late)
        await asyncio.sleep(0)
        assert not late.is_mounted
        await app.on_event(events.Key("x", "x"))
        assert late.is_mounted
        assert late.query("#words")
        await pilot.press("escape")
        assert len(app.screen_stack) == 1


def test_a_strip_remembers_once_it_is_asked() -> None:
    make_strips_light()
    strip = Strip([Segment("refund", Style(bold=True)), Segment(" it")])
    assert strip.divide([2, 9]) is strip.divide([2, 9])
    assert [part.text for part in strip.divide([2, 9])] == ["re", "fund it"]
    assert strip.crop(1, 4) is strip.crop(1, 4)
    assert strip.crop_extend(1, 12, None).text == "efund it   "
    assert strip.adjust_cell_length(5).text == "refun"
    assert strip.apply_offsets(0, 3) is strip.apply_offsets(0, 3)
    plain, ground = NoColor(), Color(0, 0, 0)
    assert strip.apply_filter(plain, ground) is strip.apply_filter(plain, ground)
    assert strip.apply_style(Style(dim=True)).text == "refund it"


def test_a_strip_has_no_more_than_its_memories() -> None:
    make_strips_light()
    with pytest.raises(AttributeError, match="no_such_thing"):
        Strip([]).no_such_thing  # type: ignore[attr-defined]  # noqa: B018


async def test_nothing_is_drawn_below_a_screen_that_lets_nothing_through(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        library = app.library
        app.push_screen(StillScreen())
        await pilot.pause()
        assert not library.is_current
        app.push_screen(LateDialog())
        await pilot.pause()
        assert not library.is_current
        await pilot.press("escape")
        app.pop_screen()
        await pilot.pause()
        app.push_screen(LateDialog())
        await pilot.pause()
        assert library.is_current


class Lines(StillView):
    """Draws the same strip for a line whenever it is asked; counts how often it is."""

    DEFAULT_CSS = "Lines { overflow-y: scroll; scrollbar-size-vertical: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self.strips = [Strip([Segment(f"line {place}".ljust(39))], 39) for place in range(12)]
        self.asked: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.asked.append(y)
        return self.strips[y]


class LinesApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Lines()


async def test_a_view_without_an_edge_is_shown_by_its_own_strips_and_only_what_changed_is_asked_for() -> None:
    app = LinesApp()
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        view = app.query_one(Lines)
        view.asked.clear()
        crop = view.size.region
        assert [strip.text for strip in view.render_lines(crop)] == [strip.text for strip in view.strips]
        assert view.asked == []
        view.refresh(Region(0, 3, 39, 1))
        assert view.render_lines(crop)[3].text == view.strips[3].text
        assert view.asked == [3]
        assert [strip.text for strip in view.render_lines(Region(5, 2, 4, 1))] == ["2   "]


async def test_the_edge_of_a_view_is_drawn_around_its_lines() -> None:
    app = LinesApp()
    async with app.run_test(size=(40, 12)) as pilot:
        view = app.query_one(Lines)
        view.styles.border = ("round", "red")
        await pilot.pause()
        lines = [strip.text for strip in view.render_lines(view.outer_size.region)]
        assert lines[0].startswith("╭─")
        assert lines[1].startswith("│line 0")
