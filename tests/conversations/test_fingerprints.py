"""Fingerprints: the same content has the same name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.fingerprints import fingerprint

texts = st.text(alphabet=st.characters())


@given(st.dictionaries(texts, texts, max_size=5))
def test_the_order_of_keys_does_not_matter(values):
    turned = dict(reversed(values.items()))
    assert fingerprint(values) == fingerprint(turned)
    assert len(fingerprint(values)) == 32


def test_different_content_has_different_names():
    assert len({fingerprint(value) for value in (None, 0, False, "", [], {}, "0", [0])}) == 8


def test_damaged_text_has_a_name_too():
    assert fingerprint("\ud800") != fingerprint("\ud801")


def test_what_is_no_json_is_refused():
    with pytest.raises(TypeError):
        fingerprint({1, 2})
