"""Session columns: what a list of sessions shows in a width, and each cell's text.

`COLUMNS` is the one list of columns, from the left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Literal

from rich.cells import cell_len

from turnwise.conversations.marks import DISPUTED, LABEL_SIGNS, outcome_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import ORDERS, Mark, SessionOrder, SessionRow
from turnwise.tui.drawing.plain_prose import plain_title
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.parts.words import ago
from turnwise.tui.session_lists.metric_keys import KEY_LETTERS, metric_keys

GAP = 2
LEAST_NAME = 24
"""Below so many cells for the conversation's name, a further column goes."""
MOST_NAME = 120
METRIC_CELLS = KEY_LETTERS
"""A mark stands in the middle of so many cells, under its key and the share that passed."""
METRIC_GAP = 1
LEAST_FACT, MOST_FACT = 4, 20
FEWEST_DIGITS = 3
NO_OUTCOME = " "
"""Stands where a metric was not judged."""
_HOUR = 3_600


Tone = Literal["sign", "name", "text", "muted"]
"""How a cell is coloured: by its sign, as the conversation's name, as text, or muted."""


@dataclass(frozen=True, slots=True)
class ColumnKind:
    """One kind of column in the list of sessions.

    title: the text over it. width: its cells. text: a cell's text, from the session and the time in seconds
    since 1970. right: whether it is aligned at the right. tone: how it is coloured. gives_way: the turn, from
    1, at which it goes where the name needs its room; 0 for never. Where metrics are to go before other
    columns, those at 1 still go first. from_width: below so many cells of the list it is not shown. most: up
    to how many cells it grows where there is room; 0 for not at all. value: by what of a session it is told
    whether the column says the same of all, which folds it away; a column without it stays.
    """

    title: str
    width: int
    text: Callable[[SessionRow, float], str]
    right: bool = False
    tone: Tone = "muted"
    gives_way: int = 0
    from_width: int = 0
    most: int = 0
    value: Callable[[SessionRow], str] | None = None


@dataclass(frozen=True, slots=True)
class SessionColumn:
    """One column: its kind, the text over it, where it starts and how wide it is, in cells.

    metric: the metric's full name where the kind is `metric`; those without room where it is `more`. fact:
    what is told, such as `meta.language`, where the kind is `fact`. gap: the cells after it.
    """

    kind: str
    title: str
    start: int
    width: int
    right: bool = False
    metric: str = ""
    fact: str = ""
    gap: int = GAP

    @property
    def end(self) -> int:
        """The cell after the column."""
        return self.start + self.width


@dataclass(frozen=True, slots=True)
class FactColumn:
    """A column of what sessions say of themselves: the fact's name, its cells, whether they are numbers."""

    fact: str
    width: int
    right: bool = False

    @classmethod
    def of(cls, fact: str, longest: int, *, right: bool = False) -> FactColumn:
        """Return the column of a fact whose longest value has so many characters."""
        return cls(fact, max(LEAST_FACT, min(MOST_FACT, max(longest, cell_len(fact_title(fact))))), right)


def fact_title(fact: str) -> str:
    """Return what stands over a column of facts: the key of the metadata, or the fact's name."""
    return make_safe_line(fact.removeprefix("meta."))


def columns_for(
    width: int,
    metrics: Sequence[str],
    *,
    facts: Sequence[FactColumn] = (),
    keys: Mapping[str, str] | None = None,
    digits: int = FEWEST_DIGITS,
    keep_about: bool = False,
    without: Collection[str] = (),
    asked: Collection[str] = (),
    longest: Mapping[str, int] | None = None,
) -> list[SessionColumn]:
    """Return the columns that fit into `width` cells, from the left, but for the kinds in `without`.

    As the name needs room, columns give way in their order, then the metrics, from the right, those that are
    asked about after the others, and facts last: somebody asked for them. With keep_about the metrics go
    before role and time. The column after them counts those that have no room. keys: what stands over each
    metric. digits: of the largest number of a session. longest: the cells of the longest text of a kind, as
    far as it is known: what names do not need, others grow into.
    """
    told = metric_keys(metrics) if keys is None else keys
    shown, facts = list(metrics), list(facts)
    kinds = [kind for kind, column in COLUMNS.items() if kind not in without and width >= column.from_width]
    sizes = {kind: COLUMNS[kind].width for kind in COLUMNS} | {"id": max(FEWEST_DIGITS, digits)}
    while _fixed(kinds, sizes, len(shown), len(metrics), facts) + LEAST_NAME > width:
        if droppable := _first_to_go(kinds, most=1 if keep_about else len(COLUMNS)):
            kinds.remove(droppable)
        elif shown:
            shown.remove(next((one for one in reversed(shown) if one not in asked), shown[-1]))
        elif droppable := _first_to_go(kinds, most=len(COLUMNS)):
            kinds.remove(droppable)
        elif facts:
            facts.pop()
        else:
            break
    hidden = [metric for metric in metrics if metric not in shown]
    room = max(1, width - _fixed(kinds, sizes, len(shown), len(metrics), facts))
    sizes |= _grown(kinds, sizes, room, longest or {})
    columns: list[SessionColumn] = []

    def add(kind: str, title: str, size: int, **rest: Any) -> None:
        start = columns[-1].end + columns[-1].gap if columns else 0
        columns.append(SessionColumn(kind, title, start, size, **rest))

    for kind in kinds:
        if kind == "fact":
            for one in facts:
                title = fit(fact_title(one.fact), one.width).rstrip()
                add("fact", title, one.width, right=one.right, fact=one.fact)
        elif kind == "metric":
            for metric in shown:
                add("metric", told[metric], METRIC_CELLS, metric=metric, gap=METRIC_GAP)
            if hidden:
                add("more", f"+{len(hidden)}", _more(hidden), metric=", ".join(hidden))
        else:
            add(kind, COLUMNS[kind].title, sizes[kind], right=COLUMNS[kind].right)
    return columns


def _first_to_go(kinds: Sequence[str], *, most: int) -> str | None:
    """Return the column that gives way first. most: the last place in that order which may be taken."""
    able = [kind for kind in kinds if 0 < COLUMNS[kind].gives_way <= most]
    return min(able, key=lambda kind: COLUMNS[kind].gives_way, default=None)


def _grown(
    kinds: Sequence[str], sizes: Mapping[str, int], room: int, longest: Mapping[str, int]
) -> dict[str, int]:
    """Return the cells of columns that grow, to no more than their longest text needs.

    room: what the name has, of which others take a fourth, and all that the longest name leaves.
    """
    grown: dict[str, int] = {}
    extra = max(0, room - LEAST_NAME)
    name = max(LEAST_NAME, longest.get("name", MOST_NAME))
    for kind in kinds:
        if most := COLUMNS[kind].most:
            wanted = max(sizes[kind], min(most, longest.get(kind, most)))
            grown[kind] = min(wanted, sizes[kind] + max(extra // 4, room - name))
            room -= grown[kind] - sizes[kind]
    return {**grown, "name": min(MOST_NAME, room)}


def header_cell(
    column: SessionColumn, order: SessionOrder | None, beside: Sequence[SessionColumn] = ()
) -> str:
    """Return a column's title with the gap after it; where rows are sorted by it, with ↑ or ↓.

    beside: all columns of the list; where none of them bears the sign, the one of names says the order.
    """
    sign = _sort_sign(column, order)
    if column.kind == "name" and order is not None and not any(_sort_sign(one, order) for one in beside):
        told = f"{column.title}, {_unseen_order(order)}" if beside else column.title
        return fit(told if cell_len(told) <= column.width else column.title, column.width + column.gap)
    if column.kind == "metric":
        return fit(f"{column.title:>2}{sign}", column.width + column.gap)
    if column.right:
        return fit(column.title, column.width, right=True) + fit(sign, column.gap)
    title = fit(column.title, min(column.width, cell_len(column.title)))
    return fit(f"{title}{sign}", column.width + column.gap)


def _unseen_order(order: SessionOrder) -> str:
    kind = ORDERS[order.by]
    words = kind.reverse if order.reverse else kind.usual
    # When a session came, and how well it matches, is said by these words already.
    by = "" if order.by in ("when", "match") else order.metric.replace("_", " ") or order.key or kind.title
    return f"{by} {words}".lstrip()


def _sort_sign(column: SessionColumn, order: SessionOrder | None) -> str:
    if order is None:
        return ""
    here = column.fact == order.text.removeprefix("-") if column.kind == "fact" else column.kind == order.by
    if not here or (order.metric and column.metric != order.metric):
        return ""
    return "↓" if order.falling else "↑"


def _fixed(
    kinds: Sequence[str], sizes: Mapping[str, int], shown: int, metrics: int, facts: Sequence[FactColumn]
) -> int:
    """Return the cells of all columns but the name's."""
    cells = sum(sizes[kind] + GAP for kind in kinds if kind not in ("metric", "fact"))
    cells += sum(one.width + GAP for one in facts)
    cells += shown * (METRIC_CELLS + METRIC_GAP)
    cells += _more(range(metrics - shown)) + GAP if shown < metrics else 0
    ends_in_metric = kinds and kinds[-1] == "metric" and shown == metrics > 0
    return cells - (METRIC_GAP if ends_in_metric else GAP)


def _more(hidden: Sized) -> int:
    return len(f"+{len(hidden)}")


def cell(column: SessionColumn, row: SessionRow, now: float) -> str:
    """Return the text of one cell, as wide as its column."""
    if column.kind == "metric":
        return f" {mark_sign(row.marks.get(column.metric))}".ljust(column.width)
    if column.kind == "fact":
        text = row.source if column.fact == "source" else row.told.get(column.fact, "")
        return fit(_safe(text), column.width, right=column.right)
    text = COLUMNS[column.kind].text(row, now) if column.kind in COLUMNS else ""
    return fit(text, column.width, right=column.right)


def mark_sign(mark: Mark | None) -> str:
    """Return the sign of an outcome, and a blank where there is none."""
    return NO_OUTCOME if mark is None else outcome_sign(mark)


def _label_sign(row: SessionRow) -> str:
    return DISPUTED if row.disputed else LABEL_SIGNS[row.label]


def _safe(text: str) -> str:
    return plain_title(text[:400])


COLUMNS: dict[str, ColumnKind] = {
    "id": ColumnKind("id", FEWEST_DIGITS, lambda row, now: str(row.id), right=True, from_width=60),
    "name": ColumnKind("session", 0, lambda row, now: _safe(row.name) or f"session {row.id}", tone="name"),
    "label": ColumnKind("label", 5, lambda row, now: _label_sign(row).center(5), tone="sign"),
    "role": ColumnKind(
        "role",
        12,
        lambda row, now: _safe(row.chatbot_role),
        gives_way=3,
        most=24,
        value=lambda row: row.chatbot_role,
    ),
    "turns": ColumnKind(
        "turns",
        6,
        lambda row, now: f"{row.turns:,}",
        right=True,
        tone="text",
        value=lambda row: str(row.turns),
    ),
    "tags": ColumnKind(
        "tags",
        16,
        lambda row, now: _safe(", ".join(row.tags)),
        gives_way=1,
        from_width=100,
        most=40,
        value=lambda row: " ".join(row.tags),
    ),
    # Stands for the columns of what sessions say of themselves, as somebody chose them.
    "fact": ColumnKind("", 0, lambda row, now: "", tone="text"),
    # Stands for the columns of the metrics, whose cells are `mark_sign`.
    "metric": ColumnKind("", 0, lambda row, now: "", tone="sign"),
    "when": ColumnKind(
        "when",
        10,
        lambda row, now: ago(row.created_at, now),
        right=True,
        gives_way=2,
        # What came in at one time is told apart by no hour.
        value=lambda row: str(int(row.created_at // _HOUR)),
    ),
}
"""All columns by their kinds, from the left."""
