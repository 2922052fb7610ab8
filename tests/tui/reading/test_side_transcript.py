"""Two transcripts side by side: turns of one role stand in one slot, as high as the higher of them."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.side_transcript import NO_TURN, SideTurns, align, differing, join_sides

DIM, BOLD, PLAIN = Style(dim=True), Style(bold=True), Style.null()
PALETTE = Palette(
    **{part.name: {"role": BOLD, "muted": DIM}.get(part.name, PLAIN) for part in fields(Palette)}
)
WINDOW = 20


def turns(*said: tuple[str, str]) -> list[TurnRow]:
    """Return messages; u, a and s are user, assistant and system."""
    roles = {"u": "user", "a": "assistant", "s": "system", "t": "tool"}
    rows, number = [], 0
    for position, (role, text) in enumerate(said):
        number += role in "ua"
        rows.append(TurnRow(position, number if role in "ua" else None, roles[role], text))
    return rows


def roles(slots: list[tuple[TurnRow, TurnRow]]) -> list[str]:
    return [f"{a.role[:1] or '-'}{b.role[:1] or '-'}" for a, b in slots]


def laid_out(a: list[TurnRow], b: list[TurnRow], **how: bool) -> tuple[SideTurns, SideTurns]:
    sides = join_sides(a, b, **how)
    for side, width in zip(sides, (40, 38), strict=True):
        side.lay_out(width, PALETTE, WINDOW)
    return sides


def texts(side: SideTurns, slot: int) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in side.draw(slot).lines]


def bright(side: SideTurns, slot: int) -> str:
    pieces = [piece for line in side.draw(slot).lines[1:] for piece in line]
    return " ".join(piece.text for piece in pieces if piece.style and piece.style.bold)


@pytest.mark.parametrize(
    ("a", "b", "slots"),
    [
        ("suaua", "suaua", ["ss", "uu", "aa", "uu", "aa"]),
        ("suaua", "uaua", ["s-", "uu", "aa", "uu", "aa"]),
        ("uuaua", "uaua", ["uu", "-a", "uu", "aa", "u-", "a-"]),
        ("uaaua", "uaua", ["uu", "aa", "a-", "uu", "aa"]),
        ("uaua", "auaua", ["-a", "uu", "aa", "uu", "aa"]),
        ("ua", "uauaua", ["uu", "aa", "-u", "-a", "-u", "-a"]),
        ("", "ua", ["-u", "-a"]),
    ],
)
def test_turns_of_one_role_stand_side_by_side(a: str, b: str, slots: list[str]) -> None:
    assert roles(align(*(turns(*((role, "x") for role in side)) for side in (a, b)))) == slots


@given(st.text("uas", max_size=12), st.text("uas", max_size=12))
def test_every_turn_stands_in_one_slot_in_its_order(a: str, b: str) -> None:
    sides = [turns(*((role, "x") for role in side)) for side in (a, b)]
    slots = align(*sides)
    for number, side in enumerate(sides):
        assert [slot[number] for slot in slots if slot[number] is not NO_TURN] == side
    assert all(x.role == y.role or NO_TURN in (x, y) for x, y in slots)
    assert (NO_TURN, NO_TURN) not in slots


def test_a_slot_is_as_high_as_the_higher_of_its_turns() -> None:
    a, b = laid_out(turns(("u", "q"), ("a", "short")), turns(("u", "q"), ("a", "long " * 60)))
    for side in (a, b):
        side.place.know(1)
    assert a.place.heights[1] == b.place.heights[1] == len(b.draw(1).lines) + 1
    assert len(a.draw(1).lines) == 2


def test_a_fold_that_is_opened_on_one_side_makes_room_on_both() -> None:
    prompt = ("s", "one\ntwo\nthree")
    a, b = laid_out(turns(prompt, ("u", "q")), turns(prompt, ("u", "q")))
    a.place.know(0)
    b.place.know(0)
    before = b.place.heights[0]
    a.toggle(0, None)
    b.place.know(0)
    assert b.place.heights[0] == before + 3


def test_words_that_differ_are_bright_and_the_others_dim() -> None:
    a, b = laid_out(turns(("a", "It takes 5 to 7 days.")), turns(("a", "It takes 2 days.")))
    assert (bright(a, 0), bright(b, 0)) == ("5 to 7", "2")
    rest = [piece for line in a.draw(0).lines[1:] for piece in line if "days" in piece.text]
    assert rest
    assert all(piece.style and piece.style.dim for piece in rest)


def with_call(output: str) -> list[TurnRow]:
    call = ToolCallRow("find_flight", '{"booking": "MB0D8B"}', output)
    return [TurnRow(0, 1, "assistant", "", tools_called=(call,))]


def test_a_call_whose_line_is_cut_before_what_differs_is_open_on_both_sides() -> None:
    flight = '{"flight": "MA 518", "distance_km": 1430, "delay_minutes": %s}'
    a, b = laid_out(with_call(flight % 240), with_call(flight % 95))
    for side, minutes in ((a, "240"), (b, "95")):
        assert any(minutes in line for line in texts(side, 0))
        assert minutes in bright(side, 0)
    a.toggle(0, "tool 0")
    b.toggle(0, "tool 0")
    assert all("240" not in line for line in texts(a, 0))


def test_a_call_whose_line_shows_what_differs_or_that_is_the_same_stays_folded() -> None:
    long = '{"flight": "MA 518", "distance_km": 1430, "delay_minutes": 240}'
    for outputs in (("yes", "no"), (long, long)):
        for side in laid_out(*map(with_call, outputs)):
            assert len(side.draw(0).lines) == 2


def test_replies_with_nothing_in_common_are_drawn_as_they_are_but_for_the_sign_that_they_differ() -> None:
    a, b = laid_out(turns(("a", "Sorry.")), turns(("a", "Two bags of 23 kg each are in your fare.")))
    for side in (a, b):
        assert texts(side, 0)[0] == "assistant ≠ most words differ"
        assert side.draw(0).lines[1:] == side.draw_plain(0).lines[1:]


def test_a_system_prompt_that_differs_has_the_sign_while_folded_and_bright_words_once_open() -> None:
    prompts = [
        [TurnRow(0, None, "system", f"Be courteous. Answer in the language of {whom}.")]
        for whom in ("the customer", "the airline")
    ]
    sides = laid_out(*prompts)
    for side in sides:
        assert texts(side, 0)[0].startswith("┃ system prompt · 1 line ≠")
        side.toggle(0, None)
    assert [bright(side, 0) for side in sides] == ["customer", "airline"]


def test_only_turns_that_differ_have_the_sign_and_times_stay_where_they_are() -> None:
    first, second = (
        [replace(row, at=7.0) for row in turns(("u", "Hello"), ("a", text))]
        for text in ("One day.", "Two days.")
    )
    a, _ = laid_out(first, second)
    assert texts(a, 0)[0] == "user" + " " * 31 + "+0:07"
    assert texts(a, 1)[0] == "assistant ≠" + " " * 24 + "+0:07"


def test_the_same_session_twice_is_not_marked() -> None:
    rows = turns(("u", "q"), ("a", "It takes 5 days."))
    a, _ = laid_out(rows, rows, mark=False)
    assert a.draw(1).lines == a.draw_plain(1).lines


def test_where_a_side_has_no_turn_it_says_so() -> None:
    a, b = laid_out(turns(("u", "q")), turns(("u", "q"), ("a", "r")))
    assert texts(a, 1) == ["no such turn"]
    assert texts(b, 1) == ["assistant", "r"]
    a.toggle(1, None)


def test_a_side_that_is_shown_alone_lays_the_other_out_as_well() -> None:
    a, b = join_sides(turns(("a", "It takes 5 days.")), turns(("a", "It takes 2 days.")))
    a.shown_alone = True
    a.lay_out(60, PALETTE, WINDOW)
    assert b.is_laid_out(60, PALETTE)
    assert bright(a, 0) == "5"


def test_the_slots_that_differ_are_told() -> None:
    call = ToolCallRow("book", "{}", None)
    rows = turns(("u", "q"), ("a", "r"), ("u", "q"), ("a", "s"), ("u", "bye"))
    others = turns(("u", "q"), ("a", "r"), ("u", "q"), ("a", "other"))
    others[1] = TurnRow(1, 2, "assistant", "r", tools_called=(call,))
    assert differing(*join_sides(rows, others)) == [1, 3, 4]


def test_outputs_that_a_tool_call_shows_take_no_slot() -> None:
    call = ToolCallRow("book", "{}", "done")
    rows = [
        TurnRow(0, 1, "assistant", "r", tools_called=(call,)),
        TurnRow(1, None, "tool", "done"),
        TurnRow(2, None, "tool", "more"),
    ]
    a, _ = join_sides(rows, rows[:1])
    assert [group.row.content for group in a.groups] == ["r", "more"]
