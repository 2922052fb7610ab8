from __future__ import annotations

from pathlib import Path

import pytest

from turnwise.tui.importing.path_choices import completed, is_prose, paths_for


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = (
        "talks.jsonl",
        "talks-old.jsonl",
        "talks.md",
        "a.txt",
        "support.log",
        "x.png",
        ".hidden.json",
        "Upper.CSV",
    )
    for name in files:
        (tmp_path / name).write_text("")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "inner.json").write_text("")
    return tmp_path


def names(typed: str, folder: Path) -> list[str]:
    return [path.name for path in paths_for(typed, folder)]


def test_folders_come_first_then_data_and_at_last_what_may_be_a_transcript(folder: Path) -> None:
    assert names("", folder) == [
        "more",
        *("talks-old.jsonl", "talks.jsonl", "Upper.CSV"),
        *("a.txt", "support.log", "talks.md"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "prose"),
    [
        ("a.log", "12:03 User: hi\n", True),
        ("a.log", "[12:03] User: hi\n", True),
        ("a.log", '{"text": "hi"}\n', False),
        ("a.csv", "words", False),
    ],
)
def test_a_log_is_a_text_of_words_unless_it_holds_objects(
    tmp_path: Path, name: str, text: str, prose: bool
) -> None:
    (tmp_path / name).write_text(text)
    assert is_prose(tmp_path / name) is prose


def test_hidden_files_wait_for_their_dot(folder: Path) -> None:
    assert names(".", folder) == [".hidden.json"]


def test_case_does_not_matter_and_absolute_paths_work(folder: Path) -> None:
    assert names("UP", folder) == ["Upper.CSV"]
    assert names(f"{folder}/more/", Path("/")) == ["inner.json"]


def test_what_is_no_folder_has_no_choices(folder: Path) -> None:
    assert names("nowhere/", folder) == []


@pytest.mark.parametrize(
    ("typed", "more"),
    [
        ("t", "talks"),
        ("talks.", "talks.jsonl"),
        ("talks.m", "talks.md"),
        ("a", "a.txt"),
        ("m", "more/"),
        ("more/", "more/inner.json"),
        ("z", "z"),
    ],
)
def test_completion_adds_what_all_choices_share(folder: Path, typed: str, more: str) -> None:
    assert completed(typed, folder) == more
