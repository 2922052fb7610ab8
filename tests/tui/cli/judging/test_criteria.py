"""turnwise criteria: the list, a trial against labels, and drafted steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from criterion_sessions import by_words, labelled
from judge_server import JudgeServer, refuses, says
from stored import keep

from turnwise.conversations.store import Store

POLITE = "name: Polite\ncriteria: Stays polite.\nsteps: [Look for rudeness.]\nthreshold: 0.7\n"
LENIENT = POLITE.replace("Look for rudeness", "Be lenient")


@pytest.fixture(autouse=True)
def polite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A criterion in the folder that the command runs in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "criteria").mkdir()
    path = tmp_path / "criteria" / "polite.yaml"
    path.write_text(POLITE)
    return path


@pytest.fixture
def server(judge_server_apart: JudgeServer) -> JudgeServer:
    judge_server_apart.default = by_words
    return judge_server_apart


@pytest.fixture
def judge(server: JudgeServer) -> list[str]:
    return ["--judge", f"{server.url}#m"]


@pytest.fixture
def talks(store: Store) -> list[int]:
    return labelled(store, 20)


def test_a_trial_is_told_with_matrix_figures_and_what_differs(
    turnwise: Any, judge: Any, talks: Any, polite: Path
) -> None:
    polite.write_text(LENIENT)
    ran = turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    assert ran.code == 0
    assert "Polite on 8 labelled sessions (dev, to try on)" in ran.out
    assert [line.split() for line in ran.out.splitlines() if line.startswith("judge ")] == [
        ["judge", "✓", "4", "4"],
        ["judge", "✗", "0", "0"],
    ]
    assert "caught 0 of 4 that ann failed, 0 to 60 %" in ran.out
    assert "passed 4 of 4 that ann passed, 40 to 100 %" in ran.out
    assert "TPR 1.00 (0.40 to 1.00)   TNR 0.00 (0.00 to 0.60)   kappa 0.00" in ran.out
    assert ran.out.count("It is kind.") == 4
    assert "False passes: judge passed, ann failed" in ran.out
    assert "Since run" not in ran.out


def test_another_trial_says_what_moved_since_the_one_before(
    turnwise: Any, judge: Any, talks: Any, polite: Path
) -> None:
    polite.write_text(LENIENT)
    turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    polite.write_text(POLITE)
    ran = turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    assert "caught 0 → 4 of 4 that ann failed" in ran.out
    assert "Since run 1, on 8 sessions that both scored:" in ran.out
    assert "4 verdicts changed, all to what ann said" in ran.out
    assert "TNR  0.00 → 1.00  +1.00 (−0.21 to +1.00)" in ran.out


@pytest.mark.usefixtures("polite")
def test_the_list_has_a_name_of_its_own(turnwise: Any) -> None:
    assert turnwise("criteria", "list").out == turnwise("criteria").out


def test_as_json_a_trial_is_one_object(turnwise: Any, judge: Any, talks: Any) -> None:
    row = turnwise("criteria", "try", "criteria/polite.yaml", *judge, "--json").row
    assert (row["criterion"], row["split"], row["n"], row["sessions"]) == ("Polite", "dev", 8, 8)
    assert row["matrix"] == {"true_pass": 4, "false_pass": 0, "false_fail": 0, "true_fail": 4}
    assert row["kappa"]["value"] == 1
    assert (row["judge"], row["run"]) == ("m", 1)
    assert row["false_passes"] == row["false_fails"] == []


def test_a_query_and_a_sample_narrow_it_and_the_test_is_held_back(
    turnwise: Any, judge: Any, talks: Any
) -> None:
    ran = turnwise("criteria", "try", "criteria/polite.yaml", "label:fail", "--sample", 3, *judge, "--json")
    assert (ran.row["sessions"], ran.row["query"], ran.row["held_back"]) == (3, "label:fail", 4)
    assert ran.row["matrix"]["true_fail"] == 3


def test_the_test_split_is_used_only_where_that_is_said(
    turnwise: Any, judge: Any, talks: Any, store: Store
) -> None:
    ran = turnwise("criteria", "try", "criteria/polite.yaml", "--split", "test", *judge)
    assert ran.code == 2
    assert "It was not used yet" in ran.err
    assert store.splits.uses("test") == []
    assert turnwise("criteria", "try", "criteria/polite.yaml", "--split", "test", "--yes", *judge).code == 0
    ran = turnwise("criteria", "try", "criteria/polite.yaml", "--split", "test", *judge)
    assert "It was used once, on" in ran.err


def test_without_labels_the_next_step_is_told(turnwise: Any, judge: Any, store: Store) -> None:
    keep(store)
    ran = turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    assert (ran.code, ran.out) == (2, "")
    assert "No session of dev is labelled" in ran.err
    assert "turnwise label" in ran.err
    ran = turnwise("criteria", "try", "criteria/polite.yaml", "oslo", *judge)
    assert ran.code == 0
    assert "1 session, 0 labelled" in ran.out
    assert "0.90" in ran.out


def test_without_a_judge_or_with_one_that_refuses_it_ends_in_words(
    turnwise: Any, server: JudgeServer, judge: Any, talks: Any
) -> None:
    ran = turnwise("criteria", "try", "criteria/polite.yaml", "--judge", "none")
    assert ran.code == 2
    assert "A criterion needs a judge" in ran.err
    server.default = refuses(401, "bad key")
    assert turnwise("criteria", "try", "criteria/polite.yaml", *judge).code == 3
    server.default = says("I would rather not.")
    ran = turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    assert ran.code == 1
    assert "8 could not be judged" in ran.out


def test_of_several_criteria_in_a_file_one_is_named(
    turnwise: Any, judge: Any, talks: Any, polite: Path
) -> None:
    polite.write_text("- {name: A, criteria: a}\n- {name: B, criteria: b}\n")
    ran = turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    assert ran.code == 2
    assert "Say which: --name NAME" in ran.err
    assert turnwise("criteria", "try", polite, "--name", "b", "--json", *judge).row["criterion"] == "B"
    assert turnwise("criteria", "try", polite, "--name", "c", *judge).code == 2


def test_the_list_tells_files_and_versions(
    turnwise: Any, judge: Any, talks: Any, polite: Path, store: Store
) -> None:
    assert "Polite" in turnwise("criteria").out
    turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    polite.write_text(LENIENT)
    turnwise("criteria", "try", "criteria/polite.yaml", *judge)
    row = turnwise("criteria", "--json").row
    assert (row["name"], row["file"], row["n"], row["kappa"]) == ("Polite", "criteria/polite.yaml", 8, 0)
    assert row["fails"] == 4
    assert [(one["number"], one["scored"]) for one in row["versions"]] == [(1, 8), (2, 8)]
    polite.unlink()
    row = turnwise("criteria", "--json").row
    assert (row["name"], row["file"], len(row["versions"])) == ("Polite", None, 2)


def test_without_any_the_list_says_how_to_begin(turnwise: Any, store: Store, polite: Path) -> None:
    polite.unlink()
    ran = turnwise("criteria")
    assert (ran.code, ran.out) == (0, "")
    assert "No criteria yet" in ran.err


def test_drafted_steps_are_printed_as_they_stand_in_a_file(turnwise: Any, judge: Any, store: Store) -> None:
    ran = turnwise("criteria", "draft", "criteria/polite.yaml", *judge)
    assert ran.out == "steps:\n  - Find what the assistant says.\n  - Judge its tone.\n"
    row = turnwise("criteria", "draft", "criteria/polite.yaml", "--json", *judge).row
    assert row["steps"] == ["Find what the assistant says.", "Judge its tone."]


def test_a_file_that_is_no_criterion_is_told(turnwise: Any, judge: Any, polite: Path, store: Store) -> None:
    polite.write_text("name: [")
    ran = turnwise("criteria")
    assert "polite.yaml is not YAML" in ran.err
    assert turnwise("criteria", "try", polite, *judge).code == 2
    assert turnwise("criteria", "draft", "away.yaml", *judge).code == 2


class TestLocate:
    @pytest.fixture
    def lost(self, store: Store) -> int:
        return keep(store, "Hi", "Gladly.", "And?", "You are a nuisance.", "Oh", "Yes.", name="lost")

    def test_it_tells_from_which_turn_on_a_conversation_is_lost(
        self, turnwise: Any, judge: Any, lost: int
    ) -> None:
        ran = turnwise("criteria", "locate", "criteria/polite.yaml", "name:lost", *judge)
        assert ran.code == 0
        assert f"{lost}  fails from turn 4  (2 beginnings of it judged)" in ran.out

    def test_what_is_known_costs_nothing_more(
        self, turnwise: Any, judge: Any, lost: int, server: JudgeServer
    ) -> None:
        turnwise("criteria", "locate", "criteria/polite.yaml", "name:lost", *judge)
        asked = len(server.requests)
        ran = turnwise("criteria", "locate", "criteria/polite.yaml", "--json", *judge)
        assert json.loads(ran.out) == {
            "session": lost,
            "turn": 4,
            "sure": True,
            "by": "prefixes",
            "asked": 0,
            "as_of": [],
        }
        assert len(server.requests) == asked
        assert "turn 4: Lost from here on. It is rude." in turnwise("show", str(lost)).out

    def test_where_nothing_fails_it_says_so(self, turnwise: Any, judge: Any) -> None:
        ran = turnwise("criteria", "locate", "criteria/polite.yaml", *judge)
        assert ran.code == 0
        assert "No session fails by Polite as it stands" in ran.err

    def test_those_that_pass_are_counted(self, turnwise: Any, judge: Any, lost: int, store: Store) -> None:
        keep(store, "Hi", "Gladly.", name="lost nothing")
        ran = turnwise("criteria", "locate", "criteria/polite.yaml", "name:lost", *judge)
        assert "1 session of 2 passed." in ran.err
