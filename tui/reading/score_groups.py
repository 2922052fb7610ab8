"""Score groups: the newest outcomes of a session, gathered by metric, with their signs and words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.conversations.marks import FAILED, FAILURE, SKIPPED, WORST_FIRST, outcome_sign
from turnwise.conversations.results import Quote
from turnwise.conversations.store import ScoreRow, VerdictRow
from turnwise.engine.people.labelling import CurrentLabel, LabelSubject
from turnwise.tui.reading.margin import TurnMarks, severity
from turnwise.tui.reading.quoted_lines import QuoteMarks
from turnwise.tui.session_lists.metric_keys import usual_key

# A metric's reason that names its failing turns says no more than the list of them that stands under it.
_TURNS_NAMED = re.compile(r"^(?P<count>.*?) \(turns? [\d, ]+(?: and \d+ more)?\)(?::.*|\.)?$", re.DOTALL)


LINES_A_VERDICT = 3


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """The newest outcomes of one metric: one for the whole session, or one for each exchange judged.

    letter: what stands for the metric in the margin of the transcript.
    """

    metric: str
    letter: str
    rows: tuple[ScoreRow, ...]

    @property
    def name(self) -> str:
        """The metric's name as people write it."""
        return self.metric.replace("_", " ")

    @property
    def sign(self) -> str:
        """The worst of its outcomes as a sign: ✗, then !, then ~ and ✓; – where all were skipped."""
        signs = {outcome_sign(row) for row in self.rows}
        return next(sign for sign in WORST_FIRST if sign in signs)

    @property
    def score(self) -> float | None:
        """The score, or the mean over the exchanges; failures and skips are left out, and None if all are."""
        scores = [row.score for row in self.rows if row.score is not None]
        return sum(scores) / len(scores) if scores else None

    @property
    def needs(self) -> float | None:
        """The score from which it would have passed; None where it did not fail, or not by one threshold."""
        found = {row.threshold for row in self.rows}
        return found.pop() if self.sign == FAILED and len(found) == 1 else None

    @property
    def place(self) -> str:
        """Which part of the session was judged; empty for the whole."""
        if len(self.rows) > 1:
            return f"{len(self.rows)} exchanges"
        exchange = self.rows[0].exchange
        if exchange is None:
            return ""
        reply = reply_of(self.rows[0])
        return f"turn {reply}" if reply else f"exchange {exchange}"

    @property
    def summary(self) -> str:
        """What was found, in words."""
        if len(self.rows) == 1:
            return summary_of(self.rows[0])
        signs = [outcome_sign(row) for row in self.rows]
        counts = {sign: signs.count(sign) for sign in (FAILED, FAILURE, SKIPPED)}
        if not any(counts.values()):
            return f"All {len(self.rows)} exchanges pass."
        one = {FAILED: "fails", FAILURE: "could not be judged", SKIPPED: "was skipped"}
        many = one | {FAILED: "fail", SKIPPED: "were skipped"}
        parts = [f"{count} {(one if count == 1 else many)[sign]}" for sign, count in counts.items() if count]
        return f"Of {len(self.rows)} exchanges {', '.join(parts)}."

    @property
    def failing(self) -> list[tuple[ScoreRow, VerdictRow]]:
        """The verdicts that failed, by turn, each with the outcome it belongs to."""
        found = [(row, verdict) for row in self.rows for verdict in row.verdicts if verdict.passed is False]
        return sorted(found, key=lambda pair: pair[1].turn or 0)


@dataclass(frozen=True, slots=True, eq=False)
class SessionScores:
    """The newest outcomes of a session in every form in which screens show them.

    They may be many, so this is made in a thread, never while a key waits.

    marks: what the margin of the transcript shows. quotes: by turn, the words that verdicts rest on. by_turn:
    the verdicts about each turn. most: how many lines those of one turn need, about, at the most. turns: the
    numbers of those turns, in order.
    """

    rows: Sequence[ScoreRow] = ()
    groups: Sequence[ScoreGroup] = ()
    marks: Mapping[int, TurnMarks] = field(default_factory=dict)
    quotes: Mapping[int, QuoteMarks] = field(default_factory=dict)
    by_turn: Mapping[int, Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]]] = field(default_factory=dict)
    most: int = 0
    turns: Sequence[int] = ()

    @classmethod
    def of(cls, rows: Sequence[ScoreRow], letters: Mapping[str, str] | None = None) -> SessionScores:
        """Return these outcomes, the newest of each metric and exchange.

        letters: as `group_scores` names them.
        """
        groups = group_scores(rows, letters)
        by_turn = verdicts_by_turn(groups)
        most = max(map(_lines_needed, by_turn.values()), default=0)
        by_turn = dict(sorted(by_turn.items()))
        return cls(rows, groups, turn_marks(groups), turn_quotes(groups), by_turn, most, tuple(by_turn))

    def next_about(self, turn: int) -> int | None:
        """Return the first turn from this one on that verdicts are about; None where none is.

        Before the first turn, where one begins, the first that fails comes before all that pass.
        """
        if not turn:
            # What failed stands first among the verdicts of a turn.
            failing = (one for one in self.turns if self.by_turn[one][0][2].passed is False)
            if (first := next(failing, None)) is not None:
                return first
        place = bisect_left(self.turns, turn)
        return self.turns[place] if place < len(self.turns) else None


NO_SCORES = SessionScores()


def reply_of(row: ScoreRow) -> int | None:
    """Return the number of the turn that an exchange is named by, as far as its verdicts tell it."""
    turns = [verdict.turn for verdict in row.verdicts if verdict.turn is not None]
    return max(turns) if row.exchange is not None and turns else None


def subject_of_row(row: ScoreRow) -> LabelSubject:
    """Return what a label is about that agrees with an outcome: its metric, and the turn of an exchange."""
    return row.metric, reply_of(row)


def said_by(row: ScoreRow, opinion: CurrentLabel) -> str:
    """Return what somebody says of what an outcome says, in words."""
    place = f" at turn {reply_of(row)}" if reply_of(row) else ""
    if opinion.word is None or opinion.word == "defer" or row.passed is None:
        return f"you say {opinion.word or 'nothing'}{place}"
    agrees = (opinion.word == "pass") == row.passed
    return f"you say it is {'right' if agrees else 'wrong'}{place}: {opinion.word}"


def summary_of(row: ScoreRow) -> str:
    """Return an outcome's reason, shortened: without the turns that its verdicts name again, and of a failure
    only the first line, with the next step.
    """
    if row.outcome == "failure":
        reason = row.reason.split("\n", 1)[0].strip() or "The judge gave no score"
        return f"{reason.rstrip('.')}. {row.next_step}".strip()
    named = _TURNS_NAMED.match(row.reason)
    if named and any(verdict.passed is False for verdict in row.verdicts):
        return f"{named['count']}."
    return row.reason


def group_scores(rows: Iterable[ScoreRow], letters: Mapping[str, str] | None = None) -> list[ScoreGroup]:
    """Return the outcomes by metric, the worst first; those that are as bad stand as they first came.

    letters: those of these metrics and of others; without, as `letters_of` gives them.
    """
    by_metric: dict[str, list[ScoreRow]] = {}
    for row in rows:
        by_metric.setdefault(row.metric, []).append(row)
    letters = letters_of(by_metric) if letters is None else letters
    groups = [
        ScoreGroup(metric, letters[metric], tuple(sorted(found, key=lambda row: row.exchange or 0)))
        for metric, found in by_metric.items()
    ]
    return sorted(groups, key=lambda group: WORST_FIRST.index(group.sign))


def letters_of(by_metric: Iterable[str]) -> Mapping[str, str]:
    """Return a letter for each metric, the same in whatever order its outcomes came and whatever they say.

    A metric that says something of turns in one session alone would else take the letter that another one
    has in the next. Metrics choose before criteria, whose names begin with a capital as a rule.
    """
    return metric_letters(sorted(by_metric, key=str.swapcase))


def newest_scores(rows: Iterable[ScoreRow]) -> list[ScoreRow]:
    """Return the newest outcome per metric and exchange of outcomes in the order they came."""
    newest: dict[tuple[str, int | None], ScoreRow] = {}
    for row in rows:
        newest[(row.metric, row.exchange)] = row
    return list(newest.values())


def metric_letters(metrics: Iterable[str]) -> dict[str, str]:
    """Return one letter a metric: of the two that it has in lists, such as ra, the first where that is free,
    else the second; where neither is, another of its own, or a digit.
    """
    letters: dict[str, str] = {}
    spare = [*"abcdefghijklmnopqrstuvwxyz0123456789"]
    for metric in metrics:
        spelled = usual_key(metric) + metric.lower()
        own = [letter for letter in spelled if letter.isascii() and letter.isalnum()]
        free = (letter for letter in (*own, *spare) if letter not in letters.values())
        letters[metric] = next(free, "•")
    return letters


def has_marks(group: ScoreGroup) -> bool:
    """Whether a metric says something of turns, so that it has marks in the margin."""
    return any(verdict.turn for row in group.rows for verdict in row.verdicts)


def turn_marks(groups: Sequence[ScoreGroup]) -> dict[int, list[tuple[str, bool | None]]]:
    """Return what the margin shows: per turn number (the metric's letter, passed), in the groups' order."""
    marks: dict[int, list[tuple[str, bool | None]]] = {}
    for group in groups:
        for row in group.rows:
            for verdict in row.verdicts:
                if verdict.turn is not None:
                    marks.setdefault(verdict.turn, []).append((group.letter, verdict.passed))
    return marks


def turn_quotes(groups: Sequence[ScoreGroup]) -> dict[int, list[tuple[str, Quote]]]:
    """Return per turn number the words that failed verdicts rest on, with their metrics' letters."""
    quotes: dict[int, list[tuple[str, Quote]]] = {}
    for group in groups:
        for _, verdict in group.failing:
            if verdict.quote is not None:
                quotes.setdefault(verdict.quote.turn, []).append((group.letter, verdict.quote))
    return quotes


def verdicts_by_turn(
    groups: Sequence[ScoreGroup],
) -> Mapping[int, Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]]]:
    """Return per turn number all verdicts about it, the failed before the unsure before the passed."""
    found: dict[int, list[tuple[ScoreGroup, ScoreRow, VerdictRow]]] = {}
    for group in groups:
        for row in group.rows:
            for verdict in row.verdicts:
                if verdict.turn is not None:
                    found.setdefault(verdict.turn, []).append((group, row, verdict))
    for verdicts in found.values():
        verdicts.sort(key=lambda entry: -severity(entry[2].passed))
    return found


def _lines_needed(verdicts: Sequence[tuple[ScoreGroup, ScoreRow, VerdictRow]]) -> int:
    """Return about how many lines verdicts need: what passed needs one."""
    return sum(1 if verdict.passed else LINES_A_VERDICT for _, _, verdict in verdicts)


def worst_score(groups: Sequence[ScoreGroup]) -> ScoreRow:
    """Return the outcome that asks most to be looked at, of at least one."""
    worst = min(groups, key=lambda group: WORST_FIRST.index(group.sign))
    return worst.failing[0][0] if worst.failing else worst.rows[0]
