from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from files_to_import import GOOD
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import sessions, shown, until

from turnwise.conversations.importing import ImportReport
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.importing.import_dialog import ImportDialog
from turnwise.tui.importing.mapping_dialog import MappingDialog
from turnwise.tui.importing.rejections import RejectionsScreen
from turnwise.tui.library.library_screen import LibraryScreen


async def test_fields_are_mapped_of_a_file_that_is_named(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "leads up)" in shown(app))
        assert "map fields" not in shown(app)
        await pilot.press(*"talks.jsonl")
        await until(pilot, lambda: "map fields" in shown(app))


async def test_it_shows_what_a_file_written_by_hand_looks_like(
    app: TurnwiseApp, folder: Path, store: Store
) -> None:
    line = """{"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]}"""
    (folder / "own.jsonl").write_text(f"{line}\n{line.replace('Hello', 'Good day')}\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        told = " ".join(line.strip(" │") for line in shown(app).splitlines())
        shape = "A line of JSONL is a conversation: " + line.partition(', {"role": "assistant"')[0]
        assert shape in told
        await pilot.press("o", "w")
        assert "A line of JSONL" not in shown(app)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
    assert [row.turns for row in store.sessions.page()] == [2, 2]


async def test_a_file_is_completed_by_tab_and_imported_with_its_role(app: TurnwiseApp, store: Store) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("t")
        await until(pilot, lambda: "tab complete" in shown(app))
        await pilot.press("tab")
        # With nothing more to complete it goes on to the role.
        await until(pilot, lambda: "tab next field" in shown(app))
        await pilot.press("tab")
        await pilot.press(*"agent", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 3)
        assert {row.chatbot_role for row in store.sessions.page()} == {"agent"}
        assert any("3 imported." in note.message for note in app._notifications)


async def test_what_could_not_be_read_is_shown(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("m", "i", "tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, RejectionsScreen))
        await until(pilot, lambda: "3 imported, 1 not readable." in shown(app))
        assert "turns" in shown(app)
        # One pressed twice to import would close it unread.
        await pilot.press("enter")
        assert "3 imported, 1 not readable." in shown(app)
        assert "esc close" in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 3)


async def test_why_records_were_left_out_stands_further_in_and_their_file_and_what_to_do_once(
    app: TurnwiseApp, folder: Path
) -> None:
    (folder / "mixed.jsonl").write_text("\n".join([json.dumps(GOOD), "{bro ken", "7", json.dumps(GOOD)]))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        app.screen.query_one("#path", Input).value = "mixed.jsonl"
        await pilot.press("tab", "enter")
        await until(pilot, lambda: "Not loaded from mixed.jsonl:" in shown(app))
        lines = [line.split("│")[1] for line in shown(app).splitlines() if line.count("│") == 2]
        said = [line for line in lines if line.strip()]
        first = next(place for place, line in enumerate(said) if "Not loaded" in line)
        last = next(place for place, line in enumerate(said) if "Correct it in the file" in line)
        further = said[first + 1 : last]
        assert further[0].strip().startswith("line 2: expected JSON")
        assert further[-1].strip().startswith("line 3: expected")
        assert {len(line) - len(line.lstrip()) for line in further} == {4}
        assert shown(app).count("mixed.jsonl") == 1
        assert shown(app).count("Correct it") == 1


async def test_a_file_that_is_no_json_is_explained_and_the_dialog_stays(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("b", "tab", "enter")
        await until(pilot, lambda: "broken.json" in shown(app) and "JSON" in shown(app).split("role")[-1])
        assert isinstance(app.screen, ImportDialog)


async def test_escape_stops_an_import_and_keeps_nothing_of_it(
    app: TurnwiseApp, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(into: Store, path: Path, **given: object) -> object:
        report = ImportReport()
        while True:
            report.sessions.append(1)
            given["on_progress"](report)  # type: ignore[operator]
            time.sleep(0.01)

    monkeypatch.setattr("turnwise.conversations.importing.import_file", endless)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("t", "tab", "enter")
        await until(pilot, lambda: "conversations read" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Nothing of the file was kept" in shown(app))
        assert store.sessions.count() == 0


async def test_of_two_lists_the_one_with_the_messages_is_named_in_a_field(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    (folder / "two.json").write_text(json.dumps({"chat": GOOD["turns"], "draft": GOOD["turns"][:1]}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("t", "w", "tab", "enter")
        await until(pilot, lambda: "chat, draft" in shown(app))
        assert "in the field above" in shown(app)
        assert "--messages" not in shown(app)
        assert "esc cancel" in shown(app)
        assert app.focused is app.screen.query_one("#messages")
        await pilot.press(*"chat", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
        assert [turn.content for turn in store.turns.of(1)] == ["Hello", "Hello to you"]


async def test_an_error_leaves_the_keys_in_sight_where_there_is_little_room(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("b", "tab", "enter")
        await until(pilot, lambda: "JSON" in shown(app).split("role")[-1])
        app.screen._say("wrong " * 200, wrong=True)  # type: ignore[attr-defined]
        await pilot.pause()
        assert "esc cancel" in shown(app)


async def test_rejections_are_told_without_a_toast_on_them(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("m", "i", "tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, RejectionsScreen))
        await pilot.pause()
        assert not list(app._notifications)


UNKNOWN_COLUMNS = "chat,who,what\n1,a,Hello\n1,b,Hello to you\n"


async def test_the_columns_of_a_table_are_shown_with_its_rows(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    (folder / "chats.csv").write_text(UNKNOWN_COLUMNS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        field = app.screen.query_one("#map")
        assert not field.display
        await pilot.press(*"chats", "tab")
        await until(pilot, lambda: bool(field.display))
        await pilot.press("tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, MappingDialog))
        # Without a list in it a row is a message; a is a common word for an answer.
        await until(pilot, lambda: app.focused is app.screen.query_one("#part-role"))
        await until(pilot, lambda: "assistant Hello" in shown(app))
        app.screen.query_one("#part-assistant").focus()
        await pilot.pause()
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
        assert [(turn.role, turn.content) for turn in store.turns.of(1)] == [
            ("user", "Hello"),
            ("assistant", "Hello to you"),
        ]


async def test_a_mapping_that_means_nothing_is_told_under_the_field(app: TurnwiseApp, folder: Path) -> None:
    (folder / "chats.csv").write_text(UNKNOWN_COLUMNS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"chats", "tab", "tab", "tab")
        field = app.screen.query_one("#map")
        await until(pilot, lambda: app.focused is field)
        for given, told in (("rolle=who", "knows no rolle"), ("role", "takes pairs KEY=NAME")):
            field.value = given  # type: ignore[attr-defined]
            await pilot.press("enter")
            await until(pilot, lambda told=told: told in shown(app))  # type: ignore[misc]
            assert app.focused is field
            text = shown(app)
            assert "esc cancel" in text
            assert "--map" not in text
            assert text.index(given) < text.index(told)


async def test_who_speaks_in_a_transcript_is_asked_where_it_does_not_tell(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    (folder / "talk.txt").write_text("Anna: Hello\nZed: Hello to you\nAnna: Bye\nZed: Bye\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"talk.txt", "tab", "enter")
        await until(pilot, lambda: "Who is the chatbot in talk.txt?" in shown(app))
        assert "2 turns" in shown(app)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
        assert [turn.role for turn in store.turns.of(1)] == ["user", "assistant"] * 2


async def test_another_file_asks_for_no_mapping(app: TurnwiseApp, folder: Path) -> None:
    (folder / "chats.csv").write_text(UNKNOWN_COLUMNS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        field = app.screen.query_one("#map")
        app.screen._path.value = "chats.csv"  # type: ignore[attr-defined]
        await until(pilot, lambda: bool(field.display))
        app.screen._path.value = "talks.jsonl"  # type: ignore[attr-defined]
        await until(pilot, lambda: not field.display)


async def test_why_a_file_is_refused_and_what_to_do_is_in_sight_in_a_low_window(
    app: TurnwiseApp, folder: Path
) -> None:
    (folder / "nothing.jsonl").write_text("{ not\nany json\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        app.screen.query_one("#path", Input).value = "nothing.jsonl"
        await pilot.press("tab", "enter")
        await until(pilot, lambda: "is in no format" in shown(app))
        wrong = app.screen.query_one("#wrong")
        assert wrong.size.height == 8
        assert "Tried, and all that there are: turnwise" in shown(app)
        assert "enter import" in shown(app)


async def test_an_error_longer_than_its_room_is_read_on_by_a_key_that_is_named(
    app: TurnwiseApp, folder: Path
) -> None:
    (folder / "photo.parquet").write_bytes(bytes(range(256)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        assert "pgdn" not in shown(app)
        await pilot.press(*"photo", "tab", "enter", "enter")
        await until(pilot, lambda: "is in no format" in shown(app))
        await until(pilot, lambda: "pgdn more of it" in shown(app))
        # The last of the formats that it may have.
        assert "mapped." not in shown(app)
        for _ in range(6):
            await pilot.press("pagedown")
        await until(pilot, lambda: "mapped." in shown(app))
        await pilot.press(*["pageup"] * 6)
        await until(pilot, lambda: "is in no format" in shown(app))


async def test_a_text_of_any_name_lets_it_be_said_who_speaks(app: TurnwiseApp, folder: Path) -> None:
    (folder / "call.log").write_text("Anna> Hello\nBot> Good day\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"call.log", "enter")
        await until(pilot, lambda: "Say in the field above who speaks" in shown(app))
        assert app.screen.focused is app.screen.query_one("#map", Input)
        assert "Who speaks in it, or what its columns are" in shown(app)


async def test_a_log_is_offered_and_says_that_nothing_in_it_needs_a_place(
    app: TurnwiseApp, folder: Path, store: Store
) -> None:
    (folder / "support.log").write_text(
        "12:03 Customer: Hi, my router is red\n12:04 Agent: Well, restart it\n"
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"sup")
        await until(pilot, lambda: "perhaps a transcript" in shown(app))
        await pilot.press("enter", "f3")
        await until(pilot, lambda: "support.log is a transcript" in shown(app))
        assert isinstance(app.screen, ImportDialog)
        await pilot.press("enter")
        await until(pilot, lambda: len(store.sessions.page()) == 1)


async def test_all_odd_lines_of_a_log_are_told_when_it_came_in(app: TurnwiseApp, folder: Path) -> None:
    (folder / "support.log").write_text(
        "2026-11-20 09:12:04 Customer: Hi\n2026-11-20 09:99:31 Agent: Bye\n"
        "2026-11-20 09:15:10 Customer Done without colon\n[system] chat closed\n"
    )
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await chosen(pilot, "support.log")
        await until(pilot, lambda: "line 3 begins with a time but names no speaker" in shown(app))
        assert "line 4 begins with [system] but with no time" in shown(app)
        assert "line 2 begins with 2026-11-20 09:99:31, which is no time" in shown(app)


async def test_a_file_of_any_name_is_not_said_to_be_missing(app: TurnwiseApp, folder: Path) -> None:
    (folder / "call.out").write_text("User: hi\nBot: ho\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"call.o")
        await until(pilot, lambda: "no folder or file to import begins like this" in shown(app))
        await pilot.press(*"ut")
        await until(pilot, lambda: "a file of this name is there" in shown(app))


LOG = (
    "[2026-01-05 10:00] User: where is it?\n[2026-01-05 10:01] Assistant: in Oslo\n"
    "[2026-01-06 09:30] User: good morning\n[2026-01-06 09:31] Assistant: hello\n"
)


async def chosen(pilot: Pilot[None], name: str) -> None:
    """Name a file in the dialog, and import it."""
    await pilot.press("b")
    await until(pilot, lambda: isinstance(pilot.app.screen, ImportDialog))
    pilot.app.screen.query_one("#path", Input).value = name
    # A tab in the line of the path would complete it.
    pilot.app.screen.query_one("#role", Input).focus()
    await pilot.press("enter")


@pytest.mark.parametrize(("keys", "turns"), [(("enter",), [2, 2]), (("down", "enter"), [4])])
async def test_where_nobody_wrote_for_long_it_is_asked_whether_it_is_one_conversation(
    app: TurnwiseApp, store: Store, folder: Path, keys: tuple[str, ...], turns: list[int]
) -> None:
    (folder / "log.txt").write_text(LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        await chosen(pilot, "log.txt")
        await until(pilot, lambda: "Is log.txt one conversation?" in shown(app))
        assert "between line 2 and line 3 lie 23 hours" in shown(app)
        assert "2 conversations" in shown(app)
        assert store.sessions.count() == 0
        await pilot.press(*keys)
        await until(
            pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == len(turns)
        )
        assert [row.turns for row in store.sessions.page()] == turns
        # Asked and answered: nothing of it is told once more.
        assert not any("23 hours" in note.message for note in app._notifications)


async def test_whoever_does_not_answer_is_back_in_the_dialog_and_nothing_came_in(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    (folder / "log.txt").write_text(LOG)
    async with app.run_test(size=(80, 24)) as pilot:
        await chosen(pilot, "log.txt")
        await until(pilot, lambda: "Is log.txt one conversation?" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        assert store.sessions.count() == 0


async def test_of_a_folder_silences_are_told_with_what_parts_them(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    (folder / "more" / "log.txt").write_text(LOG)
    (folder / "more" / "talk.json").write_text(json.dumps(GOOD))
    async with app.run_test(size=(100, 30)) as pilot:
        await chosen(pilot, "more/")
        await until(pilot, lambda: isinstance(app.screen, RejectionsScreen))
        await until(pilot, lambda: "lie 23 hours" in shown(app))
        assert "by itself to part" in shown(app)
        assert store.sessions.count() == 2


async def test_a_log_that_grew_names_the_session_that_it_goes_on_from(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    lines = LOG.splitlines()
    (folder / "log.txt").write_text("\n".join(lines[:2]))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await chosen(pilot, "log.txt")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
        (folder / "log.txt").write_text("\n".join([*lines[:2], "[2026-01-05 10:05] User: thanks"]))
        await chosen(pilot, "log.txt")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
        await until(pilot, lambda: "Session 2 goes on from session 1" in shown(app))
        assert "turnwise import --follow FILE" in shown(app)


async def test_what_came_in_is_told_in_one_line(app: TurnwiseApp, store: Store) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await chosen(pilot, "talks.jsonl")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 3)
        await until(pilot, lambda: bool(list(app._notifications)))
        [told] = list(app._notifications)
        assert told.message == "3 imported. u undoes it. 74 % of the text is in turns, 26 % in metadata."
        assert not told.title


async def test_the_account_of_a_folder_counts_files_that_cannot_be_read(
    app: TurnwiseApp, folder: Path
) -> None:
    (folder / "more" / "talk.json").write_text(json.dumps(GOOD))
    (folder / "more" / "broken.json").write_text("{ not json")
    async with app.run_test(size=(100, 30)) as pilot:
        await chosen(pilot, "more/")
        await until(pilot, lambda: isinstance(app.screen, RejectionsScreen))
        await until(
            pilot, lambda: "the whole file, 10 characters (more/broken.json cannot be read)" in shown(app)
        )


async def test_a_page_of_a_workbook_is_named_behind_the_file(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["notes"])
    page = book.create_sheet("Chats")
    page.append(["Question", "Answer"])
    page.append(["Where is it?", "In Oslo."])
    book.save(folder / "book.xlsx")
    async with app.run_test(size=(80, 24)) as pilot:
        await chosen(pilot, "book.xlsx#Chats")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
        assert [turn.content for turn in store.turns.of(1)] == ["Where is it?", "In Oslo."]
