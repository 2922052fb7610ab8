"""What a file says beside its conversations: labels of people, earlier scores, and where they came from.

A format puts them on what it loads, and importing keeps them with the session, each once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.results import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a person found about a session, or about one turn of it.

    word: None takes back what the author said before. author: who. metric: what was looked at, as metrics
    are named; empty for the conversation or turn as a whole. value: the finding from 0 to 1, higher is
    better; None where there is only the word. turn: the number of the turn it is about; an exchange is
    named by its reply. blind: whether the scores were hidden. at: seconds since 1970; None for now.
    at_fault: who failed, of a fail; None where nobody said. adjudicates: whether it settles what people see
    differently, by somebody who saw what they said without their names.
    """

    word: LabelWord | None
    author: str
    metric: str = ""
    value: float | None = None
    turn: int | None = None
    note: str = ""
    blind: bool = False
    at: float | None = None
    at_fault: AtFault | None = None
    adjudicates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """A run that a score came from; settings are the judge's.

    name: what it was called. parameters: what is remembered of the chatbot that was judged. began, ended:
    seconds since 1970; began None for the time of import.
    """

    judge: str
    metrics: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    began: float | None = None
    ended: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastScore:
    """An outcome that was found before, with the names by which a unit of judging is known.

    runs: the run that it came from, and those that took it over. judge: its name, empty for a check.
    at: when it was found, in seconds since 1970; None for the time of import.
    """

    outcome: Outcome
    runs: tuple[PastRun, ...]
    judge: str
    version: int = 0
    metric_fingerprint: str = ""
    case_fingerprint: str = ""
    judge_fingerprint: str = ""
    at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a session came from before it was exported, so that it comes back as it was.

    source, format, name: as they were stored. created_at: seconds since 1970. fingerprint: the name of its
    content in that store, which is not believed: whoever reads it looks at the content. turn_times: seconds
    from the start to the end of every message.
    """

    source: str = ""
    format: str = ""
    name: str = ""
    created_at: float | None = None
    fingerprint: str = ""
    turn_times: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMode:
    """A failure mode that a session has.

    definition: one sentence that says when it applies. author: who gave it. turn: the number of the turn at
    which it shows. at: seconds since 1970; None for the time of import.
    """

    name: str
    definition: str
    author: str
    turn: int | None = None
    at: float | None = None
