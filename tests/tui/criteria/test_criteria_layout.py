from __future__ import annotations

import pytest
from textual.geometry import Size

from turnwise.tui.criteria.criteria_layout import classes_of


@pytest.mark.parametrize(
    ("size", "classes"),
    [
        (Size(80, 24), {"-low", "-worded"}),
        (Size(120, 40), {"-wide", "-worded"}),
        (Size(120, 50), {"-wide"}),
        (Size(160, 50), {"-wide", "-beside"}),
        (Size(200, 30), {"-wide", "-beside", "-low"}),
    ],
)
def test_what_gives_way_follows_from_the_size(size: Size, classes: set[str]) -> None:
    assert {name for name, has in classes_of(size).items() if has} == classes
