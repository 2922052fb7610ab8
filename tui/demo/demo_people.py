"""The people of the demo: their labels and notes, the failure modes they named, and their queue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.findings import FoundMode, Label
from turnwise.conversations.marks import LabelWord
from turnwise.tui.demo.help_desk import read_part

TalkKey = tuple[str, int]
"""The name of a case, and the version of the chatbot that it was put to."""
MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class PersonFinding:
    """What one person found in one conversation.

    modes: names of failure modes. fails: other metrics that the conversation fails by, in their eyes. blind:
    whether the scores were hidden from them.
    """

    talk: TalkKey
    person: str
    word: LabelWord
    note: str = ""
    modes: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    blind: bool = True


@dataclass(frozen=True, slots=True)
class NamedMode:
    """A failure mode, its definition, and the metric that looks for the same."""

    name: str
    definition: str
    metric: str


@dataclass(frozen=True, slots=True)
class DemoPeople:
    """All that people found.

    other_metrics: what they looked at besides the modes. queued: the conversations of the queue in order.
    in_queue: what was found there.
    """

    modes: tuple[NamedMode, ...]
    other_metrics: tuple[str, ...]
    findings: tuple[PersonFinding, ...]
    queue_name: str
    queued: tuple[TalkKey, ...]
    in_queue: tuple[PersonFinding, ...]


def load_people() -> DemoPeople:
    """Read the file people.yaml."""
    told = read_part("people")
    queue = told["queue"]
    return DemoPeople(
        modes=tuple(NamedMode(**mode) for mode in told["modes"]),
        other_metrics=tuple(told["other_metrics"]),
        findings=tuple(
            finding
            for person, by_version in told["people"].items()
            for version, lists in by_version.items()
            for finding in _findings(person, int(version), lists)
        ),
        queue_name=queue["name"],
        queued=tuple((item["case"], item["version"]) for item in (*queue["done"], *queue["open"])),
        in_queue=tuple(
            PersonFinding(
                (item["case"], item["version"]),
                queue["person"],
                item["word"],
                item.get("note", ""),
                tuple(item.get("modes", ())),
            )
            for item in queue["done"]
        ),
    )


def _findings(person: str, version: int, lists: Mapping[str, Sequence[Any]]) -> Iterator[PersonFinding]:
    for name in lists["pass"]:
        yield PersonFinding((name, version), person, "pass")
    for item in lists["fail"]:
        named = tuple(item.get("modes", ())), tuple(item.get("fails", ()))
        yield PersonFinding((item["case"], version), person, "fail", item["note"], *named)
    for item in lists.get("seen", ()):
        fails = tuple(item.get("fails", ()))
        yield PersonFinding((item["case"], version), person, "pass", item["pass"], (), fails, blind=False)


def labels_of(
    finding: PersonFinding, failed_turns: Mapping[str, int], people: DemoPeople, at: float
) -> Iterator[Label]:
    """Yield the labels that a finding is: of the conversation, and of metrics where that says another thing.

    A conversation that fails for one thing passes by the metrics that look for the others, and one that
    passes may fail by some. failed_turns: by metric, the first turn that fails; people saw there what the
    recorded judge and the check saw.
    """
    failed = {mode.metric for mode in people.modes if mode.name in finding.modes}.union(finding.fails)
    turns = [failed_turns[metric] for metric in failed if metric in failed_turns]
    yield Label(
        word=finding.word,
        author=finding.person,
        turn=min(turns, default=None) if finding.word == "fail" else None,
        note=finding.note,
        blind=finding.blind,
        at=at,
    )
    metrics = [*(mode.metric for mode in people.modes), *people.other_metrics]
    for place, metric in enumerate(metrics if failed else (), 1):
        word: LabelWord = "fail" if metric in failed else "pass"
        if word != finding.word:
            yield Label(word=word, author=finding.person, metric=metric, blind=finding.blind, at=at + place)


def modes_of(
    finding: PersonFinding, failed_turns: Mapping[str, int], modes: Sequence[NamedMode], at: float
) -> list[FoundMode]:
    """Return the failure modes that a finding gives to its conversation, each at its own first turn.

    Where its metric fails no turn, it stands where the conversation first fails otherwise.
    """
    first = min(failed_turns.values(), default=None)
    return [
        FoundMode(
            name=mode.name,
            definition=mode.definition,
            author=finding.person,
            turn=failed_turns.get(mode.metric, first),
            at=at,
        )
        for mode in modes
        if mode.name in finding.modes
    ]
