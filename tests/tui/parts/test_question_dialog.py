"""The question: an answer by key or by click, and none where it is left."""

from __future__ import annotations

import pytest
from tui_driver import shown, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.question_dialog import QuestionDialog

ANSWERS = [Choice("stay", "stay"), Choice("go", "go", "for good")]


@pytest.mark.parametrize(
    ("keys", "answer"), [(("enter",), "stay"), (("j", "enter"), "go"), (("j", "escape"), None)]
)
async def test_an_answer_is_taken_by_keys(
    app: TurnwiseApp, keys: tuple[str, ...], answer: str | None
) -> None:
    given: list[str | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(
            app.kept_dialogs.of(QuestionDialog, "Leave \x1b[31mnow?", ANSWERS, words="It is late."),
            given.append,
        )
        await until(pilot, lambda: "It is late." in shown(app))
        await pilot.press(*keys)
        await until(pilot, lambda: bool(given))
    assert given == [answer]


async def test_an_answer_is_taken_by_a_click(app: TurnwiseApp) -> None:
    given: list[str | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(app.kept_dialogs.of(QuestionDialog, "Leave now?", ANSWERS), given.append)
        await until(pilot, lambda: "for good" in shown(app))
        await pilot.click(ChoiceList, offset=(2, 1))
        await until(pilot, lambda: bool(given))
    assert given == ["go"]


async def test_the_same_dialog_asks_again_with_nothing_of_the_last_time(app: TurnwiseApp) -> None:
    given: list[str | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        kept = app.kept_dialogs
        for _ in kept.make(QuestionDialog, lambda one: one.begin("", ())):
            await pilot.pause()
        first = kept.of(QuestionDialog, "Leave now?", ANSWERS, words="It is late.")
        app.push_screen(first, given.append)
        await until(pilot, lambda: "It is late." in shown(app))
        await pilot.press("j", "enter")
        second = kept.of(QuestionDialog, "Forget it?", [Choice("keep", "keep it"), Choice("drop", "drop it")])
        assert second is first
        app.push_screen(second, given.append)
        await until(pilot, lambda: "Forget it?" in shown(app))
        for gone in ("Leave now?", "It is late.", "stay", "for good"):
            assert gone not in shown(app)
        assert not second.query_one(".words").display
        await pilot.press("enter")
        await until(pilot, lambda: len(given) == 2)
    assert given == ["go", "keep"]
