"""Safe text: what others wrote, with everything a terminal or a page would obey or hide made visible.

A transcript is evidence. A reader must see that a reply held an escape sequence, a bidi override or
invisible letters, and whatever shows it must not act on them.
"""

from __future__ import annotations

import re
from functools import cache

TAB_SIZE = 4

# C0 but newline, DEL, C1, every invisible format character and separator, and what UTF-8 cannot carry.
# Joiners and variation selectors are in here too: the pattern below lets them pass where they belong.
_UNSAFE = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_IDEOGRAPH = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Scripts whose ordinary spelling needs (non-)joiners: Arabic with Persian and Urdu, Syriac, the Indic family.
_JOINING = "\u0620-\u06ff\u0700-\u08ff\u0900-\u0dff\u1780-\u17b3\ufb50-\ufdff\ufe70-\ufefc"

_ORDINARY = (
    # An emoji with its presentation, skin tones and joined partners.
    rf"[{_PICTURE}][\ufe0e\ufe0f]?(?:\u200d[{_PICTURE}][\ufe0e\ufe0f]?)*"
    # A keycap, an ideograph in one of its variants.
    rf"|[0-9#*]\ufe0f\u20e3|[{_IDEOGRAPH}][\ufe00-\ufe02\U000e0100-\U000e01ef]"
    rf"|(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
)
# The flags of England, Scotland and Wales: no other tag letters are ordinary, they are a way to hide text.
_TAG_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in code) + "\U000e007f"
    for code in ("gbeng", "gbsct", "gbwls")
)

_SUSPECT = re.compile(f"[{_UNSAFE}]")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")


@cache
def _to_show() -> re.Pattern[str]:
    """Return what matches unsafe text, and what is ordinary of it; most who read never need it."""
    return re.compile(f"(?P<ordinary>{_TAG_FLAGS}|{_ORDINARY})|[{_UNSAFE}]+")


def make_safe(text: str) -> str:
    """Return `text` with nothing in it that a terminal obeys or hides.

    Control characters become their pictures (␛, ␇), C1 controls, bidi controls and invisible characters
    their numbers (‹U+202E›). Tabs become spaces, every kind of line end becomes a newline. Emoji sequences,
    combining marks and joiners inside words stay. Safe text is returned unchanged.
    """
    if _SUSPECT.search(text) is None:
        return text
    text = _LINE_ENDS.sub("\n", text)
    if "\t" in text:
        text = text.expandtabs(TAB_SIZE)
    return _to_show().sub(_shown, text)


def make_safe_line(text: str) -> str:
    """Return `text` made safe and on one line: runs of white space become one space."""
    return " ".join(make_safe(text).split())


def make_safe_json(text: str) -> str:
    """Return JSON text that says the same, with what a terminal obeys or hides written as \\u escapes.

    text: JSON whose line ends all stand between values.
    """
    return _SUSPECT.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _shown(match: re.Match[str]) -> str:
    if match["ordinary"]:
        return match[0]
    return match[0].translate(_STAND_INS)


class _StandIns(dict[int, str]):
    """The stand-in of an unsafe character, made when it is first met."""

    def __missing__(self, code: int) -> str:
        if code < 0x20:
            shown = chr(0x2400 + code)
        elif code == 0x7F:
            shown = "\u2421"
        else:
            shown = f"‹U+{code:04X}›"
        self[code] = shown
        return shown


_STAND_INS = _StandIns()
