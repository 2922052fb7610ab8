"""The pane of what is known of a session beside its words: a key opens it beside the transcript."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from kept_cases import SAID, keep_told
from reviewing import current, drawn, press, reading, reviewing, settled
from scored_sessions import add_outcomes, add_talk, retention
from stored import keep
from tui_driver import until

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.store import Store
from turnwise.conversations.store.facts.about import AboutPart, SessionAbout
from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.drawing.lines import Line
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.reading import info_pane
from turnwise.tui.reading.info_lines import SessionInfo
from turnwise.tui.reading.info_pane import InfoPane
from turnwise.tui.session_lists.stored_sessions import FoundSessions

SIZES = [(80, 24), (160, 50)]
MUCH = {"scenario": "A long one. " * 60, "metadata": {f"key{n}": f"value {n}" for n in range(60)}}


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_opens_it_over_the_scores_and_closes_it(store: Store, size: tuple[int, int]) -> None:
    session = keep_told(store)
    add_outcomes(store, session, retention(2))
    async with reading(store, session, size) as (screen, pilot):
        info = screen.query_one(InfoPane)
        assert not info.display
        await press(pilot, "i")
        assert info.display
        await until(pilot, lambda: "About" in drawn(info))
        assert not screen.pane.score_list.display
        assert "close" in drawn(screen.query_one(KeyLine))
        await press(pilot, "i")
        assert not info.display
        await press(pilot, "j")
        assert current(screen) == 2


async def test_it_is_first_drawn_with_a_free_cell_before_its_scroll_bar(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = keep(store, "Hello", scenario="a " * 3_000)
    longest: list[int] = []
    set_lines = InfoPane.set_lines

    def noted(pane: InfoPane, lines: Sequence[Line], **options: bool) -> None:
        longest.append(max(sum(piece.cell_length for piece in line) for line in lines))
        set_lines(pane, lines, **options)

    monkeypatch.setattr(InfoPane, "set_lines", noted)
    async with reading(store, session, (80, 24)) as (screen, pilot):
        await press(pilot, "i")
        info = screen.query_one(InfoPane)
        assert info.show_vertical_scrollbar
        assert longest
        assert max(longest) < info.scrollable_content_region.width


async def test_it_holds_all_that_is_said(store: Store) -> None:
    session = keep_told(store)
    async with reading(store, session, (160, 100)) as (screen, pilot):
        await press(pilot, "i")
        text = " ".join(drawn(screen.query_one(InfoPane)).split())
        assert [said for said in SAID if " ".join(said.split()) not in text] == []
        assert "expected outcome The refund is under way." in text


@pytest.mark.parametrize("size", SIZES)
async def test_the_keys_move_in_it_and_cross_over_to_the_turns(store: Store, size: tuple[int, int]) -> None:
    session = keep(store, *(f"turn {number}" for number in range(20)), **MUCH)
    async with reading(store, session, size) as (screen, pilot):
        info = screen.query_one(InfoPane)
        await press(pilot, "i")
        assert screen.transcript.size.height >= 3
        assert "value 59" not in drawn(info)
        await press(pilot, "G")
        assert "value 59" in drawn(info)
        assert current(screen) == 1
        await press(pilot, "tab", "j")
        assert current(screen) == 2
        assert "value 59" in drawn(info)
        await press(pilot, "escape")
        assert not screen.panes.info_is_open
        assert pilot.app.screen is screen


async def test_the_place_stays_as_styles_of_other_screens_are_read_and_the_window_grows(store: Store) -> None:
    session = keep(store, *(f"turn {number}" for number in range(20)), **MUCH)
    keep(store, "another", **MUCH)
    async with reading(store, session, (80, 24)) as (screen, pilot):
        info = screen.query_one(InfoPane)
        await press(pilot, "i", "G")
        pilot.app.stylesheet.update(pilot.app)
        assert "value 59" in drawn(info)
        await pilot.resize_terminal(90, 24)
        await settled(pilot)
        assert info.scroll_offset.y
        await press(pilot, "K")
        assert not info.scroll_offset.y


async def test_it_stays_open_and_shows_the_next_session(store: Store) -> None:
    first, _ = keep(store, "a", "b", scenario="The first one."), keep(store, "c", "d", scenario="The second.")
    async with reading(store, first, (160, 50)) as (screen, pilot):
        await press(pilot, "i")
        assert "The first one." in drawn(screen.query_one(InfoPane))
        await press(pilot, "K")
        assert "The second." in drawn(screen.query_one(InfoPane))


@pytest.mark.parametrize("size", SIZES)
async def test_what_was_read_while_it_was_closed_is_there_as_it_opens(
    store: Store, size: tuple[int, int]
) -> None:
    first, _ = keep(store, "a", "b", scenario="The first one."), keep(store, "c", "d", scenario="The second.")
    async with reading(store, first, size) as (screen, pilot):
        await press(pilot, "i", "i", "K", "i")
        assert "The second." in drawn(screen.query_one(InfoPane))


async def test_where_little_is_said_the_session_itself_is_told(store: Store) -> None:
    session = add_talk(store)
    async with reading(store, session, (160, 50)) as (screen, pilot):
        await press(pilot, "i")
        assert f"session             {session}"[:9] in drawn(screen.query_one(InfoPane))


async def test_what_a_file_says_is_not_obeyed(store: Store) -> None:
    session = keep(store, scenario="\x1b[31mred\u202e", metadata={"\x1b]0;t\x07": "\x9b1m"})
    async with reading(store, session, (160, 50)) as (screen, pilot):
        await press(pilot, "i")
        assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(drawn(screen.query_one(InfoPane)))


async def test_what_is_damaged_leaves_the_turns_readable(store: Store) -> None:
    session = keep_told(store)
    with store.writing():
        store._database.connection.execute("UPDATE main.sessions SET data = '{' WHERE id = ?", [session])
    async with reading(store, session) as (screen, _):
        assert "¿Mi reembolso?" in drawn(screen.transcript)


def test_tools_prompts_and_times_are_read_off_the_turns() -> None:
    calls = (
        ToolCallRow("find", "{}", "[]", 0.5),
        ToolCallRow("find", "{}", "Error: none", 0.25),
        ToolCallRow("book", "{}", None),
    )
    turns = [
        TurnRow(0, None, "system", "Be kind."),
        TurnRow(1, 1, "user", "Hi", at=2.0),
        TurnRow(2, 2, "assistant", "", tools_called=calls, at=67.0),
    ]
    info = SessionInfo.of(SessionAbout(cost=1.5, seconds=7.0), [AboutPart("session", "1")], turns)
    assert info.prompts == ("Be kind.",)
    assert {part.title: part.text for part in info.tools} == {
        "find": "2 calls · ✗ 1 failed · 0.8 s",
        "book": "1 call",
    }
    assert [(part.title, part.text) for part in info.facts] == [
        ("session", "1"),
        ("lasts", "1:05"),
        ("cost", "$1.50"),
        ("replies took", "7 s"),
    ]


async def test_a_role_that_is_the_system_prompt_is_told_by_its_beginning(store: Store) -> None:
    policy = "# Policy\n\nBe brief.\n\n" + "\n".join(f"- rule {number}" for number in range(40))
    case = ConversationalTestCase(
        chatbot_role=policy,
        turns=[{"role": "system", "content": f"{policy}\n"}, {"role": "user", "content": "Hello."}],
    )
    session = store.sessions.add(case, source="a.json", format="test").session_id
    async with reading(store, session, (80, 140)) as (screen, pilot):
        await press(pilot, "i")
        info = screen.query_one(InfoPane)
        await until(pilot, lambda: "rule 39" in drawn(info))
        assert "… the rest: see System prompt" in drawn(info)
        assert "Policy · 2 turns" in drawn(screen.query_one(TitleBar)) or "Policy · 1 turn" in drawn(
            screen.query_one(TitleBar)
        )
        # The file and what else is told come before the rules, which stand there once.
        assert drawn(info).index("a.json") < drawn(info).index("rule 7")
        assert drawn(info).count("rule 39") == 1


PROMPT = "# Rules\n\nBe **brief**.\n\n- no refunds\n"


async def test_a_system_prompt_is_read_as_markdown_once_for_all_sessions_that_have_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = info_pane.prompt_lines
    monkeypatch.setattr(info_pane, "prompt_lines", lambda text, *rest: read.append(text) or real(text, *rest))
    turns = [{"role": "system", "content": PROMPT}, {"role": "user", "content": "Hello."}]
    case = ConversationalTestCase(turns=turns)
    first, _ = (
        store.sessions.add(case.model_copy(update={"name": name}), source=name, format="test").session_id
        for name in ("one", "two")
    )
    async with reading(store, first, (160, 50)) as (screen, pilot):
        info = screen.query_one(InfoPane)
        await press(pilot, "i")
        await until(pilot, lambda: "Be brief." in drawn(info))
        assert "**" not in drawn(info)
        await press(pilot, "K")
        await press(pilot, "J")
        await until(pilot, lambda: "Be brief." in drawn(info))
    assert read == [PROMPT]


async def test_it_fills_the_room_that_no_scores_or_hidden_ones_leave(store: Store) -> None:
    session = add_talk(store)
    async with reading(store, session, (160, 50)) as (screen, pilot):
        assert "About" in drawn(screen.pane.info)
        assert screen.transcript.has_focus
        await press(pilot, "i")
        assert screen.pane.info.has_focus
    add_outcomes(store, session, retention(2))
    async with reviewing(store, session, (160, 50)) as (screen, pilot):
        assert "hidden until you label" in drawn(screen.pane.score_list)
        assert "About" in drawn(screen.pane.info)
        await press(pilot, "s")
        assert not screen.pane.info.display
        assert "1 of 3 replies forget" in drawn(screen.pane.score_list)
        await pilot.resize_terminal(80, 24)
        await press(pilot, "u")
        assert not screen.pane.info.display


async def test_where_scores_gave_way_to_it_again_it_is_of_the_session_that_is_read(store: Store) -> None:
    first, second = keep_told(store), add_talk(store)
    for session in (first, second):
        add_outcomes(store, session, retention(2))
    store.labels.add(first, "fail", author="mia", blind=True)
    async with reviewing(store, second, (160, 50), FoundSessions(store, [second, first])) as (screen, pilot):
        before = drawn(screen.pane.info)
        assert ["session", str(second)] in [line.split() for line in before.splitlines()]
        await press(pilot, "J")
        assert screen.session_id == first
        assert not screen.pane.info.display
        await press(pilot, "K")
        assert drawn(screen.pane.info) == before


@pytest.mark.parametrize("size", SIZES)
async def test_a_bar_says_that_keys_scroll_it(store: Store, size: tuple[int, int]) -> None:
    session = keep(store, "Hello", **MUCH)
    async with reading(store, session, size) as (screen, pilot):
        info = screen.query_one(InfoPane)
        await press(pilot, "i")
        assert info.render_line(0).text.startswith("▌ About")
        await press(pilot, "j")
        assert info.render_line(0).text.startswith("▌")
        assert not info.render_line(1).text.startswith("▌")
        await press(pilot, "tab")
        assert not info.render_line(0).text.startswith("▌")


async def test_a_short_value_stands_beside_a_name_that_is_longer_than_the_column(store: Store) -> None:
    session = keep(store, "Hello", metadata={"seconds_of_silence": 0.8, "a_name_that_is_long": "b " * 60})
    async with reading(store, session, (100, 40)) as (screen, pilot):
        await press(pilot, "i")
        lines = [line.rstrip() for line in drawn(screen.query_one(InfoPane)).splitlines()]
        assert "  seconds_of_silence  0.8" in lines
        assert "  a_name_that_is_long" in lines
