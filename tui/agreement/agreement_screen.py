"""AgreementScreen: each metric against people's labels, and the sessions that they see differently."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from turnwise.conversations.errors import TurnwiseError
from turnwise.engine.people.agreement import Agreement, agreement
from turnwise.engine.people.labelled_scores import LabelledScores, MetricAgreement
from turnwise.engine.people.side_by_side import PeopleTogether, people_together
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.agreement.agreement_board import AgreementBoard
from turnwise.tui.agreement.agreement_words import NO_LABELS, labels_words, who_labelled
from turnwise.tui.agreement.metric_labels import LabelOfMetric, label_metric
from turnwise.tui.agreement.people_words import alpha_line, together_line, together_sentences
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.labels.label_files import bring_in_labels, write_labels
from turnwise.tui.parts.empty_words import EmptyWords, with_beginning
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.session_lists.covered import covered_sessions
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.session_lists.stored_sessions import FoundSessions, SessionsBeside
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import ShellOfApp

MOST_KEPT = 8
"""So many metrics' figures are kept at the most: each holds all sessions that it and people differ on."""


class AgreementScreen(PlaceScreen[None]):
    """Shows how far a metric finds what people find; enter reads a session that they differ on."""

    PLACE: ClassVar[Place] = "agreement"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("agreement"))
    AUTO_FOCUS = "#sessions"
    CSS = """
    AgreementScreen {
        &.-empty AgreementBoard { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self) -> None:
        super().__init__()
        self._metrics: Sequence[MetricAgreement] = ()
        self._metric = ""
        self._author: str | None = None
        self._blind_only = False
        self._me = ""
        self._labelled: LabelledScores | None = None
        """The labels and scores that the overviews are made from; None until they are read."""
        self._is_empty = False
        """Whether there are no sessions at all."""
        self._found: Agreement | None = None
        self._shown: tuple[Agreement, Collection[int], str] | None = None
        """What is shown of a metric: what was found, which sessions are left out, and to whom it is told."""
        self._kept: dict[tuple[str, str | None, bool], Agreement] = {}
        """What was found of metrics since anything was written, by what it depends on, the newest last."""
        self._kept_stood: tuple[int, int] | None = None
        """How the store stood then."""
        self._wanted: int | None = None
        """The session that the cursor is to stand on, once the figures have come."""
        self._beside = SessionsBeside()
        self._reading = NewestReading(self)
        self._reading_people = NewestReading(self)
        self._together: PeopleTogether | None = None
        self._said: list[LabelOfMetric] = []
        """What was said here of metrics, to be taken back, the newest last."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield PlacesLine("agreement")
        yield TitleBar("Agreement", right="reading the labels …")
        yield AgreementBoard()
        yield EmptyWords()
        yield KeyLine("agreement")

    def on_mount(self) -> None:
        """Read the labels, and read them again when scores come in."""
        self.shell.followers.follow(self, self.shell.sessions_changed, lambda _: self._read_outdated())
        self.find_outdated()
        self._read_anew()

    def on_screen_resume(self) -> None:
        """Read what was said while another screen was above this one."""
        self._read_outdated()
        # What it told as it was made ahead is seen from now on.
        self.board.show_about()

    def _read_outdated(self) -> None:
        """Read the labels where anything was written since; what is not in sight waits until it is."""
        if self.is_mounted and self.is_current and self.find_outdated():
            self._read_anew()

    @property
    def board(self) -> AgreementBoard:
        """All that is shown."""
        return self.query_one(AgreementBoard)

    @property
    def table(self) -> RecordTable:
        """Where keys move: the metrics, where they have the focus, else the sessions."""
        return self.board.metrics if self.board.metrics.has_focus else self.board.sessions

    # Reading, off the loop

    def _read_anew(self) -> None:
        self._me = author_of(self.shell.settings)
        self._labelled = None
        self._list()
        self._reading_people.ask(lambda: people_together(self.shell.store), self._show_people)

    def _list(self) -> None:
        """Read the metrics that can be compared with people: with one author, or the majority."""
        store, labelled = self.shell.store, self._labelled
        author, blind_only = self._author, self._blind_only

        def read() -> tuple[LabelledScores, Sequence[MetricAgreement], frozenset[int]]:
            known = labelled or LabelledScores.read(store)
            overview = known.overview()
            if author is not None or blind_only:
                # Whosever labels count, each metric keeps its place.
                places = {one.metric: place for place, one in enumerate(overview)}
                overview = known.overview(author=author, blind_only=blind_only)
                overview.sort(key=lambda one: places.get(one.metric, len(places)))
            covered = covered_sessions(self.shell, store)
            # What nobody labelled could not be listed anyway.
            return known, overview, covered and covered & {*store.sessions.ids("-label:none")}

        self._reading.ask(read, self._show_metrics)

    def _measure(self) -> None:
        """Compare the metric under the cursor with people."""
        store, metric = self.shell.store, self._metric
        author, blind_only = self._author, self._blind_only
        stood = store.growing.revision()
        if stood != self._kept_stood:
            self._kept, self._kept_stood = {}, stood
        kept, asked = self._kept, (metric, author, blind_only)
        if (known := kept.get(asked)) is not None:
            self._reading.drop()
            self._show_measured(known)
            return

        def read() -> Agreement:
            found = agreement(store, metric, author=author, blind_only=blind_only)
            # Also where another metric was asked for meanwhile: who goes on may come back.
            kept[asked] = found
            if len(kept) > MOST_KEPT:
                del kept[next(iter(kept))]
            return found

        self._reading.ask(read, self._show_measured)

    def _show_metrics(self, read: tuple[LabelledScores, Sequence[MetricAgreement], frozenset[int]]) -> None:
        """Show the metrics; the cursor stays with its metric."""
        self._labelled, metrics, covered = read
        same = metrics and (metrics, covered) == (self._metrics, self.board.covered)
        if same and metrics[self.board.metrics.cursor].metric == self._metric:
            # As where a session was only read: what stands there needs no other frame.
            self._measure()
            return
        self._metrics, self.board.covered = metrics, covered
        self._is_empty = False
        self.set_class(not self._metrics, "-empty")
        names = [one.metric for one in self._metrics]
        if self._metric not in names:
            self._metric = names[0] if names else ""
        if self._metric:
            self.board.show_metrics(self._metrics, names.index(self._metric))
            self._measure()
        else:
            self._show_nothing()
        self.refresh_bindings()

    def _show_measured(self, found: Agreement) -> None:
        """Show a metric's figures."""
        shown = found, self.board.covered, self._me
        if shown == self._shown and self._wanted is None:
            return
        self._shown = shown
        before, at = self._found, self.board.current
        wanted = self._wanted if self._wanted is not None else at.session if at else None
        self._found, self._wanted = found, None
        differing = self.board.differing_of(found)
        places = [place for place, one in enumerate(differing) if one.session == wanted]
        same = before is not None and before.metric == found.metric
        who = who_labelled(found, self._me)
        bar = self.query_one(TitleBar)
        bar.detail = found.metric.replace("_", " ")
        blind = "blind labels only" if found.blind_only else ""
        others = f"{key_of(self.shell.actions, 'agreement', 'author')} other labels" if found.author else ""
        bar.right = " · ".join(part for part in (labels_words(found, who), blind, others) if part)
        self.board.show(found, who, places[0] if places else self.board.sessions.cursor if same else 0)
        self.refresh_bindings()

    def _show_people(self, found: PeopleTogether) -> None:
        """Show how far people agree with each other."""
        if found == self._together:
            return
        self._together = found
        settle = key_of(self.shell.actions, "agreement", "settle")
        self.board.show_people(together_line(found), alpha_line(found, settle))
        if self._labelled is not None and not self._metrics:
            self._show_nothing()
        self.refresh_bindings()

    def _show_nothing(self) -> None:
        self._found = self._shown = None
        bar = self.query_one(TitleBar)
        bar.detail = bar.right = ""
        title = "Nothing to compare yet."
        sessions = self.shell.store.sessions.count()
        self._is_empty = not sessions
        words = with_beginning(NO_LABELS, sessions=sessions)
        if self._blind_only:
            title = "No scored session has a label that was given while the scores were hidden."
            words = "`{agreement.blind}` counts the other labels too."
        if self._together is not None and (told := together_sentences(self._together)):
            # Without any score this is all that the labels say.
            words = f"{words}\n\n{told}"
        self.query_one(EmptyWords).tell(title, words)

    def on_record_table_highlighted(self, event: RecordTable.Highlighted) -> None:
        """Follow the cursor to another metric."""
        if self._metrics and (metric := self._metrics[event.table.cursor].metric) != self._metric:
            self._metric = metric
            self._measure()

    def on_record_table_opened(self, event: RecordTable.Opened) -> None:
        """Read the session that was clicked twice."""
        if event.table.id == "sessions":
            self._review()

    # Actions

    def key_now(self, action: Action) -> Action:
        """Say of a check that it is right: it is no judge."""
        if action.name == "agree" and self._found is not None and self._found.by_check:
            return replace(action, title="check is right")
        return action

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that can do something at this moment."""
        if action in ("import", "learn"):
            # Labels are of sessions, of which an empty database has none.
            return not self._is_empty
        if action == "author":
            return self._author is not None or (self._found is not None and len(self._found.people) > 1)
        if action == "blind":
            return self._blind_only or bool(self._metrics)
        if action == "export":
            return self._labelled is None or bool(self._labelled.opinions)
        if action == "settle":
            return self._together is not None and self._together.disputed > 0
        if action in ("open", "agree", "disagree"):
            return self._found is not None and bool(self.board.differing)
        if action in ("next_metric", "previous_metric", "other_pane"):
            return len(self._metrics) > 1
        return True

    def after_move(self) -> None:
        """Show what goes with the row, in the same frame as the cursor."""
        self.board.show_about()

    def action_next_metric(self) -> None:
        """Show the next metric."""
        self.board.metrics.action_cursor_down()

    def action_previous_metric(self) -> None:
        """Show the metric before."""
        self.board.metrics.action_cursor_up()

    def action_other_pane(self) -> None:
        """Go to the metrics, or back to the sessions."""
        board = self.board
        (board.sessions if board.metrics.has_focus else board.metrics).focus()

    def action_open(self) -> None:
        """Read the session under the cursor; from the metrics go to the sessions."""
        if self.board.metrics.has_focus:
            self.board.sessions.focus()
        else:
            self._review()

    def leads_to(self) -> SessionToRead | None:
        """Return the session under the cursor, among those that are listed."""
        if (current := self.board.current) is None:
            return None
        store, listed = self.shell.store, self.board.differing

        def find() -> FoundSessions:
            return FoundSessions(store, (one.session for one in listed), tells_scores=True)

        return SessionToRead(current.session, self._beside.of(listed, find))

    def _review(self) -> None:
        if (wanted := self.leads_to()) is None:
            return
        from turnwise.tui.review.review_screen import ReviewScreen

        review = self.shell.kept_dialogs.take(ReviewScreen, *wanted)
        self.app.push_screen(review, self._stand_on)

    def _stand_on(self, session_id: int | None) -> None:
        """Stand on the session that was read last; labels that it got are read as the screen resumes."""
        places = [place for place, one in enumerate(self.board.differing) if one.session == session_id]
        if places and places[0] != self.board.sessions.cursor:
            self.board.sessions.move_cursor(places[0])

    def _come_back(self, session_id: int | None) -> None:
        """Read what a queue changed, where it did, and stand on the session that was read last."""
        self._wanted = session_id
        if self.find_outdated():
            self._read_anew()
        elif self._labelled is not None and self._metric:
            # Else all is being read already, since the screen came to the front.
            self._measure()

    async def action_agree(self) -> None:
        """Say that the judge is right of the session under the cursor."""
        await self._side_with(agree=True)

    async def action_disagree(self) -> None:
        """Say that it is wrong of it."""
        await self._side_with(agree=False)

    async def _side_with(self, *, agree: bool) -> None:
        current = self.board.current
        if current is None:
            return
        said = await asyncio.to_thread(
            label_metric, self.shell.store, current, self._metric, self._me, agree=agree
        )
        self._said.append(said)
        undo = key_of(self.shell.actions, "agreement", "undo")
        note(
            self,
            f"{said.words} of {self._metric.replace('_', ' ')}: kept as your label. {undo} takes it back.",
        )
        self._wanted = current.session
        self._read_anew()

    async def action_undo(self) -> None:
        """Take back what was said last here; all else is taken back in its review, as is told."""
        if not self._said:
            undo = key_of(self.shell.actions, "review", "undo")
            note(self, f"Nothing was said here just now. {undo} in its review takes a label back.")
            return
        said = self._said.pop()
        await asyncio.to_thread(said.take_back, self.shell.store)
        note(self, f"Taken back: {said.words}.")
        self._metric, self._wanted = said.subject[0], said.session
        self._read_anew()

    @work(group="ask", exclusive=True)
    async def action_settle(self) -> None:
        """Review the sessions that people dispute, one by one; a queue of them is asked for first."""
        # What makes queues reads conversations, which measuring does not need.
        from turnwise.tui.queues.queue_opening import (
            new_disputed_queue,
            open_queue,
            standing_disputed_queue,
        )
        from turnwise.tui.queues.queue_question import may_make_queue_of_disputed

        store = self.shell.store
        queue_id = await asyncio.to_thread(standing_disputed_queue, store)
        disputed = self._together.disputed if self._together is not None else 0
        if queue_id is None and not await may_make_queue_of_disputed(self.app, disputed):
            return
        try:
            if queue_id is None:
                queue_id = await asyncio.to_thread(new_disputed_queue, store)
        except TurnwiseError as error:
            self.shell.tell_error(error)
        else:
            open_queue(self.app, self.shell, queue_id, self._come_back)

    def action_author(self) -> None:
        """Take the labels of the next person, or the majority's after the last."""
        people = [person.author for person in self._found.people] if self._found else []
        order = [None, *people]
        at = order.index(self._author) if self._author in order else -1
        self._author = order[(at + 1) % len(order)]
        self._count_anew()

    def action_blind(self) -> None:
        """Count only labels that were given while the scores were hidden, or all."""
        self._blind_only = not self._blind_only
        self._count_anew()

    def _count_anew(self) -> None:
        # Said before it begins: with very many labels it takes longer than a key may, and keeps Python busy.
        self.query_one(TitleBar).right = "counting …"
        self.call_after_refresh(self._list)

    @work(group="ask", exclusive=True)
    async def action_export(self) -> None:
        """Write all labels into a CSV or YAML."""
        await write_labels(self, self.shell)

    @work(group="ask", exclusive=True)
    async def action_import(self) -> None:
        """Bring in labels from such a file."""
        if await bring_in_labels(self, self.shell):
            self._read_anew()

    @work(group="ask", exclusive=True)
    async def action_learn(self) -> None:
        """Let the labels teach a metric, and score by it where that is wanted."""
        # Learning brings pydantic and what reads conversations along, which measuring does not need.
        from turnwise.tui.learning.learn_dialog import LearnDialog

        metric = await self.app.push_screen_wait(self.shell.kept_dialogs.take(LearnDialog))
        if metric is not None:
            self.shell.score(await asyncio.to_thread(self.shell.store.sessions.ids), metrics=[metric])

    def action_back(self) -> None:
        """Go back to where this was opened."""
        self.dismiss(None)
