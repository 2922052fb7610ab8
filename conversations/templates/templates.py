"""Templates: nunjucks templates, filled by Jinja2's sandbox under JavaScript's rules.

Jinja2 is the language nunjucks was made after. Where the two differ (what is true, what a value looks like
as text, what a missing name is, loops over objects), the parsed template is rewritten to ask our rules.
A template sees data only: no Python attribute, no file, no other template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import TemplateError
from jinja2.utils import Namespace

from turnwise.conversations.errors import FormatError
from turnwise.conversations.templates import javascript_values as js
from turnwise.conversations.templates.budget import budgeted, check_length
from turnwise.conversations.templates.sandbox import (
    MAKER,
    STRICTLY,
    Environment,
    Sandbox,
    UnseenVariableError,
)

_MARKS = ("{{", "{%", "{#")
_SIMPLE = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_]*) *\}\}")
_OPENING = re.compile(r"\{[{%#]")
_CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
_QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")
_ELSE = re.compile(r"(\{%-?\s*)(?:elseif|else if)\b")
_RESERVED = frozenset(
    (
        "true",
        "false",
        "none",
        "null",
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "else",
        "for",
        "loop",
        "range",
        "env",
    )
)
_STRICTLY, _NOT_STRICTLY = f"== {STRICTLY} ==", f"!= {STRICTLY} =="
_VERBATIM = re.compile(r"\{%(-?)\s*(end)?verbatim\s*(-?)%\}")
_ASYNCHRONOUS = re.compile(r"(\{%-?\s*)(asyncEach|asyncAll|endeach|endall|ifAsync)\b")
_IN_TURN = {"asyncEach": "for", "asyncAll": "for", "endeach": "endfor", "endall": "endfor", "ifAsync": "if"}
_RAW, _END_RAW = re.compile(r"\{%\s*raw\s*%\}"), re.compile(r"\{%\s*endraw\s*%\}")
_MOST_KEPT = 2_000
_RETURN_MARK = "\ue00d"


class Templates:
    """Fills templates.

    environment: what `env.NAME` gives; None where the system's may not be seen, so that a template which asks
    for a variable is an error. own: what a file gives for itself, which stands above it. Nothing else of the
    system can be seen.
    """

    def __init__(
        self, environment: Mapping[str, str] | None = None, own: Mapping[str, str] | None = None
    ) -> None:
        self.environment = Environment({**(environment or {}), **(own or {})})
        self.environment.is_closed = environment is None
        self._jinja = Sandbox()
        self._jinja.globals = {
            "range": self._jinja.counted_range,
            "null": None,
            "cycler": self._jinja.cycler,
            "joiner": self._jinja.joiner,
            "env": self.environment,
            MAKER: Namespace,
        }
        self._compiled: dict[str, Any] = {}

    def fill(self, template: str, variables: Mapping[str, Any]) -> str:
        """Return the template's text with the variables in it.

        Raises FormatError where it is no template, or needs what only code can give.
        """
        if not any(mark in template for mark in _MARKS):
            return template
        try:
            with budgeted():
                plain = "{%" not in template and "{#" not in template
                simple = _simple(template, variables) if plain else None
                if simple is not None:
                    return simple
                compiled = self._compiled.get(template)
                if compiled is None:
                    compiled = self._jinja.from_string(_prepared(template))
                    if len(self._compiled) < _MOST_KEPT:
                        self._compiled[template] = compiled
                return str(compiled.render(dict(variables))).replace(_RETURN_MARK, "\r")
        except UnseenVariableError as error:
            raise _unseen(template, str(error)) from None
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise _broken(template, str(error) or type(error).__name__) from None
        except (RecursionError, MemoryError):
            raise _broken(template, "it goes too deep") from None

    def fill_in(self, value: Any, variables: Mapping[str, Any]) -> Any:
        """Return a value with every text in it filled; keys stay as they are."""
        if isinstance(value, str):
            return self.fill(value, variables)
        if isinstance(value, list):
            return [self.fill_in(item, variables) for item in value]
        if isinstance(value, dict):
            return {key: self.fill_in(item, variables) for key, item in value.items()}
        return value


def stays_as_written(template: str) -> bool:
    """Whether promptfoo leaves a text unfilled because a tag in it is still open at the end of a line.

    That is so too where the tag goes on in the next line. Where the text itself says raw, it is a template.
    """
    if not any(mark in template for mark in _MARKS) or not any(map(_is_open, template.split("\n"))):
        return False
    return not (_RAW.search(template) and _END_RAW.search(template))


def _is_open(line: str) -> bool:
    """Whether a tag that begins in a line does not end in it."""
    # The last tag of its kind has the least behind it.
    starts = ((line.rfind(mark), end[0]) for mark, end in _CLOSING.items())
    return any(start >= 0 and end not in line[start + 2 :] for start, end in starts)


def _unseen(template: str, name: str) -> FormatError:
    return FormatError(
        f"A template reads the variable {name} of the environment, which files may not see without --trust",
        detail=_excerpt(template),
        next_step=f"Read the file first; --trust then lets it see {name}. Or give it under env in the file.",
    )


def _broken(template: str, problem: str) -> FormatError:
    filter_missing = re.search(r"No filter named '([^']*)'", problem)
    if filter_missing:
        name = filter_missing[1]
        return FormatError(
            f"A template uses the filter {name}, which is code of its own",
            detail=f"expected one of the built-in filters; got {name} in {_excerpt(template)}",
            next_step="Write the text without it; a filter that is code is not run.",
        )
    if "no loader" in problem:
        problem = "it takes in another template, which is not allowed"
    return FormatError(
        "A template cannot be filled",
        detail=f"expected a nunjucks template; got {_excerpt(template)}: {problem}",
        next_step="Correct the template.",
    )


def _excerpt(template: str) -> str:
    line = " ".join(template.split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def _simple(template: str, variables: Mapping[str, Any]) -> str | None:
    """Fill a template that holds plain names only, which saves compiling it; None where it holds more."""
    found = _SIMPLE.findall(template)
    if len(found) != template.count("{{") or not _RESERVED.isdisjoint(found):
        return None
    # The same value may be asked for any number of times, and is as long every time.
    texts = {name: js.output_of(variables.get(name)) for name in set(found)}
    check_length(len(template) + sum(len(texts[name]) for name in found))
    return _SIMPLE.sub(lambda match: texts[match[1]], template)


def _prepared(template: str) -> str:
    """Return the template with the keywords that only nunjucks has written as Jinja2 writes them."""
    if "verbatim" in template:
        template = _VERBATIM.sub(r"{%\1 \2raw \3%}", template)
    template = _ASYNCHRONOUS.sub(lambda found: found[1] + _IN_TURN[found[2]], template)
    if not ("\r" in template or "===" in template or "!==" in template or _ELSE.search(template)):
        return template
    return "".join(
        _in_jinja(part) if is_tag else part.replace("\r", _RETURN_MARK) for part, is_tag in _parts(template)
    )


def _parts(template: str) -> Iterator[tuple[str, bool]]:
    """Yield the text between tags, and the tags; whatever a tag without an end leaves is text."""
    position = 0
    while opening := _OPENING.search(template, position):
        start = opening.start()
        end = template.find(_CLOSING[opening[0]], start + 2)
        if end == -1:
            break
        yield template[position:start], False
        yield template[start : end + 2], opening[0] != "{#"
        position = end + 2
    yield template[position:], False


def _in_jinja(tag: str) -> str:
    # What stands in quotes is the template's own text.
    pieces = _QUOTED.split(tag)
    pieces[::2] = [piece.replace("!==", _NOT_STRICTLY).replace("===", _STRICTLY) for piece in pieces[::2]]
    return _ELSE.sub(r"\1elif", "".join(pieces), count=1)
