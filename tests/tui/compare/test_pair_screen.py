"""Both transcripts of a pair go together turn by turn, beside each other or one at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from compared_runs import a_run, judged, kept, suite_case, taken_over
from scored_sessions import BareApp, add_talk, retention
from textual.pilot import Pilot
from tui_driver import press, settled, shown, until

from turnwise.conversations.store import Store
from turnwise.conversations.turns import Turn
from turnwise.engine.comparing.compare import compare
from turnwise.engine.comparing.sides import Side, default_sides
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.tui.compare.pair_screen import PairScreen
from turnwise.tui.reading.side_transcript import SideTranscript
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.review.why_screen import WhyScreen

WIDE, NARROW = (140, 30), (80, 24)
SAME = "Gladly. May I have your booking number?"
LONG = " ".join(f"word{number}" for number in range(120))


@asynccontextmanager
async def reading(store: Store, size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[PairScreen, Pilot[int]]]:
    sides = default_sides(store)
    assert sides
    comparison = compare(store, *sides)
    app = BareApp(store)
    async with app.run_test(size=size) as pilot:
        screen = PairScreen()
        screen.begin(comparison.a, comparison.b, comparison.pairs, 0)
        app.push_screen(screen)
        await settled(pilot)
        yield screen, pilot


def drawn(view: SideTranscript) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


def notes(pilot: Pilot[Any]) -> list[str]:
    return [toast.message for toast in pilot.app._notifications]


def starts(view: SideTranscript) -> list[tuple[int, str]]:
    """Return where the turns in sight start: (line, what stands there)."""
    lines = enumerate(drawn(view))
    return [(number, line.strip("▌▏ ")) for number, line in lines if line.strip("▌▏ ")[:1].isdigit()]


@pytest.fixture
def targets(store: Store) -> Store:
    """Two runs of a suite of two cases; the second target answers at more length, and fails."""
    answers = (
        [SAME, "It takes 5 to 7 days.", "Bye.", "Sorry.", "no", "yes", "so", "then"],
        [SAME, "It takes 2 days.", LONG, "Two bags of 23 kg each.", "no", "yes", "so", "now"],
    )
    for target, replies, value in zip(("one", "two"), answers, (0.9, 0.2), strict=True):
        ids = kept(store, [suite_case(place, *replies, target=target) for place in range(2)])
        a_run(store, [(session, judged(value)) for session in ids], name="Bookings")
    return store


async def test_turns_of_both_sides_start_on_the_same_lines(targets: Store) -> None:
    async with reading(targets) as (screen, pilot):
        a, b = screen.transcripts
        for keys in ((), ("j",) * 6, ("pagedown",), ("G",), ("pageup",), ("k", "k"), ("g",)):
            await press(pilot, *keys)
            assert starts(a)
            assert [(line, text.split()[0]) for line, text in starts(a)] == [
                (line, text.split()[0]) for line, text in starts(b)
            ]
            assert a.cursor == b.cursor
            assert a.scroll_offset == b.scroll_offset


async def test_the_wheel_over_one_side_moves_both(targets: Store) -> None:
    async with reading(targets) as (screen, pilot):
        for view in screen.transcripts:
            before = view.scroll_offset.y
            view.scroll_to(y=before + 7)
            await settled(pilot)
            assert screen.transcripts[0].scroll_offset.y == screen.transcripts[1].scroll_offset.y > before


async def test_over_each_side_stand_run_score_and_reason(targets: Store) -> None:
    async with reading(targets) as (_, pilot):
        text = shown(pilot.app)
        assert "A run 1 · Bookings · one" in text or "A run 1 · Bookings" in text
        assert "✓ 0.90, needs 0.50  politeness" in text
        assert "✗ 0.20, needs 0.50  politeness" in text
        assert "The score is 0.2." in text
        assert "✓ → ✗  −0.70   score pair 1 of 2" in text


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_pair_whose_sessions_are_named_otherwise_names_both(
    store: Store, size: tuple[int, int]
) -> None:
    for version, value in ((4, 0.9), (5, 0.2)):
        case = suite_case(0, SAME, version=version).model_copy(update={"name": f"v{version} One more bag"})
        a_run(store, [(session, judged(value)) for session in kept(store, [case])], name="Bookings")
    async with reading(store, size) as (_, pilot):
        title, *lines = shown(pilot.app).splitlines()
        assert title.startswith(" One more bag   politeness")
        assert any("✓ 0.90, needs 0.50  politeness" in line and "v4 One more bag" in line for line in lines)
        await press(pilot, "tab")
        lines = shown(pilot.app).splitlines()
        assert any("✗ 0.20, needs 0.50  politeness" in line and "v5 One more bag" in line for line in lines)


async def test_where_one_side_alone_has_room_a_line_leads_to_the_other_and_says_what_marks_mean(
    targets: Store,
) -> None:
    legend = "≠ differs · words in bold: only on this side"
    async with reading(targets, NARROW) as (_, pilot):
        assert f"tab shows B: ✗ 0.20   {legend}" in shown(pilot.app)
        await press(pilot, "tab")
        assert f"tab shows A: ✓ 0.90   {legend}" in shown(pilot.app)
    async with reading(targets, WIDE) as (_, pilot):
        assert shown(pilot.app).count(legend) == 1
        assert "tab shows" not in shown(pilot.app)


async def test_a_system_prompt_that_is_another_is_marked_and_opens_on_both_sides(store: Store) -> None:
    for number, manner in enumerate(("courteous", "brief")):
        case = suite_case(0, SAME, version=number)
        turns = [Turn(role="system", content=f"Be {manner} at all times."), *case.turns]
        [session] = kept(store, [case.model_copy(update={"turns": turns})])
        a_run(store, [(session, judged(0.9))])
    async with reading(store) as (screen, pilot):
        for view in screen.transcripts:
            assert any("┃ system prompt · 1 line ≠" in line for line in drawn(view))
        await press(pilot, "space")
        for view, manner in zip(screen.transcripts, ("courteous", "brief"), strict=True):
            assert any(manner in line for line in drawn(view))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_differing_turns_are_one_key_away(targets: Store, size: tuple[int, int]) -> None:
    async with reading(targets, size) as (screen, pilot):
        await press(pilot, "n")
        assert screen.transcript.current
        assert screen.transcript.current.content == "It takes 5 to 7 days."
        await press(pilot, "n", "n", "n")
        assert screen.transcript.current.content == "then"
        await press(pilot, "n")
        assert notes(pilot) == ["No turn differs after this one."]
        await press(pilot, "N")
        assert screen.transcript.current.content == "Sorry."


async def test_in_a_narrow_window_one_side_is_seen_and_tab_shows_the_other_in_its_place(
    targets: Store,
) -> None:
    async with reading(targets, NARROW) as (screen, pilot):
        await press(pilot, "n", "n")
        assert "Bye." in shown(pilot.app)
        assert "word0" not in shown(pilot.app)
        a, b = screen.transcripts
        first = starts(a)
        await press(pilot, "tab")
        assert "word0" in shown(pilot.app)
        assert "Bye." not in shown(pilot.app)
        assert starts(b) == first
        assert b.has_focus
        await press(pilot, "j", "j")
        second = starts(b)
        await press(pilot, "tab")
        assert a.cursor == b.cursor
        assert starts(a) == second


async def test_a_window_that_opens_up_shows_both(targets: Store) -> None:
    async with reading(targets, NARROW) as (screen, pilot):
        await press(pilot, "n", "n")
        for size in (WIDE, NARROW, WIDE):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            assert ("word0" in shown(pilot.app)) == (size == WIDE)
            assert screen.transcripts[0].cursor == screen.transcripts[1].cursor
        assert starts(screen.transcripts[0]) == starts(screen.transcripts[1])


async def test_a_click_on_a_side_gives_it_the_keys(targets: Store) -> None:
    async with reading(targets) as (screen, pilot):
        await pilot.click("#transcript-b", offset=(12, 1))
        await settled(pilot)
        assert screen.transcript is screen.transcripts[1]
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ReviewScreen)
        assert pilot.app.screen.session_id == screen.pair.b.session_id


async def test_enter_reviews_the_side_with_the_keys_and_esc_comes_back_to_the_turn(targets: Store) -> None:
    async with reading(targets) as (screen, pilot):
        await press(pilot, "j", "j", "enter")
        assert isinstance(pilot.app.screen, ReviewScreen)
        assert pilot.app.screen.session_id == screen.pair.a.session_id
        # What the pair told is hidden no longer, and a label given now is not blind.
        assert "0.90" in shown(pilot.app)
        assert screen.pair.a.session_id in screen.shell.sights
        await press(pilot, "J")
        await until(pilot, lambda: screen.pair.b.session_id == pilot.app.screen.session_id)  # type: ignore[attr-defined]
        await until(pilot, lambda: "0.20" in shown(pilot.app))
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        assert screen.transcript.cursor == 2


async def test_the_pairs_are_gone_through(targets: Store) -> None:
    async with reading(targets) as (_, pilot):
        await press(pilot, "J")
        assert "2 of 2" in shown(pilot.app)
        await press(pilot, "J")
        assert notes(pilot) == ["This is the last pair of the list."]
        await press(pilot, "K", "K")
        assert "This is the first pair of the list." in notes(pilot)


async def test_why_shows_what_is_behind_the_score_of_the_side(targets: Store) -> None:
    async with reading(targets) as (_, pilot):
        await press(pilot, "tab", "w")
        assert isinstance(pilot.app.screen, WhyScreen)
        assert pilot.app.screen.row.score == 0.2
        await settled(pilot)
        assert "B · Case" in shown(pilot.app)
        await press(pilot, "J")
        assert pilot.app.screen.row.score == 0.9
        assert "A · Case" in shown(pilot.app)


async def test_one_session_judged_twice_is_one_transcript_with_a_column_of_verdicts_a_side(
    store: Store,
) -> None:
    session = add_talk(store, 8)
    for failing, judge in (((4,), "gpt-one"), ((4, 6), "gpt-two")):
        a_run(store, [(session, retention(*failing, turns=8))], judge=judge)
    for size in (WIDE, NARROW):
        async with reading(store, size) as (screen, pilot):
            await press(pilot, "n")
            assert screen.transcript.current
            assert screen.transcript.current.number == 6
            a, b = screen.transcripts
            assert a.display
            assert not b.is_on_screen
            sixth = next(line for _, line in starts(a) if line.startswith("6"))
            assert sixth.split()[1] == "✓✗"
            assert "AB" in shown(pilot.app)
            # In a low window what differs stands behind each other, for the transcript's sake.
            gap = " " * (8 if size == WIDE else 1)
            assert f"judge{gap}gpt-one → gpt-two" in shown(pilot.app)
            await press(pilot, "tab", "w")
            assert isinstance(pilot.app.screen, WhyScreen)


async def test_two_versions_of_a_criterion_are_told_by_the_words_that_changed(store: Store) -> None:
    session = add_talk(store, 4)
    for steps in (["Be lenient."], ["Look for rudeness."]):
        criterion = Criterion(name="Polite", criteria="Stays polite.", steps=steps)
        version = keep_version(store, criterion, author="ann")
        run = {"criterion": "Polite", "criterion_version": version.fingerprint}
        a_run(store, [(session, judged(0.5, "Polite"))], **run)
    async with reading(store) as (_, pilot):
        text = shown(pilot.app)
        assert "criterion    Polite v1 → v2" in text
        assert "steps        Be lenient. → Look for rudeness." in text


async def test_a_score_that_was_taken_over_is_told_as_the_run_found_it_that_judged(store: Store) -> None:
    session = add_talk(store, 4)
    runs = []
    for words, value in (("Stays polite.", 0.9), ("Never rude.", 0.2)):
        version = keep_version(store, Criterion(name="Polite", criteria=words), author="ann")
        run = {"criterion": "Polite", "criterion_version": version.fingerprint}
        scores = [(session, judged(value, "Polite"))]
        runs.append(a_run(store, scores, fingerprint=version.metric_fingerprint, **run))
    a, b = (Side(store.runs.get(run)) for run in (taken_over(store, runs[1]), runs[0]))
    app = BareApp(store)
    async with app.run_test(size=WIDE) as pilot:
        screen = PairScreen()
        screen.begin(a, b, compare(store, a, b).pairs, 0)
        app.push_screen(screen)
        await settled(pilot)
        assert "criterion    Polite v2 → v1" in shown(app)
        assert "Nothing is known to differ" not in shown(app)
        await press(pilot, "w")
        await until(pilot, lambda: "carried over from run 2" in shown(app))
        await press(pilot, "J")
        await until(pilot, lambda: "· run 1 ·" in shown(app))


async def test_folds_open_on_both_sides(store: Store) -> None:
    system = {"role": "system", "content": "Stay polite.\nAlways."}
    for target in ("one", "two"):
        case = suite_case(0, "hello", target=target)
        with_prompt = case.model_validate(
            {**case.model_dump(), "turns": [system, *case.model_dump()["turns"]]}
        )
        a_run(store, [(kept(store, [with_prompt])[0], judged(0.5))])
    async with reading(store) as (screen, pilot):
        await press(pilot, "space")
        assert all(any("Always." in line for line in drawn(view)) for view in screen.transcripts)


async def test_a_session_that_is_gone_is_told(targets: Store) -> None:
    async with reading(targets) as (screen, pilot):
        gone = screen._pairs[1].b.session_id
        with targets._database.writing() as connection:
            connection.execute("DELETE FROM main.sessions WHERE id = ?", [gone])
        await press(pilot, "J")
        assert f"Error: There is no session {gone}" in [toast.title for toast in pilot.app._notifications]
        assert pilot.app.screen is not screen


async def test_of_a_long_pair_only_what_is_in_sight_is_drawn(store: Store) -> None:
    for words in ("one", "two"):
        a_run(store, [(add_talk(store, 4_000, words=words), judged(0.5))])
    async with reading(store) as (screen, pilot):
        await press(pilot, "G", "k", "g")
        turns = screen.transcript._turns
        assert turns.shown == 4_000
        assert sum(turns.place._known) < 200
        await press(pilot, "G")
        a, b = screen.transcripts
        assert starts(a) == starts(b)
        assert any("4000" in text for _, text in starts(a))
