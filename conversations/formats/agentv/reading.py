"""Reading: one eval file being read, and what is told beside its cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv.file_search import FileSearch
from turnwise.conversations.formats.promptfoo.folders import problem


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A case as it is written. place: for messages. name: its id, or where it stands."""

    fields: dict[str, Any]
    place: str
    name: str


@dataclass(slots=True)
class Reading:
    """One eval file being read.

    is_later: whether it has the later form, in which a case adds to the suite's evaluators. compat: do as
    AgentV does, which leaves out what it cannot read and says so in a line.
    """

    files: FileSearch
    is_later: bool
    compat: bool
    warnings: dict[str, None] = field(default_factory=dict)
    rejected: list[FormatError] = field(default_factory=list)

    @property
    def is_strictly_early(self) -> bool:
        """Whether only what AgentV knew in the time of the brief's form counts."""
        return self.compat and not self.is_later

    def warn(self, place: str, text: str) -> None:
        """Keep what a person should know, once."""
        self.warnings[f"{place}: {text}"] = None

    def reject(self, error: FormatError) -> None:
        """Keep that something could not be read."""
        self.rejected.append(error)

    def leave_out(self, place: str, text: str, next_step: str = "") -> None:
        """Leave a part out with a warning where AgentV does; otherwise raise FormatError."""
        if not self.compat:
            raise problem(place, text, next_step)
        self.warn(place, text)
