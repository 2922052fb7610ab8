"""The errors: three parts, one tree, and the same in another process."""

import pickle

import pytest

from turnwise.conversations import errors
from turnwise.conversations.errors import JudgeUnavailableError, TurnwiseError

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, TurnwiseError)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_keeps_its_parts_through_pickling(kind):
    error = kind("It broke", detail="here", next_step="Mend it.")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is kind
    assert (again.title, again.detail, again.next_step) == ("It broke", "here", "Mend it.")
    assert str(error) == "It broke\nhere\nMend it."


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.InputError, 2),
        (errors.CaseError, 2),
        (errors.FormatError, 2),
        (errors.SettingError, 2),
        (errors.NotFoundError, 2),
        (errors.StoreError, 3),
        (errors.JudgeError, 3),
        (errors.BudgetSpentError, 3),
    ],
)
def test_bad_input_exits_with_2_and_what_could_not_finish_with_3(kind, code):
    assert kind.exit_code == code


def test_the_calls_behind_a_judge_error_travel_with_it():
    error = JudgeUnavailableError("away")
    error.calls = ("a", "b")
    assert pickle.loads(pickle.dumps(error)).calls == ("a", "b")  # noqa: S301
    assert str(JudgeUnavailableError("away")) == "away"
