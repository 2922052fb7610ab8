"""Sessions that fail by a criterion: what is known of where they were lost, what it takes, and the search."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest
from judge_server import JudgeServer, Request, Step, says
from judged import judge_at
from stored import keep

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.engine.criteria.behind_scores import criterion_behind
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.engine.criteria.lost_sessions import (
    check_can_be_lost,
    cost_of_calls,
    failing_sessions,
    read_lost,
    seek_lost,
)
from turnwise.engine.judge.evidence import StoredCallBook

POLITE = Criterion(name="Polite", steps=["Read it."], threshold=0.7)
TALK = ("Hi", "Hello.", "And?", "A nuisance.", "Really?", "Yes.", "Bye", "Bye.")


def by_manners(request: Request) -> Step:
    rude = "nuisance" in request.text
    return says({"reason": "r", "turns": [], "score": 1 if rude else 9})


async def sought(store: Store, server: JudgeServer, ids: list[int], *, whole_curve: bool = False):
    server.default = by_manners
    async with judge_at(server, StoredCallBook(store)) as judge:
        seeking = seek_lost(store, POLITE, ids, judge, whole_curve=whole_curve)
        async with aclosing(seeking) as found:
            return judge.settings, [one async for one in found]


async def test_what_fails_is_located_and_what_passes_is_told(store: Store, judge_server: JudgeServer) -> None:
    ids = [keep(store, *TALK), keep(store, "Hi", "Hello.")]
    _, [lost, kind] = await sought(store, judge_server, ids)
    assert lost.located is not None
    assert lost.located.lost.turn == 4
    assert kind.located is None
    assert isinstance(kind.outcome, Score)
    assert kind.outcome.passed
    assert failing_sessions(store, POLITE) == ids[:1]
    [run] = store.runs.all()
    assert run.name == "Polite: where it fails"
    assert run.finished_at is not None


async def test_the_calls_are_told_before_and_are_none_for_what_is_known(
    store: Store, judge_server: JudgeServer
) -> None:
    session = keep(store, *TALK)
    settings, _ = await sought(store, judge_server, [session])
    [known] = read_lost(store, POLITE, [session])
    assert known.turn == 4
    assert known.calls(settings.fingerprint) == 0
    assert known.calls(settings.fingerprint, whole_curve=True) == 3
    # Another judge has to judge the whole first, and may be unsure.
    assert known.calls("another") == 3
    assert known.calls("another", whole_curve=True) == 4
    await sought(store, judge_server, [session], whole_curve=True)
    [drawn] = read_lost(store, POLITE, [session])
    assert drawn.calls(settings.fingerprint, whole_curve=True) == 0
    assert cost_of_calls(store, POLITE, [drawn], 3, settings) is None


async def test_what_cannot_be_judged_is_told_and_the_others_are_found(
    store: Store, judge_server: JudgeServer
) -> None:
    ids = [keep(store, "Hi", "Nonsense."), keep(store, *TALK)]

    def garbled(request: Request) -> Step:
        return says("no JSON") if "Nonsense" in request.text else by_manners(request)

    judge_server.default = garbled
    async with judge_at(judge_server, StoredCallBook(store)) as judge:
        found = [one async for one in seek_lost(store, POLITE, ids, judge)]
    assert found[0].trouble
    assert found[0].located is None
    assert found[1].located is not None


def test_what_judges_single_exchanges_is_refused() -> None:
    with pytest.raises(SettingError, match="single exchanges"):
        check_can_be_lost(POLITE.model_copy(update={"scope": "exchange"}))


class TestBehindScores:
    async def test_the_criterion_of_a_score_is_the_one_of_the_file_or_the_version_kept(
        self, store: Store, judge_server: JudgeServer, tmp_path: Path
    ) -> None:
        session = keep(store, *TALK)
        await sought(store, judge_server, [session])
        row = store.scores.newest(session)[-1]
        assert criterion_behind(store, row, tmp_path) is None
        keep_version(store, POLITE.model_copy(update={"threshold": 0.6}), author="ann")
        kept = criterion_behind(store, row, tmp_path)
        assert kept is not None
        assert kept.threshold == 0.6
        (tmp_path / "polite.yaml").write_text("name: Polite\nsteps: [Read it.]\nthreshold: 0.9\n")
        of_file = criterion_behind(store, row, tmp_path)
        assert of_file is not None
        assert of_file.threshold == 0.9
        (tmp_path / "polite.yaml").write_text("name: Polite\nsteps: [Read it twice.]\n")
        other = criterion_behind(store, row, tmp_path)
        assert other is not None
        assert other.threshold == 0.6
