"""Where a screen has nothing to show, it says what to do, and keys stand out."""

from __future__ import annotations

from textual.app import App, ComposeResult

from turnwise.tui.parts.empty_words import EmptyWords, with_keys


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
