"""Splits: deterministic, near their shares, and for good."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criterion_sample import SHARES, divide, in_chance_order, settle_splits

VERDICTS = st.lists(st.booleans(), min_size=1, max_size=80).map(lambda said: dict(enumerate(said, start=1)))


def prints(sessions: object) -> dict[int, str]:
    return {session: f"content {session}" for session in sessions}  # type: ignore[attr-defined]


@given(VERDICTS)
def test_each_of_passing_and_failing_sessions_is_divided_by_the_shares(verdicts: dict[int, bool]) -> None:
    members = divide(verdicts, prints(verdicts), {})
    assert members.keys() == verdicts.keys()
    for verdict in (True, False):
        counts = Counter(members[session] for session, said in verdicts.items() if said == verdict)
        for split, share in SHARES.items():
            assert abs(counts[split] - share * counts.total()) < 2


@given(VERDICTS, st.randoms(use_true_random=False))
def test_the_same_sessions_are_divided_the_same_way_in_whatever_order(verdicts, random) -> None:
    shuffled = list(verdicts.items())
    random.shuffle(shuffled)
    assert divide(dict(shuffled), prints(verdicts), {}) == divide(verdicts, prints(verdicts), {})


@given(VERDICTS, st.integers(0, 80))
def test_new_sessions_join_and_move_no_old_one(verdicts: dict[int, bool], first: int) -> None:
    early = dict(list(verdicts.items())[:first])
    members = divide(early, prints(verdicts), {})
    joined = divide(verdicts, prints(verdicts), members)
    assert joined.keys() == verdicts.keys() - members.keys()
    counts = Counter({**members, **joined}.values())
    for split, share in SHARES.items():
        assert abs(counts[split] - share * len(verdicts)) < 4


def test_the_same_content_is_never_in_two_splits() -> None:
    same = dict.fromkeys(range(1, 30), "one content")
    assert len(set(divide(dict.fromkeys(same, True), same, {}).values())) == 1


def test_a_sample_is_the_first_part_of_an_order_that_contents_tell() -> None:
    sessions = list(range(1, 50))
    ordered = in_chance_order(sessions, prints(sessions))
    assert ordered != sessions
    assert ordered == in_chance_order(sessions[::-1], prints(sessions))
    assert in_chance_order(sessions[:25], prints(sessions)) == [one for one in ordered if one <= 25]


def test_the_store_keeps_who_is_where(store: Store) -> None:
    ids = [keep(store, f"question {n}", f"answer {n}") for n in range(10)]
    first = settle_splits(store, {session: session % 2 == 0 for session in ids[:6]})
    # A changed label moves nothing, and neither do new sessions.
    later = settle_splits(store, dict.fromkeys(ids, True))
    assert {session: later[session] for session in first} == first
    assert later.keys() == set(ids)
    assert store.splits.members() == later
