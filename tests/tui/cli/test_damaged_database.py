"""A damaged database: what is damaged is named and counted, the rest is read, nothing is written."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from damage import SESSIONS, fill, spoil, spoil_by_chance, spoil_page

from turnwise.conversations.store import Store

Run = Callable[..., object]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "turnwise.db"
    fill(path)
    return path


def mark(database: Path) -> Path:
    return database.with_name(f"{database.name}.damaged")


@pytest.mark.parametrize("to", ["jsonl", "html", "markdown", "csv", "deepeval", "openai", "promptfoo"])
def test_an_export_names_and_counts_what_is_damaged_and_goes_on(turnwise, database, tmp_path, to):
    spoil(database, "Answer 007")
    spoil(database, '{"tools_called": [{"name": "tool012"', by=b"[")
    ran = turnwise("export", "--all", "--to", to, "--output", tmp_path / "out")
    assert ran.code == 1
    assert f"{SESSIONS - 2} sessions exported" in ran.err
    assert "Session 7 is damaged and left out" in ran.err
    assert "Session 12 is damaged and left out" in ran.err
    assert "2 damaged sessions left out. `turnwise doctor`" in ran.err
    written = (tmp_path / "out").read_text()
    assert "Answer 008" in written
    assert "Called 012" not in written


def test_an_export_as_json_lists_the_numbers(turnwise, database, tmp_path):
    spoil(database, "Reason 007")
    ran = turnwise("export", "--all", "--to", "jsonl", "--output", tmp_path / "out", "--json")
    assert (ran.code, ran.row["exported"], ran.row["damaged"]) == (1, SESSIONS - 1, [7])


def test_a_page_that_cannot_be_read_costs_the_sessions_on_it(turnwise, database, tmp_path):
    spoil_page(database, "Answer 020")
    ran = turnwise("export", "--all", "--to", "jsonl", "--output", tmp_path / "out", "--json")
    assert ran.code == 1
    assert 20 in ran.row["damaged"]
    assert ran.row["exported"] == SESSIONS - len(ran.row["damaged"]) > SESSIONS // 2


def test_show_gives_what_can_be_read_of_a_session(turnwise, database):
    spoil(database, "Answer 007")
    spoil(database, "Reason 007")
    ran = turnwise("show", 7)
    assert ran.code == 1
    assert "‹U+FFFD›nswer 007" in ran.out
    assert "Called 007" in ran.out
    assert "! damaged: not all of it can be read" in ran.out
    assert "Label: pass" in ran.out
    assert "Session 7 is damaged: 1 of its messages" in ran.err
    assert "its scores" in ran.err
    assert turnwise("show", 8).code == 0


def test_show_of_an_unreadable_page_says_where_it_ends(turnwise, database):
    spoil_page(database, "Answer 020")
    ran = turnwise("show", 20)
    assert ran.code == 1
    assert "cannot be read: the database is damaged" in ran.out


def test_lists_name_and_count_what_is_damaged(turnwise, database):
    spoil(database, "Talk 007")
    ran = turnwise("sessions")
    assert ran.code == 1
    assert "(damaged) ‹U+FFFD›alk 007" in ran.out
    assert "Talk 008" in ran.out
    assert "1 of these is damaged" in ran.err
    listed = turnwise("sessions", "--json")
    assert (listed.code, len(listed.rows)) == (1, SESSIONS)


def test_sessions_on_an_unreadable_page_keep_their_numbers_in_lists(turnwise, database):
    spoil_page(database, "Talk 020")
    ran = turnwise("sessions", "--json")
    assert ran.code == 1
    assert {row["id"] for row in ran.rows} == set(range(1, SESSIONS + 1))


def test_at_the_first_sign_the_file_is_marked_and_nothing_is_written_to_it(turnwise, database, tmp_path):
    spoil_page(database, "Answer 020")
    # Nothing is looked for before something shows: a check of the whole file takes a while.
    assert turnwise("label", 1, "fail", "--author", "bob").code == 0
    turnwise("show", 20)
    assert mark(database).is_file()
    assert stat.S_IMODE(mark(database).stat().st_mode) == 0o600
    before = database.read_bytes()
    ran = turnwise("label", 2, "fail", "--author", "bob")
    assert ran.code == 3
    assert "damaged, and nothing is written to it" in ran.err
    assert "turnwise doctor --repair" in ran.err
    assert database.read_bytes() == before


def test_a_good_copy_in_its_place_may_be_written_to_at_once(turnwise, database):
    good = database.read_bytes()
    spoil_page(database, "Answer 020")
    turnwise("show", 20)
    database.write_bytes(good)
    assert turnwise("label", 2, "fail", "--author", "bob").code == 0
    assert not mark(database).exists()


def test_damaged_words_alone_hold_nobody_back(turnwise, database):
    spoil(database, "Answer 007")
    turnwise("show", 7)
    assert turnwise("label", 7, "fail", "--author", "bob").code == 0


def test_the_doctor_says_what_is_damaged_and_what_to_do(turnwise, database):
    assert "every page and every text can be read" in turnwise("doctor").out
    spoil(database, "Answer 007")
    ran = turnwise("doctor")
    assert ran.code == 1
    assert "1 session is damaged: 7" in ran.out
    spoil_page(database, "Answer 020")
    ran = turnwise("doctor", "--json")
    states = {row["what"]: row["state"] for row in ran.rows}
    assert (ran.code, states["integrity"]) == (1, "broken")
    assert "doctor --repair" in next(row["detail"] for row in ran.rows if row["what"] == "next step")
    assert mark(database).exists()


def test_a_repair_copies_what_can_be_read_and_keeps_the_old_file(turnwise, database, tmp_path):
    spoil(database, "Answer 007")
    spoil_page(database, "Answer 020")
    turnwise("show", 20)
    damaged = database.read_bytes()
    ran = turnwise("doctor", "--repair", "--json")
    assert ran.code == 0
    assert Path(ran.row["kept"]).read_bytes() == damaged
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    assert "Unreadable places: " in ran.err
    assert not mark(database).exists()
    assert not list(tmp_path.glob(".*.part*"))
    assert turnwise("label", 2, "fail", "--author", "bob").code == 0
    exported = turnwise("export", "--all", "--to", "jsonl")
    assert exported.code == 0
    lines = exported.rows
    assert len(lines) == SESSIONS
    # One page of turns is lost, and no other.
    assert sum(len(line["turns"]) for line in lines) > 2 * SESSIONS
    assert any("(recovered)" in line["turns"][0]["content"] for line in lines)
    assert [len(line["turnwise"]["scores"]) for line in lines] == [1] * SESSIONS
    texts = [turn["content"] for line in lines for turn in line["turns"]]
    assert "�nswer 007" in texts
    assert "Answer 040" in texts


def test_a_repair_saves_the_turns_of_a_session_that_lost_its_row(turnwise, database):
    spoil_page(database, "Talk 020")
    ran = turnwise("doctor", "--repair")
    assert ran.code == 0
    assert "marked as (recovered)" in ran.err
    shown = turnwise("show", 20)
    assert (shown.code, "Answer 020" in shown.out) == (0, True)
    assert "(recovered) session 20" in shown.out


def test_a_sound_database_is_not_repaired(turnwise, database):
    before = database.read_bytes()
    ran = turnwise("doctor", "--repair")
    assert (ran.code, database.read_bytes()) == (0, before)
    assert "sound: nothing was changed" in ran.err


def test_a_repair_waits_for_nobody_who_writes(turnwise, database):
    spoil(database, "Answer 007")
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        ran = turnwise("doctor", "--repair")
    finally:
        holder.close()
    assert ran.code == 3
    assert "in use by another program" in ran.err


def test_a_backup_is_a_whole_database_for_its_owner_alone(turnwise, database, tmp_path):
    copy = tmp_path / "copy.db"
    with Store.open(database) as store:
        # What was written a moment ago is in it too.
        store.labels.add(1, "fail", author="bob", blind=False)
        ran = turnwise("backup", copy, "--json")
    assert (ran.code, ran.row["sound"], ran.row["bytes"]) == (0, True, copy.stat().st_size)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.glob("copy.db*")} == {"copy.db"}
    shown = turnwise("--db", copy, "show", 1)
    assert "by bob" in shown.out
    assert turnwise("backup", copy).code == 2
    assert turnwise("backup", copy, "--force").code == 0


def test_a_backup_of_a_damaged_database_says_so(turnwise, database, tmp_path):
    spoil_page(database, "Answer 020")
    ran = turnwise("backup", tmp_path / "copy.db")
    assert ran.code == 1
    assert "as damaged as the database" in ran.err
    assert (tmp_path / "copy.db").stat().st_size == database.stat().st_size


def test_a_backup_of_nothing_makes_nothing(turnwise, tmp_path):
    ran = turnwise("--db", tmp_path / "none.db", "backup", tmp_path / "copy.db")
    assert ran.code == 2
    assert not list(tmp_path.glob("*.db"))


def test_a_table_or_a_key_that_is_gone_is_damage(turnwise, database):
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DROP TABLE labels")
        connection.execute("DELETE FROM secrets")
    connection.close()
    ran = turnwise("sessions")
    assert ran.code == 1
    assert "40 of these are damaged" in ran.err
    ran = turnwise("label", 1, "pass", "--author", "bob")
    assert ran.code == 3
    assert "damaged" in ran.err
    assert "mistake of its own" not in ran.err
    with Store.open(database) as store, pytest.raises(Exception, match="damaged"):
        store.secret  # noqa: B018
    assert turnwise("doctor", "--repair").code == 0
    assert turnwise("sessions").code == 0


def test_a_file_that_was_cut_off_is_damaged_and_no_matter_of_permissions(turnwise, database):
    content = database.read_bytes()
    database.write_bytes(content[: len(content) // 3])
    for arguments in (("sessions",), ("doctor",)):
        ran = turnwise(*arguments)
        assert ran.code in (1, 3)
        assert "damaged" in ran.out + ran.err
        assert "can be written" not in ran.out + ran.err


COMMANDS = (
    ("sessions",),
    ("show", "7"),
    ("export", "--all", "--to", "jsonl"),
    ("sessions", "answer"),
    ("runs",),
    ("label", "7", "pass", "--author", "bob"),
    ("doctor",),
    ("doctor", "--repair"),
    ("export", "--all", "--to", "jsonl"),
)


@pytest.mark.parametrize("seed", range(12))
def test_bits_that_flipped_anywhere_are_no_mistake_of_ours(turnwise, database, seed):
    spoil_by_chance(database, seed)
    for arguments in COMMANDS:
        ran = turnwise(*arguments)
        assert "mistake of its own" not in ran.err, (arguments, ran.err)
        assert ran.code in (0, 1, 2, 3), arguments


def test_what_is_left_of_an_export_is_whole_json(turnwise, database):
    spoil(database, "Answer 007")
    ran = turnwise("export", "--all", "--to", "jsonl")
    names = [json.loads(line)["name"] for line in ran.out.splitlines()]
    assert sorted(names) == [f"Talk {number:03}" for number in range(1, SESSIONS + 1) if number != 7]


@pytest.mark.parametrize("command", ["run", "import"])
def test_links_that_lead_round_in_a_circle_are_told(turnwise, tmp_path, command):
    (tmp_path / "a.yaml").symlink_to(tmp_path / "b.yaml")
    (tmp_path / "b.yaml").symlink_to(tmp_path / "a.yaml")
    ran = turnwise(command, tmp_path / "a.yaml")
    assert ran.code == 2
    assert "a.yaml" in ran.err
    assert "mistake of its own" not in ran.err


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file of Linux")
@pytest.mark.parametrize("command", ["run", "import"])
def test_a_file_that_opens_and_cannot_be_read_is_told(turnwise, command):
    ran = turnwise(command, "/proc/self/mem")
    assert ran.code == 2
    assert "cannot be read" in ran.err
    assert "mistake of its own" not in ran.err
