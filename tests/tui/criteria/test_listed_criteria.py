"""The list of the workbench: files first, then what was tried, and what is typed kept apart from both."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from pathlib import Path

from criterion_sessions import knows_manners, labelled
from judge_server import JudgeServer
from judged import judge_at

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import draw_sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.listed_criteria import (
    ListedCriterion,
    load_items,
    refreshed,
    trial_of_item,
)
from turnwise.tui.criteria.trying import TrialRequest

POLITE = Criterion(name="Polite", criteria="Stays polite.", threshold=0.7)


async def tried(store: Store, server: JudgeServer, criterion: Criterion) -> list[CriterionTrial]:
    heard: list[CriterionTrial] = []
    sample = draw_sample(store, criterion.name)
    request = TrialRequest(
        criterion=criterion,
        sample=sample,
        author="ann",
        source="",
        hear=heard.append,
    )
    async with judge_at(knows_manners(server), StoredCallBook(store)) as judge:
        assert len([one async for one in request.outcomes(store, judge)]) == request.units
    return heard


async def test_a_trial_is_heard_of_outcome_by_outcome(store: Store, judge_server: JudgeServer) -> None:
    labelled(store)
    heard = await tried(store, judge_server, POLITE)
    assert [len(trial.rows) for trial in heard] == list(range(1, 9))
    assert heard[-1].matrix.counts == (4, 0, 0, 4)
    assert heard[-1].seconds is not None


async def test_files_come_first_then_what_was_tried_and_is_in_none(
    store: Store, judge_server: JudgeServer, tmp_path: Path
) -> None:
    labelled(store)
    (tmp_path / "kind.yaml").write_text("name: Kind\ncriteria: Is kind.\n")
    await tried(store, judge_server, POLITE)
    items, errors = load_items(store, tmp_path)
    assert [item.name for item in items] == ["Kind", "Polite"]
    assert errors == []
    kind, polite = items
    assert kind.version_words() == "not tried yet"
    assert polite.version_words() == "version 1, only in this database"
    assert not polite.edited, "the list marks what is not saved, and a version that was tried is kept"
    assert isnan(kind.standing.kappa)
    assert (polite.standing.kappa, polite.standing.sessions) == (1, 8)


async def test_what_is_typed_outlives_what_the_database_says(
    store: Store, judge_server: JudgeServer, tmp_path: Path
) -> None:
    labelled(store)
    (tmp_path / "polite.yaml").write_text("name: Polite\ncriteria: Stays polite.\nthreshold: 0.7\n")
    [item], _ = load_items(store, tmp_path)
    typed = replace(item, form=replace(item.form, criteria="Is kind."))
    assert typed.edited
    assert not replace(item, form=replace(item.form, criteria="Stays polite.\n", threshold="0.70")).edited
    await tried(store, judge_server, POLITE)
    again = refreshed(store, typed, trial_of_item(store, typed))
    assert again.form.criteria == "Is kind."
    assert again.standing.sessions == 8
    assert again.version_words() == "new version, not saved"


async def test_the_trial_shown_is_that_of_the_text_or_of_the_newest_version_tried(
    store: Store, judge_server: JudgeServer
) -> None:
    labelled(store)
    item = ListedCriterion(None, None, CriterionForm.of(POLITE))
    assert trial_of_item(store, item) is None
    await tried(store, judge_server, POLITE)
    keep_version(store, POLITE.model_copy(update={"criteria": "Saved, not tried."}), author="ann")
    found = trial_of_item(store, item)
    assert found is not None
    assert found.criterion == POLITE
    changed = trial_of_item(store, replace(item, form=replace(item.form, criteria="Is kind.")))
    assert changed is not None
    assert changed.criterion == POLITE
    stricter = trial_of_item(store, replace(item, form=replace(item.form, threshold="0.95")))
    assert stricter is not None
    assert stricter.matrix.counts == (0, 0, 4, 4)
