"""A user's keys: they hold, and what means nothing is refused with the nearest name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.keys import _character_to_key
from tui_driver import shown, until

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS, Action, Place
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.help import HelpScreen
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.keymap import Keymap, key_name, read_keymap
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
        assert "score (S)" in [command.title for command in app.get_system_commands(app.screen)]
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
