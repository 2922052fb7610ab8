"""What stands where in an unknown file: by keys, by the mouse, and where there is little room."""

import json
from pathlib import Path

import pytest
from textual.color import Color
from textual.widgets import Input
from tui_driver import sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.palette import component
from turnwise.tui.importing.import_dialog import ImportDialog
from turnwise.tui.importing.mapping_dialog import (
    LABELS,
    LEAST_HIGH,
    NOT_IMPORTED,
    SPEAKERS,
    FirstTurnsView,
    MappingDialog,
)
from turnwise.tui.importing.record_tree import RecordTree
from turnwise.tui.importing.speakers_dialog import SpeakersDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.settings.kept_maps import keep_map, kept_maps

TALK = {
    "chat": {"no": 7, "title": "Lost bag"},
    "log": {
        "events": [
            {"who": "customer", "data": {"text": "Where is my bag?"}, "ts": 1700000000},
            {"who": "agent_bot", "data": {"text": "It is in Oslo."}, "ts": 1700000060},
        ]
    },
}
CROWD = {
    "m": [
        {"author": "Ann", "text": "hi you"},
        {"author": "Zed", "text": "ho ho"},
        {"author": "Max", "text": "so"},
    ]
}


@pytest.fixture
def app(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TurnwiseApp:
    place = tmp_path / "work"
    place.mkdir()
    (place / "desk.json").write_text(json.dumps([TALK, TALK | {"chat": {"no": 8, "title": "Late"}}]))
    (place / "crowd.json").write_text(json.dumps(CROWD))
    monkeypatch.chdir(place)
    return TurnwiseApp(store)


async def opened(pilot, app: TurnwiseApp, start: str) -> MappingDialog:  # type: ignore[no-untyped-def]
    await pilot.press("b")
    await until(pilot, lambda: isinstance(app.screen, ImportDialog))
    await pilot.press(*start, "tab", "enter")
    await until(pilot, lambda: isinstance(app.screen, MappingDialog))
    assert isinstance(app.screen, MappingDialog)
    return app.screen


def line(app: TurnwiseApp, part: str) -> Input:
    return app.screen.query_one(f"#part-{part}", Input)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_an_unknown_file_shows_its_record_what_was_found_and_its_turns(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await opened(pilot, app, "desk")
        await until(pilot, lambda: "It is in Oslo." in shown(app).split("The first turns")[-1])
        assert line(app, "messages").value == "log.events"
        assert line(app, "id").value == "chat.no"
        text = shown(app)
        assert "who:  who speaks  customer" in text
        assert "The first turns · Lost bag" in text
        assert "enter import" in text
        assert "esc back" in text


async def test_enter_imports_the_file_and_a_name_keeps_the_mapping(app: TurnwiseApp, store: Store) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "desk")
        line(app, "kept").focus()
        await pilot.press(*"helpdesk", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
        assert [turn.role for turn in store.turns.of(1)] == ["user", "assistant"]
        assert kept_maps()["helpdesk"].startswith("messages=log.events,role=who,content=data.text")


async def test_a_choice_is_taken_as_the_cursor_moves_and_turns_follow(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "crowd")
        # Nobody knows who the chatbot is, so that is where one begins.
        await until(pilot, lambda: app.focused is line(app, "assistant"))
        await pilot.press("down", "down")
        assert line(app, "assistant").value == "Zed"
        await until(pilot, lambda: "assistant ho ho" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)


async def test_where_nothing_can_be_read_yet_enter_says_that_nothing_was_imported(
    app: TurnwiseApp, store: Store
) -> None:
    Path("plain.csv").write_text("a,b\n1,2\n3,4\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "plain")
        await pilot.press("enter")
        await until(pilot, lambda: NOT_IMPORTED in shown(app))
        assert isinstance(app.screen, MappingDialog)
        assert not store.sessions.page()


async def test_without_a_chatbot_enter_says_what_is_lacking_and_the_first_key_takes_the_marked_one(
    app: TurnwiseApp,
) -> None:
    talk = [{"sender": "Anna", "text": "Where is it?"}, {"sender": "ShopBot", "text": "On its way."}]
    Path("odd.json").write_text(json.dumps(talk))
    async with app.run_test(size=(120, 40)) as pilot:
        dialog = await opened(pilot, app, "odd")
        await until(pilot, lambda: app.focused is line(app, "assistant"))
        await until(pilot, lambda: "Who of them is the chatbot: ShopBot, Anna?" in shown(app))
        choices = dialog.query_one(ChoiceList)
        # In the same order, and the one that a key takes is marked.
        assert [choices.get_option_at_index(place).id for place in range(2)] == ["ShopBot", "Anna"]
        assert "›ShopBot" in shown(app)
        assert line(app, "assistant").placeholder == "(choose: ↑ ↓)"
        assert "Which is the chatbot?" in shown(app)
        await pilot.press("shift+tab")
        # What enter does is said before it is pressed, wherever the keys go.
        await until(pilot, lambda: "enter choose the chatbot" in shown(app))
        assert "User may be" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: "Choose the chatbot first: ↑ ↓" in shown(app))
        assert app.screen is dialog
        await pilot.press("down")
        assert line(app, "assistant").value == "ShopBot"
        await until(pilot, lambda: "Choose the chatbot first" not in shown(app))


async def test_enter_takes_the_chatbot_that_is_marked_and_imports_once_more(app: TurnwiseApp) -> None:
    talk = [{"sender": "Anna", "text": "Where is it?"}, {"sender": "ShopBot", "text": "On its way."}]
    Path("odd.json").write_text(json.dumps(talk))
    async with app.run_test(size=(120, 40)) as pilot:
        dialog = await opened(pilot, app, "odd")
        await until(pilot, lambda: "enter choose the marked one" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "assistant On its way." in shown(app))
        assert line(app, "assistant").value == "ShopBot"
        assert app.screen is dialog
        await until(pilot, lambda: "enter import" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)


async def test_what_may_stay_empty_says_so_and_folding_is_offered_in_the_record(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        dialog = await opened(pilot, app, "desk")
        assert [part for part in LABELS if line(app, part).placeholder == "(optional)"] == [
            part for part in LABELS if part not in ("role", "content", "assistant", "user")
        ]
        assert line(app, "user").placeholder == "all others"
        # What counts though nobody typed it looks as what is typed; hints do not.
        looks = {
            part: line(app, part).get_component_rich_style("input--placeholder")
            for part in ("user", "assistant", "name")
        }
        typed = line(app, "role").rich_style.color
        assert looks["user"].color == looks["assistant"].color == typed != looks["name"].color
        assert not looks["user"].italic
        assert looks["name"].italic
        assert "fold" not in shown(app)
        dialog.query_one(RecordTree).focus()
        await until(pilot, lambda: "← → fold" in shown(app))


async def test_a_path_that_leads_nowhere_is_told_and_nothing_is_imported(
    app: TurnwiseApp, store: Store
) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await opened(pilot, app, "desk")
        content = line(app, "content")
        content.focus()
        content.value = "data.txt"
        await until(pilot, lambda: "Did you mean content=data.text?" in " ".join(shown(app).split()))
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert isinstance(app.screen, MappingDialog)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        assert store.sessions.count() == 0


async def test_the_record_folds_and_gives_its_paths_by_keys(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, app, "desk")
        line(app, "kept").focus()
        await pilot.press("shift+tab", "shift+tab", "shift+tab")
        assert app.focused is line(app, "name")
        tree = app.screen.query_one(RecordTree)
        tree.focus()
        await pilot.press("down")
        assert tree.path_at_cursor() == "chat"
        await pilot.press("left")
        assert "no:" not in shown(app)
        await pilot.press("right", "down", "space")
        assert line(app, "name").value == "chat.no"


async def test_the_mouse_takes_paths_and_choices(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, app, "desk")
        await pilot.click("#part-name")
        rows = shown(app).splitlines()
        row = next(number for number, text in enumerate(rows) if "title:" in text)
        await pilot.click(offset=(rows[row].index("title:") + 1, row))
        await until(pilot, lambda: line(app, "name").value == "chat.title")
        await pilot.click(ChoiceList, offset=(5, 0))
        await until(pilot, lambda: line(app, "name").value == "chat.no")


async def test_a_mapping_that_was_kept_is_chosen_by_its_name(app: TurnwiseApp) -> None:
    keep_map("desk", "messages=log.events,role=who,content=who")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "desk")
        line(app, "kept").focus()
        await pilot.pause()
        await pilot.press("down")
        assert line(app, "content").value == "who"
        assert line(app, "kept").value == "desk"


async def test_f3_says_what_is_where_of_a_file_that_would_be_read(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("f3")
        assert "Choose a file first." in shown(app)
        await pilot.press(*"desk", "tab", "f3")
        await until(pilot, lambda: isinstance(app.screen, MappingDialog))


async def test_hostile_names_and_texts_are_shown_and_not_obeyed(app: TurnwiseApp) -> None:
    evil = {
        "m\x1b[31m": [{"author": "Ann", "te\x07xt": "hi \x1b[2J you"}, {"author": "Zed", "te\x07xt": "ho"}]
    }
    Path("evil.json").write_text(json.dumps(evil))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"evil", "tab", "f3")
        await until(pilot, lambda: isinstance(app.screen, MappingDialog))
        await until(pilot, lambda: "␛" in shown(app))
        assert "\x1b" not in shown(app)
        assert "\x07" not in shown(app)


class TestWhoTheChatbotIs:
    @pytest.mark.parametrize("keys", [("j", "enter"), ("down", "space", "enter")])
    async def test_it_is_asked_with_the_number_of_turns(
        self, app: TurnwiseApp, store: Store, keys: tuple[str, ...]
    ) -> None:
        text = json.dumps({"m": CROWD["m"]})
        Path("told.json").write_text(text)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("b")
            await until(pilot, lambda: isinstance(app.screen, ImportDialog))
            dialog = app.screen
            assert isinstance(dialog, ImportDialog)
            await pilot.press(*"told", "tab")
            dialog._take_mapping(Path("told.json"), told_mapping())
            await until(pilot, lambda: isinstance(app.screen, SpeakersDialog))
            await until(pilot, lambda: "Who is the chatbot in told.json?" in shown(app))
            assert "1 turn" in shown(app)
            assert "enter take this one" in shown(app)
            for key in keys:
                await pilot.press(key)
                if key == "space":
                    await until(pilot, lambda: "enter take 1 ticked" in shown(app))
            await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
            assert [turn.role for turn in store.turns.of(1)] == ["user", "assistant", "user"]


def told_mapping():  # type: ignore[no-untyped-def]
    from turnwise.tui.importing.mapping_dialog import ToldMapping

    return ToldMapping("messages=m,role=author,content=text")


async def test_what_each_line_asks_for_is_told_whole_at_80_columns(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "desk")
        # In this file it is said who speaks.
        for part, (name, usual) in LABELS.items():
            line(app, part).focus()
            asked = SPEAKERS.get(part, usual)
            await until(pilot, lambda told=f"{name}: {asked}": told in shown(app))


async def test_in_the_record_the_line_of_keys_says_into_which_line_space_puts_a_part(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, app, "desk")
        line(app, "id").focus()
        await pilot.pause()
        await until(pilot, lambda: "take" not in app.screen.query_one(KeyLine).render_line(0).text)
        # What the chatbot is called, and a name to keep all this under, stand nowhere in a record.
        line(app, "kept").focus()
        await pilot.press("tab")
        assert app.focused is app.screen.query_one(RecordTree)
        await until(pilot, lambda: "space take as id" in app.screen.query_one(KeyLine).render_line(0).text)
        await pilot.press("down", "down", "space")
        assert line(app, "id").value == "chat.no"


async def test_a_small_record_leaves_no_half_of_the_dialog_blank(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        dialog = await opened(pilot, app, "desk")
        assert LEAST_HIGH <= dialog.query_one("#panel").size.height + 2 < 40


async def test_questions_and_answers_are_read_with_one_key(app: TurnwiseApp, store: Store) -> None:
    Path("asked.csv").write_text(
        "Customer question,Bot answer,Topic\nWhere is it?,In Oslo.,a\nWhen?,Today.,b\n"
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "asked")
        await until(pilot, lambda: app.focused is line(app, "user"))
        assert line(app, "assistant").value == "Bot answer"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
        assert [turn.content for turn in store.turns.of(1)] == ["Where is it?", "In Oslo."]


async def test_what_was_kept_for_a_file_with_the_same_columns_is_filled_in(
    app: TurnwiseApp, store: Store
) -> None:
    keep_map("other", "role=from,content=text")
    keep_map("helpdesk", "role=wrote,content=what,assistant=Robo")
    Path("rows.csv").write_text("wrote,what,mood\nAnna,Is it open?,calm\nRobo,Until six.,none\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app, "rows")
        await until(
            pilot, lambda: "Which field holds what in rows.csv, as you kept it under helpdesk" in shown(app)
        )
        assert [line(app, part).value for part in ("role", "content", "assistant")] == [
            "wrote",
            "what",
            "Robo",
        ]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
        assert [turn.role for turn in store.turns.of(1)] == ["user", "assistant"]


async def test_who_speaks_has_the_colours_of_a_review(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, app, "desk")
        view = app.screen.query_one(FirstTurnsView)
        palette = app.theme_variables
        colours = {role: component(view, f"turns--{role}").color for role in ("user", "assistant")}
        for role, name in (("user", "text-accent"), ("assistant", "text")):
            assert colours[role] == Color.parse(palette[name]).rich_color


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_what_a_line_of_a_side_asks_for_depends_on_whether_it_is_said_who_speaks(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await opened(pilot, app, "desk")
        line(app, "assistant").focus()
        await until(pilot, lambda: "Chatbot: its name under “Who speaks”; all others are users" in shown(app))
        line(app, "role").value = ""
        line(app, "user").focus()
        await until(
            pilot, lambda: "User: the question, where each record is a question with its answer" in shown(app)
        )
