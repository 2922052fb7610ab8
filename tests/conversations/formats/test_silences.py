"""Where nobody wrote for long: read from a span, found between moments, counted over an import."""

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats import Silence, SilencesFound, read_silence
from turnwise.conversations.formats.silences import ends_of_silences, long_silences

HOUR = 3600.0


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("6h", 21_600), ("2 d", 172_800), ("1W", 604_800), ("1.5h", 5400)]
)
def test_spans(text: str, seconds: float) -> None:
    assert read_silence(text) == seconds


@pytest.mark.parametrize("text", ["", "6", "h", "0h", "-1h", "six hours", "1y", "9" * 30 + "h"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="--split-after"):
        read_silence(text)


def test_a_moment_that_nobody_knows_neither_ends_nor_hides_a_silence() -> None:
    moments = [0.0, None, 7 * HOUR, None, 8 * HOUR]
    assert ends_of_silences(moments, 6 * HOUR) == [(2, 7 * HOUR)]
    assert long_silences(moments, "line {}".format) == (Silence(7 * HOUR, "line 1", "line 2"),)


def test_those_of_several_files_are_counted_and_the_first_is_told() -> None:
    one, other = SilencesFound(), SilencesFound()
    other.add([Silence(7 * HOUR, "line 2", "line 3"), Silence(50 * HOUR, "line 4", "line 5")], "b.txt")
    one.join(other)
    one.add([Silence(9 * HOUR, "line 1", "line 2")], "c.txt")
    assert (len(one), one.of_at_least(24 * HOUR), one.within) == (3, 1, "b.txt")
    assert one.first is not None
    assert one.first.after == "line 3"
