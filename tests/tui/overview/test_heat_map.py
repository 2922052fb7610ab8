"""The heat map: sessions by metrics, told by shape and not by colour alone, each cell a key from its turn."""

from __future__ import annotations

import pytest
from scored_sessions import BareApp, add_outcomes, add_talk
from stored import keep, land, score
from textual.pilot import Pilot
from tui_driver import shown, until

from turnwise.conversations.results import Score, Verdict
from turnwise.conversations.store import Mark, Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.overview.heat_columns import CELL
from turnwise.tui.overview.heat_map_screen import HeatMapScreen, cell_facts, with_name
from turnwise.tui.overview.heat_rows import heat_cell
from turnwise.tui.review.review_screen import ReviewScreen


def test_what_fails_has_a_block_as_long_as_there_is_room_and_what_passes_none() -> None:
    assert heat_cell(Mark("score", 0.2, passed=False), 20) == "✗ 0.20 ██████████   "
    assert heat_cell(Mark("score", 0.9, passed=True), 20) == "✓ 0.90              "


@pytest.mark.parametrize(
    ("mark", "drawn"),
    [
        (Mark("score", 1.0, passed=True), "✓ 1.00  "),
        (Mark("score", 0.999, passed=True), "✓ 0.99  "),
        (Mark("score", 0.2, passed=False), "✗ 0.20 █"),
        (Mark("score", 0.0, passed=False), "✗ 0.00 █"),
        (Mark("score", 0.5, passed=None), "~ 0.50 ▆"),
        (Mark("skipped", None, passed=None), "–       "),
        (Mark("failure", None, passed=None), "!       "),
        (None, "        "),
    ],
)
def test_a_cell_says_by_its_shape_how_a_metric_came_out(mark: Mark | None, drawn: str) -> None:
    assert heat_cell(mark) == drawn
    assert len(drawn) == CELL


def test_a_cell_is_told_in_words() -> None:
    failed = Mark("score", 0.86, passed=False, threshold=0.9)
    assert cell_facts("role_adherence", failed)[0] == "role adherence: 0.86, fails (needs 0.90)"
    # A check that says itself whether it passes has no threshold.
    unbound = Mark("score", 0.2, passed=False)
    assert cell_facts("role_adherence", unbound)[0] == "role adherence: 0.20, fails"
    assert cell_facts("warmth", None) == ["warmth: not scored"]


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (58, "role adherence: 0.86, fails (needs 0.90) · A cello on board"),
        (45, "ra: 0.86, fails (needs 0.90) · A cello on board"),
        (38, "ra: 0.86 (needs 0.90) · A cello on board"),
        (26, "ra: 0.86 · A cello on board"),
        (16, "A cello on board"),
        (9, "A cello on board"),
    ],
)
def test_what_is_told_of_a_cell_gives_way_to_the_whole_name_of_its_session(width: int, told: str) -> None:
    failed = Mark("score", 0.86, passed=False, threshold=0.9)
    facts = cell_facts("role_adherence", failed, "ra")
    assert with_name("A cello on board", facts, width + 2) == told


async def test_the_key_draws_marks_and_shades_as_the_cells_do(
    judged: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(app, pilot)
        await until(pilot, lambda: "0.20" in shown(app))
        key = [piece for line in screen.query_one(FittedLines).lines[1:] for piece in line]
        [failing] = [
            style
            for strip in (screen.rows.render_line(y) for y in range(6))
            for text, style, _ in strip
            if "0.20" in text
        ]
        for mark in ("✗", "█"):
            [style] = [style for text, style, _ in key if mark in text]
            assert failing is not None
            assert style is not None
            assert not any((style.dim, failing.dim))


@pytest.fixture
def judged(store: Store) -> Store:
    for number, value in enumerate((0.9, 0.2, 0.6)):
        session = keep(store, f"question {number}", "answer", name=f"talk {number}")
        land(store, session, score(value), score(0.9, "warmth"))
    return store


async def opened(app: TurnwiseApp, pilot) -> HeatMapScreen:
    await pilot.press("2")
    await until(pilot, lambda: "Weakest" in shown(app))
    await pilot.press("H")
    await until(pilot, lambda: isinstance(app.screen, HeatMapScreen) and app.screen.rows.current)
    assert isinstance(app.screen, HeatMapScreen)
    return app.screen


@pytest.mark.parametrize(
    ("query", "said"),
    [("rle:x", "Did you mean role?"), ("nobody said this", "No session matches the filter.")],
)
async def test_a_filter_that_finds_nothing_is_told_of(judged: Store, query: str, said: str) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        app.push_screen(HeatMapScreen(query))
        await until(pilot, lambda: said in shown(app))
        assert "/ changes the filter" in shown(app)


async def test_one_that_was_made_ahead_looks_as_one_that_was_not(judged: Store) -> None:
    seen: list[str] = []
    for ahead in (False, True):
        app = TurnwiseApp(judged)
        async with app.run_test(size=(120, 40)) as pilot:
            made = await made_ahead(app, pilot) if ahead else None
            screen = await opened(app, pilot)
            assert (screen is made) is ahead
            await pilot.press("j")
            await app.workers.wait_for_complete()
            assert 2 in app.sights
            seen.append(shown(app))
    assert seen[0] == seen[1]


async def test_one_that_was_made_ahead_shows_the_sessions_that_are_asked_for(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await made_ahead(app, pilot)
        app.push_screen(app.kept_dialogs.take(HeatMapScreen, "question 1"))
        await until(pilot, lambda: app.screen is made and "1 session" in shown(app))
        assert "question 1" in shown(app).splitlines()[1]
        assert "talk 2" not in shown(app)


async def made_ahead(app: TurnwiseApp, pilot: Pilot[int]) -> HeatMapScreen:
    await pilot.press("2")
    await until(pilot, lambda: "Weakest" in shown(app))
    for _ in steps_ahead(app, app.screen):
        await pilot.pause()
    made = app.kept_dialogs.ahead(HeatMapScreen)
    assert made is not None
    await until(pilot, lambda: made.rows.current is not None)
    return made


async def test_what_is_not_scored_keeps_its_place(judged: Store) -> None:
    land(judged, keep(judged, "question 4", "answer", name="talk 4"), score(0.4, "warmth"))
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "0.40" in shown(app))
        lines = shown(app).splitlines()
        [unscored] = [line for line in lines if "0.40" in line]
        [scored] = [line for line in lines if "0.20" in line]
        assert scored.index("0.90") == unscored.index("0.40")


async def test_that_metrics_stand_aside_is_said_in_the_room_there_is(judged: Store) -> None:
    session = judged.sessions.ids()[0]
    land(judged, session, *(score(0.9, f"metric_{number}") for number in range(12)))
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "session (+8: ← →)" in shown(app))


async def test_it_is_sorted_by_the_metric_under_the_cursor(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(app, pilot)
        for _ in range(2):
            if screen.rows.metric != "politeness":
                await pilot.press("right")
        await pilot.press("o")
        await until(pilot, lambda: screen.rows.current and screen.rows.current.name == "talk 1")
        assert "politeness: 0.20, fails (needs 0.50) · talk 1" in shown(app)
        await pilot.press("O")
        await until(pilot, lambda: screen.rows.current and screen.rows.current.name == "talk 0")


async def test_enter_reads_the_session_at_the_turn_where_the_metric_fails(store: Store) -> None:
    failed = (
        Verdict(turn=4, passed=False, word="no", reason="It forgets."),
        Verdict(turn=6, passed=False, word="no", reason="It forgets again."),
    )
    add_outcomes(
        store, add_talk(store), Score(metric="warmth", reason="", score=0.1, threshold=0.5, verdicts=failed)
    )
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "said 4" in shown(app))
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.transcript.current.number == 4
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HeatMapScreen))


async def test_scores_that_wait_for_a_blind_label_are_covered(judged: Store) -> None:
    judged.queues.add("by chance", [2], sampler="random")
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        assert ".20" not in shown(app)
        await pilot.press("j")
        await until(pilot, lambda: "waits in a queue for your label · talk 1" in shown(app))
        assert "0.20" not in shown(app)
        # What is in sight under the cursor was seen, and what is covered was not.
        assert 3 in app.sights
        assert 2 not in app.sights


async def test_of_a_short_map_all_sessions_are_seen(judged: Store) -> None:
    judged.queues.add("by chance", [2], sampler="random")
    app = BareApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(HeatMapScreen())
        await until(pilot, lambda: 1 in app.sights)
        assert [number for number in (1, 2, 3) if number in app.sights] == [1, 3]


async def test_what_is_covered_is_not_opened_where_it_fails(store: Store) -> None:
    failed = (Verdict(turn=4, passed=False, word="no", reason="It forgets."),)
    session = add_talk(store)
    other = add_talk(store, name="Other")
    for one in (session, other):
        score = Score(metric="warmth", reason="", score=0.1, threshold=0.5, verdicts=failed)
        add_outcomes(store, one, score)
    store.queues.add("by chance", [session], sampler="random")
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(app, pilot)
        await until(pilot, lambda: screen.rows.count == 2)
        while (row := screen.rows.current) is None or row.id != session:
            await pilot.press("j")
            await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "said 4" in shown(app))
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.transcript.current.number == 1


async def test_what_was_scored_while_a_session_was_read_is_there_and_the_cursor_stays(judged: Store) -> None:
    app = TurnwiseApp(judged)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(app, pilot)
        await pilot.press("j")
        await until(pilot, lambda: screen.rows.cursor == 1 and screen.rows.current)
        here = screen.rows.current
        assert here is not None
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        land(judged, here.id, score(0.1, "brevity"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen and screen.rows.current)
        await until(pilot, lambda: (row := screen.rows.current) is not None and "brevity" in row.marks)
        assert screen.rows.current is not None
        assert screen.rows.current.id == here.id


async def test_a_name_in_two_lines_stands_over_its_cells_and_the_cursor_on_its_session(store: Store) -> None:
    names = ("knowledge_retention", "role_adherence", "conversation_completeness", "turn_relevancy", "warmth")
    for number in range(40):
        session = keep(store, f"question {number}", "answer", name=f"talk {number}")
        land(store, session, *(score(0.9, name) for name in names))
    app = TurnwiseApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(app, pilot)
        await until(pilot, lambda: "0.90" in shown(app))
        lines = shown(app).splitlines()
        at = next(place for place, line in enumerate(lines) if line.lstrip().startswith("session"))
        assert ["knowledge" in lines[at - 1], "retention" in lines[at], "warmth" in lines[at]] == [True] * 3
        assert "talk 39" in lines[at + 1]
        await pilot.press("G")
        await until(pilot, lambda: "talk 0" in shown(app))
        # The last row is in sight, and a click finds the row that it is on.
        assert screen.rows.cursor == 39
        assert await pilot.click(screen.rows, offset=(4, 2))
        assert screen.rows.cursor == screen.rows.top


@pytest.mark.parametrize(("width", "told"), [(80, True), (160, False)])
async def test_letters_over_the_columns_are_told_below_and_names_are_not(
    store: Store, width: int, told: bool
) -> None:
    session = keep(store, "question", "answer", name="talk")
    names = ["knowledge_retention", "role_adherence", "conversation_completeness", "language_switch"]
    names += ["turn_relevancy", "tone_of_voice"]
    land(store, session, *(score(0.2, name) for name in names))
    app = TurnwiseApp(store)
    async with app.run_test(size=(width, 24)) as pilot:
        await opened(app, pilot)
        await until(pilot, lambda: "0.20" in shown(app))
        lines = ("kr=knowledge retention", "ls=language switch", "✗ fails")
        await until(pilot, lambda: lines[-1] in shown(app))
        assert all((line in shown(app)) is told for line in lines[:2])
