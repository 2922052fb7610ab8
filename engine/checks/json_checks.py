"""Checks on JSON: that an output is JSON, or holds some, and that it satisfies a schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from turnwise.conversations.errors import SettingError
from turnwise.conversations.files import load_yaml
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import strict_json
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker, JudgeReply
from turnwise.engine.checks.findings import Finding, yes_or_no
from turnwise.engine.checks.patterns import search, translate
from turnwise.engine.packages import package

_LONGEST_OBJECT = 100_000
_MOST_TRIES = 500
"""How many opening braces are tried at the most, so that a text of braces ends."""
_MOST_READ_IN_VAIN = 1_000_000
"""Characters of all pieces that turned out to be none, for the same reason."""
_BRACE = re.compile(r"[{}]")
_LINE_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|(?<![:\w])//')


_JSON_OR_NOT = ("The answer is JSON", "The answer is no JSON")


def is_json(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is JSON, and satisfies the schema where there is one."""
    try:
        data = strict_json(answer.text)
    except ValueError:
        return yes_or_no(check, False, expected="be valid JSON", found=_JSON_OR_NOT)
    schema = _schema(check)
    if schema is None:
        return yes_or_no(check, True, expected="be valid JSON", found=_JSON_OR_NOT)
    fault = schema.fault(data)
    return yes_or_no(check, not fault, expected=f"satisfy the schema{': ' + fault if fault else ''}")


def is_json_of_any_shape(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is JSON and nothing else, whatever value the check has."""
    return is_json(replace(check, value=None), answer, asker)


def contains_json(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output holds a JSON object; with a schema, one that satisfies it."""
    found = list(json_objects(answer.text))
    schema = _schema(check) if found else None
    if schema is None:
        return yes_or_no(check, bool(found), expected="contain valid JSON")
    faults = [schema.fault(item) for item in found]
    expected = "contain JSON that satisfies the schema"
    return yes_or_no(
        check, not all(faults), expected=f"{expected}: {faults[-1]}" if all(faults) else expected
    )


def first_object(reply: JudgeReply) -> Mapping[str, Any] | None:
    """Return the first object in what a judge said, as loosely as promptfoo reads it; None without any."""
    return next((found for found in json_objects(reply.text) if isinstance(found, Mapping)), None)


def json_objects(text: str) -> Iterator[Any]:
    """Yield the objects in a text, read as loosely as YAML allows: bare keys, and an end cut off."""
    place, tries, left = text.find("{"), 0, _MOST_READ_IN_VAIN
    while place >= 0 and tries < _MOST_TRIES and left > 0:
        end, missing = _object_end(text, place)
        # A brace that is the last of all opens nothing.
        value = _read(text[place:end] + "}" * missing) if place + 1 < len(text) else None
        tries += 1
        if value is None:
            left -= end - place
            place = text.find("{", place + 1)
        else:
            yield value
            place = text.find("{", end)


def _object_end(text: str, start: int) -> tuple[int, int]:
    limit = min(start + _LONGEST_OBJECT, len(text))
    depth = 0
    for match in _BRACE.finditer(text, start, limit):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end(), 0
    return limit, depth


def _read(text: str) -> Any:
    try:
        value = strict_json(text)
    except ValueError:
        value = _read_loosely(text)
    return value if isinstance(value, (dict, list)) else None


def _read_loosely(text: str) -> Any:
    try:
        return load_yaml(_LINE_COMMENT.sub(lambda match: match[1] or "#", text))
    except ValueError:
        return None


def _schema(check: Check) -> Schema | None:
    if check.value is None or check.value is False or check.value in ("", 0):
        return None
    if isinstance(check.value, dict):
        return read_schema(check.value)
    if isinstance(check.value, str) and not check.value.startswith("file://"):
        found = _read_loosely(check.value)
        if isinstance(found, (dict, bool)):
            return read_schema(found)
    raise SettingError(f"{check.type} needs a JSON schema as its value", next_step="Give it an object.")


_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_MARKS = re.compile(r'"(?:\\.|[^"\\])*"|"(?P<open>.*)|[{}\[\]]')
_PAIRS = {"}": "{", "]": "["}
_MOST_TRIES_ON_LINES = 500


@dataclass(frozen=True, slots=True)
class _Mark:
    """A brace or bracket outside of quotation marks. begins, ends: whether it does so to its line."""

    sign: str
    place: int
    begins: bool
    ends: bool


def json_on_lines(text: str) -> Iterator[Any]:
    """Yield the objects and lists of a text that begin a line and end one; one in another does not count.

    Where a piece is no JSON, what it holds is looked at instead.
    """
    waiting, tries, left = [(text, False)], 0, max(_MOST_READ_IN_VAIN, 2 * len(text))
    while waiting and tries < _MOST_TRIES_ON_LINES and left > 0:
        piece, inside = waiting.pop()
        left -= len(piece)
        found = list(_blocks(piece, inside=inside))
        for begin, end, begins in reversed(found) if inside else found:
            tries += 1
            try:
                value = strict_json(piece[begin:end])
            except ValueError:
                waiting.append((piece[begin:end], True))
            else:
                if begins:
                    yield value


def _blocks(text: str, *, inside: bool) -> Iterator[tuple[int, int, bool]]:
    """Yield where a balanced piece begins and ends, if it ends a line, and whether it begins one."""
    marks = list(_marks(text))
    lone = _lone(marks)
    depth, start = 0, None
    for mark in marks:
        if mark is None or mark.place in lone:
            continue
        if mark.sign in "{[":
            if start is None and depth == int(inside):
                start = mark
            depth += 1
            continue
        depth -= 1
        if start is not None and depth == int(inside):
            if mark.ends:
                yield start.place, mark.place + 1, start.begins
            start = None


def _lone(marks: list[_Mark | None]) -> set[int]:
    """Return the places of the marks without a partner; nothing closes what a fence or a quote parts."""
    open_marks: list[_Mark] = []
    border = 0
    for mark in marks:
        if mark is None:
            border = len(open_marks)
        elif mark.sign in "{[":
            open_marks.append(mark)
        elif len(open_marks) > border and open_marks[-1].sign == _PAIRS[mark.sign]:
            open_marks.pop()
        else:
            open_marks.append(mark)
            border = len(open_marks)
    return {mark.place for mark in open_marks}


def _marks(text: str) -> Iterator[_Mark | None]:
    """Yield the braces and brackets of a text, and None where one part of it ends."""
    fence, offset = "", 0
    for line in text.split("\n"):
        fenced = _FENCE.match(line)
        if fence:
            if fenced and fenced[1].startswith(fence) and not fenced[2].strip():
                fence = ""
        elif fenced and not (fenced[1][0] == "`" and "`" in fenced[2]):
            fence = fenced[1]
            yield None
        else:
            first, last = len(line) - len(line.lstrip()), len(line.rstrip()) - 1
            for mark in _MARKS.finditer(line):
                if mark["open"] is not None:
                    yield None
                elif mark[0] in "{}[]":
                    place = mark.start()
                    yield _Mark(mark[0], offset + place, place == first, place == last)
        offset += len(line) + 1


_EMAIL = re.compile(
    r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?",
    re.I | re.A,
)
_URL_END = re.compile(r"[^\W\d_]{2,}\.?\Z")
_TEMPLATE = re.compile(
    r"(?:[^\x00-\x20\"'<>%\\^`{|}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?(?:[\w%]+(?::[1-9]\d{0,3}|\*)?,?)+(?<!,)\})*",
    re.I | re.A,
)
_FRAGMENT = re.compile(r"#(?:/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*", re.I)
_RELATIVE_POINTER = re.compile(r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~0|~1)*)*)")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}", re.A)
_HOST = re.compile(
    r"(?=.{1,253}\.?\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?",
    re.I,
)
_POINTER = re.compile(r"(?:/(?:[^~/]|~0|~1)*)*")
_DURATION = re.compile(r"P(?!\Z)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?", re.I | re.A)
_DRAFT_7 = re.compile(r"https?://json-schema\.org/(?:draft-07/)?schema#?")

# fmt: off
_KEYWORDS = frozenset(
    (
        "$id", "$schema", "$ref", "$comment", "$defs", "definitions", "title", "description", "default",
        "examples", "deprecated", "readOnly", "writeOnly", "type", "nullable", "enum", "const",
        "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
        "minLength", "pattern", "format", "contentMediaType", "contentEncoding", "items", "additionalItems",
        "maxItems", "minItems", "uniqueItems", "contains", "maxProperties",
        "minProperties", "required", "properties", "patternProperties", "additionalProperties",
        "dependencies", "propertyNames", "if", "then", "else", "allOf", "anyOf", "oneOf", "not",
    )
)
# fmt: on
_OF_ONE = (
    "items",
    "additionalItems",
    "contains",
    "additionalProperties",
    "propertyNames",
    "if",
    "then",
    "else",
    "not",
)
_OF_MANY = ("allOf", "anyOf", "oneOf", "items")
_BY_NAME = ("properties", "patternProperties", "definitions", "$defs", "dependencies")


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema that is fit for use."""

    validator: Any

    def fault(self, data: Any) -> str:
        """Return where data does not satisfy the schema, and how; empty where it does."""
        try:
            errors = [error for _, error in zip(range(5), self.validator.iter_errors(data), strict=False)]
        except RecursionError as error:
            raise SettingError(
                "The schema refers to itself without end", next_step="Mend the schema."
            ) from error
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in ("referencing", "jsonschema"):
                raise
            raise SettingError(
                "The schema refers to something that is not in it", detail=str(error)
            ) from error
        return "; ".join(f"{error.json_path[2:] or 'it'}: {error.message[:200]}" for error in errors)


def read_schema(source: Mapping[str, Any] | bool) -> Schema:
    """Make a schema of JSON Schema draft 7 fit for use.

    Raises SettingError for a keyword or format that the draft does not have, NotFoundError where the package
    for schemas is not installed.
    """
    jsonschema = package("jsonschema", extra="checks")
    registry = package("referencing", extra="checks").Registry()
    base = jsonschema.Draft7Validator
    for part in _parts(source):
        for keyword in part:
            if keyword not in _KEYWORDS:
                raise SettingError(
                    f"The schema has the unknown keyword {keyword}",
                    next_step="Is it misspelt? Remove it, or write it as JSON Schema draft 7 does.",
                )
        if fault := _without_effect(part):
            raise SettingError(f"The schema has a part without effect: {fault}", next_step="Mend the schema.")
        if isinstance(part.get("format"), str) and part["format"] not in _FORMATS:
            raise SettingError(f"The schema has the unknown format {part['format']}", next_step="Remove it.")
    try:
        base.check_schema(source)
    except jsonschema.SchemaError as error:
        raise SettingError("The schema is not valid", detail=error.message[:500]) from error
    draft = source.get("$schema") if isinstance(source, Mapping) else None
    if isinstance(draft, str) and not _DRAFT_7.fullmatch(draft):
        raise SettingError(f"The schema is of {draft}", next_step="Write it as JSON Schema draft 7 does.")
    kind = jsonschema.validators.extend(
        base,
        {
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional(base),
        },
        type_checker=base.TYPE_CHECKER.redefine("number", _is_number),
    )
    checker = jsonschema.FormatChecker(formats=())
    for name, holds in _FORMATS.items():
        checker.checks(name, raises=ValueError)(_of_texts(holds))
    # An empty registry: a schema never makes this program fetch another.
    return Schema(kind(_nullable(source), registry=registry, format_checker=checker))


def _without_effect(part: Mapping[str, Any]) -> str:
    """Return what in a part of a schema has no effect without another; empty where all has."""
    if part.get("nullable") is not None and "type" not in part:
        return "nullable without type"
    if "if" in part and not {"then", "else"} & part.keys():
        return "if without then and else"
    if "if" not in part and {"then", "else"} & part.keys():
        return "then or else without if"
    if "additionalItems" in part and not isinstance(part.get("items"), (list, tuple)):
        return "additionalItems without a list of items"
    return ""


def _is_number(checker: Any, value: Any) -> bool:
    # 1e400 is read as infinite, which is no number of JSON.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and is_finite(value)


def _parts(schema: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if not isinstance(schema, Mapping) or depth > 100:
        return
    yield schema
    for key in _OF_ONE:
        yield from _parts(schema.get(key), depth + 1)
    for key in _OF_MANY:
        for part in schema[key] if isinstance(schema.get(key), (list, tuple)) else ():
            yield from _parts(part, depth + 1)
    for key in _BY_NAME:
        for part in schema[key].values() if isinstance(schema.get(key), Mapping) else ():
            yield from _parts(part, depth + 1)


def _nullable(schema: Any) -> Any:
    """Return a schema with OpenAPI's nullable written as draft 7 has it: null as one more type."""
    if isinstance(schema, (list, tuple)):
        return [_nullable(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {
        key: _nullable(part) if key not in ("enum", "const", "default") else part
        for key, part in schema.items()
    }
    if plain.get("nullable") is True and isinstance(plain.get("type"), str):
        plain["type"] = [plain["type"], "null"]
    return plain


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:
    if validator.is_type(instance, "string") and not _search(pattern, instance):
        yield _error(f"does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, schema: Any
) -> Iterator[Any]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, part in patterns.items():
        for key, value in instance.items():
            if _search(pattern, key):
                yield from validator.descend(value, part, path=key, schema_path=pattern)


def _additional(base: Any) -> Callable[[Any, Any, Any, Any], Iterator[Any]]:
    original = base.VALIDATORS["additionalProperties"]

    def additional(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[Any]:
        # The original matches the names by the patterns itself, with expressions that may run for ever.
        patterns = schema.get("patternProperties", {})
        if patterns and isinstance(instance, Mapping):
            instance = {
                key: value for key, value in instance.items() if not any(_search(p, key) for p in patterns)
            }
            schema = {key: value for key, value in schema.items() if key != "patternProperties"}
        yield from original(validator, allowed, instance, schema)

    return additional


def _search(pattern: str, text: str) -> bool:
    try:
        return search(pattern, text, flags="u")
    except re.error as error:
        raise SettingError(
            "The schema has a pattern that is no regular expression", detail=str(error)
        ) from error


def _error(message: str) -> Any:
    return package("jsonschema", extra="checks").ValidationError(message)


def _of_texts(holds: Callable[[str], object]) -> Callable[[object], bool]:
    # A format says something about texts only.
    return lambda value: not isinstance(value, str) or bool(holds(value))


def _is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text) and date.fromisoformat(text))


def _is_time(text: str, *, zoned: bool = True) -> bool:
    """Whether a text is a time of day; a second more is one at the end of a day in Greenwich."""
    found = _TIME.fullmatch(text)
    if not found or (zoned and not found[4]):
        return False
    hour, minute, second = int(found[1]), int(found[2]), float(found[3])
    sign = -1 if found[5] == "-" else 1
    hours, minutes = sign * int(found[6] or 0), sign * int(found[7] or 0)
    if abs(hours) > 23 or abs(minutes) > 59:
        return False
    if hour <= 23 and minute <= 59 and second < 60:
        return True
    there = minute - minutes
    return hour - hours - (there < 0) in (23, -1) and there in (59, -1) and second < 61


def _date_time(text: str, *, zoned: bool = True) -> bool:
    day, mark, hour = text[:10], text[10:11], text[11:]
    return bool(mark and mark in "Tt \t\n") and _is_date(day) and _is_time(hour, zoned=zoned)


def _is_url(text: str) -> bool:
    parts = urlsplit(text)
    host = parts.hostname or ""
    named = bool(_URL_END.search(host)) and "." in host
    return parts.scheme in ("http", "https", "ftp") and (named or bool(_ADDRESS.fullmatch(host)))


def _is_regex(text: str) -> bool:
    try:
        return bool(translate(text) or True)
    except re.error:
        return False


_FORMATS: dict[str, Callable[[str], object]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _date_time,
    "iso-time": lambda text: _is_time(text, zoned=False),
    "iso-date-time": lambda text: _date_time(text, zoned=False),
    "duration": _DURATION.fullmatch,
    "email": _EMAIL.fullmatch,
    "hostname": _HOST.fullmatch,
    "ipv4": lambda text: IPv4Address(text),
    "ipv6": lambda text: IPv6Address(text),
    "uri": lambda text: urlsplit(text).scheme and not re.search(r"[\s<>\"{}|\\^`]", text),
    "uri-reference": lambda text: not re.search(r"[\s<>\"{}|\\^`]", text),
    "uri-template": _TEMPLATE.fullmatch,
    "url": _is_url,
    "uuid": lambda text: UUID(text.removeprefix("urn:uuid:")) and len(text.removeprefix("urn:uuid:")) == 36,
    "regex": _is_regex,
    "json-pointer": _POINTER.fullmatch,
    "json-pointer-uri-fragment": _FRAGMENT.fullmatch,
    "relative-json-pointer": _RELATIVE_POINTER.fullmatch,
    "byte": lambda text: len(text) % 4 == 0 and re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text),
    "int32": lambda text: True,
    "int64": lambda text: True,
    "float": lambda text: True,
    "double": lambda text: True,
    "password": lambda text: True,
    "binary": lambda text: True,
}
