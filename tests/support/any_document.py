"""Any document at all, for loaders of suites: made-up values, and what a loader may do with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.suites import Suite

FEW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)

any_bytes = st.binary(max_size=80) | st.text(alphabet="{}[]:-,&*!|>'\"#%@ \n\tab01?~.", max_size=60).map(
    str.encode
)
"""Bytes, and texts of the signs that mean something in YAML and JSON."""


def words_of(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """Return these texts, and any others."""
    return st.sampled_from(texts) | st.text(max_size=6)


def values_of(names: Sequence[str], texts: Sequence[str]) -> st.SearchStrategy[Any]:
    """Return values as JSON has them, nested, with these names of fields and these texts among others."""
    words = words_of(texts)
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | words,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(names) | words, inner, max_size=4)
        ),
        max_leaves=12,
    )


def loads_or_says_why(loader: Callable[..., Suite], path: Path) -> None:
    """Load a suite strictly and in compat: it is there, or an error says what is wrong and what to do."""
    for compat in (False, True):
        told = _refusal(loader, path, compat)
        assert told is None or (told.title and told.next_step), told


def _refusal(loader: Callable[..., Suite], path: Path, compat: bool) -> TurnwiseError | None:
    try:
        loader(path, compat=compat, root=path.parent)
    except TurnwiseError as error:
        return error
    return None
