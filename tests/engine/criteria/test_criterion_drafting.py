"""Drafting: steps come from the plain words, once for the same words."""

import pytest
from criterion_sessions import knows_manners, labelled
from judge_server import JudgeServer
from judged import judge_at

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion, draft_steps
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.scoring.scoring import score_sessions

POLITE = Criterion(name="Polite", criteria="Stays polite.")
DRAFTED = ("Find what the assistant says.", "Judge its tone.")


async def test_steps_are_drafted_once_for_the_same_words(store: Store, judge_server: JudgeServer) -> None:
    settings = ModelSettings(base_url=knows_manners(judge_server).url, model="m")
    with_steps = POLITE.model_copy(update={"steps": ["One of mine."], "threshold": 0.9})
    assert (await draft_steps(store, POLITE, settings)).steps == DRAFTED
    assert (await draft_steps(store, with_steps, settings)).steps == DRAFTED
    assert len(judge_server.requests) == 1
    await draft_steps(store, POLITE.model_copy(update={"criteria": "Is kind."}), settings)
    assert len(judge_server.requests) == 2


async def test_a_trial_without_steps_is_judged_by_the_drafted_ones(
    store: Store, judge_server: JudgeServer
) -> None:
    [session] = labelled(store, 1)
    await draft_steps(store, POLITE, ModelSettings(base_url=knows_manners(judge_server).url, model="m"))
    async with judge_at(judge_server, StoredCallBook(store)) as judge:
        [scored] = [one async for one in score_sessions(store, [session], [POLITE.metric()], judge)]
    assert scored.outcome.details["steps"] == list(DRAFTED)  # type: ignore[union-attr]
    assert len(judge_server.requests) == 2


async def test_without_plain_words_there_is_nothing_to_draft_from(
    store: Store, judge_server: JudgeServer
) -> None:
    settings = ModelSettings(base_url=judge_server.url, model="m")
    with pytest.raises(SettingError, match="nothing in plain words"):
        await draft_steps(store, Criterion(name="Polite", steps=["One."]), settings)
    assert judge_server.requests == []
