"""A user's keys: they hold, and what means nothing is refused with the nearest name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.keys import _character_to_key
from tui_driver import commands, shown, until

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS, Action, Place
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.help import HelpScreen
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.keymap import Keymap, key_name, moved_words, read_keymap
from turnwise.tui.settings.settings import Settings


def action(keymap: Keymap, place: Place, name: str) -> Action:
    return next(action for action in keymap.table[place] if action.name == name)


def test_without_entries_the_registrys_keys_hold() -> None:
    keymap = read_keymap({})
    assert keymap.table == ACTIONS
    assert keymap.bindings() == {}


def test_an_action_of_a_place_gets_its_keys() -> None:
    keymap = read_keymap({"library": {"score": ["S", "f6"]}})
    assert action(keymap, "library", "score").all_keys == ["S", "f6"]
    assert action(keymap, "review", "score").keys == ("r",)
    assert keymap.bindings() == {"library.score": "S,f6"}


def test_an_action_without_a_place_gets_its_keys_wherever_it_is() -> None:
    keymap = read_keymap({"why": "W", "review.why": "ctrl+y"})
    assert action(keymap, "review", "why").keys == ("ctrl+y",)
    everywhere = read_keymap({"replay": "ctrl+y"})
    assert (
        action(everywhere, "library", "replay").keys
        == action(everywhere, "review", "replay").keys
        == ("ctrl+y",)
    )


def test_keys_may_be_swapped() -> None:
    keymap = read_keymap({"library": {"score": "ctrl+n", "record": "r"}})
    assert keymap.bindings() == {"library.score": "ctrl+n", "library.record": "r"}


def test_a_line_of_keys_names_no_key_that_has_gone() -> None:
    keymap = read_keymap({"review": {"cursor_up": "f7"}})
    assert action(keymap, "review", "cursor_down").key_text == "j"
    assert action(keymap, "review", "next_session").key_text == "J K"


@pytest.mark.parametrize(
    ("entries", "place", "name", "keys", "words"),
    [
        (
            {"library": {"score": "f8"}},
            "everywhere",
            "tour",
            ("f6",),
            "Your settings use f8: tour is at f6 now.",
        ),
        # What has another key keeps it, and nothing is to be told of it.
        (
            {"jump": "f1"},
            "everywhere",
            "help",
            ("question_mark",),
            "Your settings use f1: help is at f6 now.",
        ),
        # What has the same name keeps the same key, and one that the user left is not given to another.
        (
            {"help": "f4"},
            "review",
            "branches",
            ("f6",),
            "Your settings use f4: beside is at f6 and branches is at f6 now.",
        ),
    ],
)
def test_a_users_function_key_wins_and_what_had_it_moves(
    entries: dict[str, object], place: Place, name: str, keys: tuple[str, ...], words: str
) -> None:
    keymap = read_keymap(entries)
    assert action(keymap, place, name).keys == keys
    assert moved_words(keymap.moved) == words


def test_the_keymap_that_the_guide_shows_can_be_used() -> None:
    guide = Path(__file__).parents[3] / "docs" / "how-to" / "settings.md"
    example = tomllib.loads(guide.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0])
    assert action(read_keymap(example["keymap"]), "library", "score").keys == ("S", "f5")


async def told_of_f8(store: Store) -> str:
    """Return what is told at the start of an app whose user gave the tour's key to something else."""
    app = TurnwiseApp(store, settings=Settings(keymap={"library": {"score": "f8"}}))
    app.judge.chosen = True
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.pause()
        words = " ".join(one.message for one in app._notifications)
        await pilot.press("f6")
        await until(pilot, lambda: app.tour.is_on)
        await pilot.press("f6", "f8")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
    return words


async def test_that_a_key_gave_way_is_told_once(filled: Store) -> None:
    assert "Your settings use f8: tour is at f6 now." in await told_of_f8(filled)
    assert "f6" not in await told_of_f8(filled)


@pytest.mark.parametrize(
    ("entries", "title", "step"),
    [
        ({"library": {"scroe": "x"}}, "There is no action 'scroe' in library", "'score'"),
        ({"nxt_failed": "x"}, "There is no action 'nxt_failed'", "'next_failed'"),
        ({"libary": {"score": "x"}}, "There is no screen 'libary'", "'library'"),
        ({"library": {"score": "ctr+x"}}, "There is no key 'ctr+x'", "'ctrl+x'"),
        ({"library": {"score": "entr"}}, "There is no key 'entr'", "'enter'"),
        ({"library": {"score": []}}, "Keys are a text or a list of texts", '"x"'),
        ({"library": {"score": 3}}, "Keys are a text or a list of texts", '"x"'),
        ({"library": {"score": "b"}}, "The key 'b' is wanted by two actions", "library.import"),
        ({"library": {"score": "S", "filter": "S"}}, "The key 'S' is wanted by two actions", "another key"),
        ({"jump": "f8", "tour": "f8"}, "The key 'f8' is wanted by two actions", "everywhere.tour"),
        ({"jump": "j"}, "The key 'j' is wanted by two actions", "cursor_down"),
        ({"review": {"why": "ctrl+p"}}, "The key 'ctrl+p' is wanted by two actions", "command_palette"),
    ],
)
def test_what_means_nothing_is_refused_with_the_nearest_name(
    entries: dict[str, object], title: str, step: str
) -> None:
    with pytest.raises(SettingError) as caught:
        read_keymap(entries)
    assert caught.value.title == title
    assert step in caught.value.next_step + caught.value.detail


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("?", "question_mark"),
        ("/", "slash"),
        ("'", "apostrophe"),
        ("+", "plus"),
        ("esc", "escape"),
        ("pgdn", "pagedown"),
        ("ctrl+i", "tab"),
        ("ctrl+?", "ctrl+question_mark"),
        ("shift+f3", "shift+f3"),
        ("é", "é"),
    ],
)
def test_keys_are_written_as_people_do(written: str, known: str) -> None:
    assert key_name(written) == known


@given(st.characters(min_codepoint=33, max_codepoint=126))
def test_every_character_has_the_name_that_textual_gives_it(character: str) -> None:
    assert key_name(character) == _character_to_key(character)


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.integers() | st.lists(st.text())))
def test_no_table_breaks_the_reading(entries: dict[str, object]) -> None:
    try:
        read_keymap(entries)
    except SettingError as error:
        assert error.title  # noqa: PT017


async def test_a_users_keys_work_and_stand_in_the_line_the_palette_and_the_help(filled: Store) -> None:
    keymap = {"library": {"score": "S", "open": "z"}, "review": {"cursor_up": "f7"}, "help": "f12"}
    app = TurnwiseApp(filled, settings=Settings(keymap=keymap))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        assert "z review   S score" in shown(app)
        assert "f12 help" in shown(app)
        assert "score (S)" in commands(app)
        await pilot.press("r", "enter")
        assert len(app.screen_stack) == 1
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        await pilot.press("escape", "f12")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert "S              score" in shown(app)
        await pilot.press("escape", "z")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await until(pilot, lambda: "j turn" in shown(app))
