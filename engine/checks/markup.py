"""Checks on XML and HTML: that an output is a document of its kind, or holds a piece of one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from importlib import import_module
from typing import Any
from xml.parsers import expat

from turnwise.conversations.errors import SettingError
from turnwise.conversations.patterns import SECONDS
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import item_text
from turnwise.conversations.texts import trimmed
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, yes_or_no


def is_xml(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is one well-formed XML document with the elements asked for, as in a.b."""
    if fault := _fault(answer.text):
        return yes_or_no(check, False, expected=f"be well-formed XML: {fault}")
    missing = _missing(_wanted(check), answer.text)
    return yes_or_no(check, not missing, expected=_expected("be XML", missing))


def contains_xml(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output holds a piece that is opened and closed, with the elements asked for.

    Inside of it nothing is checked but these elements.
    """
    wanted = _wanted(check)
    nearest: list[str] | None = None
    for piece in pieces_of(answer.text):
        missing = _missing(wanted, piece)
        if not missing:
            return yes_or_no(check, True, expected=_expected("contain XML", []))
        nearest = nearest or missing
    return yes_or_no(check, False, expected=_expected("contain XML", nearest or []))


def _expected(verb: str, missing: list[str]) -> str:
    return f"{verb}; it lacks {', '.join(missing)}" if missing else verb


def _wanted(check: Check) -> list[str]:
    """Return the paths of the elements that must be there."""
    value = check.value
    if isinstance(value, str):
        return [trimmed(part) for part in value.split(",")]
    if isinstance(value, dict) and value:
        value = value.get("requiredElements")
        if not isinstance(value, (list, tuple)):
            raise SettingError(
                f"{check.type} needs the paths of elements, as in a.b", next_step="Give it a list."
            )
    return [item_text(path) for path in value] if isinstance(value, (list, tuple)) else []


def _missing(wanted: list[str], text: str) -> list[str]:
    tree = tree_of(text) if wanted else {}
    return [path for path in wanted if not _has(tree, path.split("."))]


def _has(tree: Any, path: list[str]) -> bool:
    for key in path:
        if isinstance(tree, list) and key.isdecimal() and int(key) < len(tree):
            tree = tree[int(key)]
        elif isinstance(tree, dict) and key in tree:
            tree = tree[key]
        else:
            return False
    return True


class _DeclaredInsideError(Exception):
    """A document declares a type of its own."""


def _fault(text: str) -> str:
    """Return why a text is no well-formed document; empty where it is one. Prefixes must be declared."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def declaration(name: str, system: str | None, public: str | None, internal: int) -> None:
        # What is declared inside may blow up a small document to a huge one.
        if internal:
            raise _DeclaredInsideError

    parser.StartDoctypeDeclHandler = declaration
    try:
        parser.Parse(text, True)
    except _DeclaredInsideError:
        return "a document type may not be declared inside it"
    except (expat.ExpatError, ValueError, LookupError) as error:
        return str(error)
    return ""


# fmt: off
_NAME_START = (
    ":_A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
# fmt: on
_NAME = f"[{_NAME_START}][{_NAME_START}\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040]*"
_QUOTED = r""""[^"]*"|'[^']*'"""
_SKIPPED = (
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    rf"|<!(?:{_QUOTED}|\[(?:{_QUOTED}|[^\]])*\]|[^>])*(?:>|\Z)"
)
_TAG = rf"(?P<skipped>{_SKIPPED})|<(?P<closing>/?)(?P<name>{_NAME})(?P<rest>(?:{_QUOTED}|[^<>\"'])*)>"
_TOKEN = (
    r"<!--.*?-->|<!\[CDATA\[(?P<data>.*?)\]\]>|<\?(?P<order>[^\s?]+)(?P<told>.*?)\?>"
    rf"|<![A-Za-z](?:{_QUOTED}|\[(?:{_QUOTED}|[^\]\"'])*\]|[^>\"'\[])*>"
    rf"|</[^>]*(?P<end>>)|<(?P<name>[^\s/>]*)(?P<rest>(?:{_QUOTED}|[^>\"'])*)>"
)
_ATTRIBUTE = re.compile(r"""([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?""")


@dataclass(slots=True)
class _Open:
    """An element whose end is still to come."""

    name: str
    entries: dict[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def put(self, name: str, value: Any) -> None:
        before = self.entries.get(name)
        if before is None:
            self.entries[name] = value
        elif isinstance(before, list):
            before.append(value)
        else:
            self.entries[name] = [before, value]

    def value(self) -> Any:
        words = "".join(self.texts).strip()
        if not self.entries:
            return words
        return {**self.entries, "#text": words} if words else self.entries


def _found(pattern: str, text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that a text of openings could hold up, for as long as it may take.

    Raises SettingError where that is too long.
    """
    # Loaded here: few files ask for XML.
    regex: Any = import_module("regex")
    try:
        yield from regex.compile(pattern, regex.DOTALL).finditer(text, timeout=SECONDS)
    except TimeoutError as error:
        raise SettingError(
            f"The markup takes longer than {SECONDS:g} seconds to read", next_step="Check it in another way."
        ) from error


def tree_of(text: str) -> dict[str, Any]:
    """Return the elements of a text as nested dicts; of elements of one name, a list; of words, a text.

    Attributes have names like @_id, the words beside elements #text. A closing tag closes what is open.
    """
    stack = [_Open("")]
    place = 0
    for token in _found(_TOKEN, text):
        stack[-1].texts.append(text[place : token.start()])
        place = token.end()
        if token["data"] is not None:
            stack[-1].texts.append(token["data"])
        elif token["order"] is not None:
            stack[-1].put(f"?{token['order']}", _attributes(token["told"]) or "")
        elif token["end"] is not None:
            if len(stack) > 1:
                _close(stack)
        elif token["name"] is not None:
            rest = token["rest"].rstrip()
            stack.append(_Open(token["name"], _attributes(rest.removesuffix("/"))))
            if rest.endswith("/"):
                _close(stack)
    while len(stack) > 1:
        _close(stack)
    return stack[0].entries


def _close(stack: list[_Open]) -> None:
    closed = stack.pop()
    stack[-1].put(closed.name, closed.value())


def _attributes(text: str) -> dict[str, Any]:
    return {f"@_{name}": one or other for name, one, other in _ATTRIBUTE.findall(text)}


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    parent: int | None


def pieces_of(text: str) -> Iterator[str]:
    """Yield the outermost pieces of a text that are opened and closed; first, those side by side as one."""
    found = list(_pieces(text))
    starts = {piece.start for piece in found}
    outer = [piece for piece in found if piece.parent is None or piece.parent not in starts]
    beside: dict[int | None, list[_Piece]] = {}
    for piece in outer:
        beside.setdefault(piece.parent, []).append(piece)
    spans = [
        (min(piece.start for piece in group), max(piece.end for piece in group))
        for group in beside.values()
        if len(group) > 1
    ]
    spans += sorted((piece.start, piece.end) for piece in outer)
    tried: list[tuple[int, int]] = []
    for begin, end in dict.fromkeys(spans):
        if not any(first <= begin and end <= last for first, last in tried):
            tried.append((begin, end))
            yield text[begin:end]


def _pieces(text: str) -> Iterator[_Piece]:
    waiting: list[tuple[str, int]] = []
    for tag in _found(_TAG, text):
        if tag["skipped"] is not None:
            continue
        if tag["closing"]:
            if waiting and waiting[-1][0] == tag["name"]:
                start = waiting.pop()[1]
                yield _Piece(start, tag.end(), waiting[-1][1] if waiting else None)
            else:
                waiting.clear()
        elif tag["rest"].rstrip().endswith("/"):
            yield _Piece(*tag.span(), waiting[-1][1] if waiting else None)
        else:
            waiting.append((tag["name"], tag.start()))


_LONGEST = 10 * 1024 * 1024
# fmt: off
_VOID = frozenset(
    (
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    )
)
_FRAME = frozenset(("html", "head", "body"))
_BLOCK = frozenset(
    (
        "address", "article", "aside", "blockquote", "dd", "details", "dialog", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
        "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul",
    )
)
_INLINE = frozenset(
    (
        "a", "abbr", "audio", "b", "bdi", "bdo", "button", "canvas", "caption", "cite", "code", "colgroup",
        "data", "datalist", "del", "dfn", "em", "i", "iframe", "ins", "kbd", "label", "legend", "map",
        "mark", "math", "meter", "noscript", "object", "optgroup", "option", "output", "picture",
        "progress", "q", "rp", "rt", "ruby", "s", "samp", "script", "select", "slot", "small", "span",
        "strong", "style", "sub", "sup", "svg", "tbody", "td", "template", "textarea", "tfoot", "th",
        "thead", "time", "title", "tr", "u", "var", "video",
    )
)
# fmt: on
_PARTS_OF_TABLE = frozenset(("caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"))
_FRAMES_OF_TABLE = frozenset(("table", "tbody", "thead", "tfoot", "tr", "colgroup"))
_STYLES = frozenset(("a", "b", "code", "em", "i", "s", "small", "strong", "u"))
_KNOWN = _VOID | _FRAME | _BLOCK | _INLINE
_OPENING = re.compile(r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?>")
_SIGNS = (
    (2, re.compile(r"<!doctype\s+html", re.I)),
    (1, re.compile(r"<[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/>")),
    (1, re.compile(r"&(?:[a-zA-Z]+|#[0-9]+|#x[0-9a-fA-F]+);")),
    (1, re.compile(r"""\s[a-zA-Z-]+=\s?["'][^"']*["']""")),
    (
        2,
        re.compile(
            r"<(?:html|head|body|div|span|p|a|img|h[1-6]|[uo]l|li|table|t[rdh]|form|input|button|script|style|link"
            r"|meta|br|hr)\b",
            re.I,
        ),
    ),
)
_CLOSING = re.compile(r"</[a-zA-Z][a-zA-Z0-9-]*\s*>")
_ENOUGH = 2


def is_html(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output is HTML: known elements, and no words outside of them."""
    fault = html_fault(answer.text)
    return yes_or_no(check, not fault, expected=f"be HTML{': ' + fault if fault else ''}")


def contains_html(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the output shows enough signs of HTML: tags, entities, attributes, comments."""
    return yes_or_no(check, holds_html(answer.text), expected="contain HTML")


def html_fault(text: str) -> str:
    """Return why a text is no HTML; empty where it is."""
    inner = trimmed(text)
    if not inner:
        return "it is blank"
    if len(inner) > _LONGEST:
        return "it is too long"
    if inner[:5].lower() == "<?xml":
        return "it is XML"
    reader = _Reader()
    reader.feed(inner)
    reader.close()
    if reader.bare_words and "<body" not in inner.lower():
        return "there are words outside of any element"
    return "" if reader.known else "there is no element of HTML"


def holds_html(text: str) -> bool:
    """Say whether a text shows at least two signs of HTML; a pair of tags is two."""
    if len(text) > _LONGEST:
        return False
    signs = sum(bool(pattern.search(text)) for pattern in (_OPENING, _CLOSING))
    signs += sum(weight for weight, pattern in _SIGNS if pattern.search(text))
    comment = text.find("<!--")
    signs += comment >= 0 and text.find("-->", comment + 4) >= 0
    return signs >= _ENOUGH


class OpenElements:
    """The names of open elements, the innermost last. The same name may be open any number of times.

    They are asked and changed in a time that does not grow with their number.
    """

    def __init__(self) -> None:
        # A name taken out of the middle leaves None; there is never one at the end.
        self._names: list[str | None] = []
        self._places: dict[str, list[int]] = defaultdict(list)
        self._first = 0

    def __bool__(self) -> bool:
        return bool(self._names)

    def __contains__(self, name: str) -> bool:
        return bool(self._places.get(name))

    @property
    def last(self) -> str | None:
        """The innermost element; None where none is open."""
        return self._names[-1] if self._names else None

    def begin(self, name: str) -> None:
        """Open an element inside all others."""
        self._places[name].append(len(self._names))
        self._names.append(name)

    def end_with_inner(self, name: str) -> None:
        """Close the innermost element of a name, which is open, with all that is open inside it."""
        del_from = self._places[name][-1]
        while len(self._names) > del_from:
            self._drop()
        self._trim()

    def end_alone(self, name: str) -> None:
        """Close the innermost element of a name, if any is open; those inside it stay open."""
        if name in self:
            self._names[self._places[name].pop()] = None
            self._trim()

    def begins_before(self, name: str) -> bool:
        """Whether any element is open outside of the innermost one of a name, which is open."""
        while self._names[self._first] is None:
            self._first += 1
        return self._first < self._places[name][-1]

    def _drop(self) -> None:
        name = self._names.pop()
        if name is not None:
            self._places[name].pop()

    def _trim(self) -> None:
        while self._names and self._names[-1] is None:
            self._names.pop()
        self._first = min(self._first, len(self._names))


class _Reader(HTMLParser):
    """Notes whether there are known elements, and words that stand in none.

    What has no end anywhere behind it is looked for once: a text of openings would be read to its end from
    each of them.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = OpenElements()
        self.styles: dict[str, int] = {}
        self.known = False
        self.bare_words = False
        self._without_end: set[str] = set()

    def _ends(self, mark: str, start: int) -> bool:
        """Whether a mark stands anywhere behind a place; what is read begins later and later."""
        if mark not in self._without_end and self.rawdata.find(mark, start) < 0:
            self._without_end.add(mark)
        return mark not in self._without_end

    def parse_starttag(self, i: int) -> int:
        """Return where a tag ends, as the parser does; -1 where it does not."""
        return super().parse_starttag(i) if self._ends(">", i) else -1

    def parse_endtag(self, i: int) -> int:
        """Return where a closing tag ends, as the parser does; -1 where it does not."""
        return super().parse_endtag(i) if self._ends(">", i) else -1

    def parse_pi(self, i: int) -> int:
        """Return where an instruction ends, as the parser does; -1 where it does not."""
        return super().parse_pi(i) if self._ends(">", i) else -1

    def parse_comment(self, i: int, report: bool = True) -> int:
        """Return where a comment ends, as the parser does; -1 where it does not."""
        if "a comment" in self._without_end and not self.rawdata.startswith((">", "->"), i + 4):
            return -1
        end = super().parse_comment(i, report)
        self._without_end |= {"a comment"} if end < 0 else set()
        return end

    def parse_html_declaration(self, i: int) -> int:
        """Return where a declaration ends, as the parser does; -1 where it does not."""
        kind = self.rawdata[i : i + 5].lower()
        if not self._ends(">", i) or kind in self._without_end:
            return -1
        try:
            end = super().parse_html_declaration(i)
        except AssertionError:
            # So it words a section of a kind that it does not know, which browsers take for a comment.
            return self.rawdata.find(">", i) + 1
        if end < 0 and kind.startswith("<!["):
            self._without_end.add(kind)
        return end

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; a block ends a paragraph that is still open, and a cell needs its table."""
        if tag in _PARTS_OF_TABLE and "table" not in self.open and "template" not in self.open:
            return
        self.known = self.known or tag in _KNOWN or "-" in tag
        if tag in _BLOCK and "p" in self.open:
            self.handle_endtag("p")
        if tag not in _VOID and tag not in _FRAME:
            self.open.begin(tag)
            if tag in _STYLES:
                self.styles[tag] = self.styles.get(tag, 0) + 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element that looks closed; HTML closes only svg, math and void ones that way."""
        self.handle_starttag(tag, attrs)
        if tag not in _KNOWN and self.open.last == tag and "svg" in self.open:
            self.open.end_alone(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element with all that is open inside it; a style ends by itself, and goes on till then."""
        if tag in _STYLES:
            self.open.end_alone(tag)
            if self.styles.get(tag, 0) > 1:
                self.styles[tag] -= 1
            else:
                self.styles.pop(tag, None)
        elif tag in self.open:
            self.open.end_with_inner(tag)

    def handle_data(self, data: str) -> None:
        """Note words that stand in no element; those between the cells of a table stand before it."""
        inside = bool(self.open)
        if self.open.last in _FRAMES_OF_TABLE and "table" in self.open:
            inside = self.open.begins_before("table")
        self.bare_words = self.bare_words or (not inside and not self.styles and bool(data.strip()))
