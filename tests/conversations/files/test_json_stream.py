"""The records of JSON documents, in memory and streamed."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.files.json_stream import json_beginning, split_json, stream_json
from turnwise.conversations.files.json_text import DEEPEST

ENVELOPES = frozenset({"goldens", "testCases"})


def is_part(value: Any) -> bool:
    return isinstance(value, dict) and "role" in value


def streamed(document: Any) -> list[tuple[str, Any]]:
    return list(stream_json(io.BytesIO(json.dumps(document).encode()), is_part, ENVELOPES))


@pytest.mark.parametrize(
    ("document", "records"),
    [
        ([{"a": 1}, {"a": 2}], [("", {"a": 1}), ("", {"a": 2})]),
        ([{"role": "user"}, {"role": "bot"}], [("", [{"role": "user"}, {"role": "bot"}])]),
        ([[{"role": "user"}], 3], [("", [{"role": "user"}]), ("", 3)]),
        ({"goldens": [{"a": 1}], "more": 2}, [("goldens", {"a": 1})]),
        (
            {"goldens": [{"a": 1}], "testCases": [{"a": 2}, 5]},
            [("goldens", {"a": 1}), ("testCases", {"a": 2}), ("testCases", 5)],
        ),
        ({"goldens": [{"role": "user"}]}, [("", {"goldens": [{"role": "user"}]})]),
        ({"goldens": []}, [("", {"goldens": []})]),
        ({"a": {"goldens": [{"b": 1}]}}, [("", {"a": {"goldens": [{"b": 1}]}})]),
        ([], []),
        ("text", [("", "text")]),
        (None, [("", None)]),
    ],
)
def test_a_document_is_spread_into_its_records(document: Any, records: list[tuple[str, Any]]) -> None:
    assert list(split_json(document, is_part, ENVELOPES)) == records
    assert streamed(document) == records


numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
# Whoever writes half of a surrogate pair gets it mended on both roads, but not into the same text.
texts = st.text(st.characters(exclude_categories=["Cs"]))
documents = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts | st.sampled_from(["goldens", "role"]), inner),
)


@given(documents)
def test_streaming_gives_what_memory_gives(document: Any) -> None:
    streamed_records = streamed(document)
    assert streamed_records == list(split_json(document, is_part, ENVELOPES))
    assert json.dumps([item for _, item in streamed_records]) == json.dumps(
        [item for _, item in split_json(document, is_part, ENVELOPES)]
    )


@pytest.mark.parametrize("text", [b"[1, 2", b"[1, 2] 3", b"[1, x]", b'["\xff"]', b'{"a": NaN}', b""])
def test_what_is_not_json_is_an_error_after_the_records_before_it(text: bytes) -> None:
    with pytest.raises(ValueError, match="expected JSON"):
        list(stream_json(io.BytesIO(text), is_part, ENVELOPES))


def test_deep_nesting_is_refused_before_it_costs_memory() -> None:
    with pytest.raises(ValueError, match=f"more than {DEEPEST} levels"):
        list(stream_json(io.BytesIO(b"[" * 1_000_000), is_part, ENVELOPES))


def test_numbers_stay_python_numbers_whatever_their_size() -> None:
    [(_, record)] = streamed({"whole": 10**30, "part": 0.1})
    assert record == {"whole": 10**30, "part": 0.1}
    assert [type(item) for item in record.values()] == [int, float]
    assert list(stream_json(io.BytesIO(b'{"a": 1e999}'), is_part, ENVELOPES)) == [("", {"a": "1E+999"})]


def test_the_beginning_of_a_document_has_its_shape() -> None:
    text = json.dumps([{"messages": [{"role": "user", "content": "hi"}]}] * 10_000).encode()
    start = json_beginning(io.BytesIO(text))
    assert start[0] == {"messages": [{"role": "user", "content": "hi"}]}
    assert 0 < len(start) < 10_000
