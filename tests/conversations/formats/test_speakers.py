"""Who speaks: from words in files to roles."""

import pytest

from turnwise.conversations.formats.speakers import nobody_named, role_of, roles_of, who_is_who


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("User", "user"),
        ("HUMAN", "user"),
        (" you ", "user"),
        ("Assistant", "assistant"),
        ("AI_assistant", "assistant"),
        ("ChatGPT said", "assistant"),
        ("System", "system"),
        ("Tool Result", "tool"),
        ("Anna", None),
        ("", None),
    ],
)
def test_common_words_mean_a_role_whatever_their_case(word: str, role: str | None) -> None:
    assert role_of(word) == role


def test_what_was_told_goes_before_common_words() -> None:
    roles, unknown = roles_of(["Agent", "Max"], {"user": ["agent"], "assistant": ["Max"]})
    assert (roles, unknown) == ({"Agent": "user", "Max": "assistant"}, [])


def test_of_two_speakers_one_is_enough() -> None:
    assert roles_of(["Anna", "Bot"], {}) == ({"Bot": "assistant", "Anna": "user"}, [])
    assert roles_of(["User", "Max"], {}) == ({"User": "user", "Max": "assistant"}, [])
    assert roles_of(["Anna", "Max"], {"user": ["Anna"]}) == ({"Anna": "user", "Max": "assistant"}, [])


def test_nothing_is_guessed_of_strangers_and_of_a_third() -> None:
    assert roles_of(["Anna", "Max"], {}) == ({}, ["Anna", "Max"])
    assert roles_of(["Bot", "Anna", "Max"], {})[1] == ["Anna", "Max"]
    assert roles_of(["User", "Bot", "Anna"], {})[1] == ["Anna"]


def test_the_next_step_is_ready_to_be_typed() -> None:
    assert "--map user=Anna,assistant=Max" in who_is_who(["Anna", "Max"], {})[1]
    assert "--map user=Anna or --map assistant=Anna" in who_is_who(["Anna"], {})[1]
    both = who_is_who(["Note"], {"User": "user", "Bot": "assistant"})[1]
    assert "--map user=User,assistant=Bot" in both


def test_a_name_that_a_terminal_would_obey_is_spelled_out() -> None:
    for problem, next_step in (who_is_who(["a\x1b[31m"], {}), nobody_named(["a\x1b[31m"])):
        assert "\x1b" not in problem + next_step
        assert "x1b" in problem


def test_a_crowd_is_named_in_part() -> None:
    assert "and 12 more" in who_is_who([f"name {number}" for number in range(20)], {})[0]
