"""Session columns: what a list of sessions shows in a width, and each cell's text."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence, Sized
from dataclasses import dataclass

from rich.cells import cell_len

from turnwise.conversations.store.orders import Order
from turnwise.conversations.store.rows import Mark, SessionRow
from turnwise.tui.widgets.marks import FAILED, PASSED, UNSURE
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.wrapping import fit

GAP = 2
TAGS_FROM = 100
"""Below so many cells the tags go."""
LEAST_NAME = 24
"""Below so many cells for the conversation's name, a further column goes: first `when`, then the role."""
MOST_NAME = 60
MOST_ROLE = 24
METRIC_LETTERS = 4
SKIPPED, FAILURE, NOTHING = "–", "!", " "
_LABELS = {"pass": PASSED, "fail": FAILED, "defer": UNSURE, None: SKIPPED}


@dataclass(frozen=True, slots=True)
class Column:
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
) -> list[Column]:
    """Return the columns that fit into `width` cells, from the left, but for the kinds in `without`.

    Tags go below 100 cells. As the name needs room, `when` and the role go next and the metrics last, from
    the right; with keep_about the metrics go first. The column after them counts those that have no room.
    """
    shown = list(metrics)
    kinds = ["label", "name", "role", "turns", "tags", "metrics", "when"]
    kinds = [kind for kind in kinds if kind not in without and (kind != "tags" or width >= TAGS_FROM)]
    first = ("tags",) if keep_about else ("tags", "when", "role")
    while _fixed(kinds, len(shown), len(metrics)) + LEAST_NAME > width:
        if droppable := next((kind for kind in first if kind in kinds), None):
            kinds.remove(droppable)
        elif shown:
            shown.pop()
        elif droppable := next((kind for kind in ("when", "role") if kind in kinds), None):
            kinds.remove(droppable)
        else:
            break
    hidden = metrics[len(shown) :]
    if hidden:
        kinds.insert(kinds.index("metrics") + 1, "more")
    room = max(1, width - _fixed(kinds, len(shown), len(metrics)))
    extra = max(0, room - LEAST_NAME)
    role = min(MOST_ROLE, _WIDTHS["role"] + extra // 4) if "role" in kinds else 0
    name = min(MOST_NAME, room - (role - _WIDTHS["role"] if role else 0))
    columns: list[Column] = []
    start = 0
    for kind in kinds:
        if kind == "metrics":
            for title, metric in zip(abbreviations(shown), shown, strict=True):
                columns.append(Column("metric", title, start, METRIC_LETTERS, metric=metric))
                start += METRIC_LETTERS + GAP
            continue
        if kind == "more":
            columns.append(Column(kind, f"+{len(hidden)}", start, _more(hidden), metric=", ".join(hidden)))
            start += _more(hidden) + GAP
            continue
        size = {"name": name, "role": role}.get(kind, _WIDTHS.get(kind, 0))
        columns.append(Column(kind, _TITLES[kind], start, size, right=kind in {"turns", "when"}))
        start += size + GAP
    return columns


def silent_columns(rows: Iterable[SessionRow]) -> frozenset[str]:
    """Return which of the columns for role and tags have no word in any of these sessions."""
    silent = {"role", "tags"}
    for row in rows:
        silent -= {"role"} if row.chatbot_role else set()
        silent -= {"tags"} if row.tags else set()
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


def header_cell(column: Column, order: Order | None) -> str:
    """Return a column's title with the gap after it; where rows are sorted by it, with ↑ or ↓."""
    sign = _sort_sign(column, order)
    if column.right:
        return fit(column.title, column.width, right=True) + fit(sign, GAP)
    return fit(f"{fit(column.title, min(column.width, cell_len(column.title)))}{sign}", column.width + GAP)


def _sort_sign(column: Column, order: Order | None) -> str:
    if order is None or column.kind != order.by or (order.metric and column.metric != order.metric):
        return ""
    return "↓" if order.falling else "↑"


_WIDTHS = {"label": 5, "name": 0, "role": 12, "turns": 5, "tags": 16, "when": 10}
_TITLES = {
    "label": "label",
    "name": "conversation",
    "role": "role",
    "turns": "turns",
    "tags": "tags",
    "when": "when",
}


def _fixed(kinds: Sequence[str], shown: int, metrics: int) -> int:
    """Return the cells of all columns but the name's."""
    sizes = [_WIDTHS[kind] for kind in kinds if kind not in ("metrics", "more")] + [METRIC_LETTERS] * shown
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


def cell(column: Column, row: SessionRow, now: float) -> str:
    """Return the text of one cell, as wide as its column."""
    match column.kind:
        case "label":
            return f"  {_LABELS[row.label]}  "
        case "metric":
            return f" {mark_sign(row.marks.get(column.metric))}".ljust(column.width)
        case "more":
            text = ""
        case "name":
            text = make_safe_line(row.name[:400]) or f"session {row.id}"
        case "role":
            text = make_safe_line(row.chatbot_role[:400])
        case "turns":
            text = str(row.turns)
        case "tags":
            text = make_safe_line(" ".join(row.tags)[:400])
        case _:
            text = ago(row.created_at, now)
    return fit(text, column.width, right=column.right)


def mark_sign(mark: Mark | None) -> str:
    """Return the sign of an outcome: ✓ passed, ✗ did not, ~ a score without a bar, – skipped, ! failed."""
    if mark is None:
        return NOTHING
    if mark.outcome != "score":
        return FAILURE if mark.outcome == "failure" else SKIPPED
    return UNSURE if mark.passed is None else PASSED if mark.passed else FAILED


def ago(then: float, now: float) -> str:
    """Return a time as people say it: "3 h ago" where it is recent, else its date."""
    seconds = now - then
    if seconds < 60:
        return "just now"
    for size, unit, limit in ((60, "min", 3_600), (3_600, "h", 86_400), (86_400, "d", 14 * 86_400)):
        if seconds < limit:
            return f"{int(seconds // size)} {unit} ago"
    date = time.localtime(then)
    if date.tm_year == time.localtime(now).tm_year:
        return time.strftime("%d %b", date)
    return time.strftime("%b %Y", date)
