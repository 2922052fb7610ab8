"""turnwise modes: naming, assigning and counting failure modes from the command line."""

import shlex

import pytest
from judge_server import says
from stored import keep

HOSTILE = "\x1b[31mred\x07"


@pytest.fixture
def sessions(store):
    return [keep(store, f"talk {number}", "b", chatbot_role="Clerk", tags=["t"]) for number in range(4)]


@pytest.fixture
def asks(turnwise, sessions):
    assert (
        turnwise("modes", "add", "Asks again", "It asks for what it was told.", "--author", "ada").code == 0
    )
    assert turnwise("modes", "assign", "asks", *sessions[:2], "--author", "ada").code == 0
    return "Asks again"


def test_modes_are_listed_with_counts_and_shares(turnwise, store, sessions, asks):
    store.labels.add(sessions[3], "pass", author="ada", blind=True)
    row = turnwise("modes", "--json").row
    assert row == {
        "mode": "Asks again",
        "definition": "It asks for what it was told.",
        "sessions": 2,
        "reviewed": 3,
        "share": pytest.approx(2 / 3),
        "low": pytest.approx(0.0943, abs=1e-4),
        "high": pytest.approx(0.9916, abs=1e-4),
        "author": "ada",
        "proposed_by": None,
    }
    head, line = turnwise("modes").out.splitlines()
    assert head.split() == [
        "failure",
        "mode",
        "sessions",
        "share",
        "(interval)",
        "0",
        "100",
        "%",
        "definition",
    ]
    assert "Asks again" in line
    assert "2 of 3  67 % (9 to 99 %)  ██▓▓▓▓▓▓▓▓▓▓▓░░░░░░░  It asks" in line


def test_they_are_counted_within_roles_and_tags(turnwise, asks):
    row = turnwise("modes", "--by", "role", "--json").row
    assert (row["role"], row["sessions"], row["reviewed"]) == ("Clerk", 2, 2)
    assert turnwise("modes", "--by", "meta.language", "--json").row["meta.language"] == ""
    assert "(none)" in turnwise("modes", "--by", "meta.language").out
    wrong = turnwise("modes", "--by", "rolle")
    assert (wrong.code, "Did you mean role?" in wrong.err) == (2, True)
    assert "Asks again    t" in turnwise("modes", "--by", "tag").out


def test_without_modes_it_says_how_to_begin(turnwise, sessions):
    ran = turnwise("modes")
    assert (ran.code, ran.out) == (0, "")
    assert "Read 30 to 50 sessions first" in ran.err


def test_a_query_chooses_sessions_and_the_filter_finds_them(turnwise, sessions, asks):
    ran = turnwise("modes", "assign", "asks again", "talk")
    assert ran.out == "Asks again: assigned to 2 sessions, 2 had it already.\n"
    assert len(turnwise("sessions", "mode:asks", "--json").rows) == 4
    assert turnwise("modes", "assign", "asks", sessions[0], "--remove").out == (
        "Asks again: taken from 1 session.\n"
    )
    assert [row["id"] for row in turnwise("sessions", "mode:none", "--json").rows] == [sessions[0]]


def test_a_turn_must_be_there(turnwise, sessions, asks):
    ran = turnwise("modes", "assign", "asks", sessions[3], "--turn", 9)
    assert (ran.code, ran.out) == (2, "")
    assert "has no turn 9" in ran.err
    assert turnwise("modes", "assign", "asks", sessions[3], "--turn", 2).code == 0
    assert turnwise("modes", "assign", "asks", sessions[3], "--turn", 2, "--remove").code == 2


def test_changes_are_history_and_can_be_taken_back(turnwise, sessions, asks):
    assert turnwise("modes", "rename", asks, "Forgets", "--author", "bob").out == (
        "Asks again is called Forgets now.\n"
    )
    turnwise("modes", "define", "Forgets", "It forgets.", "--author", "bob")
    turnwise("modes", "add", "Rude", "It is rude.", "--author", "bob")
    assert (
        turnwise("modes", "merge", "Rude", "Forgets", "--author", "bob").out
        == "Rude counts as Forgets now.\n"
    )
    rows = turnwise("modes", "history", "Forgets", "--json").rows
    assert [(row["author"], row["what"]) for row in rows] == [
        ("ada", "added"),
        ("ada", "assigned"),
        ("bob", "renamed"),
        ("bob", "defined"),
        ("bob", "took in"),
    ]
    assert "renamed to Forgets" in turnwise("modes", "history", "forgets").out
    assert turnwise("modes", "undo", "--author", "bob").out == "Taken back: Rude: merged.\n"
    assert turnwise("modes", "undo", "--redo", "--author", "bob").out == "Made again: Rude: merged.\n"
    assert turnwise("modes", "retire", "forgets", "--author", "bob").code == 0
    assert turnwise("modes", "--json").rows == []
    assert turnwise("modes", "undo", "--author", "eve").code == 2


def test_a_mode_that_is_not_there_is_wrong_use_and_the_near_one_is_named(turnwise, asks):
    ran = turnwise("modes", "rename", "asks agian", "x")
    assert ran.code == 2
    assert "Did you mean asks again?" in ran.err


def test_notes_are_listed(turnwise, store, sessions, asks):
    store.labels.add(sessions[0], "fail", author="ada", blind=True, note=f"asks twice {HOSTILE}", turn=2)
    store.labels.add(sessions[3], "fail", author="ada", blind=True, note="made up a fee")
    first, second = turnwise("modes", "notes", "--json").rows
    assert (first["session"], first["note"], first["modes"]) == (sessions[3], "made up a fee", [])
    assert (second["turn"], second["modes"]) == (2, ["Asks again"])
    assert "\x1b" not in turnwise("modes", "notes").out
    assert len(turnwise("modes", "notes", "--uncoded", "--json").rows) == 1


def test_a_judge_groups_the_notes_and_nothing_is_kept(turnwise, store, sessions, asks, judge_server_apart):
    store.labels.add(sessions[2], "fail", author="ada", blind=True, note="made up a fee")
    store.labels.add(sessions[3], "fail", author="ada", blind=True, note="asks twice")
    modes = [
        {"name": "Invents", "definition": "It states what nobody gave it.", "notes": [2]},
        {"name": "Asks again", "definition": "x", "notes": [1]},
    ]
    judge_server_apart.script(says({"modes": modes}))
    ran = turnwise("modes", "propose", "--judge", f"{judge_server_apart.url}#m", "--json")
    assert ran.rows[0] | {"notes": None} == {
        "mode": "Asks again",
        "definition": "It asks for what it was told.",
        "known": True,
        "sessions": [sessions[3]],
        "notes": None,
    }
    assert [row["mode"] for row in ran.rows] == ["Asks again", "Invents"]
    assert len(turnwise("modes", "--json").rows) == 1
    told = turnwise("modes", "propose", "--judge", f"{judge_server_apart.url}#m")
    assert f"→ turnwise modes assign Invents {sessions[2]}" in told.out


def test_without_notes_there_is_nothing_to_group(turnwise, sessions):
    ran = turnwise("modes", "propose", "--judge", "http://127.0.0.1:9/v1")
    assert ran.code == 2
    assert "no notes to group" in ran.err


def test_a_line_to_copy_runs_nothing_that_a_judge_put_into_a_name(
    turnwise, store, sessions, judge_server_apart
):
    store.labels.add(sessions[2], "fail", author="ada", blind=True, note="made up a fee")
    name = "Fees'; touch owned; '"
    judge_server_apart.script(says({"modes": [{"name": name, "definition": "It $(x) `y`.", "notes": [1]}]}))
    told = turnwise("modes", "propose", "--judge", f"{judge_server_apart.url}#m").out
    lines = [line.removeprefix("  → ") for line in told.splitlines() if "→" in line]
    assert [shlex.split(line)[:4] for line in lines] == [
        ["turnwise", "modes", "add", name],
        ["turnwise", "modes", "assign", name],
    ]
    assert shlex.split(lines[0])[4:] == ["It $(x) `y`."]


def test_every_change_can_be_read_as_json(turnwise, sessions):
    def changed(*words):
        return turnwise("modes", *words, "--author", "ada", "--json").row

    assert changed("add", "Rude", "It is rude.") == {
        "mode": "Rude",
        "definition": "It is rude.",
        "author": "ada",
        "proposed_by": None,
    }
    changed("add", "Cold", "It is cold.")
    assert changed("assign", "Rude", *sessions[:3]) == {"mode": "Rude", "chosen": 3, "assigned": 3}
    assert changed("assign", "Rude", *sessions[2:], "--remove") == {"mode": "Rude", "chosen": 2, "removed": 1}
    assert changed("rename", "Rude", "Impolite") | {"author": ""} == {
        "mode": "Impolite",
        "definition": "It is rude.",
        "author": "",
        "proposed_by": None,
        "was": "Rude",
    }
    assert changed("define", "Impolite", "It is not polite.")["definition"] == "It is not polite."
    assert changed("merge", "Cold", "Impolite")["took_in"] == "Cold"
    assert changed("retire", "Impolite")["retired"] is True
    undone = changed("undo")["undone"]
    assert "Impolite" in undone
    assert changed("undo", "--redo") == {"redone": undone}


def test_what_is_unseen_is_told_by_the_reviews_so_far(turnwise, store, sessions, asks):
    store.labels.add(sessions[3], "pass", author="ada", blind=True)
    row = turnwise("modes", "unseen", "--json").row
    assert (row["items"], row["kinds"], row["once"]) == (3, 1, 0)
    assert str(row["unseen"]) == "0.0"
    assert turnwise("modes", "unseen").out.startswith(
        "1 of the last 3 sessions reviewed showed a failure mode"
    )


def test_what_is_unseen_is_not_guessed_without_a_mode(turnwise, sessions):
    assert turnwise("modes", "unseen", "--json").row == {"kinds": 0}
    told = turnwise("modes", "unseen")
    assert told.code == 0
    assert "No session that was reviewed has a failure mode yet" in told.err
