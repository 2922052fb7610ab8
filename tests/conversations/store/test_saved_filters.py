"""Saved filters: a query under a name."""

import pytest

from turnwise.conversations.errors import NotFoundError, SettingError


def test_a_filter_is_kept_replaced_and_forgotten(store) -> None:
    assert store.filters.add(" bad  flights ", "role:airline   label:fail")
    assert not store.filters.add("bad flights", "label:fail")
    assert store.filters.add("Any", "x")
    assert [(one.name, one.query) for one in store.filters.all()] == [
        ("Any", "x"),
        ("bad flights", "label:fail"),
    ]
    store.filters.remove("Any")
    assert [one.name for one in store.filters.all()] == ["bad flights"]


@pytest.mark.parametrize(("name", "query"), [("  ", "x"), ("x", " ")])
def test_a_filter_has_a_name_and_a_query(store, name: str, query: str) -> None:
    with pytest.raises(SettingError):
        store.filters.add(name, query)


def test_what_is_not_there_cannot_be_forgotten(store) -> None:
    with pytest.raises(NotFoundError):
        store.filters.remove("x")
