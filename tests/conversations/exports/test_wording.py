"""How outcomes and times are worded."""

import pytest

from turnwise.conversations.exports.wording import day, elapsed


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, ""),
        (0, "0.0 s"),
        (7.25, "7.2 s"),
        (59.96, "1:00.0"),
        (61.04, "1:01.0"),
        (3600, "1:00:00.0"),
        (7325.5, "2:02:05.5"),
    ],
)
def test_times_are_short(seconds, shown):
    assert elapsed(seconds) == shown


def test_a_day_is_in_utc():
    assert day(0) == "1970-01-01"
