"""What changed where sessions are judged once more: its counts, and lines for `turnwise score --compare`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from turnwise.conversations.marks import outcome_sign, verdict_sign
from turnwise.conversations.results import Failure, Score, Skipped
from turnwise.conversations.safe_text import make_safe_line

if TYPE_CHECKING:
    from turnwise.conversations.store import ScoreRow
    from turnwise.engine.comparing.rejudging import Rejudged

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class RejudgedCount:
    """How many outcomes changed, and how."""

    newly_failed: int = 0
    newly_passed: int = 0
    moved: int = 0
    same: int = 0
    first: int = 0

    def counted(self, one: Rejudged) -> RejudgedCount:
        """Return the counts with one more."""
        name = (
            "first"
            if one.before is None
            else f"newly_{one.flip}"
            if one.flip
            else "moved"
            if one.is_changed
            else "same"
        )
        return replace(self, **{name: getattr(self, name) + 1})

    @property
    def words(self) -> str:
        """The counts in words."""
        parts = (
            (self.newly_failed, "newly failed"),
            (self.newly_passed, "newly passed"),
            (self.moved, "otherwise changed"),
            (self.same, "as before"),
            (self.first, "for the first time"),
        )
        return ", ".join(f"{count:,} {words}" for count, words in parts if count)


def rejudged_lines(one: Rejudged) -> Iterator[str]:
    """Yield what was found before and now, by what it was judged otherwise, and the turns that differ."""
    after = one.after
    place = f" (exchange {after.exchange})" if after.exchange else ""
    head = f"{one.session_id:>5}"
    if one.before is None:
        yield f"{head}  {now_sign(after)} {after.metric}{place}  nothing before  {after.reason}"
        return
    if not one.is_changed:
        yield f"{head}  = {after.metric}{place}  {now_value(after)}, as before{_changed(one)}"
        return
    was = "–" if one.before.score is None else f"{one.before.score:.2f}"
    signs = f"{outcome_sign(one.before)} → {now_sign(after)}"
    yield f"{head}  {signs} {after.metric}{place}  {was} → {now_value(after)}{_changed(one)}"
    for turn in one.turns:
        reason = make_safe_line(turn.reason)[:_LONGEST]
        yield f"       turn {turn.turn}: {turn.a} → {turn.b}  {reason}".rstrip()


def _changed(one: Rejudged) -> str:
    told = "; ".join(f"{change.name} {change.a} → {change.b}" for change in one.changed)
    return f"  [{told}]" if told else ""


def now_sign(after: Score | Failure | Skipped) -> str:
    """Return the sign of an outcome that was just found."""
    if isinstance(after, Score):
        return verdict_sign(after.passed)
    return "!" if isinstance(after, Failure) else "–"


def now_value(after: Score | Failure | Skipped) -> str:
    """Return what was just found: the score, or why there is none."""
    if isinstance(after, Score):
        return f"{after.score:.2f}"
    return "not judged" if isinstance(after, Failure) else "skipped"


def was_value(before: ScoreRow) -> str:
    """Return what a stored outcome came to, in a word."""
    if before.score is not None:
        return f"{before.score:.2f}"
    return "not judged" if before.outcome == "failure" else "skipped"
