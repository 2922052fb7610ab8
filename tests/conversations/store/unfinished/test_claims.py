"""Claims: what one run has, no other gets while it lives, whatever they do in whichever order."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from set_clock import Clock
from stored import identity

from turnwise.conversations.store import Store, claim_of
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.unfinished.claims import GRACE_SECONDS, LEASE_SECONDS, ClaimTable


@pytest.fixture
def clock() -> Clock:
    return Clock(1_000_000.0)


@pytest.fixture
def claims(store: Store, clock: Clock) -> Iterator[ClaimTable]:
    database = Database.open(store.path)
    yield ClaimTable(database, clock)
    database.close()


def test_each_thing_is_had_by_one_run(claims: ClaimTable) -> None:
    assert claims.take("a", ["one", "two"]) == {"one", "two"}
    assert claims.take("b", ["two", "three"]) == {"three"}
    assert claims.take("a", ["one", "three"]) == {"one"}


def test_what_is_done_is_free_again(claims: ClaimTable) -> None:
    claims.take("a", ["one", "two"])
    assert claims.give_back("a", ["one"])
    assert claims.take("b", ["one", "two"]) == {"one"}


def test_nobody_gives_back_what_another_has(claims: ClaimTable) -> None:
    claims.take("a", ["one"])
    assert not claims.give_back("b", ["one"])
    assert claims.take("b", ["one"]) == set()


def test_a_run_that_leaves_holds_nothing(claims: ClaimTable, store: Store) -> None:
    claims.take("a", ["one", "two"])
    claims.leave("a")
    assert claims.take("b", ["one", "two"]) == {"one", "two"}
    claims.leave("b")
    with closing(sqlite3.connect(store.path)) as database, database:
        for table in ("claims", "claimants"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608


def test_a_run_that_says_nothing_for_long_is_taken_for_dead(claims: ClaimTable, clock: Clock) -> None:
    claims.take("a", ["one"])
    clock.now += LEASE_SECONDS - 0.1
    assert claims.may_be_free(["one"]) == set()
    clock.now += 0.2
    assert claims.may_be_free(["one"]) == {"one"}
    # Whoever meets it first leaves it a moment.
    assert claims.take("b", ["one"]) == set()
    clock.now += GRACE_SECONDS
    assert claims.take("b", ["one"]) == {"one"}
    assert not claims.give_back("a", ["one"])


def test_a_run_that_was_held_up_by_a_lock_keeps_what_it_has(claims: ClaimTable, clock: Clock) -> None:
    claims.take("a", ["one"])
    clock.now += 60
    assert claims.take("b", ["one"]) == set()
    claims.renew("a")
    clock.now += GRACE_SECONDS
    assert claims.take("b", ["one"]) == set()
    # The next time that it is late, it has its moment again.
    clock.now += LEASE_SECONDS
    assert claims.take("b", ["one"]) == set()


def test_a_clock_that_is_set_back_keeps_nothing_claimed_for_ever(claims: ClaimTable, clock: Clock) -> None:
    claims.take("a", ["one"])
    clock.now -= 3_600
    assert claims.take("b", ["one"]) == set()
    clock.now += GRACE_SECONDS
    assert claims.take("b", ["one"]) == {"one"}


def test_what_is_free_is_told_without_writing(claims: ClaimTable) -> None:
    claims.take("a", ["one"])
    assert claims.may_be_free(["one", "two"]) == {"two"}
    assert claims.take("b", ["two"]) == {"two"}


def test_units_have_the_name_of_their_identity() -> None:
    named = {
        claim_of(identity(1)),
        claim_of(identity(11)),
        claim_of(identity(1, exchange=1)),
        claim_of(identity(1, "kindness")),
        claim_of(identity(1, case_fingerprint="other")),
        claim_of(identity(1, judge_fingerprint="other")),
    }
    assert len(named) == 6
    # What a metric is called is in its fingerprint.
    assert claim_of(identity(1)) == claim_of(identity(1, judge="called otherwise"))


steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("take"), st.sampled_from("abc"), st.sets(st.sampled_from("12345"), min_size=1).map(sorted)
        ),
        st.tuples(st.just("give_back"), st.sampled_from("abc"), st.sampled_from("12345").map(list)),
        st.tuples(st.just("leave"), st.sampled_from("abc"), st.none()),
        st.tuples(st.just("dies"), st.sampled_from("abc"), st.none()),
        st.tuples(st.just("wait"), st.sampled_from([0.5, 1.0, 2.0]), st.none()),
    ),
    max_size=40,
)


@given(steps=steps)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_two_living_runs_ever_have_the_same(store: Store, steps: list[tuple[str, object, object]]) -> None:
    with closing(Database.open(store.path)) as database:
        check_steps(database, steps)


def check_steps(database: Database, steps: list[tuple[str, object, object]]) -> None:
    clock = Clock(1_000_000.0)
    claims = ClaimTable(database, clock)
    for owner in "abc":
        claims.leave(owner)
    had: dict[str, set[str]] = {owner: set() for owner in "abc"}
    dead: set[str] = set()
    renew: Callable[[str], None] = claims.renew
    for what, whom, names in steps:
        if what == "wait":
            clock.now += float(whom)  # type: ignore[arg-type]
            # Those that live say so every few seconds.
            for owner in set(had) - dead:
                renew(owner)
            continue
        owner = str(whom)
        if what == "dies":
            dead.add(owner)
        if owner in dead:
            continue
        if what == "take":
            wanted = list(names)  # type: ignore[call-overload]
            got = claims.take(owner, wanted)
            others = set().union(*(had[other] for other in set(had) - dead - {owner}))
            assert not got & others
            assert got >= set(wanted) - set().union(*had.values())
            had[owner] |= got
            for other in dead:
                had[other] -= got
        elif what == "give_back":
            gone = list(names)  # type: ignore[call-overload]
            assert claims.give_back(owner, gone) == (set(gone) <= had[owner])
            had[owner] -= set(gone)
        elif what == "leave":
            claims.leave(owner)
            had[owner] = set()


CLAIM = """
import sys
from pathlib import Path
from turnwise.conversations.store import Store, new_owner
with Store.open(Path(sys.argv[1])) as store:
    store.claims.take(new_owner(), ["one"])
    print("claimed", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the lease alone tells")
def test_what_a_killed_process_claimed_is_free_at_once(store: Store) -> None:
    claims = store.claims
    with subprocess.Popen(
        [sys.executable, "-c", CLAIM, str(store.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"claimed\n"
        assert claims.may_be_free(["one"]) == set()
        assert claims.take("b", ["one"]) == set()
        process.kill()
        process.wait()
    assert claims.may_be_free(["one"]) == {"one"}
    assert claims.take("b", ["one"]) == {"one"}
