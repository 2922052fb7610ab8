"""Checks on the words of a reply: exact match, contained text, regular expression, whole pattern."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.conversations.patterns import WrittenPattern
from turnwise.conversations.results import Verdict
from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.patterns import python_regex
from turnwise.engine.checks.strings import contains, equals
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope, lacking
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class TextCheck(Metric, abstract=True):
    """What checks on a reply's words share: they need no judge, and give 0 or 1."""

    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output",)
    uses_judge: ClassVar[bool] = False

    threshold: float = 1.0

    def finding(self, subject: Subject, *, holds: bool, yes: str, no: str) -> Finding:
        """Return the finding that a condition makes, tied to the reply's last turn."""
        reason = yes if holds else no
        verdict = Verdict(turn=subject.reply_turn, passed=holds, word="yes" if holds else "no", reason=reason)
        return Finding(score=float(holds), reason=reason, verdicts=[verdict])


@dataclass(kw_only=True, eq=False)
class ExactMatchMetric(TextCheck):
    """Whether the reply is the expected output, letter for letter but for blanks around it."""

    key: ClassVar[str] = "exact_match"
    positional: ClassVar[tuple[str, ...]] = ("threshold", "verbose_mode")
    needs: ClassVar[tuple[str, ...]] = ("actual_output", "expected_output")
    account: ClassVar[Account] = Account(
        formula="1 if equal after trimming, else 0",
        source="deepeval's ExactMatch",
        empty="two empty texts match",
        calls="none",
        range="0 or 1",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Compare the two texts."""
        expected, actual = subject.value("expected_output"), subject.value("actual_output")
        return self.finding(
            subject,
            holds=passes(equals, expected.strip(), actual.strip()),
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
    """

    key: ClassVar[str] = "contains"
    positional: ClassVar[tuple[str, ...]] = ("text", "ignore_case", "threshold")
    main_setting: ClassVar[str] = "text"
    main_sample: ClassVar[str] = "refund"
    account: ClassVar[Account] = Account(
        formula="1 if it is there, else 0",
        source="promptfoo's contains and icontains",
        empty="an empty reply is skipped",
        calls="none",
        range="0 or 1",
    )

    text: str = ""
    ignore_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.text:
            raise lacking(self, "the text to look for")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Look for the text."""
        actual, wanted = subject.value("actual_output"), self.text
        if self.ignore_case:
            actual, wanted = actual.casefold(), wanted.casefold()
        shown = shorten(self.text, 80)
        return self.finding(
            subject,
            holds=passes(contains, wanted, actual),
            yes=f"The reply contains {shown}.",
            no=f"{shown} is not in the reply.",
        )


@dataclass(kw_only=True, eq=False)
class RegexMetric(TextCheck):
    """Whether a regular expression matches somewhere in the reply.

    pattern: a regular expression of Python's re module. full_match: whether it must match all of the reply.
    """

    key: ClassVar[str] = "regex"
    positional: ClassVar[tuple[str, ...]] = ("pattern", "full_match", "threshold")
    main_setting: ClassVar[str] = "pattern"
    main_sample: ClassVar[str] = r"[A-Z]{2}\d{4}"
    account: ClassVar[Account] = Account(
        formula="1 if it matches, else 0",
        source="promptfoo's regex",
        empty="an empty reply is skipped",
        calls="none",
        range="0 or 1",
    )

    pattern: str = ""
    full_match: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pattern:
            raise lacking(self, "a pattern")
        need_pattern(self.key, self.pattern)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Search the reply, or match all of it."""
        actual = subject.value("actual_output")
        return self.finding(
            subject,
            holds=passes(python_regex, self.pattern, actual, full_match=self.full_match),
            yes=f"The reply matches {self.pattern}.",
            no=f"{self.pattern} does not match the reply.",
        )


@dataclass(kw_only=True, eq=False)
class PatternMatchMetric(TextCheck):
    """Whether a regular expression matches all of the reply, blanks around it aside.

    pattern: a regular expression of Python's re module. ignore_case: whether A and a are the same.
    """

    key: ClassVar[str] = "pattern_match"
    positional: ClassVar[tuple[str, ...]] = ("pattern", "ignore_case", "threshold", "verbose_mode")
    main_setting: ClassVar[str] = "pattern"
    main_sample: ClassVar[str] = "yes|no"
    account: ClassVar[Account] = Account(
        formula="1 if the pattern matches the whole reply after trimming, else 0",
        source="deepeval's PatternMatch",
        empty="an empty reply is skipped",
        calls="none",
        range="0 or 1",
    )

    pattern: str = ""
    ignore_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pattern:
            raise lacking(self, "a pattern")
        need_pattern(self.key, self.pattern)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Match all of the reply."""
        settings = {"full_match": True, "ignore_case": self.ignore_case}
        actual = subject.value("actual_output").strip()
        return self.finding(
            subject,
            holds=passes(python_regex, self.pattern, actual, **settings),
            yes=f"The whole reply matches {self.pattern}.",
            no=f"{self.pattern} does not match the whole reply.",
        )


def passes(
    function: Callable[[Check, Answer, Asker], Finding], value: str, actual: str, **config: Any
) -> bool:
    """Whether a reply passes a check. value and config: what the check asks for."""
    check = Check(type=function.__name__, value=value, config=config)
    return bool(function(check, Answer(output=actual), Asker()).passed)


def need_pattern(key: str, pattern: str) -> None:
    """Raise SettingError where a pattern is no regular expression of Python's re module."""
    try:
        WrittenPattern(pattern)
    except re.error as error:
        raise SettingError(
            f"{key}: the pattern is not a regular expression", detail=f"{pattern}: {error}"
        ) from None
