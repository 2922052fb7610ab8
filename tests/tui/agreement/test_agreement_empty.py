"""What the agreement screen says where there is nothing to compare."""

from __future__ import annotations

from stored import keep, land, score
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.library_screen import LibraryScreen


async def test_without_labels_it_says_how_to_get_some(store: Store) -> None:
    land(store, keep(store), score(0.9))
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "Nothing to compare yet" in shown(app))
        assert "turnwise label SESSION pass" in shown(app)
        # There is nothing to write into a file, but labels may be brought in.
        assert "bring in labels" in shown(app)
        assert "labels to a file" not in shown(app)
        await pilot.press("enter", "right", "P", "j", "escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_without_a_session_no_key_for_labels_is_offered(store: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "There are no sessions yet" in shown(app))
        assert "bring in labels" not in shown(app)
        assert "Y learn" not in shown(app)


async def test_without_scores_it_says_how_far_people_agree_with_each_other(store: Store) -> None:
    for number in range(6):
        session = keep(store, name=f"talk {number}")
        store.labels.add(session, "pass" if number % 2 else "fail", author="Mia", blind=True)
        store.labels.add(session, "pass" if number % 2 or not number else "fail", author="Ben", blind=True)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: "People among themselves, on 6 whole sessions: alpha" in shown(app))
        assert "Nothing to compare yet" in shown(app)
        assert "Q reviews the 1 session that they dispute." in shown(app)
