"""turnwise queue hand, and turnwise label --from: a queue goes out as a page, and its labels come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored import keep, land, score

from turnwise.conversations.store import Store

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _queue(tmp_path: Path, turnwise: Run) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        for number in range(3):
            land(store, keep(store, f"number {number}", "yes"), score(0.1))
    turnwise("queue", "new", "tuesday", "--sample", "unlabelled")


@pytest.fixture
def handed(turnwise: Run, tmp_path: Path) -> Callable[..., Path]:
    """Hand the queue out, label it with these words, and return the file that comes back."""

    def hand(*words: str | None, **fields: Any) -> Path:
        turnwise("queue", "hand", "tuesday", "-o", tmp_path / "q.html", "--force")
        page = re.search(r'id="island">(.*?)</script>', (tmp_path / "q.html").read_text("utf-8"), re.DOTALL)
        assert page
        held = json.loads(page[1])
        labels = [
            {
                "session": session["id"],
                "name": session["name"],
                "identity": session["identity"],
                "label": word,
                "turn": None,
                "note": "",
                "modes": [],
                "at": 1_790_000_000.0,
            }
            for session, word in zip(held["sessions"], words, strict=False)
        ]
        file = {"turnwise": "labels", "version": 1, "page": held["page"], "queue": held["head"]["title"]}
        path = tmp_path / "labels-tuesday-ada.json"
        path.write_text(json.dumps({**file, "author": "ada", "blind": True, "labels": labels, **fields}))
        return path

    return hand


def test_a_queue_goes_out_and_its_labels_come_back(turnwise: Run, handed: Callable[..., Path]) -> None:
    path = handed("pass", "fail")
    ran = turnwise("label", "--from", path)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "labels-tuesday-ada.json: 2 sessions labelled by ada.\n"
    assert "2   3" in turnwise("queue", "list").out
    again = turnwise("label", "--from", path, "--json")
    assert (again.row["labelled"], again.row["unchanged"], again.row["author"]) == (0, 2, "ada")
    assert "0 sessions labelled by ada, 2 known already." in again.err
    other = turnwise("label", "--from", path, "--author", "bo", "--json").row
    assert (other["author"], other["labelled"], other["sessions"]) == ("bo", 2, [3, 2])


def test_what_is_put_off_on_the_page_is_not_told_as_labelled(
    turnwise: Run, handed: Callable[..., Path]
) -> None:
    path = handed("pass", "defer")
    ran = turnwise("label", "--from", path, "--json")
    assert (ran.row["labelled"], ran.row["put_off"]) == (1, 1)
    assert ran.err == "labels-tuesday-ada.json: 1 session labelled by ada, 1 put off.\n"
    assert "1   3" in turnwise("queue", "list").out


def test_what_is_refused_is_told_and_makes_the_exit_code(turnwise: Run, handed: Callable[..., Path]) -> None:
    ran = turnwise("label", "--from", handed("pass", "perhaps"))
    assert ran.code == 1
    assert "label 2: label cannot be read" in ran.err
    assert "1 session labelled by ada, 1 refused." in ran.err
    assert turnwise("label", "--from", handed("perhaps")).code == 2
    nothing = turnwise("label", "--from", "nothing.json", "--json")
    assert (nothing.code, nothing.row["read"]) == (2, False)
    assert "nothing.json cannot be read" in nothing.err


def test_the_page_and_its_file_are_told(turnwise: Run, tmp_path: Path) -> None:
    ran = turnwise("queue", "hand", "tuesday", "-o", tmp_path / "q.html", "--json")
    assert ran.row == {"queue": "tuesday", "sessions": 3, "file": str(tmp_path / "q.html")}
    assert "turnwise label --from FILE" in ran.err
    again = turnwise("queue", "hand", "tuesday", "-o", tmp_path / "q.html")
    assert (again.code, "There is a file" in again.err) == (2, True)
    assert turnwise("queue", "hand", "monday", "-o", tmp_path / "m.html").code == 2


def test_of_a_queue_that_draws_as_it_goes_it_says_that_more_will_come(turnwise: Run, tmp_path: Path) -> None:
    turnwise("queue", "new", "rate", "--sample", "next")
    ran = turnwise("queue", "hand", "rate", "-o", tmp_path / "r.html")
    assert "rate: 2 sessions in" in ran.err
    assert "whom to label next is drawn once their labels are back" in ran.err
    assert "drawn once" not in turnwise("queue", "hand", "tuesday", "-o", tmp_path / "q.html").err


def test_files_go_without_words_about_a_session(turnwise: Run) -> None:
    ran = turnwise("label", 1, "pass", "--from", "x.json")
    assert (ran.code, "--from goes without a session and a label" in ran.err) == (2, True)
    ran = turnwise("label")
    assert (ran.code, "Say which session" in ran.err) == (2, True)


def test_a_replay_is_written_as_a_page(turnwise: Run, tmp_path: Path) -> None:
    ran = turnwise("replay", 1, "--html", tmp_path / "r.html")
    assert (ran.code, "any browser opens it" in ran.err) == (0, True)
    assert "number 0" in (tmp_path / "r.html").read_text("utf-8")
    assert turnwise("replay", 1, "--html", tmp_path / "r.html").code == 2


@pytest.mark.parametrize("name", ["labels.json", "labels.csv", "labels.yaml"])
def test_an_empty_file_is_called_empty(turnwise: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("\n")
    ran = turnwise("label", "--from", tmp_path / name)
    assert ran.code == 2
    assert f"{name} is empty" in ran.err


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("labels.csv", "session,label,author\n,pass,ada\n", "labels.csv, line 2: session is missing"),
        ("labels.yaml", "- {label: pass, author: ada}\n", "labels.yaml, label 1: session is missing"),
        (
            "labels.json",
            '{"turnwise": "labels", "version": 1, "author": "ada", "labels": [{"label": "pass", "at": 9}]}',
            "labels.json, label 1: session is missing",
        ),
    ],
)
def test_a_missing_value_is_told_with_file_place_and_field(
    turnwise: Run, tmp_path: Path, name: str, text: str, told: str
) -> None:
    (tmp_path / name).write_text(text)
    ran = turnwise("label", "--from", tmp_path / name)
    assert ran.code == 2
    assert told in ran.err
    assert "None" not in ran.err
