"""Checks on SQL, statement by statement as promptfoo's parser takes or leaves them."""

from __future__ import annotations

from typing import Any

import pytest

from turnwise.conversations.suites import Check
from turnwise.engine.checks.sql import sql_blocks
from turnwise.engine.suites import Answer, CheckOutcome, grade_check
from turnwise.engine.suites.rules import AS_PROMPTFOO


def graded(text: str, value: Any = None, kind: str = "is-sql", **rest: Any) -> CheckOutcome:
    return grade_check(Check(type=kind, value=value), Answer(output=text), **rest)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name AS n FROM staff",
        "SELECT DISTINCT name FROM staff",
        "SELECT 'two words here' FROM staff",
        "SELECT `order` FROM staff",
        "REPLACE INTO staff VALUES (1)",
        "CALL tidy()",
    ],
)
def test_what_mysql_knows_is_sql(text: str) -> None:
    assert graded(text).passed


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name age FROM staff",
        "SELECT `name FROM staff",
        "SELECT [name] FROM staff",
        "SELECT order FROM staff",
        "SELECT name FROM staff WHERE name ILIKE 'a'",
        "SELECT name FROM staff WHERE age IN ()",
        "SELECT * FROM generate_series(1, 3)",
        "INSERT INTO staff (name) VALUES ('a') RETURNING name",
        "INSERT INTO staff (name) VALUES ('a') ON CONFLICT DO NOTHING",
    ],
)
def test_what_mysql_does_not_know_is_none(text: str) -> None:
    assert not graded(text).passed


def test_each_database_has_its_own_words() -> None:
    assert graded("SELECT * FROM generate_series(1, 3)", {"databaseType": "Postgresql"}).passed
    assert graded("SELECT name FROM staff WHERE name ILIKE 'a'", {"databaseType": "Postgresql"}).passed
    assert graded("SELECT [name] FROM staff", {"databaseType": "TransactSQL"}).passed
    assert graded("SELECT `name` FROM staff", {"databaseType": "Postgresql"}).passed
    assert not graded("SELECT FROM staff", {"databaseType": "Postgresql"}).passed


def test_a_database_that_nobody_knows_is_a_failure_but_for_promptfoo() -> None:
    unknown = {"databaseType": "Nonsense"}
    assert graded("SELECT 1", unknown).word == "failure"
    assert graded("SELECT 1", unknown, rules=AS_PROMPTFOO).word != "failure"
    negated = Check(type="is-sql", value=unknown, negate=True)
    assert grade_check(negated, Answer(output="x"), rules=AS_PROMPTFOO).passed


@pytest.mark.parametrize(
    ("text", "allowed", "passes"),
    [
        ("SELECT name FROM staff", {"allowedTables": []}, True),
        ("WITH c AS (SELECT a FROM s) SELECT a FROM c", {"allowedTables": ["select::null::s"]}, False),
        ("SELECT name FROM staff", {"allowedColumns": ["select::staff::name"]}, True),
        ("SELECT name FROM staff WHERE age = 1", {"allowedColumns": ["select::null::name"]}, False),
        ("INSERT INTO staff (name) VALUES (1)", {"allowedColumns": ["insert::staff::name"]}, True),
        ("DELETE FROM staff WHERE age = 1", {"allowedColumns": ["(delete|select)::.*::.*"]}, True),
        ("UPDATE staff SET name = 1 WHERE age = 2", {"allowedColumns": ["update::null::name"]}, False),
    ],
)  # fmt: skip
def test_only_what_is_allowed_may_be_touched(text: str, allowed: dict[str, Any], passes: bool) -> None:
    assert graded(text, allowed).passed == passes


def test_the_blocks_of_a_text_are_those_marked_as_sql_or_not_marked() -> None:
    text = "~~~sql\none\n~~~\n```python\ntwo\n```\n````\nthree\n```\n````\n    ```sql\nfour\n"
    assert sql_blocks(text) == ["one", "three\n```"]


def test_one_good_block_is_enough() -> None:
    text = "```sql\nnonsense\n```\nor\n```SQL\nSELECT 1\n```"
    assert graded(text, kind="contains-sql").passed
    assert not graded("```sql\nSELECT 1 FROM", kind="contains-sql").passed
    assert not graded("```sql\n\n```", kind="contains-sql").passed
