"""How an import ends: what is told of it in passing, or on a screen of its own where that is more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.importing.account_words import account_in_short
from turnwise.tui.importing.import_notes import notes
from turnwise.tui.importing.import_words import report_words
from turnwise.tui.importing.rejections import RejectionsScreen
from turnwise.tui.importing.taken_back_words import way_back_words

if TYPE_CHECKING:
    from turnwise.conversations.gathering import GatheredReport

MOST_IN_A_TOAST = 2


def tell_end(app: App[Any], gathered: GatheredReport, *, undo: str, forget: str) -> None:
    """Tell what an import did. undo, forget: keys of the library, which take it back and forget sessions."""
    report = gathered.total
    if report.rejected or gathered.is_of_many:
        # It says by itself what came in, and a toast would stand on it.
        app.push_screen(RejectionsScreen(gathered))
        return
    account, *places = account_in_short(report, MOST_IN_A_TOAST) or [""]
    noted = notes(report, forget=forget)
    did = report_words(report, undo=way_back_words(report, undo))
    told = [f"{did} {account}".strip(), *places, *report.remarks.values(), *noted]
    app.notify(
        make_safe("\n".join(told)),
        markup=False,
        # A plain word of success is cut to three lines; what a person should know is not.
        severity="warning" if report.silent or report.remarks or noted else "information",
    )
