"""Every theme can be read, says nothing by colour alone, and suits the terminal it is drawn on."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from rich.color import ColorSystem
from rich.color_triplet import ColorTriplet
from rich.style import Style
from textual.color import Color
from textual.theme import Theme
from tui_driver import shown, until

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports import pages
from turnwise.conversations.exports.html_style import STYLE
from turnwise.conversations.store import Store
from turnwise.engine.judge.usual_judge import settings_path
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.settings.settings import Settings
from turnwise.tui.settings.theme_names import KNOWN_THEME_NAMES, THEME_NAMES
from turnwise.tui.settings.themes import (
    ANSI,
    DARK,
    HIGH_CONTRAST,
    LIGHT,
    PREFIX,
    choose_theme,
    registered_names,
    theme_of,
)

PAGE_STYLE = (Path(pages.__file__).parent / "page.css").read_text()
TEXTS = ["text", "text-muted", "text-success", "text-error", "text-warning", "text-accent"]
GROUNDS = ["background", "surface", "panel"]
PAIRS = [
    *((text, ground) for text in TEXTS for ground in GROUNDS),
    ("background", "accent"),
    *((text, "block-cursor-background") for text in ("text", "text-muted")),
    ("input-cursor-foreground", "input-cursor-background"),
]
LAID = ("scrollbar", "block-cursor-background", *GROUNDS)
THEMES = [theme_of(name) for name in registered_names()]
KNOWN = {PREFIX + name for name in KNOWN_THEME_NAMES}
FIXED = [theme for theme in THEMES if not theme.ansi]


def drawn_colors(theme: Theme) -> dict[str, str]:
    """Return the colours as the app has them: a theme's own go before those that are mixed for it."""
    return {**theme.to_color_system().generate(), **theme.variables}


def luminance(color: Color) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def least(theme: Theme) -> float:
    """Return the contrast that text must have."""
    return 7 if theme.name == HIGH_CONTRAST else 4.5


def of_256(color: Color) -> Color:
    """The colour that a terminal of 256 colours draws instead."""
    drawn = color.rich_color.downgrade(ColorSystem.EIGHT_BIT)
    triplet: ColorTriplet = drawn.get_truecolor()
    return Color(*triplet)


@pytest.mark.parametrize("theme", FIXED, ids=lambda theme: theme.name)
@pytest.mark.parametrize("pair", PAIRS, ids=" on ".join)
def test_text_can_be_read_on_every_ground(theme: Theme, pair: tuple[str, str]) -> None:
    colors = drawn_colors(theme)
    text, ground = (Color.parse(colors[name]) for name in pair)
    assert contrast(text, ground) >= least(theme)
    # A terminal of 256 colours draws the nearest ones, which come less near to those of other themes.
    assert contrast(of_256(text), of_256(ground)) >= (3 if theme.name in KNOWN else 4.5)


@pytest.mark.parametrize("theme", FIXED, ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("where", ["screen", "input"])
def test_what_is_selected_can_be_read(theme: Theme, ground: str, where: str) -> None:
    colors = drawn_colors(theme)
    accent, _, percent = colors[f"{where}-selection-background"].partition(" ")
    over = Color.parse(colors[ground]).blend(Color.parse(accent), int(percent.rstrip("%")) / 100)
    assert contrast(Color.parse(colors[f"{where}-selection-foreground"]), over) >= least(theme)


@pytest.mark.parametrize("theme", FIXED, ids=lambda theme: theme.name)
@pytest.mark.parametrize("text", ["text", "text-muted", "text-accent"])
def test_what_the_user_says_can_be_read_on_its_ground(theme: Theme, text: str) -> None:
    colors = drawn_colors(theme)
    ground = Color.parse(colors["background"]).blend(Color.parse(colors["accent"]), 0.09)
    assert contrast(Color.parse(colors[text]), ground) >= least(theme)


@pytest.mark.parametrize("theme", FIXED, ids=lambda theme: theme.name)
def test_grounds_and_what_is_muted_can_be_told_apart(theme: Theme) -> None:
    drawn = drawn_colors(theme)
    colors = {name: Color.parse(drawn[name]) for name in ("text", "text-muted", *GROUNDS)}
    # Rows and fields lie on the ground of dialogs, and on that of screens.
    assert all(contrast(colors["panel"], colors[ground]) >= 1.1 for ground in ("surface", "background"))
    assert contrast(colors["text"], colors["background"]) > 1.2 * contrast(
        colors["text-muted"], colors["background"]
    )
    # The edge of a dialog against what is below it, and against the dialog.
    assert all(contrast(colors["text-muted"], colors[ground]) >= 3 for ground in ("background", "surface"))


@pytest.mark.parametrize("theme", FIXED, ids=lambda theme: theme.name)
def test_a_scroll_bar_stands_out_from_all_grounds_and_its_track_from_none(theme: Theme) -> None:
    colors = {name: Color.parse(color) for name, color in drawn_colors(theme).items() if name in LAID}
    bar = colors["scrollbar"]
    assert all(contrast(bar, colors[ground]) >= 1.3 for ground in LAID if ground != "scrollbar")
    # One of another colour than its surroundings would look like the bar.
    assert Color.parse(drawn_colors(theme)["scrollbar-background"]).a == 0


async def test_the_frames_of_high_contrast_can_be_seen(filled: Store) -> None:
    app = TurnwiseApp(filled, theme=HIGH_CONTRAST)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        _, color = app.library.query(".framed").first().styles.border_top
        # As WCAG asks of what is seen and not read.
        assert contrast(color, app.screen.styles.background) >= 3


@pytest.mark.parametrize("theme", FIXED, ids=lambda theme: theme.name)
async def test_the_app_draws_the_colours_that_were_chosen(filled: Store, theme: Theme) -> None:
    app = TurnwiseApp(filled, theme=theme.name)
    async with app.run_test(size=(100, 24)):
        used = app.get_css_variables()
        assert {name: used[name] for name in theme.variables} == theme.variables


def test_the_16_colour_theme_takes_the_terminals_own_colours_alone() -> None:
    theme = next(theme for theme in THEMES if theme.name == ANSI)
    colors = theme.to_color_system().generate()
    used = {name: colors[name] for name in (*TEXTS, *GROUNDS)}
    assert all(value.startswith("ansi_") or value == "transparent" for value in used.values())
    # What terminals take these for cannot be read on black, or on white.
    assert not {"ansi_blue", "ansi_yellow"} & set(used.values())
    # Any of these on its own ground can be read wherever the terminal's own colours can.
    assert {colors[name] for name in ("text", "text-muted", *GROUNDS)} <= {"ansi_default", "transparent"}


class TestTheChoice:
    KNOWN: ClassVar = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}

    @pytest.mark.parametrize("name", THEME_NAMES)
    def test_the_command_line_goes_before_all(self, name: str) -> None:
        environment = {**self.KNOWN, "TURNWISE_THEME": "light"}
        assert choose_theme(name, "dark", environment) == PREFIX + name

    def test_the_variable_goes_before_the_settings(self) -> None:
        assert choose_theme(None, "light", {"TURNWISE_THEME": "high-contrast"}) == HIGH_CONTRAST
        assert choose_theme(None, "light", {"TERM": "linux"}) == LIGHT

    @pytest.mark.parametrize(
        ("environment", "theme"),
        [
            ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, DARK),
            ({"TERM": "xterm-direct"}, DARK),
            ({"TERM": "tmux-256color"}, DARK),
            ({"TERM": "xterm-kitty"}, DARK),
            ({"TERM": "linux"}, ANSI),
            ({"TERM": "xterm"}, ANSI),
            ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, ANSI),
            ({}, ANSI),
        ],
    )
    def test_a_terminal_gets_what_it_can_draw(self, environment: dict[str, str], theme: str) -> None:
        assert choose_theme(None, None, environment) == theme

    def test_no_color_is_kept_to_whatever_was_asked_for(self) -> None:
        assert choose_theme("light", "light", {**self.KNOWN, "NO_COLOR": "1"}) == ANSI
        assert choose_theme("light", "light", {**self.KNOWN, "NO_COLOR": ""}) == LIGHT

    @pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
    def test_a_name_that_is_none_is_told_with_the_nearest(self, environment: dict[str, str]) -> None:
        with pytest.raises(SettingError, match="no theme 'drak'") as caught:
            choose_theme("drak", None, environment)
        assert caught.value.next_step == "Did you mean 'dark'?"


def styles(app: TurnwiseApp) -> list[Style]:
    strips = app.screen._compositor.render_strips()
    return [segment.style or Style.null() for strip in strips for segment in strip]


async def test_no_color_draws_without_any_and_still_shows_where_one_is(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TurnwiseApp(filled, theme=ANSI)
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("j")
        await until(pilot, lambda: "▌" in shown(app))
        drawn = [
            segment.style
            for y in range(24)
            for segment in app.screen._compositor.render_strips()[y].apply_filter(
                app.get_line_filters()[-1], Color(0, 0, 0)
            )
            if segment.style
        ]
        assert all(color is None or color.is_default for s in drawn for color in (s.color, s.bgcolor))
        assert any(style.bold for style in drawn)


def drawn_styles(app: TurnwiseApp, text: str) -> list[Style]:
    """The styles of the segments of just this text, as the terminal is told them."""
    found = [segment for strip in app.screen._compositor.render_strips() for segment in strip]
    for line_filter in app.get_line_filters():
        found = line_filter.apply(found, Color(0, 0, 0))
    return [segment.style or Style.null() for segment in found if segment.text == text]


@pytest.mark.parametrize("no_color", ["", "1"])
async def test_cursor_and_selection_of_a_line_show_on_any_ground(
    filled: Store, monkeypatch: pytest.MonkeyPatch, no_color: str
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    app = TurnwiseApp(filled, theme=ANSI)
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press("slash", "x", "y", "z", "left")
        await until(pilot, lambda: bool(drawn_styles(app, "xy")))
        [cursor] = drawn_styles(app, "z")
        # In colours of its own it would be lost on a ground of one of them.
        assert cursor.reverse
        assert all(color is None or color.is_default for color in (cursor.color, cursor.bgcolor))
        await pilot.press("shift+home")
        [selected] = drawn_styles(app, "y")
        assert selected.reverse or (selected.bgcolor and not selected.bgcolor.is_default)


async def test_what_fails_stands_out_of_what_passes_without_colour(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for place, word in enumerate(("pass", "fail", "pass"), 1):
        filled.labels.add(place, word, author="ann", blind=True)
    app = TurnwiseApp(filled, theme=ANSI)
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "✗" in shown(app))
        passed, failed = (
            [
                one.style
                for strip in app.screen._compositor.render_strips()
                for one in strip
                if sign in one.text
            ]
            for sign in "✓✗"
        )
        assert {(bool(one.dim), bool(one.bold)) for one in passed if one} == {(True, False)}
        assert {(bool(one.dim), bool(one.bold)) for one in failed if one} == {(False, True)}
        # Weights alone are hardly seen in some terminals: in a row the sign stands on a block, and only it.
        assert any(one.reverse for one in failed if one)
        assert not any(one.reverse for one in passed if one)
        blocks = {
            one.text
            for strip in app.screen._compositor.render_strips()
            for one in strip
            if one.style and one.style.reverse
        }
        assert "✗" in blocks


@pytest.mark.parametrize(("key", "text"), [("o", "failed first"), ("n", "none"), ("slash", "earch what")])
async def test_what_is_muted_is_dim_in_the_16_colours(filled: Store, key: str, text: str) -> None:
    app = TurnwiseApp(filled, theme=ANSI)
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: text in shown(app))
        drawn = [segment for strip in app.screen._compositor.render_strips() for segment in strip]
        assert {bool(one.style and one.style.dim) for one in drawn if text in one.text} == {True}


async def test_an_empty_no_color_is_none(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert not TurnwiseApp(filled).no_color


async def test_the_palette_changes_the_theme_and_keeps_it(filled: Store) -> None:
    path = settings_path()
    path.parent.mkdir(parents=True)
    path.write_text('# mine\nauthor = "Mia"\n\n[keymap]\nhelp = "f2"\n')
    app = TurnwiseApp(filled)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"theme", "space", *"light")
        await until(pilot, lambda: "Kept in your settings" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.theme == LIGHT)
    kept = '# mine\nauthor = "Mia"\n\n[keymap]\nhelp = "f2"\n'
    assert path.read_text() == f'theme = "light"\n{kept}'


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
async def test_every_theme_draws_the_same_text(filled: Store, theme: Theme) -> None:
    app = TurnwiseApp(filled, settings=Settings(), theme=theme.name)
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, lambda: "Refund for a flight" in shown(app))
        assert "enter review" in shown(app)


@pytest.mark.parametrize("style", [STYLE, PAGE_STYLE], ids=["page of scores", "page that plays"])
def test_exported_pages_have_the_tones_of_the_app(style: str) -> None:
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    for told, name in ((light, LIGHT), (dark, DARK)):
        theme = theme_of(name)
        assert f"--pass: {theme.success}; --fail: {theme.error}; --unsure: {theme.warning}" in told
