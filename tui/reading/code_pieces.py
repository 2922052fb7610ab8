"""Code pieces: a program's text cut where its words, values and remarks begin, so that they can be coloured.

What a language is made of is told apart by pygments, which comes with rich. Green and red mean pass and fail
in turnwise, so there are three colours alone, whatever the language.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

CodePart = Literal["", "word", "value", "remark"]
"""What a piece is: a word of the language itself, a text or figure, a remark, or anything else."""
MOST_COLOURED = 20_000
"""Characters: longer code is left in one colour, as it would keep keys waiting."""


def code_pieces(code: str, language: str) -> Iterator[tuple[str, CodePart]]:
    """Yield all of a text in pieces; one piece where the language is not known.

    language: what stands behind the fence, of which the first word counts: `python title="a.py"`.
    """
    lexer = _lexer(language.split()[0].strip("{}.,").lower()) if language.split() else None
    if lexer is None or len(code) > MOST_COLOURED:
        yield code, ""
        return
    pieces = [(text, _part_of(str(kind))) for _, kind, text in lexer.get_tokens_unprocessed(code)]
    # Whatever a lexer makes of it: nothing that was written is lost.
    yield from pieces if "".join(text for text, _ in pieces) == code else _in_one_piece(code)


@lru_cache(maxsize=32)
def _lexer(language: str) -> Any | None:
    # The import stands here because it takes time that a transcript without code does not have.
    from rich.syntax import Syntax

    return Syntax("", language).lexer


@lru_cache(maxsize=512)
def _part_of(kind: str) -> CodePart:
    """Return what a kind of token is, such as `Token.Keyword.Constant`."""
    return next((part for start, part in _PARTS.items() if kind.startswith(start)), "")


def _in_one_piece(code: str) -> list[tuple[str, CodePart]]:
    return [(code, "")]


_PARTS: dict[str, CodePart] = {
    "Token.Comment": "remark",
    "Token.Keyword": "word",
    "Token.Operator.Word": "word",
    "Token.Name.Tag": "word",
    "Token.Name.Decorator": "word",
    "Token.Literal": "value",
}
