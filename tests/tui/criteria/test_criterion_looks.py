from __future__ import annotations

from dataclasses import replace

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.criterion_looks import CriterionLooks, look_at
from turnwise.tui.criteria.listed_criteria import ListedCriterion

POLITE = ListedCriterion(None, None, CriterionForm(name="polite", criteria="The reply is polite."))


def test_a_criterion_that_was_never_tried_has_what_it_would_be_tried_on_and_no_trial(store: Store) -> None:
    sample = Sample(session_ids=(1, 2))
    look = look_at(store, 0, (0, 0), POLITE, sample)
    assert (look.trial, look.before, look.sample, look.item.form) == (None, None, sample, POLITE.form)


def test_what_was_read_is_known_until_the_text_the_place_or_the_split_is_another(store: Store) -> None:
    looks = CriterionLooks()
    look = look_at(store, 0, (0, 0), POLITE, Sample())
    looks.keep(look, "dev")
    assert looks.of(POLITE, 0, "dev") == look
    changed = replace(POLITE, form=replace(POLITE.form, criteria="The reply is short."))
    assert looks.of(changed, 0, "dev") is None
    assert looks.of(POLITE, 1, "dev") is None
    assert looks.of(POLITE, 0, None) is None
    looks.clear()
    assert looks.of(POLITE, 0, "dev") is None
