"""The agreement screen: figures in words, every disagreement one key from its review, and back again."""

from __future__ import annotations

from pathlib import Path

import pytest
from reviewing import told
from stored import identity, keep, land, score
from tui_driver import commands, press, settled, shown, until

from turnwise.conversations.store import Store
from turnwise.engine.people.agreement import agreement
from turnwise.engine.people.side_by_side import PeopleTogether, people_together
from turnwise.tui.agreement import agreement_screen
from turnwise.tui.agreement.agreement_board import AgreementBoard
from turnwise.tui.agreement.agreement_screen import AgreementScreen
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import steps_ahead
from turnwise.tui.drawing.confusion import ConfusionMatrix
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.library.preview import Preview
from turnwise.tui.review.review_screen import ReviewScreen

SKETCH = [(14, 0.9, "pass"), (2, 0.8, "fail"), (1, 0.1, "pass"), (7, 0.2, "fail")]
NASTY = "\x1b[31m[red]x[/] \u202eevil 退款"


@pytest.fixture(autouse=True)
def _mia(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setattr("turnwise.conversations.store.labels.default_author", lambda: "mia")


@pytest.fixture
def labelled(store: Store) -> Store:
    """Two metrics against labels of mia; of the first 14 of 15 and 7 of 9 are right."""
    for metric, cells in (("politeness", SKETCH), ("warmth", [(3, 0.9, "pass"), (1, 0.9, "fail")])):
        for count, value, word in cells:
            for _ in range(count):
                number = store.sessions.count() + 1
                session = keep(store, f"question {number}", f"answer {number}", name=f"talk {number}")
                land(store, session, score(value, metric, reason=f"reason {number}"))
                store.labels.add(session, word, author="mia", blind=number % 2 == 0)  # type: ignore[arg-type]
    return store


@pytest.fixture
def app(labelled: Store) -> TurnwiseApp:
    return TurnwiseApp(labelled)


def sessions(app: TurnwiseApp) -> RecordTable:
    return app.screen.query_one("#sessions", RecordTable)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
async def test_the_library_opens_it_and_it_speaks_plainly(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        # The figures that take longer come after the first.
        await until(pilot, lambda: "needs 10 passes and 10 fails" in shown(app))
        text = shown(app)
        assert "judge ✓     14      2  2 false passes" in text
        assert "passed 14 of 15 that you passed" in text
        assert "68 to 100 %" in text
        assert "needs 10 passes and 10 fails" in text
        assert "passed it: reason 15" in text
        assert "warmth" in text
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_in_a_small_window_each_metric_has_its_name(app: TurnwiseApp) -> None:
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("tab")
        await until(pilot, lambda: "politeness" in shown(app) and "warmth" in shown(app))


@pytest.mark.parametrize("size", [(40, 10), (40, 14), (60, 18), (80, 16), (160, 12), (80, 24)])
async def test_the_session_under_the_cursor_is_in_sight_in_small_windows(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        board = app.screen.query_one(AgreementBoard)
        assert sessions(app).has_focus
        for _ in range(3):
            assert board.current is not None
            kind = board.current.kind
            await until(pilot, lambda kind=kind: any(f"▌ {kind}" in line for line in shown(app).split("\n")))  # type: ignore[misc]
            # What the judge says of it stands below it.
            assert board.query_one("#about").region.bottom <= size[1] - 1
            assert "judge" in shown(app).split("\n")[board.query_one("#about").region.y]
            await pilot.press("j")
        # In the lowest windows the metrics have the lines while keys move there, and give them back.
        await pilot.press("tab")
        await until(pilot, lambda: "▌ pol" in shown(app))
        await pilot.press("tab")
        await until(pilot, lambda: "▌ false" in shown(app))


async def test_a_window_made_larger_shows_the_metrics_beside_the_sessions_again(app: TurnwiseApp) -> None:
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3 and "▌ false" in shown(app))
        assert "judge ✓" not in shown(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "judge ✓" in shown(app) and "▌ false" in shown(app))


async def test_enter_reads_a_disagreement_and_escape_comes_back_to_it(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "talk 16" in shown(app))
        await until(pilot, lambda: "2 of 3" in shown(app))
        await pilot.press("J")
        await until(pilot, lambda: "talk 17" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen) and sessions(app).cursor == 2)


async def test_coming_back_from_a_session_that_got_no_label_draws_the_figures_no_second_time(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        screen = app.screen
        assert isinstance(screen, AgreementScreen)
        await pilot.press("enter", "J")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "2 of 3" in shown(app))
        drawn: list[str] = []
        monkeypatch.setattr(AgreementBoard, "show", lambda *_: drawn.append("a metric"))
        monkeypatch.setattr(AgreementBoard, "show_metrics", lambda *_: drawn.append("metrics"))
        monkeypatch.setattr(AgreementBoard, "show_people", lambda *_: drawn.append("people"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen and sessions(app).cursor == 1)
        await until(pilot, lambda: not (screen._reading.under_way or screen._reading_people.under_way))
        assert drawn == []


async def test_what_judge_and_others_say_there_is_not_hidden_in_its_review(
    app: TurnwiseApp, labelled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.store.labels.default_author", lambda: "ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("enter")
        await until(pilot, lambda: "1 of 3" in shown(app))
        assert "hidden" not in shown(app)
        assert "✗ fail by mia" in shown(app)
        await pilot.press("J")
        await until(pilot, lambda: "2 of 3" in shown(app))
        assert "hidden" not in shown(app)
        await pilot.press("p")
        await until(pilot, lambda: any(row.author == "ann" for row in labelled.labels.of(16)))
        assert [row.blind for row in labelled.labels.of(16) if row.author == "ann"] == [False]


async def test_no_session_in_sight_is_labelled_blind_any_more(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: all(number in app.sights for number in (15, 16, 17)))


async def test_a_session_that_was_told_of_ahead_is_seen_once_the_screen_is_opened(
    app: TurnwiseApp, labelled: Store
) -> None:
    # So many that those that judge and people differ on are out of sight in the library.
    for number in range(30):
        keep(labelled, "Hello?", "Yes?", name=f"newer {number}")
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in steps_ahead(app, app.screen):
            await pilot.pause()
        made = app.kept_dialogs.ahead(AgreementScreen)
        assert made is not None
        await until(pilot, lambda: made.board.current is not None)
        assert 15 not in app.sights
        await pilot.press("6")
        await until(pilot, lambda: app.screen is made and 15 in app.sights)


async def test_a_label_given_meanwhile_counts_at_once(app: TurnwiseApp, labelled: Store) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        labelled.labels.add(15, "pass", author="mia", blind=False)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen) and sessions(app).count == 2)
        assert "passed 15 of 16 that you passed" in shown(app)


async def test_another_metric_is_one_key_away(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("right")
        await until(pilot, lambda: "4 labels of yours" in shown(app))
        assert sessions(app).count == 1
        await pilot.press("tab", "k")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        await pilot.press("enter")
        assert sessions(app).has_focus


async def test_of_several_people_one_can_be_chosen(app: TurnwiseApp, labelled: Store) -> None:
    labelled.labels.add(1, "fail", author="ann", blind=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "sessions labelled by 2 people" in shown(app))
        assert "1 on which people differ" in shown(app)
        assert "people on this metric, 1 session" in shown(app)
        await pilot.press("P")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        await pilot.press("P")
        await until(pilot, lambda: "1 label by ann · P other labels" in shown(app))
        assert "warmth" not in shown(app)
        await pilot.press("P")
        await until(pilot, lambda: "sessions labelled by 2 people" in shown(app))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_people_dispute_is_told_and_one_key_from_being_settled(
    app: TurnwiseApp, labelled: Store, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        assert "whole sessions" not in shown(app)
        assert "Q settle disputes" not in shown(app)
        await pilot.press("escape")
        for session, word in enumerate(("fail", "pass", "pass", "fail"), 1):
            labelled.labels.add(session, word, author="ann", blind=True)  # type: ignore[arg-type]
        await pilot.press("6")
        await until(pilot, lambda: "people: 4 whole sessions, 2 disputed" in shown(app))
        assert "Q settles the 2 disputed" in shown(app)
        assert "alpha: 1 if all agree, good from 0.80" in shown(app)
        # Nothing is made before it was asked for.
        for answer in (("escape",), ("down", "enter")):
            await pilot.press("Q")
            await until(pilot, lambda: "Make a queue of the 2 sessions that people dispute?" in shown(app))
            await pilot.press(*answer)
            await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
            assert not labelled.queues.all()
        await pilot.press("Q")
        await until(pilot, lambda: "Make a queue of the 2 sessions" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 2 done" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        # The queue that is there is gone on with.
        assert len(labelled.queues.all()) == 1


async def test_the_labels_are_read_anew_after_a_queue_only_where_it_changed_any(
    app: TurnwiseApp, labelled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for session, word in enumerate(("fail", "pass", "pass", "fail"), 1):
        labelled.labels.add(session, word, author="ann", blind=True)  # type: ignore[arg-type]
    labelled.queues.add("disputed", [1, 4], sampler="disputed")
    times: list[Store] = []

    def counted(store: Store) -> PeopleTogether:
        times.append(store)
        return people_together(store)

    monkeypatch.setattr(agreement_screen, "people_together", counted)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "Q settles the 2 disputed" in shown(app))
        for _ in range(2):
            # After the first time, by which the library has written down what was seen in it.
            before = len(times)
            await pilot.press("Q")
            await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 2 done" in shown(app))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
            await settled(pilot)
        assert len(times) == before
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "0 of 2 done" in shown(app))
        await press(pilot, "p", "escape")
        await until(pilot, lambda: len(times) == before + 1)
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen) and "1 disputed" in shown(app))


async def test_what_waits_for_a_blind_label_is_not_listed_and_told(app: TurnwiseApp, labelled: Store) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        assert "talk 15" in shown(app)
        await pilot.press("escape")
        queue = labelled.queues.add("friday", [15, 16], sampler="random")
        await pilot.press("6")
        await until(pilot, lambda: "2 wait for your label: counted if others labelled them" in shown(app))
        assert sessions(app).count == 1
        assert "talk 15" not in shown(app)
        await pilot.press("escape")
        labelled.labels.add(15, "fail", author="mia", blind=True)
        await pilot.press("6")
        await until(pilot, lambda: "1 waits for your label: counted if others labelled them" in shown(app))
        assert "talk 15" in shown(app)
        assert labelled.queues.get(queue).done == 1


async def test_a_sure_drift_of_the_chosen_person_is_said(store: Store) -> None:
    for number in range(40):
        session = keep(store, f"question {number}", name=f"talk {number}")
        land(store, session, score(0.2))
        store.labels.add(session, "fail" if number < 20 else "pass", author="ann", blind=True)
        store.labels.add(session, "fail", author="ben", blind=True)
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "sessions labelled by 2 people" in shown(app))
        assert "than at first" not in shown(app)
        await pilot.press("P")
        await until(pilot, lambda: "ann passes 100 points more than at first" in shown(app))


async def test_only_blind_labels_can_count(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: "12 labels of yours · blind labels only" in shown(app))


async def test_without_blind_labels_it_says_how_to_count_the_others(store: Store) -> None:
    session = keep(store)
    land(store, session, score(0.9))
    store.labels.add(session, "pass", author="mia", blind=False)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "Judge and you agree on all 1." in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: "s counts the other labels too" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: "Judge and you agree on all 1." in shown(app))


async def test_where_all_agree_no_conversation_stands_below(app: TurnwiseApp, store: Store) -> None:
    session = keep(store, "another", "yes")
    land(store, session, score(0.9, "tact"))
    store.labels.add(session, "pass", author="mia", blind=True)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        assert app.screen.query_one(Preview).display
        await pilot.press("right", "right")
        await until(pilot, lambda: "Judge and you agree on all 1." in shown(app))
        assert not app.screen.query_one(Preview).display


async def test_by_mouse(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.click(ConfusionMatrix, offset=(5, 3))
        await until(pilot, lambda: sessions(app).cursor == 2)
        await pilot.click("#metrics", offset=(6, 3))
        await until(pilot, lambda: "4 labels of yours" in shown(app))
        await pilot.click("#sessions", offset=(30, 1), times=2)
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))


async def test_what_transcripts_and_people_wrote_does_nothing(store: Store) -> None:
    session = keep(store, name=NASTY)
    land(store, session, score(0.9, reason=NASTY))
    store.labels.add(session, "fail", author=NASTY, blind=True, note=NASTY)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "[red]x[/]" in shown(app) and "1 false pass" in shown(app))
        assert "\x1b" not in shown(app)
        assert "\u202e" not in shown(app)


async def test_it_opens_up_and_closes_down_with_the_terminal(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("j")
        assert "what the judge says" not in shown(app)
        await pilot.resize_terminal(160, 50)
        await until(pilot, lambda: "what the judge says" in shown(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "what the judge says" not in shown(app))
        assert "passed 14 of 15 that you passed" in shown(app)
        assert sessions(app).cursor == 1


async def test_the_palette_opens_it_from_elsewhere(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        commands(app)["agreement"]()
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))


async def test_the_keys_stay_in_the_list_where_a_metric_has_no_disagreement(
    app: TurnwiseApp, labelled: Store
) -> None:
    session = labelled.sessions.ids("warmth:pass label:fail")[0]
    labelled.labels.add(session, "pass", author="mia", blind=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("right")
        await until(pilot, lambda: "Judge and you agree on all 4." in shown(app))
        await pilot.press("left")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("j")
        assert sessions(app).cursor == 1


async def test_one_says_that_a_fail_is_not_about_this_metric_and_takes_it_back(
    app: TurnwiseApp, labelled: Store
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        assert "all 9 fails name no metric" in shown(app)
        assert "the fail names no metric; here the judge + is right, - is wrong" in shown(app)
        differing = app.screen.query_one(AgreementBoard).current
        assert differing is not None
        assert differing.kind == "false pass"
        await pilot.press("plus")
        await until(pilot, lambda: "no false pass" in shown(app) or "1 false pass" in shown(app))
        (label,) = (row for row in labelled.labels.of(differing.session) if row.metric)
        assert (label.metric, label.label, label.author, label.blind) == ("politeness", "pass", "mia", False)
        # What was said of the whole stays as it is, and so does every other metric.
        assert [row.label for row in labelled.labels.of(differing.session) if not row.metric] == ["fail"]
        await pilot.press("u")
        await until(pilot, lambda: "2 false passes" in shown(app))
        assert labelled.labels.of(differing.session)[-1].label is None
        # What was said before Agreement was opened anew is taken back elsewhere, and the key says where.
        await pilot.press("plus")
        await until(pilot, lambda: "1 false pass" in shown(app) or "no false pass" in shown(app))
        await pilot.press("escape", "6")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen) and bool(sessions(app).count))
        await pilot.press("u")
        assert "u in its review takes a label back." in told(pilot)[-1]
        assert labelled.labels.of(differing.session)[-1].label == "pass"


async def test_a_check_is_no_judge_and_where_all_agree_the_key_for_a_fail_is_told(
    store: Store,
) -> None:
    run = store.runs.begin(judge="", metrics=["length"])
    for number in range(6):
        session = keep(store, f"question {number}", "yes")
        unit = identity(session, "length", judge="", judge_fingerprint="")
        store.scores.add_all(run, [(unit, score(0.9 if number % 2 else 0.1, "length"))])
        store.labels.add(session, "pass" if number % 2 else "fail", author="mia", blind=True)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "Check and you agree on all 6." in shown(app))
        assert "check ✓" in shown(app)
        assert "To say that a fail is for this metric, press + at its score in a review." in shown(app)


async def test_one_person_s_labels_move_no_metric(labelled: Store) -> None:
    labelled.labels.add(27, "pass", author="ann", blind=True)
    labelled.labels.add(28, "fail", author="ann", blind=True)
    app = TurnwiseApp(labelled)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "labelled by 2 people" in shown(app))
        board = app.screen.query_one(AgreementBoard)
        before = board.metrics.region
        await pilot.press("P")
        await until(pilot, lambda: "P other labels" in shown(app) and "you ✓" in shown(app))
        assert board.metrics.region == before
        rows = [line for line in shown(app).splitlines() if "politeness" in line or "warmth" in line]
        assert "politeness" in rows[-2]
        assert "warmth" in rows[-1]


async def test_one_confirms_that_it_is_about_this_metric(app: TurnwiseApp, labelled: Store) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "all 9 fails name no metric" in shown(app))
        await pilot.press("minus")
        await until(pilot, lambda: "9 failed: 1 names this metric, 8 name none" in shown(app))
        assert "2 false passes" in shown(app)


async def test_with_room_the_conversation_itself_stands_below(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "question 15" in shown(app) and "answer 15" in shown(app))
        await pilot.press("j")
        await until(pilot, lambda: "answer 16" in shown(app))


async def test_what_they_differ_on_has_the_whole_width_of_a_wide_window(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        board = app.screen.query_one(AgreementBoard)
        metrics, differing = board.metrics.region, app.screen.query_one("#differing").region
        assert differing.width == board.region.width
        assert metrics.bottom <= differing.y
        assert metrics.right <= app.screen.query_one("#figures").region.x


async def test_a_metric_that_is_gone_back_to_is_reckoned_again_only_once_something_was_written(
    app: TurnwiseApp, labelled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoned: list[str] = []
    monkeypatch.setattr(
        "turnwise.tui.agreement.agreement_screen.agreement",
        lambda store, metric, **options: reckoned.append(metric) or agreement(store, metric, **options),  # type: ignore[func-returns-value]
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        await pilot.press("right")
        await until(pilot, lambda: "4 labels of yours" in shown(app) and "passed 3 of 3" in shown(app))
        await pilot.press("left")
        await until(pilot, lambda: "24 labels of yours" in shown(app))
        assert sorted(reckoned) == ["politeness", "warmth"]
        labelled.labels.add(1, "fail", author="mia", blind=True)
        await pilot.press("right", "left")
        await until(pilot, lambda: "passed 13 of 14" in shown(app))


@pytest.mark.parametrize("toured", [False, True])
async def test_two_errors_are_in_sight_in_a_low_window_with_the_line_of_the_tour_or_without(
    app: TurnwiseApp, labelled: Store, toured: bool
) -> None:
    for session in range(1, 5):
        # With a second person there are more lines of how far people agree.
        labelled.labels.add(session, "pass", author="ann", blind=True)
    labelled.remembered.keep("tour", {"step": 0, "on": toured})
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: ("tour 1 of" in shown(app)) == toured)
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3 and "alpha" in shown(app))
        await until(pilot, lambda: ("tour 1 of" in shown(app)) == toured)
        await until(pilot, lambda: all(f"talk {number}" in shown(app) for number in (15, 16)))
        assert "passed it: reason 15" in shown(app)


async def test_help_says_that_a_fail_of_the_whole_session_counts_beside_every_metric(
    app: TurnwiseApp, labelled: Store
) -> None:
    async with app.run_test(size=(110, 90)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("question_mark", "m")
        await until(pilot, lambda: "it counts beside every metric of that session" in shown(app))
