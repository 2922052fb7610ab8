"""Dialogs are made ahead a few steps at a time, and only while nobody presses a key."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from textual.app import App
from textual.screen import Screen

from turnwise.tui.shell import dialogs_ahead
from turnwise.tui.shell.dialogs_ahead import SECONDS_BEFORE_FIRST, SECONDS_STILL, DialogsAhead


class _Library:
    """Stands for a screen."""


class _Review:
    """Stands for another one."""


class _Heard:
    def __init__(self) -> None:
        self.taken: list[str] = []
        self.still = True
        self.seconds_still = 2 * SECONDS_STILL
        self.due: list[str] = []
        """What is to be done before the next step."""
        self.app = SimpleNamespace(screen_stack=[_Library()])
        self.ahead = DialogsAhead(cast("App[Any]", self.app), self.heard_at, self.steps, self.do_first)

    def heard_at(self) -> float:
        return time.monotonic() - (self.seconds_still if self.still else 0.0)

    def do_first(self, screen: Screen[Any]) -> bool:
        there = bool(self.due)
        self.taken += self.due
        self.due = []
        return there

    def steps(self, screen: Screen[Any]) -> Iterator[None]:
        for number in range(2):
            self.taken.append(f"{type(screen).__name__} {number}")
            yield


@pytest.fixture(autouse=True)
def _steps_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs_ahead, "SECONDS_OF_STEPS", 0.0)


def test_steps_that_take_no_time_are_taken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs_ahead, "SECONDS_OF_STEPS", 60.0)
    heard = _Heard()
    heard.ahead.go_on()
    assert heard.taken == ["_Library 0", "_Library 1"]


def test_nothing_is_asked_again_at_once_while_parts_are_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs_ahead, "SECONDS_OF_STEPS", 60.0)
    heard, coming = _Heard(), 3

    def steps(_: Screen[Any]) -> Iterator[dialogs_ahead.Step]:
        for number in range(coming):
            heard.taken.append(f"looked {number}")
            yield "wait"
        heard.taken.append("made")

    ahead = DialogsAhead(cast("App[Any]", heard.app), heard.heard_at, steps, heard.do_first)
    assert ahead.go_on()
    assert heard.taken == ["looked 0"]
    assert [ahead.go_on() for _ in range(3)] == [True, True, False]
    assert heard.taken == ["looked 0", "looked 1", "looked 2", "made"]


def test_each_time_one_long_step_is_taken_up_to_the_last() -> None:
    heard = _Heard()
    assert heard.ahead.go_on()
    assert heard.taken == ["_Library 0"]
    assert [heard.ahead.go_on() for _ in range(4)] == [True, False, False, False]
    assert heard.taken == ["_Library 0", "_Library 1"]


def test_what_is_due_is_done_before_the_next_step_and_after_the_last() -> None:
    heard = _Heard()
    for due in ("one", "", "two", "", "three"):
        heard.due = [due] if due else []
        heard.ahead.go_on()
    assert heard.taken == ["one", "_Library 0", "two", "_Library 1", "three"]


def test_what_is_due_is_done_sooner_after_a_key_than_a_step() -> None:
    heard = _Heard()
    heard.seconds_still = (SECONDS_BEFORE_FIRST + SECONDS_STILL) / 2
    heard.due = ["one"]
    heard.ahead.go_on()
    heard.ahead.go_on()
    assert heard.taken == ["one"]


def test_no_step_is_taken_while_keys_are_pressed() -> None:
    heard = _Heard()
    heard.still = False
    heard.ahead.go_on()
    assert heard.taken == []
    heard.still = True
    heard.ahead.go_on()
    assert heard.taken == ["_Library 0"]


def test_another_screen_has_steps_of_its_own_and_the_first_is_gone_on_with_after_it() -> None:
    heard = _Heard()
    library = heard.app.screen_stack
    heard.ahead.go_on()
    heard.app.screen_stack = [_Review()]
    for _ in range(4):
        heard.ahead.go_on()
    assert heard.taken == ["_Library 0", "_Review 0", "_Review 1"]
    heard.app.screen_stack = library
    for _ in range(4):
        heard.ahead.go_on()
    assert heard.taken[3:] == ["_Library 0", "_Library 1"]


def test_what_was_opened_meanwhile_is_made_again_once_the_screen_is_in_front_again() -> None:
    heard = _Heard()
    library = heard.app.screen_stack
    for stack in (library, [_Review()], library):
        heard.app.screen_stack = stack
        for _ in range(4):
            heard.ahead.go_on()
    assert heard.taken == [f"_{name} {step}" for name in ("Library", "Review", "Library") for step in (0, 1)]


def test_nothing_is_done_once_the_app_has_ended() -> None:
    heard = _Heard()
    heard.app.screen_stack = []
    heard.ahead.go_on()
    assert heard.taken == []
