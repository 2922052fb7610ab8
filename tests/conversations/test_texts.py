"""Texts that can be stored: whole characters only."""

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.texts import mend_text


@given(st.text(alphabet=st.characters()))
def test_every_text_can_be_carried_by_utf8_afterwards(text):
    assert mend_text(text).encode().decode() == mend_text(text)
    assert len(mend_text(text)) <= len(text)


@given(st.text())
def test_sound_text_is_left_alone(text):
    assert mend_text(text) == text


def test_halves_that_belong_together_are_joined_and_others_are_marked():
    assert mend_text("\ud83d\ude00") == "😀"
    assert mend_text("a\ud83d b") == "a� b"
