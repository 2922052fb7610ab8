"""Editable installs of a checkout without symbolic links, as git makes one on Windows or where told to.

`.src/turnwise` holds links to the rooms, by which an editable install finds them as turnwise.tui and so on.
In such a checkout they are small text files. The install then gets a package of that name that looks for its
rooms in the checkout itself; the links are needed for nothing else but type checkers.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("conversations", "engine", "tui")


class CheckoutWithoutLinks(BuildHookInterface):  # type: ignore[misc] # the build alone has hatchling
    """Adds that package to an editable install where a link is none."""

    PLUGIN_NAME = "custom"
    scratch: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the package to what is built. version: editable, or standard for a wheel as others get it."""
        links = Path(self.root, ".src", "turnwise")
        if version != "editable" or all((links / room).is_dir() for room in ROOMS):
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
    return f'"""turnwise, in a checkout without links."""\n\n__path__ = [{str(root)!r}]\n'
