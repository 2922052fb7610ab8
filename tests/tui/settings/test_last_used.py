"""What was used last is offered first the next time, and holds nothing that is secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwise.engine.judge.usual_judge import settings_path
from turnwise.tui.settings.last_used import FILE_NAME, MOST, LastUsed, UsedMemory, read_last_used


def test_the_newest_stands_first_and_each_once() -> None:
    used = UsedMemory()
    for spec in ("http://127.0.0.1:1/v1#a", "embedded:b", "http://127.0.0.1:1/v1#a"):
        used.judge(spec)
    assert used.last.judges == ("http://127.0.0.1:1/v1#a", "embedded:b")
    assert UsedMemory().last == used.last


def test_it_stands_beside_the_settings() -> None:
    UsedMemory().metrics(["role_adherence"])
    assert settings_path().with_name(FILE_NAME).is_file()


def test_of_many_the_oldest_goes() -> None:
    used = UsedMemory()
    for number in range(MOST + 2):
        used.chatbot(f"http://127.0.0.1:{number}/v1")
    assert len(used.last.chatbots) == MOST
    assert used.last.chatbots[-1] == "http://127.0.0.1:2/v1"


@pytest.mark.parametrize("spec", ["http://ada:secret@127.0.0.1:1/v1#a", "https://x.example/v1?key=secret#a"])
def test_an_address_that_holds_a_secret_is_not_kept(spec: str) -> None:
    used = UsedMemory()
    used.judge(spec)
    used.chatbot(spec)
    assert used.last == LastUsed()
    assert "secret" not in settings_path().with_name(FILE_NAME).read_text()


def test_two_programs_add_to_it(tmp_path: Path) -> None:
    one, other = UsedMemory(), UsedMemory()
    one.judge("embedded:a")
    other.folder(tmp_path)
    assert UsedMemory().last == LastUsed(judges=("embedded:a",), folder=str(tmp_path))


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"judges": 3, "folder": [], "more": 1}'])
def test_what_cannot_be_read_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    assert read_last_used(tmp_path / "x.json") == LastUsed()


def test_a_folder_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    used = UsedMemory(tmp_path / "file" / "x.json")
    used.judge("embedded:a")
    assert used.last.judges == ("embedded:a",)
