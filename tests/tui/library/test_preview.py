from __future__ import annotations

from damage import fill, spoil
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import ScoreRow, SessionRow, ToolCallRow, TurnRow
from turnwise.tui.library.preview import Glance, preview_lines

ROW = SessionRow(1, "Refund for a flight", "airline agent", 14, (), "cases.json", 1.0)


def turn(number: int, content: str, *tools: str) -> TurnRow:
    calls = tuple(ToolCallRow(name, "{}", None) for name in tools)
    return TurnRow(number, number, "assistant" if calls else "user", content, tools_called=calls)


def score(metric: str, value: float | None, reason: str = "because") -> ScoreRow:
    outcome = "failure" if value is None else "score"
    passed = None if value is None else value >= 0.5
    return ScoreRow(1, 1, metric, outcome, value, 0.5, passed, reason, None, 1.0, "judge", 1, 1)  # type: ignore[arg-type]


def text(glance: Glance, width: int = 50, height: int = 40) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in preview_lines(glance, width, height))


def test_what_failed_stands_before_the_turns_and_what_passed_is_left_out() -> None:
    shown = text(
        Glance(ROW, [turn(1, "My money back.")], [score("role_adherence", 1.0), score("memory", 0.2)])
    )
    assert "✗ memory 0.20" in shown
    assert "role adherence" not in shown
    assert shown.index("memory") < shown.index("My money back.")


def test_what_is_hidden_is_said_in_the_place_of_what_failed() -> None:
    shown = text(Glance(ROW, [turn(1, "My money back.")], [score("memory", 0.2)], hidden="Scores hidden."))
    assert "Scores hidden." in shown
    assert "memory" not in shown
    assert "My money back." in shown


def test_what_could_not_be_judged_is_no_failed_score() -> None:
    assert "! faithfulness not judged" in text(Glance(ROW, [], [score("faithfulness", None, "timed out")]))


def test_a_turn_of_tool_calls_alone_names_the_tools() -> None:
    assert "▸ find_user, book" in text(Glance(ROW, [turn(2, "", "find_user", "book")], []))


def test_long_texts_leave_room_for_others_and_say_that_they_go_on() -> None:
    shown = text(Glance(ROW, [turn(1, "word " * 500), turn(2, "the answer")], []))
    assert "…" in shown
    assert "the answer" in shown


@given(st.text(max_size=300), st.integers(1, 80), st.integers(1, 30))
def test_no_line_is_wider_than_the_room_nor_obeyed(content: str, width: int, height: int) -> None:
    lines = preview_lines(Glance(ROW, [turn(1, content)], [score("m", 0.1, content)]), width, height)
    for line in lines:
        assert "\x1b" not in "".join(piece for piece, _ in line)
        assert all("\n" not in piece for piece, _ in line)
    assert all(cell_len(piece) <= max(width, 4) for line in lines for piece, _ in line)


def test_scores_that_are_damaged_are_left_out_and_the_turns_read(tmp_path) -> None:
    database = tmp_path / "t.db"
    fill(database)
    spoil(database, "Reason 040")
    with Store.open(database) as store:
        glance = Glance.read(store, store.sessions.get(40), (), "")
        assert glance.scores == ()
        assert glance.turns
        assert Glance.read(store, store.sessions.get(39), (), "").scores
