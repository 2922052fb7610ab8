"""Session columns: what a list of sessions shows in a width, and each cell's text.

`COLUMNS` is the one list of columns, from the left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len

from turnwise.conversations.marks import LABEL_SIGNS, outcome_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Mark, SessionOrder, SessionRow
from turnwise.tui.parts.words import ago
from turnwise.tui.parts.wrapping import fit

GAP = 2
LEAST_NAME = 24
"""Below so many cells for the conversation's name, a further column goes."""
MOST_NAME = 60
METRIC_LETTERS = 4
NO_OUTCOME = " "
"""Stands where a metric was not judged."""


Tone = Literal["sign", "name", "text", "muted"]
"""How a cell is coloured: by its sign, as the conversation's name, as text, or muted."""


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """One kind of column in the list of sessions.

    title: the text over it. width: its cells. text: a cell's text, from the session and the time in seconds
    since 1970. right: whether it is aligned at the right. tone: how it is coloured. gives_way: the turn, from
    1, at which it goes where the name needs its room; 0 for never. Where metrics are to go before other
    columns, those at 1 still go first. from_width: below so many cells of the list it is not shown. most: up
    to how many cells it grows where there is room; 0 for not at all. says: whether a session has a word for
    it; a column for which none has is left out.
    """

    title: str
    width: int
    text: Callable[[SessionRow, float], str]
    right: bool = False
    tone: Tone = "muted"
    gives_way: int = 0
    from_width: int = 0
    most: int = 0
    says: Callable[[SessionRow], bool] | None = None


@dataclass(frozen=True, slots=True)
class SessionColumn:
    """One column: its kind, the text over it, where it starts and how wide it is, in cells.

    metric: the metric's full name where the kind is `metric`; those without room where it is `more`.
    """

    kind: str
    title: str
    start: int
    width: int
    right: bool = False
    metric: str = ""

    @property
    def end(self) -> int:
        """The cell after the column."""
        return self.start + self.width


def columns_for(
    width: int, metrics: Sequence[str], *, keep_about: bool = False, without: Collection[str] = ()
) -> list[SessionColumn]:
    """Return the columns that fit into `width` cells, from the left, but for the kinds in `without`.

    As the name needs room, columns give way in their order and the metrics last, from the right; with
    keep_about the metrics go first. The column after them counts those that have no room.
    """
    shown = list(metrics)
    kinds = [kind for kind, column in COLUMNS.items() if kind not in without and width >= column.from_width]
    while _fixed(kinds, len(shown), len(metrics)) + LEAST_NAME > width:
        if droppable := _first_to_go(kinds, most=1 if keep_about else len(COLUMNS)):
            kinds.remove(droppable)
        elif shown:
            shown.pop()
        elif droppable := _first_to_go(kinds, most=len(COLUMNS)):
            kinds.remove(droppable)
        else:
            break
    hidden = metrics[len(shown) :]
    if hidden:
        kinds.insert(kinds.index("metric") + 1, "more")
    widths = _widths(kinds, max(1, width - _fixed(kinds, len(shown), len(metrics))))
    columns: list[SessionColumn] = []
    start = 0
    for kind in kinds:
        if kind == "metric":
            for title, metric in zip(abbreviations(shown), shown, strict=True):
                columns.append(SessionColumn("metric", title, start, METRIC_LETTERS, metric=metric))
                start += METRIC_LETTERS + GAP
            continue
        if kind == "more":
            title, size = f"+{len(hidden)}", _more(hidden)
            columns.append(SessionColumn(kind, title, start, size, metric=", ".join(hidden)))
        else:
            size, column = widths[kind], COLUMNS[kind]
            columns.append(SessionColumn(kind, column.title, start, size, right=column.right))
        start += size + GAP
    return columns


def _first_to_go(kinds: Sequence[str], *, most: int) -> str | None:
    """Return the column that gives way first. most: the last place in that order which may be taken."""
    able = [kind for kind in kinds if kind in COLUMNS and 0 < COLUMNS[kind].gives_way <= most]
    return min(able, key=lambda kind: COLUMNS[kind].gives_way, default=None)


def _widths(kinds: Sequence[str], room: int) -> dict[str, int]:
    """Return the cells of each column. room: what the name has, of which others take a fourth to grow."""
    widths = {kind: COLUMNS[kind].width for kind in kinds if kind in COLUMNS}
    extra = max(0, room - LEAST_NAME)
    for kind in widths:
        if most := COLUMNS[kind].most:
            grown = min(most, widths[kind] + extra // 4)
            room -= grown - widths[kind]
            widths[kind] = grown
    return {**widths, "name": min(MOST_NAME, room)}


def silent_columns(rows: Iterable[SessionRow]) -> frozenset[str]:
    """Return which of the columns have no word in any of these sessions."""
    silent = {kind: column.says for kind, column in COLUMNS.items() if column.says}
    for row in rows:
        for kind in [kind for kind, says in silent.items() if says(row)]:
            del silent[kind]
        if not silent:
            break
    return frozenset(silent)


def scored_first(metrics: Sequence[str], rows: Iterable[SessionRow]) -> list[str]:
    """Return the metrics so that those that scored one of these sessions come before those that did not.

    Those that were skipped throughout come after those that failed; else they stay as they stood.
    """
    worth = {"score": 0, "failure": 1, "skipped": 2}
    best = dict.fromkeys(metrics, 3)
    for row in rows:
        for metric, mark in row.marks.items():
            if metric in best:
                best[metric] = min(best[metric], worth[mark.outcome])
    return sorted(metrics, key=lambda metric: best[metric])


def header_cell(column: SessionColumn, order: SessionOrder | None) -> str:
    """Return a column's title with the gap after it; where rows are sorted by it, with ↑ or ↓."""
    sign = _sort_sign(column, order)
    if column.right:
        return fit(column.title, column.width, right=True) + fit(sign, GAP)
    return fit(f"{fit(column.title, min(column.width, cell_len(column.title)))}{sign}", column.width + GAP)


def _sort_sign(column: SessionColumn, order: SessionOrder | None) -> str:
    if order is None or column.kind != order.by or (order.metric and column.metric != order.metric):
        return ""
    return "↓" if order.falling else "↑"


def _fixed(kinds: Sequence[str], shown: int, metrics: int) -> int:
    """Return the cells of all columns but the name's."""
    sizes = [COLUMNS[kind].width for kind in kinds if kind not in ("metric", "more")]
    sizes += [METRIC_LETTERS] * shown
    sizes += [_more(range(metrics - shown))] if shown < metrics else []
    return sum(sizes) + GAP * (len(sizes) - 1)


def _more(hidden: Sized) -> int:
    return len(f"+{len(hidden)}")


def abbreviations(metrics: Sequence[str]) -> list[str]:
    """Return four letters or so for each metric, told apart where two begin alike."""
    shown: list[str] = []
    for metric in metrics:
        words = make_safe_line(metric).replace("-", "_").replace(" ", "_").split("_")
        numbered = ("".join(words)[: METRIC_LETTERS - len(str(n))] + str(n) for n in range(2, 1000))
        short = (words[0][:METRIC_LETTERS], "".join(word[:2] for word in words)[:METRIC_LETTERS])
        shown.append(next(text for text in (*short, *numbered) if text and text not in shown))
    return shown


def cell(column: SessionColumn, row: SessionRow, now: float) -> str:
    """Return the text of one cell, as wide as its column."""
    if column.kind == "metric":
        return f" {mark_sign(row.marks.get(column.metric))}".ljust(column.width)
    text = COLUMNS[column.kind].text(row, now) if column.kind in COLUMNS else ""
    return fit(text, column.width, right=column.right)


def mark_sign(mark: Mark | None) -> str:
    """Return the sign of an outcome, and a blank where there is none."""
    return NO_OUTCOME if mark is None else outcome_sign(mark)


def _safe(text: str) -> str:
    return make_safe_line(text[:400])


COLUMNS: dict[str, ColumnKind] = {
    "label": ColumnKind("label", 5, lambda row, now: f"  {LABEL_SIGNS[row.label]}  ", tone="sign"),
    "name": ColumnKind(
        "conversation", 0, lambda row, now: _safe(row.name) or f"session {row.id}", tone="name"
    ),
    "role": ColumnKind(
        "role",
        12,
        lambda row, now: _safe(row.chatbot_role),
        gives_way=3,
        most=24,
        says=lambda row: bool(row.chatbot_role),
    ),
    "turns": ColumnKind("turns", 5, lambda row, now: str(row.turns), right=True, tone="text"),
    "tags": ColumnKind(
        "tags",
        16,
        lambda row, now: _safe(" ".join(row.tags)),
        gives_way=1,
        from_width=100,
        says=lambda row: bool(row.tags),
    ),
    # Stands for the columns of the metrics, whose cells are `mark_sign`.
    "metric": ColumnKind("", 0, lambda row, now: "", tone="sign"),
    "when": ColumnKind("when", 10, lambda row, now: ago(row.created_at, now), right=True, gives_way=2),
}
"""All columns by their kinds, from the left."""
