"""Rows and lines of the agreement screen: they fit their width, and obey nothing that they hold."""

from __future__ import annotations

from dataclasses import fields, replace
from math import nan

import pytest
from rich.cells import cell_len
from rich.style import Style
from stored import keep, land, score
from textual.geometry import Size

from turnwise.conversations.store import Store
from turnwise.engine.people.agreement import Disagreement, agreement
from turnwise.engine.people.labelled_scores import MetricAgreement
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.agreement.agreement_board import (
    about_lines,
    disagreement_cells,
    disagreement_columns,
    figure_notes,
    shown_figures,
    written_figures,
)
from turnwise.tui.agreement.metric_list import (
    few_words,
    metric_cells,
    metric_columns,
    metrics_width,
    tells_labels,
)
from turnwise.tui.drawing.lines_view import Tones

TONES = Tones(*[Style.null()] * len(fields(Tones)))


def differing(
    reason: str = "Turn 4 forgets the name.", note: str = "", kind: str = "false pass"
) -> Disagreement:
    return Disagreement(12, "Refund", kind, 0.9, 0.5, reason, note)  # type: ignore[arg-type]


def about(one: Disagreement | None, who: str = "you", width: int = 60, height: int = 2) -> list[str]:
    lines = about_lines(one, who, Size(width, height), TONES, "+ is right, - is wrong")
    return ["".join(piece.text for piece in line) for line in lines]


@pytest.mark.parametrize(
    ("kind", "width", "told"),
    [
        ("false pass", 80, "the fail names no metric; here the judge + is right, - is wrong"),
        ("false fail", 80, "the pass names no metric; here the judge + is right, - is wrong"),
        (
            "false pass",
            120,
            "the fail is of the whole session; as to this metric the judge + is right, - is wrong",
        ),
    ],
)
def test_where_a_label_of_the_whole_stands_in_it_says_so_and_what_the_keys_do(
    kind: str, width: int, told: str
) -> None:
    one = replace(differing(kind=kind), of_whole=True)
    assert [line.strip() for line in about(one, width=width, height=4)][-1] == told


def texts(metrics: list[MetricAgreement], width: int) -> list[list[str]]:
    columns = metric_columns(metrics, width)
    return [[cell.text for cell in metric_cells(one, columns)] for one in metrics]


def test_a_metric_shows_its_kappa_its_labels_and_how_many_of_them_are_fails() -> None:
    many = MetricAgreement("politeness", Confusion(1_200, 3, 1, 30), 0.7)
    few = MetricAgreement("conversation_completeness", Confusion(43, 0, 0, 3), 1.0)
    none = MetricAgreement("politeness", Confusion(3), nan)
    assert texts([many], 80) == [["politeness", "0.70 ", "1,234", "33"]]
    assert texts([none], 80) == [["politeness", "– ", "3", "0"]]
    roomy = metrics_width([few])
    assert texts([few], roomy) == [["conversation completeness", "1.00?", "46", "3"]]
    # The list goes by the number of labels: the word over the fails gives way first, then that number.
    for width, titles in (
        (metrics_width([few], worded=True), ["metric (? few ✗ or ✓)", "kappa", "labels", "fails"]),
        (roomy, ["metric (? few ✗ or ✓)", "kappa", "labels", "✗"]),
        (roomy - 1, ["metric (? few ✗ or ✓)", "kappa", "✗"]),
        # A name is told whole before the number of all labels is.
        (30, ["metric", "kappa", "✗"]),
    ):
        columns = metric_columns([few], width)
        assert [one.title for one in columns] == titles
        assert tells_labels(columns) is (width >= roomy)
        assert len(metric_cells(few, columns)) == len(columns)
    # What the mark means is not said where none bears it.
    assert metric_columns([many], 80)[0].title == "metric"
    assert few_words([many, none]) == ""
    assert few_words([many, few]).startswith("? fewer than 4 fails")


def test_a_session_shows_its_reason_where_there_is_room() -> None:
    for width, columns in ((80, 4), (120, 5)):
        shown = disagreement_columns(width)
        cells = disagreement_cells(differing(), shown)
        assert len(shown) == len(cells) == columns
        assert [cell.text for cell in cells][:4] == ["false pass", "12", "Refund", "0.90"]


def test_what_judge_and_people_say_stands_one_over_the_other() -> None:
    assert about(None) == []
    assert about(differing(note="It does.")) == [
        "  judge       passed it: Turn 4 forgets the name.",
        "  you         It does.",
    ]
    assert about(differing(kind="false fail"))[1] == "  you         passed it, and wrote no note"
    assert about(differing())[1] == "  you         failed it, and wrote no note"


@pytest.mark.parametrize(("width", "height"), [(40, 2), (60, 6), (16, 2)])
def test_long_and_hostile_words_stay_in_their_place(width: int, height: int) -> None:
    nasty = "\x1b[31m[red]\u202e退款 " * 40
    lines = about(differing(nasty, nasty), who=nasty, width=width, height=height)
    assert len(lines) == height
    assert max(map(cell_len, lines)) <= width
    assert not any("\x1b" in line or "\u202e" in line for line in lines)


def test_at_80_columns_it_is_said_whole_why_there_is_no_figure_and_intervals_stand_behind_theirs(
    store: Store,
) -> None:
    for number in range(24):
        session = keep(store, f"question {number}", "yes")
        land(store, session, score(0.9, "tone"))
        store.labels.add(session, "pass" if number % 2 else "fail", author="mia", blind=True)
    found = agreement(store, "tone")
    lines = written_figures(shown_figures(found, "mia", every=True), figure_notes(found), 80, TONES)
    texts = ["".join(piece.text for piece in line) for line in lines]
    (corrected,) = [text for text in texts if "corrected" in text]
    assert "tells nothing apart: TPR + TNR ≤ 1 " in corrected
    (rate,) = [text for text in texts if "pass rate" in text]
    assert corrected.index("corrected") == rate.index("pass rate")
    assert rate.index("pass rate") < rate.index(" 100 %") < rate.index("86 to 100 %")
    assert cell_len(corrected) == cell_len(rate)


def test_no_figure_is_cut_beside_the_metrics_at_120_columns(store: Store) -> None:
    for number in range(24):
        session = keep(store, f"question {number}", "yes")
        land(store, session, score(0.9 if number % 3 else 0.1, "tone"))
        for author in ("mia", "ben"):
            store.labels.add(session, "pass" if number % 3 else "fail", author=author, blind=True)
    found = agreement(store, "tone")
    lines = written_figures(
        shown_figures(found, "people", every=True), figure_notes(found), 120 - 44 - 2, TONES
    )
    assert len(lines) > 7
    assert not any("…" in piece.text for line in lines for piece in line)
