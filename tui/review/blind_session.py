"""BlindSession: what was found and said of a session, and what of it is hidden from the one who labels it.

Scores and the labels of others stay hidden until one has judged for oneself, unless the settings say
otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.conversations.store import AssignedMode, LabelRow
from turnwise.engine.people.adjudicating import without_names
from turnwise.engine.people.labelling import PersonLabels, labels_of_others
from turnwise.tui.reading.score_groups import SessionScores
from turnwise.tui.reading.score_list import REVEAL
from turnwise.tui.review.nameless import in_order, nameless_labels, nameless_modes, persons_of
from turnwise.tui.review.session_reader import SessionFindings
from turnwise.tui.session_lists.pages import SessionProvider
from turnwise.tui.session_lists.stored_sessions import settles_disputes, tells_scores, was_found_by_outcome
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import Shell


class BlindSession:
    """The findings of one session at a time, each either in sight or hidden; `SessionLabels` changes them."""

    def __init__(self, shell: Shell, session_id: int, sessions: SessionProvider | None = None) -> None:
        """sessions: the list that is reviewed.

        In a queue of sessions that people see differently, what is said settles that, and who they are stays
        hidden until then.
        """
        self._shell = shell
        self._sessions = sessions
        self.id = session_id
        """The session that is read, or that was asked for and is being read from the store."""
        self.author = author_of(shell.settings)
        self.found = SessionFindings()
        self.mine = PersonLabels(self.author, adjudicating=settles_disputes(sessions))
        self.unshown: set[int] = set()
        """Sessions of which a label led on at once, so that it never showed the scores."""

    @property
    def scores(self) -> SessionScores:
        """The outcomes of the session, be they hidden or not."""
        return self.found.scores

    @property
    def rows(self) -> Sequence[LabelRow]:
        """All labels of the session, oldest first, be they hidden or not."""
        return self.found.labels

    @property
    def would_hide(self) -> bool:
        """Whether scores and labels of others are to be hidden, be there any or not."""
        if not self._shell.settings.blind or self.has_judged or tells_scores(self._sessions):
            return False
        return self.id not in self._shell.seen

    @property
    def has_judged(self) -> bool:
        """Whether a label stands that showed what was hidden until then; not one that was taken back.

        Who defers has not judged yet: what they say in the end is as blind as if they had said it at once.
        What was shown by a label before it was taken back stays in sight in this sitting, and is kept as
        seen, so that the next label is not blind in a later one either.
        """
        return self.mine.whole.word in ("pass", "fail") and self.id not in self.unshown

    @property
    def hides_scores(self) -> bool:
        """Whether there are scores or labels of others, and they are hidden."""
        return self.would_hide and bool(self.scores.rows or labels_of_others(self.rows, self.author))

    @property
    def is_unseen(self) -> bool:
        """Whether the scores are hidden and were never seen, or there are none that could have been."""
        return not self.scores.rows or (self.would_hide and not self.was_seen)

    @property
    def labels_blind(self) -> bool:
        """Whether a label given now is blind; what settles is not, as the others' labels are in sight."""
        return self.is_unseen and not self.mine.adjudicating

    @property
    def was_seen(self) -> bool:
        """Whether the one who labels saw the scores somewhere before, as in the library or by its filter."""
        return bool(self._where_seen)

    @property
    def _where_seen(self) -> str:
        """Return where the one who labels saw the scores before, in words; empty where they did not."""
        if was_found_by_outcome(self._sessions, self.id):
            return "in this list"
        earlier = "earlier" if self.author in self.found.seen_by else ""
        return self._shell.sights.where(self.id) or earlier

    def why_hidden(self, key: str) -> str:
        """Return what stands in the place of what is hidden; empty where nothing is. key: shows it."""
        if not self.hides_scores:
            return ""
        what, then = ("Scores are", "a label") if self.scores.rows else ("Others' labels", "yours")
        until = "until you decide" if self.mine.whole.word == "defer" else "until you label"
        if self.mine.adjudicating:
            seen = ", some seen" if self.was_seen else ""
            scores = f"\nScores hidden{seen}; {key} {REVEAL}." if self.scores.rows else ""
            return f"People differ: your label settles it{scores}"
        if self.was_seen:
            # Whoever saw some would ask what the rest is hidden for.
            first = "Scores hidden" if self.scores.rows else what
            return f"{first} so you judge first\n{key} {REVEAL}; you saw some {self._where_seen}."
        return f"{what} hidden {until}\n{key} {REVEAL}; {then} is then not blind."

    def reveal(self) -> None:
        """Show scores and labels of others; a label given from here on counts as not blind."""
        if self.hides_scores or tells_scores(self._sessions):
            self._shell.sights.add(self.id, "here")
        self._shell.seen.add(self.id)

    @property
    def of_others(self) -> list[LabelRow]:
        """All rows of other people."""
        return [row for row in self.rows if row.author != self.author]

    @property
    def rated_by_others(self) -> list[LabelRow]:
        """What others say of metrics, be it hidden or not; their names are left out while they are hidden."""
        return self._nameless([row for row in self.of_others if row.metric])

    @property
    def in_sight(self) -> list[LabelRow]:
        """All rows that are not hidden: what people differ on, of the whole, is seen by who settles it."""
        hidden, settles = self.hides_scores, self.mine.adjudicating
        return self._nameless(
            [
                row
                for row in self.rows
                if row.author == self.author or not hidden or (settles and not row.metric)
            ]
        )

    def _nameless(self, rows: Sequence[LabelRow]) -> list[LabelRow]:
        return nameless_labels(rows, persons_of(self.rows), self.author) if self._hides_names else list(rows)

    @property
    def modes_in_sight(self) -> list[AssignedMode]:
        """All failure modes that are not hidden, to be given or taken away."""
        hidden = self.hides_scores
        return [one for one in self.found.modes if not hidden or one.is_by(self.author)]

    @property
    def modes_told(self) -> list[AssignedMode]:
        """All failure modes that are told of: with what people differ on goes what each of them means."""
        if self._hides_names:
            return nameless_modes(self.found.modes, persons_of(self.rows), self.author)
        return self.modes_in_sight

    @property
    def _hides_names(self) -> bool:
        """Whether who says what is hidden: what people differ on is settled without their names."""
        return self.mine.adjudicating and not self.has_judged

    def said_by_others(self, *, hidden: bool) -> dict[str, LabelRow]:
        """Return what others say of the whole, by person. hidden: nothing, unless that is to be settled."""
        if self._hides_names:
            return without_names(self.rows)
        others = {} if hidden else labels_of_others(self.rows, self.author)
        return in_order(others, self.rows if self.mine.adjudicating else ())
