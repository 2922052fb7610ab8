"""Times as people and phones write them."""

import pytest

from turnwise.conversations.formats.transcripts.written_times import moments_of

HOUR, DAY = 3600.0, 86_400.0


@pytest.mark.parametrize(
    ("before", "after", "seconds"),
    [
        ("2026-01-05 10:00:00", "2026-01-06T09:30", 23.5 * HOUR),
        ("31.12.25, 23:00", "01.01.26, 01:00", 2 * HOUR),
        ("1/31/26, 9:15 PM", "2/1/26, 9:15 AM", 12 * HOUR),
        ("2026-01-05T10:00:00Z", "2026-01-05T12:00:00+02:00", 0),
        ("23:50", "00:10", 20 * 60),
        ("12:10 am", "12:10 pm", 12 * HOUR),
        ("17:00", "09:00", 16 * HOUR),
        # Lines out of order are of the same day.
        ("10:00:05", "10:00:04", 0),
        ("2026-01-05 10:00", "10:30", 30 * 60),
    ],
)
def test_how_far_apart_two_are(before: str, after: str, seconds: float) -> None:
    first, second = moments_of([before, after])
    assert first is not None
    assert second is not None
    assert second - first == seconds


def test_what_is_no_time_is_none_and_the_dates_together_say_how_they_are_read() -> None:
    assert moments_of(["", "soon", "99:99:99", "2026-13-45 10:00"]) == [None] * 4
    one, other, _ = moments_of(["01/02/26 10:00", "02/02/26 10:00", "13/02/26 10:00"])
    assert one is not None
    assert other is not None
    assert other - one == DAY
