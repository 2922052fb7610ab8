"""The library's filter with completion, its order, columns and saved filters: by keys and by mouse."""

from __future__ import annotations

import pytest
from scored_sessions import add_outcomes
from stored import keep
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import commands, conversation, current_name, sessions, shown, until, words_shown

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.conversations.store.filter_fields import FILTER_FIELDS
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.arrangement_dialogs import ColumnsDialog, FiltersDialog, SortDialog
from turnwise.tui.library.filter_line import Candidates
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.library.preview import Preview
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.session_lists.session_list import MARGIN, SessionList

SIZES = [(80, 24), (160, 50)]
METRICS = ("role_adherence", "faithfulness", "answer_relevancy")


@pytest.fixture
def scored(filled: Store) -> Store:
    """Three sessions; the second has the lowest score, the third none."""
    first, second, _ = filled.sessions.ids()
    for session, value in ((first, 0.9), (second, 0.2)):
        add_outcomes(
            filled, session, *(Score(metric=one, reason="x", score=value, threshold=0.5) for one in METRICS)
        )
    return filled


@pytest.fixture
def app(scored: Store) -> TurnwiseApp:
    return TurnwiseApp(scored)


def line(app: TurnwiseApp) -> Input:
    return app.screen.query_one(Input)


def names(app: TurnwiseApp) -> list[str]:
    listed = sessions(app)
    return [row.name for row in listed._pages.rows()]


async def on_list(pilot: Pilot[int], app: TurnwiseApp) -> None:
    await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def click_words(pilot: Pilot[int], app: TurnwiseApp, words: str) -> None:
    """Click where words stand on the screen."""
    lines = shown(app).split("\n")
    # Below the title and the filter, which say much the same.
    y = next(y for y, text in enumerate(lines) if words in text and y > 1)
    await pilot.click(offset=(lines[y].index(words) + 1, y))


@pytest.mark.parametrize("size", SIZES)
async def test_tab_completes_a_field_and_then_its_value(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("slash", "t")
        await until(pilot, lambda: "tag:" in shown(app))
        await pilot.press("tab")
        assert line(app).value == "tag:"
        # Others may stand between the two.
        for _ in FILTER_FIELDS:
            await pilot.press("tab")
            if line(app).value == "turns>":
                break
        assert line(app).value == "turns>"
        for _ in FILTER_FIELDS:
            await pilot.press("shift+tab")
            if line(app).value == "tag:":
                break
        assert line(app).value == "tag:"
        await pilot.press("a")
        await until(pilot, lambda: "airline" in shown(app))
        await pilot.press("tab")
        assert line(app).value == "tag:airline"
        await until(pilot, lambda: "3 of " in shown(app))
        await pilot.press("enter")
        assert app.focused is sessions(app)


async def test_after_a_field_that_is_the_only_one_tab_goes_on_to_its_values(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", *"lab")
        await until(pilot, lambda: "label:" in shown(app))
        await pilot.press("tab")
        assert line(app).value == "label:"
        await until(pilot, lambda: "deferred" in shown(app))
        # Nothing is filtered by it before it says what it wants.
        assert sessions(app).count == 3
        await pilot.press("tab")
        assert line(app).value == "label:pass"
        await until(pilot, lambda: sessions(app).count == 0)
        await pilot.press("tab", "tab", "tab")
        assert line(app).value == "label:none"
        await until(pilot, lambda: "3 of " in shown(app))


@pytest.mark.parametrize("typed", ["airline turns>", "airline turns<=", "airline -tag:", "airline role:"])
async def test_a_field_without_its_value_is_no_filter_until_enter(app: TurnwiseApp, typed: str) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("slash")
        line(app).value = "airline"
        await until(pilot, lambda: app.screen.asked == "airline")  # type: ignore[attr-defined]
        line(app).value = typed
        await pilot.pause(0.2)
        assert app.screen.asked == "airline"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.asked == typed)  # type: ignore[attr-defined]


async def test_a_completion_is_clicked(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.click(Input)
        await pilot.press(*"label", "colon")
        await until(pilot, lambda: "deferred" in shown(app))
        await click_words(pilot, app, "none")
        assert line(app).value == "label:none"
        await until(pilot, lambda: "3 of " in shown(app))
        assert app.screen.query_one(Candidates).size.height == 1


async def test_tab_goes_on_where_there_is_nothing_to_complete(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("slash", *"zzz", "tab")
        assert app.focused is not line(app)


async def test_words_are_sorted_by_their_match_and_marked(scored: Store) -> None:
    scored.sessions.add(conversation("refund refund refund"), source="x", format="x", created_at=0.5)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(160, 50)) as pilot:
        assert names(app)[-1] == "refund refund refund"
        await pilot.press("slash")
        line(app).value = "refund"
        await until(pilot, lambda: " · best match first" in shown(app))
        assert names(app)[0] == "refund refund refund"
        found = sessions(app).render_line(2)
        assert any(piece.text == "refund" and piece.style and piece.style.underline for piece in found)
        await pilot.press("enter")
        await until(pilot, lambda: marked(app.screen.query_one(Preview), "refund"))


def marked(preview: Preview, word: str) -> bool:
    """Whether a word is underlined in the preview."""
    strips = [preview.render_line(y) for y in range(preview.size.height)]
    pieces = [piece for strip in strips for piece in strip]
    return any(piece.text.lower() == word and piece.style and piece.style.underline for piece in pieces)


async def test_the_preview_shows_the_turn_that_was_found(store: Store) -> None:
    case = conversation("Talk")
    case.turns[1].content = "x " * 900 + "and then the zebra came " + "y " * 900
    store.sessions.add(case, source="x", format="x")
    app = TurnwiseApp(store)
    async with app.run_test(size=(160, 50)) as pilot:
        assert "zebra" not in shown(app)
        await pilot.press("slash")
        line(app).value = "zebra"
        await until(pilot, lambda: "and then the zebra came" in " ".join(shown(app).split()))


async def test_a_filter_that_finds_nothing_names_the_nearest_value(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("slash", "t")
        await until(pilot, lambda: bool(app.screen.query_one(Candidates)._words))
        line(app).value = "tag:airlin"
        await until(pilot, lambda: "There is no tag airlin. Did you mean airline?" in shown(app))
        assert "Nothing matches this filter." in shown(app)


@pytest.mark.parametrize("size", SIZES)
async def test_sorting_by_keys(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, SortDialog))
        await pilot.press("j", "j", "enter")
        await on_list(pilot, app)
        await until(pilot, lambda: names(app)[0] == "Baggage for two")
        assert "session↑" in shown(app)
        await pilot.press("O")
        await until(pilot, lambda: names(app)[0] == "Upgrade with a certificate")
        assert "session↓" in shown(app)
    again = TurnwiseApp(app.store)
    async with again.run_test(size=size) as pilot:
        await until(pilot, lambda: names(again)[0] == "Upgrade with a certificate")


async def click_title(pilot: Pilot[None], app: TurnwiseApp, title: str) -> None:
    """Click the title of a column of the list."""
    column = next(one for one in sessions(app)._columns if one.title == title)
    await pilot.click(SessionList, offset=(MARGIN + column.start, 0))


async def test_sorting_by_a_click_on_a_title(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await click_title(pilot, app, "fa")
        await until(pilot, lambda: names(app)[0] == "Upgrade with a certificate")
        assert "fa↑" in shown(app)
        await click_title(pilot, app, "fa")
        await until(pilot, lambda: names(app)[0] == "Refund for a flight")
        # What has no score comes last either way.
        assert names(app)[-1] == "Baggage for two"
        await click_title(pilot, app, "session")
        await until(pilot, lambda: "session↑" in shown(app))
        await click_title(pilot, app, "label")
        await until(pilot, lambda: "session↑" not in shown(app))


async def test_what_the_metadata_say_has_a_column_that_sorts(store: Store) -> None:
    for number, reward in enumerate((0.5, 0.25, 1.0)):
        case = conversation(f"Talk {number}").model_copy(update={"metadata": {"reward": reward}})
        store.sessions.add(case, source="x", format="x", created_at=float(number))
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("W")
        await until(pilot, lambda: isinstance(app.screen, ColumnsDialog))
        await pilot.press("space", "enter")
        await on_list(pilot, app)
        await until(pilot, lambda: "reward" in sessions(app).render_line(0).text)
        assert "0.25" in sessions(app).render_line(3).text
        await click_title(pilot, app, "reward")
        await until(pilot, lambda: names(app) == ["Talk 1", "Talk 0", "Talk 2"])
        assert "reward↑" in sessions(app).render_line(0).text


async def test_the_metrics_of_columns_are_chosen_and_remembered(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        assert [c.metric for c in sessions(app)._columns if c.kind == "metric"] == list(METRICS)
        await pilot.press("W")
        await until(pilot, lambda: isinstance(app.screen, ColumnsDialog))
        await pilot.press("j", "space", "enter")
        await on_list(pilot, app)
        assert [c.metric for c in sessions(app)._columns if c.kind == "metric"] == ["faithfulness"]
    again = TurnwiseApp(app.store)
    async with again.run_test(size=(160, 50)) as pilot:
        assert [c.metric for c in sessions(again)._columns if c.kind == "metric"] == ["faithfulness"]
        await pilot.press("W")
        await until(pilot, lambda: isinstance(again.screen, ColumnsDialog))
        await pilot.press("h", "enter")
        await on_list(pilot, again)
        assert len([c for c in sessions(again)._columns if c.kind == "metric"]) == 3


async def test_many_metrics_leave_room_for_the_rest_and_are_counted(scored: Store) -> None:
    many = [Score(metric=f"metric_{number}", reason="x", score=1.0, threshold=0.5) for number in range(56)]
    add_outcomes(scored, scored.sessions.ids()[0], *many)
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "+" in sessions(app).render_line(0).text)
        columns = sessions(app)._columns
        assert columns[-1].kind == "more"
        # Those that came first stand first, whatever was run last.
        assert next(c for c in columns if c.kind == "metric").metric == METRICS[0]
        at = sessions(app).render_line(0).text.index("+")
        await pilot.click(SessionList, offset=(at + 1, 0))
        await until(pilot, lambda: isinstance(app.screen, ColumnsDialog))


async def test_what_may_get_a_column_is_told_beside_each_of_them(scored: Store) -> None:
    app = TurnwiseApp(scored)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("W")
        await until(pilot, lambda: isinstance(app.screen, ColumnsDialog))
        choices = app.screen.query_one(ChoiceList)
        told = {one.id: one.note for one in choices._choices}
        assert all(told.values())
        assert told["source"] == "where it came from"
        assert told[METRICS[0]].startswith("metric, as ")
        # What has a column as none is ticked does not look like what has none.
        assert "No metric is ticked: all that have scores (○) are shown." in shown(app)
        assert [one.sign for one in choices._choices if one.note.startswith("metric")] == ["○"] * len(METRICS)
        await pilot.press("space")
        await until(pilot, lambda: "1 ticked" in shown(app))
        assert [one.sign for one in choices._choices][: len(METRICS)] == ["✓", *["·"] * (len(METRICS) - 1)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_filter_is_saved_taken_and_forgotten(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("slash")
        line(app).value = "role_adherence<0.5"
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("enter", "F")
        await until(pilot, lambda: isinstance(app.screen, FiltersDialog))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: bool(app.screen.query(Input)))
        await pilot.press(*"bad", "enter")
        await until(
            pilot, lambda: isinstance(app.screen, FiltersDialog) and "role_adherence<0.5" in shown(app)
        )
        await pilot.press("escape", "escape")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("F", "enter")
        await until(pilot, lambda: sessions(app).count == 1)
        assert "filter: bad" in commands(app)
        await pilot.press("F")
        await until(pilot, lambda: isinstance(app.screen, FiltersDialog))
        await pilot.press("D")
        assert app.store.filters.all() == []


async def test_saved_filters_are_those_of_now_in_a_dialog_that_was_made_before(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.library.list.count == 3)
        for _ in app.kept_dialogs.make(FiltersDialog, lambda one: one.begin("an older one")):
            await pilot.pause()
        made = app.get_screen("kept FiltersDialog")
        app.store.filters.add("first", "baggage")
        app.store.filters.add("second", "refund")
        await pilot.press("F")
        await until(pilot, lambda: app.screen is made and "baggage" in shown(app))
        assert "an older one" not in words_shown(app)
        assert "Filter the library" in words_shown(app)
        await pilot.press("down")
        choices = made.query_one(ChoiceList)
        assert choices.highlighted == 1
        await pilot.press("escape")
        app.store.filters.remove("first")
        await pilot.press("slash", *"baggage", "enter", "F")
        await until(pilot, lambda: "saves the present one: baggage" in words_shown(app))
        assert choices.highlighted == 0
        assert [one.id for one in choices.options] == ["second"]
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press(*"third", "enter")
        await until(pilot, lambda: app.screen is made and "third" in shown(app))


async def test_a_saved_filter_is_clicked(app: TurnwiseApp) -> None:
    app.store.filters.add("two", "baggage")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("F")
        await until(pilot, lambda: "two  baggage" in shown(app))
        await click_words(pilot, app, "two  baggage")
        await until(pilot, lambda: current_name(app) == "Baggage for two")


@pytest.mark.parametrize("size", SIZES)
async def test_keys_of_the_metadata_are_sorted_and_filtered_by(store: Store, size: tuple[int, int]) -> None:
    for number, name in ((3, "Third"), (1, "First"), (2, "Second")):
        keep(store, name, "yes", name=name, metadata={"step": number, "customer tier": f"tier {number}"})
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Third" in shown(app))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, SortDialog))
        choices = app.screen.query_one(ChoiceList)
        choices.highlighted = choices.option_count - 1
        await pilot.press("enter")
        await on_list(pilot, app)
        await until(pilot, lambda: names(app) == ["First", "Second", "Third"])
        await pilot.press("slash", *"meta.cust")
        await until(pilot, lambda: "meta.customer tier:" in shown(app))
        await pilot.press("tab")
        await until(pilot, lambda: "tier 2" in shown(app))
        assert line(app).value == 'meta."customer tier":'
        await pilot.press("tab", "tab")
        await until(pilot, lambda: names(app) == ["Second"])
        assert line(app).value == 'meta."customer tier":"tier 2"'
    again = TurnwiseApp(store)
    async with again.run_test(size=size) as pilot:
        await until(pilot, lambda: names(again) == ["First", "Second", "Third"])


async def test_a_dialog_is_as_high_as_its_list_where_there_is_room(filled: Store) -> None:
    about = {f"fact {number}": number for number in range(20)}
    case = conversation("A talk").model_copy(update={"metadata": about})
    filled.sessions.add(case, source="cases.json", format="deepeval")
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        for key, dialog in (("o", SortDialog), ("W", ColumnsDialog)):
            await pilot.press(key)
            await until(
                pilot, lambda dialog=dialog: isinstance(app.screen, dialog) and "fact 19" in shown(app)
            )  # type: ignore[misc]
            assert app.screen.query_one(ChoiceList).max_scroll_y == 0
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_without_a_filter_it_is_told_by_which_keys_one_comes_to_keep_the_first(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("F")
        await until(pilot, lambda: "None yet" in shown(app))
        told = "Filter the library with /, press enter, then F: there ctrl+s keeps the filter under a name."
        assert told in words_shown(app)
