"""Words about failure modes."""

import pytest

from turnwise.conversations.store.modes.rows import ModeRate
from turnwise.tui.drawing.bars import bar, bar_with_interval
from turnwise.tui.failure_modes.mode_words import count_words, had_words, mode_query, share_words


def rate(sessions, reviewed):
    return ModeRate(1, "Asks again", None, sessions, reviewed)


def test_a_share_comes_with_its_interval():
    assert share_words(rate(9, 30)) == "30 % (15 to 49 %)"
    assert share_words(rate(0, 10)) == "0 % (0 to 31 %)"
    assert share_words(rate(0, 0)) == "–"
    assert count_words(rate(1200, 4000)) == "1,200 of 4,000"


@pytest.mark.parametrize(
    ("share", "drawn"), [(0.0, "    "), (1.0, "████"), (0.5, "██  "), (0.001, "▏   "), (0.53, "██▏ ")]
)
def test_a_bar_fills_its_cells_by_eighths_and_shows_every_share(share, drawn):
    assert bar(share, 4) == drawn


def test_a_query_leads_to_the_sessions():
    assert mode_query("rude") == "mode:rude"
    assert mode_query("asks again", "role", "Bank clerk") == 'mode:"asks again" role:"Bank clerk"'
    assert mode_query("rude", "role", 'The "best" bank') == 'mode:rude role:" bank"'


@pytest.mark.parametrize(
    ("by", "group", "query"),
    [
        ("meta.language", "es", "mode:Asks meta.language:es"),
        ("meta.customer tier", "very gold", 'mode:Asks meta."customer tier":"very gold"'),
        ("meta.language", "", "mode:Asks -meta.language:*"),
        ("model", "gpt-4o", "mode:Asks model:gpt-4o"),
        ("model", "", 'mode:Asks -model:""'),
        ("role", "", "mode:Asks"),
    ],
)
def test_a_group_by_metadata_is_a_filter(by: str, group: str, query: str) -> None:
    assert mode_query("Asks", by, group) == query


def test_how_many_of_the_chosen_have_a_mode_is_told_where_any_has_it():
    told = [had_words(had, chosen) for had, chosen in ((2, 5), (1, 5), (1, 1), (0, 5))]
    assert told == ["2 of 5 have it", "1 of 5 has it", "has it", ""]


@pytest.mark.parametrize(
    ("share", "interval", "drawn"),
    [
        (1.0, (1.0, 1.0), "██████████"),
        (0.5, (0.2, 0.8), "██▓▓▓░░░  "),
        (0.12, (0.05, 0.31), "▓░░       "),
        (0.01, (0.0, 0.03), "▓         "),
        (0.0, (0.0, 0.28), "░░░       "),
    ],
)
def test_a_bar_has_a_true_scale_and_shows_how_sure_it_is(
    share: float, interval: tuple[float, float], drawn: str
) -> None:
    assert bar_with_interval(share, interval, 10) == drawn
