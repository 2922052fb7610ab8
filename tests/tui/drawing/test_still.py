"""Screens stay as they are drawn where the focus goes from one part to another."""

from __future__ import annotations

from typing import ClassVar

import pytest
from rich.console import RenderableType
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.geometry import Region, Size
from textual.widgets import Input, Static

from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.textual_screens import mount_unseen


class Form(StillScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("tab", "app.focus_next")]

    def compose(self) -> ComposeResult:
        yield Static("words")
        yield Input(id="one")
        yield Input(id="two")


async def test_only_what_loses_and_gets_the_focus_is_drawn_anew() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen = Form()
        await app.push_screen(screen)
        await pilot.pause()
        drawn: list[Region] = []
        screen.refresh = lambda *regions, **options: drawn.extend(regions or [screen.region])  # type: ignore[method-assign, assignment, return-value]
        for wanted in ("two", "one"):
            await pilot.press("tab")
            await pilot.pause()
            assert screen.focused is not None
            assert screen.focused.id == wanted
            assert screen.focused.has_focus
        assert drawn == []


class Filled(Form):
    def on_mount(self) -> None:
        self.query_one("#one", Input).value = "filled"

    def on_resize(self) -> None:
        self.query_one("#one", Input).styles.max_height = self.size.height


async def test_a_screen_that_is_taken_away_before_its_parts_are_there_is_not_filled() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.install_screen(screen := Filled(), "filled")
        mount_unseen(app, screen)
        screen.remove()
        await pilot.pause()
    assert not screen.query(Input)


async def test_a_screen_that_is_mounted_while_the_app_closes_all_of_them_is_not_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.install_screen(screen := Filled(), "filled")
        with monkeypatch.context() as closing:
            closing.setattr(App, "is_running", False)
            mount_unseen(app, screen)
            await pilot.pause()
        assert screen.query_one("#one", Input).value == ""


async def test_a_screen_that_is_made_while_the_app_ends_is_not_filled() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.install_screen(screen := Filled(), "filled")
        app.exit()
        mount_unseen(app, screen)
        screen.post_message(Resize(Size(60, 20), Size(60, 20)))
        await pilot.pause()
    assert not screen.query(Input)


class Framed(Filled):
    def compose(self) -> ComposeResult:
        yield Vertical(Input(id="one"))


async def test_a_screen_that_is_resized_while_the_app_takes_its_parts_away_is_not_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        app.install_screen(screen := Framed(), "framed")
        mount_unseen(app, screen)
        await pilot.pause()
        await screen.query_one("#one", Input).remove()
        with monkeypatch.context() as closing:
            closing.setattr(App, "is_running", False)
            screen.post_message(Resize(Size(60, 20), Size(60, 20)))
            await pilot.pause()
        assert screen.query(Vertical)


class Counted(Form):
    draws = 0

    def render(self) -> RenderableType:
        self.draws += 1
        return super().render()


async def test_a_screen_opens_in_one_frame_and_is_drawn_anew_in_another_size() -> None:
    app: App[None] = App()
    async with app.run_test(size=(40, 10)) as pilot:
        screen = Counted()
        await app.push_screen(screen)
        for _ in range(3):
            await pilot.pause()
        assert screen.draws == 1
        assert screen.size == (40, 10)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert screen.draws > 1
        assert screen.size == (60, 20)
        assert screen.query_one("#one").size.width > 40


async def test_what_is_to_follow_a_drawing_is_left_out_once_the_screen_is_leaving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen = Form()
        await app.push_screen(screen)
        called: list[str] = []
        screen.call_after_refresh(called.append, "there")
        await pilot.pause()
        monkeypatch.setattr("turnwise.tui.drawing.still.is_leaving", lambda node: node is screen)
        screen.call_after_refresh(called.append, "gone")
        await pilot.pause()
        assert called == ["there"]


async def test_a_screen_that_ends_takes_what_stands_above_it_along_and_nothing_else() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        below, ending, above = Form(), Form(), Form()
        ended: list[object] = []
        for screen in (below, ending, above):
            await app.push_screen(screen, ended.append)
        ending.dismiss(None)
        ending.dismiss(None)
        await pilot.pause()
        assert app.screen is below
        assert ended == [None, None]
