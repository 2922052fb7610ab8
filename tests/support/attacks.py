"""What a hostile file is tried with: a folder, a canary that code would leave behind, a secret outside."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECRET = "the-secret-that-lies-outside"


@dataclass(frozen=True)
class Ran:
    """What a command line did. told: all that it wrote, on standard output and standard error."""

    code: int
    told: str


@dataclass(frozen=True)
class Attack:
    """A folder with a hostile file in it, and beside the folder a secret.

    folder: of the suite. canary: a file that only code of the suite would write.
    """

    folder: Path
    canary: Path
    run: Callable[..., Ran]

    @property
    def secret(self) -> Path:
        """A file outside of the suite's folder."""
        return self.folder.parent / "secret.txt"

    def write(self, name: str, text: str) -> Path:
        """Write a file of the suite; CANARY, SECRET and ABSOLUTE stand for what they name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = text.replace("CANARY", str(self.canary)).replace("ABSOLUTE", str(self.secret))
        path.write_text(text)
        return path

    def suite(self, config: dict[str, Any], **files: str) -> Path:
        """Write a configuration of promptfoo and files beside it, of which `x__py` is x.py."""
        for name, text in files.items():
            self.write(name.replace("__", "."), text)
        whole = {"prompts": ["{{q}}"], "providers": ["echo"], "tests": [{"vars": {"q": "x"}}], **config}
        return self.write("suite.json", json.dumps(whole))
