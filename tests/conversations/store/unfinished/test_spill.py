"""What a run cannot keep yet waits in a private file, and comes in once, whoever opens the database."""

from __future__ import annotations

import sqlite3
import stat
import time
from pathlib import Path

import pytest
from stored import keep

from turnwise.conversations.results import Failure, Score, Skipped, Verdict
from turnwise.conversations.store import Batch, CallRow, Identity, Spill, Store, spilled


def identity(session: int, metric: str = "m") -> Identity:
    return Identity(session, None, metric, 1, "metric", "case", "judge", "the judge")


def call(key: str = "k", reply: str = "yes") -> CallRow:
    return CallRow(key, "judge", "model", {"q": [1, {"a": "b"}]}, reply, {"t": 1}, 0.5, None, time.time())


def batch(store: Store, session: int) -> Batch:
    run = store.runs.begin(judge="j", metrics=["m"])
    verdict = Verdict(turn=2, passed=True, word="yes", reason="as said")
    found = Score(
        metric="m",
        reason="r",
        score=0.5,
        threshold=0.4,
        verdicts=(verdict,),
        calls=("k",),
        details={"a": [1]},
    )
    return Batch(
        run_id=run,
        calls=((call(), True), (call("other", "ha\ud800lf"), False)),
        outcomes=(
            (identity(session), found),
            (identity(session, "f"), Failure(metric="f", reason="r", kind="refused", next_step="s")),
            (identity(session, "s"), Skipped(metric="s", reason="nothing")),
        ),
        answers=(("who", '"hello"'),),
    )


def counts(path: Path) -> list[int]:
    connection = sqlite3.connect(path)
    tables = ("scores", "verdicts", "calls", "answers", "run_scores")
    found = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]  # noqa: S608
    connection.close()
    return found


ALL_IN = [3, 1, 2, 1, 3]


def test_the_next_opening_keeps_what_a_run_left(store: Store) -> None:
    session, spill = keep(store), Spill(store.path)
    spill.add(batch(store, session))
    (path,) = spilled(store.path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    spill.close()
    with Store.open(store.path) as again:
        assert counts(store.path) == ALL_IN
        score, failure, skipped = again.scores.of(session)
        assert (score.score, score.calls, score.details) == (0.5, ("k",), {"a": [1]})
        assert (failure.outcome, failure.kind, skipped.outcome) == ("failure", "refused", "skipped")
        assert again.calls.get("k").request == {"q": [1, {"a": "b"}]}
        assert again.calls.reusable("other") is None
    assert spilled(store.path) == []
    Store.open(store.path).close()
    assert counts(store.path) == ALL_IN


def test_the_file_of_a_run_that_is_still_there_is_its_own(store: Store) -> None:
    session, spill = keep(store), Spill(store.path)
    spill.add(batch(store, session))
    Store.open(store.path).close()
    assert counts(store.path) == [0, 0, 0, 0, 0]
    store.spills.keep(spill)
    assert counts(store.path) == ALL_IN
    assert spilled(store.path) == []


def test_what_is_in_stays_in_once_where_it_was_broken_off_before_the_file_went(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, spill = keep(store), Spill(store.path)
    spill.add(batch(store, session))
    with monkeypatch.context() as broken:
        broken.setattr(Spill, "remove", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            store.spills.keep(spill)
    spill.close()
    Store.open(store.path).close()
    assert counts(store.path) == ALL_IN
    assert spilled(store.path) == []


def test_a_line_that_was_cut_off_hides_none_before_it(store: Store) -> None:
    session, spill = keep(store), Spill(store.path)
    spill.add(batch(store, session))
    spill.close()
    (path,) = spilled(store.path)
    with path.open("a") as file:
        file.write('{"run": 1, "calls": [[')
    Store.open(store.path).close()
    assert counts(store.path) == ALL_IN


def test_a_batch_is_found_where_it_was_put(store: Store) -> None:
    session, spill = keep(store), Spill(store.path)
    first = spill.add(batch(store, session))
    second = spill.add(Batch(run_id=1, answers=(("b", "2"),)))
    assert spill.at(second).answers == (("b", "2"),)
    assert [row.key for row, _ in spill.at(first).calls] == ["k", "other"]
