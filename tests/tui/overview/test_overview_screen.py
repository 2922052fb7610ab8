"""The overview in the app: one key from the library, and one key from each line to its sessions."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from stored import keep, land, score
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.overview import overview_screen
from turnwise.tui.overview.overview_lines import OverviewLine, ToldPart
from turnwise.tui.overview.overview_rows import OverviewRows
from turnwise.tui.overview.overview_screen import OverviewScreen
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.session_lists.covered import FEW


@pytest.fixture
def judged(store: Store) -> Store:
    for number, value in enumerate((0.9, 0.2, 0.1, 0.8)):
        session = keep(store, f"question {number}", "answer", name=f"talk {number}")
        land(store, session, score(value), score(0.9, "warmth"))
    store.labels.add(1, "pass", author="ann", blind=True)
    return store


async def opened(app: TurnwiseApp, pilot) -> OverviewRows:
    await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
    await pilot.press("2")
    await until(pilot, lambda: isinstance(app.screen, OverviewScreen) and app.screen.rows.count)
    return app.screen.query_one(OverviewRows)


async def test_two_opens_it_and_the_worst_metric_stands_first(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        rows = await opened(app, pilot)
        assert rows.chosen.query == "politeness:fail"
        text = shown(app)
        assert "4 sessions · 1 labelled: 1 pass" in text
        assert "50 %" in text


@pytest.mark.parametrize("size", [(80, 20), (120, 24), (160, 24)])
async def test_a_cell_stands_free_before_the_scroll_bar(judged: Store, size: tuple[int, int]) -> None:
    for number in range(30):
        session = keep(judged, f"more {number}", "answer", name=f"another talk {number}")
        land(judged, session, score(number / 30), score(0.9, "warmth"), score(0.1, "clarity of what it says"))
        judged.labels.add(session, "fail" if number % 3 else "pass", author="ann", blind=True)
    app = TurnwiseApp(judged)
    async with app.run_test(size=size) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "kappa" in shown(app) or "Metrics" in shown(app))

        def before_the_bar() -> set[str]:
            # Below the title, and above the line of keys.
            lines = shown(app).splitlines()[3:-1]
            return {line.ljust(size[0])[-2] for line in lines}

        for keys in ("home", "pagedown", "number_sign", "pagedown", "H"):
            await pilot.press(keys)
            await pilot.pause()
            assert before_the_bar() == {" "}, keys


async def test_of_many_sessions_those_whose_scores_are_hidden_are_counted_and_it_says_so(
    judged: Store,
) -> None:
    for number in range(FEW):
        keep(judged, f"more {number}", "answer", name=f"another talk {number}")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 40)) as pilot:
        rows = await opened(app, pilot)
        await until(pilot, lambda: "kappa" in shown(app))
        assert "for your label" not in shown(app)
        judged.queues.add("mine", [2, 3], sampler="random")
        await pilot.press("escape")
        rows = await opened(app, pilot)
        await until(
            pilot,
            lambda: "2 sessions hide scores: counted here, not in the library's figures" in shown(app),
        )
        assert rows.chosen.query == "politeness:fail"
        # Over all figures, as those of the first lines are other than the library's too; and once alone.
        told = [place for place, line in enumerate(shown(app).splitlines()) if "hide scores" in line]
        assert told == [1]


async def test_what_hides_scores_and_what_of_a_queue_is_left_are_told_apart(judged: Store) -> None:
    for number in range(FEW):
        keep(judged, f"more {number}", "answer", name=f"another talk {number}")
    judged.labels.add(1, "pass", author="ann", blind=True)
    judged.queues.add("mine", [2, 3], sampler="random")
    app = TurnwiseApp(judged)
    # As after a label that was taken back.
    app.seen.add(2)
    async with app.run_test(size=(80, 40)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "1 session hides scores: counted here" in shown(app))
        await until(pilot, lambda: "Label the 2 left in the queue “mine”." in shown(app))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "2 sessions"),
        ("talk", "Only what talk finds: 2 sessions"),
    ],
)
async def test_sessions_whose_scores_are_hidden_are_left_out_of_a_filter_and_of_a_few(
    judged: Store, query: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    judged.queues.add("mine", [2, 3], sampler="random")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        app.push_screen(OverviewScreen(query))
        await until(pilot, lambda: "2 sessions hide scores: not counted here" in shown(app))
        await until(pilot, lambda: not app.screen.query_one(TitleBar).right)
        assert said in shown(app)
        # What is open passes both metrics; what is hidden fails one.
        assert "politeness passes 0 %" not in shown(app)
        assert "0 % (" not in shown(app).replace("100 % (", "")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press("enter")
        page = tmp_path / "overview.html"
        await until(pilot, lambda: page.exists() and "</html>" in page.read_text("utf-8"))
        assert "politeness passes 0 %" not in page.read_text("utf-8")
        assert "2 sessions hide scores: not counted here" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rle:airline", "Did you mean role?"),
        ("nobody said this", "No session matches the filter."),
        ("id:2", "1 waits for your label: not counted here."),
    ],
)
async def test_a_filter_that_leaves_nothing_to_count_says_why_and_what_to_do(
    judged: Store, query: str, said: str
) -> None:
    judged.queues.add("mine", [2], sampler="random")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        app.push_screen(OverviewScreen(query))
        await until(pilot, lambda: said in shown(app))
        assert "/ changes the filter and esc then clears it" in words_shown(app)
        await until(pilot, lambda: not app.screen.query_one(TitleBar).right)
        assert "heat map" not in shown(app)


async def test_an_overview_of_one_failure_mode_is_counted(judged: Store) -> None:
    judged.modes.assign([2], judged.modes.add("rude", "It is rude.", author="ann"), author="ann")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        app.push_screen(OverviewScreen("mode:rude"))
        await until(pilot, lambda: "Only what mode:rude finds: 1 session" in shown(app))
        await until(pilot, lambda: not app.screen.query_one(TitleBar).right)


async def test_a_filter_that_asks_how_sessions_came_out_counts_no_hidden_one(judged: Store) -> None:
    judged.queues.add("mine", [1, 3], sampler="random")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        app.push_screen(OverviewScreen("politeness:fail"))
        # Both are told of, as which of them fails is hidden too.
        await until(pilot, lambda: "2 sessions hide scores: not counted here" in shown(app))
        assert "Only what politeness:fail finds: 1 session " in shown(app)


async def test_enter_lists_the_sessions_of_the_line(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 2)
        assert app.screen.asked == "politeness:fail"


async def test_esc_goes_back_from_the_sessions_of_a_line_to_that_line(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        rows = await opened(app, pilot)
        await until(pilot, lambda: not app.screen.query_one(TitleBar).right)
        await pilot.press("number_sign", "j", "j")
        line, query = rows.cursor, rows.chosen.query
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.asked == query)
        await until(pilot, lambda: "esc back to Overview" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen) and app.screen.rows.count)
        await until(pilot, lambda: app.screen.rows.chosen.query == query)
        assert app.screen.rows.cursor == line
        # Figures stood there and no bars.
        assert "█" not in shown(app)
        # The filter of the line is gone with it.
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.asked == "")
        await until(pilot, lambda: app.screen.list.count == 4)


async def test_esc_clears_a_filter_that_was_changed_since_it_came_from_a_line(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 2)
        await pilot.press("slash", *" talk", "enter")
        await until(pilot, lambda: app.screen.asked.endswith(" talk") and "back to the" not in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen.asked == "")
        assert isinstance(app.screen, LibraryScreen)


async def test_a_key_writes_it_as_one_page_and_over_another_only_when_told_twice(
    judged: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "overview.html"
    app = TurnwiseApp(judged)
    async with app.run_test(size=(120, 24)) as pilot:
        await opened(app, pilot)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press("enter")
        await until(pilot, lambda: page.exists() and "politeness passes 50 %" in page.read_text("utf-8"))
        # The whole path: whoever wrote it has to find it.
        await until(pilot, lambda: any(str(page) in one.message for one in app._notifications))
        page.write_text("mine", "utf-8")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press("enter")
        await until(pilot, lambda: "There is such a file already" in shown(app))
        assert page.read_text("utf-8") == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: page.read_text("utf-8") != "mine")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press(*"page.md", "enter")
        await until(pilot, lambda: (tmp_path / "page.md").exists())
        await until(pilot, lambda: (tmp_path / "page.md").read_text("utf-8").startswith("# Overview"))


async def test_the_cursor_goes_only_to_lines_that_lead_somewhere(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        rows = await opened(app, pilot)
        seen = [rows.chosen.query]
        for _ in range(8):
            await pilot.press("j")
            seen.append(rows.chosen.query)
        assert all(seen)
        await pilot.press("g")
        assert rows.chosen.query == seen[0]


async def test_it_keeps_to_the_filter_of_the_library(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        await pilot.press("slash", *"label:pass", "enter")
        await until(pilot, lambda: app.screen.list.count == 1)
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen) and app.screen.rows.count)
        assert "Only what label:pass finds: 1 session · 1 labelled" in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.screen.asked == "label:pass"


async def test_where_nothing_is_scored_it_says_which_key_helps(store: Store) -> None:
    keep(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        await pilot.press("2")
        await until(pilot, lambda: "Nothing is scored yet." in shown(app))
        assert "where r scores what is listed" in shown(app)
        await pilot.press("enter", "1")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_bars_can_be_left_out_for_figures(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "█" in shown(app))
        await pilot.press("number_sign")
        assert "█" not in shown(app)
        assert "50 % (7 to 93 %)" in shown(app)
        await pilot.press("number_sign")
        assert "█" in shown(app)


async def test_failure_modes_are_counted_by_one_group_after_the_other(judged: Store) -> None:
    keep(judged, "another", "answer", chatbot_role="clerk")
    judged.modes.assign([1], judged.modes.add("rude", "It is rude.", author="ann"), author="ann")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "Failure modes: " in shown(app))
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "Failure modes, by role" in shown(app))


async def test_where_all_sessions_are_of_one_group_failure_modes_are_counted_by_none(judged: Store) -> None:
    judged.modes.assign([1], judged.modes.add("rude", "It is rude.", author="ann"), author="ann")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "Failure modes: " in shown(app))
        await pilot.press("ctrl+g")
        await until(pilot, lambda: bool(app._notifications))
        (said,) = app._notifications
        assert said.message == "All sessions are of one group: there is none to count failure modes by."
        assert "Failure modes, by" not in shown(app)


async def test_the_table_that_is_grouped_comes_into_sight_and_raw_keys_are_not_offered(store: Store) -> None:
    for number in range(12):
        known = {"language": f"l{number % 3}", "known": {"answer_relevancy": number % 3}}
        session = keep(store, f"question {number}", "answer", metadata=known)
        land(store, session, *(score(0.2 + number / 20, f"metric {one}") for one in range(9)))
    store.modes.assign([1, 2], store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    offered = store.sessions.groupings()
    assert any(one.count(".") > 1 for one in offered)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: not app.screen.query_one(TitleBar).right)
        assert "Failure modes" not in shown(app)
        for one in (one for one in offered if one.count(".") < 2):
            await pilot.press("ctrl+g")
            heading = f"Failure modes, by {one.removeprefix('meta.')}"
            await until(pilot, lambda words=heading: words in shown(app))
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "Failure modes: " in shown(app))


@pytest.mark.parametrize("grouped", [False, True])
async def test_a_row_opens_the_failure_modes_that_have_no_room_counted_as_they_are_here(
    store: Store, grouped: bool
) -> None:
    session = keep(store, "question", "answer", name="talk")
    land(store, session, score(0.2))
    other = keep(store, "another question", "answer", name="another", chatbot_role="airline")
    for number in range(12):
        mode = store.modes.add(f"mode {number:02}", "It is wrong.", author="ann")
        store.modes.assign([session, other], mode, author="ann")
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 60)) as pilot:
        await opened(app, pilot)
        if grouped:
            await pilot.press("ctrl+g")
            await until(pilot, lambda: "by role" in shown(app))
        await until(pilot, lambda: "more: enter lists them in Modes" in shown(app))
        rows = app.screen.query_one(OverviewRows)
        await pilot.press("G")
        while not rows.chosen.all_modes:
            await pilot.press("k")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and "mode 11" in shown(app))
        assert ("by role" in shown(app)) is grouped
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen))
        assert rows.chosen.all_modes
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and "mode 11" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "esc back to Overview" in shown(app))
        assert "mode:" in shown(app)


async def test_an_empty_overview_offers_nothing_that_needs_scores(store: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen) and "No sessions yet" in shown(app))
        assert "heat map" not in shown(app)
        assert "figures" not in shown(app)


async def test_what_is_known_first_is_shown_before_the_rest_is_read(
    judged: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, waiting = Event(), Event()

    def slow(*_: object, query: str) -> list[object]:
        reading.set()
        waiting.wait(10)
        return []

    monkeypatch.setattr(type(judged.judgements), "opinions", slow)
    app = TurnwiseApp(judged)
    try:
        async with app.run_test(size=(80, 40)) as pilot:
            await opened(app, pilot)
            await until(pilot, lambda: reading.is_set() and "50 %" in shown(app))
            assert "reading turns and labels" in shown(app)
            await pilot.press("j")
            waiting.set()
            await until(pilot, lambda: "reading" not in shown(app))
    finally:
        waiting.set()


@pytest.mark.parametrize("time", [1, 2])
async def test_it_opens_at_its_top_however_fast_it_is_read(judged: Store, time: int) -> None:
    # Only what was read once in this process is there before the screen has its size.
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        rows = await opened(app, pilot)
        await until(pilot, lambda: not app.screen.query_one(TitleBar).right)
        assert rows.top == 0
        assert "Weakest" in shown(app)


async def test_a_moved_cursor_stays_on_its_line_where_others_come_above_it(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        rows = await opened(app, pilot)
        lines = [OverviewLine((ToldPart(name),), name) for name in ("one", "two", "three")]
        rows.show("head", lines)
        rows.move_cursor(1)
        rows.show("head", [OverviewLine((ToldPart("zero"),), "zero"), *lines])
        assert rows.chosen.query == "two"
        rows.move_cursor(0)
        rows.show("head", lines)
        assert rows.chosen.query == "one"


@pytest.mark.parametrize("key", ["j", "k", "G", "pagedown", "home", "enter"])
async def test_a_key_that_comes_before_anything_is_counted_does_no_harm(
    judged: Store, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, real = Event(), overview_screen.overview_steps

    def steps(*asked: Any, **more: Any) -> Any:
        assert go_on.wait(20)
        return real(*asked, **more)

    monkeypatch.setattr(overview_screen, "overview_steps", steps)
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen) and app.screen.is_mounted)
        await pilot.press(key)
        go_on.set()
        await until(pilot, lambda: app.screen.rows.count)
        # On a busy machine the key may be handled only when rows are there, and then it leads to another.
        assert app.screen.rows.chosen.query


@pytest.mark.parametrize("columns", [50, 60, 70])
async def test_in_a_narrow_window_the_interval_is_told_whole(judged: Store, columns: int) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(columns, 30)) as pilot:
        rows = await opened(app, pilot)
        await until(pilot, lambda: "How sure" in shown(app))
        lines = [rows.render_line(1 + row).text for row in range(rows.size.height - 1)]
        said = " ".join(" ".join(lines).split())
        assert "politeness passes 50 % of 4 sessions (7 to 93 %)" in said
        assert any(
            line.split()[0] == "politeness" and "50 % (7 to 93 %)" in line for line in lines if line.strip()
        )
