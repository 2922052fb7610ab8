"""The pictures of the docs are made by a script, and are the same every time."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "docs" / "screenshots.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screenshots", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["screenshots"] = module
    spec.loader.exec_module(module)
    return module


def draw(folder: Path, *names: str, size: str = "80x24", theme: str = "dark") -> dict[str, bytes]:
    command = [sys.executable, str(SCRIPT), "--all", size, theme, str(folder), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path.stem: path.read_bytes() for path in folder.iterdir()}


def test_every_picture_has_a_name_of_its_own(script: ModuleType) -> None:
    names = [picture.name for picture in script.PICTURES]
    assert len(names) == len(set(names))
    assert any(picture.docs for picture in script.PICTURES)


def test_every_action_on_the_way_to_a_picture_has_a_key(script: ModuleType) -> None:
    actions = {key for one in script.PICTURES for key in one.keys if re.fullmatch(r"[a-z_]+\.[a-z_]+", key)}
    for action in actions:
        key = script._key_of_action(action)
        assert len(key) == 1 or key in script._KEYS or "+" in key, f"{action} would be typed as {key!r}"


def test_the_docs_show_every_picture_that_is_made_for_them(script: ModuleType) -> None:
    root = SCRIPT.parents[1]
    pages = [root / "README.md", *SCRIPT.parent.rglob("*.md")]
    shown = {
        name for page in pages for name in re.findall(r"pictures/([\w-]+)\.svg", page.read_text("utf-8"))
    }
    assert shown == {picture.name for picture in script.PICTURES if picture.docs}
    assert shown == {path.stem for path in (SCRIPT.parent / "pictures").glob("*.svg")}


def test_the_same_screen_makes_the_same_picture(tmp_path: Path) -> None:
    first = draw(tmp_path / "a", "library", "help")
    assert first == draw(tmp_path / "b", "library", "help")
    assert b"Frachtraum" in first["library"]


def test_a_picture_fetches_nothing(tmp_path: Path) -> None:
    (drawn,) = draw(tmp_path / "out", "library", theme="no-color").values()
    assert b"url(http" not in drawn
    assert b"font-face" not in drawn


def test_a_name_that_is_no_picture_is_told(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["zeppelin"]) == 2
    assert "zeppelin" in capsys.readouterr().out
