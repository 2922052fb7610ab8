"""Suite: cases with the checks, targets and settings that a file of another tool asks for, as plain data.

Nothing here runs anything. A format reads a file into a Suite; the engine lets targets answer and judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that an output must satisfy.

    type: what is checked, without a leading not-. negate: it must not hold. weight: its share of the case's
    score. metric: the name under which its score is added up. children: the checks of a set.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """A chatbot that a suite wants to try. id: as the file names it. config: as the file gives it."""

    id: str
    label: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it is called: its label, which tells two settings of one chatbot apart, or else its id."""
        return self.label or self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteCase:
    """One row of a suite: a prompt filled with variables, for one target, with the checks on its output.

    index: the place of its test in the file, from 0. prompt: the rendered text, or chat messages as JSON.
    output: the answer, where the file holds it. threshold: the score at which the case passes; None means
    that every check must pass. id: the case's name in its file. messages: the chat messages to send, each
    with role, content and perhaps tool_calls; expected: those that a good answer would be. criterion: what a
    good answer does, in words. reference: a good answer, as text.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A file's cases, and what it says for all of them. format: the name of the format it was read in."""

    format: str
    source: Path
    description: str = ""
    targets: tuple[TargetSpec, ...] = ()
    cases: tuple[SuiteCase, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
