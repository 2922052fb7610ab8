"""turnwise learn: learn, list, show, forget, and the metric that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.store import Store
from turnwise.engine.learning import examples
from turnwise.tui.judging.metric_offers import learned_offers

Run = Callable[..., Any]


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Forty sessions, half of which end with thanks and pass."""
    path = tmp_path / "turnwise.db"
    with Store.open(path) as store:
        for number in range(40):
            good = number % 2 == 0
            turns = [
                {"role": "user", "content": f"Where is parcel {number}?"},
                {"role": "assistant", "content": "I'm unable to say." if not good else "In Oslo."},
                {"role": "user", "content": "Thanks, bye." if good else "This is useless!!!"},
                {"role": "assistant", "content": "Gladly."},
            ]
            session = store.sessions.add(
                ConversationalTestCase(turns=turns), source="t", format="t"
            ).session_id
            store.labels.add(session, "pass" if good else "fail", author="mia", blind=True)
    return path


def test_it_learns_and_the_metric_scores_all_sessions(turnwise: Run, labelled: Path) -> None:
    learned = turnwise("learn", "new", "polite")
    assert learned.code == 0, learned.err
    assert "40 labels, 20 of which pass" in learned.out
    assert "What it rests on" in learned.out
    scored = turnwise("score", "--all", "--metric", "learned:polite", "--json")
    assert scored.code == 1
    assert {row["metric"] for row in scored.rows} == {"learned:polite"}
    assert sum(row["passed"] for row in scored.rows) == 20
    assert all(row["kept"] for row in turnwise("score", "--all", "--metric", "learned:polite", "--json").rows)
    found = turnwise("sessions", "learned:polite<0.5", "--json").rows
    assert len(found) == len(turnwise("sessions", "learned:polite:fail", "--json").rows) == 20
    queue = turnwise(
        "queue", "new", "doubtful", "label:pass", "--sample", "uncertain", "--metric", "learned:polite"
    )
    assert queue.code == 0, queue.err


def test_it_is_listed_shown_and_forgotten(turnwise: Run, labelled: Path) -> None:
    made = turnwise("learn", "new", "polite", "--threshold", "0.7", "--json").row
    assert made["threshold"] == 0.7
    assert {"metric", "measured", "rests_on", "grouped_by", "version"} <= made.keys()
    assert [row["metric"] for row in turnwise("learn", "--json").rows] == ["learned:polite"]
    assert turnwise("learn", "list").out.startswith("metric")
    assert turnwise("learn", "show", "polite", "--json").row == made
    with Store.open(labelled) as store:
        assert [offer.name for offer in learned_offers(store)] == ["learned:polite"]
    assert turnwise("learn", "forget", "polite", "--json").row == {"forgotten": "polite", "versions": 1}
    missing = turnwise("score", "--all", "--metric", "learned:polite")
    assert missing.code == 2
    assert "Nothing was learned as polite" in missing.err


def test_too_few_labels_say_how_many_more(turnwise: Run) -> None:
    refused = turnwise("learn", "new", "polite")
    assert refused.code == 2
    assert "10 more that pass and 10 more that fail" in refused.err


def test_labels_of_people_and_of_a_metric_do_not_go_together(turnwise: Run) -> None:
    refused = turnwise("learn", "new", "polite", "--metric", "tone", "--scores", "reward")
    assert refused.code == 2
    assert "Give --metric or --scores, and not both." in refused.err


def test_a_group_that_means_nothing_is_refused_before_anything_is_read(
    turnwise: Run, labelled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "features_of", lambda subject: pytest.fail("it read the sessions"))
    refused = turnwise("learn", "new", "polite", "--group", "nosuch")
    assert refused.code == 2
    assert "not grouped by nosuch" in refused.err


def test_nothing_learned_says_how(turnwise: Run) -> None:
    assert "turnwise learn new NAME" in turnwise("learn").err


def test_the_metric_of_what_was_learned_is_explained(turnwise: Run, labelled: Path) -> None:
    turnwise("learn", "new", "polite")
    listed = turnwise("metrics")
    assert "learned:polite" in listed.out
    assert "learned from 40 labels, AUC" in listed.out
    assert "learned:polite" in [row["name"] for row in turnwise("metrics", "--json").rows]
    ran = turnwise("metrics", "learned:Polite")
    assert "turnwise learn show polite" in ran.err
    assert "Formula:" in ran.out


def test_metrics_are_named_as_anywhere(turnwise: Run, labelled: Path) -> None:
    with Store.open(labelled) as store:
        for session in store.sessions.ids():
            store.labels.add(
                session, "pass" if session % 2 else "fail", author="mia", blind=True, metric="role_adherence"
            )
    learned = turnwise("learn", "new", "role", "--metric", "Role Adherence", "--json")
    assert learned.row["learned_from"] == "40 labels of role_adherence"
    slip = turnwise("learn", "new", "role", "--metric", "role_adherance")
    assert slip.code == 2
    assert "Did you mean role_adherence?" in slip.err
    unknown = turnwise("learn", "new", "role", "--scores", "reward")
    assert unknown.code == 2
    assert "There are no scores of reward" in unknown.err
