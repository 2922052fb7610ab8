"""Suite: cases with the checks, targets and settings that a file of another tool asks for, as plain data.

Nothing here runs anything. A format reads a file into a Suite; the engine lets targets answer and judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Aggregation = Literal["mean", "min", "max"]
"""How the scores of several turns become one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that an output must satisfy.

    type: what is checked, without a leading not-. negate: it must not hold. weight: its share of the case's
    score. metric: the name under which its score is added up. children: the checks of a set. written: the
    value before its templates were filled, written_metric: the metric; None where it is the same. is_null:
    the file gives null as value, which is not the same as giving none.
    """

    type: str
    negate: bool = False
    value: Any = None
    threshold: float | None = None
    weight: float = 1.0
    metric: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[Check, ...] = ()
    written: Any = None
    written_metric: str | None = None
    is_null: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """A chatbot that a suite wants to try. id: as the file names it. config: as the file gives it.

    definition: what a file of targets beside the suite says of that name, and defined_in: which file; None
    where it takes none. problem: why it cannot be asked; empty where it can.
    """

    id: str
    label: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    definition: Mapping[str, Any] | None = None
    defined_in: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        """What it is called: its label, which tells two settings of one chatbot apart, or else its id."""
        return self.label or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnToAsk:
    """One turn of a case in which the chatbot answers turn by turn.

    input: what the user says, as text or parts. expected_output: a good answer, as the file has it; None
    where it has none. checks: what the answer to this turn must satisfy.
    """

    input: Any
    expected_output: Any = None
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnByTurn:
    """The turns of a case in which the chatbot answers turn by turn, at least one, and how they are scored.

    aggregation: how the scores of the turns become one. stops_at_failure: the turns behind one that failed
    are not asked. window_size: how many of the latest messages the judge of a turn sees; None is all.
    """

    turns: tuple[TurnToAsk, ...]
    aggregation: Aggregation = "mean"
    stops_at_failure: bool = False
    window_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteCase:
    """One row of a suite: a prompt filled with variables, for one target, with the checks on its output.

    index: the place of its test in the file, from 0. prompt: the rendered text, or chat messages as JSON.
    output: the answer, where the file holds it. threshold: the score at which the case passes; None means
    that every check must pass. id: the case's name in its file. messages: the chat messages to send, each
    with role, content and perhaps tool_calls; expected: those that a good answer would be. criterion: what a
    good answer does, in words. reference: a good answer, as text. options: what the file sets for this case
    beside all that.

    problem: why the case cannot be run; empty where it can. filled_vars: the variables as templates see
    them, with files read and references put in; None where they are `vars`. repeat: which repetition of its
    test this is, from 0. turn_by_turn: the turns that are asked one after the other; None in
    a case of one answer.
    """

    index: int
    description: str = ""
    vars: Mapping[str, Any] = field(default_factory=dict)
    prompt: str = ""
    prompt_index: int = 0
    prompt_label: str = ""
    target: TargetSpec | None = None
    output: Any = None
    checks: tuple[Check, ...] = ()
    threshold: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    messages: tuple[Mapping[str, Any], ...] = ()
    expected: tuple[Mapping[str, Any], ...] = ()
    criterion: str = ""
    reference: str = ""
    problem: str = ""
    filled_vars: Mapping[str, Any] | None = None
    repeat: int = 0
    turn_by_turn: TurnByTurn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A file's cases, and what it says for all of them.

    format: the name of the format it was read in. root: the folder that the files it names may not leave,
    where somebody said so; see Folder. known_targets: those that a file of targets beside it defines, by
    name.
    """

    format: str
    source: Path
    root: Path | None = None
    description: str = ""
    targets: tuple[TargetSpec, ...] = ()
    cases: tuple[SuiteCase, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    known_targets: Mapping[str, TargetSpec] = field(default_factory=dict)
