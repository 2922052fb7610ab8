"""Numbers as files hold them."""

from turnwise.conversations.formats.fields import is_number, number_of


def test_numbers_may_be_written_as_text():
    assert [number_of(text) for text in ("4", "0.5", "nan", "inf", "1e999", "yes", None)] == [
        4,
        0.5,
        "nan",
        "inf",
        "1e999",
        "yes",
        None,
    ]


def test_what_no_database_takes_is_no_number():
    assert [is_number(value) for value in (1, 0.5, True, "1", None, 10**400, float("nan"), float("inf"))] == [
        True,
        True,
        *[False] * 6,
    ]
