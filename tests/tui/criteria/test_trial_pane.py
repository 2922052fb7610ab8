"""TrialPane: what differs comes first, beside whom, and a session is opened from it."""

from __future__ import annotations

from textual.app import App, ComposeResult

from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.tui.criteria.trial_pane import TrialPane
from turnwise.tui.parts.confusion import ConfusionMatrix

CRITERION = Criterion(name="Kind", criteria="Is kind.")


def row(session: int, score: float | None, people: bool | None, name: str = "a talk") -> TrialRow:
    passed = None if score is None else score >= 0.5
    outcome = "failure" if score is None else "score"
    return TrialRow(session, name, outcome, score, passed, people, "so it is")  # type: ignore[arg-type]


ROWS = (row(1, 0.9, True), row(2, 0.1, True), row(3, 0.9, False), row(4, None, False), row(5, 0.8, None))
TRIAL = CriterionTrial(CRITERION, Sample((1, 2, 3, 4, 5), {}, {1: True, 2: True, 3: False, 4: False}), ROWS)


class OneApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[int] = []

    def compose(self) -> ComposeResult:
        yield TrialPane()

    def on_trial_pane_opened(self, event: TrialPane.Opened) -> None:
        self.opened.append(event.session_id)

    @property
    def text(self) -> str:
        strips = self.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def test_false_passes_come_first_then_false_fails_then_the_rest() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        pane = app.query_one(TrialPane)
        pane.show(TRIAL, heading="Tried on", who="ann")
        await pilot.pause()
        assert pane.sessions == [3, 2, 1, 4, 5]
        assert "Tried on 5 sessions, 4 labelled · 1 could not be judged" in app.text
        assert "ann ✓" in app.text
        assert "1 false pass" in app.text
        assert "TPR 0.50 (0.09-0.91)  TNR 0.00 (0.00-0.79)" in app.text


async def test_reasons_stand_there_only_where_they_have_room() -> None:
    app = OneApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.query_one(TrialPane).show(TRIAL)
        await pilot.pause()
        assert "false pass · so it is" in app.text
        await pilot.resize_terminal(48, 24)
        await pilot.pause()
        assert "so it is" not in app.text
        assert "a talk" in app.text
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "so it is" in app.text


async def test_a_trial_without_labels_shows_scores_and_no_matrix() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        app.query_one(TrialPane).show(
            CriterionTrial(CRITERION, Sample((5,)), (row(5, 0.8, None),)), heading="Tried on"
        )
        await pilot.pause()
        assert not app.query_one(ConfusionMatrix).display
        assert "0.80" in app.text
        assert "TPR" not in app.text


async def test_a_click_on_the_matrix_goes_to_what_differs_and_a_session_is_opened() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        pane = app.query_one(TrialPane)
        pane.show(TRIAL, heading="Tried on")
        await pilot.pause()
        await pilot.click(ConfusionMatrix, offset=(40, 2))
        await pilot.pause()
        assert pane.tried.highlighted == 1
        pane.open_current()
        await pilot.click("#tried", offset=(30, 0))
        await pilot.pause()
        assert app.opened == [2, 3]
        pane.go_to(5)
        assert pane.tried.highlighted == 4
        pane.go_to(99)
        assert pane.tried.highlighted == 4


async def test_nothing_tried_takes_the_rest_away() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        pane = app.query_one(TrialPane)
        pane.show(TRIAL, heading="Tried on")
        pane.show(None, heading="Not tried yet")
        pane.say("t tries on \x1b[31mthem")
        await pilot.pause()
        assert "Not tried yet" in app.text
        assert "t tries on" in app.text
        assert not {"TPR", "judge", "\x1b"} & set(app.text.split())
        assert pane.sessions == []
