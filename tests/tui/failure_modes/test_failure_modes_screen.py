"""The failure mode screen: from notes to named modes to rates, by keys and by mouse."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from judge_server import JudgeServer, Step, says
from scored_sessions import NASTY
from stored import keep, land, score
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.demo.demo_store import fill as fill_demo
from turnwise.tui.drawing.lines import line_text
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.drawing.rows_view import HEADER
from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen
from turnwise.tui.failure_modes.mode_dialogs import ModeEditDialog, ModePickDialog
from turnwise.tui.failure_modes.mode_words import ONE_GROUP
from turnwise.tui.failure_modes.part_tabs import PartTabs
from turnwise.tui.failure_modes.proposals_dialog import ProposalsDialog
from turnwise.tui.library.filter_line import FilterLine
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.review.review_screen import ReviewScreen

NOTES = ("asks twice for the date", "made up a fee", "asks for the number again")
SIZES = [(80, 24), (160, 50)]


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests is mia."""
    monkeypatch.setattr("getpass.getuser", lambda: "mia")


@pytest.fixture
def sessions(store: Store) -> list[int]:
    """Four sessions of two roles: three failed with a note, one passed."""
    ids = [
        keep(
            store,
            f"talk {number}",
            "Yes?",
            "please",
            "no",
            name=f"Talk {number}",
            chatbot_role=["Bank clerk", "Airline agent"][number % 2],
            tags=["late"] if number < 2 else [],
        )
        for number in range(4)
    ]
    for session, note in zip(ids, NOTES, strict=False):
        store.labels.add(session, "fail", author="mia", blind=True, turn=2, note=note)
    store.labels.add(ids[3], "pass", author="mia", blind=True)
    return ids


@asynccontextmanager
async def looking(
    store: Store, size: tuple[int, int] = (120, 30), part: Any = "notes"
) -> AsyncIterator[tuple[TurnwiseApp, Pilot[int]]]:
    """The screen above the library."""
    app = TurnwiseApp(store)
    app.judge.chosen = True
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and app.screen.tables.known)
        await pilot.press({"notes": "c", "modes": "l", "rates": "percent_sign"}[part])
        await pilot.pause()
        yield app, pilot


def names(store: Store, session: int) -> list[str]:
    return [one.name for one in store.modes.of(session)]


def code(store: Store, sessions: list[int]) -> tuple[int, int]:
    """Name two modes; the first in sessions 0 and 2, the second in 1."""
    asks = store.modes.add("Asks again", "It asks for what it was told.", "mia")
    invents = store.modes.add("Invents", "It states what nobody gave it.", "ben")
    store.modes.assign([sessions[0], sessions[2]], asks, "mia", turn=2)
    store.modes.assign([sessions[1]], invents, "ben")
    return asks, invents


@pytest.mark.parametrize("size", SIZES)
async def test_an_empty_screen_teaches_what_comes_first(store: Store, size: tuple[int, int]) -> None:
    keep(store)
    async with looking(store, size) as (app, pilot):
        assert "Read 30 to 50 sessions first" in " ".join(shown(app).split())
        await pilot.press("tab")
        assert "No failure modes yet" in shown(app)
        await pilot.press("tab")
        assert "No rates yet" in shown(app)
        await pilot.press("enter", "ctrl+g", "j", "u")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


@pytest.mark.parametrize(
    ("part", "named"), [("notes", NOTES[2]), ("modes", "Asks again"), ("rates", "Asks again")]
)
async def test_a_low_window_shows_a_row_of_the_list(
    store: Store, sessions: list[int], part: str, named: str
) -> None:
    code(store, sessions)
    async with looking(store, (40, 10), part) as (app, pilot):

        def rows() -> str:
            region = app.screen.query_one(RecordTable).region
            return "\n".join(shown(app).splitlines()[region.y + HEADER : region.bottom])

        await until(pilot, lambda: named[:8] in rows())


async def test_under_a_note_stands_what_was_said_there(store: Store) -> None:
    first, second = (
        keep(store, f"{name} asks", f"{name} answers", f"{name} thanks", name=name) for name in ("Ann", "Ben")
    )
    store.labels.add(first, "fail", author="mia", blind=True, turn=2, note="made up a fee")
    store.labels.add(second, "fail", author="mia", blind=True, note="too long")
    async with looking(store, (160, 50)) as (app, pilot):
        # The newest note stands first; it is about the whole session, so its last two turns are shown.
        await until(pilot, lambda: "Ben thanks" in shown(app))
        assert "Ben answers" in shown(app)
        assert "How the session ends" in shown(app)
        assert "Ben asks" not in shown(app)
        await pilot.press("j")
        await until(pilot, lambda: "Ann answers" in shown(app))
        assert "Ann asks" in shown(app)
        assert "Ann thanks" not in shown(app)
        assert "Ben" not in shown(app).partition("What was said there")[2]


@pytest.mark.parametrize("size", SIZES)
async def test_notes_become_a_mode_of_their_sessions(
    store: Store, sessions: list[int], size: tuple[int, int]
) -> None:
    async with looking(store, size) as (app, pilot):
        assert all(note in shown(app) for note in NOTES)
        assert "No notes yet" not in shown(app)
        await pilot.press("space", "j", "space")
        await until(pilot, lambda: "2 ticked" in shown(app))
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, ModePickDialog))
        assert "Give a failure mode to 2 sessions" in shown(app)
        await pilot.press(*"Asks", "enter")
        await until(
            pilot, lambda: isinstance(app.screen, FailureModesScreen) and "2 ticked" not in shown(app)
        )
        assert [names(store, one) for one in sessions] == [["Asks"], [], ["Asks"], []]
        assert store.modes.of(sessions[0])[0].turn == 2
        assert store.modes.all()[0].author == "mia"
        await pilot.press("u")
        await until(pilot, lambda: names(store, sessions[0]) == [])
        await pilot.press("U")
        await until(pilot, lambda: names(store, sessions[0]) == ["Asks"])


async def test_it_is_told_how_many_of_the_sessions_have_a_mode_already(
    store: Store, sessions: list[int]
) -> None:
    noted = sorted({note.session_id for note in store.modes.notes()})
    store.modes.assign(noted[:1], store.modes.add("Lies", "It lies.", "mia"), "mia")
    store.modes.assign(noted[:2], store.modes.add("Rude", "It is rude.", "mia"), "mia")
    store.modes.add("Late", "It is late.", "mia")
    async with looking(store, (80, 24)) as (app, pilot):
        await pilot.press("a", "m")
        await until(pilot, lambda: isinstance(app.screen, ModePickDialog))
        assert "Lies  1 of 3 has it · It lies." in shown(app)
        assert "Rude  2 of 3 have it · It is rude." in shown(app)
        assert "Late  It is late." in shown(app)


async def test_a_name_that_only_holds_till_the_end_stands_at_modes_too(
    store: Store, sessions: list[int]
) -> None:
    async with looking(store, part="modes") as (app, pilot):
        app.settings = replace(app.settings, author="Zoe")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press(*"Rude", "enter", *"It swears.", "enter")
        await until(pilot, lambda: [one.author for one in store.modes.all()] == ["Zoe"])
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and "Rude" in shown(app))
        await pilot.press("u")
        await until(pilot, lambda: list(store.modes.all()) == [])


async def test_only_the_open_notes_can_be_shown(store: Store, sessions: list[int]) -> None:
    code(store, sessions[:3])
    async with looking(store) as (app, pilot):
        await until(pilot, lambda: NOTES[0] in shown(app))
        assert "notes (3)   modes (2)   rates" in shown(app)
        await pilot.press("F")
        assert "Every note has a failure mode" in shown(app)
        assert "notes (0 of 3 open)   modes (2)   rates" in shown(app)
        await pilot.press("F")
        assert NOTES[0] in shown(app)
        await pilot.press("a")
        assert "3 ticked" in shown(app)
        await pilot.press("a")
        assert "ticked" not in shown(app)


async def test_words_leave_the_rows_that_have_them_and_escape_brings_all_back(
    store: Store, sessions: list[int]
) -> None:
    code(store, sessions[:3])
    async with looking(store) as (app, pilot):
        await until(pilot, lambda: NOTES[0] in shown(app))
        await pilot.press("slash", *"asks", "space", *"date")
        await until(pilot, lambda: "notes (1 of 3)" in shown(app))
        await pilot.press("enter")
        # Digits and letters are keys again, and what is shown stays.
        assert app.screen.focused is app.screen.query_one(RecordTable)
        assert NOTES[1] not in shown(app)
        await pilot.press("a", "escape")
        assert isinstance(app.screen, FailureModesScreen)
        assert "notes (3)" in shown(app)
        await pilot.press("slash", *"zzz")
        await until(pilot, lambda: "Nothing here is like the words" in shown(app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_while_words_are_looked_for_the_line_of_keys_says_what_enter_and_escape_do(
    store: Store, sessions: list[int]
) -> None:
    code(store, sessions[:3])
    async with looking(store, (80, 24)) as (app, pilot):
        await until(pilot, lambda: "esc back" in shown(app).splitlines()[-1])
        await pilot.press("slash", *"asks")
        await until(pilot, lambda: "enter to the rows   esc close" in shown(app).splitlines()[-1])
        await pilot.press("enter")
        await until(pilot, lambda: "esc show all" in shown(app).splitlines()[-1])
        await pilot.press("escape")
        await until(pilot, lambda: "esc back" in shown(app).splitlines()[-1])
        await pilot.press("slash", *"zzz")
        await until(pilot, lambda: "esc close" in shown(app).splitlines()[-1])
        assert "to the rows" not in shown(app).splitlines()[-1]


async def test_a_note_leads_to_its_turn_of_its_session(store: Store, sessions: list[int]) -> None:
    async with looking(store) as (app, pilot):
        await until(pilot, lambda: NOTES[0] in shown(app))
        await pilot.press("end", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.session_id == sessions[0]
        await until(pilot, lambda: screen.transcript.current is not None)
        await until(pilot, lambda: screen.transcript.current.number == 2)  # type: ignore[union-attr]


async def test_of_a_short_list_all_that_others_note_is_seen(store: Store, sessions: list[int]) -> None:
    others = [keep(store, "Hello?", "Yes?", name=f"Unread {number}") for number in (1, 2)]
    for one in others:
        store.labels.add(one, "fail", author="ben", blind=True, note="rude at once")
    async with looking(store, (80, 24)) as (app, pilot):
        await until(pilot, lambda: all(one in app.sights for one in others))
        assert sessions[0] not in app.sights


async def test_a_review_of_a_note_shows_the_verdict_that_was_read_with_it(
    store: Store, sessions: list[int]
) -> None:
    store.labels.add(sessions[3], "fail", author="ben", blind=True, note="far too long")
    other = keep(store, "Hello?", "Yes?", name="Unread")
    store.labels.add(other, "fail", author="ben", blind=True, note="rude at once")
    land(store, other, score(0.9))
    async with looking(store, (80, 24)) as (app, pilot):
        await until(pilot, lambda: other in app.sights)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "ben" in shown(app))
        assert "hidden until you label" not in shown(app)
        await pilot.press("p")
        await until(pilot, lambda: any(row.author == "mia" for row in store.labels.of(other)))
        assert [row.blind for row in store.labels.of(other) if row.author == "mia"] == [False]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))
        # One's own note is no look at what others say.
        assert sessions[0] not in app.sights


async def test_a_mode_is_named_changed_merged_and_retired(store: Store, sessions: list[int]) -> None:
    asks, invents = code(store, sessions)
    async with looking(store, (140, 40), part="modes") as (app, pilot):
        await until(pilot, lambda: "assigned to 2 sessions" in shown(app))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press(*"Rude", "enter", *"It", "enter")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and "Rude" in shown(app))
        await pilot.press("home", "E")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press("end", "X", "enter")
        await until(pilot, lambda: store.modes.get(asks).name == "Asks againX")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))
        await until(pilot, lambda: "renamed to Asks againX" in shown(app))
        await pilot.press("M")
        await until(pilot, lambda: isinstance(app.screen, ModePickDialog))
        assert "Merge “Asks againX” into" in shown(app)
        assert "Its 2 sessions will bear that name; u takes it back." in shown(app)
        # Enter does nothing before one is chosen.
        assert "enter merge   " not in shown(app)
        offered = app.screen.query_one(ChoiceList)
        assert [offered.get_option_at_index(n).id for n in range(offered.option_count)] == [str(invents), "3"]
        await pilot.press(*"inv", "enter")
        await until(pilot, lambda: store.modes.get(asks).merged_into == invents)
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and "took in" in shown(app))
        await pilot.press("home", "D")
        await until(pilot, lambda: store.modes.get(invents).retired)
        await pilot.press("u", "u")
        await until(pilot, lambda: store.modes.get(asks).active)


async def test_a_mode_is_merged_only_into_one_that_was_chosen(store: Store, sessions: list[int]) -> None:
    asks, invents = code(store, sessions)
    rude = store.modes.add("Rude", "It is rude.", "mia")
    async with looking(store, (80, 24), part="modes") as (app, pilot):
        await until(pilot, lambda: "Rude" in shown(app))
        await pilot.press("home", "M")
        await until(pilot, lambda: isinstance(app.screen, ModePickDialog))
        offered = app.screen.query_one(ChoiceList)
        asked = "↓ chooses the mode to merge into, or type its name; enter merges."
        assert offered.current is None
        assert asked in words_shown(app)
        # Enter does nothing where none is chosen, also where what was typed is gone again.
        for keys in (["enter"], [*"inv", *["backspace"] * 3, "enter"]):
            await pilot.press(*keys)
            await until(pilot, lambda: asked in words_shown(app))
            assert isinstance(app.screen, ModePickDialog)
            assert store.modes.get(asks).merged_into is None
        await pilot.press("down", "down")
        assert offered.current is not None
        assert offered.current.id == str(rude)
        await until(pilot, lambda: asked not in words_shown(app) and "enter merge" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: store.modes.get(asks).merged_into == rude)
        # The next time none is chosen either.
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))
        await pilot.press("home", "M")
        await until(pilot, lambda: isinstance(app.screen, ModePickDialog) and asked in words_shown(app))
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ModePickDialog)
        assert store.modes.get(invents).merged_into is None


async def test_the_name_of_a_mode_without_a_definition_is_corrected_alone(
    store: Store, sessions: list[int]
) -> None:
    rude = store.modes.add("Rud", "", "mia")
    async with looking(store, (80, 24), part="modes") as (app, pilot):
        await pilot.press("E")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        assert "a sentence that people apply alike; it may follow later" in shown(app)
        await pilot.press("end", "e", "enter", "enter")
        await until(pilot, lambda: store.modes.get(rude).name == "Rude")
        assert store.modes.get(rude).definition == ""
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))


async def test_no_heading_stands_alone_at_the_end_of_what_is_said_of_a_rate(store: Store) -> None:
    await fill_demo(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("4", "percent_sign")
        heading = "What people noted"
        await until(pilot, lambda: "Bar, 0 to 100 %" in shown(app))
        view = app.screen.query_one(LinesView)
        for height in range(5, 12):
            view.styles.max_height = view.styles.height = height
            await pilot.pause()
            await pilot.press("down", "up")
            await pilot.pause()
            said = [line_text(line).strip() for line in view.lines]
            assert not said[view.size.height - 1].startswith(heading)
            # It is there once it is scrolled to.
            assert any(line.startswith(heading) for line in said)


@pytest.mark.parametrize(("height", "told"), [(24, 6), (50, 9)])
async def test_more_notes_of_a_mode_stand_where_rows_are_free(store: Store, height: int, told: int) -> None:
    mode = store.modes.add("Asks again", "", "mia")
    for number in range(9):
        session = keep(store, f"talk {number}", "Yes?", name=f"Talk {number}")
        store.labels.add(session, "fail", author="mia", blind=True, note=f"note {number}")
        store.modes.assign([session], mode, "mia")
    async with looking(store, (160, height), part="modes") as (app, pilot):
        await until(pilot, lambda: "What people noted" in shown(app))
        view = app.screen.query_one(LinesView)
        texts = ["".join(piece.text for piece in line) for line in view.lines]
        assert sum(text.startswith("note ") for text in texts) == told
        # Where there is room a note stands apart from who wrote the one before it.
        before = [texts[place - 1] for place, text in enumerate(texts) if text.startswith("note ")]
        assert before[0] == "What people noted where it occurs"
        assert all((above == "") == (height == 50) for above in before[1:])
        assert ("… 3 more: enter lists the sessions" in texts) == (told == 6)


async def test_undo_stands_in_the_line_of_keys_where_there_is_something_to_take_back(
    store: Store, sessions: list[int]
) -> None:
    store.modes.add("Asks again", "", "somebody else")
    async with looking(store, (120, 24), part="modes") as (app, pilot):
        assert "u undo" not in shown(app)
        own = store.modes.add("Is rude", "", "mia")
        screen = app.screen
        assert isinstance(screen, FailureModesScreen)
        screen.read(None)
        await until(pilot, lambda: "u undo" in shown(app))
        await pilot.press("u")
        await until(pilot, lambda: "u undo" not in shown(app))
        assert store.modes.get(own).retired


async def test_one_undo_takes_back_a_name_with_its_definition(store: Store, sessions: list[int]) -> None:
    asks, _ = code(store, sessions)
    async with looking(store, (80, 24), part="modes") as (app, pilot):
        await pilot.press("E")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press("end", "X", "tab", "end", "Y", "enter")
        await until(pilot, lambda: store.modes.get(asks).name == "Asks againX")
        assert store.modes.get(asks).definition.endswith("Y")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))
        await pilot.press("u")
        await until(pilot, lambda: store.modes.get(asks).name == "Asks again")
        assert store.modes.get(asks).definition == "It asks for what it was told."


async def test_a_name_that_is_taken_is_told_and_the_app_goes_on(store: Store, sessions: list[int]) -> None:
    code(store, sessions)
    async with looking(store, part="modes") as (app, pilot):
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press(*"invents", "enter", *"x", "enter")
        await until(pilot, lambda: "There is a failure mode called Invents already" in shown(app))
        assert len(store.modes.all()) == 2
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press(*"none", "enter", *"x", "enter")
        await until(pilot, lambda: "cannot be called none" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))


@pytest.mark.parametrize("size", SIZES)
async def test_rates_lead_to_the_sessions_in_the_library(
    store: Store, sessions: list[int], size: tuple[int, int]
) -> None:
    code(store, sessions)
    async with looking(store, size, "rates") as (app, pilot):
        await until(pilot, lambda: "2 of 4" in shown(app))
        assert "50 % (7 to 93 %)" in shown(app)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "by role" in shown(app) and "Bank clerk" in shown(app))
        # Shades are explained where there are bars.
        assert ("Bar, 0 to 100 %" in shown(app)) is bool(re.search("0  +100 %", shown(app)))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        line = app.screen.query_one(FilterLine)
        assert line.query_text == 'mode:"Asks again" role:"Bank clerk"'
        await until(pilot, lambda: "2 of " in shown(app))


async def test_where_all_sessions_are_of_one_group_they_are_counted_by_none(store: Store) -> None:
    session = keep(store, "question", "answer", chatbot_role="Bank clerk", tags=["bank"])
    store.modes.assign([session], store.modes.add("Asks again", "It asks again.", author="mia"), author="mia")
    async with looking(store, (80, 24), "rates") as (app, pilot):
        await until(pilot, lambda: "1 of 1" in shown(app))
        await pilot.press("ctrl+g")
        await until(pilot, lambda: bool(app._notifications))
        assert [one.message for one in app._notifications] == [ONE_GROUP]
        assert "by role" not in shown(app)


async def test_the_mouse_chooses_parts_and_opens_rows(store: Store, sessions: list[int]) -> None:
    code(store, sessions)
    async with looking(store) as (app, pilot):
        await until(pilot, lambda: "   rates" in shown(app))
        tabs = app.screen.query_one(PartTabs)
        await pilot.click(tabs, offset=(tabs._spans[2][0] + 1, 0))
        await until(pilot, lambda: "2 of 4" in shown(app))
        await pilot.click(RecordTable, offset=(4, 2), times=2)
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.screen.query_one(FilterLine).query_text == "mode:Invents"


async def test_the_judge_proposes_and_a_person_decides(
    store: Store, sessions: list[int], judge_server: JudgeServer
) -> None:
    proposals = [
        {"name": "Asks again", "definition": "It asks for what it was told.", "notes": [1, 3]},
        {"name": "Made up", "definition": "It states what nobody gave it.", "notes": [2]},
    ]
    judge_server.script(says({"modes": proposals}))
    async with looking(store) as (app, pilot):
        app.judge.take(ModelSettings(base_url=judge_server.url, model="scripted-1"))
        await until(pilot, lambda: NOTES[0] in shown(app))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ProposalsDialog) and "2 notes" in shown(app))
        assert store.modes.all() == []
        assert "asks twice" in shown(app)
        await pilot.press("E")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        await pilot.press("end", "2", "enter")
        await until(pilot, lambda: isinstance(app.screen, ProposalsDialog) and len(store.modes.all()) == 1)
        await pilot.press("D")
        await until(pilot, lambda: "That was all" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))
        [mode] = store.modes.all()
        assert (mode.name, mode.author, mode.proposed_by, mode.sessions) == (
            "Asks again2",
            "mia",
            "scripted-1",
            2,
        )


async def test_a_judge_that_fails_is_told(
    store: Store, sessions: list[int], judge_server: JudgeServer
) -> None:
    judge_server.script(Step(status=401, body={"error": {"message": "no such key"}}))
    async with looking(store) as (app, pilot):
        app.judge.take(ModelSettings(base_url=judge_server.url, model="m"))
        await until(pilot, lambda: NOTES[0] in shown(app))
        await pilot.press("r")
        await until(pilot, lambda: app.screen.query_one(".wrong").display)
        assert store.modes.all() == []
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen))


async def test_what_a_note_holds_is_shown_and_not_obeyed(store: Store) -> None:
    session = keep(store, name=NASTY, chatbot_role=NASTY)
    store.labels.add(session, "fail", author=NASTY, blind=True, note=NASTY)
    mode = store.modes.add("M \x1b[31m \u202eevil", NASTY, NASTY)
    store.modes.assign([session], mode, NASTY)
    async with looking(store, (80, 24)) as (app, pilot):
        for key in ("c", "l", "percent_sign", "ctrl+g", "l", "E"):
            await pilot.press(key)
            await pilot.pause(0.05)
            assert not set(shown(app)) & set("\x1b\x07\u202e")


async def test_in_a_low_window_the_parts_stand_right_below_the_title(
    store: Store, sessions: list[int]
) -> None:
    for size, row in (((80, 24), 2), ((80, 40), 3)):
        async with looking(store, size) as (app, pilot):
            await until(pilot, lambda: "notes (" in shown(app))
            assert shown(app).splitlines()[row].strip().startswith("notes (")


async def test_the_same_dialog_of_a_mode_opens_again_with_nothing_of_the_last_time(store: Store) -> None:
    store.modes.add("asks again", "", "mia")
    app = TurnwiseApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = FailureModesScreen()
        await app.push_screen(screen)
        await until(pilot, lambda: "modes (1)" in shown(app))
        await pilot.press("tab")
        await until(pilot, lambda: "asks again" in shown(app))
        for _ in app.kept_dialogs.make(ModeEditDialog, lambda one: one.begin("")):
            await pilot.pause()
        await pilot.press("E")
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog))
        dialog = app.screen
        name, definition = (dialog.query_one(f"#{one}", Input) for one in ("name", "definition"))
        await until(pilot, lambda: name.has_focus)
        assert (name.value, name.selected_text, definition.value) == ("asks again", "asks again", "")
        assert "it may follow later" in words_shown(app)
        await pilot.press("tab", *"no", "tab", "backspace", "enter")
        await until(pilot, lambda: dialog.query_one(".wrong").display)
        await pilot.press("tab", "escape", "ctrl+n")
        await until(pilot, lambda: app.screen is dialog and "A new failure mode" in shown(app))
        assert (name.value, definition.value) == ("", "")
        await until(pilot, lambda: name.has_focus)
        assert not dialog.query_one(".wrong").display
        assert "it may follow later" not in words_shown(app)
        await pilot.press(*"new", "tab", *"It is new.", "enter")
        await until(pilot, lambda: app.screen is screen)
        assert [(one.name, one.definition) for one in store.modes.all()][-1] == ("new", "It is new.")
