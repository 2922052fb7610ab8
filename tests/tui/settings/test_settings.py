"""The settings file: what holds, and mistakes told with file, line and field."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import SettingError
from turnwise.engine.judge.usual_judge import settings_path
from turnwise.tui.settings.settings import (
    Settings,
    keep_setting,
    line_of,
    load_settings,
    read_settings,
)

FILE = Path("settings.toml")


def test_without_a_file_all_is_as_it_comes() -> None:
    assert load_settings() == Settings()


def test_every_setting_is_read() -> None:
    text = 'theme = "light"\nauthor = "Mia"\njudge = "embedded"\nmouse = false\n[keymap.library]\nscore = "S"'
    text += '\n[maps]\nown = "messages=log"'
    text = f'motion = "reduced"\nterminal_title = false\n{text}'
    expected = Settings(
        theme="light",
        author="Mia",
        judge="embedded",
        mouse=False,
        motion="reduced",
        terminal_title=False,
        keymap={"library": {"score": "S"}},
        maps={"own": "messages=log"},
    )
    assert read_settings(text, FILE) == expected


def test_the_folder_or_the_file_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path))
    assert settings_path() == tmp_path / "settings.toml"
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path / "mine.toml"))
    assert settings_path() == tmp_path / "mine.toml"
    monkeypatch.delenv("TURNWISE_CONFIG")
    assert settings_path().parent.name == "turnwise"


@pytest.mark.parametrize(
    ("text", "title", "place", "step"),
    [
        ('\nthem = "dark"', "There is no setting 'them'", "line 2, them", "'theme'"),
        ("colour = 1", "There is no setting 'colour'", "line 1, colour", "theme, author"),
        ('theme = "drak"', "There is no theme 'drak'", "line 1, theme", "'dark'"),
        ("theme = 3", "A setting is not what it must be", "line 1, theme", "edit"),
        ('author = "a"\nmouse = "yes"', "A setting is not what it must be", "line 2, mouse", "edit"),
        ("author = 2020-01-01T00:00:00\nmouse = 1", "A setting is not what it must be", "line 2", "edit"),
        ("keymap = 3", "A setting is not what it must be", "line 1, keymap", "edit"),
        ("theme =", "The settings are no TOML", "end of document", 'theme = "light"'),
        ("[keymap.library]\n\nscroe = 'x'", "There is no action 'scroe' in library", "line 3", "'score'"),
        ("[keymap]\nlibrary.score = 'b'", "The key 'b' is wanted by two actions", "line 2", "another"),
        ('[keymap]\n"library.score" = "ctr+x"', "There is no key 'ctr+x'", "line 2", "'ctrl+x'"),
        ("[keymap.libary]\nscore = 'x'", "There is no screen 'libary'", "line 1", "'library'"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_field(text: str, title: str, place: str, step: str) -> None:
    with pytest.raises(SettingError) as caught:
        read_settings(text, FILE)
    assert caught.value.title == title
    assert "settings.toml" in caught.value.detail
    assert place in caught.value.detail
    assert step in caught.value.next_step


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path, tmp_path / "binary.toml"):
        with pytest.raises(SettingError, match="cannot be read"):
            load_settings(path)


class TestKeepingASetting:
    def test_a_file_is_made_where_there_is_none(self) -> None:
        keep_setting("theme", "light")
        assert settings_path().read_text() == 'theme = "light"\n'

    def test_all_else_stays_as_it_is(self, tmp_path: Path) -> None:
        path = tmp_path / "s.toml"
        path.write_text('# mine\n theme="dark" # so\n[keymap]\nhelp = "f2"')
        keep_setting("theme", "ansi", path)
        assert path.read_text() == '# mine\ntheme = "ansi"\n[keymap]\nhelp = "f2"'

    def test_a_theme_of_another_table_is_not_it(self, tmp_path: Path) -> None:
        path = tmp_path / "s.toml"
        path.write_text('[other]\ntheme = "x"\n')
        keep_setting("theme", "ansi", path)
        assert path.read_text() == 'theme = "ansi"\n[other]\ntheme = "x"\n'

    @given(value=st.text())
    def test_any_text_comes_back_as_it_was(self, value: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s.toml"
            try:
                keep_setting("judge", value, path)
            except SettingError:
                # Half a surrogate pair is no text that a file can hold.
                assert not value.isprintable()
            else:
                assert load_settings(path).judge == value

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real.toml").write_text("mouse = true\n")
        (tmp_path / "link.toml").symlink_to(tmp_path / "real.toml")
        keep_setting("theme", "dark", tmp_path / "link.toml")
        assert (tmp_path / "link.toml").is_symlink()
        assert (tmp_path / "real.toml").read_text() == 'theme = "dark"\nmouse = true\n'

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(SettingError, match="could not be kept"):
            keep_setting("theme", "dark", tmp_path / "file" / "s.toml")


@given(st.text())
def test_no_text_breaks_the_reading(text: str) -> None:
    try:
        read_settings(text, FILE)
    except SettingError as error:
        assert "settings.toml" in error.detail  # noqa: PT017


@given(st.text(), st.lists(st.text(), max_size=3))
def test_a_line_is_one_of_the_text(text: str, place: list[str]) -> None:
    assert 0 <= line_of(text, place) <= len(text.splitlines())
