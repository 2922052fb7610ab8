"""Glance: what the library shows of one session beside its list: its turns, and what was found of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.errors import DamageError
from turnwise.conversations.marks import FAILED, FAILURE, LABEL_SIGNS
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import SessionRow, Store
from turnwise.conversations.words import counted
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.plain_prose import plain_title
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit, wrap
from turnwise.tui.session_lists.covered import HIDDEN
from turnwise.tui.session_lists.found_words import NOTHING_SOUGHT, SoughtWords, found_spans

if TYPE_CHECKING:
    from turnwise.conversations.store import AssignedMode, LabelRow, ScoreRow, TurnRow

TURNS_SHOWN = 30
"""How many messages are read before somebody scrolls."""
ABOUT_LINES = 3
REASON_LINES = 4
NOTE_LINES = 4
MOST_CHARACTERS = 4_000
MOST_SEARCHED = 300
"""So many messages of a session are looked through for what was found."""
BEFORE_FOUND = 60
"""Characters before it that are shown."""
_ROOM_FOR_REASONS = 0.5
_NOBODY = ""


@dataclass(frozen=True, slots=True)
class Glance:
    """What a preview shows: the session, its first messages, its newest scores, what people say of it.

    sought: what was searched for; then the turns that hold it are shown, and it is marked. hidden: why what
    was found is not shown; empty where it is. labels: of the whole, the newest of each person. is_whole:
    whether all its messages were read.
    """

    row: SessionRow
    turns: Sequence[TurnRow]
    scores: Sequence[ScoreRow]
    sought: SoughtWords = NOTHING_SOUGHT
    hidden: str = ""
    labels: Sequence[LabelRow] = ()
    modes: Sequence[AssignedMode] = ()
    is_whole: bool = False

    @classmethod
    def read(
        cls, store: Store, row: SessionRow, sought: SoughtWords = NOTHING_SOUGHT, *, covered: bool = False
    ) -> Glance:
        """Return what the store holds of a session, without what is damaged: the list says so.

        covered: whether what was found of it is hidden. It takes a fraction of a millisecond.
        """
        from turnwise.engine.people.labelling import labels_of_others

        most = MOST_SEARCHED if sought else TURNS_SHOWN
        turns = store.turns.of(row.id, most)
        glance = cls(row, turns, (), sought, is_whole=len(turns) < most)
        with suppress(DamageError), store.reading(row.id):
            glance = replace(glance, modes=tuple(store.modes.of(row.id)))
        if covered:
            told = bool(row.marks or row.label or glance.modes)
            return replace(glance, hidden=HIDDEN if told else "", modes=())
        with suppress(DamageError), store.reading(row.id):
            glance = replace(glance, scores=store.scores.newest_by_metric(row.id))
        with suppress(DamageError), store.reading(row.id):
            labels = tuple(labels_of_others(store.labels.of(row.id), _NOBODY).values())
            glance = replace(glance, labels=labels)
        return glance

    @property
    def found_turns(self) -> Sequence[TurnRow]:
        """Of a search the turns that hold what was found, which alone are drawn; none where no turn does."""
        return [
            _from_found(turn, spans[0][0])
            for turn in self.turns
            if turn.number is not None
            and (spans := found_spans(turn.content, self.sought.in_turns_of(turn.role)))
        ]


def left_out(found: Sequence[TurnRow], turns: int) -> list[int]:
    """Return how many turns are left out before each one found, and after the last. turns: of the session."""
    numbers = [0, *(turn.number or 0 for turn in found), turns + 1]
    return [max(0, after - before - 1) for before, after in pairwise(numbers)]


def glance_head(glance: Glance, width: int, height: int, palette: Palette) -> list[Line]:
    """Return what stands over the turns: the session, what people say of it, and what did not pass.

    height: of the window, of which what failed takes a half at most.
    """
    row = glance.row
    about = [plain_title(part[:MOST_CHARACTERS]) for part in _about(row) if part]
    lines: list[Line] = [
        [Segment(fit(plain_title(row.name[:MOST_CHARACTERS]), width), palette.role)],
        *_paragraph(" · ".join(about), width, ABOUT_LINES, palette.muted),
        [],
    ]
    if glance.hidden:
        return [*lines, *_paragraph(glance.hidden, width, REASON_LINES, palette.muted, indent=2), []]
    people = [*_labels(glance.labels, width, palette), *_modes(glance.modes, width, palette)]
    room = max(2, int(height * _ROOM_FOR_REASONS) - len(people))
    findings = list(islice(_findings(glance.scores, width, palette), room))
    for part in (people, findings):
        lines += [*part, []] if part else []
    return lines


def _about(row: SessionRow) -> tuple[str, ...]:
    return (row.chatbot_role, counted(row.turns, "turn"), row.source)


def _labels(labels: Sequence[LabelRow], width: int, palette: Palette) -> Iterator[Line]:
    """Yield what each person says of the whole, and their note."""
    styles = {"pass": palette.passed, "fail": palette.failed, "defer": palette.unsure, None: palette.muted}
    for label in labels:
        place = f" · turn {label.turn}" if label.turn is not None else ""
        word = label.label or "note"
        told = fit(make_safe_line(f"{word} · {label.given_by}{place}"), max(1, width - 2)).rstrip()
        yield [Segment(f"{LABEL_SIGNS[label.label]} ", styles[label.label]), Segment(told, palette.text)]
        if label.note.strip():
            yield from _paragraph(label.note.strip(), width, NOTE_LINES, palette.muted, indent=2)


def _modes(modes: Sequence[AssignedMode], width: int, palette: Palette) -> Iterator[Line]:
    if modes:
        names = ", ".join(
            f"{make_safe_line(mode.name[:MOST_CHARACTERS])}{f' at turn {mode.turn}' if mode.turn else ''}"
            for mode in modes
        )
        yield from _paragraph(f"Failure modes: {names}", width, NOTE_LINES, palette.text)


def _findings(scores: Sequence[ScoreRow], width: int, palette: Palette) -> Iterator[Line]:
    """Yield what did not pass and what could not be had, the worst first."""
    wanting = [score for score in scores if score.outcome == "failure" or score.passed is False]
    for score in sorted(wanting, key=lambda score: (score.outcome == "failure", score.score or 0.0)):
        failed = score.outcome != "failure"
        sign, style = (FAILED, palette.failed) if failed else (FAILURE, palette.unsure)
        found = "not judged" if score.score is None else f"{score.score:.2f}"
        name = make_safe_line(score.metric).replace("_", " ")
        place = f" · exchange {score.exchange}" if score.exchange else ""
        yield [
            Segment(f"{sign} ", style),
            Segment(fit(f"{name} {found}{place}", max(1, width - 2)), palette.text),
        ]
        if score.reason.strip():
            yield from _paragraph(score.reason, width, REASON_LINES, palette.muted, indent=2)


def _paragraph(text: str, width: int, most: int, style: Style, *, indent: int = 0) -> Iterator[Line]:
    """Yield a text made safe in so many lines at most; where there are more, the last ends in an ellipsis."""
    room = max(1, width - indent)
    shown = list(islice(wrap(make_safe(text[:MOST_CHARACTERS]), room), most + 1))
    if len(shown) > most:
        shown = [*shown[: most - 1], fit(f"{shown[most - 1]} {ELLIPSIS}", room).rstrip()]
    for line in shown:
        yield [Segment(" " * indent), Segment(line, style)] if indent else [Segment(line, style)]


def _from_found(turn: TurnRow, start: int) -> TurnRow:
    """Return a turn that begins shortly before what was found, where that is far from its beginning.

    start: where it was found.
    """
    if start <= BEFORE_FOUND * 2:
        return turn
    cut = turn.content.find(" ", start - BEFORE_FOUND) + 1
    return replace(turn, content=f"{ELLIPSIS} {turn.content[cut if 0 < cut <= start else start :]}")
