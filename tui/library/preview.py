"""Preview: the session under the cursor at a glance: what it is, what failed and why, how it begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.errors import DamageError
from turnwise.conversations.marks import FAILED, FAILURE
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import ScoreRow, SessionRow, Store, TurnRow
from turnwise.conversations.words import counted
from turnwise.tui.parts.palette import component
from turnwise.tui.parts.wrapping import ELLIPSIS, fit, wrap
from turnwise.tui.session_lists.found_words import found_spans, split_at

TURNS_SHOWN = 30
"""How many messages a preview is given."""
ABOUT_LINES = 3
REASON_LINES = 4
TURN_LINES = 6
MOST_CHARACTERS = 4_000
MOST_SEARCHED = 300
"""So many messages of a session are looked through for what was found."""
BEFORE_FOUND = 60
"""Characters before it that are shown."""
_ROOM_FOR_REASONS = 0.5

Piece = tuple[str, str]
"""A text and the name of its style: title, text, dim, failed, unsure or found."""
Line = list[Piece]


@dataclass(frozen=True, slots=True)
class Glance:
    """What a preview shows: the session, its first messages, its newest scores.

    words: what was searched for; then the turns that hold it are shown, and it is marked. hidden: why the
    scores are not shown; empty where they are.
    """

    row: SessionRow
    turns: Sequence[TurnRow]
    scores: Sequence[ScoreRow]
    words: Sequence[str] = ()
    hidden: str = ""

    @classmethod
    def read(cls, store: Store, row: SessionRow, words: Sequence[str], hidden: str) -> Glance:
        """Return what the store holds of a session, without scores that are damaged: the list says so.

        It takes a tenth of a millisecond.
        """
        turns = store.turns.of(row.id, MOST_SEARCHED if words else TURNS_SHOWN)
        scores: Sequence[ScoreRow] = ()
        if not hidden:
            with suppress(DamageError), store.reading(row.id):
                scores = store.scores.newest_by_metric(row.id)
        return cls(row, turns, scores, words, hidden)


class Preview(Widget):
    """Draws a glance in the room it has; what has no room is left out, never scrolled to."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "preview--title",
        "preview--text",
        "preview--dim",
        "preview--failed",
        "preview--unsure",
        "preview--found",
    }
    DEFAULT_CSS = """
    Preview {
        background: $surface;
        color: $text;
        padding: 0 2;
        & .preview--title { color: $text; text-style: bold; }
        & .preview--text { color: $text; }
        & .preview--dim { color: $text-muted; }
        & .preview--failed { color: $text-error; text-style: bold; }
        & .preview--unsure { color: $text-warning; }
        & .preview--found { color: $text-accent; text-style: bold underline; }
        &:ansi {
            .preview--dim { text-style: dim; }
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glance: Glance | None = None
        self._lines: list[Line] = []
        self._laid_out: Size | None = None

    def show(self, glance: Glance | None) -> None:
        """Show another session, or nothing."""
        self._glance = glance
        self._laid_out = None
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Fill the room that there is now: the first frame is drawn before the first resize is told."""
        if self.content_size != self._laid_out:
            self._laid_out = self.content_size
            width, height = self.content_size
            self._lines = preview_lines(self._glance, width, height) if self._glance and width > 0 else []
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        line = self._lines[y] if y < len(self._lines) else []
        segments = [Segment(text, component(self, f"preview--{style}")) for text, style in line]
        base = self.rich_style
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(self.content_size.width, base)


def preview_lines(glance: Glance, width: int, height: int) -> list[Line]:
    """Return the lines of a glance: its head, then what failed, then as much of its start as fits."""
    row = glance.row
    spoken = counted(row.turns, "turn")
    parts = (row.chatbot_role, spoken, row.source)
    about = [make_safe_line(part[:MOST_CHARACTERS]) for part in parts if part]
    lines: list[Line] = [
        [(fit(make_safe_line(row.name[:MOST_CHARACTERS]), width), "title")],
        *([(piece, "dim")] for piece in _at_most(wrap(" · ".join(about), width), ABOUT_LINES, width)),
        [],
    ]
    found = _hidden(glance.hidden, width) if glance.hidden else _findings(glance.scores, width)
    findings = list(islice(found, max(2, int(height * _ROOM_FOR_REASONS))))
    if findings:
        lines += [*findings, []]
    room = height - len(lines)
    turns = [_about_found(turn, glance.words) for turn in glance.turns if _holds(turn, glance.words)]
    lines += islice(_turns(turns or glance.turns, width), max(0, room))
    return [_marked(line, glance.words) for line in lines] if glance.words else lines


def _holds(turn: TurnRow, words: Sequence[str]) -> bool:
    return bool(words) and turn.number is not None and bool(found_spans(turn.content, words))


def _about_found(turn: TurnRow, words: Sequence[str]) -> TurnRow:
    """Return a turn that begins shortly before what was found, where that is far from its beginning."""
    start = found_spans(turn.content, words)[0][0]
    if start <= BEFORE_FOUND * 2:
        return turn
    cut = turn.content.find(" ", start - BEFORE_FOUND) + 1
    return replace(turn, content=f"{ELLIPSIS} {turn.content[cut if 0 < cut <= start else start :]}")


def _marked(line: Line, words: Sequence[str]) -> Line:
    """Return a line with what was found in a style of its own."""
    return [
        (piece, "found" if found else style)
        for text, style in line
        for piece, found in split_at(text, found_spans(text, words))
    ]


def _findings(scores: Sequence[ScoreRow], width: int) -> Iterator[Line]:
    """Yield what did not pass and what could not be had, the worst first."""
    wanting = [score for score in scores if score.outcome == "failure" or score.passed is False]
    for score in sorted(wanting, key=lambda score: (score.outcome == "failure", score.score or 0.0)):
        sign, style = (FAILURE, "unsure") if score.outcome == "failure" else (FAILED, "failed")
        found = "not judged" if score.score is None else f"{score.score:.2f}"
        name = make_safe_line(score.metric).replace("_", " ")
        place = f" · exchange {score.exchange}" if score.exchange else ""
        yield [(f"{sign} ", style), (fit(f"{name} {found}{place}", width - 2), "text")]
        room = max(1, width - 2)
        for text in _at_most(wrap(make_safe(score.reason[:MOST_CHARACTERS]), room), REASON_LINES, room):
            yield [("  ", "dim"), (text, "dim")]


def _hidden(why: str, width: int) -> Iterator[Line]:
    for text in wrap(why, max(1, width - 2)):
        yield [("  ", "dim"), (text, "dim")]


def _turns(turns: Sequence[TurnRow], width: int) -> Iterator[Line]:
    """Yield the first spoken turns, each with its number."""
    for turn in turns:
        said = turn.content.strip()[:MOST_CHARACTERS]
        if turn.number is None or not (said or turn.tools_called):
            continue
        said = said or "▸ " + ", ".join(call.name for call in turn.tools_called)
        number = f"{turn.number:<3}"
        style = "text" if turn.role == "user" else "dim"
        room = max(1, width - len(number))
        for count, text in enumerate(_at_most(wrap(make_safe(said), room), TURN_LINES, room)):
            yield [(number if count == 0 else " " * len(number), "dim"), (text, style)]
        yield []


def _at_most(lines: Iterator[str], count: int, width: int) -> Iterator[str]:
    """Yield the first lines; where there are more, the last of them ends in an ellipsis."""
    shown = list(islice(lines, count + 1))
    yield from shown[: count - 1] if len(shown) > count else shown
    if len(shown) > count:
        yield fit(f"{shown[count - 1]} {ELLIPSIS}", width).rstrip()
