"""What got worse, what got better and how sure that is, and the order of metrics by it."""

from __future__ import annotations

from compared_runs import a_run, judged, one_of_ten_lost
from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.comparing.compare import compare
from turnwise.engine.comparing.sides import Side
from turnwise.tui.compare.summary_words import clear_first, summary_lines

ROOM = 140


def test_what_stands_out_alone_among_many_is_said_to_be_one_of_many(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(6)]
    runs = one_of_ten_lost(store, ids)
    assert summary_lines(compare(store, *(Side(store.runs.get(run)) for run in runs)), ROOM) == [
        "No metric is clearly better or worse: among 10 compared at once, one may seem so by chance.",
        "Perhaps worse   m3 (6 → 0 of 6 pass)",
    ]


def test_what_is_not_by_chance_is_said_the_worse_first(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    sides = ({"tone": 0.9, "haste": 0.6, "style": 0.6}, {"tone": 0.1, "haste": 0.9, "style": 0.6})
    runs = [a_run(store, [(one, judged(v, m)) for one in ids for m, v in side.items()]) for side in sides]
    first, second = (Side(store.runs.get(run)) for run in runs)
    assert summary_lines(compare(store, first, second), ROOM) == [
        "Clearly worse   tone (20 → 0 of 20 pass, −100 to −66 points)",
        "Clearly better  haste (+0.30 on average, +0.08 to +0.42)",
    ]
    assert summary_lines(compare(store, first, first), ROOM) == ["A and B are the same run."]


def test_scores_that_were_kept_are_not_told_as_if_they_were_judged_again(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(4)]
    before = a_run(store, [(one, judged(0.9, "tone")) for one in ids])
    rows = store.run_outcomes.of(before)
    again = store.runs.begin(judge="judge-1", metrics=["tone", "calm"])
    store.scores.link(again, [row.id for row in rows])
    store.runs.finish(again)

    sides = (Side(store.runs.get(run)) for run in (before, again))
    assert summary_lines(compare(store, *sides), ROOM) == [
        "A and B have the very same scores: they were kept, and nothing was judged again."
    ]
    # Some of a metric that were kept are told beside those that were judged.
    part = a_run(store, [(ids[0], judged(0.1, "tone"))])
    store.scores.link(part, [row.id for row in rows][1:])
    comparison = compare(store, Side(store.runs.get(before)), Side(store.runs.get(part)))
    assert [one.same for one in comparison.metrics] == [3]
    last = summary_lines(comparison, ROOM)[-1]
    assert last == "3 of 4 pairs are the very same score, kept and not judged again."


def test_more_passes_by_more_than_chance_are_told_where_the_mean_is_unsure(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    sides = ([0.74] * 10 + [0.9] * 10, [0.76] * 10 + [0.9] * 10)
    runs = [
        a_run(store, [(one, judged(value, threshold=0.75)) for one, value in zip(ids, side, strict=True)])
        for side in sides
    ]
    comparison = compare(store, *(Side(store.runs.get(run)) for run in runs))
    [change] = comparison.metrics
    assert change.low < 0 < change.passes_low < change.passes_high
    assert summary_lines(comparison, ROOM) == [
        "Clearly better  politeness (10 → 20 of 20 pass, +18 to +73 points)"
    ]


def two_runs(store: Store) -> tuple[Side, Side]:
    """tone is clearly better, haste fell in two of twenty and style in one, calm rose in one."""
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    before = {one: {"tone": 0.1, "calm": 0.9, "style": 0.9, "haste": 0.9} for one in ids}
    after = {one: {"tone": 0.9, "calm": 0.9, "style": 0.9, "haste": 0.9} for one in ids}
    before[ids[3]]["calm"] = 0.1
    after[ids[0]]["haste"] = after[ids[1]]["haste"] = after[ids[2]]["style"] = 0.1
    first, second = (
        Side(store.runs.get(a_run(store, [(one, judged(v, m)) for one in ids for m, v in side[one].items()])))
        for side in (before, after)
    )
    return first, second


def test_what_is_sure_is_said_first_and_of_the_rest_that_it_may_be_chance(store):
    first, second = two_runs(store)
    assert summary_lines(compare(store, first, second), ROOM) == [
        "Clearly better  tone (0 → 20 of 20 pass, +66 to +100 points)",
        "Perhaps worse   haste (20 → 18 of 20 pass), style (20 → 19 of 20 pass): may be chance",
        "Perhaps better  calm (19 → 20 of 20 pass): may be chance",
    ]


def test_a_line_names_as_many_metrics_as_fit_and_counts_the_others(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(20)]
    before = {one: {"tone": 0.9, "calm": 0.9, "style": 0.9, "haste": 0.1} for one in ids}
    after = {one: {"tone": 0.1, "calm": 0.1, "style": 0.9, "haste": 0.1} for one in ids}
    after[ids[0]] |= {"style": 0.1, "haste": 0.9}
    runs = [
        a_run(store, [(one, judged(v, m)) for one in ids for m, v in side[one].items()])
        for side in (before, after)
    ]
    comparison = compare(store, *(Side(store.runs.get(run)) for run in runs))
    tone, calm = (f"{name} (20 → 0 of 20 pass, −100 to −66 points)" for name in ("tone", "calm"))
    style, haste = "style (20 → 19 of 20 pass)", "haste (0 → 1 of 20 pass)"
    chance = ": may be chance"
    assert summary_lines(comparison, ROOM) == [
        f"Clearly worse   {tone}, {calm}",
        f"Perhaps worse   {style}{chance}",
        f"Perhaps better  {haste}{chance}",
    ]
    assert summary_lines(comparison, 77)[0] == f"Clearly worse   {tone} and 1 more"
    # What it may be gives way before the first metric does.
    assert summary_lines(comparison, 50)[1:] == [f"Perhaps worse   {style}", f"Perhaps better  {haste}"]
    assert summary_lines(comparison, 20)[0] == f"Clearly worse   {tone} and 1 more"


def test_metrics_that_changed_for_sure_stand_first_and_of_each_kind_those_that_got_worse(store):
    first, second = two_runs(store)
    changes = compare(store, first, second).metrics
    assert [change.metric for change in clear_first(changes)] == ["tone", "haste", "style", "calm"]
    changes = compare(store, second, first).metrics
    assert [change.metric for change in clear_first(changes)] == ["tone", "calm", "haste", "style"]
    changes = compare(store, first, first).metrics
    assert [change.metric for change in clear_first(changes)] == [change.metric for change in changes]
