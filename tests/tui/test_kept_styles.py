"""Styles that are kept are those that Textual finds, whatever has the focus and which classes come and go."""

from __future__ import annotations

from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.color import Color
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widgets import Static
from tui_driver import press

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.textual_internals import kept_styles
from turnwise.tui.textual_internals.kept_styles import keep_styles

Styles = dict[str, Any]


def styles_of(node: DOMNode) -> tuple[Styles, dict[str, Styles]]:
    """What a style sheet says of a widget, and of the parts of it that have a name."""
    parts = {name: {**styles.base.get_rules()} for name, styles in node._component_styles.items()}
    return {**node.styles.base.get_rules()}, parts


def found_anew(app: TurnwiseApp, node: DOMNode) -> tuple[Styles, dict[str, Styles]]:
    """What Textual itself finds for it."""
    usual = Stylesheet(variables=app.get_css_variables())
    usual.__dict__.update({name: app.stylesheet.__dict__[name] for name in usual.__dict__})
    usual.apply(node)
    return styles_of(node)


WALK = ["slash", "escape", "down", "enter", "s", "i", "tab", "escape", "c", "escape", "escape"]
WALK += ["2", "5", "tab", "escape", "1", "r", "slash", "escape", "escape", "question_mark", "escape", "4"]


async def test_they_are_those_that_textual_finds(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        for key in WALK:
            await pilot.press(key)
            await pilot.pause()
            for node in (app, *app.screen.walk_children(with_self=True)):
                # A list of choices shows the focus by itself, and keeps the styles that it had before.
                if not isinstance(node, ChoiceList):
                    assert styles_of(node) == found_anew(app, node), (key, node)


async def test_another_theme_has_its_own(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        for theme in ("textual-light", "nord", "ansi-dark"):
            app.theme = theme
            await press(pilot, "slash", "escape")
            for node in (app, *app.screen.walk_children(with_self=True)):
                assert styles_of(node) == found_anew(app, node), (theme, node)


class InFront(App[None]):
    CSS = """
    InFront { color: red; &:blur { color: blue; } &:blur Static { color: green; } }
    Static:hover { color: yellow; }
    """

    def compose(self) -> ComposeResult:
        yield Static("words")


async def test_an_app_that_goes_behind_another_looks_otherwise_and_comes_back() -> None:
    app = InFront()
    keep_styles(app)
    async with app.run_test():
        words = app.query_one(Static)
        for in_front, own, inside in ((True, "red", None), (False, "blue", "green"), (True, "red", None)):
            app.app_focus = in_front
            app.stylesheet.update(app)
            assert app.styles.color == Color.parse(own)
            assert words.styles.base.get_rules().get("color") == (inside and Color.parse(inside))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[RuleSet]:
    """The rules of which it was looked whether they hold."""
    rules: list[RuleSet] = []
    usual = Stylesheet._check_rule

    def check(rule: RuleSet, path: list[DOMNode]) -> Any:
        rules.append(rule)
        return usual(rule, path)

    monkeypatch.setattr(Stylesheet, "_check_rule", staticmethod(check))
    return rules


@pytest.mark.usefixtures("steps_by_hand")
async def test_they_are_found_once(app: TurnwiseApp, asked: list[RuleSet]) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "slash", "escape", "slash", "escape")
        asked.clear()
        await press(pilot, "slash", "escape")
        assert not asked


@pytest.mark.usefixtures("steps_by_hand")
async def test_no_more_are_kept_than_an_app_needs(
    app: TurnwiseApp, asked: list[RuleSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_styles, "_MOST_FOUND", 10)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "slash", "escape", "slash", "escape")
        asked.clear()
        await press(pilot, "slash", "escape")
        assert asked
        for node in app.screen.walk_children(with_self=True):
            assert styles_of(node) == found_anew(app, node)
