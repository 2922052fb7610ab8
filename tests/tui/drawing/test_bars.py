"""Bars: shares and counts in cells, fine enough to compare, and never wider than they may be."""

from __future__ import annotations

import pytest

from turnwise.tui.drawing.bars import bar_with_interval, columns_of, scale


def test_a_part_that_holds_any_is_never_empty() -> None:
    assert columns_of([0, 1, 1000, 500]) == " ▁▇▄"
    assert columns_of([0] * 10) == " " * 10
    assert columns_of([]) == ""


def test_a_bar_is_solid_up_to_its_interval_and_thins_out_over_it() -> None:
    assert bar_with_interval(0.5, (0.2, 0.8), 10) == "██▓▓▓░░░  "
    assert bar_with_interval(1.0, (0.7, 1.0), 10) == "███████▓▓▓"


def test_a_share_that_is_not_sure_ends_shaded_also_in_a_short_bar() -> None:
    assert bar_with_interval(0.92, (0.83, 0.97), 8) == "███████░"
    assert bar_with_interval(0.81, (0.70, 0.90), 8) == "██████░ "
    assert bar_with_interval(0.81, (0.70, 0.86), 7) == "█████▓ "
    assert bar_with_interval(1.0, (1.0, 1.0), 8) == "████████"


def test_a_share_below_100_percent_never_reaches_the_end_of_a_bar() -> None:
    assert bar_with_interval(0.81, (0.70, 0.90), 7) == "█████▓ "
    assert bar_with_interval(0.94, (0.85, 0.98), 7) == "██████░"
    assert bar_with_interval(0.98, (0.92, 1.0), 7) == "██████░"
    assert bar_with_interval(1.0, (0.92, 1.0), 7) == "██████▓"
    assert bar_with_interval(0.99, (0.9, 0.995), 1) == "▓"


@pytest.mark.parametrize(
    ("width", "told"), [(7, "0–100 %"), (8, "0–100 % "), (9, "0   100 %"), (12, "0      100 %")]
)
def test_the_ends_of_a_scale_stand_apart_in_a_short_bar_too(width: int, told: str) -> None:
    assert scale(width) == told


@pytest.mark.parametrize("share", [0.0, 0.01, 0.333, 0.99, 1.0])
def test_a_bar_with_its_interval_keeps_to_its_cells(share: float) -> None:
    drawn = bar_with_interval(share, (max(0.0, share - 0.2), min(1.0, share + 0.2)), 12)
    assert len(drawn) == 12
    assert drawn.strip()
