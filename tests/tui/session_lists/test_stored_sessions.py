"""Lists of sessions give what is asked of them, and read no more than that."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.session_lists.ids_when_asked import IdsWhenAsked
from turnwise.tui.session_lists.stored_sessions import AllSessions


def test_the_ids_of_a_list_are_read_when_the_first_is_asked_for(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two")
    read: list[int] = []

    class Counted(AllSessions):
        def ids(self) -> list[int]:
            read.append(1)
            return super().ids()

    ids = IdsWhenAsked(Counted(store))
    assert len(ids) == 2
    assert read == []
    assert list(ids) == [second, first]
    assert ids[:1] == [second]
    assert read == [1]
