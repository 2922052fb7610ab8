"""turnwise metrics: the list, and each of them explained."""

from importlib.metadata import EntryPoint

from stored import keep

from turnwise.engine.metrics import registry
from turnwise.engine.metrics.registry import GROUP, metric_keys


def test_as_json_every_metric_is_an_object(turnwise):
    ran = turnwise("metrics", "--json")
    assert ran.code == 0
    assert [row["name"] for row in ran.rows] == metric_keys()
    by_name = {row["name"]: row for row in ran.rows}
    adherence = by_name["role_adherence"]
    assert (adherence["scope"], adherence["judge"], adherence["version"]) == ("conversation", True, 2)
    assert adherence["needs"] == ["turns", "chatbot_role"]
    assert "Formula" in adherence["description"]
    assert by_name["contains"]["judge"] is False


def test_as_json_every_metric_says_what_it_costs_and_what_its_score_means(turnwise):
    for row in turnwise("metrics", "--json").rows:
        for part in ("name", "scope", "calls", "values", "formula", "source", "empty", "description"):
            assert row[part], (row["name"], part)
        assert (row["by"] == "check") == (row["calls"] == "none"), row["name"]
        assert row["range"] == [0, 1]
        assert row["direction"] == "higher is better"
        assert row["version"] >= 1
    [misuse] = turnwise("metrics", "misuse", "--json").rows
    assert "domain" in misuse["settings"]
    assert (misuse["by"], misuse["values"], misuse["images"]) == ("judge", "0 to 1", False)


def test_metrics_that_see_images_say_so(turnwise):
    [row] = turnwise("metrics", "viescore", "--json").rows
    assert row["images"] is True
    assert turnwise("metrics", "viescore").out.startswith("viescore (version 1, judges images)\n")


def test_for_people_it_is_a_table_of_all(turnwise):
    ran = turnwise("metrics")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.out.splitlines()] == ["name", *metric_keys()]


def test_a_broken_one_of_another_package_stands_in_nobodys_way(turnwise, monkeypatch):
    entry = EntryPoint("broken", "nowhere:BrokenMetric", GROUP)
    monkeypatch.setattr(registry, "plugged_metrics", lambda: {"broken": entry})
    ran = turnwise("metrics", "--json")
    assert (ran.code, len(ran.rows)) == (0, len(metric_keys()) - 1)
    assert "The metric broken cannot be loaded" in ran.err


def test_one_is_explained_with_formula_needs_and_edges(turnwise):
    ran = turnwise("metrics", "faithfulness")
    assert ran.out.startswith("faithfulness (version 1, judges the last exchange)\n")
    for word in ("Formula:", "Needs:", "Range:", "Empty:", "Judge calls:", "Source:"):
        assert word in ran.out


def test_a_list_of_metrics_makes_no_database(turnwise, tmp_path):
    assert turnwise("metrics").code == 0
    assert not (tmp_path / "turnwise.db").exists()


def test_an_unknown_metric_is_told_with_the_nearest(turnwise):
    ran = turnwise("metrics", "faithfulnes")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean faithfulness?" in ran.err


def test_an_unknown_metric_is_not_told_with_the_names_of_all(turnwise, store):
    keep(store)
    for ran in (turnwise("metrics", "polite"), turnwise("score", "--all", "--metric", "polite")):
        assert ran.code == 2
        assert "There is no metric polite" in ran.err
        assert "`turnwise metrics` lists all of them." in ran.err
        assert "mean" not in ran.err
        assert "faithfulness" not in ran.err


def test_the_name_of_an_own_criterion_leads_to_its_file(turnwise, store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep(store)
    store.criteria.keep(
        name="Names the fee", fingerprint="f", metric_fingerprint="m", text="", author="ann", source=""
    )
    (tmp_path / "criteria").mkdir()
    (tmp_path / "criteria" / "polite.yaml").write_text("name: Stays polite\ncriteria: It stays polite.\n")
    for name in ("polite", "stays_polit"):
        for ran in (turnwise("metrics", name), turnwise("score", "--all", "--metric", name)):
            assert "“Stays polite” is a criterion of yours: --criteria criteria/polite.yaml" in ran.err
    told = turnwise("score", "--all", "--metric", "names-the-fee").err
    assert "“Names the fee” is a criterion of yours: save it to a file in the app (5)" in told


def test_what_was_learned_is_explained_too(turnwise):
    ran = turnwise("metrics", "learned")
    assert ran.out.startswith("learned (version 1, judges whole conversations)\n")
    assert "Formula:" in ran.out
    assert "turnwise learn list" in ran.err
    missing = turnwise("metrics", "learned:resolved")
    assert missing.code == 2
    assert "Nothing was learned as resolved" in missing.err
