"""What a review hands on: its session to a judge, a replay or its branches, and its words and images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from turnwise.conversations.store import TurnRow
from turnwise.tui.parts.notice import note
from turnwise.tui.reading.turn_lines import turn_name, turn_text
from turnwise.tui.record.branches_screen import show_branches
from turnwise.tui.review.panes import Panes
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.shell.shell import Shell


class Elsewhere:
    """Answers the actions that show the session of a review in other ways, or take something of it along."""

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        labels: SessionLabels,
        panes: Panes,
        *,
        go_to: Callable[[int], None],
    ) -> None:
        """screen: the review. labels: know its session. panes: its turns and its scores.

        go_to: reads another session.
        """
        self._screen = screen
        self._shell = shell
        self._labels = labels
        self._panes = panes
        self._go_to = go_to

    def action_score(self) -> None:
        """Judge this session."""
        self._shell.score([self._labels.session.id])

    def action_replay(self) -> None:
        """Play this session again."""
        session = self._labels.session
        self._shell.open_replay(session.id, hides=session.would_hide)

    def action_pictures(self) -> None:
        """Show the images that the session was judged with."""
        self._screen.run_worker(self._show_pictures, thread=True)

    def _show_pictures(self) -> None:
        from turnwise.tui.pictures.pictures_dialog import show_pictures

        files = [file for row in self._panes.transcript.rows for file in row.files]
        show_pictures(self._screen, self._shell.store.sessions.case(self._labels.session.id), files)

    def action_branches(self) -> None:
        """See the branches of this talk beside each other."""
        show_branches(self._screen, self._labels.session.id, self._go_to)

    def action_copy(self) -> None:
        """Copy what is selected, the turn, or the reason where the scores have the keys."""
        item = self._panes.scores.score_list.current if self._panes.in_scores else None
        copy_selected(self._screen, item.row.reason if item else None, self._panes.transcript.current)


def copy_selected(screen: Screen[Any], reason: str | None, turn: TurnRow | None) -> None:
    """Copy what is selected with the mouse; else a reason, or the text of a turn, whichever is there."""
    if selected := screen.get_selected_text():
        screen.app.copy_to_clipboard(selected)
        screen.clear_selection()
        note(screen, f"Selection copied: {len(selected):,} characters.")
    elif reason is not None:
        screen.app.copy_to_clipboard(reason)
        note(screen, "Reason copied.")
    elif turn is not None:
        text = turn_text(turn)
        screen.app.copy_to_clipboard(text)
        note(screen, f"{turn_name(turn)} copied: {len(text):,} characters.")
