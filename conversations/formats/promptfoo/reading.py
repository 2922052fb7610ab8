"""Reading: one configuration being read, and the tests in it as they are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo.code import CodeRunner, NoCode
from turnwise.conversations.formats.promptfoo.folders import Folder

if TYPE_CHECKING:
    from turnwise.conversations.formats.promptfoo.remote_tests import Network


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test as it is written. place: for messages. folder: where the variable files of the test start."""

    fields: dict[str, Any]
    place: str
    folder: Folder


@dataclass(slots=True)
class Reading:
    """One configuration being read. Collects what is told beside the cases."""

    folder: Folder
    compat: bool
    warnings: list[str] = field(default_factory=list)
    rejected: list[FormatError] = field(default_factory=list)
    nested: int = 0
    """Files that were named in files, so far."""
    data_sets: int = 0
    """Data sets of scenarios, so far."""
    network: Network | None = None
    """The user's yes to fetching tests from other computers; None is no."""
    code: CodeRunner = field(default_factory=NoCode)
    """Who runs code that the files name."""

    def attempt(self, read: Callable[[], Iterator[WrittenTest]]) -> Iterator[WrittenTest]:
        """Yield what is read; an error ends that source and is kept, and the rest still loads."""
        try:
            yield from read()
        except FormatError as error:
            self.reject(error)

    def warn(self, text: str) -> None:
        """Keep what a person should know, once for every kind: the first place stands for the others."""
        kind = text.partition(": ")[2]
        if not any(warning.endswith(f": {kind}") for warning in self.warnings):
            self.warnings.append(text)

    def reject(self, error: FormatError) -> None:
        """Keep that something could not be read."""
        self.rejected.append(error)


def kind_of(value: Any) -> str:
    """Return the word for what a value is, to say what was found instead."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return f"the text {json.dumps(value[:40], ensure_ascii=False)}"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a number"
