"""How a run of a suite is told to a person: a line for every case, and what came of all of them."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.marks import FAILED, FAILURE, PASSED, SKIPPED
from turnwise.conversations.results import Score
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.suites import Suite
from turnwise.conversations.words import in_one_line
from turnwise.engine.scoring.progress import Rate, others_words, pace_words
from turnwise.tui.cli.output import columns, narrate

if TYPE_CHECKING:
    from turnwise.engine.checks.findings import CaseOutcome, CaseWord, CheckOutcome
    from turnwise.engine.suites.keeping import CaseRun

_MARKS = {"pass": PASSED, "fail": FAILED, "failure": FAILURE, "skipped": SKIPPED}
_WORDS: dict[CaseWord, str] = {
    "pass": "passed",
    "fail": "failed",
    "failure": "not checked",
    "skipped": "skipped",
}
"""What a table says of how a check came out."""
_TOLD = {"pass": "passed", "fail": "failed", "failure": "could not be run or checked", "skipped": "skipped"}
_WIDEST = 120
_NO_SCORE = f"{SKIPPED:>4}"
_LONGEST = 2_000


class Lines:
    """Sets the cases of one suite in columns.

    width: of the line, in cells; the terminal's by default. wraps: whether what went wrong is set in lines of
    that width; by default where a terminal is written to. What could not be run or checked is never cut.
    """

    def __init__(self, suite: Suite, *, width: int | None = None, wraps: bool | None = None) -> None:
        self._wraps = sys.stdout.isatty() if wraps is None else wraps
        self._width = min(width or shutil.get_terminal_size().columns, _WIDEST)
        self._places = max(3, len(str(max((case.index for case in suite.cases), default=0))))
        self._targets = {case.target.name for case in suite.cases if case.target}
        self._prompts = {case.prompt_label for case in suite.cases}

    def of(self, run: CaseRun) -> list[str]:
        """Return a case as a line: number, mark, name, score; and below it what went wrong."""
        case, result = run.case, run.result
        mark = _MARKS[result.word]
        room = self._width - self._places - 10
        name = self._fit(case.description or run.prompt or "(no prompt)", self._column(run), room)
        score = f"{result.score:.2f}" if isinstance(result.outcome, Score) else _NO_SCORE
        lines = [f"{case.index:>{self._places}}  {mark} {name}  {score}"]
        if result.word != "pass":
            lines += [" " * (self._places + 4) + line for line in self._told(result, room + 6)]
        return lines

    def _told(self, result: CaseOutcome, room: int) -> list[str]:
        """Return what made an outcome what it is, in lines."""
        from turnwise.tui.drawing.wrapping import wrap

        reason, next_step = _wrong(result)
        whole = f"{_middle_cut(reason)}\n{next_step}".strip()
        told = make_safe_line(in_one_line(whole) if "\n" in whole else whole)
        if not self._wraps:
            return [told]
        if result.word == "fail" and not next_step:
            return [_cut(told, room)]
        return list(wrap(told, room))

    def _column(self, run: CaseRun) -> str:
        """Return what tells an answer from the others to the same test, where there are several."""
        told = []
        if len(self._targets) > 1 and run.case.target:
            told.append(run.case.target.name)
        if len(self._prompts) > 1 and run.case.description:
            told.append(run.case.prompt_label)
        return " · ".join(told)

    def _fit(self, name: str, column: str, room: int) -> str:
        from rich.cells import set_cell_size

        if column:
            short = _cut(column, room // 2)
            text = f"{_cut(name, room - len(short) - 3)} [{short}]"
        else:
            text = _cut(name, room)
        return set_cell_size(text, room)


@dataclass(slots=True)
class SuiteTally:
    """What a run has brought so far. expected: how many cases there are.

    kept: cases of which answer and outcomes were there from an earlier run. cost: US dollars spent in this
    run; None where nobody told a price. by_others: what is waited for because another run does it.
    """

    expected: int
    kept: int = 0
    cost: float | None = None
    by_others: int = 0
    rate: Rate = field(default_factory=Rate)
    outcomes: Counter[str] = field(default_factory=Counter)
    checks: dict[str, Counter[str]] = field(default_factory=dict)
    named: list[CaseOutcome] = field(default_factory=list)

    def add(self, run: CaseRun) -> None:
        """Count a case."""
        if run.kept:
            self.kept += 1
        else:
            self.rate.count()
        if run.cost is not None:
            self.cost = (self.cost or 0.0) + run.cost
        self.outcomes[run.result.word] += 1
        for check in run.result.checks:
            self.checks.setdefault(check.metric or check.type, Counter())[_word(check)] += 1
        if run.result.named_scores:
            self.named.append(run.result)

    def line(self) -> str:
        """Return how far the run is."""
        done = self.outcomes.total()
        far = f"running {done:,} of {self.expected:,}"
        pace = pace_words(self.rate, done=done - self.kept, left=self.expected - done)
        others = others_words(self.by_others, "done")
        return " · ".join(part for part in (far, pace, others, "ctrl+c stops") if part)

    def summary(self) -> str:
        """Return how many cases came out in which way."""
        told = [
            f"{count:,} {_TOLD[word]}" for word in _TOLD if (count := self.outcomes[word]) or word == "pass"
        ]
        kept = f", {self.kept:,} of them answered and judged before" if self.kept else ""
        cost = f"; ${self.cost:.4f}" if self.cost else ""
        return f"{', '.join(told)}{kept}{cost}."

    def check_lines(self) -> list[str]:
        """Return a table of how often each kind of check passed; none where all of them always did."""
        if all(set(counts) <= {"passed"} for counts in self.checks.values()):
            return []
        words = [
            word
            for word in ("passed", "failed", "not checked", "skipped")
            if any(counts[word] for counts in self.checks.values())
        ]
        rows = [["check", *words]]
        rows += [[name, *(f"{counts[word]:,}" for word in words)] for name, counts in self.checks.items()]
        return columns(rows, right=frozenset(range(1, len(words) + 1)), most=40)


def metric_lines(suites: Sequence[Suite], tally: SuiteTally) -> list[str]:
    """Return the metrics of all cases, with those that a file derives from them, a line each."""
    from turnwise.engine.suites.totals import derive_metrics, total_metrics

    sums = total_metrics(tally.named)
    try:
        definitions = [one for suite in suites for one in _derived(suite)]
        sums |= derive_metrics(definitions, sums, cases=tally.outcomes.total())
    except TurnwiseError as error:
        narrate(f"Warning: {in_one_line(str(error))}")
    return [f"{name}: {value:.4g}" for name, value in sums.items()]


def _derived(suite: Suite) -> list[dict[str, Any]]:
    """Return the metrics that a file derives. Raises SettingError where it does not list any as it should."""
    listed = suite.settings.get("derivedMetrics") or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise SettingError(
            f"{suite.source.name}: derivedMetrics is no list of names and values",
            next_step="Write each as {name: mean, value: m / __count}.",
        )
    return listed


def _wrong(result: CaseOutcome) -> tuple[str, str]:
    """Return what first made the outcome what it is, and what to do about it."""
    found = (check for check in result.checks if check.word == result.word and check.reason)
    check = next(found, None)
    return (check.reason, check.next_step) if check else (result.reason, "")


def _middle_cut(text: str) -> str:
    """Return a text that is not endless: its end says what to do."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}… {text[-_LONGEST // 2 :]}"


def _word(check: CheckOutcome) -> str:
    return _WORDS[check.word]


def _cut(text: str, most: int) -> str:
    from rich.cells import cell_len, set_cell_size

    line = " ".join(make_safe(text[:1000]).split())
    return line if cell_len(line) <= most else set_cell_size(line, max(most - 1, 1)).rstrip() + "…"
