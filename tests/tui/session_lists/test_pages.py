"""The rows of a long list are known page by page, and what lies between two of them where all are known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tui_driver import conversation

from turnwise.conversations.store import Store
from turnwise.conversations.store.mending.session_rows import SessionRow
from turnwise.tui.session_lists import pages as pages_module
from turnwise.tui.session_lists.pages import Pages
from turnwise.tui.session_lists.stored_sessions import AllSessions


@pytest.fixture
def pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> Pages:
    """Twelve sessions, four a page."""
    monkeypatch.setattr(pages_module, "PAGE", 4)
    for number in range(12):
        store.sessions.add(conversation(f"Session {number}"), source="x", format="deepeval", created_at=1.0)
    found = Pages(AllSessions(store))
    found.count = 12
    return found


def known(pages: Pages, *numbers: int) -> Sequence[SessionRow]:
    for number in numbers:
        pages.keep(number, pages.fetch(number))
    return list(pages.rows())


def test_what_lies_between_two_known_rows_is_told_in_order(pages: Pages) -> None:
    ids = [row.id for row in known(pages, 0, 1)]
    assert pages.between(ids[1], 6) == ids[1:7]
    assert pages.between(ids[6], 1) == ids[1:7]
    assert pages.between(ids[3], 3) == [ids[3]]


def test_it_is_not_guessed_where_a_page_is_lacking(pages: Pages) -> None:
    rows = known(pages, 0, 2)
    assert pages.between(rows[0].id, 9) is None
    assert pages.between(rows[-1].id, 1) is None
    assert pages.between(999, 1) is None
    assert pages.between(rows[0].id, 7) is None
