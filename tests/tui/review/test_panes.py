"""Going from the turns to the scores and back shows at once what goes with them."""

from __future__ import annotations

from typing import Any

import pytest
from reviewing import drawn, press, reviewing
from scored_sessions import add_outcomes, add_talk, retention
from tui_driver import until

from turnwise.conversations.store import Store
from turnwise.tui.labels.label_pane import LabelPane

WIDE = (140, 40)


async def test_going_to_the_scores_says_at_once_what_holds_there(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "s")
        screen.move_keys.action_other_pane()
        # Not in a frame of its own, which would be laid out once more.
        assert screen.pane.label_pane.view.score is not None
        screen.move_keys.action_other_pane()
        assert screen.pane.label_pane.view.score is None


async def test_what_is_said_of_a_score_is_shown_before_the_keys_go_to_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE, blind=False) as (screen, pilot):
        shown: list[bool] = []
        go = screen.set_focus

        def see_what_is_shown(*to: Any, **options: Any) -> None:
            shown.append(screen.query_one(LabelPane).view.score is not None)
            go(*to, **options)

        monkeypatch.setattr(screen, "set_focus", see_what_is_shown)
        await press(pilot, "tab", "tab")
        assert shown == [True, False]


async def test_scores_that_came_while_the_information_was_open_are_listed_once_it_is_closed(
    store: Store,
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "i", "f", "i")
        scores = screen.pane.score_list
        await until(pilot, lambda: scores.size.height >= len(scores.lines) > 0)
        assert "knowledge retention" in drawn(scores)


async def test_scores_take_fewer_lines_where_labels_have_come_to_take_more(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, *(retention(metric=f"metric_{number}") for number in range(9)))
    for author in ("ann", "ben", "cem", "dan"):
        store.labels.add(session, "fail", author=author, note=f"odd, says {author}", blind=True)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "f")
        assert "odd, says dan" in drawn(screen.pane.label_pane)
        scores = screen.pane.score_list
        assert scores.max_scroll_y == 0


async def test_a_label_that_was_drawn_before_the_scores_went_below_the_turns_is_short_at_once(
    store: Store,
) -> None:
    async with reviewing(store, add_talk(store), (80, 24)) as (screen, _):
        label = screen.pane.label_pane
        label.remove_class("-short")
        label.redraw()
        assert "Your label" in written(label)
        # Its size stays as it is, so that nothing else would have it drawn.
        screen.pane.on_resize()
        assert "p pass" in written(label)
        assert "Your label" not in written(label)


def written(label: LabelPane) -> str:
    """Return the lines of the label, be there room for them or not."""
    return "\n".join("".join(piece.text for piece in line) for line in label.lines)
