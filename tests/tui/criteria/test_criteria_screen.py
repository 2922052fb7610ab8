"""The workbench: write a criterion, try it, change it, try again, set versions side by side, save."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from criterion_sessions import knows_manners
from judge_server import JudgeServer, hangs
from stored import keep
from textual.pilot import Pilot
from textual.widgets import Input, TextArea
from tui_driver import settled, shown, until, words_shown
from workbench import POLITE, app_on, bench, opened, workbench, write

from turnwise.conversations.store import Store
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.criteria import criteria_screen
from turnwise.tui.criteria.criteria_screen import CriteriaScreen
from turnwise.tui.criteria.criterion_editor import CriterionEditor
from turnwise.tui.criteria.trial_pane import TrialPane
from turnwise.tui.criteria.versions_screen import VersionsScreen
from turnwise.tui.judging.judge_dialog import JudgeDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.review.review_screen import ReviewScreen

pytestmark = pytest.mark.usefixtures("folder")


async def tried(pilot: Pilot[int], app: TurnwiseApp, key: str = "r") -> None:
    runs = len(app.store.runs.all())
    await pilot.press(key)
    await until(pilot, lambda: len(app.store.runs.all()) > runs and not app.runs.under_way)
    await until(pilot, lambda: "Tried on" in shown(app))


async def tried_twice(pilot: Pilot[int], app: TurnwiseApp, screen: CriteriaScreen) -> None:
    """Try a criterion, and once more with another step."""
    await tried(pilot, app)
    await write(pilot, screen, "steps", " Once more.")
    await pilot.press("escape")
    await tried(pilot, app)


async def test_without_criteria_the_screen_helps_to_write_the_first(store: Store, folder: Path) -> None:
    app = app_on(store)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, 0)
        await until(pilot, lambda: "write the first one" in shown(app))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Stays polite" in shown(app) and screen.writing)
        # The example as it came is nothing that could be lost.
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    assert not (folder / "criteria").exists()


async def test_another_one_asked_for_before_the_list_was_read_leaves_none_out(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "polite.yaml").write_text(POLITE)
    read, go_on = criteria_screen.load_items, threading.Event()

    def slowly(*asked: Any) -> Any:
        assert go_on.wait(10)
        return read(*asked)

    monkeypatch.setattr(criteria_screen, "load_items", slowly)
    app = app_on(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, CriteriaScreen))
        await pilot.press("ctrl+n")
        go_on.set()
        await until(pilot, lambda: bench(app).writing)
        assert [item.name for item in bench(app).written.items] == ["Polite", "(no name)"]


async def test_a_low_trial_tells_its_change_in_words_and_lists_more_sessions(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        await tried_twice(pilot, app, screen)
        await until(pilot, lambda: "→" in shown(app))
        assert "change, 95 %" not in shown(app)
        await pilot.resize_terminal(160, 50)
        await until(pilot, lambda: "change, 95 %" in shown(app))


async def test_in_a_small_window_six_tried_sessions_are_in_sight_and_what_is_written_has_their_room(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        await tried_twice(pilot, app, screen)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "→" in shown(app))
        await until(pilot, lambda: screen.pane.tried.window >= 6)
        assert "Steps: the judge goes by these" in shown(app)
        await pilot.press("shift+tab")
        await until(pilot, lambda: screen.pane.tried.has_focus and screen.pane.tried.window >= 7)
        await settled(pilot)
        stood = screen.pane.tried.region
        # All of it is in sight: nothing below would hide the last of them.
        assert screen.query_one("#body").region.contains_region(stood)
        await pilot.press("j", "j", "j")
        await settled(pilot)
        assert screen.pane.tried.region == stood
        await pilot.press("escape", "enter", "tab")
        steps = screen.query_one("#steps")
        await until(pilot, lambda: steps.has_focus and not screen.pane.tried.size)
        assert screen.editor.region.contains_region(steps.region)
        await pilot.press("escape")
        await until(pilot, lambda: screen.pane.tried.window >= 6)


async def test_the_steps_that_the_judge_reads_are_in_sight_beside_a_trial_in_a_small_window(
    talks: Store, judge_server: JudgeServer
) -> None:
    text = (
        "name: Polite\ncriteria: The assistant stays polite and never blames the user, also when the user is "
        "rude.\nsteps:\n  - Be lenient.\n  - Look at the end.\nthreshold: 0.7\n"
    )
    async with workbench(talks, judge_server, text=text) as (pilot, app, _):
        await tried(pilot, app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Look at the end." in shown(app))
        assert "Steps: the judge goes by these, not the text above" in shown(app)
        assert "Tried on" in shown(app)


async def test_without_a_criterion_it_says_what_writes_a_file_and_what_is_kept_without_one(
    store: Store, folder: Path
) -> None:
    app = app_on(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, 0)
        told = "A trial keeps it in this database; ctrl+s writes YAML to ./criteria."
        await until(pilot, lambda: told in shown(app))


async def test_a_file_that_cannot_be_read_stands_in_the_list_with_its_error_and_line(
    store: Store, folder: Path
) -> None:
    (folder / "criteria").mkdir()
    (folder / "criteria" / "good.yaml").write_text(POLITE)
    broken = folder / "criteria" / "bad.yaml"
    broken.write_text("name: Bad\ncriteria: [oops\nsteps:\n  - one\n")
    app = app_on(store)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot, app, 1)
        await until(pilot, lambda: "! " in shown(app) and "bad.yaml" in shown(app))
        await pilot.press("j")
        await until(pilot, lambda: "bad.yaml is not YAML" in shown(app) and "at line 3" in shown(app))
        assert "In plain words" not in shown(app)
        broken.write_text(POLITE.replace("Polite", "Mended"))
        app.app_focus = False
        app.app_focus = True
        await until(pilot, lambda: len(screen.written.items) == 2 and "Mended" in shown(app))
        await until(pilot, lambda: "bad.yaml is not YAML" not in shown(app))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
async def test_a_criterion_is_written_tried_changed_tried_again_compared_and_saved(
    talks: Store, judge_server: JudgeServer, folder: Path, size: tuple[int, int]
) -> None:
    app = app_on(talks, judge_server)
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, app, 0)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: screen.writing)
        await write(pilot, screen, "steps", "Be lenient.")
        await pilot.press("escape")
        assert screen.focused is screen.criteria
        await tried(pilot, app)
        await until(pilot, lambda: "caught 0 of 4 that ann failed" in shown(app))
        await write(pilot, screen, "steps", " No: be strict.")
        await pilot.press("ctrl+a", "x")
        screen.query_one("#steps", TextArea).text = "Look for rudeness."
        await pilot.press("escape")
        await until(pilot, lambda: "Changed since" in shown(app))
        await tried(pilot, app)
        await until(pilot, lambda: "caught 0 → 4 of 4" in shown(app))
        await until(pilot, lambda: screen.pane.shown is not None and screen.pane.shown.version == "v2")
        await pilot.press("V")
        await until(pilot, lambda: isinstance(app.screen, VersionsScreen))
        await until(pilot, lambda: "kappa 1.00" in shown(app) and "kappa 0.00" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: screen.query_one("#steps", TextArea).text != "Look for rudeness.")
        said = "That version is the text in the editor; ctrl+s saves it. All versions are kept."
        assert said in [one.message for one in app._notifications]
        screen.query_one("#steps", TextArea).text = "Look for rudeness."
        await pilot.press("ctrl+s")
        await until(pilot, lambda: (folder / "criteria" / "stays-polite.yaml").exists())
        text = (folder / "criteria" / "stays-polite.yaml").read_text()
        assert "steps:\n  - Look for rudeness.\n" in text
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    assert [row.number for row in talks.criteria.versions("Stays polite")] == [1, 2]
    assert [run.name for run in talks.runs.all()] == ["Stays polite v2", "Stays polite v1"]


async def test_a_threshold_moves_the_matrix_without_a_question(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server, text=POLITE.replace("lenient", "strict")) as (
        pilot,
        app,
        screen,
    ):
        await tried(pilot, app)
        asked = len(judge_server.requests)
        screen.query_one("#threshold", Input).value = "0.95"
        await until(pilot, lambda: "4 false fails" in shown(app))
        assert len(judge_server.requests) == asked
        # Until it is saved it has no number.
        assert "v1 → now" in shown(app)


async def test_a_session_is_read_from_the_trial_and_the_list_is_come_back_to(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        await tried(pilot, app)
        pane = screen.query_one(TrialPane)
        pane.tried.focus()
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.session_id == pane.sessions[1]
        # The list told what the criterion found, so that to hide it would be in vain.
        await until(pilot, lambda: app.screen.labels.is_read)  # type: ignore[attr-defined]
        assert not app.screen.labels.hides_scores
        await until(pilot, lambda: pane.sessions[1] in app.sights)
        await pilot.press("J")
        await until(pilot, lambda: app.screen.session_id == pane.sessions[2])  # type: ignore[attr-defined]
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        assert pane.tried.cursor == 2


async def test_the_test_split_asks_first_and_says_how_often_it_was_used(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, _):
        await pilot.press("T")
        await until(pilot, lambda: "not used yet" in shown(app))
        await pilot.press("enter")
        await pilot.pause()
        assert talks.splits.uses("test") == []
        await pilot.press("T", "j", "enter")
        await until(pilot, lambda: len(talks.splits.uses("test")) == 1 and not app.runs.under_way)
        await until(pilot, lambda: "labelled sessions (test, the last check)" in shown(app))
        await pilot.press("T")
        await until(pilot, lambda: "used once, on" in shown(app))


async def test_a_trial_goes_on_with_its_line_and_x_stops_it(talks: Store, judge_server: JudgeServer) -> None:
    async with workbench(talks, judge_server) as (pilot, app, _):
        judge_server.default = hangs()
        await pilot.press("r")
        # Who tries is told at once that it goes on, and on what: the first answer may take long.
        await until(pilot, lambda: "scoring 0 of 8" in shown(app))
        assert "Trying on 8 labelled sessions" in shown(app)
        assert "waiting for the first answer of scripted-1" in shown(app)
        await pilot.press("x")
        await until(pilot, lambda: not app.runs.under_way and "Not tried yet" in shown(app))


async def test_that_a_trial_begins_is_said_before_anything_is_read(
    talks: Store, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        may_read, draw = threading.Event(), screen.trying.draw

        def slow(*asked: Any) -> Any:
            may_read.wait(10)
            return draw(*asked)

        monkeypatch.setattr(screen.trying, "draw", slow)
        await pilot.press("r")
        await until(pilot, lambda: "Beginning: reading the sessions to try on" in shown(app))
        may_read.set()
        await until(pilot, lambda: "Tried on 8 labelled sessions" in shown(app))
        assert "waiting for" not in shown(app)


async def test_what_is_wrong_is_told_while_one_writes_and_is_neither_tried_nor_saved(
    talks: Store, judge_server: JudgeServer, folder: Path
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        await write(pilot, screen, "rubric", "good ones")
        await until(pilot, lambda: "Rubric, line 1" in shown(app))
        await pilot.press("escape", "r", "ctrl+s")
        await pilot.pause()
    assert talks.runs.all() == []
    assert (folder / "polite.yaml").read_text() == POLITE


async def test_without_labels_the_librarys_sessions_can_be_tried(
    filled: Store, judge_server: JudgeServer
) -> None:
    async with workbench(filled, judge_server) as (pilot, app, _):
        await until(pilot, lambda: "No session is labelled yet" in shown(app))
        await pilot.press("l")
        await until(pilot, lambda: "Next try: 3 sessions, 0 labelled" in shown(app))
        await tried(pilot, app)
        await until(pilot, lambda: "Refund for a flight" in shown(app) and "0.90" in shown(app))
        assert "finds" not in shown(app)


async def test_what_would_be_tried_next_stands_below_all_that_came_out(
    talks: Store, judge_server: JudgeServer
) -> None:
    for size in ((80, 24), (120, 40), (160, 50)):
        async with workbench(talks, judge_server) as (pilot, app, screen):
            if not screen.pane.trial:
                await tried(pilot, app)
            await pilot.resize_terminal(*size)
            await pilot.press("l")
            await until(pilot, lambda: "Next try: 12 sessions" in shown(app))
            [line] = [at for at, text in enumerate(shown(app).split("\n")) if "Next try" in text]
            assert screen.pane.tried.region.bottom <= line < screen.pane.region.bottom


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_session_that_was_labelled_since_is_told_and_what_its_key_asks_first(
    talks: Store, judge_server: JudgeServer, size: tuple[int, int]
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, _):
        await tried(pilot, app)
        assert "r try " in shown(app)
    for number in range(20, 24):
        session = keep(talks, f"Question {number}?", f"Gladly. Answer {number}.", name=f"talk {number}")
        talks.labels.add(session, "pass", author="ann", blind=True)
    app = app_on(talks)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, app, 1)
        await until(pilot, lambda: "of them labelled since" in words_shown(app))
        # A low window has no room for what the labels are for.
        assert ("By now " in shown(app)) == (size[1] > 24)
        assert "r choose judge, try" in shown(app)
        app.judge.take(ModelSettings(base_url=knows_manners(judge_server).url, model="scripted-1"))
        await until(pilot, lambda: "r try " in shown(app))


async def test_nothing_is_said_of_the_labels_of_by_now_where_none_is_left(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, _):
        await tried(pilot, app)
    for session in talks.sessions.page("", 0, 100):
        talks.labels.add(session.id, None, author="ann", blind=True)
    app = app_on(talks)
    async with app.run_test(size=(160, 50)) as pilot:
        await opened(pilot, app, 1)
        await until(pilot, lambda: "Tried on" in shown(app))
        await settled(pilot)
        assert "By now" not in shown(app)


async def test_a_criterion_in_no_file_says_where_it_is_and_by_which_key_it_is_written(
    talks: Store, judge_server: JudgeServer, folder: Path
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, _):
        await tried(pilot, app)
        assert "ctrl+s save" in shown(app)
    (folder / "polite.yaml").unlink()
    app = app_on(talks)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, 1)
        await until(pilot, lambda: "version 1, only in this database" in shown(app))
        assert "ctrl+s write file   " in shown(app)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "ctrl+s save   " in shown(app))
        assert "only in this database" not in shown(app)
        assert "version 1   judge: none" in shown(app)


async def test_among_the_tried_sessions_the_line_of_keys_says_that_enter_reads_one(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        await tried(pilot, app)
        assert "enter edit" in shown(app)
        await pilot.press("shift+tab")
        await until(pilot, lambda: screen.pane.tried.has_focus and "enter read" in shown(app))


@pytest.mark.parametrize(("size", "above"), [((80, 24), 1), ((120, 40), 0)])
async def test_that_fields_are_out_of_sight_is_said_until_the_end_is_reached(
    talks: Store, folder: Path, size: tuple[int, int], above: int
) -> None:
    long = POLITE.replace("Be lenient.", "Be lenient. " * 99).replace("Stays polite.", "Stays polite. " * 99)
    (folder / "polite.yaml").write_text(long)
    app = app_on(talks)
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, app, 1)
        await until(pilot, lambda: "… more below" in shown(app))
        if above:
            # The list beside the fields ends where they do, and the trial has the whole width.
            assert screen.query_one("#side").region.bottom == screen.query_one("#editing").region.bottom
            assert screen.pane.region.width == size[0]
        screen.query_one(CriterionEditor).scroll_end(animate=False)
        await until(pilot, lambda: "… more below" not in shown(app))
        screen.query_one(CriterionEditor).scroll_home(animate=False)
        await until(pilot, lambda: "… more below" in shown(app))


async def test_all_of_it_goes_by_mouse(talks: Store, judge_server: JudgeServer, folder: Path) -> None:
    (folder / "criteria").mkdir()
    (folder / "criteria" / "a.yaml").write_text(POLITE)
    (folder / "criteria" / "b.yaml").write_text(POLITE.replace("Polite", "Kind"))
    app = app_on(talks, judge_server)

    async def click(words: str, *, line: int | None = None) -> None:
        rows = shown(app).splitlines()
        y = next(at for at, row in enumerate(rows) if words in row and line in (None, at))
        await pilot.click(offset=(rows[y].index(words), y))

    async with app.run_test(size=(160, 50)) as pilot:
        screen = await opened(pilot, app, 2)
        await click("Kind")
        await until(pilot, lambda: screen.query_one(CriterionEditor).form.name == "Kind")
        await pilot.pause()
        await click("only a full score passes")
        await until(pilot, lambda: screen.written.items[1].form.strict)
        await click("only a full score passes")
        await click("expected outcome")
        await until(pilot, lambda: screen.written.items[1].form.parameters == ("expected_outcome",))
        await click("expected outcome")
        await click("t try", line=49)
        await until(pilot, lambda: "4 false passes" in shown(app) and not app.runs.under_way)
        # What is read anew after a trial moves the lines of the pane.
        await settled(pilot)
        await click("4 false passes")
        pane = screen.query_one(TrialPane)
        await until(pilot, lambda: screen.focused is pane.tried and pane.tried.cursor == 0)


async def test_who_leaves_the_question_for_a_judge_is_told_nothing_and_asked_again(talks: Store) -> None:
    async with workbench(talks) as (pilot, app, _):
        await pilot.press("enter", "tab")
        await until(pilot, lambda: isinstance(app.focused, TextArea))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        await until(pilot, lambda: "No local server answers" in shown(app))
        assert "checks only" not in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.focused, TextArea))
        await settled(pilot)
        assert not list(app._notifications)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))


async def test_what_was_read_of_a_criterion_is_not_read_again_until_something_was_written(
    talks: Store, judge_server: JudgeServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "brief.yaml").write_text(POLITE.replace("Polite", "Brief"))
    (folder / "polite.yaml").write_text(POLITE)
    app = app_on(talks, judge_server)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, app, 2)
        read: list[str] = []
        usual = screen.trying.draw
        monkeypatch.setattr(
            screen.trying, "draw", lambda name, split: (read.append(name), usual(name, split))[1]
        )
        for key in "jk":
            await pilot.press(key)
            await until(pilot, lambda: len(screen._looks) == 2 and not screen._reading.under_way)
        read.clear()
        for key in "jkj":
            await pilot.press(key)
            await pilot.pause()
        assert read == []
        talks.labels.add(talks.sessions.ids()[0], "fail", author="ann", blind=False)
        await pilot.press("k")
        await until(pilot, lambda: read != [])


async def test_what_is_being_read_of_a_criterion_is_not_begun_anew_by_the_next_key(
    talks: Store, judge_server: JudgeServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "brief.yaml").write_text(POLITE.replace("Polite", "Brief"))
    (folder / "polite.yaml").write_text(POLITE)
    app = app_on(talks, judge_server)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, app, 2)
        await until(pilot, lambda: len(screen._looks) == 1 and not screen._reading.under_way)
        # What the app itself writes as it opens is written by now.
        screen._look()
        await until(pilot, lambda: not screen._reading.under_way)
        read: list[str] = []
        gate, usual = threading.Event(), screen.trying.draw
        monkeypatch.setattr(
            screen.trying,
            "draw",
            lambda name, split: (read.append(name), gate.wait(20), usual(name, split))[2],
        )
        for key in "jkj":
            await pilot.press(key)
            await pilot.pause()
        gate.set()
        await until(pilot, lambda: len(screen._looks) == 2 and not screen._reading.under_way)
        assert len(read) == 1


async def test_an_enter_in_haste_at_what_is_not_saved_writes_no_file_and_goes_on_writing(
    talks: Store, folder: Path
) -> None:
    async with workbench(talks) as (pilot, app, screen):
        before = (folder / "polite.yaml").read_text()
        await write(pilot, screen, "words", " And kind.")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "Not saved: Polite" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        assert screen.written.unsaved
    assert (folder / "polite.yaml").read_text() == before
    assert talks.criteria.versions("Polite") == []


async def test_where_only_the_words_change_and_the_judge_goes_by_steps_it_says_that_nothing_was_tried_anew(
    talks: Store, judge_server: JudgeServer
) -> None:
    async with workbench(talks, judge_server) as (pilot, app, screen):
        await tried(pilot, app)
        asked = len(judge_server.requests)
        await write(pilot, screen, "words", " And kind.")
        await pilot.press("escape")
        await until(pilot, lambda: "it was not tried anew" in words_shown(app))
        for _ in range(2):
            assert "v1 tried on 8 labelled" in words_shown(app)
            assert "ctrl+r draft them from the words" in words_shown(app)
            assert "no verdict changed" not in words_shown(app)
            await pilot.press("r")
            await pilot.pause(0.3)
            # Also where it is saved, and read anew.
            await pilot.press("ctrl+s")
            await until(pilot, lambda: not screen.written.unsaved)
        assert (len(judge_server.requests), len(talks.runs.all())) == (asked, 1)
        await write(pilot, screen, "steps", " Be strict.")
        await pilot.press("escape")
        await until(pilot, lambda: "Changed since this trial" in words_shown(app))
