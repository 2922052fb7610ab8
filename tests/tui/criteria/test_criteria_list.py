"""The list of the criteria: on how many labels each agrees, marked where these say little."""

from __future__ import annotations

from turnwise.engine.criteria.past_trials import Standing
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.criteria.criteria_list import HEAD, criterion_choice, head_over
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.listed_criteria import ListedCriterion


def sign(matrix: Confusion) -> str:
    item = ListedCriterion(None, None, CriterionForm(name="Polite"))
    return criterion_choice(0, item, Standing(matrix)).sign.strip("• ")


def test_agreement_on_labels_that_are_nearly_all_passes_is_marked() -> None:
    assert sign(Confusion(true_pass=17, true_fail=1)) == "18/18?"
    assert sign(Confusion(true_pass=14, true_fail=4)) == "18/18"
    assert sign(Confusion()) == "–"


def test_the_head_says_what_the_mark_means_where_a_criterion_bears_it() -> None:
    item = ListedCriterion(None, None, CriterionForm(name="Polite?"))
    few, enough = (
        criterion_choice(0, item, Standing(matrix))
        for matrix in (Confusion(true_pass=17, true_fail=1), Confusion(true_pass=14, true_fail=4))
    )
    assert head_over([enough, few]) == "  agrees  (? few)"
    assert head_over([enough]) == head_over([]) == HEAD
