"""turnwise compare: a table, flips first, and all of it as JSON."""

import json

import pytest
from compared_runs import a_run, judged, kept, suite_case, two_targets
from stored import failure, keep

HOSTILE = "\x1b[31mred\x07\u202e"


def test_for_people_there_are_the_metrics_then_the_flips(turnwise, store):
    two_targets(store, [(0.9, 0.2), (0.4, 0.8), (0.6, 0.7), (0.5, 0.5)])
    ran = turnwise("compare", "last-1", "last")
    assert (ran.code, ran.err) == (0, "")
    a, b, _, sure, perhaps, _, head, row, _, names, *pairs = ran.out.splitlines()
    assert (a, b) == (
        "A  run 1 · Bookings · one · judge-1 · just now",
        "B  run 2 · Bookings · two · judge-1 · just now",
    )
    assert sure == "No metric is clearly better or worse. Too few cases: about 80 more needed."
    assert perhaps == "Perhaps worse   politeness (−0.05 on average)"
    assert " ".join(head.split()) == (
        "metric pairs A B mean change change, 95 % passed points, 95 % ✓ → ✗ ✗ → ✓"
    )
    assert row.split()[:5] == ["politeness", "4", "0.60", "0.55", "−0.05"]
    assert " ".join(row.split()).endswith("3 → 3 1 1")
    assert names.split() == ["change", "A", "B", "metric", "ids", "session"]
    assert [line[:5] for line in pairs] == ["✓ → ✗", "✗ → ✓", "both "]
    assert pairs[0].endswith("Case 0")


def test_as_json_it_is_one_object_with_every_pair(turnwise, store):
    two_targets(store, [(0.9, 0.2), (0.5, 0.5)])
    found = turnwise("compare", "1", "2", "--json").row
    assert (found["a"]["id"], found["a"]["target"], found["b"]["target"]) == (1, "one", "two")
    assert (found["cases"], found["only_a"], found["only_b"]) == (2, 0, 0)
    [metric] = found["metrics"]
    assert (metric["metric"], metric["pairs"], metric["newly_failed"]) == ("politeness", 2, 1)
    assert metric["delta"] == pytest.approx(-0.35)
    assert found["pairs"][0] == {
        "metric": "politeness",
        "name": "Case 0",
        "exchange": None,
        "flip": "failed",
        "delta": pytest.approx(-0.7),
        "a": {"session": 1, "score": 0.9, "passed": True},
        "b": {"session": 3, "score": 0.2, "passed": False},
    }
    assert [pair["flip"] for pair in found["pairs"]] == ["failed", None]


def test_what_cannot_be_computed_is_null(turnwise, store):
    session = keep(store)
    for value in (0.1, 0.9):
        a_run(store, [(session, judged(value))])
    [metric] = turnwise("compare", "1", "2", "--json").row["metrics"]
    assert (metric["low"], metric["high"]) == (None, None)


def test_two_targets_of_a_run_and_one_metric(turnwise, store):
    ids = kept(store, [suite_case(1, target=name) for name in ("gpt-4o", "mistral")])
    scores = [(s, judged(v, m)) for s, v in zip(ids, (0.2, 0.9), strict=True) for m in ("tone", "facts")]
    a_run(store, scores, name="Bookings")
    ran = turnwise("compare", "bookings:gpt", "last:mistral", "--metric", "ton")
    assert "A  run 1 · Bookings · gpt-4o" in ran.out
    assert "tone" in ran.out
    assert "facts" not in ran.out


def test_what_is_left_out_is_told_on_standard_error(turnwise, store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(2)]
    a_run(store, [(ids[0], judged(0.5)), (ids[1], judged(0.5))])
    a_run(store, [(ids[0], judged(0.5)), (ids[1], failure())])
    ran = turnwise("compare", "1", "2")
    assert "No score changed." in ran.out
    assert ran.err == "Not compared: politeness: 1 outcome not judged in B.\n"


def test_runs_without_a_shared_case_are_no_error(turnwise, store):
    for words in ("one", "two"):
        a_run(store, [(keep(store, words, "yes"), judged(0.5))])
    ran = turnwise("compare", "1", "2")
    assert (ran.code, len(ran.out.splitlines())) == (0, 2)
    assert "They share no case." in ran.err


def test_only_so_many_pairs_are_printed(turnwise, store):
    two_targets(store, [(0.9, 0.2)] * 23)
    ran = turnwise("compare", "1", "2")
    assert ran.out.count("✓ → ✗  ") == 20 + 1
    assert "3 more" in ran.err


@pytest.mark.parametrize("arguments", [["7", "last"], ["last", "last:x"], ["1", "1", "--metric", "x"]])
def test_what_is_not_there_is_wrong_use(turnwise, store, arguments):
    a_run(store, [(keep(store), judged(0.5))])
    ran = turnwise("compare", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: ")


def test_hostile_names_are_shown_and_not_obeyed(turnwise, store):
    session = keep(store, HOSTILE, "b", name=f"n{HOSTILE}")
    for value in (0.1, 0.9):
        a_run(store, [(session, judged(value, HOSTILE))], name=HOSTILE, judge=HOSTILE)
    for arguments in (["1", "2"], ["1", "2", "--json"], [HOSTILE, f"1:{HOSTILE}"]):
        ran = turnwise("compare", *arguments)
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e")


def test_two_labelled_settings_of_one_chatbot_are_two_targets(turnwise, tmp_path):
    path = tmp_path / "suite.json"
    providers = [{"id": "echo", "label": "calm"}, {"id": "echo", "label": "brisk"}]
    test = {"vars": {"q": "Where is my refund?"}, "assert": [{"type": "contains", "value": "refund"}]}
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": providers, "tests": [test]}))
    ran = turnwise("run", path, "--json")
    assert [row["target"] for row in ran.rows] == ["calm", "brisk"]
    ran = turnwise("compare", "last:calm", "last:brisk", "--json")
    assert ran.code == 0


def test_hyperparameters_of_both_stand_above_those_that_differ_first(turnwise, store):
    session = keep(store)
    a_run(store, [(session, judged(0.9))], temperature=0.2, model="gpt-4o", k=3)
    a_run(store, [(session, judged(0.1))], temperature=0.2, model="mistral", top_p=1)
    out = turnwise("compare", "1", "2").out.splitlines()
    assert [line.rstrip() for line in out[3:8]] == [
        "hyperparameter  A       B",
        "model           gpt-4o  mistral  ≠",
        "k               3       –        ≠",
        "top_p           –       1        ≠",
        "temperature     0.2     0.2",
    ]
    found = turnwise("compare", "1", "2", "--json").row
    assert found["a"]["parameters"]["model"] == "gpt-4o"


def grouped(store):
    languages = ("en", "en", "es", "")
    ids = [
        keep(store, f"talk {number}", "yes", metadata={"language": word} if word else None)
        for number, word in enumerate(languages)
    ]
    for values in ((0.9, 0.8, 0.9, 0.9), (0.9, 0.8, 0.1, 0.9)):
        a_run(store, [(one, judged(value)) for one, value in zip(ids, values, strict=True)])


def test_each_group_has_rows_of_its_own(turnwise, store):
    grouped(store)
    out = turnwise("compare", "1", "2", "--by", "meta.language").out
    table = out.split("\n\n")[3].splitlines()
    assert table[0].split()[:3] == ["meta.language", "metric", "pairs"]
    assert [(line.split()[0], line.split()[2], line.split()[5]) for line in table[1:]] == [
        ("en", "2", "0.00"),
        ("(none)", "1", "0.00"),
        ("es", "1", "−0.80"),
    ]
    found = turnwise("compare", "1", "2", "--by", "meta.language", "--json").row
    assert [(one["group"], one["metrics"][0]["newly_failed"]) for one in found["groups"]] == [
        ("en", 0),
        (None, 0),
        ("es", 1),
    ]
    assert "groups" not in turnwise("compare", "1", "2", "--json").row


def test_groups_that_mean_nothing_are_told(turnwise, store):
    grouped(store)
    ran = turnwise("compare", "1", "2", "--by", "langauge")
    assert ran.code == 2
    assert "Sessions are not grouped by langauge" in ran.err
    assert "meta.KEY" in ran.err


def test_more_groups_than_anybody_reads_are_refused(turnwise, store, monkeypatch):
    monkeypatch.setattr("turnwise.engine.comparing.compare.MOST_GROUPS", 2)
    grouped(store)
    ran = turnwise("compare", "1", "2", "--by", "meta.language")
    assert (ran.code, ran.out) == (2, "")
    assert "meta.language makes 3 groups" in ran.err


def test_what_judged_otherwise_is_told_before_the_figures(turnwise, store):
    session = keep(store)
    for judge in ("gpt-one", "gpt-two"):
        a_run(store, [(session, judged(0.5))], judge=judge)
    assert "Judged otherwise: judge gpt-one → gpt-two" in turnwise("compare", "last-1", "last").out
    row = turnwise("compare", "last-1", "last", "--json").row
    assert row["changed"] == [{"name": "judge", "a": "gpt-one", "b": "gpt-two"}]
