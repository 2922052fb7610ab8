"""The lines of transcripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.formats.transcripts.lines import label_of, lines_of


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("User: hi", ("plain", "User", "", "hi")),
        ("User:", ("plain", "User", "", "")),
        ("Max Power: it is 12:30", ("plain", "Max Power", "", "it is 12:30")),
        ("**User:** hi", ("bold", "User", "", "hi")),
        ("**User**: hi", ("bold", "User", "", "hi")),
        ("**User**", ("bold", "User", "", "")),
        ("__User:__ hi", ("bold", "User", "", "hi")),
        ("### User", ("heading", "User", "", "")),
        ("## **User:**", ("heading", "User", "", "")),
        ("[12:03] Anna: hi", ("stamped", "Anna", "12:03", "hi")),
        ("[12:03:59 PM] Anna: hi", ("stamped", "Anna", "12:03:59 PM", "hi")),
        ("[2024-05-01 12:03] **Anna**: hi", ("stamped", "Anna", "2024-05-01 12:03", "hi")),
        ("12:03 Anna: hi", ("stamped", "Anna", "12:03", "hi")),
        ("2024-05-01T12:03:00Z Anna: hi", ("stamped", "Anna", "2024-05-01T12:03:00Z", "hi")),
        ("12/31/23, 10:15 PM - Anna: hi", ("stamped", "Anna", "12/31/23, 10:15 PM", "hi")),
        ("Anna (12:03): hi", ("stamped", "Anna", "12:03", "hi")),
        ("Anna [12:03]: hi", ("stamped", "Anna", "12:03", "hi")),
    ],
)
def test_a_line_may_begin_with_who_speaks(text: str, label: tuple[str, ...]) -> None:
    assert label_of(text) == label


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just words",
        "https://example.org",
        "12:30",
        "  User: hi",
        "- User: hi",
        '"key": 3',
        "a very long run of words before: hi",
        "Well, then: hi",
        "{user}: hi",
    ],
)
def test_other_lines_do_not(text: str) -> None:
    assert label_of(text) is None


def test_nobody_speaks_within_a_fence() -> None:
    found = list(
        lines_of(["```\n", "User: a\n", "```\n", "User: b\n", "~~~\n", "```\n", "User: c\n", "~~~\n"])
    )
    assert [line.number for line in found if line.label] == [4]


def test_rules_and_titles_are_told() -> None:
    found = list(lines_of(["---", "***", "# A title #", "===", "--"]))
    assert [line.is_rule for line in found] == [True, True, False, True, False]
    assert (found[2].title, found[2].level) == ("A title", 1)


@pytest.mark.parametrize(
    "text", ["### a" + " " * 100_000 + "x", "**a**" + " " * 100_000, "# " + "# " * 50_000]
)
def test_a_long_line_is_no_name_and_takes_no_time(text: str) -> None:
    [line] = lines_of([text])
    assert line.label is None
    assert not line.title


@given(st.text(max_size=200))
def test_any_line_can_be_read(text: str) -> None:
    label = label_of(text)
    assert label is None or (label.name and text.endswith(label.rest))
