"""What --map says."""

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.speakers import read_mapping


def test_pairs_are_parted_by_commas_or_given_one_by_one() -> None:
    wanted = {"user": ("Anna",), "assistant": ("Bot",)}
    assert read_mapping(["user=Anna,assistant=Bot"]) == wanted
    assert read_mapping([" user = Anna ", "assistant=Bot"]) == wanted
    assert read_mapping([]) == {}


def test_a_role_may_have_several_speakers() -> None:
    assert read_mapping(["user=Anna,user=Max"]) == {"user": ("Anna", "Max")}


def test_a_name_may_hold_an_equals_sign() -> None:
    assert read_mapping(["content=a=b"]) == {"content": ("a=b",)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Anna", "takes pairs KEY=NAME"),
        ("user=", "takes pairs KEY=NAME"),
        ("=Anna", "takes pairs KEY=NAME"),
        ("", "not nothing"),
        ("usr=Anna", "Did you mean user"),
        ("id=a,id=b", "more than once"),
    ],
)
def test_what_is_no_pair_is_refused_with_an_example(text: str, words: str) -> None:
    with pytest.raises(SettingError, match=words) as caught:
        read_mapping([text])
    assert caught.value.next_step
