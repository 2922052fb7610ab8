"""Scenario: a user who is played against a chatbot: who that is, with what wish and knowledge, until when."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.patterns import PatternTimeError, WrittenPattern

ScenarioFields = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """Something that the user knows. when: it is told only then, in plain words; empty for at any time."""

    tell: str
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRule:
    """What a scripted user says to a reply.

    when: text that the reply holds, in capitals or not, or /a pattern/; empty for any reply. say: one of
    these is said; none where the talk ends. times: so often at most; None for every
    time. ends: the talk ends.

    Raises SettingError where the pattern is none.
    """

    when: str = ""
    say: tuple[str, ...] = ()
    times: int | None = None
    ends: bool = False

    def __post_init__(self) -> None:
        if self._is_pattern:
            try:
                re.compile(self.when[1:-1])
            except re.error as error:
                raise SettingError(f"{self.when} is no pattern", detail=str(error)) from None

    @property
    def _is_pattern(self) -> bool:
        return len(self.when) > 2 and self.when.startswith("/") and self.when.endswith("/")

    def fits(self, reply: str) -> bool:
        """Whether the rule is about a reply."""
        if self._is_pattern:
            # What a chatbot says may keep a pattern busy for ever.
            try:
                return WrittenPattern(self.when[1:-1], ignore_case=True).search(reply)
            except PatternTimeError:
                return False
        return self.when.casefold() in reply.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class UserScript:
    """A user without a model: the first rule that fits speaks, else the next line, else the talk ends."""

    lines: tuple[str, ...] = ()
    rules: tuple[ScriptRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A conversation that is to take place.

    situation: what it is about; where there is no goal, it is one. persona: who the user is. goal: what the
    user wants. manner: how the user talks. stop: when the user ends the talk. begin: what the user says
    first. expected_outcome: what should come of it; the user does not know. role: what the chatbot is
    supposed to be. system: the prompt that it is given; None makes one of the role. opening: how
    the talk began, before anybody is played. max_turns: of the user. about: further fields of the test case,
    such as tags and metadata. place: where in which file it stands.
    """

    name: str
    situation: str = ""
    persona: str = ""
    goal: str = ""
    facts: tuple[KnownFact, ...] = ()
    manner: str = ""
    stop: str = ""
    begin: str = ""
    expected_outcome: str = ""
    role: str = ""
    system: str | None = None
    script: UserScript | None = None
    opening: tuple[tuple[str, str], ...] = ()
    max_turns: int | None = None
    about: ScenarioFields = field(default_factory=dict)
    place: str = ""

    @property
    def content_fingerprint(self) -> str:
        """32 hex digits over all that shapes the conversation; its name and place are no part of it."""
        plain = {
            name: getattr(self, name) for name in self.__slots__ if name not in ("name", "place", "about")
        }
        plain["facts"] = [[fact.tell, fact.when] for fact in self.facts]
        if self.script is not None:
            rules = [[rule.when, rule.say, rule.times, rule.ends] for rule in self.script.rules]
            plain["script"] = [self.script.lines, rules]
        return fingerprint(plain)
