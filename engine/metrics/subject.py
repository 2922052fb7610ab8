"""Subject: what a metric judges, a whole conversation or one exchange, and the fields that a judge reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase, Exchange, LLMTestCase, LLMTestCaseParams
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.images import MLLMTestCase, as_conversation, pictured_in
from turnwise.conversations.models import shorten
from turnwise.conversations.turns import Turn, number_turns, passage_text
from turnwise.engine.judge.transcripts import Spoken, Transcript, defuse, fence, fence_mark, render_transcript

_OF_TURNS = (
    "tools_called",
    "retrieval_context",
    "mcp_tools_called",
    "mcp_resources_called",
    "mcp_prompts_called",
    "provider_transcript",
)


_OF_EXCHANGES = ("context", "expected_output", "expected_tools", "metadata", "tags")


_NOUNS = {
    "tools_called": "tool call",
    "expected_tools": "expected tool call",
    "mcp_tools_called": "MCP tool call",
    "mcp_resources_called": "MCP resource",
    "mcp_prompts_called": "MCP prompt",
    "metadata": "metadata field",
    "tags": "tag",
}
"""What one item of a field is called, where the name of the field does not say it."""
_SPOKEN_FIELDS = frozenset({"input", "actual_output", "role", "content"})


@dataclass(frozen=True)
class Subject:
    """A conversation to be judged; `exchange` is set where one exchange of it is judged.

    single: the case was given as one exchange, not as a conversation. pictured: the case whose images are
    judged; what is said then names them. kept_scores: what metrics found of it before, by their names, where
    a metric asks for that. memory: what was found out about the case, shared by its subjects.
    """

    case: ConversationalTestCase
    exchange: Exchange | None = None
    single: bool = False
    pictured: MLLMTestCase | None = None
    kept_scores: Mapping[str, float] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, case: ConversationalTestCase | LLMTestCase | MLLMTestCase) -> Subject:
        """Return the subject that a given case is."""
        if isinstance(case, MLLMTestCase):
            return cls(as_conversation(case), single=True, pictured=case)
        if isinstance(case, LLMTestCase):
            return cls(ConversationalTestCase(turns=[case]), single=True)
        return cls(case, pictured=pictured_in(case))

    @property
    def exchanges(self) -> list[Exchange]:
        """The exchanges that can be judged: those in which the chatbot answered."""
        return [exchange for exchange in self.case.numbered_exchanges if exchange.reply_turns]

    def at(self, exchange: Exchange) -> Subject:
        """Return the same conversation with one exchange to be judged."""
        return replace(self, exchange=exchange)

    @cached_property
    def numbered(self) -> list[tuple[int, Turn]]:
        """The spoken turns with their numbers, up to the judged exchange where there is one."""
        last = self.last_turn
        return [
            (number, turn)
            for number, turn in zip(number_turns(self.case.turns), self.case.turns, strict=True)
            if number is not None and (last is None or number <= last)
        ]

    @property
    def last_turn(self) -> int | None:
        """The number of the last turn that the metric sees; None for all."""
        if self.exchange is None:
            return None
        return max(self.exchange.input_turns + self.exchange.reply_turns, default=None)

    @property
    def reply_turn(self) -> int | None:
        """The number of the judged exchange's last reply; None for a whole conversation."""
        return max(self.exchange.reply_turns, default=None) if self.exchange else None

    def reply_numbers(self) -> list[int]:
        """Return the numbers of the assistant turns that say something."""
        return [number for number, turn in self.numbered if turn.role == "assistant" and turn.content.strip()]

    @cached_property
    def reply_seconds(self) -> dict[int, float]:
        """How long each reply took, by its turn's number, where that is known."""
        found = ((number, _seconds(turn)) for number, turn in self.numbered if turn.role == "assistant")
        return {number: seconds for number, seconds in found if seconds is not None and seconds >= 0}

    def said_before(self, turn: int | None, window: int) -> list[tuple[str, str]]:
        """Return who said what in a numbered turn and the `window` turns with words before it."""
        said: list[tuple[str, str]] = [
            (item.role, defuse(item.content))
            for number, item in self.numbered
            if item.content.strip() and (turn is None or number <= turn)
        ]
        return said[-window - 1 :]

    def transcript(
        self,
        secret: str,
        *,
        only: Spoken | None = None,
        sentences: Mapping[int, Mapping[int, int]] | None = None,
    ) -> Transcript:
        """Return the conversation as the judge reads it, up to the judged exchange.

        only: whose words are shown, and of a judged exchange then nothing that was said before it. sentences:
        as `render_transcript`.
        """
        return render_transcript(
            self.case.turns,
            mark=fence_mark(self.case.turns, secret),
            first=self.first_shown(only),
            last=self.last_turn,
            only=only,
            sentences=sentences,
        )

    def first_shown(self, only: Spoken | None) -> int:
        """Return the number of the first turn that is shown where the words of one side are alone."""
        return min(self.exchange.input_turns, default=1) if only and self.exchange else 1

    def value(self, name: str) -> Any:
        """Return a field by its name, of the judged exchange or else of the conversation; None if absent.

        What turns and test cases in it came with (see `came_with`) is of a conversation a list of all of it,
        unless the conversation has a field of that name; reply_seconds is how long its replies took.
        """
        if self.exchange is not None:
            own = getattr(self.exchange.case, name, None)
            return getattr(self.case, name, None) if own is None else own
        if name in ("reply_seconds", "kept_scores"):
            return getattr(self, name) or None
        own = getattr(self.case, name, None)
        return [item for _, item in self.came_with(name)] or None if own is None else own

    def came_with(self, name: str) -> list[tuple[int | None, Any]]:
        """Return what came with a conversation's turns under a name, each item with its turn's number.

        Turns come with tools_called, retrieval_context, mcp_tools_called and their like; the test cases that
        exchanges were given as with context, expected_output, expected_tools and metadata.
        """
        found = []
        for number, turn in zip(number_turns(self.case.turns), self.case.turns, strict=True):
            holder = turn if name in _OF_TURNS else turn.exchange if name in _OF_EXCHANGES else None
            value = getattr(holder, name, None)
            found += [(number, item) for item in (value if isinstance(value, list) else [value])]
        return [(number, item) for number, item in found if item is not None]

    def reads(self, needs: tuple[str, ...]) -> str:
        """Name by a fingerprint what a metric with these needs reads of the case."""
        said = [
            [turn.role, turn.content, [call.name for call in turn.tools_called or []]]
            for _, turn in self.numbered
        ]
        fields = {name: _plain(self.value(name)) for name in needs if name != "turns"}
        return fingerprint({"turns": said, "fields": fields})


AFTER_REPLY = "after the first reply"
"""Which turns of the user `user_turns_after_reply` returns, for reasons that count them."""


def user_turns_after_reply(subject: Subject) -> list[tuple[int, Turn]]:
    """Return the user's turns with words that come after the chatbot's first reply, by their numbers."""
    first = next((number for number, turn in subject.numbered if turn.role == "assistant"), None)
    return [
        (number, turn)
        for number, turn in subject.numbered
        if turn.role == "user" and turn.content.strip() and first is not None and number > first
    ]


def no_turn_after_reply_words(subject: Subject) -> str:
    """Say that the user says nothing after the first reply, as `no_reply_words` does; else empty."""
    return "" if user_turns_after_reply(subject) else "the user says nothing after the first reply"


def no_second_reply_words(subject: Subject) -> str:
    """Say that there are no two replies to be set beside each other, as `no_reply_words` does; else empty."""
    return "" if len(subject.reply_numbers()) > 1 else "there are no two replies in words"


def no_reply_words(subject: Subject) -> str:
    """Say that there is no reply in words, where a metric has nothing to look at; empty where one is."""
    return "" if subject.reply_numbers() else "there is no reply in words"


def _seconds(turn: Turn) -> float | None:
    if turn.latency_ms is not None:
        return turn.latency_ms / 1000
    return turn.exchange.completion_time if turn.exchange else None


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if hasattr(value, "data"):
        return value.data()
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def fields_shown(parameters: Sequence[LLMTestCaseParams], subject: Subject, mark: str) -> str:
    """Write the fields, fenced like the transcript; empty where the transcript holds all of them."""
    parts = []
    for parameter in parameters:
        if parameter.value in _SPOKEN_FIELDS:
            continue
        noun = _NOUNS.get(parameter.value) or parameter.value.replace("_", " ")
        parts.append(fence(mark, noun, dict(enumerate(_texts(parameter.value, subject), start=1))))
    return "\n".join(["", *parts]) if parts else ""


def fields_missing(parameters: Sequence[LLMTestCaseParams], subject: Subject) -> str:
    """Say which of the fields a case lacks; empty where it has all of them."""
    told = [parameter.value for parameter in parameters if parameter.value not in _SPOKEN_FIELDS]
    missing = [name for name in told if subject.value(name) in (None, "", [])]
    return f"the case has no {' and no '.join(missing)}" if missing else ""


def _texts(name: str, subject: Subject) -> list[str]:
    """Return the items of a field as texts; those that turns of a conversation came with name their turn."""
    value = subject.value(name)
    if subject.exchange is None and getattr(subject.case, name, None) is None:
        return [
            f"(turn {turn}) {_as_text(item)}" if turn else _as_text(item)
            for turn, item in subject.came_with(name)
        ]
    return [_as_text(item) for item in (value if isinstance(value, list) else [value])]


def tool_text(name: str, arguments: Any, output: Any, longest: int) -> str:
    """Write one use of a tool in a line. longest: how many characters arguments and output may have."""
    given = "" if arguments in (None, {}) else shorten(arguments, longest)
    came = "" if output is None else f" gave {shorten(output, longest)}"
    return f"{name}({given}){came}"


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "context"):
        return passage_text(value)
    if hasattr(value, "name"):
        return tool_text(value.name, value.input_parameters, value.output, 400)
    return shorten(value, 2000)
