"""Every key is told once, as people write it, and every action is answered by somebody."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, ClassVar, get_args, get_type_hints

import pytest
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

import turnwise.tui
from turnwise.tui.actions import ACTIONS, Action, Place, bindings, target_of
from turnwise.tui.actions.letters import LETTERS
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.dialog import Dialog

EVERY = [(place, action) for place, actions in ACTIONS.items() for action in actions]


def action(place: str, name: str) -> Action:
    return next(action for there, action in EVERY if (there, action.name) == (place, name))


@pytest.mark.parametrize(
    ("place", "name", "keys"),
    [
        ("review", "cursor_down", ["j", "↓"]),
        ("review", "cursor_up", ["k", "↑"]),
        ("replay", "slower", ["["]),
        ("replay", "faster", ["]"]),
        ("replay", "event_forward", ["."]),
        ("judge", "choose", ["enter", "1-9"]),
        ("library", "end", ["end", "G"]),
    ],
)
def test_all_keys_of_an_action_are_written(place: str, name: str, keys: list[str]) -> None:
    assert action(place, name).all_keys == keys


@pytest.mark.parametrize("place", ACTIONS)
def test_no_key_of_a_screen_is_told_twice(place: str) -> None:
    keys = [key for there, action in EVERY if there == place for key in action.all_keys]
    assert len(keys) == len(set(keys)) or place == "record"
    assert not any("_" in key for key in keys)


def places() -> Iterator[tuple[str, type[Widget]]]:
    """Yield every place with the class of the screen, dialog or line whose keys it holds."""
    for module in walk_packages(turnwise.tui.__path__, "turnwise.tui."):
        for kind in vars(import_module(module.name)).values():
            if isinstance(kind, type) and issubclass(kind, Widget) and "PLACE" in vars(kind):
                yield vars(kind)["PLACE"], kind


PLACES = sorted(set(places()), key=lambda one: one[0])


@pytest.mark.parametrize(("place", "screen"), PLACES, ids=[place for place, _ in PLACES])
def test_every_action_is_answered_by_its_screen_or_by_the_widget_that_it_names(
    place: Place, screen: type[Widget]
) -> None:
    for action in ACTIONS[place]:
        assert target_of(place, action.name) == action.target
        kind: Any = screen
        if action.target == "shell":
            kind = TurnwiseApp
        elif action.target:
            answering = getattr(screen, action.target, None)
            module = vars(import_module(screen.__module__))
            if isinstance(answering, property):
                kind = get_type_hints(answering.fget, module)["return"]
            else:
                kind = module[screen.__annotations__[action.target]]
        assert all(hasattr(one, f"action_{action.name}") for one in get_args(kind) or [kind]), action.name


class Counting(ChoiceList):
    """Knows how often a key moved down in it."""

    moved = 0

    def action_choice_down(self) -> None:
        self.moved += 1


class Choosing(Dialog[None]):
    PLACE = "sort"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("sort"))
    shows = ""

    def compose(self) -> ComposeResult:
        yield Counting()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "choice_up"

    def after_move(self) -> None:
        self.shows = f"moved {self.query_one(Counting).moved}"


async def test_an_action_goes_to_its_target_and_the_screen_is_told_at_once(app: TurnwiseApp) -> None:
    async with app.run_test() as pilot:
        dialog = Choosing()
        await app.push_screen(dialog)
        await pilot.press("j")
        assert dialog.shows == "moved 1"
        assert await app.run_action("choice_down", dialog)
        assert dialog.shows == "moved 2"
        # What the screen does not allow now is answered by nobody.
        assert not await app.run_action("choice_up", dialog)
        assert dialog.shows == "moved 2"


SENSES = {letter.key: letter for letter in LETTERS}
NAMED_KEYS = {"enter", "escape", "space", "tab", "home", "end", "pageup", "pagedown", "up", "down"}
NAMED_KEYS |= {"left", "right", "shift+tab", "f1", "f2", "f3", "f4", "f5", "f8", "f9", "shift+f10"}


def test_a_letter_has_one_sense_through_the_whole_app() -> None:
    """A new action takes the letter whose sense it is; see turnwise.tui.actions.letters."""
    strangers = [
        f"{key}: {place}.{one.name}"
        for place, one in EVERY
        for key in one.keys
        if key not in NAMED_KEYS and not key.isdecimal()
        if key not in SENSES or one.name not in SENSES[key].actions
    ]
    assert strangers == []


def test_every_letter_is_told_of_once_and_used_for_all_that_is_said_of_it() -> None:
    assert len(SENSES) == len(LETTERS)
    assert len({letter.sense for letter in LETTERS} - {"leave turnwise, pressed twice"}) >= len(LETTERS) - 2
    used = {(key, one.name) for _, one in EVERY for key in one.keys}
    assert [
        letter.key for letter in LETTERS for name in letter.actions if (letter.key, name) not in used
    ] == []


@pytest.mark.parametrize("place", [one.place for one in NUMBERED])
def test_q_and_escape_lead_back_from_every_place(place: Place) -> None:
    leaving = {key: one.name for one in ACTIONS[place] for key in one.keys if key in ("q", "escape")}
    assert leaving == (
        {"q": "quit", "escape": "clear"} if place == "library" else dict.fromkeys(leaving, "back")
    )
    assert set(leaving) == {"q", "escape"}


def test_a_line_without_room_for_both_names_bringing_in_before_recording() -> None:
    ranks = [action("library", name).rank for name in ("import", "record")]
    assert None not in ranks
    assert ranks == sorted(ranks)
