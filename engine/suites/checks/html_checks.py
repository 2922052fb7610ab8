"""Checks on HTML: that an output is HTML throughout, or holds some."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from turnwise.conversations.suites import Check
from turnwise.conversations.white_space import trimmed
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.results import CheckResult

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


def is_html(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is HTML: known elements, and no words outside of them."""
    fault = html_fault(answer.text)
    return yes_or_no(check, not fault, expected=f"be HTML{': ' + fault if fault else ''}")


def contains_html(check: Check, answer: Answer) -> CheckResult:
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


class _Reader(HTMLParser):
    """Notes whether there are known elements, and words that stand in none."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.styles: list[str] = []
        self.known = False
        self.bare_words = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element; a block ends a paragraph that is still open, and a cell needs its table."""
        if tag in _PARTS_OF_TABLE and not {"table", "template"} & set(self.open):
            return
        self.known = self.known or tag in _KNOWN or "-" in tag
        if tag in _BLOCK and "p" in self.open:
            self.handle_endtag("p")
        if tag not in _VOID and tag not in _FRAME:
            self.open.append(tag)
            self.styles += [tag] if tag in _STYLES else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element that looks closed; HTML closes only svg, math and void ones that way."""
        self.handle_starttag(tag, attrs)
        if tag not in _KNOWN and self.open and self.open[-1] == tag and "svg" in self.open:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close an element with all that is open inside it; a style ends by itself, and goes on till then."""
        if tag in _STYLES:
            for names in (self.styles, self.open):
                if tag in names:
                    del names[len(names) - 1 - names[::-1].index(tag)]
        elif tag in self.open:
            last = len(self.open) - 1 - self.open[::-1].index(tag)
            del self.open[last:]

    def handle_data(self, data: str) -> None:
        """Note words that stand in no element; those between the cells of a table stand before it."""
        around = self.open
        if around and around[-1] in _FRAMES_OF_TABLE and "table" in around:
            around = around[: len(around) - 1 - around[::-1].index("table")]
        self.bare_words = self.bare_words or (not around and not self.styles and bool(data.strip()))
