"""The build: every install has the package itself, and one of a checkout without links finds its rooms."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig
import tomllib
import types
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FILES = ("__init__.py", "__init__.pyi", "py.typed")
FIND = "import turnwise, turnwise.tui.cli.main as main; print(main.__file__, turnwise.Turn.__name__)"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the hook; the build alone has hatchling, which gives the hook its root."""

    class Interface:
        def __init__(self, root: Path) -> None:
            self.root = str(root)

    name = "hatchling.builders.hooks.plugin.interface"
    standing_in = types.ModuleType(name)
    standing_in.BuildHookInterface = Interface  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, name, standing_in)
    spec = importlib.util.spec_from_file_location("editable_install", ROOT / ".src" / "editable_install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout as git makes it where it makes no symbolic links."""
    made = tmp_path / "turnwise"
    clone = ["git", "-c", "core.symlinks=false", "clone", "--quiet", "--no-hardlinks", "--depth=1"]
    subprocess.run([*clone, f"file://{ROOT}", made], check=True)
    return made


def included(hook: Any, root: Path, version: str) -> dict[str, str]:
    """Return what the hook adds to an install: places in it by the text that stands there."""
    data: dict[str, Any] = {"force_include_editable": {}, "force_include": {}}
    made = hook.PackageItself(root)
    made.initialize(version, data)
    files = data["force_include_editable" if version == "editable" else "force_include"]
    added = {place: Path(file).read_text() for file, place in files.items()}
    made.finalize(version, data, "")
    return added


def found(installed: Path, checkout: Path) -> subprocess.CompletedProcess[str]:
    """Import the command as an installed program does, without what this environment has of turnwise."""
    paths = [str(installed), str(checkout / ".src"), sysconfig.get_path("purelib")]
    code = f"import sys; sys.path[:0] = {paths!r}; {FIND}"
    command = [sys.executable, "-I", "-S", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=installed)


def test_a_checkout_without_links_is_installed_with_a_package_that_finds_its_rooms(
    hook: Any, checkout: Path, tmp_path: Path
) -> None:
    installed = tmp_path / "installed"
    installed.mkdir()
    assert "No module named 'turnwise.tui'" in found(installed, checkout).stderr
    for place, text in included(hook, checkout, "editable").items():
        (installed / place).parent.mkdir()
        (installed / place).write_text(text)
    ran = found(installed, checkout)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.strip() == f"{checkout / 'tui' / 'cli' / 'main.py'} Turn"


def test_nothing_is_added_where_the_links_are_links(hook: Any) -> None:
    assert included(hook, ROOT, "editable") == {}


@pytest.mark.parametrize("with_links", [True, False])
def test_a_wheel_has_the_package_itself(hook: Any, checkout: Path, with_links: bool) -> None:
    added = included(hook, ROOT if with_links else checkout, "standard")
    here = ROOT / ".src" / "turnwise"
    assert added == {f"turnwise/{name}": (here / name).read_text() for name in FILES}


def test_a_source_distribution_can_be_built_again() -> None:
    kept = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["sdist"]
    for name in ("editable_install.py", *(f"turnwise/{file}" for file in FILES)):
        assert f".src/{name}" in kept["only-include"]


def test_the_build_runs_the_hook() -> None:
    assert 'path = ".src/editable_install.py"' in (ROOT / "pyproject.toml").read_text()
