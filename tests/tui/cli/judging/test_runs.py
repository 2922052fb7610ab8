"""turnwise runs: the list, as JSON and for people."""

from compared_runs import a_run, judged
from stored import failure, keep

HOSTILE = "\x1b[31mred\x07\u202e"


def test_as_json_every_run_is_an_object_on_a_line_the_newest_first(turnwise, store):
    session = keep(store)
    a_run(store, [(session, judged(0.9))], name="Bookings")
    a_run(store, [(session, judged(0.1)), (session, failure("b"))])
    newest, oldest = turnwise("runs", "--json").rows
    assert (newest["id"], oldest["id"]) == (2, 1)
    assert newest["created_at"] <= newest["finished_at"]
    del newest["created_at"], newest["finished_at"]
    assert newest == {
        "id": 2,
        "name": None,
        "judge": "judge-1",
        "came_from": "",
        "metrics": ["politeness", "b"],
        "sessions": 1,
        "scores": 1,
        "passed": 0,
        "failures": 1,
        "skipped": 0,
        "parameters": {},
    }


def test_for_people_it_is_a_table(turnwise, store):
    a_run(store, [(keep(store), judged(0.9))], name="Bookings")
    assert turnwise("runs").out.splitlines() == [
        "id  when      name      judge    metrics     sessions  passed  failures",
        " 1  just now  Bookings  judge-1  politeness         1  1 of 1         0",
    ]


def test_without_runs_it_says_how_to_make_one(turnwise, store):
    ran = turnwise("runs")
    assert (ran.code, ran.out) == (0, "")
    assert "turnwise score" in ran.err
    assert turnwise("runs", "--json").out == ""


def test_a_hostile_name_is_shown_and_not_obeyed(turnwise, store):
    a_run(store, [(keep(store), judged(0.9, HOSTILE))], name=HOSTILE, judge=HOSTILE)
    for arguments in (["runs"], ["runs", "--json"]):
        assert not set(turnwise(*arguments).out) & set("\x1b\x07\u202e")


def test_hyperparameters_stand_under_their_run(turnwise, store):
    session = keep(store)
    a_run(
        store,
        [(session, judged(0.9))],
        model="gpt-4o",
        **{"prompt template": "Answer\nbriefly.", "k": [1, 2]},
    )
    a_run(store, [(session, judged(0.9))], suite="/somewhere/suite.yaml")
    lines = turnwise("runs").out.splitlines()
    assert [line[:2] for line in lines[1:3]] == [" 2", " 1"]
    assert lines[3:] == ["    model: gpt-4o", "    prompt template: Answer briefly.", "    k: 1, 2"]


def test_no_hyperparameter_passes_for_a_run(turnwise, store):
    a_run(store, [(keep(store), judged(0.9))], note=f"a\n99  just now  {HOSTILE}")
    out = turnwise("runs").out
    assert len(out.splitlines()) == 3
    assert not set(out) & set("\x1b\x07\u202e")
