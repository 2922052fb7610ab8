"""Disguises: other ways to read a text, by which words can be hidden from whoever looks for them.

A reading is what a model may well see where a plain search sees nothing: letters set apart, look-alikes from
other alphabets, invisible characters, digits for letters, words turned round, and text that is encoded.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_TAG_LETTERS = re.compile("[\U000e0020-\U000e007e]")
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһոԛѡкмтвнАВЕКМНОРСТХІЈЅαορενικτυΑΒΕΗΙΚΜΝΟΡΤΥΧΖ",
    "aeopcyxijsdhnqwkmtbhABEKMHOPCTXIJSaopeviktuABEHIKMNOPTYXZ",
)
_MIXED_WORD = re.compile(r"\w*(?:[a-zA-Z][\u0370-\u04ff]|[\u0370-\u04ff][a-zA-Z])\w*")
_APOSTROPHES = str.maketrans("’ʼ`´‘", "'''''")
_SPACED = re.compile(r"(?<!\w)\w(?:[ \t._\-*·•|/~+,]{1,3}\w){7,}(?!\w)")
_APART = re.compile(r"[ \t]{2,}|[ \t]*[|/][ \t]*")
_BETWEEN = re.compile(r"[\W_]+")
_ENCODED = re.compile(
    r"(?<![\w+/=-])(?:[A-Za-z0-9+/_-]{4,}[ \t\r\n]?){0,400}[A-Za-z0-9+/_-]{12,}={0,2}(?![\w+/=-])"
)
_CHUNK = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,}={0,2}(?![\w+/=-])")
_LONG_RUN = re.compile(r"[A-Za-z0-9+/_-]{12}")
_HEX = re.compile(r"(?<!\w)(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){12,}(?!\w)")
_HEX_RUN = re.compile(r"(?:[0-9a-fA-F]{2}[ ,:]?(?:0x|\\x)?){4}")
_BITS = re.compile(r"(?<!\d)(?:[01]{8}[ ,]?){6,}(?!\d)")
_BYTE = re.compile(r"[01]{8}")
_ESCAPE = re.compile(r"\\u|&#|%[0-9a-fA-F]")
_ESCAPED = re.compile(
    r"(?:\\u[0-9a-fA-F]{4}){4,}|(?:&#x?[0-9a-fA-F]+;){4,}|(?<!\w)(?:\w*%[0-9a-fA-F]{2}[\w.,-]*){3,}"
)
_LEET = str.maketrans("0134578@$!", "oieastbasi")
_LEET_WORD = re.compile(r"\b(?=\w*[a-zA-Z@$])(?=[\w@$!]*[0134578@$])[\w@$!]{2,}")
_LEAST_LETTERS = 0.7
_MOST = 20_000
"""Longer texts are looked through for encoded parts only this far, since no instruction needs as much."""


def plain_reading(text: str) -> str:
    """Return a text without what cannot be seen, with one form of each letter, of the same words."""
    if text.isascii():
        return text
    text = _TAG_LETTERS.sub(lambda found: chr(ord(found[0]) - 0xE0000), text)
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).translate(_APOSTROPHES)
    return _MIXED_WORD.sub(lambda found: found[0].translate(_LOOKALIKES), text)


# A text is looked through twice, for what surely and for what maybe speaks to a judge.
@lru_cache(maxsize=256)
def hidden_readings(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return where in a text something else can be read, and what: the start, the end and the reading."""
    return tuple(_hidden_readings(text[:_MOST]))


def _hidden_readings(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _SPACED.finditer(text):
        words = [_BETWEEN.sub("", word) for word in _APART.split(found[0])]
        yield *found.span(), " ".join(words)
    for pattern, begins, decode in (
        (_CHUNK, _LONG_RUN, _from_base64),
        (_ENCODED, _LONG_RUN, _from_base64),
        (_HEX, _HEX_RUN, _from_hex),
        (_BITS, _BYTE, _from_bits),
    ):
        # Hardly any text has what these begin with, for which alone it is quicker to look.
        for found in pattern.finditer(text) if begins.search(text) else ():
            if (told := decode(found[0])) and is_text(told):
                yield *found.span(), told
    for found in _ESCAPED.finditer(text) if _ESCAPE.search(text) else ():
        yield *found.span(), _unescaped(found[0])


def turned_readings(sentence: str) -> Iterator[str]:
    """Yield other readings of a whole sentence: digits as letters, letters moved by 13, read from the end."""
    if len(_LEET_WORD.findall(sentence)) >= 2:
        yield _LEET_WORD.sub(lambda found: found[0].translate(_LEET), sentence)
    if sentence.isascii() and len(sentence) >= 12:
        yield codecs.encode(sentence, "rot13")
        yield sentence[::-1]


def is_text(text: str) -> bool:
    """Whether decoded characters are words and no chance."""
    told = sum(character.isalpha() or character in " .,:'\"\n" for character in text)
    return (
        len(text) >= 8
        and " " in text.strip()
        and text.isprintable() | ("\n" in text)
        and (told / len(text) >= _LEAST_LETTERS)
    )


def _from_base64(found: str) -> str:
    joined = re.sub(r"\s", "", found).replace("-", "+").replace("_", "/").rstrip("=")
    if joined.isdigit() or (joined.isalpha() and (joined.islower() or joined.isupper())):
        return ""
    try:
        return base64.b64decode(joined + "=" * (-len(joined) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""


def _from_hex(found: str) -> str:
    try:
        return bytes.fromhex(re.sub(r"0x|\\x|[^0-9a-fA-F]", "", found)).decode("utf-8")
    except (UnicodeDecodeError, ValueError):
        return ""


def _from_bits(found: str) -> str:
    bits = re.sub(r"\D", "", found)
    try:
        return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).decode("utf-8")
    except (UnicodeDecodeError, ValueError):
        return ""


def _unescaped(found: str) -> str:
    if found.startswith("\\u"):
        return re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), found)
    return html.unescape(unquote(found))
