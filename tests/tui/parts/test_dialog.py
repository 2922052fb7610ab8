from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import conversation, shown, until

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.settings.theme_names import THEME_NAMES


async def test_what_was_told_before_does_not_stand_on_a_dialog(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("told before")
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        assert not list(app._notifications)


async def test_an_error_leaves_the_line_of_keys_free(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.tell_error(SettingError("It is wrong", detail="here"))
        await until(pilot, lambda: bool(app.screen.query("Toast")) and toast_bottom(app) > 0)
        assert toast_bottom(app) <= app.screen.query_one(KeyLine).region.y


async def test_what_is_told_in_passing_takes_one_line_and_the_place_of_the_last(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        for text in ("first", "second", "second"):
            app.notify(text)
        await until(pilot, lambda: "second" in shown(app))
        assert [told.message for told in app._notifications] == ["second"]
        [toast] = app.screen.query("Toast")
        assert toast.region.height == 1


async def test_a_toast_stands_where_the_one_before_it_stood(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "review")
        for number in range(4):
            app.tell_error(SettingError(f"It is wrong {number}", detail="here"))
            await until(pilot, lambda number=number: f"It is wrong {number}" in shown(app))  # type: ignore[misc]
            assert shown(app).splitlines()[1].strip().endswith(f"It is wrong {number}")


async def test_an_error_stays_beside_what_is_told_in_passing_and_equal_ones_are_one(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        for _ in range(3):
            app.tell_error(SettingError("It is wrong", detail="here"))
        app.notify("a note")
        await until(pilot, lambda: "a note" in shown(app))
        assert [told.message for told in app._notifications] == ["here", "a note"]


@pytest.mark.parametrize("theme", THEME_NAMES)
async def test_a_dialog_has_an_edge_in_every_theme(app: TurnwiseApp, theme: str) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        app.looks.show_theme(theme)
        await pilot.press("o")
        await until(pilot, lambda: "\u256d" in shown(app) and "\u256f" in shown(app))


async def test_where_a_question_mark_is_typed_the_line_of_keys_names_the_other_key(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "f1 help" in shown(app))
        assert "? help" not in shown(app).split("\n")[-2]


async def test_an_error_over_a_tall_dialog_leaves_its_keys_to_be_read(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        app.tell_error(SettingError("It is wrong", detail="here", next_step="Mend it."))
        await until(pilot, lambda: "Mend it." in shown(app))
        keys = app.screen.query_one("ScoreDialog KeyLine").region
        choices = app.screen.query_one("ScoreDialog ChoiceList").region
        toasts = [toast.region for toast in app.screen.query("Toast")]
        assert toasts
        assert not any(toast.overlaps(keys) or toast.overlaps(choices) for toast in toasts)


async def test_an_error_in_a_wide_review_leaves_the_label_to_be_read(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "review")
        app.notify("a note")
        app.tell_error(SettingError("It is wrong", detail="here", next_step="Mend it."))
        await until(pilot, lambda: "Mend it." in shown(app))
        label = app.screen.query_one("LabelPane").region
        assert not any(toast.region.overlaps(label) for toast in app.screen.query("Toast"))


def toast_bottom(app: TurnwiseApp) -> int:
    return max(toast.region.bottom for toast in app.screen.query("Toast"))


@pytest.mark.parametrize("lines", [14, 18, 24])
async def test_a_long_list_leaves_room_for_the_words_and_keys_below_it(
    app: TurnwiseApp, filled: Store, lines: int
) -> None:
    about = {f"fact {number}": number for number in range(30)}
    case = conversation("A talk").model_copy(update={"metadata": about})
    filled.sessions.add(case, source="cases.json", format="deepeval")
    async with app.run_test(size=(80, lines)) as pilot:
        await pilot.press("W")
        await until(pilot, lambda: "No metric is ticked" in shown(app))
        panel, keys = app.screen.query_one("#panel"), app.screen.query_one("ColumnsDialog KeyLine")
        assert panel.content_region.contains_region(keys.region)
        assert "esc cancel" in shown(app).split("\n")[keys.region.y]
        # The cursor stays in sight in the list that gave way.
        await pilot.press(*["down"] * 12)
        choices = app.screen.query_one(ChoiceList)
        await until(pilot, lambda: choices.highlighted == 12)
        assert choices.scroll_offset.y <= 12 < choices.scroll_offset.y + choices.size.height


@asynccontextmanager
async def scoring(app: TurnwiseApp, width: int) -> AsyncIterator[Pilot[int]]:
    """The dialog that scores, over the library."""
    async with app.run_test(size=(width, 24)) as pilot:
        await until(pilot, lambda: app.place == "library" and app.library.list.count == 3)
        # What it shows of the first session is there, be it beside the list.
        await until(pilot, lambda: width < 100 or "Gladly." in shown(app))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        yield pilot


@pytest.mark.parametrize(("width", "seen"), [(80, False), (200, True)])
async def test_no_torn_words_of_the_screen_below_stand_beside_a_dialog(
    app: TurnwiseApp, width: int, seen: bool
) -> None:
    def beside() -> set[str]:
        panel, lines = app.screen.query_one("#panel").region, shown(app).split("\n")
        return {(line[: panel.x] + line[panel.right :]).strip() for line in lines[panel.y : panel.bottom]}

    async with scoring(app, width) as pilot:
        await until(pilot, lambda: "Score 3 sessions" in shown(app))
        # Before the first frame of the dialog nothing is known of the screen below it.
        await until(pilot, lambda: bool(shown(app).split("\n")[0].strip()))
        await until(pilot, lambda: (beside() != {""}) == seen)


@pytest.mark.parametrize(("width", "seen"), [(80, False), (200, True)])
async def test_a_dialog_over_another_one_stands_alone_where_that_is_hardly_wider(
    app: TurnwiseApp, width: int, seen: bool
) -> None:
    async with scoring(app, width) as pilot:
        app.push_screen(app.kept_dialogs.of(NamingDialog, "Name of run 3", name="first"))
        await until(pilot, lambda: "Name of run 3" in shown(app))
        panel = app.screen.query_one("#panel").region
        others = [text for y, text in enumerate(shown(app).split("\n")) if not panel.y <= y < panel.bottom]
        # Else it would be a frame within a frame.
        assert any(text.strip() for text in others) == seen
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and "role adherence" in shown(app))


async def test_below_a_dialog_that_got_shorter_the_screen_is_seen_again(filled: Store) -> None:
    for number in range(20):
        filled.sessions.add(conversation(f"Lost bag {number}"), source="x", format="deepeval", created_at=0.0)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "Search for commands" in shown(app))
        tall = app.screen.query_one("#panel").region
        seen = shown(app).count("Lost bag")
        await pilot.press(*"quit")
        await until(pilot, lambda: shown(app).count("Lost bag") > seen + 8)
        panel = app.screen.query_one("#panel").region
        assert panel.bottom < tall.bottom
        # What stands beside it would be torn words only.
        assert all(line[0] in " ╭│╰" for line in shown(app).split("\n")[panel.y : panel.bottom])


@pytest.mark.parametrize(
    "keys",
    [("b",), ("4", "l", "ctrl+n"), ("ctrl+n",), ("ctrl+n", "f2"), ("3", "Q", "j"), ("r", "slash"), ("t",)],
)
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_without_colour_a_hint_cannot_be_taken_for_what_is_typed(
    app: TurnwiseApp, keys: tuple[str, ...], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with app.run_test(size=size) as pilot:
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)
        await until(pilot, lambda: isinstance(app.screen, Dialog) and bool(hints(app)))
        assert all(hint.startswith("(") and hint.endswith(")") for hint in hints(app))


def hints(app: TurnwiseApp) -> list[str]:
    """What is shown in the empty fields of the screen."""
    return [line.placeholder for line in app.screen.query(Input) if line.placeholder and not line.value]
