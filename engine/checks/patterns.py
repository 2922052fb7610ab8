"""A check by regular expression, written as JavaScript reads it, that cannot run for ever."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.patterns import SECONDS, PatternTimeError, WrittenPattern
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.conversations.texts import SPACES
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, met_or_missed, quoted, yes_or_no

_REPEAT = re.compile(r"\{\d+(?:,\d*)?\}")
_GROUP = re.compile(r"\((?:\?(?::|=|!|<=|<!|<(?P<name>[A-Za-z_$][\w$]*)>))?")
_NAMED_GROUP = re.compile(r"\(\?<[A-Za-z_$]")
_CAPTURING = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|(\((?!\?)|\(\?<[A-Za-z_$])", re.DOTALL)
_HEX = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}")
_SPACE_SET = "".join(f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}" for char in SPACES)
_LINE_ENDS = r"\n\r\u2028\u2029"
_KEPT_ESCAPES = "dDwWfnrtv"
_FLAGS = "dgimsuvy"


def regex(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the regular expression matches somewhere; one that cannot be read fails, negated or not."""
    if not isinstance(check.value, str) or not check.value:
        raise SettingError("regex needs a regular expression", next_step="Give it a text as its value.")
    try:
        found = search(check.value, answer.text)
    except re.error as error:
        return Finding(
            passed=False, score=0.0, reason=f"{quoted(check.value)} is no regular expression: {error}"
        )
    return yes_or_no(check, found, expected=f"match {quoted(check.value)}")


def regex_with_flags(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the regular expression, as JavaScript reads it, matches somewhere; config.flags as there.

    Raises SettingError where it is none.
    """
    if check.value is None or isinstance(check.value, (Mapping, list, tuple)):
        raise SettingError(f"{check.type} needs a text", next_step="Give it a value.")
    pattern = as_text(check.value)
    try:
        holds = search(pattern, answer.text, flags=as_text(check.config.get("flags") or ""))
    except re.error as error:
        raise SettingError(
            f"{quoted(pattern)} is no regular expression: {error}", next_step="Correct it."
        ) from None
    shown = quoted(pattern)
    return met_or_missed(holds, f"The answer matches {shown}", f"The answer does not match {shown}")


def python_regex(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether a regular expression of Python's re module matches somewhere.

    config.full_match: it must match all of the answer. config.ignore_case: whether A and a are the same.
    Raises SettingError where it is none.
    """
    try:
        pattern = WrittenPattern(check.value, ignore_case=bool(check.config.get("ignore_case")))
    except re.error as error:
        raise SettingError(
            f"{quoted(check.value)} is no regular expression: {error}", next_step="Correct it."
        ) from None
    match = pattern.matches_all if check.config.get("full_match") else pattern.search
    try:
        return yes_or_no(check, match(answer.text), expected=f"match {quoted(check.value)}")
    except PatternTimeError as error:
        raise _too_slow(check.value) from error


def search(pattern: str, text: str, *, flags: str = "") -> bool:
    """Say whether a JavaScript regular expression matches somewhere in a text.

    flags: of dgimsuvy, as there; those that do not change whether it matches are passed over.
    Raises re.error where it is none, SettingError where the search takes longer than SECONDS.
    """
    engine: Any = import_module("regex")
    if unknown := set(flags) - set(_FLAGS):
        raise re.error(f"there is no flag {min(unknown)}", pattern)
    if not set(flags) & set("uv") and max(pattern + text, default="") > "\uffff":
        # Without those flags JavaScript counts by UTF-16 units, of which such a character has two.
        pattern, text = _units(pattern), _units(text)
    translated = translate(pattern, flags)
    options = engine.ASCII | engine.IGNORECASE if "i" in flags else engine.ASCII
    try:
        return engine.search(translated, text, flags=options, timeout=SECONDS) is not None
    except TimeoutError as error:
        raise _too_slow(pattern) from error
    except (engine.error, RecursionError, OverflowError) as error:
        raise re.error(str(error)) from error


def _too_slow(pattern: str) -> SettingError:
    return SettingError(
        f"The regular expression takes longer than {SECONDS:g} seconds",
        detail=quoted(pattern),
        next_step="Avoid a repeated group inside a repeated group, as in (a+)+.",
    )


def _units(text: str) -> str:
    encoded = text.encode("utf-16-le", "surrogatepass")
    pairs = zip(encoded[::2], encoded[1::2], strict=True)
    return "".join(chr(low + 256 * high) for low, high in pairs)


def translate(pattern: str, flags: str = "") -> str:
    """Return a JavaScript regular expression as the package regex writes it; of its flags, m and s count.

    Raises re.error for what JavaScript does not know, such as (?i) and possessive quantifiers.
    """
    out: list[str] = []
    plain = _PLAIN | (_ANY_LINE if "m" in flags else {}) | (_ANY_CHARACTER if "s" in flags else {})
    place, repeatable = 0, False
    groups = sum(1 for match in _CAPTURING.finditer(pattern) if match[1])
    named = _NAMED_GROUP.search(pattern) is not None
    while place < len(pattern):
        char = pattern[place]
        if char == "\\":
            piece, place = _escape(pattern, place + 1, groups=groups, named=named)
            repeatable = piece not in (r"\b", r"\B")
        elif char == "[":
            piece, place = _char_class(pattern, place)
            repeatable = True
        elif char in "*+?" or (char == "{" and _REPEAT.match(pattern, place)):
            if not repeatable:
                raise re.error("nothing to repeat", pattern, place)
            match = _REPEAT.match(pattern, place)
            piece = match[0] if match else char
            place += len(piece)
            if pattern[place : place + 1] == "?":
                piece, place = piece + "?", place + 1
            repeatable = False
        elif char == "(":
            opened = _GROUP.match(pattern, place)
            if opened is None or pattern[opened.end() - 1 : opened.end() + 1] == "(?":
                raise re.error("invalid group", pattern, place)
            piece = f"(?P<{_group_name(opened['name'])}>" if opened["name"] else opened[0]
            place, repeatable = opened.end(), False
        else:
            piece = plain.get(char, char)
            place, repeatable = place + 1, char not in "^$|"
        out.append(piece)
    return "".join(out)


_PLAIN = {".": f"[^{_LINE_ENDS}]", "$": r"\Z", "^": r"\A", "{": r"\{", "}": r"\}", "]": r"\]"}
_ANY_LINE = {"^": f"(?:\\A|(?<=[{_LINE_ENDS}]))", "$": f"(?=[{_LINE_ENDS}]|\\Z)"}
_ANY_CHARACTER = {".": "(?s:.)"}


def _group_name(name: str) -> str:
    # A dollar sign may stand in a name there, and not here.
    return name.replace("$", "_dollar_")


def _escape(pattern: str, place: int, *, groups: int, named: bool) -> tuple[str, int]:
    char = pattern[place : place + 1]
    if not char:
        raise re.error("\\ at the end of the pattern", pattern, place)
    if char in "sS":
        return f"[{'^' if char == 'S' else ''}{_SPACE_SET}]", place + 1
    if char in "bB":
        return f"\\{char}", place + 1
    if char == "k" and named:
        end = pattern.find(">", place)
        if pattern[place + 1 : place + 2] != "<" or end < 0:
            raise re.error("invalid named reference", pattern, place)
        return f"(?P={_group_name(pattern[place + 2 : end])})", end + 1
    if char in "123456789":
        number = re.match(r"\d+", pattern[place:])
        if number and int(number[0]) <= groups:
            return f"(?:\\{number[0]})", place + number.end()
    return _letter(pattern, place)


def _letter(pattern: str, place: int) -> tuple[str, int]:
    """Return the escape of one letter, which means the same inside and outside a set."""
    char = pattern[place]
    if char in _KEPT_ESCAPES:
        return f"\\{char}", place + 1
    if coded := _HEX.match(pattern, place):
        return f"\\{coded[0]}", coded.end()
    if char == "c" and pattern[place + 1 : place + 2].isalpha():
        return f"\\x{ord(pattern[place + 1]) % 32:02x}", place + 2
    if char in "01234567" and (octal := re.match(r"[0-3]?[0-7]{1,2}", pattern[place:])):
        return f"\\x{int(octal[0], 8):02x}", place + octal.end()
    return re.escape(char), place + 1


def _char_class(pattern: str, start: int) -> tuple[str, int]:
    place, negated = start + 1, False
    if pattern[place : place + 1] == "^":
        place, negated = place + 1, True
    if pattern[place : place + 1] == "]":
        return (r"(?s:.)" if negated else r"(?!)"), place + 1
    inner: list[str] = []
    while place < len(pattern) and pattern[place] != "]":
        char = pattern[place]
        if char != "\\":
            inner.append(f"\\{char}" if char in "[&|~^" else char)
            place += 1
        elif pattern[place + 1 : place + 2] == "s":
            inner.append(_SPACE_SET)
            place += 2
        elif pattern[place + 1 : place + 2] == "b":
            inner.append(r"\x08")
            place += 2
        elif pattern[place + 1 : place + 2] == "S":
            inner.append(r"\S")
            place += 2
        elif place + 1 < len(pattern):
            piece, place = _letter(pattern, place + 1)
            inner.append(piece)
        else:
            break
    if place >= len(pattern):
        raise re.error("unterminated character class", pattern, start)
    return f"[{'^' if negated else ''}{''.join(inner)}]", place + 1
