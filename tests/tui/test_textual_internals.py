"""What holds on every screen: keys, errors and words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any, ClassVar

import pytest
import textual.css.stylesheet
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.color import Color
from textual.containers import Horizontal, Vertical
from textual.css.model import RuleSet
from textual.filter import NoColor
from textual.geometry import Region
from textual.notifications import Notification
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static
from textual.widgets._toast import Toast
from tui_driver import shown, until

from turnwise.tui.actions import Place, bindings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.help_list import HelpList
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.drawing.still import StillScreen, StillView
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import make_room
from turnwise.tui.textual_internals.apps import let_timers_end
from turnwise.tui.textual_internals.light_drawing import (
    make_frames_light,
    make_frames_whole,
    make_pointer_quiet,
    make_strips_light,
)


@pytest.mark.parametrize("seconds", [-1.5, 0.0])
async def test_a_timer_whose_time_is_over_rings_at_once(seconds: float) -> None:
    let_timers_end()
    app: App[None] = App()
    async with app.run_test() as pilot:
        rung: list[str] = []
        app.set_timer(seconds, lambda: rung.append("rung"))
        await until(pilot, lambda: rung == ["rung"])  # type: ignore[arg-type]


async def test_a_toast_that_was_told_while_the_machine_slept_does_not_hang_the_app(app: TurnwiseApp) -> None:
    async with app.run_test(notifications=True) as pilot:
        late = Notification("Kept.", raised_at=time.time() - 60, timeout=2.5)
        make_room(app, late)
        app.mount(Toast(late))
        await until(pilot, lambda: not app.screen.query(Toast))


class LateDialog(Dialog[None]):
    """A dialog whose parts take their time."""

    PLACE: ClassVar[Place] = "question"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("question"))

    async def _compose(self) -> None:
        await asyncio.sleep(0.1)
        await super()._compose()

    def compose(self) -> ComposeResult:
        yield Static(id="words")


class PlainDialog(Dialog[None]):
    PLACE: ClassVar[Place] = "question"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("question"))

    def compose(self) -> ComposeResult:
        with Vertical(id="panel"):
            yield Static("a title", classes="title")
            yield Static("some words", classes="words")
            yield KeyLine("question")


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


class Green(Screen[None]):
    """A screen with a style of its own."""

    CSS = "Green { background: $success; }"


async def test_what_is_new_on_the_screen_has_its_own_style_read_and_no_other(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    usual = textual.css.stylesheet.parse

    def parse(scope: str, css: str, *arguments: Any, **named: Any) -> Iterable[RuleSet]:
        read.append(css)
        return usual(scope, css, *arguments, **named)

    kinds = [
        type(f"Kind{n}", (Static,), {"DEFAULT_CSS": f"Kind{n} {{ height: {n + 1}; }}"}) for n in range(101)
    ]
    async with app.run_test():
        await app.screen.mount(*(kind() for kind in kinds[:100]))
        monkeypatch.setattr("textual.css.stylesheet.parse", parse)
        await app.screen.mount(kinds[100]())
        assert read == ["Kind100 { height: 101; }"]
        read.clear()
        await app.push_screen(Green())
        assert read == [Green.CSS]
        assert app.screen.styles.background == Color.parse(app.theme_variables["success"])


async def test_another_theme_gives_styles_that_were_read_its_own_colours(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        await app.push_screen(Green())
        before = app.screen.styles.background
        app.looks.show_theme("light")
        await pilot.pause()
        assert app.screen.styles.background == Color.parse(app.theme_variables["success"]) != before


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


class FocusInLines(Lines):
    def focus_lines(self) -> Iterable[int]:
        return (2, 5)


class TwoViews(StillScreen[None]):
    CSS = "Lines { height: 6; }"

    def compose(self) -> ComposeResult:
        yield FocusInLines()
        yield FocusInLines()


async def test_only_the_lines_that_show_the_focus_are_drawn_where_it_comes_and_goes() -> None:
    app: App[None] = App()
    async with app.run_test(size=(40, 12)) as pilot:
        await app.push_screen(TwoViews())
        views = list(app.screen.query(FocusInLines))
        # Both are drawn whole once, as they are laid out.
        await until(pilot, lambda: all(len(view.asked) >= view.size.height > 0 for view in views))
        for leaves, gets in (views, reversed(views)):
            app.screen.set_focus(leaves)
            await pilot.pause()
            for view in views:
                view.asked.clear()
            app.screen.set_focus(gets)
            await pilot.pause()
            assert (leaves.has_focus, gets.has_focus) == (False, True)
            assert leaves.asked == gets.asked == [2, 5]


async def test_the_edge_of_a_view_is_drawn_around_its_lines() -> None:
    app = LinesApp()
    async with app.run_test(size=(40, 12)) as pilot:
        view = app.query_one(Lines)
        view.styles.border = ("round", "red")
        await pilot.pause()
        lines = [strip.text for strip in view.render_lines(view.outer_size.region)]
        assert lines[0].startswith("╭─")
        assert lines[1].startswith("│line 0")


class Panes(App[None]):
    """Two panes of lines side by side in a box that they hide."""

    CSS = """
    Horizontal { background: red; }
    Lines { width: 1fr; height: 1fr; }
    """
    asked = 0

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Lines()
            yield Lines()


async def test_a_frame_asks_only_what_is_seen_in_it_and_looks_as_it_would_otherwise() -> None:
    make_frames_light()
    app = Panes()
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        first, second = app.query(Lines)
        compositor, box = app.screen._compositor, app.query_one(Horizontal)
        whole = [strip.text for strip in compositor.render_strips()]
        assert whole[3].startswith("line 3")
        asked: list[Widget] = []
        for widget in (first, second, box):
            usual = widget.render_lines
            widget.render_lines = lambda crop, usual=usual, one=widget: (asked.append(one), usual(crop))[1]  # type: ignore[method-assign, misc]
        second.refresh(Region(0, 3, 39, 1))
        second.asked.clear()
        compositor.update_widgets({second})
        update = compositor.render_update()
        assert asked == [second]
        assert second.asked == [3]
        assert isinstance(update, ChopsUpdate)
        assert update.spans == [(3, 40, 79)]
        assert "line 3" in update.render_segments(app.console)
        assert "line 4" not in update.render_segments(app.console)
        asked.clear()
        assert [strip.text for strip in compositor.render_strips()] == whole
        assert box not in asked


async def test_where_nothing_changed_there_is_no_frame() -> None:
    make_frames_light()
    app = Panes()
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        assert app.screen._compositor.render_update() is None


def drawn_lines(update: ChopsUpdate, place: Region) -> set[int]:
    """The lines that a frame draws over the whole width of a place."""
    return {y for y, first, last in update.spans if first <= place.x and place.right <= last}


async def test_what_came_is_drawn_though_its_place_was_asked_for_before_it_was_laid_out() -> None:
    make_frames_light()
    app = Panes()
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        compositor = app.screen._compositor
        late = Lines()
        with app.batch_update():
            await app.query_one(Horizontal).mount(late)
            compositor.update_widgets({late})
            assert late in compositor.full_map
            compositor._dirty_regions.discard(compositor.full_map[app.screen].region)
            compositor.reflow(app.screen, app.size)
            update = compositor.render_update()
        assert isinstance(update, ChopsUpdate)
        assert drawn_lines(update, late.region) >= set(late.region.line_range)


async def test_what_moved_is_drawn_anew_where_it_was_though_its_new_place_was_asked_for_before() -> None:
    make_frames_light()
    app = Panes()
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        compositor, box = app.screen._compositor, app.query(Lines).last()
        before = box.region
        with app.batch_update():
            box.styles.margin = (3, 0, 0, 0)
            app.query_one(Horizontal)._clear_arrangement_cache()
            compositor._full_map_invalidated = True
            compositor._dirty_regions.clear()
            assert compositor.full_map[box].region != before
            compositor.reflow(app.screen, app.size)
            update = compositor.render_update()
        assert isinstance(update, ChopsUpdate)
        assert drawn_lines(update, before) >= set(before.line_range)


@pytest.fixture
def frames(app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the app draws, from now on."""
    drawn: list[object] = []
    usual = app._display
    monkeypatch.setattr(app, "_display", lambda screen, update: (drawn.append(update), usual(screen, update)))
    return drawn


async def test_a_frame_shows_what_changed_before_it_and_no_other_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_frames_light()
    make_frames_whole()
    app = Panes()
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        first, second = app.query(Lines)
        drawn: list[object] = []
        monkeypatch.setattr(app, "_display", lambda _screen, update: drawn.append(update))
        # The screen has heard of the first alone when it draws.
        first.refresh(Region(0, 3, 39, 1))
        app.screen._dirty_widgets.add(first)
        second.refresh(Region(0, 5, 39, 1))
        app.screen._on_timer_update()
        (update,) = drawn
        assert isinstance(update, ChopsUpdate)
        assert {y for y, _, _ in update.spans} == {3, 5}
        await pilot.pause(0.1)
        assert [one for one in drawn[1:] if one is not None] == []


async def test_what_is_new_is_laid_out_and_told_of_its_size_before_it_is_drawn() -> None:
    make_frames_light()
    make_frames_whole()
    app = Panes()
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        late = Lines()
        mounted = app.query_one(Horizontal).mount(late)
        late._repaint_required = True
        late._check_refresh()
        assert late not in app.screen._dirty_widgets
        await mounted
        await pilot.pause()
        assert late.size.height == 12
        assert app.screen._compositor.render_strips()[3].text[late.region.x :].startswith("line 3")


async def test_a_bar_is_drawn_with_its_lines_where_a_line_is_asked_for_below_them(
    app: TurnwiseApp, frames: list[object]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bool(app.library.list.size))
        await pilot.press("enter")
        await until(pilot, lambda: "Your label" in shown(app))
        await pilot.pause(0.5)
        frames.clear()
        await pilot.press("g")
        await until(pilot, lambda: "for the first" in shown(app))
        await pilot.pause(0.2)
        assert len([one for one in frames if one is not None]) == 1


async def test_a_dialog_is_laid_out_and_drawn_once_when_it_opens(
    app: TurnwiseApp, frames: list[object]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bool(app.library.list.size))
        await pilot.pause(0.5)
        frames.clear()
        dialog = PlainDialog()
        await app.push_screen(dialog)
        for _ in range(5):
            await pilot.pause()
        whole = [one for one in frames if isinstance(one, LayoutUpdate)]
        assert len(whole) == 1
        assert "some words" in shown(app)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_lines_that_need_a_bar_are_there_in_the_first_frame_and_it_is_the_only_one(
    app: TurnwiseApp, frames: list[object], size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: bool(app.library.list.size))
        await pilot.pause(0.5)
        frames.clear()
        await pilot.press("question_mark")
        await until(pilot, lambda: any(one is not None for one in frames))
        await pilot.pause(0.2)
        assert len([one for one in frames if one is not None]) == 1
        lines = app.screen.query_one(HelpList)
        assert lines.vertical_scrollbar.region.height == lines.size.height
        assert lines.max_scroll_y == lines.virtual_size.height - lines.size.height > 0
        first = lines.lines[0]
        assert first[0].text in shown(app)


@pytest.mark.parametrize("key", ["ctrl+p", "b", "f9", "f2", "F", "ctrl+f"])
async def test_what_was_made_ahead_opens_in_one_frame(
    app: TurnwiseApp, frames: list[object], key: str
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bool(app.library.list.size))
        for _ in range(2):
            for _ in steps_ahead(app, app.screen):
                await pilot.pause()
            await pilot.pause(0.5)
            frames.clear()
            await pilot.press(key)
            await until(pilot, lambda: app.screen is not app.library and bool(drawn(frames)))
            await pilot.pause(0.3)
            assert len(drawn(frames)) == 1
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.library)


def drawn(frames: list[object]) -> list[object]:
    return [one for one in frames if one is not None]


@pytest.mark.parametrize("key", ["question_mark", "o", "W"])
async def test_a_kept_dialog_opens_again_in_one_frame_with_what_is_so_now(
    app: TurnwiseApp, frames: list[object], key: str
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bool(app.library.list.size))
        # What is made ahead for the first time has all styles looked up anew, and all drawn.
        for _ in steps_ahead(app, app.screen):
            await pilot.pause()
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not app.library)
        await pilot.pause(0.3)
        dialog = app.screen
        await pilot.press("slash", *"tu")
        await pilot.pause(0.1)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.library)
        await pilot.pause(0.5)
        frames.clear()
        await pilot.press(key)
        await until(pilot, lambda: app.screen is dialog and any(one is not None for one in frames))
        await pilot.pause(0.3)
        # What blinks, or is told by a machine that is busy, may be drawn after it.
        [first] = [one for one in frames if isinstance(one, LayoutUpdate)]
        seen = ["".join(strip.text for strip in line if strip) for line in first.strips]
        assert seen == shown(app).split("\n")


async def test_the_shape_of_the_pointer_is_sent_once_and_not_with_every_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_pointer_quiet()
    app: App[None] = App()
    async with app.run_test() as pilot:
        sent: list[str] = []
        monkeypatch.setattr(app._driver, "write", sent.append)
        await app.push_screen(Screen())
        await pilot.pause()
        for shape in ("default", "text", "text", "default"):
            app._set_pointer_shape(shape)
        assert [one for one in sent if "]22;" in one] == ["\x1b]22;text\x07", "\x1b]22;default\x07"]
