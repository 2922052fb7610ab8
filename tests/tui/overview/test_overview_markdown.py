"""The overview as Markdown: the same words and figures, and nothing of a name but as text."""

from __future__ import annotations

from scored_sessions import add_outcomes, add_talk

from turnwise.conversations.results import Score, Verdict
from turnwise.conversations.store import Store
from turnwise.engine.overview import overview
from turnwise.engine.people.mode_occurrences import modes_in_words
from turnwise.tui.overview.overview_lines import overview_lines
from turnwise.tui.overview.overview_markdown import markdown_pieces


def page(store: Store, query: str = "") -> str:
    return "".join(markdown_pieces(overview(store, query), query, modes_in_words(store, query)))


def fill(store: Store, name: str = "talk") -> int:
    talk = add_talk(store, name=name)
    failed = (Verdict(turn=2, passed=False, word="no", reason=""),)
    add_outcomes(store, talk, Score(metric="warmth", reason="", score=0.2, threshold=0.5, verdicts=failed))
    store.labels.add(talk, "fail", author="ann", blind=True, turn=2, note="unkind")
    store.modes.assign([talk], store.modes.add("rude", "It is *rude*.", author="ann"), author="ann")
    return talk


def test_every_figure_of_the_overview_stands_in_a_block_under_its_heading(store: Store) -> None:
    talk = fill(store)
    text = page(store, f"id:{talk}")
    assert text.startswith(f"# Overview\n\nid:{talk}\n\n1 session")
    assert "- **Weakest**: warmth passes 0 %" in text
    assert "\n## Where sessions break\n\n" in text
    for line in overview_lines(overview(store, f"id:{talk}")):
        if line.text and line.parts[0].meaning == "text":
            assert f"    {line.text}\n" in text


def test_failure_modes_are_told_by_replies_and_notes(store: Store) -> None:
    talk = fill(store)
    text = page(store)
    assert "\n## rude\n\nIt is \\*rude\\*.\n\n> " in text
    assert f"session {talk}, turn 2: talk · ann noted: unkind" in text


def test_a_name_is_text_and_nothing_else(store: Store) -> None:
    fill(store, name="# <script>alert(1)</script> ![x](http://evil) \x1b[31m")
    text = page(store)
    # Each sign that would begin something is escaped.
    assert "<script>" not in text.replace("\\<", "")
    assert "![x]" not in text
    assert "\x1b" not in text
