"""The frequency view: a key from the library counts a column, and enter filters by a value of it."""

from __future__ import annotations

import pytest
from stored import keep, land, score
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import sessions, shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.library.column_choice_dialog import ColumnChoiceDialog
from turnwise.tui.library.frequency_screen import COLUMN, FrequencyScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList


@pytest.fixture
def languages(store: Store) -> Store:
    for number in range(6):
        language = "en" if number % 3 else "de"
        session = keep(store, f"said {number}", name=f"talk {number}", metadata={"language": language})
        land(store, session, score(0.9 if number % 3 else 0.1))
    store.remembered.keep(COLUMN, "meta.language")
    return store


async def counting(app: TurnwiseApp, pilot) -> FrequencyScreen:
    await pilot.press("ctrl+f")
    await until(pilot, lambda: isinstance(app.screen, FrequencyScreen) and "value" in shown(app))
    screen = app.screen
    assert isinstance(screen, FrequencyScreen)
    await until(pilot, lambda: screen.table.count > 0)
    return screen


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_values_stand_with_count_share_and_pass_rate(languages: Store, size: tuple[int, int]) -> None:
    app = TurnwiseApp(languages)
    async with app.run_test(size=size) as pilot:
        await counting(app, pilot)
        lines = shown(app).splitlines()
        english = next(line for line in lines if " en " in line)
        assert {"4", "67", "100"} <= set(english.replace("%", " ").split())
        assert "100 % of 4 (40 to 100 %)" in english
        assert any(" de " in line and "0 %" in line for line in lines)
        # A share of a failure mode is of those that people reviewed elsewhere.
        assert "  share: of all 6 sessions" in [line.rstrip() for line in lines]
        assert "passes: of those the metric scored (95 % interval)" in shown(app)
        await pilot.press("escape")
        assert isinstance(app.screen, LibraryScreen)


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (60, ("share: of all 6; 2 wait for your label: not in passes", "passes: of those scored · most")),
        (80, ("share: of all 6 sessions; 2 wait for your label", "passes: of those the metric scored (95 %")),
    ],
)
async def test_what_the_figures_are_of_is_said_in_the_room_there_is(
    languages: Store, width: int, words: tuple[str, str]
) -> None:
    languages.queues.add("mine", [1, 2], sampler="random")
    app = TurnwiseApp(languages)
    async with app.run_test(size=(width, 24)) as pilot:
        await counting(app, pilot)
        await until(pilot, lambda: all(one in shown(app) for one in words))


async def test_the_share_of_a_failure_mode_is_said_to_be_of_all_sessions(languages: Store) -> None:
    languages.modes.assign([1], languages.modes.add("Rude", "", "mia"), "mia")
    languages.modes.assign([2], languages.modes.add("Late", "", "mia"), "mia")
    languages.remembered.keep(COLUMN, "mode")
    app = TurnwiseApp(languages)
    async with app.run_test(size=(80, 24)) as pilot:
        await counting(app, pilot)
        assert "  share: of all 6 sessions, reviewed or not" in map(str.rstrip, shown(app).splitlines())


async def test_enter_filters_the_library_by_the_value(languages: Store) -> None:
    app = TurnwiseApp(languages)
    async with app.run_test(size=(100, 30)) as pilot:
        await counting(app, pilot)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)
        assert app.screen.asked == "meta.language:de"
        # What is filtered already stays.
        screen = await counting(app, pilot)
        await until(pilot, lambda: screen.table.count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.screen.asked == "meta.language:de meta.language:de"


async def test_columns_are_gone_through_chosen_and_remembered(languages: Store) -> None:
    app = TurnwiseApp(languages)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await counting(app, pilot)
        await pilot.press("right")
        await until(pilot, lambda: "politeness" in shown(app).splitlines()[1])
        await until(pilot, lambda: screen.table.count == 2)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, ColumnChoiceDialog))
        await pilot.press("k", "enter")
        await until(pilot, lambda: "language" in shown(app).splitlines()[1])
        assert languages.remembered.get(COLUMN) == "meta.language"
        await pilot.press("o")
        await until(pilot, lambda: "lowest pass rate first" in shown(app))
        assert shown(app).index(" de ") < shown(app).index(" en ")
        await pilot.press("O")
        await until(pilot, lambda: shown(app).index(" en ") < shown(app).index(" de "))


async def test_the_same_choice_opens_again_with_nothing_of_the_last_time(languages: Store) -> None:
    app = TurnwiseApp(languages)
    async with app.run_test(size=(100, 30)) as pilot:
        await counting(app, pilot)
        make = app.kept_dialogs.make(ColumnChoiceDialog, lambda one: one.begin("", (), ""))
        for _ in make:
            await pilot.pause()
        await pilot.press("ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, ColumnChoiceDialog))
        dialog = app.screen
        choices, line = dialog.query_one(ChoiceList), dialog.query_one(Input)
        first, at = [one.name for one in choices._choices], choices.highlighted
        await pilot.press("slash", *"poli")
        await until(pilot, lambda: len(choices._choices) < len(first))
        await pilot.press("escape", "escape", "W")
        await until(pilot, lambda: app.screen is dialog and "Whose pass rate" in shown(app))
        assert "What to count" not in shown(app)
        assert [one.name for one in choices._choices] == ["politeness"]
        await pilot.press("slash", *"poli", "escape", "escape", "ctrl+g")
        await until(pilot, lambda: app.screen is dialog and "What to count" in shown(app))
        assert [one.name for one in choices._choices] == first
        assert choices.highlighted == at
        assert (line.value, line.display, dialog.focused) == ("", False, choices)


@pytest.mark.parametrize(("width", "figures"), [(80, "passes"), (160, "passes and labels")])
async def test_what_waits_for_a_blind_label_counts_but_how_it_came_out_does_not(
    languages: Store, width: int, figures: str
) -> None:
    languages.queues.add("mine", languages.sessions.ids("meta.language:de"), sampler="random")
    app = TurnwiseApp(languages)
    async with app.run_test(size=(width, 30)) as pilot:
        screen = await counting(app, pilot)
        german = next(line for line in shown(app).splitlines() if " de " in line)
        assert screen.table.count == 2
        # As many as a filter by it finds, without a pass rate.
        assert german.split()[:4] == ["de", "2", "33", "%"]
        assert german.split()[-1] == "–"
        assert f"share: of all 6 sessions; 2 wait for your label: not in {figures}" in shown(app)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 2)


@pytest.mark.parametrize("width", [80, 160])
async def test_what_people_dispute_is_counted_beside_the_labels(languages: Store, width: int) -> None:
    english = languages.sessions.ids("meta.language:en")[0]
    languages.labels.add(english, "pass", author="ann", blind=True)
    languages.labels.add(english, "fail", author="ben", blind=True)
    app = TurnwiseApp(languages)
    async with app.run_test(size=(width, 30)) as pilot:
        await counting(app, pilot)
        await until(pilot, lambda: " en " in shown(app))
        # In 80 cells labels have no column.
        assert ("labelled ✓      ✗     ✓✗" in shown(app)) == (width == 160)
        assert ("✓✗ disputed by people" in shown(app)) == (width == 160)


async def test_a_column_that_tells_how_sessions_came_out_leaves_out_what_waits(languages: Store) -> None:
    languages.queues.add("mine", languages.sessions.ids("meta.language:de"), sampler="random")
    languages.remembered.keep(COLUMN, "politeness")
    app = TurnwiseApp(languages)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await counting(app, pilot)
        assert screen.table.count == 1
        assert "share: of all 4 sessions; 2 wait for your label: left out" in shown(app)


async def test_a_first_look_is_at_a_metric_where_all_else_is_the_same(store: Store) -> None:
    for place in range(3):
        talk = keep(store, f"said {place}", chatbot_role="a clerk")
        land(store, talk, score((0.2, 0.9, 0.9)[place], "politeness"))
    app = TurnwiseApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+f")
        await until(pilot, lambda: "2 values" in shown(app))
        assert "politeness" in shown(app).splitlines()[1]


async def test_a_first_look_is_at_a_column_that_has_several_values(store: Store) -> None:
    for place, word in enumerate(("pass", "pass", "fail")):
        store.labels.add(keep(store, f"said {place}", chatbot_role="a clerk"), word, author="ann", blind=True)
    app = TurnwiseApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+f")
        await until(pilot, lambda: "2 values" in shown(app))
        assert "label" in shown(app).splitlines()[1]


async def made_ahead(app: TurnwiseApp, pilot: Pilot[int]) -> FrequencyScreen:
    await until(pilot, lambda: sessions(app).count == 6)
    for _ in steps_ahead(app, app.screen):
        await pilot.pause()
    made = app.kept_dialogs.ahead(FrequencyScreen)
    assert made is not None
    await until(pilot, lambda: made.table.count > 0)
    return made


async def test_one_that_was_made_ahead_counts_the_sessions_that_are_asked_for(languages: Store) -> None:
    app = TurnwiseApp(languages)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await made_ahead(app, pilot)
        await pilot.press("slash", *"meta.language:de", "enter")
        await until(pilot, lambda: sessions(app).count == 2)
        await counting(app, pilot)
        assert app.screen is made
        await until(pilot, lambda: "2 sessions" in shown(app) and "share: of all 2 sessions" in shown(app))
        assert " en " not in shown(app)


async def test_one_that_was_made_ahead_counts_what_was_said_since(languages: Store) -> None:
    app = TurnwiseApp(languages)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await made_ahead(app, pilot)
        assert made.table.count == 2
        keep(languages, "said 7", metadata={"language": "fr"})
        await counting(app, pilot)
        await until(pilot, lambda: made.table.count == 3 and " fr " in shown(app))
        assert app.screen is made


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_value_under_the_cursor_is_told_whole_where_the_list_cuts_one(
    languages: Store, size: tuple[int, int]
) -> None:
    long = "A passenger who lost a suitcase between two flights wants to know who pays for new clothes"
    for number, value in enumerate((f"{long} in Malaga.", f"{long} in Palma, and a pram.", "Short.")):
        keep(languages, f"lost {number}", name=f"lost {number}", metadata={"story": value})
    languages.remembered.keep(COLUMN, "meta.story")
    app = TurnwiseApp(languages)
    async with app.run_test(size=size) as pilot:
        await pilot.press("ctrl+f")
        await until(pilot, lambda: "story" in shown(app) and "A passenger" in shown(app))
        await until(pilot, lambda: app.screen.query_one("#whole").display)
        seen = set()
        for _ in range(6):
            seen |= {end for end in ("in Malaga.", "Palma, and a pram.") if end in words_shown(app)}
            await pilot.press("down")
            await pilot.pause()
        assert seen == {"in Malaga.", "Palma, and a pram."}
        # Where values need it, bars give them their cells.
        assert ("█" in shown(app)) is (size[0] > 80)
