"""Said turns: what was said in a talk and cannot be kept yet, for the file beside the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.conversations.store.sessions import SessionTable
from turnwise.conversations.store.turns import TurnTable

if TYPE_CHECKING:
    from turnwise.conversations.turns import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTurns:
    """Turns of one talk.

    key, about: of its session, as `SessionTable.begin` takes them.
    session_id: None where the session is not made yet. turns: each with the time of its end, in seconds from
    the start of the session.
    """

    key: str
    about: Mapping[str, Any] = field(default_factory=dict)
    session_id: int | None = None
    turns: tuple[tuple[Turn, float], ...] = ()

    def keep(self, sessions: SessionTable, turns: TurnTable) -> None:
        """Keep the turns at the end of their session, which is made where it is not there."""
        known = self.session_id if self.session_id in sessions else sessions.of_key(self.key)
        session_id = sessions.begin(key=self.key, **self.about) if known is None else known
        for turn, at in self.turns:
            turns.append(session_id, turn, at=at)

    def as_plain(self) -> dict[str, Any]:
        """Return the turns as a value that json.dumps takes."""
        said = [[turn.model_dump(mode="json", exclude_defaults=True), at] for turn, at in self.turns]
        return {"key": self.key, "about": dict(self.about), "session": self.session_id, "turns": said}

    @classmethod
    def of_plain(cls, plain: Mapping[str, Any]) -> SaidTurns:
        """Return what `as_plain` was given."""
        from turnwise.conversations.turns import Turn  # pydantic

        said = tuple((Turn.model_validate(turn), at) for turn, at in plain["turns"])
        return cls(key=plain["key"], about=plain["about"], session_id=plain["session"], turns=said)
