"""LabellingScreen: a session that one labels: pass, fail, defer, where it fails first, a note, and undo.

Every change is kept at once, as a row of its own. Scores and the labels of others stay hidden until one has
judged for oneself, unless the settings say otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import click
from textual import work
from textual.app import SuspendNotSupported

from turnwise.conversations.authors import default_author
from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.findings import LabelWord
from turnwise.conversations.store.mode_rows import AssignedMode
from turnwise.conversations.store.rows import LabelRow, ScoreRow
from turnwise.tui.key_words import key_of
from turnwise.tui.labelling import (
    WHOLE,
    Change,
    Labelling,
    Opinion,
    Step,
    Subject,
    change_words,
    judged,
    noted,
    opinions_of_others,
    rebased,
)
from turnwise.tui.screens.two_panes import TwoPanesScreen
from turnwise.tui.widgets.label_lines import LabelView
from turnwise.tui.widgets.note_line import NoteLine
from turnwise.tui.widgets.safe_text import make_safe
from turnwise.tui.widgets.score_groups import NO_SCORES, SessionScores, said_by, subject_of_row
from turnwise.tui.widgets.score_lines import Item
from turnwise.tui.widgets.score_list import REVEAL


class LabellingScreen(TwoPanesScreen):
    """Labels the session `session_id`, whose scores and labels a subclass tells by `show_findings`."""

    session_id: int

    def __init__(self) -> None:
        super().__init__()
        self.scores = NO_SCORES
        self.labels: Sequence[LabelRow] = ()
        self.modes: Sequence[AssignedMode] = ()
        self.author = ""
        self.mine = Labelling("")
        self._unkept: dict[int, str] = {}
        """Notes that could not be written, by session: the next look at the note begins with them."""
        self._loaded: int | None = None
        self._told = ""
        self._shown: tuple[object, ...] = ()

    def on_mount(self) -> None:
        """Find out who labels."""
        self.author = (self.app.settings.author or "").strip() or default_author()

    # What is shown

    @property
    def hides_scores(self) -> bool:
        """Whether there are scores or labels of others, and they are hidden."""
        return self._hidden and bool(self.scores.rows or opinions_of_others(self.labels, self.author))

    @property
    def _reveal_key(self) -> str:
        return key_of(self.app.actions, "review", "reveal")

    @property
    def _hidden(self) -> bool:
        if not self.app.settings.blind or self.mine.has_judged:
            return False
        return self.session_id not in self.app.seen

    def show_findings(
        self, scores: SessionScores, labels: Sequence[LabelRow], modes: Sequence[AssignedMode]
    ) -> None:
        """Show what was found of the session."""
        known = [row.id for row in self.labels]
        self.scores, self.labels, self.modes = scores, labels, modes
        if self._loaded != self.session_id or known != [row.id for row in labels]:
            self._loaded, self._told = self.session_id, ""
            self.mine = Labelling(self.author, labels)
        self.findings_changed()

    def findings_changed(self) -> None:
        """Show again what may be hidden or shown now."""
        others = [row for row in self.labels if row.author != self.author]
        rated = [row for row in others if row.metric]
        hidden = why_hidden(self.scores.rows, self._reveal_key) if self.hides_scores else ""
        if not hidden and (self.scores.rows or others):
            self.app.seen.add(self.session_id)
        mine = self.mine.of_metrics
        shown = (self.scores, self.last_number, hidden, mine, [row.id for row in others])
        if shown != self._shown:
            self._shown = shown
            # Where there is nothing to be swayed by, nothing is hidden.
            self.set_class(not self.scores.rows or bool(hidden), "-unscored")
            self.pane.show(self.scores, rated, mine=mine, last=self.last_number, hidden=hidden)
            self.scores_shown()
        self.show_labels()
        self.refresh_bindings()

    def scores_shown(self) -> None:
        """Show elsewhere too what the pane shows now."""

    def show_labels(self) -> None:
        """Show what is said of the session, and of the score that the cursor is on."""
        self.show_with_score(self.pane.score_list.current if self.in_scores else None)

    def show_with_score(self, item: Item | None) -> None:
        """Show what is said of the session, and of a score."""
        own = [row for row in self.labels if row.author == self.author and not row.metric]
        hidden = self.hides_scores
        row = item.row if item else None
        self.pane.label_pane.show(
            LabelView(
                mine=self.mine.whole,
                at=own[-1].created_at if own else 0.0,
                others={} if hidden else opinions_of_others(self.labels, self.author),
                modes=[
                    f"{one.name} at turn {one.turn}" if one.turn else one.name
                    for one in self.modes
                    if not hidden or one.author == self.author
                ],
                can_undo=self.mine.to_undo is not None,
                can_redo=self.mine.to_redo is not None,
                any_history=bool(own) or (bool(self.labels) and not hidden),
                here=self.transcript.current.number if self.transcript.current else None,
                told=self._told,
                score=(row.metric.replace("_", " "), self._said_of(row)) if row else None,
                keeps_room=self.is_roomy and bool(self.pane.groups),
            )
        )

    def _said_of(self, row: ScoreRow) -> str:
        opinion = self.mine.of_metrics.get(subject_of_row(row))
        return said_by(row, opinion) if opinion else ""

    @property
    def chosen_score(self) -> ScoreRow | None:
        """The score that is looked at: of the list where it has the keys, else of the turn."""
        if self.in_scores:
            item = self.pane.score_list.current
            return item.row if item else None
        return self.pane.row_for_turn()

    def show_with_turn(self, number: int | None) -> None:
        """Show the verdicts about a turn, and where the first failure can be put."""
        super().show_with_turn(number)
        if self.mine.whole.word == "fail":
            self.show_labels()

    def on_score_list_moved(self) -> None:
        """Show what is said of the score."""
        self.show_labels()

    def on_score_list_reveal_asked(self) -> None:
        """Show what is hidden."""
        self.action_reveal()

    def action_reveal(self) -> None:
        """Show the scores before a label was given; the label will say so."""
        if not self.hides_scores:
            self.note("Nothing is hidden.")
            return
        self.app.seen.add(self.session_id)
        self.findings_changed()
        self.note("Scores shown: a label given now counts as not blind.")

    # Labels: all are awaited, so that keys are kept in the order they were pressed

    async def keep(self, subject: Subject, after: Opinion, step: Step = "") -> bool:
        """Keep what is said of a subject now; return whether that changed anything."""
        session_id = self.session_id
        if self.mine.of(subject).says_as(after):
            return False
        labels = await asyncio.to_thread(self._write, session_id, subject, self.mine.of(subject), after)
        if session_id != self.session_id:
            return True
        if not step:
            self._told = ""
        known = {row.id for row in self.labels}
        self.labels = labels
        written = max(row.id for row in labels if row.author == self.author)
        for row in labels:
            if row.id not in known:
                self.mine.take(row, step if row.id == written else None)
        self.findings_changed()
        return True

    def _write(
        self, session_id: int, subject: Subject, before: Opinion, after: Opinion
    ) -> Sequence[LabelRow]:
        metric, turn = subject
        # The keys wait for it.
        with self.app.store.impatient(), self.app.store.writing():
            now = Labelling(self.author, self.app.store.labels.of(session_id)).of(subject)
            after = rebased(now, before, after)
            self.app.store.labels.add(
                session_id,
                after.word,
                author=self.author,
                blind=after.blind,
                turn=turn if metric else after.turn,
                note=after.note,
                metric=metric,
                value=after.value,
            )
        return self.app.store.labels.of(session_id)

    async def _judge(self, word: LabelWord) -> None:
        turn = self.transcript.current.number if self.transcript.current else None
        was = self.mine.whole
        after = judged(was, word, turn, hidden=self._unseen)
        if await self.keep(WHOLE, after) and word != was.word:
            self.labelled(word)

    def labelled(self, word: LabelWord) -> None:
        """Go on after a label was given."""

    @property
    def _unseen(self) -> bool:
        """Whether the scores are hidden, or there are none that could have been seen."""
        return self._hidden or not self.scores.rows

    async def action_label_pass(self) -> None:
        """Say that the conversation passes."""
        await self._judge("pass")

    async def action_label_fail(self) -> None:
        """Say that it fails, first at the current turn."""
        await self._judge("fail")

    async def action_label_defer(self) -> None:
        """Put the decision off."""
        await self._judge("defer")

    async def action_anchor(self) -> None:
        """Say that the current turn is the first that fails, or that no single turn is."""
        was = self.mine.whole
        number = self.transcript.current.number if self.transcript.current else None
        if was.word != "fail":
            fail = key_of(self.app.actions, "review", "label_fail")
            self.note(f"The first failure goes with a label: {fail} says that it fails here.")
        elif number is None:
            self.note("This message has no number: go to a turn.")
        else:
            await self.keep(WHOLE, replace(was, turn=None if was.turn == number else number))

    async def action_undo(self) -> None:
        """Take back the last change of one's labels."""
        await self._step(self.mine.to_undo, "undo", "There is nothing to undo.")

    async def action_redo(self) -> None:
        """Make the change again that was undone last."""
        await self._step(self.mine.to_redo, "redo", "There is nothing to do again.")

    async def _step(self, change: Change | None, step: Step, nothing: str) -> None:
        if change is None:
            self.note(nothing)
        else:
            # Not a toast: one may go through many, and a toast takes longer than a key may.
            self._told = f"{'undone' if step == 'undo' else 'done again'}: {change_words(change, step)}"
            await self.keep(change.subject, change.after, step)

    async def action_agree(self) -> None:
        """Say the same of a metric as its score does."""
        await self._side_with(agree=True)

    async def action_disagree(self) -> None:
        """Say the opposite of a metric's score."""
        await self._side_with(agree=False)

    async def _side_with(self, *, agree: bool) -> None:
        row = self.chosen_score
        if row is None:
            if self.pane.groups:
                scores = key_of(self.app.actions, "review", "other_pane")
                self.note(f"{scores} goes to the scores: choose one.")
            else:
                self.say_no_scores()
            return
        name = row.metric.replace("_", " ")
        if row.passed is None:
            self.note(f"{name} neither passed nor failed: there is nothing to agree with.")
            return
        word: LabelWord = "pass" if row.passed is agree else "fail"
        subject = subject_of_row(row)
        after = Opinion(word, subject[1], blind=False)
        if not await self.keep(subject, after):
            await self.keep(subject, Opinion())

    # Notes

    def action_note(self) -> None:
        """Write a note."""
        self.stop_finding()
        self.query_one(NoteLine).ask(self.session_id, self._note_so_far)

    async def on_note_line_written(self, event: NoteLine.Written) -> None:
        """Keep a note that was written."""
        if self.app.focused is None or not self.in_scores:
            self.set_focus(self.transcript)
        if event.about == self.session_id:
            await self._keep_note(event.text)
            if event.in_editor:
                self.action_note_in_editor()

    @property
    def _note_so_far(self) -> str:
        return self._unkept.get(self.session_id, self.mine.whole.note)

    async def _keep_note(self, text: str) -> None:
        session_id, was = self.session_id, self.mine.whole
        self._unkept.pop(session_id, None)
        # The line shows what it can; what it cannot show is no change.
        if make_safe(was.note).strip() == text.strip():
            return
        try:
            await self.keep(WHOLE, noted(was, text, hidden=self._unseen))
        except TurnwiseError as error:
            self._unkept[session_id] = text
            self.app.tell_error(error)

    @work(exclusive=True, group="editor")
    async def action_note_in_editor(self) -> None:
        """Write the note in the text editor of $VISUAL or $EDITOR."""
        if (line := self.query_one(NoteLine)).asking:
            line.hand_on(in_editor=True)
            return
        note = self._note_so_far
        try:
            # Nothing is drawn meanwhile; a run that is under way goes on.
            with self.app.batch_update(), self.app.suspend():
                text = await asyncio.to_thread(click.edit, note, extension=".md")
        except SuspendNotSupported:
            here = key_of(self.app.actions, "review", "note")
            self.note(f"This terminal cannot be lent to an editor: {here} writes the note here.")
        except click.ClickException as error:
            self.note(f"{error.message.rstrip('.')}. $EDITOR names the editor.")
        else:
            if text is not None:
                await self._keep_note(text)

    # What else is said

    def action_modes(self) -> None:
        """Give the session failure modes, or take them away."""
        from turnwise.tui.screens.mode_choice import choose_modes

        row = self.transcript.current
        choose_modes(self.app, self.session_id, row.number if row else None, self._modes_chosen)

    def _modes_chosen(self, changed: bool) -> None:
        if changed:
            self.modes = self.app.store.modes.of(self.session_id)
            self.show_labels()

    def action_history(self) -> None:
        """Show who said what, and when."""
        from turnwise.tui.screens.label_history import LabelHistoryDialog

        shown = [row for row in self.labels if row.author == self.author or not self.hides_scores]
        if shown:
            self.app.push_screen(LabelHistoryDialog(shown))
        else:
            self.note("Nothing was said of this session yet.")


def why_hidden(scores: Sequence[ScoreRow], key: str) -> str:
    """Return what stands in the place of what is hidden. key: the one that shows it."""
    what = "Scores" if scores else "Labels of others"
    return f"{what} are hidden until you label\n{key} {REVEAL} now; your label then says so."
