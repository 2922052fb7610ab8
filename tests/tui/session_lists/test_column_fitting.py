"""A list has the columns that tell something of its sessions, as far as there is room."""

from __future__ import annotations

from dataclasses import replace

from turnwise.conversations.store import SessionOrder
from turnwise.conversations.store.mending.session_rows import Mark, SessionRow
from turnwise.tui.session_lists.column_fitting import ColumnFitting

METRICS = ("role_adherence", "knowledge_retention", "politeness")
ONE = SessionRow(1, "a", "agent", 4, ("x",), "s", 3_600.0)
JUDGED = replace(ONE, id=2, chatbot_role="clerk", marks={"role_adherence": Mark("score", 1.0, True)})


def kinds(fitting: ColumnFitting, width: int = 140, order: SessionOrder | None = None) -> list[str]:
    return [column.kind for column in fitting.fitting(width, order, None)]


def metrics(fitting: ColumnFitting, width: int = 140, order: SessionOrder | None = None) -> list[str]:
    return [column.metric for column in fitting.fitting(width, order, None) if column.kind == "metric"]


def test_a_metric_has_a_column_where_a_session_was_judged_by_it_or_somebody_chose_it() -> None:
    fitting = ColumnFitting(METRICS)
    assert metrics(fitting) == []
    fitting.see([ONE, JUDGED])
    assert metrics(fitting) == ["role_adherence"]
    fitting.metrics, fitting.pinned = METRICS[:2], True
    assert metrics(fitting) == ["role_adherence", "knowledge_retention"]


def test_what_is_seen_is_new_where_columns_may_be_others_by_it() -> None:
    fitting = ColumnFitting(METRICS)
    assert fitting.see([ONE, replace(ONE, id=3)])
    assert not fitting.see([replace(ONE, id=4)])
    assert "role" not in kinds(fitting)
    assert fitting.see([JUDGED])
    assert "role" in kinds(fitting)
    # What was seen before counts no more.
    fitting.see_anew([ONE, replace(ONE, id=3)])
    assert (metrics(fitting), "role" in kinds(fitting)) == ([], False)


def test_what_the_list_is_sorted_by_stays_although_all_say_the_same_there() -> None:
    fitting = ColumnFitting(METRICS)
    fitting.see([ONE, replace(ONE, id=3)])
    assert "turns" not in kinds(fitting)
    assert "turns" in kinds(fitting, order=SessionOrder("turns"))


def test_where_room_is_scarce_the_metric_that_is_asked_about_stays() -> None:
    fitting = ColumnFitting(METRICS)
    fitting.metrics, fitting.pinned = METRICS, True
    width = next(width for width in range(140, 0, -1) if len(metrics(fitting, width)) == 1)
    assert metrics(fitting, width) == ["role_adherence"]
    assert metrics(fitting, width, SessionOrder("metric", "politeness")) == ["politeness"]
    fitting.ask("politeness<0.5")
    assert metrics(fitting, width) == ["politeness"]


def test_a_metric_keeps_what_stands_over_it_whichever_others_have_columns() -> None:
    fitting = ColumnFitting(METRICS)
    fitting.name_metrics(["rare_answers", *METRICS])
    assert fitting.keys_of(["role_adherence"]) == {"role_adherence": "ro"}


def test_a_fact_is_as_wide_as_what_sessions_say_under_it() -> None:
    fitting = ColumnFitting()
    fitting.facts = ["meta.language"]
    fitting.see([replace(ONE, told={"meta.language": "Portuguese"})])
    (fact,) = [column for column in fitting.fitting(140, None, None) if column.kind == "fact"]
    assert (fact.fact, fact.width) == ("meta.language", len("Portuguese"))
