"""What is said about a session: all that its file said, in words, and what its runs remember."""

import pytest
from kept_cases import keep_told
from stored import keep

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import DamageError, NotFoundError
from turnwise.conversations.store.facts.about import cost_words, seconds_words


def test_everything_that_a_file_said_is_there_in_order(store) -> None:
    about = store.sessions.about(keep_told(store))
    assert [(part.title, part.text) for part in about.parts] == [
        ("scenario", "Ask for a refund in Spanish."),
        ("expected outcome", "The refund is under way."),
        ("user", "An impatient customer"),
        ("context", "1. Refunds take five days.\n2. Returns are free."),
        ("comments", "Looks odd to Ana."),
        ("metadata", "customer.tier: gold\nskills: refunds, mail\nnote: one\n  two"),
        ("tags", "spanish, vip"),
        (
            "turn 2",
            'expected output: Five days, in words.\nexpected tools: find_order({"id": 7})\n'
            "context: 1. Policy 7 holds.\ncomments: Short.\ncost: $0.0132\ncompletion time: 2.5 s\n"
            "metadata: topic: billing",
        ),
        ("turn 3", "metadata: mood: calm"),
        ("run 1 · nightly", "model: bot-7b\ntemperature: 0.2"),
    ]
    assert about.summary == (
        "scenario · expected outcome · user · context (2) · comments · metadata (3) · tags (2) · 2 turns · "
        "$0.0132, 2.5 s · hyperparameters of 1 run"
    )


def test_a_session_of_which_nothing_is_said_has_nothing(store) -> None:
    about = store.sessions.about(keep(store))
    assert (about.parts, about.summary) == ((), "")


def test_of_a_single_exchange_all_is_said_of_the_whole(store) -> None:
    case = LLMTestCase(
        input="a", actual_output="b", expected_output="c", token_cost=1.32, completion_time=7.53, tags=["t"]
    )
    about = store.sessions.about(store.sessions.add(case, source="s", format="f").session_id)
    assert [(part.title, part.text) for part in about.parts] == [
        ("expected output", "c"),
        ("cost", "$1.32"),
        ("completion time", "7.53 s"),
        ("tags", "t"),
    ]
    assert about.summary == "expected output · cost · completion time · tags"


def test_costs_and_times_are_summed_up(store) -> None:
    turns = [
        LLMTestCase(input="a", actual_output="b", token_cost=0.5, completion_time=1),
        LLMTestCase(input="c", actual_output="d", token_cost=0.75),
    ]
    session = store.sessions.add(ConversationalTestCase(turns=turns), source="s", format="f").session_id
    assert store.sessions.about(session).summary == "2 turns · $1.25, 1 s"


def test_one_that_is_not_there_and_one_that_is_damaged_are_told(store) -> None:
    with pytest.raises(NotFoundError):
        store.sessions.about(99)
    session = keep_told(store)
    with store.writing():
        store._database.connection.execute("UPDATE main.sessions SET data = '{' WHERE id = ?", [session])
    with pytest.raises(DamageError):
        store.sessions.about(session)


@pytest.mark.parametrize(
    ("cost", "told"), [(0, "$0.00"), (0.00004, "$0.00004"), (0.5, "$0.5000"), (1234, "$1,234.00")]
)
def test_costs_in_words(cost: float, told: str) -> None:
    assert cost_words(cost) == told


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (7.53, "7.53 s"), (0.0004, "0.0004 s"), (1200, "1,200 s")]
)
def test_times_in_words(seconds: float, told: str) -> None:
    assert seconds_words(seconds) == told
