"""Mappings under a name, in the file of settings."""

import tomllib

import pytest

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.tui.settings.kept_maps import (
    forget_map,
    keep_map,
    kept_map,
    kept_maps,
    map_text,
    told_mapping,
)
from turnwise.tui.settings.settings import load_settings

WRITTEN = '# mine\ntheme = "light"  # bright\n[keymap.library]\nscore = ["S", "f6"]\n'


def test_a_mapping_is_kept_and_all_else_of_the_file_stays(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(WRITTEN)
    assert keep_map("help desk", "messages=log,role=who", path)
    assert keep_map("other", 'content="a.b".c', path)
    assert not keep_map("help desk", "messages=events", path)
    assert kept_maps(path) == {"other": 'content="a.b".c', "help desk": "messages=events"}
    assert path.read_text().startswith(WRITTEN)
    assert load_settings(path).theme == "light"
    forget_map("help desk", path)
    assert list(kept_maps(path)) == ["other"]
    assert tomllib.loads(path.read_text())["keymap"] == {"library": {"score": ["S", "f6"]}}


def test_a_name_that_is_not_there_is_told_with_the_nearest(tmp_path):
    path = tmp_path / "settings.toml"
    keep_map("helpdesk", "messages=log", path)
    with pytest.raises(NotFoundError, match="helpdesk"):
        kept_map("helpdsk", path)
    with pytest.raises(NotFoundError):
        forget_map("helpdsk", path)


@pytest.mark.parametrize("name", ["", "a\nb", 'a"b', "[x]", "x" * 61, " a"])
def test_a_name_must_be_one(tmp_path, name):
    with pytest.raises(SettingError, match="no name"):
        keep_map(name, "messages=log", tmp_path / "settings.toml")


def test_what_is_said_goes_before_what_is_kept():
    keep_map("mine", "messages=log,role=who,content=text")
    told = told_mapping(["content=words"], use="mine")
    assert told == {"messages": ("log",), "role": ("who",), "content": ("words",)}
    assert "messages" not in told_mapping([], use="mine", messages="events")
    assert map_text(None, told) == "messages=log,role=who,content=words"
    assert map_text("log", {"user": ("Ann", "Max")}) == "messages=log,user=Ann,user=Max"
