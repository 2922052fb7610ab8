"""FillingScreen: a list of sessions that conversations are brought into: talked, imported, or samples."""

from __future__ import annotations

from abc import abstractmethod

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.screens.arranging import ArrangingScreen
from turnwise.tui.stored_sessions import AllSessions
from turnwise.tui.widgets.filter_line import FilterLine


class FillingScreen(ArrangingScreen):
    """Brings conversations in, and shows what came."""

    @abstractmethod
    def go_to_session(self, session_id: int | None) -> None:
        """Put the cursor on a session."""

    def action_record(self) -> None:
        """Talk to a chatbot."""
        from turnwise.tui.screens.record import RecordScreen

        self.app.push_screen(RecordScreen(None), self._show_recorded)

    def _show_recorded(self, session_id: int | None) -> None:
        if session_id is not None:
            self._show_newest()
            self.go_to_session(session_id)

    def action_import(self) -> None:
        """Bring conversations in from a file."""
        from turnwise.tui.screens.importing import ImportDialog

        self.app.push_screen(ImportDialog(), self._show_imported)

    def _show_imported(self, imported: int | None) -> None:
        if imported:
            self._show_newest()

    def action_samples(self) -> None:
        """Bring the sample conversations in."""
        self.run_worker(self._add_samples, thread=True, group="samples", exclusive=True)

    def _add_samples(self) -> None:
        from turnwise.tui.samples import add_samples

        try:
            added = add_samples(self.app.store)
        except TurnwiseError as error:
            self.app.call_from_thread(self.app.tell_error, error)
            return
        text = f"{added} sample conversations are in." if added else "The samples are in already."
        self.app.call_from_thread(self.app.notify, text)
        self.app.call_from_thread(self._show_newest)

    def _show_newest(self) -> None:
        """Show what came in: the newest sessions stand first."""
        self.query_one(FilterLine).clear()
        # At once, not when the cleared filter is answered: the cursor is to go where a filter hid it.
        self.asked, self._provider, self._order = "", AllSessions(self.app.store), None
        self.list.order, self.list.words = None, ()
        self.list.set_provider(self._provider)
        self.refresh_sessions()
        self.list.home()
        self.list.focus()
