"""Rows: stored things as plain frozen values, light enough for lists of a hundred thousand.

Times are seconds since 1970 in UTC. Text is as it was stored: whoever shows it makes it safe first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.results import Quote


@dataclass(frozen=True, slots=True)
class ToolCallRow:
    """One use of a tool: its name, what went in and what came out, as JSON text."""

    name: str
    arguments: str
    output: str | None
    seconds: float | None = None


REPLY = "reply"
"""Under this name a turn's metadata keep how a recorded reply came, where not all was well."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One message of a session.

    position: from 0, over all messages. number: from 1, over spoken turns; None for the others.
    at: seconds from the start of the session to the end of this turn, where recorded.
    interrupted: it was cut short. remark: what went wrong with it, in words for people. reasoning: what the
    chatbot thought before it answered. files: what came with it, in words. told: model, tokens and cost.
    """

    position: int
    number: int | None
    role: str
    content: str
    name: str | None = None
    tool_call_id: str | None = None
    passages: tuple[str, ...] = ()
    tools_called: tuple[ToolCallRow, ...] = ()
    at: float | None = None
    interrupted: bool = False
    remark: str = ""
    reasoning: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    told: str = ""


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One verdict of a score; see results.Verdict for the fields.

    gone: whether the words that it rests on stand in their turn no more, which was changed since.
    """

    turn: int | None
    passed: bool | None
    word: str
    reason: str
    about: str = ""
    quote: Quote | None = None
    gone: bool = False

    @property
    def is_about_words(self) -> bool:
        """Whether what it is about was said so, and is no summary of what was said."""
        return self.quote is not None and self.quote.text.split() == self.about.split()


def quote_gone(verdict: VerdictRow) -> str:
    """Say that the words that a verdict rests on stand in their turn no more; empty where they do."""
    if verdict.quote is None or not verdict.gone:
        return ""
    words = " ".join(verdict.quote.text.split())
    return f"Turn {verdict.quote.turn} was changed since and no longer says “{words}”"


def said_by(name: str, came_from: str) -> str:
    """Return who judged or labelled, with the file whose word that is, where it was not here."""
    return f"{name} (says {came_from})".strip() if came_from else name


EARLIER_VERSION = "earlier_version"
"""Under this name the details of a score say that an earlier version kept it of a test file."""

SAVED_BY = "saved_by"
"""Under this name the details of a score say which program found it, where that was not turnwise."""
AUTHOR = "author"
"""Under this name they say what in that program found it."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One outcome of a metric on a session (or on one exchange of it), with its verdicts.

    threshold: None where it is no score, or the check itself states whether it passes. came_from: the file
    that it was imported from; empty where it was found here.
    """

    id: int
    session_id: int
    metric: str
    outcome: Literal["score", "failure", "skipped"]
    score: float | None
    threshold: float | None
    passed: bool | None
    reason: str
    exchange: int | None
    created_at: float
    judge: str
    version: int
    run_id: int
    calls: tuple[str, ...] = ()
    seconds: float = 0.0
    cost: float | None = None
    verdicts: tuple[VerdictRow, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""
    next_step: str = ""
    came_from: str = ""
    other_model: str = ""
    """The model that answers for the judge now, where another one answered for this score; else empty."""

    @property
    def remark(self) -> str:
        """What a reader must know of the score itself, in a sentence or two; mostly nothing."""
        since = (
            f"Since then {self.other_model} answers for its judge, in place of the model that gave it."
            if self.other_model
            else ""
        )
        foreign = (
            f"It was {self._found()}, not here: the file {self.came_from} says so." if self.came_from else ""
        )
        earlier = str(self.details.get(EARLIER_VERSION, ""))
        return " ".join(part for part in (earlier, foreign, since) if part)

    def _found(self) -> str:
        author, tool = self.details.get(AUTHOR), self.details.get(SAVED_BY)
        found = f"judged by {self.judge}" if self.judge else f"found by {author}" if author else "found"
        return f"{found} in {tool}" if tool else found

    @property
    def judged_by(self) -> str:
        """The judge, and the file that says so where it was not asked here; empty for a check of ours."""
        return said_by(self.judge, self.came_from)


@dataclass(frozen=True, slots=True)
class MetricRow:
    """The outcomes of one metric in a run, counted. mean: of its scores, None without any."""

    metric: str
    scores: int
    passed: int
    mean: float | None
    failures: int
    skipped: int


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call of a judge, as it was sent and as it came back.

    request: the JSON that was sent. reply: the text of the answer. usage: token counts by name.
    tokens: the generated tokens with the likelier alternatives of each, where the judge gave them.
    """

    key: str
    judge: str
    model: str
    request: Mapping[str, Any]
    reply: str
    usage: Mapping[str, int]
    seconds: float
    cost: float | None
    created_at: float
    finish_reason: str = ""
    tokens: Any = None

    @property
    def messages(self) -> list[tuple[str, str]]:
        """The role and the text of each message that was sent; a part that is no text is named."""
        found = []
        for message in self.request.get("messages") or ():
            content = message.get("content") or ""
            if not isinstance(content, str):
                content = "\n".join(str(part.get("text") or f"({part.get('type')})") for part in content)
            found.append((str(message.get("role", "user")), content))
        return found


@dataclass(frozen=True, slots=True)
class LabelRow:
    """What a person found about a session; see findings.Label for the fields.

    The newest of an author about a subject stands, the older are its history. came_from: the file that it was
    imported from; empty where it was given here.
    """

    id: int
    session_id: int
    label: LabelWord | None
    turn: int | None
    note: str
    author: str
    blind: bool
    created_at: float
    metric: str = ""
    value: float | None = None
    came_from: str = ""
    at_fault: AtFault | None = None
    adjudicates: bool = False

    @property
    def given_by(self) -> str:
        """Its author, and the file that says so where it was not given here."""
        return said_by(self.author, self.came_from)

    @property
    def said(self) -> str:
        """What it says in a word: pass, fail or defer; noted where it is a note alone."""
        return self.label or "noted"

    @property
    def subject(self) -> tuple[str, int | None]:
        """What it is about: a metric and a turn. The turn of a label of the whole is only where it shows."""
        return (self.metric, self.turn) if self.metric else ("", None)


def standing_labels(rows: Iterable[LabelRow]) -> list[LabelRow]:
    """Return of all labels ever given to a session those that stand, oldest first.

    They are the newest of each person about each subject, and what that person settled where others differ is
    apart from their own view. What was taken back is none; a note without a label stands.
    """
    newest = {(row.author, row.subject, row.adjudicates): row for row in rows}
    return sorted((row for row in newest.values() if row.label or row.note), key=lambda row: row.id)


OF_TRIALS = ("criterion", "criterion_version", "split", "query")
"""What a run remembers that tried a criterion."""
SUITE = "suite"
"""Under this name a run remembers the path of the test file that it ran."""


def hyperparameters_of(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a run remembers of the chatbot, without what turnwise remembers for itself."""
    own = set(OF_TRIALS) if "criterion_version" in parameters else set()
    if Path(str(parameters.get(SUITE, ""))).is_absolute():
        own.add(SUITE)
    return {name: value for name, value in parameters.items() if name not in own}


@dataclass(frozen=True, slots=True)
class RunRow:
    """One evaluation of some sessions by some metrics with one judge.

    name: what it was called; parameters: what is remembered of the chatbot that was judged. sessions: how
    many it judged. came_from: the file that it was imported from; empty where it took place here.
    """

    id: int
    created_at: float
    finished_at: float | None
    judge: str
    metrics: tuple[str, ...]
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scores: int = 0
    passed: int = 0
    failures: int = 0
    skipped: int = 0
    sessions: int = 0
    came_from: str = ""

    @property
    def hyperparameters(self) -> dict[str, Any]:
        """What is remembered of the chatbot, without what turnwise remembers for itself."""
        return hyperparameters_of(self.parameters)

    @property
    def judged_by(self) -> str:
        """Its judge, and the file that says so where the run took place elsewhere."""
        return said_by(self.judge, self.came_from)
