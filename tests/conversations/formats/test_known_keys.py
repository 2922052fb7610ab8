"""Slips: keys that mean nothing where they stand."""

import pytest

from turnwise.conversations.formats.known_keys import Slip, refused, slips

KNOWN = ("assert", "vars", "threshold")
CHECKS = [{"type": "contains", "value": "a"}]


def found(**fields: object) -> list[Slip]:
    return list(slips(fields, KNOWN, "a.yaml, test 1", "a test", counting=("tests",)))


def test_known_keys_are_no_slips() -> None:
    assert not found(vars={}, threshold=1)


@pytest.mark.parametrize("key", ["asserts", "assertt", "asert", "assetr", "azsert", "Assert", "assertions"])
def test_a_key_like_a_known_one_was_written_to_count(key: str) -> None:
    (slip,) = found(**{key: 1})
    assert slip.counts
    error = slip.error()
    assert error.detail == f"a.yaml, test 1: a test has no field {key}"
    assert error.next_step == "Did you mean assert?"


def test_checks_under_any_key_were_written_to_count_and_so_was_a_key_that_counts_elsewhere() -> None:
    assert [slip.counts for slip in found(checks=CHECKS, tests=[], comment="x")] == [True, True, False]


def test_a_key_like_none_is_told() -> None:
    (slip,) = found(comment="x")
    assert slip.warning() == "a test has no field comment; it is passed over."


def test_what_people_set_aside_is_no_slip() -> None:
    aside = {"x-tests": CHECKS, "_vars": 1, ".assert": 1, "shared": CHECKS}
    assert [slip.key for slip in slips(aside, KNOWN, "a.yaml", "a file", sets_aside=True)] == ["shared"]
    assert not any(slip.counts for slip in slips(aside, KNOWN, "a.yaml", "a file", sets_aside=True))


def test_several_slips_are_one_error() -> None:
    assert refused(found(comment=1)) is None
    error = refused(found(asserts=1, treshold=1, comment=1))
    assert error is not None
    assert error.detail.splitlines() == [
        "a.yaml, test 1: a test has no field asserts. Did you mean assert?",
        "a.yaml, test 1: a test has no field treshold. Did you mean threshold?",
    ]
