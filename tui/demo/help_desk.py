"""The help desk of the demo: conversations of a chatbot in two versions, written for this program.

A file of the folder help_desk is a list of cases. Each was put to version 4 and to version 5 of the chatbot,
which makes two conversations. A step of a case is a mapping:

    user: said to both versions; `user 4` and `user 5` to one of them alone
    both: the reply of both versions; `4` and `5` those of one
    calls, with, gives: a tool that both call, what they call it with, and what it gives
    `4 forgets`, `5 strays` ...: what the recorded judge found wrong with the reply, and why
    `4 says`, `5 says`: the sentence of the reply that shows it, where that is not its last one

What the judge found is a part of the text, so that whoever reads a case sees both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.files import load_yaml
from turnwise.conversations.results import Quote
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Turn
from turnwise.engine.metrics.statements import quote_of, sentences_in
from turnwise.tui.demo.kept import VERSIONS

TOPICS = ("refunds", "baggage", "changes", "other_languages")
"""The files of cases, in the order in which their conversations took place."""
FOUND_BY = {
    "forgets": "knowledge_retention",
    "strays": "role_adherence",
    "misses": "turn_relevancy",
    "leaves open": "conversation_completeness",
    "promises": "Keeps to the fare rules",
}
"""What a file says that was found -> the metric that finds such things."""


@dataclass(frozen=True, slots=True)
class FlawFound:
    """Something that the recorded judge found wrong: by which metric, at which turn, and why.

    quote: the sentence of the turn that shows it.
    """

    metric: str
    turn: int
    reason: str
    quote: Quote


@dataclass(frozen=True, slots=True)
class HelpDeskTalk:
    """One conversation of the help desk, what its user wants, and what the recorded judge found in it."""

    name: str
    version: int
    case: ConversationalTestCase
    wants: tuple[str, ...]
    flaws: tuple[FlawFound, ...]

    @property
    def key(self) -> tuple[str, int]:
        """What names it in the other files."""
        return self.name, self.version


def read_part(name: str) -> Any:
    """Return what a file of the folder help_desk says."""
    return load_yaml((files(__package__) / "help_desk" / f"{name}.yaml").read_text(encoding="utf-8"))


def load_talks() -> list[HelpDeskTalk]:
    """Return all conversations: first those with version 4, then the same cases with version 5."""
    about = read_part("about")
    cases = [(topic, case) for topic in TOPICS for case in read_part(topic)]
    return [
        _talk(case, topic, place, version, about)
        for version in VERSIONS
        for place, (topic, case) in enumerate(cases)
    ]


def _talk(
    case: Mapping[str, Any], topic: str, place: int, version: int, about: Mapping[str, Any]
) -> HelpDeskTalk:
    turns: list[Turn] = [Turn(role="system", content=about["versions"][str(version)]["prompt"])]
    flaws: list[FlawFound] = []
    spoken = 0
    for step in case["turns"]:
        for turn in _turns(step, version, f"call_{len(turns)}"):
            turns.append(turn)
            spoken += turn.is_spoken
        flaws += [
            FlawFound(
                metric,
                spoken,
                step[f"{version} {word}"],
                _quote(spoken, turns[-1].content, step.get(f"{version} says")),
            )
            for word, metric in FOUND_BY.items()
            if f"{version} {word}" in step
        ]
    wants = case["wants"] if isinstance(case["wants"], list) else [case["wants"]]
    waited = [turn.latency_ms for turn in turns if turn.role == "assistant" and turn.latency_ms]
    told = ConversationalTestCase(
        # The version first: at the end it would be cut where a list is narrow.
        name=f"v{version} {case['case']}",
        chatbot_role=about["chatbot_role"],
        scenario=case.get("rules") or f"A customer wants {' and '.join(wants)}.",
        tags=["help desk", f"version {version}", topic.replace("_", " ")],
        metadata={
            "language": case["language"],
            "version": version,
            # By these a comparison knows the two conversations of a case.
            "suite": "help desk",
            "case": place,
            "seconds_a_reply": round(sum(waited) / len(waited) / 1000, 1),
        },
        turns=turns,
    )
    return HelpDeskTalk(case["case"], version, told, tuple(wants), tuple(flaws))


def _quote(number: int, content: str, words: str | None) -> Quote:
    """Return the sentence of a turn that consists of these words, or its last one."""
    sentences = sentences_in(content)
    shown = [one for one in sentences if words is not None and one.text == words] or sentences
    return quote_of(number, content, shown[-1])


def _turns(step: Mapping[str, Any], version: int, call: str) -> Iterator[Turn]:
    """Yield what a step of a case says to a version, or what that version replies."""
    for key in ("user", f"user {version}"):
        if key in step:
            yield Turn(role="user", content=step[key], latency_ms=4_000.0 + 55 * len(step[key]))
    if "calls" in step:
        used = ToolCall(id=call, name=step["calls"], input_parameters=step["with"], output=step["gives"])
        given = json.dumps(step["gives"], ensure_ascii=False)
        yield Turn(role="assistant", content="", tools_called=[used], latency_ms=_reply_time(given, version))
        yield Turn(role="tool", content=given, name=used.name, tool_call_id=call, latency_ms=310.0)
    for key in ("both", str(version)):
        if key in step:
            yield Turn(role="assistant", content=step[key], latency_ms=_reply_time(step[key], version))


def _reply_time(text: str, version: int) -> float:
    """Return how long a reply took, in milliseconds: version 5 has the faster model."""
    return 900.0 + 9 * len(text) if version == VERSIONS[0] else 500.0 + 6 * len(text)


def replies(talk: HelpDeskTalk) -> Sequence[int]:
    """Return the numbers of the turns in which the chatbot says something."""
    spoken = [turn for turn in talk.case.turns if turn.is_spoken]
    return [number for number, turn in enumerate(spoken, 1) if turn.role == "assistant" and turn.content]
