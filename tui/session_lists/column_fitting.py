"""ColumnFitting: of all that may have a column in a list of sessions, what tells something and has room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from turnwise.conversations.store import SessionOrder, SessionRow, metrics_of
from turnwise.tui.session_lists.folding import SeenValues
from turnwise.tui.session_lists.list_totals import ListTotals
from turnwise.tui.session_lists.metric_keys import metric_keys, shown_keys
from turnwise.tui.session_lists.session_columns import FactColumn, SessionColumn, columns_for


class ColumnFitting:
    """Chooses the columns of a list by what its sessions say, as far as they were seen."""

    def __init__(self, metrics: Sequence[str] = ()) -> None:
        """metrics: all that there are, by their full names."""
        self.metrics: Sequence[str] = tuple(metrics)
        """The metrics that may have a column, from the left."""
        self.pinned = False
        """Whether the metrics stand also where no session was judged by them."""
        self.facts: Sequence[str] = ()
        """What sessions say of themselves that has a column, by such names as `meta.language`."""
        self._keys = metric_keys(metrics)
        self._asked: Sequence[str] = ()
        """The metrics that the filter names."""
        self._seen = SeenValues()

    def name_metrics(self, metrics: Sequence[str]) -> None:
        """Say which metrics there are in all, so that each keeps its key whichever are shown."""
        self._keys = metric_keys(metrics)

    def keys_of(self, metrics: Sequence[str]) -> Mapping[str, str]:
        """Return what stands over these metrics."""
        return shown_keys(self._keys, metrics)

    def ask(self, query: str) -> None:
        """Let the metrics that a filter names give way after the others."""
        self._asked = metrics_of(query, list(self._keys))

    def see(self, rows: Iterable[SessionRow]) -> bool:
        """Look at these sessions too; return whether they say what the ones before did not."""
        before = self._seen.so_far
        self._seen.see(rows)
        return before != self._seen.so_far

    def see_anew(self, rows: Iterable[SessionRow]) -> None:
        """Look at these sessions, and forget all that were seen before."""
        self._seen = SeenValues()
        self._seen.see(rows)

    def fitting(
        self, width: int, order: SessionOrder | None, totals: ListTotals | None, *, keep_about: bool = False
    ) -> list[SessionColumn]:
        """Return the columns that fit into so many cells. keep_about: as for `columns_for`.

        order: what the list is sorted by. totals: how its sessions came out, where they were counted.
        """
        seen, counted = self._seen, totals.tallies if totals is not None else {}
        metrics = [
            metric
            for metric in self.metrics
            if self.pinned or metric in seen.judged_by or (metric in counted and counted[metric].scores)
        ]
        return columns_for(
            width,
            metrics,
            facts=[
                FactColumn.of(fact, seen.widest.get(fact, 0), right=fact not in seen.not_numbers)
                for fact in self.facts
            ],
            keys=self._keys | metric_keys(metrics) if set(metrics) - set(self._keys) else self._keys,
            digits=len(str(seen.largest_id)),
            keep_about=keep_about,
            # By what somebody sorted stays in sight, with its sign.
            without=seen.folded - {order.by if order is not None else ""},
            asked=[*self._asked, order.metric if order is not None else ""],
            longest=seen.longest,
        )
