"""turnwise overview: rates, histograms and failures by turn, from the command line."""

from scored_sessions import add_outcomes, add_talk

from turnwise.conversations.results import Failure, Score, Verdict


def fill(store):
    talks = [add_talk(store, name=str(number)) for number in range(3)]
    for value, talk in zip((0.05, 0.35, 0.95), talks, strict=True):
        failed = (Verdict(turn=4, passed=False, word="no", reason=""),)
        add_outcomes(
            store,
            talk,
            Score(metric="role_adherence", reason="", score=value, threshold=0.5, verdicts=failed),
        )
    add_outcomes(store, talks[0], Failure(metric="honesty", reason="away"))
    store.labels.add(talks[2], "pass", author="ann", blind=True)
    return talks


def test_the_overview_says_how_metrics_came_out_and_where_conversations_break(turnwise, store):
    fill(store)
    told = turnwise("overview")
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0] == "3 sessions · 1 labelled: 1 pass"
    assert lines[1].startswith("  Weakest     role adherence passes 33 % of 3 sessions")
    (rate,) = (line for line in lines if line.startswith("  role adherence") and "▓" in line)
    assert "33 % (1 to 91 %)" in rate
    assert rate.endswith("▇..▇.....▇")
    assert any("honesty" in line and "no scores" in line for line in lines)
    assert any("not judged: 1" in line for line in lines)
    (broken,) = (line for line in lines if line.startswith("  turn 4 "))
    assert "67 % (9 to 99 %)" in broken
    assert broken.endswith(" 2 of 3")
    assert all(len(line) <= 78 for line in lines), max(lines, key=len)


def test_as_json_it_is_one_object(turnwise, store):
    fill(store)
    (row,) = turnwise("overview", "--json").rows
    assert (row["sessions"], row["labels"]["none"]) == (3, 2)
    metric = next(one for one in row["metrics"] if one["metric"] == "role_adherence")
    assert (metric["n"], metric["passed"], round(metric["rate"], 2)) == (3, 1, 0.33)
    assert metric["histogram"] == [1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
    assert row["by_turn"][3] == {"turn": 4, "sessions": 3, "failed": 2}


def test_the_cost_of_runs_is_in_it_and_an_unknown_price_is_none(turnwise, store):
    talk = add_talk(store)
    priced = Score(metric="warmth", reason="", score=1.0, threshold=0.5, cost=0.0042)
    add_outcomes(store, talk, priced)
    add_outcomes(store, talk, Score(metric="honesty", reason="", score=1.0, threshold=0.5), judge="away")
    (row,) = turnwise("overview", "--json").rows
    assert (row["cost"], row["unpriced"]) == (0.0042, 1)
    assert row["costs"] == [
        {"run": 2, "name": "away", "n": 1, "unpriced": 1, "cost": None},
        {"run": 1, "name": "judge-1", "n": 1, "unpriced": 0, "cost": 0.0042},
    ]
    assert "judging cost $0.0042, and 1 score of unknown price" in turnwise("overview").out


def test_a_query_narrows_it(turnwise, store):
    fill(store)
    assert turnwise("overview", "label:pass").out.startswith("1 session · 1 labelled: 1 pass")


def test_where_nothing_is_to_be_seen_it_says_what_to_do(turnwise, store):
    assert "turnwise import FILE" in turnwise("overview").err
    add_talk(store)
    told = turnwise("overview").err
    assert "`turnwise score --all --metric repetition` needs no judge" in told
    assert turnwise("score", "--all", "--metric", "repetition").code == 0
    assert "No session matches, of 1." in turnwise("overview", "nothing-like-this").err


def test_a_query_that_means_nothing_is_an_error(turnwise, store):
    add_talk(store)
    told = turnwise("overview", "turns>many")
    assert told.code == 2
    assert "turns" in told.err


def test_for_those_who_read_it_prints_figures_alone(turnwise, store):
    fill(store)
    told = turnwise("overview", "--table").out
    assert "33 % (1 to 91 %)" in told
    assert not set("█▓░▇▁") & set(told)


def test_it_is_written_as_one_page_that_needs_no_script(turnwise, store, tmp_path):
    fill(store)
    page = tmp_path / "overview.html"
    told = turnwise("overview", "role:agent", "--html", str(page))
    assert (told.code, told.err) == (0, f"Wrote {page}\n")
    text = page.read_text(encoding="utf-8")
    assert "role adherence passes 33 % of 3 sessions" in text
    assert "33 % (1 to 91 %)" in text
    assert "<script" not in text
    assert "prefers-color-scheme: dark" in text


def test_a_page_that_cannot_be_written_is_an_error(turnwise, store, tmp_path):
    fill(store)
    told = turnwise("overview", "--html", str(tmp_path / "nowhere" / "overview.html"))
    assert told.code == 2
    assert "cannot be written" in told.err


def test_failure_modes_are_counted_within_groups(turnwise, store):
    talks = fill(store)
    store.modes.assign(talks[:1], store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    assert "Failure modes, by role" in turnwise("overview", "--by", "role").out
