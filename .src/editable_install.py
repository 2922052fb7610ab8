"""What a build adds to the rooms: the package turnwise itself, whose names stand in `.src/turnwise`.

A wheel gets its modules beside the rooms. An editable install finds them in `.src/turnwise`, and there the
links to the rooms as turnwise.tui and so on. In a checkout without symbolic links, as git makes one on
Windows or where told to, these are small text files: the install then gets a package that looks for its rooms
in the checkout itself; the links are needed for nothing else but type checkers.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("conversations", "engine", "tui")
FILES = ("__init__.py", "__init__.pyi", "py.typed")


class PackageItself(BuildHookInterface):  # type: ignore[misc] # the build alone has hatchling
    """Adds the package to a wheel, and to an editable install where a link is none."""

    PLUGIN_NAME = "custom"
    scratch: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the package to what is built. version: editable, or standard for a wheel as others get it."""
        package_here = Path(self.root, ".src", "turnwise")
        if version != "editable":
            for name in FILES:
                build_data["force_include"][str(package_here / name)] = f"turnwise/{name}"
            return
        if all((package_here / room).is_dir() for room in ROOMS):
            return
        self.scratch = tempfile.TemporaryDirectory()
        package = Path(self.scratch.name, "__init__.py")
        package.write_text(package_text(Path(self.root)), encoding="utf-8")
        build_data["force_include_editable"][str(package)] = "turnwise/__init__.py"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take away what was needed for the build alone."""
        if self.scratch is not None:
            self.scratch.cleanup()


def package_text(root: Path) -> str:
    """Return the package that finds its rooms in a checkout."""
    itself = Path(root, ".src", "turnwise", "__init__.py").read_text(encoding="utf-8")
    return f"{itself}\n\n# The checkout has no links that lead to the rooms.\n__path__ = [{str(root)!r}]\n"
