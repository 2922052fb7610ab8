"""Sessions of two runs that are the same case are paired, and no others."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store.run_outcomes import SubjectRow
from turnwise.engine.comparing.sides import pair_subjects

NUMBERS = count(1)
PLAIN = SubjectRow(
    0, name="n", given="", suite="", place=-1, repeat=0, vars="", prompt="", target="", opening=""
)
CASE = replace(PLAIN, suite="Bookings", prompt="p", target="one", place=0, vars="v0", given="Case")


def rows(*given_rows: SubjectRow) -> list[SubjectRow]:
    """Return them as sessions of their own."""
    return [replace(row, session_id=next(NUMBERS)) for row in given_rows]


def paired(left: list[SubjectRow], right: list[SubjectRow]) -> list[tuple[int, int]]:
    return sorted((left.index(first), right.index(second)) for first, second in pair_subjects(left, right))


def test_the_same_session_is_paired_with_itself_whatever_it_says() -> None:
    left = rows(PLAIN, PLAIN)
    assert paired(left, left[::-1]) == [(0, 1), (1, 0)]


def test_a_case_is_known_by_its_variables_where_its_place_moved() -> None:
    left = rows(*(replace(CASE, place=place, vars=f"v{place}") for place in (0, 1)))
    right = rows(
        replace(CASE, place=0, vars="new"),
        *(replace(CASE, place=place + 1, vars=f"v{place}") for place in (0, 1)),
    )
    assert paired(left, right) == [(0, 1), (1, 2)]


def test_a_case_whose_variables_were_edited_is_known_by_its_place() -> None:
    left = rows(CASE, replace(CASE, place=1, vars="v1"))
    right = rows(replace(CASE, vars="edited"), replace(CASE, place=1, vars="v1"))
    assert paired(left, right) == [(0, 0), (1, 1)]


def test_each_target_and_prompt_is_compared_with_its_like() -> None:
    variants = [replace(CASE, target=target, prompt=prompt) for target in "xy" for prompt in "pq"]
    assert paired(rows(*variants), rows(*variants[::-1])) == [(0, 3), (1, 2), (2, 1), (3, 0)]


def test_another_target_is_paired_where_each_run_has_one() -> None:
    left, right = rows(CASE), rows(replace(CASE, target="two"))
    assert paired(left, right) == [(0, 0)]
    several = rows(replace(CASE, target="two"), replace(CASE, target="three"))
    assert paired(left, several) == []


def test_another_prompt_is_paired_for_the_same_target() -> None:
    left = rows(CASE, replace(CASE, target="two"))
    right = rows(replace(CASE, prompt="q", target="two"), replace(CASE, prompt="q"))
    assert paired(left, right) == [(0, 1), (1, 0)]


def test_repeats_are_paired_in_order() -> None:
    left = rows(*(replace(CASE, repeat=repeat) for repeat in (0, 1)))
    right = rows(*(replace(CASE, repeat=repeat, target="two") for repeat in (1, 0)))
    assert paired(left, right) == [(0, 1), (1, 0)]


def test_cases_of_other_suites_are_no_pair() -> None:
    assert paired(rows(CASE), rows(replace(CASE, suite="Other", given="Else", name="m"))) == []


def test_without_a_suite_name_and_first_words_tell() -> None:
    left = rows(replace(PLAIN, opening="a"), replace(PLAIN, opening="b"))
    right = rows(replace(PLAIN, opening="b"), replace(PLAIN, opening="c"))
    assert paired(left, right) == [(1, 0)]


def test_a_given_name_tells_where_the_words_are_played_anew() -> None:
    left = rows(replace(PLAIN, name="Refund", given="Refund", opening="a"))
    right = rows(replace(PLAIN, name="Refund", given="Refund", opening="b"))
    assert paired(left, right) == [(0, 0)]
    assert paired(left, right + rows(right[0])) == []


some_rows = st.lists(
    st.builds(
        replace,
        st.sampled_from([PLAIN, CASE]),
        place=st.integers(-1, 2),
        vars=st.sampled_from("vw"),
        target=st.sampled_from("xyz"),
        prompt=st.sampled_from("pq"),
        given=st.sampled_from(["", "Case"]),
        opening=st.sampled_from("ab"),
    ),
    max_size=12,
)


@given(some_rows, some_rows)
def test_no_session_is_in_two_pairs(left: list[SubjectRow], right: list[SubjectRow]) -> None:
    pairs = pair_subjects(rows(*left), rows(*right))
    for side in (0, 1):
        ids = [pair[side].session_id for pair in pairs]
        assert len(ids) == len(set(ids))


@given(some_rows)
def test_the_same_cases_run_again_are_all_paired_with_their_like(some: list[SubjectRow]) -> None:
    pairs = pair_subjects(rows(*some), rows(*some))
    assert len(pairs) == len(some)
    assert all((a.target, a.prompt) == (b.target, b.prompt) for a, b in pairs)
