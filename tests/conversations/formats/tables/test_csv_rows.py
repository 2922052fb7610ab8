"""The rows of tables in CSV."""

import csv
from pathlib import Path

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import sources
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.tables import rows
from turnwise.conversations.formats.tables.rows import TableRow, csv_rows


@pytest.fixture
def read(tmp_path: Path):
    def read(text: str | bytes) -> list[TableRow]:
        path = tmp_path / "t.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(csv_rows(Source(path)))

    return read


def test_rows_know_their_number_and_line(read) -> None:
    found = read('input,name\n"two\nlines",a\nx,b\n')
    assert [(row.place.number, row.place.line) for row in found] == [(1, 2), (2, 4)]
    assert [row.cells for row in found] == [{"input": "two\nlines", "name": "a"}, {"input": "x", "name": "b"}]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_mark_of_order_line_ends_and_blank_rows_do_not_matter(read, end: str) -> None:
    text = end.join(["\ufeffinput,name", "", "x,", ",", ""])
    assert [row.cells for row in read(text)] == [{"input": "x"}]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_cells_may_be_parted_by_other_marks(read, mark: str) -> None:
    assert [row.cells for row in read(f"input{mark}name\nx{mark}y\n")] == [{"input": "x", "name": "y"}]


def test_a_bad_row_is_rejected_and_the_rest_is_read(read) -> None:
    found = read(b'input,name\nx\na,b,c\n"a"b,c\n\xff,d\nlast,e\n')
    assert [row.place.number for row in found] == [1, 2, 3, 4, 5]
    assert "expected 2 cells, as in the header; got 1" in found[0].problem
    assert "got 3" in found[1].problem
    assert "expected a row of CSV" in found[2].problem
    assert "expected text in UTF-8" in found[3].problem
    assert found[4].cells == {"input": "last", "name": "e"}


def test_a_quote_that_never_ends_is_a_rejection(read) -> None:
    found = read('input,name\n"x,y\n')
    assert len(found) == 1
    assert found[0].problem


def test_what_a_quote_without_end_took_in_is_read_as_the_rows_that_it_is(read) -> None:
    found = read('input,name\n"x,y\nlast,e\nz,"f"\n')
    assert [(row.place.number, row.place.line, bool(row.problem)) for row in found] == [
        (1, 2, True),
        (2, 3, False),
        (3, 4, False),
    ]
    assert found[2].cells == {"input": "z", "name": "f"}


def test_a_row_that_cannot_be_read_says_what_its_cells_may_be(read) -> None:
    long, short, quoted = read('input,name\na,b,c\nx\n"a"b,c\n')
    assert long.readings == ({"input": "a", "name": "b"}, {"name": "c", "input": "b"})
    assert short.readings == ({"input": "x"}, {"name": "x"})
    assert quoted.readings[0]["name"] == "c"
    assert [row.is_whole for row in (long, short, quoted)] == [True, False, True]


def test_a_cell_may_be_long(read) -> None:
    assert read(f"input,name\n{'x' * 300_000},y\n")[0].cells["input"] == "x" * 300_000


def test_a_column_given_twice_is_an_error(read) -> None:
    with pytest.raises(FormatError, match="input more than once"):
        read("input,input\na,b\n")


def test_a_line_longer_than_any_of_a_table_is_told_with_its_number(
    read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LONGEST_LINE", 1_000)
    assert len(read(f"input,name\n{'x' * 900},a\n")) == 1
    with pytest.raises(FormatError) as caught:
        read(f"input,name\nx,a\n{'x' * 5_000},a\n")
    assert "line 3 is longer than 1,000 characters" in caught.value.detail


def test_no_cell_is_larger_than_any_of_a_table(read, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = csv.field_size_limit()
    monkeypatch.setattr(rows, "_LONGEST_CELL", 1_000)
    csv.field_size_limit(1_000)
    try:
        found = read("input,name\n" + '"' + "x\n" * 1_000 + '",a\nx,y\n')
        unended = read("input,name\n" + 'x,"' + "x,y\n" * 1_000)
    finally:
        csv.field_size_limit(usual)
    assert "field larger than field limit (1000), in lines 2 to" in found[0].problem
    assert "a quote opens in it that never ends" in unended[0].problem
    assert [row.problem for row in unended[1:]] == [""] * 999
