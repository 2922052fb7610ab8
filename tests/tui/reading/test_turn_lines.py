"""A turn's lines fit their width and hold nothing a terminal obeys, whatever was written."""

from __future__ import annotations

import unicodedata
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from turnwise.conversations.store.rows import ToolCallRow, TurnRow
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.code_pieces import code_pieces
from turnwise.tui.reading.tool_words import readable_json, short_arguments
from turnwise.tui.reading.turn_lines import (
    FEWEST_FOLDED,
    MOST_LINES,
    TurnDrawer,
    folds_of,
    stamp,
)

PALETTE = Palette(**{part.name: Style.null() for part in fields(Palette)})
texts = st.text(st.characters(exclude_categories=()) | st.sampled_from("# *_`~>|-[]()\n1. 字👩\u200d\x1b&;<"))


def drawn(row: TurnRow, width: int, *, opened: bool = True) -> list[str]:
    folds = folds_of(row) if opened else frozenset[str]()
    lines = TurnDrawer(width, PALETTE).draw(row, folds).lines
    return ["".join(text for text, _, _ in line) for line in lines]


@settings(deadline=None)
@given(
    texts, texts, st.sampled_from(["user", "assistant", "system", "tool", "developer"]), st.integers(12, 60)
)
def test_no_line_overruns_and_no_control_is_left(text: str, other: str, role: str, width: int) -> None:
    row = TurnRow(
        0, 1, role, text, name=other, passages=(other,), tools_called=(ToolCallRow(other, text, other),)
    )
    for line in drawn(row, width):
        assert cell_len(line) <= width
        assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cs"}]


def test_what_is_folded_names_the_key_that_opens_it_and_then_folds_it() -> None:
    prompt = TurnRow(0, None, "system", "Be kind.")
    drawer = TurnDrawer(40, PALETTE, opener="enter")
    folded, opened = (drawer.draw(prompt, folds).lines[0] for folds in (frozenset[str](), folds_of(prompt)))
    assert "".join(text for text, _, _ in folded).endswith("enter opens")
    assert "".join(text for text, _, _ in opened).endswith("enter folds")
    assert drawn(prompt, 40, opened=False)[0].endswith("space opens")


@settings(deadline=None)
@given(texts)
def test_every_letter_of_a_reply_is_seen(text: str) -> None:
    shown = "".join(drawn(TurnRow(0, 1, "assistant", text), 60)[1:])
    assert {c for c in text if c.isascii() and c.isalpha()} <= set(shown)


@pytest.mark.parametrize(
    "text",
    ["[" * 16_000, ">" * 16_000, "*a " * 5_000, "|a" * 2_000 + "\n" + "|-" * 2_000 + "\n", "\n" * 16_000],
)
def test_a_text_made_to_break_a_parser_is_drawn(text: str) -> None:
    folded = drawn(TurnRow(0, 1, "assistant", text), 80, opened=False)
    assert len(folded) <= MOST_LINES + FEWEST_FOLDED + 2
    assert drawn(TurnRow(0, 1, "assistant", text), 80)


def test_a_long_text_ends_in_a_line_that_opens_it() -> None:
    row = TurnRow(0, 1, "user", "word " * 100_000)
    turn = TurnDrawer(50, PALETTE).draw(row, frozenset())
    assert len(turn.lines) == MOST_LINES + 2
    assert list(turn.folds) == [MOST_LINES + 1]
    assert "more lines" in turn.lines[-1][-1].text
    opened = TurnDrawer(50, PALETTE).draw(row, frozenset(turn.folds.values()))
    assert len(opened.lines) == 10_002
    assert "show less" in opened.lines[-1][-1].text


def test_few_lines_past_the_usual_ones_are_not_folded() -> None:
    for lines, folds in ((MOST_LINES + FEWEST_FOLDED, 0), (MOST_LINES + FEWEST_FOLDED + 1, 1)):
        for role in ("user", "assistant"):
            row = TurnRow(0, 1, role, "  \n".join(f"line {number}" for number in range(lines)))
            assert len(TurnDrawer(60, PALETTE).draw(row, frozenset()).folds) == folds
            assert not TurnDrawer(60, PALETTE).draw(row, frozenset({"rest"})).folds or folds


def test_a_long_reply_is_told_by_how_many_lines_it_goes_on() -> None:
    row = TurnRow(0, 1, "assistant", "\n\n".join(f"**point** {number}" for number in range(500)))
    shown = drawn(row, 60, opened=False)
    assert len(shown) == MOST_LINES + 2
    assert shown[-1].startswith("▸ about 9")
    assert "point 499" in drawn(row, 60)[-2]


def test_all_that_is_long_opens_with_the_rest() -> None:
    assert "rest" in folds_of(TurnRow(0, 1, "user", "line\n" * 60))
    assert "rest" not in folds_of(TurnRow(0, 1, "user", "a short one"))


CODE = "Look:\n\n```python title=a.py\nfor word in 'a b'.split():  # each\n    print(word)\n```"


def test_code_stands_under_its_language_and_is_coloured() -> None:
    palette = replace(PALETTE, key=Style(color="cyan"), value=Style(color="yellow"), muted=Style(dim=True))
    lines = TurnDrawer(60, palette).draw(TurnRow(0, 1, "assistant", CODE), frozenset()).lines
    pieces = {piece.text: piece.style for line in lines for piece in line if piece.style}
    assert any("python title=a.py" in "".join(piece.text for piece in line) for line in lines)
    assert pieces["for"].color.name == "cyan"
    assert pieces["a b"].color.name == "yellow"
    assert any(text.startswith("# each") and style.dim for text, style in pieces.items())


@settings(deadline=None)
@given(texts, st.sampled_from(["python", "json", "no such language", "", "html+php", "diff"]))
def test_no_letter_of_code_is_lost(code: str, language: str) -> None:
    assert "".join(text for text, _ in code_pieces(code, language)) == code


def test_line_breaks_of_a_reply_are_kept() -> None:
    lines = drawn(TurnRow(0, 1, "assistant", "one *x*\ntwo"), 60)
    assert [line.rstrip() for line in lines[1:]] == ["one x", "two"]


def test_a_turn_without_words_says_so() -> None:
    assert drawn(TurnRow(0, 1, "user", " "), 60)[1:] == ["(empty)"]


def test_arguments_are_short_on_one_line() -> None:
    assert short_arguments('{"id": "3RK"}') == "3RK"
    assert short_arguments('{"a": 1, "b": [2]}') == "a: 1, b: [2]"
    assert short_arguments("not {json") == "not {json"
    assert short_arguments("{}") == ""


def test_json_is_laid_out_and_other_text_left() -> None:
    assert readable_json('{"a":1}') == '{\n  "a": 1\n}'
    assert readable_json('"plain\\ntext"') == "plain\ntext"
    assert readable_json("no json") == "no json"
    assert readable_json("[" * 5_000) == "[" * 5_000


def test_times_are_minutes_and_seconds() -> None:
    assert [stamp(0), stamp(65.9), stamp(3_725)] == ["+0:00", "+1:05", "+1:02:05"]


def test_reasoning_is_folded_and_files_and_what_is_told_are_shown() -> None:
    row = TurnRow(
        0,
        2,
        "assistant",
        "On its way.",
        reasoning=("First I look.\nThen I tell.", "Done."),
        files=("terms.pdf (application/pdf)",),
        told="m-1 · 36 tokens in, 87 out",
    )
    folded = [line.strip() for line in drawn(row, 60, opened=False)]
    assert folded[1:] == [
        "▸ reasoning · 3 lines",
        "On its way.",
        "+ terms.pdf (application/pdf)",
        "m-1 · 36 tokens in, 87 out",
    ]
    opened = [line.strip() for line in drawn(row, 60)]
    assert opened[1:5] == ["▾ reasoning · 3 lines", "First I look.", "Then I tell.", "Done."]
    assert "reasoning" in folds_of(row)


@settings(deadline=None)
@given(texts, st.integers(12, 60))
def test_reasoning_and_files_fit_and_hold_nothing_that_a_terminal_obeys(text: str, width: int) -> None:
    for line in drawn(TurnRow(0, 1, "assistant", "a", reasoning=(text,), files=(text,), told=text), width):
        assert cell_len(line) <= width
        assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cs"}]


def test_a_turn_that_is_a_file_alone_is_not_empty() -> None:
    assert drawn(TurnRow(0, 1, "user", "", files=("a.png",)), 60)[1:] == ["+ a.png"]
