"""Find goes from match to match in a session, opens what hides one, and says what is wrong."""

from __future__ import annotations

import pytest
from reviewing import current, drawn, press, reading, settled
from scored_sessions import add_talk
from stored import keep
from textual.geometry import Region
from tui_driver import burst, shown

from turnwise.conversations.cases import ConversationalTestCase, Turn
from turnwise.conversations.store import Store
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.prompt_line import PromptLine
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.review.review_screen import ReviewScreen


def note(screen: ReviewScreen) -> str:
    return str(screen.query_one(".prompt--note").render())


async def test_find_jumps_marks_and_counts(store: Store) -> None:
    session = add_talk(store, turns=30)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "slash", *"said 2", "enter")
        assert current(screen) == 2
        assert "1 of 11 turns" in note(screen)
        await press(pilot, "n")
        assert current(screen) == 20
        await press(pilot, "N", "N")
        assert current(screen) == 29
        lines = [screen.transcript.render_line(y) for y in range(screen.transcript.size.height)]
        assert "said 2" in [segment.text for line in lines for segment in line]
        await press(pilot, "escape")
        assert not screen.query_one(PromptLine).asking
        assert pilot.app.screen is screen


async def test_esc_is_the_way_back_once_a_search_that_found_nothing_has_ended(store: Store) -> None:
    session = add_talk(store, turns=3)
    async with reading(store, session) as (_screen, pilot):
        await press(pilot, "slash", *"otter", "enter")
        assert "esc end the search" in shown(pilot.app)
        await press(pilot, "escape")
        assert "esc back" in shown(pilot.app)


def gone_to(screen: ReviewScreen) -> list[str]:
    """Return the line of the match that was gone to: it is underlined."""
    view = screen.transcript
    strips = [view.render_line(y) for y in range(view.size.height)]
    return [
        strip.text.strip("▌▏▎ ")
        for strip in strips
        if any(segment.style and segment.style.underline for segment in strip)
    ]


async def test_within_a_long_turn_n_goes_from_match_to_match(store: Store) -> None:
    long = "\n\n".join(f"{'an otter' if number % 40 == 0 else 'nothing'} {number}" for number in range(100))
    session = keep(store, "otter first", long, "no", "otter last")
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "slash", *"otter", "enter")
        seen = [gone_to(screen)]
        for _ in range(5):
            await press(pilot, "n")
            seen.append(gone_to(screen))
        there = [["otter first"], ["an otter 0"], ["an otter 40"], ["an otter 80"], ["otter last"]]
        assert seen == [*there, there[0]]
        for expected in reversed(there):
            await press(pilot, "N")
            assert gone_to(screen) == expected


async def test_what_comes_in_one_burst_after_the_slash_is_looked_for(store: Store) -> None:
    session = add_talk(store, turns=30)
    async with reading(store, session) as (screen, pilot):
        burst(pilot.app, "slash", *"said", "space", "2", "enter")  # type: ignore[arg-type]
        await settled(pilot)
        assert current(screen) == 2
        assert "1 of 11 turns" in note(screen)


async def test_what_is_found_as_the_line_is_left_tells_the_keys_that_work_then(
    store: Store,
) -> None:
    session = add_talk(store, turns=30)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "slash", *"said")
        assert "· enter" in note(screen)
        screen.set_focus(screen.transcript)
        # The field has not heard yet that it was left.
        assert not screen.finder.prompt.typing
        screen.finder.step(1)
        assert "n N · esc" in note(screen)


async def test_find_opens_what_hides_a_match(store: Store) -> None:
    case = ConversationalTestCase.model_validate(
        {
            "turns": [
                {"role": "system", "content": "Be kind.\nNever mention otters."},
                {"role": "user", "content": "Hello"},
            ]
        }
    )
    session = store.sessions.add(case, source="test", format="test").session_id
    async with reading(store, session) as (screen, pilot):
        assert "otters" not in drawn(screen.transcript)
        await press(pilot, "slash", *"otters")
        assert "otters" in drawn(screen.transcript)


@pytest.mark.parametrize(
    ("typed", "told"), [("(", "no regular expression"), ("(a+)+", "forever"), ("zzz", "not found")]
)
async def test_find_says_in_words_what_is_wrong(store: Store, typed: str, told: str) -> None:
    session = add_talk(store)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "slash", *typed)
        assert told in note(screen)
        await press(pilot, "escape")
        assert current(screen) == 1


async def test_the_line_that_asks_hides_no_turn(store: Store) -> None:
    session = add_talk(store, turns=30)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "G")
        before = drawn(screen.transcript)
        await press(pilot, "slash")
        line = screen.query_one(PromptLine)
        in_sight = drawn(screen.transcript).split("\n")[: line.region.y - screen.transcript.region.y]
        assert in_sight[-1] == before.split("\n")[-1]
        assert current(screen) == 30
        await press(pilot, "escape")
        assert drawn(screen.transcript) == before


async def test_a_search_without_words_draws_no_turn_anew(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = add_talk(store, turns=30)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "slash", "escape")
        redrawn: list[object] = []
        usual = TranscriptView.refresh

        def refresh(view: TranscriptView, *regions: Region, **options: bool) -> object:
            if not regions and options.get("repaint", True):
                redrawn.append(view)
            return usual(view, *regions, **options)

        monkeypatch.setattr(TranscriptView, "refresh", refresh)
        await press(pilot, "slash", "escape")
        assert not redrawn
        assert screen.focused is screen.transcript


async def test_esc_goes_back_to_where_the_search_began_also_where_more_letters_find_nothing(
    store: Store,
) -> None:
    session = add_talk(store, turns=30)
    async with reading(store, session) as (screen, pilot):
        await press(pilot, "slash", *"said 2")
        assert current(screen) == 2
        await press(pilot, "x", "escape")
        assert current(screen) == 1


def with_system_prompt(store: Store) -> int:
    prompt = "\n".join(["Be brief.", *(f"Rule {number}." for number in range(9))])
    spoken = [
        Turn(role="user", content="Where is my bag?"),
        Turn(role="assistant", content="In brief: Oslo."),
    ]
    case = ConversationalTestCase(turns=[Turn(role="system", content=prompt), *spoken])
    return store.sessions.add(case, source="test", format="test").session_id


@pytest.mark.parametrize("leave", [("escape",), ("enter", "escape"), ("enter", "n", "escape")])
async def test_what_a_search_opened_folds_again_once_it_is_left(store: Store, leave: tuple[str, ...]) -> None:
    async with reading(store, with_system_prompt(store)) as (screen, pilot):
        before = drawn(screen.transcript)
        assert "Rule 3." not in before
        await press(pilot, "slash", *"brief")
        assert "Rule 3." in drawn(screen.transcript)
        await press(pilot, *leave)
        assert "Rule 3." not in drawn(screen.transcript)
        assert "next match" not in screen.query_one(KeyLine).render_line(0).text


async def test_fewer_letters_leave_nothing_open_that_more_do_not_find(store: Store) -> None:
    async with reading(store, with_system_prompt(store)) as (screen, pilot):
        await press(pilot, "slash", *"b")
        assert "Rule 3." in drawn(screen.transcript)
        await press(pilot, *"ag")
        assert "Rule 3." not in drawn(screen.transcript)
        await press(pilot, *"zz")
        assert "Rule 3." not in drawn(screen.transcript)


async def test_what_was_opened_by_hand_stays_open(store: Store) -> None:
    async with reading(store, with_system_prompt(store)) as (screen, pilot):
        await press(pilot, "space", "slash", *"brief", "escape")
        assert "Rule 3." in drawn(screen.transcript)
        await press(pilot, "space", "slash", *"brief", "enter", "space", "space", "escape")
        assert "Rule 3." in drawn(screen.transcript)
