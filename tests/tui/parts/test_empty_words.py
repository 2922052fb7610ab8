"""Where a screen has nothing to show, it says what to do, and keys stand out."""

from __future__ import annotations

import pytest
from stored import keep
from textual.app import App, ComposeResult
from tui_driver import until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.empty_words import EmptyWords, aligned, with_keys


class Shown(App[None]):
    """Nothing but the words."""

    def compose(self) -> ComposeResult:
        """Compose."""
        yield EmptyWords("No notes yet.", "`c` writes one.")


def test_keys_and_commands_are_bold_and_lose_their_backticks() -> None:
    words = with_keys("`r` in the library, or `turnwise run` with a file.")
    assert words.plain == "r in the library, or turnwise run with a file."
    assert [(words.plain[span.start : span.end], span.style) for span in words.spans if span.style] == [
        ("r", "bold"),
        ("turnwise run", "bold"),
    ]


def test_keys_that_begin_lines_and_what_they_do_stand_in_two_columns() -> None:
    assert aligned("`b`  import\n`ctrl+n`   record\n\n`b` alone is text.") == (
        "`b`       import\n`ctrl+n`  record\n\n`b` alone is text."
    )


async def test_in_a_large_window_they_stand_towards_its_middle() -> None:
    for size, left, above in (((80, 24), 4, 2), ((160, 50), 42, 11)):
        app = Shown()
        async with app.run_test(size=size) as pilot:
            app.screen.add_class("-empty")
            await pilot.pause()
            words = app.query_one(EmptyWords)
            assert words.content_region.offset == (left, above)


async def test_they_are_there_only_while_the_screen_is_empty() -> None:
    app = Shown()
    async with app.run_test() as pilot:
        words = app.query_one(EmptyWords)
        assert not words.display
        app.screen.add_class("-empty")
        await pilot.pause()
        assert words.display
        assert str(words.content) == "No notes yet.\n\nc writes one."
        words.tell("No rates yet.", "")
        assert "No rates yet." in str(words.content)


@pytest.mark.parametrize("key", "34567")
async def test_every_place_of_an_empty_database_says_how_to_come_by_sessions(store: Store, key: str) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(key)
        told = "1 goes to the library, and there b imports some; turnwise demo in a shell opens some"
        await until(pilot, lambda: told in words_shown(app))


@pytest.mark.parametrize("key", "4567")
async def test_once_there_are_sessions_a_place_without_anything_says_nothing_of_that(
    store: Store, key: str
) -> None:
    keep(store, "question", "answer")
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(key)
        await until(pilot, lambda: " yet." in words_shown(app))
        assert "imports some" not in words_shown(app)
