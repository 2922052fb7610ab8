"""turnwise agree: a table for people, one object for programs."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored import keep, land, score

from turnwise.conversations.store import Store

Run = Callable[..., Any]


class Terminal(io.StringIO):
    """Standard input at which somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def labelled(tmp_path: Path) -> None:
    """Fourteen of fifteen passed rightly, seven of nine failed rightly, by one person."""
    with Store.open(tmp_path / "turnwise.db") as store:
        for count, value, word in [(14, 0.9, "pass"), (2, 0.8, "fail"), (1, 0.1, "pass"), (7, 0.2, "fail")]:
            for _ in range(count):
                number = store.sessions.count()
                session = keep(store, f"question {number}", name=f"talk {number}")
                land(store, session, score(value))
                store.labels.add(session, word, author="mia", blind=True)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _mia(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setattr("turnwise.conversations.store.labels.default_author", lambda: "mia")


@pytest.mark.usefixtures("labelled")
def test_the_table_speaks_plainly(turnwise: Run) -> None:
    ran = turnwise("agree", "politeness")
    assert ran.code == 0
    assert "politeness against 24 labels of yours" in ran.out
    assert "judge ✓     14      2" in ran.out
    assert "passed 14 of 15 that you passed" in ran.out
    assert ["TPR", "93", "%", "68", "to", "100", "%"] in [line.split()[-7:] for line in ran.out.splitlines()]
    assert "False passes: judge passed, you failed" in ran.out
    assert "talk 14" in ran.out


@pytest.mark.usefixtures("labelled")
def test_without_a_metric_it_names_those_that_were_judged(turnwise: Run) -> None:
    ran = turnwise("agree")
    assert ran.code == 2
    assert "Missing argument 'METRIC'. Judged so far: politeness." in ran.err
    assert "Such as: `turnwise agree politeness`" in ran.err


def test_without_a_metric_and_without_scores_it_says_how_to_score(turnwise: Run, store: Store) -> None:
    keep(store)
    assert "Nothing is scored yet: `turnwise score --all --metric NAME`" in turnwise("agree").err


@pytest.mark.usefixtures("labelled")
def test_json_is_one_object_with_all_of_it(turnwise: Run) -> None:
    row = turnwise("agree", "politeness", "talk", "--author", "mia", "--json").row
    assert row["n"] == 24
    assert row["author"] == "mia"
    assert row["query"] == "talk"
    assert row["tpr"]["value"] == pytest.approx(14 / 15)
    assert len(row["false_passes"]) == 2
    assert [one["session"] for one in row["false_fails"]] == [17]
    assert row["corrected_pass_rate"]["low"] < row["corrected_pass_rate"]["value"]


@pytest.mark.usefixtures("labelled")
def test_a_look_at_the_test_split_is_told_and_noted(
    turnwise: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        store.splits.add({session: "test" if session % 2 else "dev" for session in store.sessions.ids()})
        assert turnwise("agree", "politeness", "--split", "dev").err == ""
        assert store.splits.uses("dev") == store.splits.uses("test") == []
        ran = turnwise("agree", "politeness", "--split", "test", "--json")
        assert (ran.code, ran.row["n"]) == (0, 12)
        assert "looked at once, at the end. It was not used yet; this use is noted." in ran.err
        [use] = store.splits.uses("test")
        assert (use.criterion, use.sessions, use.author) == ("politeness", 12, "mia")
        assert turnwise("agree", "politeness", "--split", "test", "--yes").err == ""
        assert len(store.splits.uses("test")) == 2
        # At a terminal it asks, and a no shows nothing.
        monkeypatch.setattr("sys.stdin", Terminal("n\n"))
        ran = turnwise("agree", "politeness", "--split", "test")
        assert "It was used twice, last on" in ran.err
        assert (ran.code, ran.out) == (1, "")
        assert "Nothing was changed." in ran.err
        assert len(store.splits.uses("test")) == 2


def test_without_labels_it_says_how_to_get_some(turnwise: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        land(store, keep(store), score(0.9))
    ran = turnwise("agree", "politeness")
    assert ran.code == 0
    assert "turnwise label SESSION pass" in ran.err
    assert turnwise("agree", "politeness", "--json").row["n"] == 0


@pytest.mark.usefixtures("labelled")
def test_what_is_not_there_is_wrong_use(turnwise: Run) -> None:
    assert turnwise("agree", "politness").code == 2
    assert "Did you mean politeness?" in turnwise("agree", "politness").err
    assert "Did you mean faithfulness?" in turnwise("agree", "faithfulnes").err
    assert "turnwise score --all --metric faithfulness" in turnwise("agree", "faithfulness").err
    assert turnwise("agree", "politeness", "--author", "zoe").code == 2
    assert turnwise("agree", "politeness", "--run", "99").code == 2
    assert turnwise("agree", "politeness", "label:maybe").code == 2
