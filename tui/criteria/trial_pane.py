"""TrialPane: a criterion beside people: the matrix, the figures, and every session with both verdicts."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static

from turnwise.conversations.marks import FAILED, PASSED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.engine.people.agreement import Figure
from turnwise.engine.people.statistics.intervals import wilson
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of, share
from turnwise.tui.criteria.criterion_words import (
    figure_words,
    kappa_words,
    left_out_words,
    sample_words,
    spent_words,
)
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.confusion import ConfusionMatrix
from turnwise.tui.parts.wrapping import fit

NOBODY = "–"
WHO_CELLS = 6
REASON_FROM = 60
"""In fewer cells than this, there is no room beside a session's name for why it was scored so."""
_HEAD = "judge {who} score  session"


class TrialPane(Vertical):
    """Shows a CriterionTrial, also while it goes on."""

    DEFAULT_CSS = """
    TrialPane {
        background: $background;
        & > Static { padding: 0 1; height: auto; }
        & #trial-about { text-style: bold; }
        & #trial-note, & #trial-head { color: $text-muted; }
        & ConfusionMatrix, & #trial-figures, & #trial-head, & #tried { display: none; }
        &.-compared ConfusionMatrix, &.-compared #trial-figures { display: block; }
        &.-some #trial-head, &.-some #tried { display: block; }
        & #tried { height: 1fr; min-height: 2; background: $background; }
        &:ansi #trial-note, &:ansi #trial-head { text-style: dim; }
    }
    """

    @dataclass
    class Opened(Message):
        """A session is to be read."""

        session_id: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._trial: CriterionTrial | None = None
        self._rows: tuple[TrialRow, ...] = ()
        # What stands there: a text that is put anew lays the screen out anew, and that is felt at every key.
        self._about = self._note = ""
        self._with_reasons = True

    def compose(self) -> ComposeResult:
        """Lay the parts out."""
        yield Static("", id="trial-about", markup=False)
        yield Static("", id="trial-note", markup=False)
        yield ConfusionMatrix()
        yield Static("", id="trial-figures", markup=False)
        yield Static("", id="trial-head", markup=False)
        yield ChoiceList(id="tried")

    @property
    def trial(self) -> CriterionTrial | None:
        """What is shown."""
        return self._trial

    @property
    def sessions(self) -> list[int]:
        """The sessions in the order in which they are listed."""
        return [row.session for row in self._rows]

    @property
    def tried(self) -> ChoiceList:
        """The list of sessions."""
        return self.query_one("#tried", ChoiceList)

    def say(self, text: str) -> None:
        """Show a line under the heading: what is to be tried on, or what is wrong."""
        note = self.query_one("#trial-note", Static)
        if text != self._note:
            self._note = text
            note.update(make_safe_line(text))
        note.display = bool(text)

    def show(self, trial: CriterionTrial | None, *, heading: str = "", who: str = "you") -> None:
        """Show a trial, or that there is none. who: labelled its sessions."""
        shown, self._trial = self._trial, trial
        self.set_class(trial is not None and bool(trial.rows), "-some")
        self.set_class(trial is not None and bool(trial.pairs), "-compared")
        if trial is None:
            self._say_about(heading)
            self._rows = ()
            self.tried.show([])
            return
        parts = (sample_words(trial.sample), spent_words(trial), left_out_words(trial))
        self._say_about(f"{heading} {' · '.join(part for part in parts if part)}")
        if trial is shown:
            return
        self.query_one(ConfusionMatrix).show(trial.matrix, people=who)
        self.query_one("#trial-head", Static).update(_HEAD.format(who=fit(make_safe_line(who), WHO_CELLS)))
        self.query_one("#trial-figures", Static).update(_figures(trial.matrix))
        differing = trial.differing
        same = [row for row in trial.rows if not row.differing]
        self._rows = (*differing, *sorted(same, key=lambda row: (row.people is None, row.session)))
        self._show_rows()

    def on_resize(self) -> None:
        """Say as much of each session as fits."""
        if self._rows and self._with_reasons != (self.size.width >= REASON_FROM):
            self._show_rows()

    def _show_rows(self) -> None:
        self._with_reasons = self.size.width >= REASON_FROM
        self.tried.show([_choice(row, self._with_reasons) for row in self._rows])

    def _say_about(self, text: str) -> None:
        if text != self._about:
            self._about = text
            self.query_one("#trial-about", Static).update(make_safe_line(text))

    @on(ConfusionMatrix.Chosen)
    def _go_to_differing(self, event: ConfusionMatrix.Chosen) -> None:
        event.stop()
        wanted = event.differing.replace("_", " ")
        place = next((at for at, row in enumerate(self._rows) if row.differing == wanted), None)
        if place is not None:
            self.tried.highlighted = place
            self.tried.focus()

    @on(OptionList.OptionSelected, "#tried")
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.open_current()

    def open_current(self) -> None:
        """Ask for the session under the cursor to be read."""
        if (choice := self.tried.current) is not None:
            self.post_message(self.Opened(int(choice.id)))

    def go_to(self, session_id: int) -> None:
        """Put the cursor on a session, if it is listed."""
        if session_id in self.sessions:
            self.tried.highlighted = self.sessions.index(session_id)


def _choice(row: TrialRow, with_reason: bool) -> Choice:
    score = "    " if row.score is None else f"{row.score:.2f}"
    reason = f"{row.differing} · {row.reason}" if row.differing else row.reason
    return Choice(
        str(row.session),
        row.name,
        reason if with_reason else "",
        sign=f"{_sign(row.passed, row)}     {_sign(row.people)}      {score}",
    )


def _sign(passed: bool | None, row: TrialRow | None = None) -> str:
    if passed is None:
        return "!" if row is not None and row.outcome == "failure" else NOBODY
    return PASSED if passed else FAILED


def _figures(matrix: Confusion) -> str:
    """Return the figures in a line, computed without a bootstrap because they change with every outcome."""
    shares = (
        ("TPR", matrix.true_pass, matrix.people_passed),
        ("TNR", matrix.true_fail, matrix.people_failed),
    )
    told = [
        figure_words(name, Figure(share(part, whole), *wilson(part, whole)) if whole else Figure(None))
        for name, part, whole in shares
    ]
    return "  ".join([*told, f"κ {kappa_words(kappa_of(matrix))}"])
