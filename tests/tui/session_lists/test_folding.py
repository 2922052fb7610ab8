"""A column that says the same of all sessions leaves its room to the others."""

from __future__ import annotations

from dataclasses import replace

from turnwise.conversations.store.mending.session_rows import Mark, SessionRow
from turnwise.tui.session_lists.folding import SeenValues

HOUR = 3_600.0
ONE = SessionRow(1, "a", "agent", 4, ("x",), "s", HOUR)
JUDGED, SKIPPED = Mark("score", 1.0, True), Mark("skipped", None, None)


def seen(*rows: SessionRow) -> SeenValues:
    values = SeenValues()
    values.see(rows)
    return values


def test_what_is_the_same_in_all_folds_away() -> None:
    assert seen(ONE, replace(ONE, id=2)).folded == {"role", "turns", "tags", "when"}
    others = [replace(ONE, chatbot_role="b"), replace(ONE, turns=5), replace(ONE, created_at=9 * HOUR)]
    assert seen(ONE, *others).folded == {"tags"}


def test_one_session_alone_folds_only_what_it_does_not_say() -> None:
    assert seen(ONE).folded == frozenset()
    assert seen(replace(ONE, chatbot_role="", tags=())).folded == {"role", "tags"}


def test_what_differed_once_stays_while_one_scrolls() -> None:
    values = seen(ONE, replace(ONE, chatbot_role="b"))
    values.see([replace(ONE, chatbot_role="b"), replace(ONE, chatbot_role="b")])
    assert "role" not in values.folded


def test_a_metric_that_was_only_skipped_says_nothing() -> None:
    values = seen(replace(ONE, marks={"a": JUDGED, "b": SKIPPED}))
    assert values.judged_by == {"a"}


def test_facts_know_their_width_and_whether_they_are_numbers() -> None:
    values = seen(replace(ONE, told={"meta.n": "12.5", "meta.w": "en"}), replace(ONE, told={"meta.n": "7"}))
    assert values.widest == {"meta.n": 4, "meta.w": 2}
    assert values.not_numbers == {"meta.w"}


def test_the_longest_name_and_tags_are_known() -> None:
    values = seen(ONE, replace(ONE, name="飞机票", tags=("a long tag", "and more")))
    assert (values.longest["name"], values.longest["tags"]) == (6, len("a long tag, and more"))


def test_what_says_nothing_new_changes_nothing() -> None:
    values = seen(ONE)
    values.see([replace(ONE, id=2)])
    before = values.so_far
    values.see([replace(ONE, id=3)])
    assert values.so_far == before
    values.see([replace(ONE, name="a longer name")])
    assert values.so_far != before
