"""TrialPane: what differs comes first, beside whom, and a session is opened from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.app import App, ComposeResult

from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.engine.criteria.trial_change import TrialChange
from turnwise.tui.criteria.trial_pane import MOST_ABOUT, ShownTrial, TrialPane
from turnwise.tui.criteria.trial_words import flipped_words
from turnwise.tui.drawing.confusion import ConfusionMatrix

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

    def on_trial_pane_opened(self) -> None:
        if (row := self.query_one(TrialPane).current) is not None:
            self.opened.append(row.session)

    @property
    def text(self) -> str:
        strips = self.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def test_false_passes_come_first_then_false_fails_then_the_rest() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        pane = app.query_one(TrialPane)
        pane.show(ShownTrial(TRIAL, who="ann"))
        await pilot.pause()
        assert pane.sessions == [3, 2, 1, 4, 5]
        assert "Tried on 5 sessions, 4 labelled · 1 could not be judged" in app.text
        assert "ann ✓" in app.text
        assert "1 false pass" in app.text
        assert "caught 0 of 1 that ann failed, too few: it takes 4 fails" in app.text
        assert "agreed on 1 of 3" in app.text
        # Too few labels tell nothing of chance.
        assert "by chance" not in app.text
        assert "passed 1 of 2 that ann passed, too few: it takes 4 passes" in app.text


@pytest.mark.parametrize("size", [(80, 24), (56, 40), (160, 50)])
async def test_the_judge_is_named_where_the_figures_stand(size: tuple[int, int]) -> None:
    app = OneApp()
    async with app.run_test(size=size) as pilot:
        pane = app.query_one(TrialPane)
        pane.show(ShownTrial(replace(TRIAL, judge="recorded (demo)"), who="ann"))
        await pilot.pause()
        assert "agreed on 1 of 3 · judged by recorded (demo)" in app.text
        unlabelled = CriterionTrial(CRITERION, Sample((5,), {}, {}), ROWS[-1:], judge="recorded (demo)")
        pane.show(ShownTrial(unlabelled))
        await pilot.pause()
        assert " · judged by recorded" in app.text


async def test_reasons_stand_beside_sessions_where_they_have_room_and_else_below_them() -> None:
    app = OneApp()
    async with app.run_test(size=(80, 40)) as pilot:
        app.query_one(TrialPane).show(ShownTrial(TRIAL))
        await pilot.pause()
        assert app.text.count("so it is") > len(ROWS)
        await pilot.resize_terminal(48, 40)
        await pilot.pause()
        assert app.text.count("so it is") == 1
        assert "a talk" in app.text


async def test_what_came_out_the_other_way_comes_first_with_both_verdicts_and_reasons() -> None:
    before = CriterionTrial(CRITERION, TRIAL.sample, (row(1, 0.2, True), *ROWS[1:]))
    app = OneApp()
    async with app.run_test(size=(80, 44)) as pilot:
        pane = app.query_one(TrialPane)
        pane.show(ShownTrial(TRIAL, change=TrialChange(before, TRIAL), before="v1"))
        await pilot.pause()
        assert pane.sessions[0] == 1
        for words in (
            "4 labelled · v1 → now",
            "passed 0 → 1 of 2 that you passed",
            "1 verdict changed, to what you said",
            "✗ → ✓",
            "5 sessions, 1 changed",
            "was v1",
            "now ✓ 0.90",
            "was ✗ 0.20",
            # Two passes and a fail tell as little of TPR as of kappa.
            "TPR      0.00    0.50   +0.50, too few labels",
            "kappa   −0.80   −0.50   +0.30, too few labels",
        ):
            assert words in app.text, words


async def test_both_sides_of_an_arrow_are_named_by_their_versions_where_they_are_such() -> None:
    before = CriterionTrial(CRITERION, TRIAL.sample, (row(1, 0.2, True), *ROWS[1:]))
    app = OneApp()
    async with app.run_test(size=(80, 44)) as pilot:
        app.query_one(TrialPane).show(
            ShownTrial(TRIAL, change=TrialChange(before, TRIAL), before="v1", version="v2")
        )
        await pilot.pause()
        assert "4 labelled · v1 → v2" in app.text
        assert "was v1  now v2   change, 95 %" in app.text


async def test_a_trial_without_labels_shows_scores_and_no_matrix() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        app.query_one(TrialPane).show(
            ShownTrial(CriterionTrial(CRITERION, Sample((5,)), (row(5, 0.8, None),)))
        )
        await pilot.pause()
        assert not app.query_one("#trial-figures").display
        assert "0.80" in app.text
        assert "finds" not in app.text


async def test_a_click_on_the_matrix_goes_to_what_differs_and_a_session_is_opened() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        pane = app.query_one(TrialPane)
        pane.show(ShownTrial(TRIAL))
        await pilot.pause()
        await pilot.click(ConfusionMatrix, offset=(40, 2))
        await pilot.pause()
        assert pane.tried.cursor == 1
        pane.open_current()
        await pilot.click("#tried", offset=(30, 1), times=2)
        await pilot.pause()
        assert app.opened == [2, 3]
        pane.go_to(5)
        assert pane.tried.cursor == 4
        pane.go_to(99)
        assert pane.tried.cursor == 4


async def test_nothing_tried_takes_the_rest_away() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        pane = app.query_one(TrialPane)
        pane.show(ShownTrial(TRIAL))
        pane.show(None, nothing="Not tried yet")
        pane.say("t tries on \x1b[31mthem")
        await pilot.pause()
        assert "Not tried yet" in app.text
        assert "t tries on" in app.text
        assert not {"finds", "judge", "\x1b"} & set(app.text.split())
        assert pane.sessions == []


LONG = "A refund that was promised twice and never came, told again by somebody else"


async def test_a_long_name_has_the_room_that_it_needs_and_is_whole_at_the_cursor() -> None:
    trial = CriterionTrial(CRITERION, TRIAL.sample, (row(1, 0.9, True, LONG),))
    for width in (60, 100, 200):
        app = OneApp()
        async with app.run_test(size=(width, 40)) as pilot:
            app.query_one(TrialPane).show(ShownTrial(trial))
            await pilot.pause()
            assert LONG in " ".join(app.text.split()) or width == 60
            assert LONG[:50] in app.text


async def test_where_it_is_wide_the_matrix_stands_beside_the_words_and_leaves_lines_to_sessions() -> None:
    rows = tuple(row(number, 0.9, True) for number in range(1, 31))
    trial = CriterionTrial(CRITERION, TRIAL.sample, rows)
    listed = {}
    for width in (100, 120):
        app = OneApp()
        async with app.run_test(size=(width, 30)) as pilot:
            pane = app.query_one(TrialPane)
            pane.show(ShownTrial(trial))
            await pilot.pause()
            passed = next(line for line in app.text.split("\n") if "passed 30 of 30" in line)
            assert ("you ✗" in passed) is (width == 120)
            listed[width] = pane.tried.size.height
    assert listed[120] > listed[100]


async def test_why_a_session_came_out_so_takes_no_more_lines_than_the_longest_reason_needs() -> None:
    long = replace(row(2, 0.9, True), reason="It asks for what the user has said. " * 9)
    heights = []
    for rows in ((row(1, 0.9, True),), (row(1, 0.9, True), long)):
        app = OneApp()
        async with app.run_test(size=(100, 30)) as pilot:
            app.query_one(TrialPane).show(ShownTrial(CriterionTrial(CRITERION, TRIAL.sample, rows)))
            await pilot.pause()
            heights.append(app.query_one("#tried-about").size.height)
    assert heights == [1, MOST_ABOUT]


def changed(flipped: int, broken: int = 0) -> TrialChange:
    """A change of so many of twenty sessions that people passed, from fail to pass; broken: the other way."""
    after = tuple(row(number, 0.9 if number < 20 - broken else 0.1, True) for number in range(20))
    before = tuple(row(number, 0.1 if number < flipped else 0.9, True) for number in range(20))
    sample = Sample(tuple(range(20)), {}, dict.fromkeys(range(20), True))
    was, now = (CriterionTrial(CRITERION, sample, rows) for rows in (before, after))
    return TrialChange(was, now)


async def test_in_any_width_it_is_said_of_a_change_that_it_may_be_chance() -> None:
    for width in (48, 80, 118, 158):
        app = OneApp()
        async with app.run_test(size=(width, 44)) as pilot:
            app.query_one(TrialPane).show(ShownTrial(TRIAL, change=changed(2), before="v1"))
            await pilot.pause()
            text = " ".join(app.text.split())
            assert "2 verdicts changed, all to what you said; too few to be sure (p 0.5)" in text, width


def test_what_is_said_of_chance_follows_from_the_test_that_is_told_with_it() -> None:
    # Six of six are seldom chance, and of five none could know.
    for flipped, said in (
        (1, "1 verdict changed, to what you said; too few to be sure (p 1)"),
        (5, "5 verdicts changed, all to what you said; too few to be sure (p 0.062)"),
        (6, "6 verdicts changed, all to what you said; more than chance (p 0.031)"),
        (15, "15 verdicts changed, all to what you said; more than chance (p < 0.001)"),
    ):
        assert flipped_words(changed(flipped), "you").replace("\xa0", " ") == said
    for broken, said in ((1, "more than chance (p 0.039)"), (2, "that may be chance (p 0.11)")):
        change = changed(8, broken)
        told = f"{8 + broken} verdicts changed: 8 to what you said, {broken} away from what you said; {said}"
        begin, chance = told[: told.rindex("(")], told[told.rindex("(") :]
        # A break between the letter and its figure would leave either alone.
        assert flipped_words(change, "you") == begin + chance.replace(" ", "\xa0")
