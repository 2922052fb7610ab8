"""turnwise settings: where they are, what holds, and an editor on them."""

import json

import pytest

from turnwise.engine.judge.usual_judge import settings_path


@pytest.fixture
def written():
    path = settings_path()
    path.parent.mkdir(parents=True)
    path.write_text('theme = "light"\n[keymap.library]\nscore = ["S", "f6"]\n')
    return path


def test_it_says_where_they_are_and_what_holds(turnwise, written):
    ran = turnwise("settings")
    assert ran.code == 0
    assert str(written) in ran.out
    assert "theme                 light" in ran.out
    assert "keymap.library.score  S, f6" in ran.out


def test_without_a_file_it_says_how_to_make_one(turnwise):
    ran = turnwise("settings")
    assert ran.code == 0
    assert "turnwise settings edit" in ran.err


def test_as_json(turnwise, written):
    held = json.loads(turnwise("settings", "--json").out)
    told = {
        "file": str(written),
        "exists": True,
        "theme": "light",
        "author": None,
        "judge": None,
        "mouse": True,
        "keymap": {"library": {"score": ["S", "f6"]}},
    }
    assert held | told == held


def test_a_mistake_is_told_with_its_line(turnwise, written):
    written.write_text('theme = "light"\n[keymap.library]\nscroe = "S"\n')
    ran = turnwise("settings")
    assert (ran.code, ran.out) == (2, "")
    assert f"{written}, line 3, keymap.library.scroe" in ran.err
    assert "Did you mean 'score'?" in ran.err


class TestEditing:
    def test_the_editor_gets_a_file_that_explains_itself(self, turnwise, monkeypatch, tmp_path):
        program = tmp_path / "write"
        program.write_text('#!/bin/sh\necho \'author = "Mia"\' >> "$2"\n')
        program.chmod(0o700)
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"{program} --wait")
        ran = turnwise("settings", "edit")
        assert ran.code == 0, ran.err
        assert settings_path().read_text().startswith("# Settings of turnwise")
        assert json.loads(turnwise("settings", "--json").out)["author"] == "Mia"

    def test_what_was_written_is_checked(self, turnwise, monkeypatch, written):
        written.write_text("them = 1")
        monkeypatch.setenv("VISUAL", "true")
        ran = turnwise("settings", "edit")
        assert ran.code == 2
        assert "Did you mean 'theme'?" in ran.err

    def test_an_editor_that_is_not_there_is_told(self, turnwise, monkeypatch):
        monkeypatch.setenv("VISUAL", "no-such-editor")
        ran = turnwise("settings", "edit")
        assert ran.code == 2
        assert "There is no editor to open" in ran.err


def test_the_judge_of_the_settings_is_taken_where_none_is_named(turnwise, written, store):
    from stored import keep

    keep(store)
    written.write_text('judge = "http://127.0.0.1:9/v1"')
    ran = turnwise("score", "--all", "--metric", "role_adherence")
    assert "127.0.0.1:9" in ran.err
    assert turnwise("score", "--all", "--metric", "role_adherence", "--judge", "none").code != ran.code
