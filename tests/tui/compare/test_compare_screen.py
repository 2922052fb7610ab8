"""Compare shows what changed between two runs, flips first, and leads to both transcripts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from compared_runs import a_run, judged, kept, suite_case, two_targets
from scored_sessions import NASTY, BareApp
from stored import failure, keep
from textual.pilot import Pilot
from textual.widget import Widget
from tui_driver import commands, press, settled, shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.conversations.turns import Turn
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.compare import choose_run_dialog
from turnwise.tui.compare.changed_metrics import ChangedMetrics
from turnwise.tui.compare.choose_run_dialog import ChooseRunDialog, OfferedSide, offered_sides
from turnwise.tui.compare.compare_screen import NO_SETTINGS, CompareScreen
from turnwise.tui.compare.pair_screen import PairScreen
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.parts.choice_list import ChoiceList

WIDE, NARROW = (140, 36), (80, 24)
VALUES = [(0.9, 0.2), (0.4, 0.8), (0.6, 0.7), (0.5, 0.5)]


@asynccontextmanager
async def comparing(
    store: Store, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[CompareScreen, Pilot[int]]]:
    app = BareApp(store)
    async with app.run_test(size=size) as pilot:
        screen = CompareScreen()
        app.push_screen(screen)
        await settled(pilot)
        yield screen, pilot


def drawn(widget: Widget) -> list[str]:
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


def rows(screen: CompareScreen) -> list[str]:
    return [line for line in drawn(screen.query_one(RecordTable))[1:] if line]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_last_two_runs_stand_compared_with_flips_first(store: Store, size: tuple[int, int]) -> None:
    two_targets(store, VALUES)
    async with comparing(store, size) as (screen, pilot):
        text = shown(pilot.app)
        assert "A  run 1 · Bookings · one" in text
        assert "B  run 2 · Bookings · two" in text
        assert "4 cases in both" in text
        assert "Perhaps worse   politeness (−0.05 on average)" in text
        assert "too few cases: about" in " ".join(text.split()).lower()
        assert [line.strip("▌ ")[:5] for line in rows(screen)] == [
            "✓ → ✗",
            "✗ → ✓",
            "both ",
            "both ",
        ]
        table = drawn(screen.query_one(ChangedMetrics))
        assert "change, 95 %" in table[0]
        assert "−0.05" in table[2]


@pytest.mark.parametrize("size", [NARROW, (80, 23), (100, 26)])
async def test_many_metrics_leave_room_for_five_pairs_in_a_low_window(
    store: Store, size: tuple[int, int]
) -> None:
    names = [f"metric {letter}" for letter in "abcdefgh"]
    session = keep(store)
    for value in (0.9, 0.1):
        a_run(store, [(session, judged(value, name)) for name in names])
    async with comparing(store, size) as (screen, pilot):
        table = screen.query_one(ChangedMetrics)
        assert len(rows(screen)) >= 5
        heads = drawn(table)[0]
        assert heads.startswith("  metric")
        assert " · ↓ " in heads
        await press(pilot, "left")
        assert any(line.startswith("▸ metric h") for line in drawn(table))
        assert drawn(table)[0].startswith("  metric")
        assert " · ↑ " in drawn(table)[0]
        # No column moves with the key.
        assert drawn(table)[0].index("change,") == heads.index("change,")
    async with comparing(store, (130, 26)) as (screen, pilot):
        assert drawn(screen.query_one(ChangedMetrics))[0].startswith("  metric: worse, then better · ↓ ")
    async with comparing(store, (120, 60)) as (screen, pilot):
        # Where the panel has a title that says the order, the column says what stands in it.
        table = screen.query_one(ChangedMetrics)
        assert drawn(table)[0].startswith("  metric ")
        assert table.border_title == "Metrics: worse, then better"


async def test_in_a_low_window_a_ground_holds_what_was_found_apart(store: Store) -> None:
    two_targets(store, [(0.9, 0.2)] * 9)
    async with comparing(store, NARROW) as (screen, _):
        grounds = [screen.query_one(name).styles.background for name in ("#runs", "#sure")]
        assert screen.query_one("#sure").size.height
        assert len(set(grounds)) == 2


async def test_metrics_that_got_worse_are_in_sight_in_a_low_window(store: Store) -> None:
    session = keep(store)
    for later in (False, True):
        values = {f"rises {number}": float(later) for number in range(8)} | {"falls": float(not later)}
        a_run(store, [(session, judged(value, name)) for name, value in values.items()])
    async with comparing(store, NARROW) as (screen, pilot):
        assert drawn(screen.query_one(ChangedMetrics))[2].startswith("  falls")
        assert "Perhaps worse   falls (1 → 0 of 1 pass)" in shown(pilot.app)
        await press(pilot, "right")
        assert [row[:7] for row in rows(screen)] == ["▌ ✓ → ✗"]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_waits_for_a_blind_label_is_not_listed_until_it_is_labelled(
    store: Store, size: tuple[int, int]
) -> None:
    two_targets(store, VALUES)
    waiting = store.sessions.ids("Case 1")
    store.queues.add("friday", waiting, sampler="random")
    async with comparing(store, size) as (screen, pilot):
        assert len(rows(screen)) == 3
        assert not any("Case 1" in row for row in rows(screen))
        told = f"{len(waiting)} sessions wait for your label: counted above, not listed here"
        if size == WIDE:
            told = f"Pairs · all metrics · {told}"
        await until(pilot, lambda: told in shown(pilot.app))
        await press(pilot, "right")
        assert len(rows(screen)) == 3
        await press(pilot, "question_mark")
        for one in waiting:
            store.labels.add(one, "pass", author="mia", blind=True)
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        assert len(rows(screen)) == 4
        await until(pilot, lambda: "label" not in shown(pilot.app))


async def test_one_metric_after_another_is_looked_at(store: Store) -> None:
    session = keep(store)
    for values in ((0.9, 0.1), (0.2, 0.8)):
        a_run(store, [(session, judged(v, m)) for v, m in zip(values, ("tone", "facts"), strict=True)])
    async with comparing(store) as (screen, pilot):
        assert len(rows(screen)) == 2
        await press(pilot, "right")
        assert ["✓ → ✗" in row and "−0.70" in row for row in rows(screen)] == [True]
        await press(pilot, "right")
        assert "✗ → ✓" in rows(screen)[0]
        await press(pilot, "right")
        assert len(rows(screen)) == 2
        await press(pilot, "left")
        assert "✗ → ✓" in rows(screen)[0]


async def test_a_click_on_a_metric_shows_its_pairs_and_on_a_pair_reads_both(store: Store) -> None:
    session = keep(store)
    for values in ((0.9, 0.1), (0.2, 0.8)):
        a_run(store, [(session, judged(v, m)) for v, m in zip(values, ("tone", "facts"), strict=True)])
    async with comparing(store) as (screen, pilot):
        await pilot.click(ChangedMetrics, offset=(6, 4))
        await settled(pilot)
        assert "✗ → ✓" in rows(screen)[0]
        await pilot.click(RecordTable, offset=(6, 1), times=2)
        await settled(pilot)
        assert isinstance(pilot.app.screen, PairScreen)


async def test_enter_reads_the_pair_and_esc_comes_back_to_the_one_read_last(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (screen, pilot):
        await press(pilot, "j", "enter")
        assert isinstance(pilot.app.screen, PairScreen)
        assert "Case 1" in shown(pilot.app)
        await press(pilot, "J", "escape")
        assert pilot.app.screen is screen
        assert screen.list.cursor == 2
        await press(pilot, "escape")
        assert pilot.app.screen is not screen


async def test_other_runs_are_chosen_and_swapped(store: Store) -> None:
    session = keep(store)
    for value in (0.1, 0.5, 0.9):
        a_run(store, [(session, judged(value))])
    async with comparing(store) as (_, pilot):
        assert "A  run 2" in shown(pilot.app)
        await press(pilot, "A")
        assert isinstance(pilot.app.screen, ChooseRunDialog)
        await press(pilot, "j", "enter")
        assert "A  run 1" in shown(pilot.app)
        assert "+0.80" in shown(pilot.app)
        await press(pilot, "S")
        text = shown(pilot.app)
        assert "A  run 3" in text
        assert "−0.80" in text
        await press(pilot, "B", "escape")
        assert "B  run 1" in shown(pilot.app)


async def test_the_targets_of_a_run_are_offered_apart(store: Store) -> None:
    ids = kept(store, [suite_case(1, target=name) for name in ("one", "two")])
    a_run(store, [(session, judged(0.3)) for session in ids], name="Bookings")
    async with comparing(store) as (_, pilot):
        assert "B  run 1 · Bookings · two" in shown(pilot.app)
        await press(pilot, "A")
        text = shown(pilot.app)
        assert "run 1 · Bookings · one" in text
        await press(pilot, "enter")
        assert "A  run 1 · Bookings · one" in shown(pilot.app)


async def test_runs_of_one_target_each_are_offered_by_it(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (_, pilot):
        await press(pilot, "A")
        runs = pilot.app.screen.query_one(ChoiceList)
        assert [line.strip("▌ ").split("  ")[0] for line in drawn(runs)] == [
            "run 2 · Bookings · two",
            "run 1 · Bookings · one",
        ]
        assert runs.highlighted == 1
        await press(pilot, "enter")
        assert "A  run 1 · Bookings · one" in shown(pilot.app)


async def test_the_empty_states_say_what_to_do(store: Store) -> None:
    async with comparing(store) as (_, pilot):
        assert "No runs yet." in shown(pilot.app)
        assert "r in the library" in shown(pilot.app)
        await press(pilot, "A", "enter", "right", "S", "j")
        assert isinstance(pilot.app.screen, CompareScreen)
    a_run(store, [(keep(store), judged(0.5))])
    async with comparing(store) as (_, pilot):
        assert "There is one run so far." in shown(pilot.app)
        assert "1 run" in shown(pilot.app)


async def test_runs_without_a_shared_case_can_still_be_chosen(store: Store) -> None:
    for words in ("one", "two"):
        a_run(store, [(keep(store, words, "yes"), judged(0.5))])
    async with comparing(store) as (_, pilot):
        assert "The newest runs share no case." in shown(pilot.app)
        await press(pilot, "A", "enter")
        assert isinstance(pilot.app.screen, ChooseRunDialog)
        await press(pilot, "j", "enter")
        text = shown(pilot.app)
        assert "These two share no case." in text
        assert "A  run 2" in text
        assert "B  run 1" in text


async def test_what_is_not_compared_is_said(store: Store) -> None:
    ids = [keep(store, f"talk {number}", "yes") for number in range(2)]
    a_run(store, [(ids[0], judged(0.5)), (ids[1], judged(0.5))])
    a_run(store, [(ids[0], judged(0.5)), (ids[1], failure())])
    async with comparing(store) as (_, pilot):
        assert "not compared: politeness: 1 outcome not judged in B" in shown(pilot.app)


async def test_a_metric_of_one_side_alone_is_counted_and_takes_no_row(store: Store) -> None:
    session = keep(store)
    a_run(store, [(session, judged(0.9)), (session, judged(0.9, "tone"))])
    a_run(store, [(session, judged(0.2))])
    async with comparing(store) as (screen, pilot):
        assert "not compared: 1 metric on one side only" in shown(pilot.app)
        table = drawn(screen.query_one(ChangedMetrics))
        assert not any("tone" in line for line in table)
        await press(pilot, "right", "right")
        assert "▸ all metrics" in "\n".join(drawn(screen.query_one(ChangedMetrics)))


async def test_reasons_stand_below_the_pairs_and_beside_them_where_there_is_room(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (screen, pilot):
        # Of a pair that flipped the side that fails says most.
        assert "B: The score is 0.2." in rows(screen)[0]
        assert "A: The score is 0.4." in rows(screen)[1]
        assert "A ✓ The score is 0.9." in shown(pilot.app)
        assert "B ✗ The score is 0.2." in shown(pilot.app)
        await press(pilot, "j")
        assert "A ✗ The score is 0.4." in shown(pilot.app)
    async with comparing(store, NARROW) as (screen, pilot):
        await until(pilot, lambda: "B ✗ The score is 0.2." in shown(pilot.app))
        assert "The score" not in rows(screen)[0]


async def test_a_long_list_is_gone_through_by_pages(store: Store) -> None:
    two_targets(store, [(0.9, 0.2)] * 90)
    async with comparing(store, NARROW) as (screen, pilot):
        await press(pilot, "G")
        assert screen.list.cursor == 89
        assert "▌" in rows(screen)[-1]
        await press(pilot, "pageup", "k")
        assert 60 < screen.list.cursor < 89
        await press(pilot, "g")
        assert "▌" in rows(screen)[0]
        assert len(screen.list.jump_places()) == len(rows(screen))
        screen.list.jump_places()[3].go()
        assert screen.list.cursor == 3


async def test_the_frame_of_the_pairs_names_the_metric_that_they_are_of(store: Store) -> None:
    session = keep(store)
    for value in (0.2, 0.8):
        a_run(store, [(session, judged(value, name)) for name in ("goal_accuracy", "a [red]b[/]")])
    async with comparing(store) as (screen, pilot):
        assert "─ Pairs · all metrics ─" in shown(pilot.app)
        await press(pilot, "right")
        assert "─ Pairs · goal accuracy ─" in shown(pilot.app)
        await press(pilot, "right")
        assert "─ Pairs · a [red]b[/] ─" in shown(pilot.app)
        assert screen.list.has_focus


async def test_many_metrics_scroll_with_the_chosen_one(store: Store) -> None:
    session = keep(store)
    for value in (0.2, 0.8):
        a_run(store, [(session, judged(value, f"metric {number:02}")) for number in range(20)])
    async with comparing(store, NARROW) as (screen, pilot):
        table = screen.query_one(ChangedMetrics)
        assert len(drawn(table)) == 8
        await press(pilot, "left")
        assert "▸ metric 19" in drawn(table)[-1]
        await press(pilot, "right")
        assert "▸ all metrics" in drawn(table)[1]


async def test_hostile_names_are_shown_and_not_obeyed(store: Store) -> None:
    session = keep(store, NASTY, "b", name=NASTY)
    for value in (0.1, 0.9):
        a_run(store, [(session, judged(value, NASTY))], name=NASTY, judge=NASTY)
    async with comparing(store, NARROW) as (_, pilot):
        assert not set(shown(pilot.app)) & set("\x1b\x07\u202e")
        await press(pilot, "A")
        assert not set(shown(pilot.app)) & set("\x1b\x07\u202e")
        await press(pilot, "escape", "enter")
        assert not set(shown(pilot.app)) & set("\x1b\x07\u202e")


async def test_the_library_and_the_palette_lead_to_it(app: TurnwiseApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await press(pilot, "C")
        assert isinstance(app.screen, CompareScreen)
        assert "compare" not in commands(app)
        await press(pilot, "escape", "enter")
        assert "compare" in commands(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_differs_in_the_hyperparameters_stands_under_the_runs_and_a_key_shows_all(
    store: Store, size: tuple[int, int]
) -> None:
    session = keep(store)
    a_run(store, [(session, judged(0.9))], model="gpt-4o", temperature=0.2)
    a_run(store, [(session, judged(0.1))], model="mistral", temperature=0.2)
    async with comparing(store, size) as (screen, pilot):
        assert "▸  model gpt-4o → mistral · 1 the same" in shown(pilot.app)
        assert "temperature" not in shown(pilot.app)
        await press(pilot, "i")
        lines = [" ".join(line.split()) for line in shown(pilot.app).splitlines()]
        assert any(line.startswith("model gpt-4o ≠ mistral") for line in lines)
        assert any(line.startswith("temperature 0.2 0.2") for line in lines)
        assert len(rows(screen)) == 1
        await press(pilot, "i")
        assert "temperature" not in shown(pilot.app)


async def test_runs_without_hyperparameters_take_no_room_for_them_and_their_key_says_so(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (screen, pilot):
        assert screen.query_one("#runs").size.height == 2
        await press(pilot, "i")
        assert screen.query_one("#runs").size.height == 2
        assert NO_SETTINGS in [toast.message for toast in pilot.app._notifications]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_that_the_criterion_is_another_stands_under_the_runs(
    store: Store, size: tuple[int, int]
) -> None:
    session = keep(store)
    for words, value in (("Stays polite.", 0.9), ("Never rude.", 0.2)):
        version = keep_version(store, Criterion(name="Polite", criteria=words), author="ann")
        run = {"criterion": "Polite", "criterion_version": version.fingerprint}
        a_run(store, [(session, judged(value, "Polite"))], fingerprint=version.metric_fingerprint, **run)
    async with comparing(store, size) as (screen, pilot):
        told = "Judged otherwise: criterion Polite v1 → v2"
        assert drawn(screen.query_one("#runs"))[2].strip().startswith(told)
        await press(pilot, "S")
        await settled(pilot)
        assert "Judged otherwise: criterion Polite v2 → v1" in shown(pilot.app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_that_the_system_prompt_is_another_stands_under_the_runs_with_what_shows_how(
    store: Store, size: tuple[int, int]
) -> None:
    for manner, value in (("courteous", 0.9), ("brief", 0.2)):
        case = suite_case(0)
        turns = [Turn(role="system", content=f"Be {manner}."), *case.turns]
        [session] = kept(store, [case.model_copy(update={"turns": turns})])
        a_run(store, [(session, judged(value))])
    async with comparing(store, size) as (screen, _):
        told = "The system prompt differs: enter, then space, shows how"
        assert drawn(screen.query_one("#runs"))[2].strip() == told


async def test_more_hyperparameters_than_have_room_are_counted(store: Store) -> None:
    session = keep(store)
    for value in (0.9, 0.1):
        a_run(
            store, [(session, judged(value))], **{f"setting {number}": number * value for number in range(40)}
        )
    async with comparing(store, NARROW) as (screen, pilot):
        await press(pilot, "i")
        assert screen.query_one("#runs").size.height == NARROW[1] // 2
        assert "more: `turnwise compare` prints them all" in shown(pilot.app)


@pytest.mark.parametrize("size", [NARROW, (120, 40), WIDE])
async def test_the_interval_that_clearly_better_rests_on_stands_in_the_table(
    store: Store, size: tuple[int, int]
) -> None:
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    for side in ([0.74] * 10 + [0.9] * 10, [0.76] * 10 + [0.9] * 10):
        a_run(store, [(one, judged(value, threshold=0.75)) for one, value in zip(ids, side, strict=True)])
    async with comparing(store, size) as (screen, pilot):
        assert "Clearly better  politeness (10 → 20 of 20 pass, +18 to +73 points)" in shown(pilot.app)
        head, _, row = drawn(screen.query_one(ChangedMetrics))[:3]
        assert "points, 95 %" in head
        assert "+18 to +73" in row
        told = "Clear by how many pass, though not by the mean: politeness"
        assert told in drawn(screen.query_one(ChangedMetrics))[3]
        table = screen.query_one(ChangedMetrics)
        # What stands below the rows is none of them.
        await pilot.click(ChangedMetrics, offset=(6, 3 + table.gutter.top))
        await settled(pilot)
        assert drawn(table)[1].startswith("▸ all metrics")
        assert screen.list.region.y - table.region.bottom <= 3


async def test_a_change_that_the_mean_makes_clear_needs_no_word_on_which_figure_decides(store: Store) -> None:
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    for value in (0.1, 0.9):
        a_run(store, [(one, judged(value)) for one in ids])
    async with comparing(store, NARROW) as (_, pilot):
        assert "Clearly better  politeness" in shown(pilot.app)
        assert "leaves it open" not in shown(pilot.app)


async def test_of_a_short_list_of_pairs_all_sessions_are_seen(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (_, pilot):
        assert all(session in pilot.app.sights for session in range(1, 9))


async def test_the_choice_of_a_run_opens_on_the_one_of_now_and_marks_both(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (screen, pilot):
        # Its row was read before its last score came in.
        before = screen._sides["A"]
        screen._sides["A"] = replace(before, run=replace(before.run, passed=before.run.passed + 1))
        await press(pilot, "A")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChooseRunDialog))
        current = pilot.app.screen.query_one(ChoiceList).current
        assert current is not None
        assert "run 1" in current.name
        assert current.note.startswith("A now · ")
        assert "B now · " in shown(pilot.app)


async def test_the_same_choice_opens_again_with_nothing_of_the_last_time(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (_, pilot):
        for _ in pilot.app.kept_dialogs.make(ChooseRunDialog, lambda one: one.begin("A", (), {})):
            await pilot.pause()
        await press(pilot, "A")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChooseRunDialog))
        dialog = pilot.app.screen
        await press(pilot, "up", "enter")
        assert "That is the same run as B." in shown(pilot.app)
        await press(pilot, "escape")
        a_run(store, [(keep(store), judged(0.3))], name="Later")
        await press(pilot, "B")
        await until(pilot, lambda: pilot.app.screen is dialog)
        text = shown(pilot.app)
        assert "Run B" in text
        assert "Run A" not in text
        assert "That is the same run" not in text
        choices = dialog.query_one(ChoiceList)
        assert choices._choices[0].name == "run 3 · Later"
        assert choices.highlighted == 1


async def test_the_runs_to_choose_are_read_before_the_key_and_again_once_something_is_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_targets(store, VALUES)
    reads = []

    def offered(of: Store) -> list[OfferedSide]:
        reads.append(of)
        return offered_sides(of)

    monkeypatch.setattr(choose_run_dialog, "offered_sides", offered)
    async with comparing(store) as (screen, pilot):
        await until(pilot, lambda: bool(reads) or not screen.prepare_next())
        await until(pilot, lambda: not screen._offering.under_way)
        assert len(reads) == 1
        await press(pilot, "A")
        assert isinstance(pilot.app.screen, ChooseRunDialog)
        assert len(reads) == 1
        await press(pilot, "escape")
        assert not screen.prepare_next()
        a_run(store, [(keep(store), judged(0.3))], name="Later")
        await press(pilot, "A")
        await until(pilot, lambda: "run 3 · Later" in shown(pilot.app))
        assert len(reads) == 2


async def test_a_run_is_not_compared_with_itself(store: Store) -> None:
    two_targets(store, VALUES)
    async with comparing(store) as (screen, pilot):
        before = dict(screen._sides)
        await press(pilot, "A")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChooseRunDialog))
        choices = pilot.app.screen.query_one(ChoiceList)
        await press(pilot, "up", "enter")
        assert choices.current is not None
        assert choices.current.note.startswith("B now")
        words = "That is the same run as B. Choose another one; S in the comparison swaps A and B."
        await until(pilot, lambda: words in words_shown(pilot.app))
        assert isinstance(pilot.app.screen, ChooseRunDialog)
        await press(pilot, "down", "enter")
        assert pilot.app.screen is screen
        assert screen._sides == before
