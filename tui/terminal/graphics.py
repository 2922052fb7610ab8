"""Graphics: what pictures a terminal draws beside text, asked of it, and the codes that place and remove one.

Two ways are known: the graphics of kitty, which also ghostty, WezTerm and Konsole know, and sixels, which
xterm, foot and others draw. A terminal is sent neither before it said that it knows it.

Sources: https://sw.kovidgoyal.net/kitty/graphics-protocol/ and, for the device attributes and the size of a
cell, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

_NUMBER = 7_301
"""The number of the one picture that is shown at a time."""
_ASKED = 7_302
QUESTIONS = f"\x1b_Gi={_ASKED},s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c"
"""A picture of one pixel that is not kept, the size of a cell, and what the terminal can.

The last question is answered by every terminal, and each answers in the order of the questions.
"""
KITTY_REMOVED = f"\x1b_Ga=d,d=I,i={_NUMBER},q=2\x1b\\"
"""Removes the picture of kitty's graphics, wherever it is."""
USUAL_CELL = (10, 20)
"""Pixels of a cell where the terminal does not say; kitty itself fits a picture into cells."""
_MOST_OF_A_CODE = 4_096
_SIXELS = "4"
_ANSWER = re.compile(
    r"\x1b_G(?P<kitty>[^\x1b\x07]*)\x1b\\"
    r"|\x1b\[6;(?P<height>\d+);(?P<width>\d+)t"
    r"|\x1b\[\?(?P<able>[\d;]*)c"
)
_BEGUN = re.compile(r"\x1b(?:_(?:G[^\x1b\x07]*\x1b?)?|\[(?:\?[\d;]*|6(?:;\d*){0,2})?)?\Z")


@dataclass(frozen=True, slots=True)
class Graphics:
    """What pictures a terminal draws.

    cell: the pixels across and down of a cell; None where it did not say.
    """

    kitty: bool = False
    sixels: bool = False
    cell: tuple[int, int] | None = None

    @property
    def any(self) -> bool:
        """Whether it draws pictures that fit: of sixels that is known with the size of a cell."""
        return self.kitty or (self.sixels and self.cell is not None)


class GraphicsAnswers:
    """Takes the answers to `QUESTIONS` out of what a terminal sends, which are no keys."""

    def __init__(self) -> None:
        self._begun = ""
        self._told = Graphics()
        self.complete = False
        """Whether the last answer has come: nothing more is taken out."""

    @property
    def graphics(self) -> Graphics:
        """What was answered so far."""
        return self._told

    def feed(self, text: str) -> str:
        """Return a text without the answers in it; what may be the beginning of one waits for its rest."""
        text = self._begun + text
        self._begun = ""
        if self.complete:
            return text
        text = _ANSWER.sub(self._take, text)
        if not self.complete and (begun := _BEGUN.search(text)):
            self._begun = begun[0]
            text = text[: begun.start()]
        return text

    def rest(self) -> str:
        """Return what waited for a rest that did not come: a key, such as escape."""
        begun, self._begun = self._begun, ""
        return begun

    def _take(self, answer: re.Match[str]) -> str:
        if answer["able"] is not None:
            self._told = replace(self._told, sixels=_SIXELS in answer["able"].split(";")[1:])
            self.complete = True
        elif answer["kitty"] is not None:
            about, _, said = answer["kitty"].partition(";")
            if f"i={_ASKED}" in about.split(","):
                self._told = replace(self._told, kitty=said == "OK")
        elif int(answer["height"]) and int(answer["width"]):
            self._told = replace(self._told, cell=(int(answer["width"]), int(answer["height"])))
        return ""


def may_be_asked(environment: Mapping[str, str]) -> bool:
    """Return whether what answers is the terminal itself.

    tmux and screen answer for the terminal behind them, and do not keep a picture where their text moves.
    """
    return "TMUX" not in environment and not environment.get("TERM", "").startswith(("screen", "tmux"))


def kitty_picture(png: bytes, cells: int, rows: int) -> str:
    """Return the codes that draw a picture by kitty's graphics where the cursor is, over so many cells."""
    data = base64.b64encode(png).decode()
    parts = [data[start : start + _MOST_OF_A_CODE] for start in range(0, len(data), _MOST_OF_A_CODE)]
    about = f"a=T,f=100,i={_NUMBER},p=1,c={cells},r={rows},C=1,q=2,"
    written = []
    for place, part in enumerate(parts):
        more = int(place < len(parts) - 1)
        written.append(f"\x1b_G{about if not place else 'q=2,'}m={more};{part}\x1b\\")
    return "".join(written)


def placed(codes: str, column: int, line: int) -> str:
    """Return codes that draw from a cell on, counted from 0, and leave the cursor where it was."""
    return f"\x1b7\x1b[{line + 1};{column + 1}H{codes}\x1b8"
