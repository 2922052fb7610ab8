"""Exchanges that the chatbot answered, and means over windows that slide over them."""

import pytest

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics.exchanges import answered_exchanges, check_window, mean_over_windows
from turnwise.engine.metrics.subject import Subject


def exchanges(*turns: str) -> list[tuple[tuple[int, ...], int]]:
    """Return numbers of turns and ends; u and a speak, x is an assistant without words, s the system."""
    roles = {"u": "user", "a": "assistant", "x": "assistant", "s": "system"}
    case = ConversationalTestCase(
        turns=[{"role": roles[turn], "content": "" if turn == "x" else turn} for turn in turns]
    )
    return [
        (tuple(number for number, _ in one.turns), one.end) for one in answered_exchanges(Subject.of(case))
    ]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ("ua", [((1, 2), 2)]),
        ("uaua", [((1, 2), 2), ((3, 4), 4)]),
        ("auau", [((2, 3), 3)]),
        ("uuaau", [((1, 2, 3, 4), 4)]),
        ("uxax", [((1, 2, 3, 4), 3)]),
        ("ux", [((1, 2), 2)]),
        ("suasa", [((1, 2, 3), 3)]),
        ("u", []),
        ("a", []),
        ("aa", []),
    ],
)
def test_a_unit_holds_a_user_and_an_answer(turns, expected):
    assert exchanges(*turns) == expected


def share(values: list[bool]) -> float:
    return sum(values) / len(values) if values else 1.0


@pytest.mark.parametrize(
    ("given", "size", "mean"),
    [
        ([], 10, 1.0),
        ([[True]], 10, 1.0),
        ([[True], [False]], 10, (1 + 1 / 2) / 2),
        ([[True], [False]], 1, 1 / 2),
        ([[True], [False], [False]], 2, (1 + 1 / 2 + 0) / 3),
        ([[], [False, True], []], 1, (1 + 1 / 2 + 1) / 3),
        ([[], [False, True], []], 10, (1 + 1 / 2 + 1 / 2) / 3),
    ],
)
def test_the_mean_goes_over_windows_that_slide_by_one(given, size, mean):
    assert mean_over_windows(given, size, share) == pytest.approx(mean)


def test_a_window_holds_at_least_one_exchange():
    check_window("m", 1)
    with pytest.raises(SettingError, match="m: window_size is at least 1"):
        check_window("m", 0)
