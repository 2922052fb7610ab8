"""A whole review by mouse alone: what is clicked stands on the screen; only texts are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
import whole_review as script
from judge_server import JudgeServer
from textual.widget import Widget
from tui_driver import settled, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.action_palette import ActionPalette
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.failure_modes.part_tabs import PartTabs
from turnwise.tui.labels.label_pane import LabelPane
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.review.review_screen import ReviewScreen

SIZE = (120, 40)
RIGHT = 3


class Mouse(script.Reviewer):
    """A reviewer who clicks on words where they stand, and types nothing but texts."""

    def _where(self, words: str, within: Widget | None) -> tuple[int, int] | None:
        """Return the cell where words begin: in a widget, or the first on the screen."""
        region = (within or self.app.screen).region
        for y, line in enumerate(shown(self.app).splitlines()):
            x = line.find(words, region.x)
            if y in region.line_range and 0 <= x < region.right:
                return x, y
        return None

    async def click(self, words: str, *, within: type[Widget] | str | None = None, times: int = 1) -> None:
        """Click on words, as soon as they are there."""

        def there() -> tuple[int, int] | None:
            return self._where(words, self.app.screen.query_one(within) if within else None)

        try:
            await until(self.pilot, lambda: there() is not None)
        except AssertionError:
            raise AssertionError(f"{words!r} is not to click in:\n{shown(self.app)}") from None
        place = there()
        assert place is not None
        assert await self.pilot.click(offset=place, times=times)

    async def key(self, words: str) -> None:
        """Click on a word of the line of keys."""
        await self.click(words, within=KeyLine)

    async def command(self, words: str) -> None:
        """Take a command from what a right click offers, once its name is typed."""
        await self.pilot.click(offset=(2, 0), button=RIGHT)
        await self.is_at("PointerMenu")
        await self.click("all commands")
        await self.is_at("ActionPalette")
        await self.write(words)
        # What is found moves while the search goes on.
        await settled(self.pilot)
        await self.click(f"{words}  ", within="ChoiceList")
        await until(self.pilot, lambda: not isinstance(self.app.screen, ActionPalette))

    async def erase(self) -> None:
        """Take away the line that was clicked, as one does who writes another."""
        await self.pilot.press("end", "ctrl+u")

    # The steps

    async def imports(self) -> None:
        await self.key("import")
        await self.is_at("ImportDialog")
        await self.click(script.FILE)
        await self.sees("enter imports the file")
        await self.key("import")
        await self.is_at("LibraryScreen")
        await self.sees(f"{script.CONVERSATIONS} sessions")

    async def chooses_judge(self, url: str) -> None:
        await self.command("judge")
        await self.is_at("JudgeDialog")
        await self.sees("No local server answers")
        await self.click("another")
        await self.click("http://127.0.0.1:8080/v1")
        await self.write(url)
        await self.key("choose")
        await self.is_at("LibraryScreen")
        await self.sees("judge: scripted-1")

    async def scores(self, *names: str, runs: int) -> None:
        await self.key("score")
        await self.is_at("ScoreDialog")
        await self.sees("to score")
        await self.key("all")
        await self.sees("✓")
        if "Nothing is ticked" not in shown(self.app):
            await self.key("all")
        await self.sees("Nothing is ticked")
        for name in names:
            await self.key("find")
            await self.erase()
            await self.write(name)
            await self.click(name, within=ChoiceList)
        await self.key(f"score {len(names)} ticked")
        await self.is_at("LibraryScreen")
        await self.run_is_over(runs)

    async def makes_queue(self) -> None:
        await self.key("queue")
        await self.is_at("QueueDialog")
        await self.click("failures first")
        await self.sees("by the scores of all metrics")
        for field, text in (("#size", str(script.QUEUED)), ("#name", script.QUEUE)):
            await self.pilot.click(field)
            await self.erase()
            await self.write(text)
        await self.key("begin")
        await self.is_at("ReviewScreen")
        await self.sees(f"no. 1 · 0 of {script.QUEUED} done")

    async def takes_queue_up(self) -> None:
        # Where one was last time is told where the key stands, for as long as it takes to read it.
        await settled(self.pilot)
        await until(self.pilot, lambda: not self.app.screen.query("Toast"))
        await self.key("queue")
        await self.sees(script.how_far(self.store))
        await self.click(script.QUEUE)

    async def labels(self, number: int) -> None:
        word = script.said_of(number)
        if number == script.NOT_BLIND:
            await self.click("shows them")
            await self.sees("role adherence")
        if number == script.UNDONE:
            await self.click("p pass", within=LabelPane)
            await self.sees_no(f"room {number}")
            await self.command("undo")
            await self.sees("undone: pass")
            await self.command("redo")
            await self.sees("done again: pass")
        if number == script.MOVED:
            await self.click(f"  {script.LATER} ", within=TranscriptView)
            await self.click("f fail", within=LabelPane)
            await self.sees(f"First failure at turn {script.LATER_REPLY}")
        if word == "fail":
            await self.click(f"  {script.FIRST_FAILURE} ", within=TranscriptView)
        await self.click("put it here" if number == script.MOVED else f"{word[0]} {word}", within=LabelPane)

    async def notes(self, number: int, mode: script.Mode) -> None:
        await self.click("say why", within=LabelPane)
        await self.write(mode.note)
        await self.click(f"room {number}")
        screen = self.app.screen
        assert isinstance(screen, ReviewScreen)
        await until(self.pilot, lambda: self.store.labels.of(screen.session_id)[-1].note == mode.note)

    async def gives_mode(self, mode: script.Mode) -> None:
        # Where none was named yet there is no other one.
        await self.key("other failure mode" if self.named else "failure mode")
        await self.is_at("ModeDialog")
        if mode.name in self.named:
            await self.click(mode.name, within=ChoiceList)
        else:
            await self.write(mode.name)
            await self.click("a new failure mode")
            self.named.add(mode.name)
        await self.sees(f"It has: {mode.name} at turn {script.FIRST_FAILURE}")
        await self.goes_back("ReviewScreen", by="done")
        await self.sees(f"{mode.name} at turn {script.FIRST_FAILURE}")

    async def goes_on(self) -> None:
        await self.key("go on")

    async def goes_back(self, screen: str, by: str = "back") -> None:
        await self.key(by)
        await self.is_at(screen)

    async def ticks_notes(self, note: str, most: int) -> None:
        """Tick those of the notes that read so."""
        wanted = [row for row in self.modes_screen.tables.notes.rows if row.note == note][:most]
        for row in wanted:
            await self.click(row.session, within=RecordTable)
            await self.key("tick")
        await self.sees(f"{len(wanted)} ticked")

    async def names_modes(self) -> None:
        await self.command("modes")
        await self.is_at("FailureModesScreen")
        await self.sees(*(mode.note for mode in script.NOTED))
        await self.click("modes (")
        for mode in (script.RUDE, script.QUITS, script.REFUSES):
            await self.key("new")
            await self.is_at("ModeEditDialog")
            await self.write(mode.name)
            await self.pilot.click("#definition")
            await self.write(mode.definition)
            await self.key("keep")
            await self.is_at("FailureModesScreen")
            await self.sees(mode.name)
        await self.click("notes (")
        await self.key("without mode")
        for mode, given in (
            (script.FEE, script.FEE),
            (script.RUDE, script.RUDE),
            (script.QUITS, script.REFUSES),
        ):
            await self.ticks_notes(mode.note, 1 if given is script.REFUSES else 9)
            await self.key("assign")
            await self.is_at("ModePickDialog")
            if given is script.FEE:
                await self.write(given.name)
                await self.click("a new failure mode")
            else:
                await self.click(given.name, within=ChoiceList)
            await self.notes_are_given()
        await self.key("assign")
        await self.is_at("ModePickDialog")
        await self.click(script.QUITS.name, within=ChoiceList)
        await self.is_at("FailureModesScreen")
        await self.sees("Every note has a failure mode")
        await self.click("modes (")
        await self.click(script.REFUSES.name, within=RecordTable)
        await self.key("merge")
        await self.is_at("ModePickDialog")
        await self.click(script.QUITS.name, within=ChoiceList)
        await self.is_at("FailureModesScreen")
        await self.sees("modes (5)")
        await self.click("rates", within=PartTabs)
        await self.sees("4 of 27", "2 of 27")
        await self.goes_back("LibraryScreen")

    async def tries_criterion(self, runs: int) -> None:
        await self.command("criteria")
        await self.is_at("CriteriaScreen")
        await self.sees("No criteria yet")
        await self.key("new")
        await self.click("empty: the judge drafts them")
        await self.write(script.LENIENT)
        await self.key("try")
        await self.run_is_over(runs + 1)
        await self.sees("Tried on", "caught 0 of")
        await self.click(script.LENIENT)
        await self.erase()
        await self.write(script.STRICT)
        await self.sees("Changed since")
        await self.key("try")
        await self.run_is_over(runs + 2)
        await self.sees_no("caught 0 of")
        await self.key("leave the text")
        await self.key("versions")
        await self.is_at("VersionsScreen")
        await self.sees(script.LENIENT, script.STRICT)
        await self.goes_back("CriteriaScreen")
        await self.key("write file")
        await until(self.pilot, script.SAVED.exists)
        await self.goes_back("LibraryScreen")

    async def looks_at_agreement(self) -> None:
        await self.command("agreement")
        await self.is_at("AgreementScreen")
        await self.click(script.CRITERION, within="#metrics")
        await self.sees(*script.figures(script.labelled_numbers(self.store)).words)
        await self.click("Booking", within="#sessions", times=2)
        await self.is_at("ReviewScreen")
        await self.sees("1 of")
        await self.goes_back("AgreementScreen")
        await self.goes_back("LibraryScreen")

    async def compares(self) -> None:
        await self.command("compare")
        await self.is_at("CompareScreen")
        await self.sees("B  run 4")
        await self.key("choose A")
        await self.is_at("ChooseRunDialog")
        await self.click(f"{script.CRITERION} v1")
        await self.is_at("CompareScreen")
        await self.sees("A  run 2", "✓ → ✗")
        await self.click("✓ → ✗", within=RecordTable, times=2)
        await self.is_at("PairScreen")
        await self.goes_back("CompareScreen")
        await self.goes_back("LibraryScreen")

    async def leaves(self) -> None:
        await self.command("quit")


async def test_a_whole_review_goes_by_mouse_alone(
    tmp_path: Path, store: Store, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await script.review_all(Mouse, tmp_path, store, judge_server, SIZE)
