"""The list of scores: a reason is cut only where no line is left for it."""

from __future__ import annotations

import pytest
from reviewing import drawn, press, reading
from scored_sessions import add_outcomes, add_talk

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store

LONG = " ".join(f"sentence {number} says what went wrong there." for number in range(1, 13))


def failed(metric: str = "knowledge_retention") -> Score:
    return Score(metric=metric, reason=LONG, score=0.2, threshold=0.9)


@pytest.mark.parametrize("size", [(120, 40), (160, 50)])
async def test_the_reason_of_a_score_has_the_lines_that_are_free_below_it(
    store: Store, size: tuple[int, int]
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, failed())
    async with reading(store, session, size) as (screen, _):
        assert LONG in " ".join(drawn(screen.pane.score_list).split())


async def test_a_reason_has_no_more_lines_than_are_free(store: Store) -> None:
    session = add_talk(store)
    metrics = ("knowledge_retention", "role_adherence", "turn_relevancy")
    add_outcomes(store, session, *map(failed, metrics))
    async with reading(store, session, (120, 40)) as (screen, _):
        listed = screen.pane.score_list
        assert listed.max_scroll_y == 0
        assert all(name.replace("_", " ") in drawn(listed) for name in metrics)


async def test_below_a_narrow_transcript_the_open_list_shows_a_reason_as_far_as_it_has_lines(
    store: Store,
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, failed())
    async with reading(store, session, (80, 24)) as (screen, pilot):
        await press(pilot, "tab")
        assert LONG in " ".join(drawn(screen.pane.score_list).replace("▌", " ").split())


async def test_where_the_list_goes_on_its_last_line_says_how_many_more_there_are_and_how_to_see_them(
    store: Store,
) -> None:
    session = add_talk(store)
    fine = [Score(metric=f"own_{at}", reason="Fine.", score=1.0, threshold=0.5) for at in range(12)]
    add_outcomes(store, session, failed(), *fine)
    async with reading(store, session, (120, 30)) as (screen, pilot):
        listed = screen.pane.score_list
        *above, last = drawn(listed).splitlines()
        told = sum("own " in line for line in above)
        assert 0 < told < 12
        assert last.strip() == f"… tab shows {12 - told} more"
        await press(pilot, "tab")
        assert "shows" not in drawn(listed)
        await press(pilot, "G")
        await press(pilot, "tab")
        # Nothing follows what is in sight now.
        assert "shows" not in drawn(listed)
