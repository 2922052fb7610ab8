"""What is wrong is told from a note also where there is no colour."""

from __future__ import annotations

import pytest

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.error_words import error_words, told_apart


@pytest.mark.parametrize(
    ("severity", "title", "message", "told"),
    [
        ("information", "", "Tags changed.", ("", "Tags changed.")),
        ("warning", "", "2 could not be judged.", ("", "! 2 could not be judged.")),
        ("error", "It is in use", "Try again.", ("Error: It is in use", "Try again.")),
    ],
)
def test_a_toast_says_what_kind_it_is(severity: str, title: str, message: str, told: tuple[str, str]) -> None:
    assert told_apart(severity, title, message) == told


def test_what_is_wrong_is_bold_and_what_to_do_is_not() -> None:
    bold, rest = (str(span.style) for span in error_words("It is in use\nTry again.").spans)
    assert (bold, rest) == ("bold", "$text")


async def test_the_field_that_is_typed_into_has_a_broad_bar(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from textual.widgets import Input

    monkeypatch.setenv("NO_COLOR", "1")
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+n")
        await pilot.pause()
        for field in app.screen.query(Input):
            if field.display:
                field.focus()
                await pilot.pause()
                bars = {one.styles.border_left[0] for one in app.screen.query(Input) if one is not field}
                assert field.styles.border_left[0] == "outer"
                assert bars <= {"vkey"}
