"""Windows: one question where it fits, as few as can be where it does not, and every item in one of them."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import Turn
from turnwise.engine.judge.questions import TOKENS_A_TURN, TOKENS_OF_RULES
from turnwise.engine.metrics.entries import MOST_ITEMS, JudgedItem, cut_spans, cut_windows, ending_from

TURNS = dict.fromkeys(range(1, 21), 100)
REPLIES = [JudgedItem(number, number) for number in range(2, 21, 2)]


def test_what_fits_is_one_question():
    for context in (None, 100_000):
        [window] = cut_windows(REPLIES, TURNS, asked=50, most=None, context=context)
        assert (window.first, window.last, window.items) == (1, 20, tuple(REPLIES))


def test_past_the_context_windows_slide_and_look_back():
    windows = cut_windows(REPLIES, TURNS, asked=50, most=None, context=1400)
    assert len(windows) > 1
    assert [item for window in windows for item in window.items] == REPLIES
    for window in windows:
        assert sum(TURNS[turn] for turn in range(window.first, window.last + 1)) <= 1000
        assert window.last == window.items[-1].turn
    assert all(later.first < later.items[0].turn for later in windows[1:])
    assert all(earlier.last <= later.last for earlier, later in pairwise(windows))


def test_a_judge_that_takes_so_many_items_gets_no_more():
    assert [len(one.items) for one in cut_windows(REPLIES, TURNS, asked=0, most=4, context=None)] == [4, 4, 2]
    many = [JudgedItem(number, 2) for number in range(1, 2 * MOST_ITEMS + 2)]
    sizes = [len(one.items) for one in cut_windows(many, TURNS, asked=0, most=None, context=None)]
    assert sizes == [MOST_ITEMS, MOST_ITEMS, 1]


def test_nothing_to_ask_is_no_window():
    assert cut_windows([], TURNS, asked=0, most=None, context=10) == []
    assert cut_spans([], TURNS, asked=0, context=10) == []


def test_what_belongs_to_the_whole_is_asked_of_every_part():
    items = [JudgedItem(1, None, "one"), JudgedItem(2, None, "two")]
    assert [(one.first, one.last) for one in cut_spans(items, TURNS, asked=0, context=None)] == [(1, 20)]
    spans = cut_spans(items, TURNS, asked=0, context=TOKENS_OF_RULES + 70 + 700)
    assert [(one.first, one.last) for one in spans] == [(1, 7), (8, 14), (15, 20)]
    assert all(span.items == tuple(items) for span in spans)


def test_an_ending_is_as_long_as_fits():
    numbered = [(number, Turn(role="user", content="x" * 400)) for number in range(1, 11)]
    assert ending_from(numbered, None) == 1
    room = 3 * (100 + TOKENS_A_TURN)
    assert ending_from(numbered, 2 * TOKENS_OF_RULES + room) == 8
    assert ending_from(numbered, 10) == 10


@given(
    sizes=st.lists(st.integers(1, 500), min_size=1, max_size=30),
    context=st.one_of(st.none(), st.integers(1, 3000)),
    most=st.one_of(st.none(), st.integers(1, 7)),
)
def test_every_item_stands_in_exactly_one_window_that_shows_its_turn(sizes, context, most):
    turns = dict(enumerate(sizes, start=1))
    items = [JudgedItem(number, number) for number in turns]
    windows = cut_windows(items, turns, asked=10, most=most, context=context)
    assert [item for window in windows for item in window.items] == items
    for window in windows:
        assert all(window.first <= item.turn <= window.last for item in window.items)
        assert len(window.items) <= (most or MOST_ITEMS)


@given(
    sizes=st.lists(st.integers(1, 500), min_size=1, max_size=30),
    context=st.one_of(st.none(), st.integers(1, 3000)),
)
def test_spans_follow_each_other_without_a_gap(sizes, context):
    spans = cut_spans([JudgedItem(1, None)], dict(enumerate(sizes, start=1)), asked=10, context=context)
    assert (spans[0].first, spans[-1].last) == (1, len(sizes))
    assert all(later.first == earlier.last + 1 for earlier, later in pairwise(spans))
