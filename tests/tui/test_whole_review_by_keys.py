"""A whole review by keys alone: from a file to labels, failure modes, a criterion, agreement and compare."""

from __future__ import annotations

from pathlib import Path

import pytest
import whole_review as script
from judge_server import JudgeServer
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.criteria.criteria_screen import CriteriaScreen
from turnwise.tui.parts.choice_list import ChoiceList

SIZE = (120, 40)


class Keys(script.Reviewer):
    """A reviewer who has a keyboard only."""

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def types(self, text: str, *keys: str) -> None:
        await self.write(text)
        await self.press(*keys)

    async def goes_to_choice(self, name: str) -> None:
        """Go down a list of choices until the cursor is on one whose name begins so."""
        choices = self.app.screen.query_one(ChoiceList)
        await until(self.pilot, lambda: choices.current is not None)
        for _ in range(2 * choices.option_count):
            if choices.current is not None and choices.current.name.startswith(name):
                return
            await self.press("down")
        raise AssertionError(f"{name} is not to choose in:\n{shown(self.app)}")

    async def imports(self) -> None:
        await self.press("b")
        await self.is_at("ImportDialog")
        await self.types("book", "tab", "enter")
        await self.is_at("LibraryScreen")
        await self.sees(f"{script.CONVERSATIONS} sessions")

    async def chooses_judge(self, url: str) -> None:
        await self.press("L")
        await self.is_at("JudgeDialog")
        await self.sees("No local server answers")
        await self.goes_to_choice("another")
        await self.press("enter")
        await self.types(url, "enter")
        await self.is_at("LibraryScreen")
        await self.sees("judge: scripted-1")

    async def scores(self, *names: str, runs: int) -> None:
        await self.press("r")
        await self.is_at("ScoreDialog")
        await self.sees("to score")
        await self.press("a")
        await self.sees("✓")
        if "Nothing is ticked" not in shown(self.app):
            await self.press("a")
        await self.sees("Nothing is ticked")
        for name in names:
            await self.goes_to_choice(name)
            await self.press("space")
        await self.press("enter")
        await self.is_at("LibraryScreen")
        await self.run_is_over(runs)

    async def makes_queue(self) -> None:
        await self.press("Q")
        await self.is_at("QueueDialog")
        await self.goes_to_choice("failures first")
        await self.press("tab")
        await self.types(str(script.QUEUED), "tab")
        await self.types(script.QUEUE, "enter")
        await self.is_at("ReviewScreen")
        await self.sees(f"no. 1 · 0 of {script.QUEUED} done")

    async def takes_queue_up(self) -> None:
        await self.press("Q")
        await self.sees(script.QUEUE, script.how_far(self.store))
        await self.press("enter")

    async def labels(self, number: int) -> None:
        word = script.said_of(number)
        if number == script.NOT_BLIND:
            await self.sees("s shows them")
            await self.press("s")
            await self.sees("role adherence")
        if number == script.UNDONE:
            await self.press("p")
            await self.sees_no(f"room {number}")
            await self.press("u")
            await self.sees("undone: pass")
            await self.press("U")
            await self.sees("done again: pass")
        if number == script.MOVED:
            await self.press("j", "j", "f")
            await self.sees(f"First failure at turn {script.LATER_REPLY}")
            await self.press("k", "exclamation_mark")
        elif word == "fail":
            await self.press("j", "f")
        else:
            await self.press(word[0])

    async def notes(self, number: int, mode: script.Mode) -> None:
        await self.press("c")
        await self.types(mode.note, "escape")
        await self.sees(mode.note)

    async def gives_mode(self, mode: script.Mode) -> None:
        await self.press("m")
        await self.is_at("ModeDialog")
        if mode.name in self.named:
            await self.types(mode.name[:3].lower(), "enter")
        else:
            await self.types(mode.name, "enter")
            self.named.add(mode.name)
        await self.sees(f"It has: {mode.name} at turn {script.FIRST_FAILURE}")
        await self.goes_back("ReviewScreen")
        await self.sees(f"{mode.name} at turn {script.FIRST_FAILURE}")

    async def goes_on(self) -> None:
        await self.press("enter")

    async def goes_back(self, screen: str) -> None:
        await self.press("escape")
        await self.is_at(screen)

    async def ticks_notes(self, note: str, most: int) -> None:
        """Tick those of the notes that read so."""
        await self.press("home")
        ticked = 0
        for row in self.modes_screen.tables.notes.rows:
            is_wanted = row.note == note and ticked < most
            ticked += is_wanted
            await self.press("space" if is_wanted else "j")
        await self.sees(f"{ticked} ticked")

    async def names_modes(self) -> None:
        await self.press("4")
        await self.is_at("FailureModesScreen")
        await self.sees(*(mode.note for mode in script.NOTED))
        await self.press("l")
        await self.sees(script.ASKS.name, "no definition yet")
        for mode in (script.RUDE, script.QUITS, script.REFUSES):
            await self.press("ctrl+n")
            await self.is_at("ModeEditDialog")
            await self.types(mode.name, "enter")
            await self.types(mode.definition, "enter")
            await self.is_at("FailureModesScreen")
            await self.sees(mode.name)
        await self.press("c", "F")
        for mode, given in (
            (script.FEE, script.FEE),
            (script.RUDE, script.RUDE),
            (script.QUITS, script.REFUSES),
        ):
            await self.ticks_notes(mode.note, 1 if given is script.REFUSES else 9)
            await self.press("m")
            await self.is_at("ModePickDialog")
            await self.types(given.name if given is script.FEE else given.name[:3].lower(), "enter")
            await self.notes_are_given()
        await self.press("a", "m")
        await self.is_at("ModePickDialog")
        await self.types("giv", "enter")
        await self.is_at("FailureModesScreen")
        await self.sees("Every note has a failure mode")
        await self.press("l")
        await self.sees(script.REFUSES.definition)
        screen = self.modes_screen
        await self.press("home")
        while screen.tables.modes.rows[screen.table.cursor].name != script.REFUSES.name:
            await self.press("j")
        await self.press("M")
        await self.is_at("ModePickDialog")
        await self.types("giv", "enter")
        await self.is_at("FailureModesScreen")
        await until(self.pilot, lambda: len(screen.tables.modes.rows) == 5)
        await self.press("percent_sign")
        await self.sees("4 of 27", "2 of 27")
        await self.goes_back("LibraryScreen")

    async def tries_criterion(self, runs: int) -> None:
        await self.press("5")
        await self.is_at("CriteriaScreen")
        await self.sees("No criteria yet")
        await self.press("ctrl+n")
        await self.sees("In plain words")
        screen = self.app.screen
        assert isinstance(screen, CriteriaScreen)
        await until(self.pilot, lambda: screen.writing)
        await self.press("tab")
        await self.types(script.LENIENT, "ctrl+t")
        await self.run_is_over(runs + 1)
        await self.sees("Tried on", "caught 0 of")
        await self.press("ctrl+u")
        await self.types(script.STRICT)
        await self.sees("Changed since")
        await self.press("escape", "r")
        await self.run_is_over(runs + 2)
        await self.sees_no("caught 0 of")
        await self.press("V")
        await self.is_at("VersionsScreen")
        await self.sees(script.LENIENT, script.STRICT)
        await self.goes_back("CriteriaScreen")
        await self.press("ctrl+s")
        await until(self.pilot, script.SAVED.exists)
        await self.goes_back("LibraryScreen")

    async def looks_at_agreement(self) -> None:
        await self.press("6")
        await self.is_at("AgreementScreen")
        await self.sees("TPR")
        while script.CRITERION not in (title := self.title):
            await self.press("right")
            await self.sees_no(title)
        await self.sees(*script.figures(script.labelled_numbers(self.store)).words)
        await self.press("home", "enter")
        await self.is_at("ReviewScreen")
        await self.sees("1 of")
        await self.goes_back("AgreementScreen")
        await self.goes_back("LibraryScreen")

    async def compares(self) -> None:
        await self.press("C")
        await self.is_at("CompareScreen")
        await self.sees("B  run 4")
        await self.press("A")
        await self.is_at("ChooseRunDialog")
        await self.goes_to_choice(f"run 2 · {script.CRITERION} v1")
        await self.press("enter")
        await self.is_at("CompareScreen")
        await self.sees("A  run 2", "✓ → ✗")
        await self.press("enter")
        await self.is_at("PairScreen")
        await self.sees("Booking")
        await self.goes_back("CompareScreen")
        await self.goes_back("LibraryScreen")

    async def leaves(self) -> None:
        await self.press("ctrl+c", "ctrl+c")


async def test_a_whole_review_goes_by_keys_alone(
    tmp_path: Path, store: Store, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await script.review_all(Keys, tmp_path, store, judge_server, SIZE)
