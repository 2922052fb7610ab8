"""turnwise metrics: the list, and each of them explained."""

from importlib.metadata import EntryPoint

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


def test_what_was_learned_is_explained_too(turnwise):
    ran = turnwise("metrics", "learned")
    assert ran.out.startswith("learned (version 1, judges whole conversations)\n")
    assert "Formula:" in ran.out
    assert "turnwise learn list" in ran.err
    missing = turnwise("metrics", "learned:resolved")
    assert missing.code == 2
    assert "Nothing was learned as resolved" in missing.err
