"""Checks on the words of a reply: exact match, contained text, regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class TextCheck(Metric):
    """What checks on a reply's words share: they need no judge, and give 0 or 1."""

    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output",)
    uses_judge: ClassVar[bool] = False

    threshold: float = 1.0

    def finding(self, subject: Subject, *, holds: bool, yes: str, no: str) -> Finding:
        """Return the finding that a condition makes, tied to the reply's last turn."""
        turn = max(subject.exchange.reply_turns, default=None) if subject.exchange else None
        reason = yes if holds else no
        verdict = Verdict(turn=turn, passed=holds, word="yes" if holds else "no", reason=reason)
        return Finding(score=float(holds), reason=reason, verdicts=[verdict])


@dataclass(kw_only=True, eq=False)
class ExactMatchMetric(TextCheck):
    """Whether the reply is the expected output, letter for letter but for blanks around it.

    Formula: 1 if equal after trimming, else 0. Source: deepeval's ExactMatch.
    Needs: actual_output, expected_output. Direction: higher is better. Range: 0 or 1.
    Empty: two empty texts match. Judge calls: none.
    """

    key: ClassVar[str] = "exact_match"
    needs: ClassVar[tuple[str, ...]] = ("actual_output", "expected_output")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Compare the two texts."""
        expected, actual = subject.value("expected_output"), subject.value("actual_output")
        return self.finding(
            subject,
            holds=expected.strip() == actual.strip(),
            yes="The reply is the expected output.",
            no=f"Expected {shorten(' '.join(expected.split()), 80)}.",
        )

    def lacks(self, subject: Subject) -> str:
        """Skip only what has no expectation at all: an empty text is one."""
        missing = [name for name in self.needs if subject.value(name) is None]
        if subject.exchange is None:
            return super().lacks(subject)
        return f"the case has no {' and no '.join(missing)}" if missing else ""


@dataclass(kw_only=True, eq=False)
class ContainsMetric(TextCheck):
    """Whether the reply contains a text.

    text: what to look for. ignore_case: whether A and a are the same.
    Formula: 1 if it is there, else 0. Source: promptfoo's contains and icontains.
    Needs: actual_output. Direction: higher is better. Range: 0 or 1.
    Empty: an empty reply contains nothing. Judge calls: none.
    """

    key: ClassVar[str] = "contains"
    main_setting: ClassVar[str] = "text"

    text: str = ""
    ignore_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.text:
            raise SettingError(
                "contains needs the text to look for", next_step="For example: --metric contains:refund"
            )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Look for the text."""
        actual, wanted = subject.value("actual_output"), self.text
        if self.ignore_case:
            actual, wanted = actual.casefold(), wanted.casefold()
        shown = shorten(self.text, 80)
        return self.finding(
            subject,
            holds=wanted in actual,
            yes=f"The reply contains {shown}.",
            no=f"{shown} is not in the reply.",
        )


@dataclass(kw_only=True, eq=False)
class RegexMetric(TextCheck):
    """Whether a regular expression matches somewhere in the reply.

    pattern: a regular expression of Python's re module. full_match: whether it must match all of the reply.
    Formula: 1 if it matches, else 0. Source: deepeval's PatternMatch (full_match), promptfoo's regex.
    Needs: actual_output. Direction: higher is better. Range: 0 or 1.
    Empty: an empty reply matches what an empty text matches. Judge calls: none.
    """

    key: ClassVar[str] = "regex"
    main_setting: ClassVar[str] = "pattern"

    pattern: str = ""
    full_match: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pattern:
            raise SettingError(
                "regex needs a pattern", next_step=r"For example: --metric 'regex:[A-Z]{2}\d{4}'"
            )
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise SettingError(
                "regex: the pattern is not a regular expression", detail=f"{self.pattern}: {error}"
            ) from None

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Search the reply, or match all of it."""
        compiled = re.compile(self.pattern)
        actual = subject.value("actual_output")
        found = compiled.fullmatch(actual) if self.full_match else compiled.search(actual)
        return self.finding(
            subject,
            holds=found is not None,
            yes=f"The reply matches {self.pattern}.",
            no=f"{self.pattern} does not match the reply.",
        )
