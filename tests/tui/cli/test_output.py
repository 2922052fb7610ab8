"""Output: data on one stream, narration on the other, and neither obeys what it shows."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from turnwise.tui.cli.output import Progress, columns, emit, narrate, say, say_whole_words

HOSTILE = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202eevil\r\x00"


def test_json_is_one_line_of_the_letters_that_were_written_and_of_nothing_a_terminal_obeys(capsys):
    emit({"text": HOSTILE, "é": ["😀", "\n"]})
    out, err = capsys.readouterr()
    assert err == ""
    assert '"é": ["😀"' in out
    assert not set(out) & set("\x1b\x07\x9b\u202e\r\x00")
    assert out.count("\n") == 1
    assert not set(out.rstrip("\n")) & set(map(chr, range(32)))
    assert json.loads(out) == {"text": HOSTILE, "é": ["😀", "\n"]}


def test_json_is_ascii_where_standard_output_cannot_carry_more(monkeypatch):
    kept = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr("sys.stdout", kept)
    emit({"said": "¿Qué? 😀"})
    kept.flush()
    assert kept.buffer.getvalue() == b'{"said": "\\u00bfQu\\u00e9? \\ud83d\\ude00"}\n'


def test_text_goes_to_standard_output_made_safe(capsys):
    say(HOSTILE)
    say("two\nlines")
    out, err = capsys.readouterr()
    assert err == ""
    assert not set(out) & set("\x1b\x07\x9b\u202e\r\x00")
    assert out.endswith("two\nlines\n")


def test_a_long_line_is_cut_between_words_in_a_terminal_alone(capsys, monkeypatch):
    text = "says what the others say of 58 of 68 shared sessions, kappa 0.63"
    say_whole_words(text, "  ")
    assert capsys.readouterr().out == f"  {text}\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    say_whole_words(text, "  ")
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["  says what the others say of 58 of 68", "    shared sessions, kappa 0.63"]


def test_remarks_go_to_standard_error_made_safe(capsys):
    narrate(HOSTILE)
    out, err = capsys.readouterr()
    assert out == ""
    assert not set(err) & set("\x1b\x07\x9b\u202e\r\x00")


def test_progress_is_only_for_terminals(capsys):
    progress = Progress()
    progress.show("half way")
    progress.clear()
    assert capsys.readouterr() == ("", "")


def test_progress_writes_over_one_line_and_takes_it_away(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    progress = Progress(every=0.0)
    progress.show("half \x1b[31mway")
    progress.clear()
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "\r\x1b[Khalf ␛[31mway\r\x1b[K"


def test_in_a_terminal_columns_give_way_so_that_no_line_is_wider_than_it(monkeypatch):
    rows = [["id", "session", "role", "turns"], ["1", "A refund", "a help desk of an airline", "12"]]
    whole = "1   A refund  a help desk of an airline  12"
    assert columns(rows, give_way=[2, 1])[1] == whole
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "33")
    assert columns(rows, give_way=[2, 1])[1] == "1   A refund  a help desk…  12"
    monkeypatch.setenv("COLUMNS", "100")
    assert columns(rows, give_way=[2, 1])[1] == whole
    # What stands before the lines is of the terminal, too.
    monkeypatch.setenv("COLUMNS", "35")
    assert columns(rows, give_way=[2, 1], indent="  ")[1] == "1   A refund  a help desk…  12"
    # What would be cut to a stump is left out, but for the last that gives way.
    monkeypatch.setenv("COLUMNS", "24")
    assert columns(rows, give_way=[2, 1])[1] == "1   A refund  12"
    monkeypatch.setenv("COLUMNS", "10")
    assert columns(rows, give_way=[2, 1])[1] == "1   A refund  12"


def test_columns_are_padded_by_width_and_cut():
    rows = [["id", "name"], ["7", "日本"], ["12", "a\nb\x1b c"], ["1", "x" * 30]]
    assert columns(rows, right=frozenset({0}), most=10) == [
        "id  name",
        " 7  日本",
        "12  a b␛ c",
        f" 1  {'x' * 9}…",
    ]


@given(
    st.lists(st.lists(st.text(max_size=20), min_size=3, max_size=3), min_size=1, max_size=5),
    st.integers(4, 12),
)
def test_columns_line_up_whatever_they_hold(rows, most):
    lines = columns(rows, most=most)
    assert len(lines) == len(rows)
    for line in lines:
        assert "\n" not in line
        assert "\x1b" not in line
        assert cell_len(line) <= 3 * most + 4
